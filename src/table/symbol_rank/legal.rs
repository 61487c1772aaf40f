//! Which cells have a legal position: reader and writer work it out alike.

use crate::board::{Color, Role, SquareSet, attacks};
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;

/// The numbering of a section that can be packed by symbol ranking: White's king and then Black's
/// are the innermost components, and White is to move.
#[derive(Debug)]
pub struct LegalPlanes {
    layout: Layout,
}

impl LegalPlanes {
    /// The planes of a section of this material, if it has any.
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

    /// The numbering.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The cells of a plane.
    pub fn cells(&self) -> usize {
        self.layout.domain().len() * 64
    }

    /// The squares of Black's king with which the positions of a plane are legal, for each square
    /// of White's, in `out`, which has one place for each. The plane begins with this cell.
    pub fn legal(&self, first: u64, out: &mut [u64]) {
        let layout = &self.layout;
        out.fill(0);
        let mut occupied = SquareSet::EMPTY;
        let mut attacked = SquareSet::EMPTY;
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
        for (&king, out) in layout.domain().iter().zip(out) {
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
