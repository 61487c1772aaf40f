//! Finds the cells that have a legal position, for the reader as well as for the writer.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;

/// The largest number of squares of White's king in a plane. In endings where that king may stand
/// on all 64 squares, files a to d and files e to h make separate planes. So a block decodes as
/// fast as in other endings.
const MOST_KING_SQUARES: usize = 32;

/// The numbering of positions in a section that allows symbol ranking. White is to move, and the
/// two innermost components are White's king and, inside it, Black's king.
#[derive(Debug)]
pub struct LegalPlanes {
    layout: Layout,
}

impl LegalPlanes {
    /// The planes of a section of this material. `None` if the section's numbering does not divide
    /// into planes.
    pub fn new(
        material: CanonicalMaterial,
        side: Color,
        symmetry: u8,
        order: &[u8],
    ) -> Option<LegalPlanes> {
        let layout = Layout::from_bytes(material, symmetry, order).ok()?;
        let innermost = layout
            .order()
            .ends_with(&[Component::Anchor, Component::Lane]);
        (side == Color::White && innermost).then_some(LegalPlanes { layout })
    }

    /// The numbering of the section's positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The squares of White's king in the first plane. In other planes the squares may differ, but
    /// not their number.
    pub fn kings(&self) -> &[Square] {
        let all = self.layout.domain();
        &all[..all.len().min(MOST_KING_SQUARES)]
    }

    /// The number of cells in a plane.
    pub fn cells(&self) -> usize {
        self.kings().len() * 64
    }

    /// Computes the legal squares of Black's king in the plane that begins with cell `first`.
    /// Writes one bitboard to `out` for each square of White's king.
    pub fn legal(&self, first: u64, out: &mut [u64]) {
        let layout = &self.layout;
        out.fill(0);
        let bia = layout.bia_placements();
        let bia = bia.bia(layout.digit(first, Component::Bia));
        let mut occupied = bia.all();
        let mut attacked = bia.attacked(Color::White);
        let mut rooks = SquareSet::EMPTY;
        for (g, group) in layout.groups().iter().enumerate() {
            let digit = layout.digit(first, Component::Group(g));
            let men = layout.placements(g).squares(digit);
            if !(occupied & men).is_empty() {
                return;
            }
            occupied |= men;
            match (group.color, group.role) {
                (Color::Black, _) => {}
                (Color::White, Role::Rook) => rooks |= men,
                (Color::White, role) => {
                    for square in men {
                        attacked |= attacks::attacks(role, Color::White, square, SquareSet::EMPTY);
                    }
                }
            }
        }
        let kings = &layout.domain()[layout.digit(first, Component::Anchor)..];
        for (&king, out) in kings.iter().zip(out) {
            if occupied.contains(king) {
                continue;
            }
            let all = occupied.with(king);
            let mut closed = all | attacked | attacks::king(king);
            for rook in rooks {
                closed |= attacks::rook(rook, all);
            }
            *out = (!closed).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn legal_cells_are_those_of_legal_positions() {
        for (name, steps) in [
            ("KRNvKS", 4001),
            ("KPvK", 1),
            ("KRPvKP", 37),
            ("KSPPvK", 101),
            ("KMPvKN", 997),
        ] {
            let material: Material = name.parse().unwrap();
            let (material, _) = material.canonical();
            let groups = Layout::groups_of(material).len();
            let mut order: Vec<u8> = (2..groups as u8 + 2).collect();
            if !material.is_pawnless() {
                order.insert(groups / 2, 255);
            }
            order.extend([0, 1]);
            let symmetry = Layout::symmetry_of(material).id();
            let planes = LegalPlanes::new(material, Color::White, symmetry, &order).unwrap();
            let lanes = planes.cells() / 64;
            let mut legal = vec![0; lanes];
            let all = planes.layout().cells() / planes.cells() as u64;
            for plane in (0..all).step_by(steps) {
                let first = plane * planes.cells() as u64;
                planes.legal(first, &mut legal);
                for cell in 0..planes.cells() {
                    let example = planes.layout().example(first + cell as u64);
                    let position = example.position(material, Color::White);
                    let found = legal[cell / 64] >> (cell % 64) & 1 != 0;
                    assert_eq!(found, position.is_some(), "{name} {example:?}");
                }
            }
        }
    }
}
