//! Computes the index of a position by lookups in small tables, and updates it after a move.
//!
//! An index is a sum with a term for each component ([`Layout`]): the two kings, the groups of like
//! men, and the bia. The symmetry depends only on the anchor king or, with bia, on the bia. So a
//! move of another man changes only one term.

use crate::board::{Color, Move, Position, Role, Square, SquareSet};
use crate::index::{Bia, BiaPlacements, Component, Layout, Placements, Transform};
use crate::material::MAX_MEN;

/// Computes the index of a position in a section.
#[derive(Debug)]
pub(super) struct Numbering {
    anchor_color: Color,
    /// For each symmetry in use, the images of all squares.
    images: Vec<[u8; 64]>,
    /// For each square of the anchor king, the symmetry that maps the square into the stored
    /// region. Not used in endings with bia, where the bia determine the symmetry.
    image_of: [u8; 64],
    /// The anchor king's term of the index, by its square before the symmetry is applied or, with
    /// bia, after it.
    anchor: [u64; 64],
    /// The other king's term of the index, by its square after the symmetry is applied.
    lane: [u64; 64],
    groups: Vec<Group>,
    /// For each colour and role, the index of its group in `groups`.
    group_of: [[u8; Role::ALL.len()]; 2],
    /// The placements of the bia, and the factor by which the index of a placement is multiplied in
    /// the index of a position. `None` if the ending has no bia.
    bia: Option<(BiaPlacements, u64)>,
}

#[derive(Debug)]
struct Group {
    color: Color,
    role: Role,
    placements: Placements,
    /// The group's term of the index, if the group is a single man, by the man's square after the
    /// symmetry is applied.
    single: [u64; 64],
    /// The factor by which the index of the group's placement is multiplied in the index of a
    /// position.
    stride: u64,
}

/// A position's index, with its terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The position's index.
    pub number: u64,
    /// The index of the position's symmetry in [`Numbering::images`].
    image: u8,
    anchor: u64,
    lane: u64,
    groups: [u64; MAX_MEN],
}

impl Numbering {
    /// Prepares the numbering of a layout.
    pub fn new(layout: &Layout) -> Numbering {
        let bia = (!layout.material().is_pawnless()).then(|| {
            let placements = layout.bia_placements().clone();
            (placements, layout.stride(Component::Bia))
        });
        let mut images: Vec<[u8; 64]> = Vec::new();
        let mut transforms = Vec::new();
        let mut image_of = [0; 64];
        let mut anchor = [0; 64];
        let mut place_of = |transform: Transform| {
            let known = transforms.iter().position(|&other| other == transform);
            known.unwrap_or_else(|| {
                let mut image = [0; 64];
                for from in Square::all() {
                    image[from.index()] = transform.square(from).index() as u8;
                }
                transforms.push(transform);
                images.push(image);
                images.len() - 1
            })
        };
        if bia.is_some() {
            // `bia_term` refers to these two symmetries by their position in the list.
            place_of(Transform::IDENTITY);
            place_of(Transform::MIRROR);
        }
        for square in Square::all() {
            let transform = layout.to_domain(Bia::NONE, square);
            let number = place_of(transform);
            image_of[square.index()] = number as u8;
            let digit = layout.anchor_digit(transform.square(square)) as u64;
            anchor[square.index()] = digit * layout.stride(Component::Anchor);
        }
        let by_square = |stride: u64| {
            let mut terms = [0; 64];
            for (square, term) in terms.iter_mut().enumerate() {
                *term = square as u64 * stride;
            }
            terms
        };
        let mut group_of = [[0; Role::ALL.len()]; 2];
        let groups = layout.groups().iter().enumerate().map(|(number, group)| {
            group_of[group.color.index()][group.role.index()] = number as u8;
            let stride = layout.stride(Component::Group(number));
            Group {
                color: group.color,
                role: group.role,
                placements: layout.placements(number).clone(),
                single: by_square(stride),
                stride,
            }
        });
        Numbering {
            groups: groups.collect(),
            anchor_color: Color::White,
            images,
            image_of,
            anchor,
            lane: by_square(layout.stride(Component::Lane)),
            group_of,
            bia,
        }
    }

    /// The index of a position and the terms of which it is the sum. The position must have the
    /// layout's material.
    #[inline]
    pub fn place(&self, position: &Position) -> Place {
        let mut place = self.kings(position);
        let terms = self.terms(place.image, position);
        for (term, found) in place.groups.iter_mut().zip(terms) {
            *term = found;
            place.number += found;
        }
        place
    }

    /// The index of a position. The position must have the layout's material.
    #[inline]
    pub fn number(&self, position: &Position) -> u64 {
        let kings = self.kings(position);
        kings.number + self.terms(kings.image, position).sum::<u64>()
    }

    /// The kings' and the bia's terms of a position's index. The terms of the other men are not
    /// added yet.
    #[inline]
    fn kings(&self, position: &Position) -> Place {
        let king = position.king(self.anchor_color);
        let (image, bia, digit) = match &self.bia {
            None => (self.image_of[king.index()], 0, king.index()),
            Some((placements, stride)) => {
                let (image, term) = bia_term(placements, *stride, position);
                let squares = &self.images[usize::from(image)];
                (image, term, self.square(squares, king))
            }
        };
        let squares = &self.images[usize::from(image)];
        let anchor = self.anchor[digit];
        let lane = self.lane[self.square(squares, position.king(!self.anchor_color))];
        Place {
            number: bia + anchor + lane,
            image,
            anchor,
            lane,
            groups: [0; MAX_MEN],
        }
    }

    /// The term of each group of men, under a symmetry.
    #[inline]
    fn terms(&self, image: u8, position: &Position) -> impl Iterator<Item = u64> {
        let squares = &self.images[usize::from(image)];
        let groups = self.groups.iter();
        groups.map(|group| group.term(squares, position.men(group.color, group.role)))
    }

    /// The index of the position after a move that captures nothing. `role` is the role of the man
    /// that moves, and `place` the index before the move, with its terms.
    #[inline]
    pub fn after(&self, place: &Place, position: &Position, role: Role, m: Move) -> u64 {
        let squares = &self.images[usize::from(place.image)];
        let color = position.turn();
        match role {
            // On its new square the anchor king may need another symmetry.
            Role::King if color == self.anchor_color && self.bia.is_none() => {
                self.number(&position.play(m))
            }
            Role::King if color == self.anchor_color => {
                place.number - place.anchor + self.anchor[self.square(squares, m.to)]
            }
            Role::Bia => self.number(&position.play(m)),
            Role::King => place.number - place.lane + self.lane[self.square(squares, m.to)],
            _ => {
                let number = usize::from(self.group_of[color.index()][role.index()]);
                let (Some(group), Some(term)) = (self.groups.get(number), place.groups.get(number))
                else {
                    return self.number(&position.play(m));
                };
                let men = position.men(color, role).without(m.from).with(m.to);
                place.number - term + group.term(squares, men)
            }
        }
    }

    #[inline]
    fn square(&self, squares: &[u8; 64], square: Square) -> usize {
        usize::from(squares[square.index()]) & 63
    }
}

/// The index of the symmetry that maps the bia to a stored placement, and the bia's term of the
/// position's index. Callers exclude positions with bia on impossible squares. For these, the
/// result is the same as for the first placement.
#[inline]
fn bia_term(placements: &BiaPlacements, stride: u64, position: &Position) -> (u8, u64) {
    match placements.number(Bia::of_position(position)) {
        Some((transform, number)) => {
            let image = u8::from(transform == Transform::MIRROR);
            (image, number as u64 * stride)
        }
        None => (0, 0),
    }
}

impl Group {
    /// The term of the index for a group's men on these squares.
    #[inline]
    fn term(&self, squares: &[u8; 64], men: SquareSet) -> u64 {
        if self.placements.men() == 1 {
            let square = Square::wrapping(men.0.trailing_zeros() as usize);
            return self.single[usize::from(squares[square.index()]) & 63];
        }
        let mut images = SquareSet::EMPTY;
        for square in men {
            images = images.with(Square::wrapping(squares[square.index()].into()));
        }
        self.placements.number(images) as u64 * self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::CanonicalMaterial;

    /// The index as computed by the module `index`, for comparison.
    fn plain(layout: &Layout, position: &Position) -> u64 {
        let [white, black] = Color::ALL.map(|color| position.king(color));
        layout.number(Bia::of_position(position), [white, black], |group| {
            let group = layout.groups()[group];
            position.men(group.color, group.role)
        })
    }

    #[test]
    fn numbers_match_the_index_before_and_after_moves() {
        for name in [
            "KRNvK", "KSSvKM", "KRRRvK", "KNvKN", "KSPvK", "KRPvKP", "KPPvKM",
        ] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let groups = Layout::groups_of(material).len();
            let mut order: Vec<_> = (0..groups).map(Component::Group).collect();
            order.insert(0, Component::Lane);
            order.insert(1, Component::Anchor);
            if !material.is_pawnless() {
                order.insert(1, Component::Bia);
            }
            {
                let symmetry = Layout::symmetry_of(material);
                let layout = Layout::new(material, symmetry, &order).unwrap();
                let numbering = Numbering::new(&layout);
                let mut tried = 0;
                for number in (0..layout.cells()).step_by(layout.cells() as usize / 500) {
                    let example = layout.example(number);
                    let turn = Color::ALL[number as usize % 2];
                    let Some(position) = example.position(material, turn) else {
                        continue;
                    };
                    for position in [position, position.mirrored()] {
                        let place = numbering.place(&position);
                        assert_eq!(place.number, plain(&layout, &position), "{name}");
                        for m in position.legal_moves() {
                            if position.is_capture(m) || m.promotion.is_some() {
                                continue;
                            }
                            let (_, role) = position.man_at(m.from).unwrap();
                            let after = numbering.after(&place, &position, role, m);
                            assert_eq!(after, plain(&layout, &position.play(m)), "{name} {m}");
                            tried += 1;
                        }
                    }
                }
                assert!(tried > 250, "{name}: {tried}");
            }
        }
    }
}
