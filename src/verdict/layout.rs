//! Numbers the positions of a verdict table by plane, lane and bit.

use super::facts::PlaneMen;
use crate::board::{Color, Role, Square, SquareSet};
use crate::index::{BIA_BYTE, Bia, BiaPlacements, Group, Layout, Placements, Symmetry, Transform};
use crate::material::CanonicalMaterial;

/// The numbering of an ending's positions for the wins of one side.
///
/// A *plane* contains all positions that differ only in the squares of the kings. It has a *lane*
/// for each square of the winner's king; without bia, symmetry reduces these squares to a part of
/// the board. A lane has a bit for each square of the other king. The digits of a plane's index are
/// the placements of the groups and of the bia, the outermost first.
#[derive(Clone, Debug)]
pub struct PlaneLayout {
    winner: Color,
    symmetry: Symmetry,
    domain: Vec<Square>,
    /// For each square of the winner's king, the index of its lane; 255 for squares that symmetry
    /// excludes.
    lanes: [u8; 64],
    groups: Vec<Group>,
    placements: Vec<Placements>,
    bia: BiaPlacements,
    /// The number of groups whose digits come before the digit of the bia.
    outside_bia: usize,
}

/// The location of a position's bit: its plane, its lane in the plane, and its bit in the lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanePlace {
    /// The index of the plane.
    pub plane: u64,
    /// The index of the lane in the plane.
    pub lane: usize,
    /// The index of the bit in the lane.
    pub bit: u32,
    /// The index of the bit for the square of the winner's own king. This bit is never set.
    pub own: u32,
}

impl PlaneLayout {
    /// The layout of one side's wins with the groups in this order. `order` contains an index into
    /// [`Layout::groups_of`] for each group, and 255 for the bia if there are any. `None` unless
    /// each of these occurs exactly once.
    pub fn new(material: CanonicalMaterial, winner: Color, order: &[u8]) -> Option<PlaneLayout> {
        let all = Layout::groups_of(material);
        let outside_bia = order.iter().position(|&place| place == BIA_BYTE);
        let group_bytes = order.iter().filter(|&&place| place != BIA_BYTE);
        let groups = group_bytes.map(|&place| all.get(usize::from(place)).copied());
        let groups: Vec<Group> = groups.collect::<Option<_>>()?;
        let digits = all.len() + usize::from(!material.is_pawnless());
        let is_complete = order.len() == digits && all.iter().all(|group| groups.contains(group));
        if !is_complete || outside_bia.is_some() == material.is_pawnless() {
            return None;
        }
        let symmetry = Layout::symmetry_of(material);
        let domain = symmetry.domain();
        let mut lanes = [255; 64];
        for (lane, square) in domain.iter().enumerate() {
            lanes[square.index()] = lane as u8;
        }
        Some(PlaneLayout {
            winner,
            symmetry,
            domain,
            lanes,
            placements: groups.iter().map(Group::placements).collect(),
            groups,
            bia: BiaPlacements::of(material.material()),
            outside_bia: outside_bia.unwrap_or(0),
        })
    }

    /// The side whose wins are numbered.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The symmetry that maps the winner's king to a square that has a lane.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// For each lane, the square of the winner's king.
    pub fn domain(&self) -> &[Square] {
        &self.domain
    }

    /// The groups, outermost first. The bia are not in a group.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of planes.
    pub fn planes(&self) -> u64 {
        let lengths = self.placements.iter().map(|p| p.len() as u64);
        lengths.fold(self.bia.len() as u64, u64::saturating_mul)
    }

    /// Calls `place` with the index and the squares of each group in a plane, the innermost first.
    /// Returns the squares of the bia.
    fn digits(&self, plane: u64, mut place: impl FnMut(usize, SquareSet)) -> Bia {
        let mut rest = plane;
        let mut digit = |n: usize| {
            let digit = rest % n as u64;
            rest /= n as u64;
            digit as usize
        };
        let mut bia = Bia::NONE;
        for group in (0..=self.groups.len()).rev() {
            if group == self.outside_bia {
                bia = self.bia.bia(digit(self.bia.len()));
            }
            if let Some(inner) = group.checked_sub(1) {
                let placements = &self.placements[inner];
                place(inner, placements.squares(digit(placements.len())));
            }
        }
        bia
    }

    /// The squares of the bia and of the groups' men in a plane.
    pub fn men(&self, plane: u64) -> (Bia, Vec<SquareSet>) {
        let mut men = vec![SquareSet::EMPTY; self.groups.len()];
        let bia = self.digits(plane, |group, squares| men[group] = squares);
        (bia, men)
    }

    /// All men in a plane except the kings, with their attacks.
    pub fn plane_men(&self, plane: u64) -> PlaneMen {
        PlaneMen::placed(self.winner, |add| {
            let bia = self.digits(plane, |group, squares| {
                let group = self.groups[group];
                add(group.color, group.role, squares);
            });
            for color in Color::ALL {
                add(color, Role::Bia, bia.of(color));
            }
        })
    }

    /// All men in a plane except the kings: first the groups, then each side's bia.
    pub fn all_men(&self, plane: u64) -> Vec<(Color, Role, SquareSet)> {
        let (bia, men) = self.men(plane);
        let groups = self.groups.iter().zip(men);
        let groups = groups.map(|(group, men)| (group.color, group.role, men));
        let bia = Color::ALL.map(|color| (color, Role::Bia, bia.of(color)));
        groups
            .chain(bia.into_iter().filter(|(.., men)| men.0 != 0))
            .collect()
    }

    /// The index of the plane that contains a position with these bia and with each group on the
    /// squares that `men` returns. `transform` is applied to the groups, but not to the bia,
    /// because a placement of the bia has the same number as its mirror image.
    ///
    /// # Panics
    ///
    /// If this ending cannot have bia on these squares.
    #[inline]
    pub fn plane(&self, transform: Transform, bia: Bia, men: impl Fn(&Group) -> SquareSet) -> u64 {
        let mut plane = 0;
        let append_bia = |plane: u64| match bia.is_empty() {
            true => plane,
            false => {
                let number = self.bia.number(bia).map(|(_, number)| number as u64);
                plane * self.bia.len() as u64 + number.expect("bia of this ending")
            }
        };
        for (place, (group, placements)) in self.groups.iter().zip(&self.placements).enumerate() {
            if place == self.outside_bia {
                plane = append_bia(plane);
            }
            let number = placements.number(transform.set(men(group)));
            plane = plane * placements.len() as u64 + number as u64;
        }
        match self.outside_bia == self.groups.len() {
            true => append_bia(plane),
            false => plane,
        }
    }

    /// The location of the position with these bia, with the winner's king on `king` and the other
    /// king on `other`, and with each group on the squares that `men` returns.
    ///
    /// # Panics
    ///
    /// If this ending cannot have bia on these squares.
    #[inline]
    pub fn place(
        &self,
        bia: Bia,
        king: Square,
        other: Square,
        men: impl Fn(&Group) -> SquareSet,
    ) -> LanePlace {
        let transform: Transform = self.symmetry.to_domain(bia, king);
        let own = transform.square(king).index();
        LanePlace {
            plane: self.plane(transform, bia, men),
            lane: self.lanes[own].into(),
            bit: transform.square(other).index() as u32,
            own: own as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::material::Material;
    use crate::verdict::facts::LaneFacts;

    fn layout(name: &str, winner: Color, order: &[u8]) -> Option<PlaneLayout> {
        let material: Material = name.parse().unwrap();
        PlaneLayout::new(material.canonical().0, winner, order)
    }

    /// All men of a plane, with the winner's king and the other king on these squares.
    fn men(
        layout: &PlaneLayout,
        plane: u64,
        king: Square,
        other: Square,
    ) -> Vec<(Square, Color, Role)> {
        let groups = layout.all_men(plane).into_iter();
        let others = groups.flat_map(|(color, role, men)| men.map(move |s| (s, color, role)));
        let winner = layout.winner();
        let kings = [(king, winner, Role::King), (other, !winner, Role::King)];
        others.chain(kings).collect()
    }

    #[test]
    fn place_finds_the_legal_positions_of_each_plane() {
        for (name, order, steps) in [
            ("KRNvKS", &[1, 0, 2][..], 7013),
            ("KPvK", &[255], 1),
            ("KRPvKP", &[255, 0], 61),
            ("KRPvKP", &[0, 255], 61),
            ("KMPPvKN", &[1, 255, 0], 13_009),
            ("KPPvKP", &[255], 17),
        ] {
            for winner in Color::ALL {
                let layout = layout(name, winner, order).unwrap();
                for plane in (0..layout.planes()).step_by(steps) {
                    let men_of_plane = layout.plane_men(plane);
                    let mut filled = vec![LaneFacts::default(); layout.domain().len()];
                    men_of_plane.fill(layout.domain(), &mut filled);
                    for (lane, &king) in layout.domain().iter().enumerate() {
                        let facts = men_of_plane.facts(king);
                        let usable = |facts: LaneFacts| {
                            let legal = facts.legal;
                            [0, 1].map(|turn| [legal[turn], facts.takes[turn] & legal[turn]])
                        };
                        assert_eq!(usable(filled[lane]), usable(facts), "{name} {king}");
                        for other in Square::all() {
                            let men = men(&layout, plane, king, other);
                            let turns = [winner, !winner].into_iter().zip(facts.legal);
                            for (turn, legal) in turns {
                                let position = Position::from_men(men.iter().copied(), turn);
                                let found = SquareSet(legal).contains(other);
                                assert_eq!(found, position.is_ok(), "{name} {men:?} {turn}");
                                let Ok(position) = position else { continue };
                                let at = LanePlace {
                                    plane,
                                    lane,
                                    bit: other.index() as u32,
                                    own: king.index() as u32,
                                };
                                let of = |group: &Group| position.men(group.color, group.role);
                                let bia = Bia::of_position(&position);
                                assert_eq!(layout.place(bia, king, other, of), at, "{name}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_order_must_name_each_group_once_and_the_bia_if_there_are_any() {
        assert!(layout("KRNvK", Color::White, &[1, 0]).is_some());
        for order in [&[0][..], &[0, 0], &[0, 1, 1], &[0, 2], &[0, 1, 255]] {
            assert!(layout("KRNvK", Color::White, order).is_none(), "{order:?}");
        }
        assert!(layout("KRPvKN", Color::White, &[1, 255, 0]).is_some());
        for order in [&[0, 1][..], &[0, 255], &[0, 1, 255, 255], &[0, 1, 2]] {
            assert!(layout("KRPvKN", Color::White, order).is_none(), "{order:?}");
        }
    }
}
