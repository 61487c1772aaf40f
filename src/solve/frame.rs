//! The frame of a solve: whose win is looked for, and how the lanes are numbered.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Component, Group, Layout, Placements, Symmetry, Transform};
use crate::material::{CanonicalMaterial, Material};

/// The order of an ending's lanes in memory while one side's wins are solved.
///
/// A lane's number is the mixed-radix number of the winner's king (in the symmetry's domain, the
/// outermost digit) and the placements of the groups. The lanes of the innermost group lie side by
/// side: they are a *row*.
#[derive(Clone, Debug)]
pub struct Frame {
    winner: Color,
    symmetry: Symmetry,
    domain: Vec<Square>,
    groups: Vec<Group>,
    placements: Vec<Placements>,
}

impl Frame {
    /// The frame for a material, in whatever colours, and the side whose wins are looked for.
    ///
    /// The order of the groups is the one that is cheapest to step through: innermost the
    /// single man with the fewest moves, which shifts a row as a whole; next to it a slider, whose
    /// many neighbours then lie close by; outermost the groups with most placements.
    pub fn new(material: Material, winner: Color) -> Frame {
        let mut groups = groups_of(material);
        let moves = |g: &Group| match g.role {
            Role::Rook => 14,
            role => attacks::steps(role, g.color).len(),
        };
        // A single leaper first, then whatever has the fewest placements; sliders last.
        let inner_cost = |g: &Group| (g.role == Role::Rook, g.count, moves(g));
        groups.sort_by_key(inner_cost);
        let inner = (!groups.is_empty()).then(|| groups.remove(0));
        groups.sort_by_key(|g| (std::cmp::Reverse(g.count), moves(g)));
        groups.extend(inner);
        let symmetry = Layout::symmetry_of(material.canonical().0);
        Frame::with_groups(winner, symmetry, groups)
    }

    fn with_groups(winner: Color, symmetry: Symmetry, groups: Vec<Group>) -> Frame {
        Frame {
            winner,
            symmetry,
            domain: symmetry.domain(),
            placements: groups
                .iter()
                .map(|g| Placements::new(g.count, SquareSet::ALL))
                .collect(),
            groups,
        }
    }

    /// The frame of what is left when a man of this group is captured: the same order without it.
    ///
    /// Its symmetry stays this frame's, though the smaller ending may have more.
    pub fn without(&self, group: usize) -> Frame {
        let mut groups = self.groups.clone();
        if groups[group].count > 1 {
            groups[group].count -= 1;
        } else {
            groups.remove(group);
        }
        Frame::with_groups(self.winner, self.symmetry, groups)
    }

    /// The layout with the components in the order of the lanes' numbers and the bits innermost.
    pub fn layout(&self, material: CanonicalMaterial) -> Layout {
        let of_material = Layout::groups_of(material);
        let mut order = vec![Component::Anchor];
        order.extend(self.groups.iter().map(|group| {
            let place = of_material.iter().position(|g| g == group);
            Component::Group(place.expect("a frame has its material's groups"))
        }));
        order.push(Component::Lane);
        Layout::new(material, self.winner, self.symmetry, &order)
            .expect("a frame names every component once")
    }

    /// The side whose wins are looked for.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The symmetry in use.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// Where the winner's king may stand.
    pub fn domain(&self) -> &[Square] {
        &self.domain
    }

    /// The groups of like men, the outermost first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The placements of one group.
    pub fn placements(&self, group: usize) -> &Placements {
        &self.placements[group]
    }

    /// The lanes of a row: the placements of the innermost group (1 if there is none).
    pub fn row_lanes(&self) -> usize {
        self.placements.last().map_or(1, Placements::len)
    }

    /// The rows for each square of the winner's king.
    pub fn slab_rows(&self) -> usize {
        self.lanes() / self.row_lanes() / self.domain.len()
    }

    /// All lanes.
    pub fn lanes(&self) -> usize {
        self.placements
            .iter()
            .fold(self.domain.len(), |lanes, p| lanes * p.len())
    }

    /// The men of a lane: the slab of the winner's king, then each group's squares.
    pub fn men(&self, mut lane: usize) -> (usize, Vec<SquareSet>) {
        let mut groups = vec![SquareSet::EMPTY; self.groups.len()];
        for (group, placements) in self.placements.iter().enumerate().rev() {
            groups[group] = placements.squares(lane % placements.len());
            lane /= placements.len();
        }
        (lane, groups)
    }

    /// The lane with the winner's king and the groups' men on these squares, anywhere on the
    /// board, and the transform to apply to its bits.
    pub fn lane(&self, king: Square, men: impl Fn(usize) -> SquareSet) -> (Transform, usize) {
        let transform = self.symmetry.to_domain(king);
        let image = transform.square(king);
        let digit = self.domain.iter().position(|&s| s == image);
        let mut lane = digit.expect("the transform leads into the domain");
        for (group, placements) in self.placements.iter().enumerate() {
            lane = lane * placements.len() + placements.number(transform.set(men(group)));
        }
        (transform, lane)
    }

    /// The squares of the slabs: the domain's, then the ghosts'.
    pub fn slab_kings(&self) -> Vec<Square> {
        let ghosts = self.ghosts().into_iter().map(|(square, _)| square);
        self.domain.iter().copied().chain(ghosts).collect()
    }

    /// The king's squares outside the domain that a king inside can step to, and for each the
    /// transform that brings it in.
    pub fn ghosts(&self) -> Vec<(Square, Transform)> {
        let near: SquareSet = self.domain.iter().flat_map(|&s| attacks::king(s)).collect();
        near.filter(|s| !self.domain.contains(s))
            .map(|s| (s, self.symmetry.to_domain(s)))
            .collect()
    }
}

/// The groups of a material: White's in R N S M order, then Black's.
fn groups_of(material: Material) -> Vec<Group> {
    let groups = |color| {
        let army = material.army(color).groups();
        army.map(move |(role, count)| Group { color, role, count })
    };
    Color::ALL.into_iter().flat_map(groups).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_has_the_number_of_its_layout() {
        for name in ["KRNSvK", "KNNMvK", "KRRvK"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let frame = Frame::new(material.material(), Color::White);
            let layout = frame.layout(material);
            assert_eq!(layout.cells(), frame.lanes() as u64 * 64);
            for lane in (0..frame.lanes()).step_by(101) {
                let (slab, men) = frame.men(lane);
                let king = frame.domain()[slab];
                let by_group = |g: usize| {
                    let group = layout.groups()[g];
                    men[frame.groups().iter().position(|&f| f == group).unwrap()]
                };
                let number = layout.number(king, Square::wrapping(5), by_group);
                assert_eq!(number, lane as u64 * 64 + 5);
            }
        }
    }

    #[test]
    fn a_single_leaper_is_innermost_and_a_slider_next_to_it() {
        let frame = Frame::new("KRSMvK".parse().unwrap(), Color::White);
        let roles: Vec<_> = frame.groups().iter().map(|g| g.role).collect();
        assert_eq!(roles, [Role::Khon, Role::Rook, Role::Met]);
        let frame = Frame::new("KNNSvK".parse().unwrap(), Color::White);
        assert_eq!(frame.row_lanes(), 64);
    }
}
