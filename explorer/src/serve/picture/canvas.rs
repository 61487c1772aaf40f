//! A canvas of pixels on which paths of one colour are drawn, and its encoding as PNG.

use std::io::{self, Write};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use zeno::{Command, Fill, Join, Mask, PathBuilder, PathData, Stroke, Style, Transform};

use sakmak_study::svg::{Part, SIDE};

/// A colour, as red, green and blue.
pub(super) type Rgb = [u8; 3];

/// The colours in which a man is drawn.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub fill: Rgb,
    pub outline: Rgb,
    pub line: Rgb,
}

/// The width of outlines, in the units of the shapes.
const OUTLINE: f32 = 1.6;
/// The width of lines inside the shapes, in the units of the shapes.
const LINE: f32 = 1.3;

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Canvas {
    /// Makes a canvas that is filled with one colour.
    pub(super) fn new(width: u32, height: u32, color: Rgb) -> Canvas {
        Canvas {
            width,
            height,
            pixels: color.repeat((width * height) as usize),
        }
    }

    /// Fills a rectangle whose edges fall on pixels.
    pub(super) fn rectangle(
        &mut self,
        (x, y): (u32, u32),
        (width, height): (u32, u32),
        color: Rgb,
    ) {
        for row in y..(y + height).min(self.height) {
            let start = 3 * (row * self.width + x) as usize;
            let length = 3 * width.min(self.width.saturating_sub(x)) as usize;
            for pixel in self.pixels[start..start + length].as_chunks_mut().0 {
                *pixel = color;
            }
        }
    }

    /// Draws a man in a square with this corner and side length.
    pub(super) fn man(&mut self, parts: &[Part], corner: (f32, f32), side: f32, paint: Paint) {
        let scale = side / SIDE as f32;
        let place = Transform::scale(scale, scale).then_translate(corner.0, corner.1);
        let disc = |x: f32, y: f32, r: f32| {
            let mut path: Vec<Command> = Vec::new();
            path.add_circle([x, y], r);
            path
        };
        for &part in parts {
            match part {
                Part::Body(path) => self.outlined(path, place, paint),
                Part::Ball(x, y, r) => self.outlined(&disc(x, y, r), place, paint),
                Part::Line(path) => self.path(path, stroke(LINE), place, paint.line),
                Part::Eye(x, y, r) => self.path(&disc(x, y, r), Fill::NonZero, place, paint.line),
            }
        }
    }

    fn outlined(&mut self, path: impl PathData + Copy, place: Transform, paint: Paint) {
        self.path(path, Fill::NonZero, place, paint.fill);
        self.path(path, stroke(OUTLINE), place, paint.outline);
    }

    fn path(
        &mut self,
        path: impl PathData,
        style: impl Into<Style<'static>>,
        place: Transform,
        color: Rgb,
    ) {
        let (mask, at) = Mask::new(path).style(style).transform(Some(place)).render();
        if mask.is_empty() {
            return;
        }
        for (row, coverage) in mask.chunks_exact(at.width as usize).enumerate() {
            for (column, &alpha) in coverage.iter().enumerate() {
                let (x, y) = (at.left + column as i32, at.top + row as i32);
                self.blend(x, y, alpha, color);
            }
        }
    }

    /// Mixes a colour into a pixel. Pixels outside the canvas are ignored.
    fn blend(&mut self, x: i32, y: i32, alpha: u8, color: Rgb) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return;
        };
        if alpha == 0 || x >= self.width || y >= self.height {
            return;
        }
        let start = 3 * (y * self.width + x) as usize;
        let alpha = u16::from(alpha);
        for (old, new) in self.pixels[start..start + 3].iter_mut().zip(color) {
            let mixed = u16::from(*old) * (255 - alpha) + u16::from(new) * alpha;
            *old = ((mixed + 127) / 255) as u8;
        }
    }

    /// Encodes the picture as a PNG file.
    pub(super) fn png(&self) -> io::Result<Vec<u8>> {
        let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
        for row in self.pixels.chunks_exact(3 * self.width as usize) {
            // Each row begins with the number of its filter. 0 stands for no filter.
            rows.write_all(&[0])?;
            rows.write_all(row)?;
        }
        let mut head = [self.width, self.height].map(u32::to_be_bytes).concat();
        // Eight bits each of red, green and blue; the only compression and filter methods that
        // exist; not interlaced.
        head.extend([8, 2, 0, 0, 0]);
        let mut file = SIGNATURE.to_vec();
        chunk(&mut file, b"IHDR", &head);
        chunk(&mut file, b"IDAT", &rows.finish()?);
        chunk(&mut file, b"IEND", &[]);
        Ok(file)
    }
}

/// The first bytes of every PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Adds a chunk to a file: its length, its kind, its content, and the checksum of kind and content.
fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let mut sum = Crc::new();
    for part in [kind.as_slice(), content] {
        sum.update(part);
        file.extend_from_slice(part);
    }
    file.extend(sum.sum().to_be_bytes());
}

fn stroke(width: f32) -> Stroke<'static> {
    let mut stroke = Stroke::new(width);
    stroke.join(Join::Round);
    stroke
}
