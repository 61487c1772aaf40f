//! Where a position is in a verdict table: its plane, lane and bit.

use crate::board::{Color, Square, SquareSet};
use crate::index::{Bia, Group, Layout, Placements, Symmetry, Transform};
use crate::material::CanonicalMaterial;

/// The numbering of an ending's positions for the wins of one side.
///
/// A *lane* is a word with a bit for each square of the other side's king. A *plane* has the lanes of
/// all squares of the winner's king, which symmetry brings into a small part of the board; in it
/// only the kings move. The number of a plane is the mixed-radix number of the groups'
/// placements, the outermost first.
#[derive(Clone, Debug)]
pub struct PlaneLayout {
    winner: Color,
    symmetry: Symmetry,
    domain: Vec<Square>,
    /// The lane in its plane for each square of the domain; 255 elsewhere.
    lanes: [u8; 64],
    groups: Vec<Group>,
    placements: Vec<Placements>,
}

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanePlace {
    /// The plane's number.
    pub plane: u64,
    /// The lane in the plane.
    pub lane: usize,
    /// The bit in the lane.
    pub bit: u32,
    /// The bit of the winner's own king, which no position has.
    pub own: u32,
}

impl PlaneLayout {
    /// The layout with the groups in this order, given by their places in [`Layout::groups_of`].
    /// None if each is not named once.
    pub fn new(material: CanonicalMaterial, winner: Color, order: &[u8]) -> Option<PlaneLayout> {
        let all = Layout::groups_of(material);
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if sorted.len() != all.len() || sorted.iter().zip(0..).any(|(&place, i)| place != i) {
            return None;
        }
        let groups: Vec<Group> = order.iter().map(|&place| all[usize::from(place)]).collect();
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
        })
    }

    /// The side whose wins these are.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The symmetry that brings the winner's king there.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// The squares of the winner's king, by lane.
    pub fn domain(&self) -> &[Square] {
        &self.domain
    }

    /// The groups of like men, the outermost first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of planes.
    pub fn planes(&self) -> u64 {
        let lengths = self.placements.iter().map(|p| p.len() as u64);
        lengths.fold(1, u64::saturating_mul)
    }

    /// The squares of the groups' men in a plane.
    pub fn men(&self, plane: u64) -> Vec<SquareSet> {
        let mut rest = plane;
        let mut men = vec![SquareSet::EMPTY; self.groups.len()];
        for (men, placements) in men.iter_mut().zip(&self.placements).rev() {
            let n = placements.len() as u64;
            *men = placements.squares((rest % n) as usize);
            rest /= n;
        }
        men
    }

    /// The plane of the groups' men on these squares, seen through a transform.
    #[inline]
    pub fn plane(&self, transform: Transform, men: impl Fn(&Group) -> SquareSet) -> u64 {
        let mut plane = 0;
        for (group, placements) in self.groups.iter().zip(&self.placements) {
            let number = placements.number(transform.set(men(group)));
            plane = plane * placements.len() as u64 + number as u64;
        }
        plane
    }

    /// Where the position is in which the winner's king, the other king and the groups' men, by
    /// their place here, are on these squares.
    #[inline]
    pub fn place(
        &self,
        king: Square,
        other: Square,
        men: impl Fn(&Group) -> SquareSet,
    ) -> LanePlace {
        let transform: Transform = self.symmetry.to_domain(Bia::NONE, king);
        let own = transform.square(king).index();
        LanePlace {
            plane: self.plane(transform, men),
            lane: self.lanes[own].into(),
            bit: transform.square(other).index() as u32,
            own: own as u32,
        }
    }
}
