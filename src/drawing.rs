//! The shapes of the men, for pages and pictures.
//!
//! They are original, after the turned men of Thai sets: khun, khon and met are stupas of three
//! sizes, the ma is a horse's head, the ruea a boat, as its name says, and the bia a cowrie.

use crate::board::{Role, Square};

/// The side of a square, in units of the shapes.
pub const SIDE: u32 = 45;

/// The SVG shape of a man, in a square of [`SIDE`] units. Lines have class `l`, an eye `e`.
pub fn shape(role: Role) -> &'static str {
    match role {
        Role::King => {
            "<path d='M22.5 3.5l1.6 6.5h-3.2zM20.9 10h3.2c.2 3 1.2 4.6 3 6.2 4.3 3.6 6.2 8.8 7 16.3H10.9c.8-7.5 2.7-12.7 7-16.3 1.8-1.6 2.8-3.2 3-6.2z'/><path class='l' d='M17 18.5h11M14 24h17'/><path d='M9 39.5c0-4.2 1.5-6.5 4-7h19c2.5.5 4 2.8 4 7z'/>"
        }
        Role::Khon => {
            "<circle cx='22.5' cy='10.5' r='3'/><path d='M22.5 13.5c6.6 1.9 9.3 9.3 9.9 19H12.6c.6-9.7 3.3-17.1 9.9-19z'/><path class='l' d='M15 23h15'/><path d='M10 39.5c0-4.2 1.5-6.5 4-7h17c2.5.5 4 2.8 4 7z'/>"
        }
        Role::Met => {
            "<path d='M22.5 17c1.5 5.5 7.5 7.5 8.5 15.5H14c1-8 7-10 8.5-15.5z'/><path d='M12 39.5c0-4.2 1.3-6.5 3.5-7h14c2.2.5 3.5 2.8 3.5 7z'/>"
        }
        Role::Bia => {
            "<path d='M22.5 22c5.5 0 9 3.5 9 7.5s-3.5 8-9 8-9-4-9-8 3.5-7.5 9-7.5z'/><path class='l' d='M22.5 25v9.5M19.5 27.5h2M19.5 31h2M23.5 27.5h2M23.5 31h2'/>"
        }
        Role::Knight => {
            "<path d='M13.5 33.5c-.3-6.5 4.2-9.5 5.8-13.3l-4.6 2.5c-1.7.8-3.4-.8-2.7-2.6 1-2.8 3.3-5 4.3-8.3l3-2.1.9-4.2 3.4 3.5c7.2 1.6 10.3 9 9.4 24.5z'/><circle class='e' cx='20.3' cy='13.8' r='1.3'/><path d='M10 39.5c0-3.7 1.3-5.7 3.5-6h20c2.2.3 3.5 2.3 3.5 6z'/>"
        }
        Role::Rook => {
            "<path d='M14 25v-7.5h17V25z'/><path d='M11.5 17.5c2.5-5 6-7.5 11-7.5s8.5 2.5 11 7.5z'/><path class='l' d='M19.7 18v6.5M25.3 18v6.5'/><path d='M5 24.5c4 1.3 8 1.5 17.5 1.5s13.5-.2 17.5-1.5c-.8 8.5-4.5 15-9.5 15h-16c-5 0-8.7-6.5-9.5-15z'/>"
        }
    }
}

/// The upper left corner of a square, in the same units.
pub fn corner(square: Square) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    (file * SIDE, (7 - rank) * SIDE)
}

/// The dark squares as an SVG path.
pub fn dark_squares() -> String {
    let dark = Square::all().filter(|square| !square.is_light());
    dark.map(|square| {
        let (x, y) = corner(square);
        format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The explorer's page draws the same men. It states the base that several men share only once.
    #[test]
    fn the_page_has_these_shapes() {
        let page = include_str!("../web/js/men.js");
        let base = page.split_once("const BASE = \"").unwrap().1;
        let (base, rest) = base.split_once('"').unwrap();
        let thai = rest
            .split_once("THAI")
            .unwrap()
            .1
            .split_once("};")
            .unwrap()
            .0;
        let thai = thai.replace("${BASE}", base);
        for role in Role::ALL {
            assert!(thai.contains(shape(role)), "{role:?}");
        }
    }
}
