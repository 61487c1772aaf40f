//! The shapes of the men, for web pages and pictures.
//!
//! The shapes are original, modelled on the lathe-turned men of Thai sets. Khun, khon and met are
//! stupas of three sizes, the ma is a horse's head, the ruea a boat, as its name says, and the bia
//! a cowrie.

use Part::{Ball, Body, Eye, Line};

use sakmak::board::{Role, Square};

/// The side length of the square that encloses each shape, in the units of the shapes' coordinates.
pub const SIDE: u32 = 45;

/// A part of a man's shape, in a square of [`SIDE`] units.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A filled outline, as an SVG path. Each of several smooth curves in a row needs its own
    /// letter `s`, because zeno reflects only the first curve after a letter.
    Body(&'static str),
    /// A filled disc: the coordinates of its centre, and its radius.
    Ball(f32, f32, f32),
    /// An unfilled line, as an SVG path.
    Line(&'static str),
    /// An eye: a disc in the colour of the lines, with centre and radius.
    Eye(f32, f32, f32),
}

/// The parts of a man's shape, in the order in which they are drawn.
pub fn parts(role: Role) -> &'static [Part] {
    match role {
        Role::King => &[
            Body(
                "M22.5 3.5l1.6 6.5h-3.2zM20.9 10h3.2c.2 3 1.2 4.6 3 6.2 4.3 3.6 6.2 8.8 7 16.3H10.9c.8-7.5 2.7-12.7 7-16.3 1.8-1.6 2.8-3.2 3-6.2z",
            ),
            Line("M17 18.5h11M14 24h17"),
            Body("M9 39.5c0-4.2 1.5-6.5 4-7h19c2.5.5 4 2.8 4 7z"),
        ],
        Role::Khon => &[
            Ball(22.5, 10.5, 3.0),
            Body("M22.5 13.5c6.6 1.9 9.3 9.3 9.9 19H12.6c.6-9.7 3.3-17.1 9.9-19z"),
            Line("M15 23h15"),
            Body("M10 39.5c0-4.2 1.5-6.5 4-7h17c2.5.5 4 2.8 4 7z"),
        ],
        Role::Met => &[
            Body("M22.5 17c1.5 5.5 7.5 7.5 8.5 15.5H14c1-8 7-10 8.5-15.5z"),
            Body("M12 39.5c0-4.2 1.3-6.5 3.5-7h14c2.2.5 3.5 2.8 3.5 7z"),
        ],
        Role::Bia => &[
            Body("M22.5 22c5.5 0 9 3.5 9 7.5 0 4-3.5 8-9 8-5.5 0-9-4-9-8 0-4 3.5-7.5 9-7.5z"),
            Line("M22.5 25v9.5M19.5 27.5h2M19.5 31h2M23.5 27.5h2M23.5 31h2"),
        ],
        Role::Knight => &[
            Body(
                "M13.5 33.5c-.3-6.5 4.2-9.5 5.8-13.3l-4.6 2.5c-1.7.8-3.4-.8-2.7-2.6 1-2.8 3.3-5 4.3-8.3l3-2.1.9-4.2 3.4 3.5c7.2 1.6 10.3 9 9.4 24.5z",
            ),
            Eye(20.3, 13.8, 1.3),
            Body("M10 39.5c0-3.7 1.3-5.7 3.5-6h20c2.2.3 3.5 2.3 3.5 6z"),
        ],
        Role::Rook => &[
            Body("M14 25v-7.5h17V25z"),
            Body("M11.5 17.5c2.5-5 6-7.5 11-7.5s8.5 2.5 11 7.5z"),
            Line("M19.7 18v6.5M25.3 18v6.5"),
            Body(
                "M5 24.5c4 1.3 8 1.5 17.5 1.5s13.5-.2 17.5-1.5c-.8 8.5-4.5 15-9.5 15h-16c-5 0-8.7-6.5-9.5-15z",
            ),
        ],
    }
}

/// A man's shape as SVG. Lines have the class `l`, eyes the class `e`.
pub fn shape(role: Role) -> String {
    let part = |part: &Part| match part {
        Body(path) => format!("<path d='{path}'/>"),
        Ball(x, y, r) => format!("<circle cx='{x}' cy='{y}' r='{r}'/>"),
        Line(path) => format!("<path class='l' d='{path}'/>"),
        Eye(x, y, r) => format!("<circle class='e' cx='{x}' cy='{y}' r='{r}'/>"),
    };
    parts(role).iter().map(part).collect()
}

/// The upper left corner of a square of the board, in the units of the shapes' coordinates.
pub fn corner(square: Square) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    (file * SIDE, (7 - rank) * SIDE)
}

/// The dark squares of the board as an SVG path.
pub fn dark_squares() -> String {
    let dark = Square::all().filter(|square| !square.is_light());
    dark.map(|square| {
        let (x, y) = corner(square);
        format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
    })
    .collect()
}
