//! Draws a position as a picture for link previews: the board, both armies, and the numbers of the
//! count at which the position is won. The picture has no text, so it needs neither a font nor a
//! language.

use super::canvas::{Canvas, Paint, Rgb};
use crate::Outline;
use crate::serve::preview::SIZE;
use sakmak::board::{Color, Position, Role, Square};
use sakmak::rules::Category;
use sakmak_study::svg::{SIDE, corner, parts};

const GROUND: Rgb = [0xfb, 0xf9, 0xf4];
const LIGHT: Rgb = [0xf1, 0xe2, 0xc2];
const DARK: Rgb = [0xdc, 0xc5, 0x96];
const EDGE: Rgb = [0xb7, 0x9a, 0x63];
const WON: Rgb = [0x22, 0x68, 0x3f];
const LATE: Rgb = [0xb0, 0x6a, 0x1a];
const DRAWN: Rgb = [0x8c, 0x86, 0x7c];

const WHITE: Paint = Paint {
    fill: [0xff, 0xfd, 0xf6],
    outline: [0x2a, 0x21, 0x19],
    line: [0x2a, 0x21, 0x19],
};
const BLACK: Paint = Paint {
    fill: [0x3a, 0x2d, 0x25],
    outline: [0x12, 0x0c, 0x08],
    line: [0xf2, 0xe6, 0xd0],
};

/// The coordinates of the upper left corner of the board, in pixels.
const BOARD: (u32, u32) = (35, 35);
/// The side of a square of the board, in pixels.
const SQUARE: u32 = 70;
/// The column beside the board: its left edge and its width, in pixels.
const COLUMN: (u32, u32) = (650, 500);
/// The maximum width of a man in that column, in pixels.
const LARGEST: u32 = 100;
/// The upper edges, in pixels, of the rows with Black's men and White's men. The row of the side to
/// move is highlighted.
const ROWS: [(Color, u32); 2] = [(Color::Black, 75), (Color::White, 455)];
/// The upper edge and the height of the scale, in pixels.
const SCALE: (u32, u32) = (291, 48);

/// A part of the count's scale: its length in counted moves, and its colour.
pub(super) type Run = (u64, Rgb);

/// The count's scale, from an answer of the explorer. Its colours show at which numbers the
/// position is won. If nothing is counted, it has a single part.
pub(super) fn scale(answer: &Outline) -> Vec<Run> {
    let runs = answer.numbers.iter().flat_map(|numbers| &numbers.runs);
    let run = |run: &crate::Run| Some((u64::from(run.to - run.from) + 1, color(run.category?)));
    let runs: Vec<Run> = runs.filter_map(run).collect();
    match runs.is_empty() {
        true => vec![(1, color(answer.bounds[0]))],
        false => runs,
    }
}

fn color(category: Category) -> Rgb {
    match category {
        Category::Win | Category::Loss => WON,
        Category::CursedWin | Category::BlessedLoss => LATE,
        Category::Draw => DRAWN,
    }
}

/// Draws a position, and the scale of its count.
pub(super) fn draw(position: &Position, scale: &[Run]) -> Canvas {
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, GROUND);
    let (left, top) = BOARD;
    canvas.rectangle((left - 2, top - 2), (8 * SQUARE + 4, 8 * SQUARE + 4), EDGE);
    for square in Square::all() {
        let (x, y) = place(square);
        let color = if square.is_light() { LIGHT } else { DARK };
        canvas.rectangle((x, y), (SQUARE, SQUARE), color);
    }
    for square in Square::all() {
        if let Some((color, role)) = position.man_at(square) {
            let (x, y) = place(square);
            man(&mut canvas, color, role, (x, y), SQUARE);
        }
    }
    for (color, y) in ROWS {
        army(&mut canvas, position, color, y);
    }
    let all: u64 = scale.iter().map(|&(numbers, _)| numbers).sum();
    let mut before = 0;
    for &(numbers, color) in scale {
        let at = |numbers: u64| (u64::from(COLUMN.1) * numbers / all) as u32;
        let (from, to) = (at(before), at(before + numbers));
        canvas.rectangle((COLUMN.0 + from, SCALE.0), (to - from, SCALE.1), color);
        before += numbers;
    }
    canvas
}

/// The upper left corner of a square in the picture.
fn place(square: Square) -> (u32, u32) {
    let (x, y) = corner(square);
    let scaled = |units: u32| units / SIDE * SQUARE;
    (BOARD.0 + scaled(x), BOARD.1 + scaled(y))
}

fn man(canvas: &mut Canvas, color: Color, role: Role, (x, y): (u32, u32), side: u32) {
    let paint = match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    };
    canvas.man(parts(role), (x as f32, y as f32), side as f32, paint);
}

/// Draws the men of one side in a row. If the side is to move, the row's background has the colour
/// of light squares.
fn army(canvas: &mut Canvas, position: &Position, color: Color, y: u32) {
    let men: Vec<Role> = Role::ALL
        .into_iter()
        .flat_map(|role| {
            let men = position.men(color, role).len();
            std::iter::repeat_n(role, men)
        })
        .collect();
    let side = LARGEST.min(COLUMN.1 / (men.len() as u32).max(1));
    if position.turn() == color {
        let edge = 10;
        canvas.rectangle(
            (COLUMN.0 - edge, y - edge),
            (COLUMN.1 + 2 * edge, LARGEST + 2 * edge),
            LIGHT,
        );
    }
    for (i, role) in (0..).zip(men) {
        let down = (LARGEST - side) / 2;
        man(canvas, color, role, (COLUMN.0 + i * side, y + down), side);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::Scale;
    use sakmak::board::{Fen, Lettering};

    /// Decodes the pixels of a PNG file. Panics if its chunks, checksums or size are wrong.
    fn decoded(file: &[u8]) -> Vec<u8> {
        let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
        let mut chunks = Vec::new();
        while let Some((length, after)) = rest.split_first_chunk() {
            let (kind_and_content, after) =
                after.split_at(4 + u32::from_be_bytes(*length) as usize);
            let (sum, after) = after.split_first_chunk().unwrap();
            let mut crc = flate2::Crc::new();
            crc.update(kind_and_content);
            assert_eq!(u32::from_be_bytes(*sum), crc.sum());
            chunks.push(kind_and_content.split_at(4));
            rest = after;
        }
        let [(b"IHDR", head), (b"IDAT", packed), (b"IEND", [])] = chunks[..] else {
            panic!("{chunks:?}");
        };
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        assert_eq!((number(&head[..4]), number(&head[4..8])), SIZE);
        assert_eq!(head[8..], [8, 2, 0, 0, 0]);
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(packed)
            .read_to_end(&mut rows)
            .unwrap();
        let rows = rows.chunks_exact(1 + 3 * SIZE.0 as usize);
        assert_eq!((rows.len(), rows.remainder().len()), (SIZE.1 as usize, 0));
        let pixels = |row: &[u8]| {
            assert_eq!(row[0], 0);
            row[1..].to_vec()
        };
        rows.flat_map(pixels).collect()
    }

    /// A picture that has been decoded.
    struct Shown {
        width: u32,
        pixels: Vec<u8>,
    }

    impl Shown {
        fn of(fen: &str, scale: &[Run]) -> Shown {
            let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
            let bytes = draw(&position, scale).png().unwrap();
            let pixels = decoded(&bytes);
            let width = SIZE.0;
            Shown { width, pixels }
        }

        fn pixel(&self, x: u32, y: u32) -> Rgb {
            let at = 3 * (y * self.width + x) as usize;
            self.pixels[at..at + 3].try_into().unwrap()
        }

        /// The pixels of one square.
        fn square(&self, name: &str) -> Vec<Rgb> {
            let (x, y) = place(name.parse().unwrap());
            let rows = (y..y + SQUARE).flat_map(|y| (x..x + SQUARE).map(move |x| (x, y)));
            rows.map(|(x, y)| self.pixel(x, y)).collect()
        }

        /// True if all pixels of a square have the square's own colour.
        fn is_empty(&self, name: &str) -> bool {
            let pixels = self.square(name);
            pixels.iter().all(|pixel| *pixel == pixels[0]) && [LIGHT, DARK].contains(&pixels[0])
        }
    }

    #[test]
    fn men_stand_on_their_squares_and_nowhere_else() {
        let shown = Shown::of("7k/8/4n3/8/8/1P6/2SM4/R6K w - - 0 1", &[]);
        let men = ["h8", "e6", "b3", "c2", "d2", "a1", "h1"];
        for square in Square::all() {
            let name = square.to_string();
            assert_eq!(shown.is_empty(&name), !men.contains(&&*name), "{name}");
        }
        for (names, fill) in [(&men[..2], BLACK.fill), (&men[2..], WHITE.fill)] {
            for name in names {
                let filled = shown
                    .square(name)
                    .iter()
                    .filter(|pixel| **pixel == fill)
                    .count();
                assert!(filled > 250, "{name}: {filled}");
            }
        }
    }

    /// All men but the horse are symmetrical. So if a man is equally wide on both sides, each of
    /// its curves was drawn to the end.
    #[test]
    fn men_are_as_wide_on_the_left_as_on_the_right() {
        let shown = Shown::of("k7/8/8/8/8/P7/8/KR1SM3 w - - 0 1", &[]);
        for name in ["a3", "a1", "b1", "d1", "e1"] {
            let pixels = shown.square(name);
            let ground = pixels[0];
            let half = |right: bool| {
                let drawn = (0..)
                    .zip(&pixels)
                    .filter(|&(i, &pixel)| pixel != ground && (i % SQUARE >= SQUARE / 2) == right);
                drawn.count()
            };
            let (left, right) = (half(false), half(true));
            assert!(left.abs_diff(right) <= 8, "{name}: {left} and {right}");
        }
    }

    #[test]
    fn each_man_has_a_shape_of_its_own() {
        let shown = Shown::of("k7/8/8/8/8/1P6/8/KRNSM3 w - - 0 1", &[]);
        // All these men are on squares of one colour.
        let men = ["a1", "c1", "e1"].map(|name| shown.square(name));
        assert!(men[0] != men[1] && men[1] != men[2] && men[0] != men[2]);
        assert_ne!(shown.square("b1"), shown.square("d1"));
    }

    #[test]
    fn the_scale_is_coloured_where_the_numbers_are_won() {
        let run = |category, from, to| crate::Run {
            category: Some(category),
            from,
            to,
        };
        let answer = |category, runs: Option<Vec<crate::Run>>| Outline {
            material: "KSMvK".parse().unwrap(),
            turn: Color::White,
            is_checkmate: false,
            winner: Some(Color::White),
            bounds: [category; 2],
            has_distances: true,
            numbers: runs.map(|runs| Scale {
                to: 44,
                fresh: Some(category),
                runs,
            }),
        };
        let runs = vec![run(Category::Win, 4, 19), run(Category::CursedWin, 20, 44)];
        let counted = scale(&answer(Category::Win, Some(runs)));
        let shown = Shown::of("8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1", &counted);
        let at = |part: u32| shown.pixel(COLUMN.0 + part * COLUMN.1 / 41, SCALE.0 + 10);
        assert_eq!([at(0), at(15), at(17), at(40)], [WON, WON, LATE, LATE]);
        let plain = |category| scale(&answer(category, None));
        assert_eq!(plain(Category::Draw), [(1, DRAWN)]);
        assert_eq!(plain(Category::Loss), [(1, WON)]);
        // The side to move has a marker.
        let marker = (COLUMN.0 - 5, ROWS[1].1);
        assert_eq!(shown.pixel(marker.0, marker.1), LIGHT);
        let other = Shown::of("8/8/8/3k4/8/3K4/2SM4/8 b - - 0 1", &[]);
        assert_eq!(other.pixel(marker.0, marker.1), GROUND);
        assert_eq!(other.pixel(marker.0, ROWS[0].1), LIGHT);
    }

    #[test]
    fn the_largest_armies_fit() {
        let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        let shown = Shown::of(start, &[]);
        let beyond = (0..SIZE.1).map(|y| shown.pixel(COLUMN.0 + COLUMN.1 + 12, y));
        assert!(beyond.into_iter().all(|pixel| pixel == GROUND));
    }
}
