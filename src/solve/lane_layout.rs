//! Lane layouts: the winner of a solve, and the numbering of its lanes.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{
    Bia, BiaPlacements, ColorSlice, Component, Group, Layout, Placements, Symmetry, Transform,
};
use crate::material::{CanonicalMaterial, Material};
use crate::statistics::Example;

/// The largest number of lanes in a chunk with several placements of the outermost group. Smaller
/// chunks would enlarge the index of a checkpoint: up to 600 MiB for K+M+M+M+M+M v K, where the
/// outermost group alone has 36,000 placements.
const CHUNK_LANES: usize = 4096;

/// The order of an ending's lanes in memory, for solving one side's wins.
///
/// The index of a lane is a mixed-radix number. Its most significant digit stands for the square of
/// the winner's king; the other digits are the placements of the groups. The lanes that differ only
/// in the placement of the innermost group are adjacent and form a *row*.
#[derive(Clone, Debug)]
pub struct LaneLayout {
    winner: Color,
    symmetry: Symmetry,
    domain: Vec<Square>,
    /// For each square of the winner's king, the transform that maps it into the domain.
    transforms: Vec<Transform>,
    groups: Vec<Group>,
    placements: Vec<Placements>,
    /// For each group, the group that it becomes when light and dark squares are exchanged.
    partners: Vec<usize>,
    remainder: bool,
    /// The squares of the bia in this slice.
    bia: Bia,
    /// The squares of the winner's mets that, like the bia, do not move.
    fixed_mets: SquareSet,
}

impl LaneLayout {
    /// The layout of a material for the wins of `winner`. White need not be the stronger side.
    ///
    /// The order of the groups makes steps cheap. The innermost group is the single man with the
    /// fewest moves, because its moves shift a row as a whole. Next to it is a slider, so that the
    /// many positions it can reach are close in memory. The outermost groups are those with the
    /// most placements.
    pub fn new(material: Material, winner: Color) -> LaneLayout {
        let symmetry = Layout::symmetry_of(material.canonical().0);
        let transforms = Square::all()
            .map(|s| symmetry.to_domain(Bia::NONE, s))
            .collect();
        let groups = in_order(Group::all_of(material));
        LaneLayout::with_groups(winner, symmetry, symmetry.domain(), transforms, groups)
    }

    /// The layout of a colour slice. A slice that is not its own mirror image has only the
    /// symmetries that keep the colours of squares. Its positions also represent their mirror
    /// images, which are in the twin slice.
    pub fn of_slice(material: Material, winner: Color, slice: &ColorSlice) -> LaneLayout {
        let whole = LaneLayout::new(material, winner);
        let groups = in_order(slice.groups(&Group::all_of(material)));
        let LaneLayout {
            symmetry,
            mut domain,
            mut transforms,
            ..
        } = whole;
        if !slice.is_even() {
            domain = match symmetry {
                Symmetry::Mirror | Symmetry::Bia => Square::all().collect(),
                // The squares below both long diagonals, or on them.
                Symmetry::Full => Square::all()
                    .filter(|s| s.rank() <= s.file() && s.rank() + s.file() <= 7)
                    .collect(),
            };
            let to_domain = |s: Square| {
                let mut keeping = Transform::all().filter(|t| t.keeps_colors());
                keeping.find(|t| domain.contains(&t.square(s)))
            };
            transforms = Square::all()
                .map(|s| {
                    to_domain(s)
                        .expect("some rotation or reflection moves the king into the domain")
                })
                .collect();
        }
        LaneLayout::with_groups(winner, symmetry, domain, transforms, groups)
    }

    /// The layout for one placement of a material's bia. Without bia, this is [`LaneLayout::new`].
    /// A position's mirror image usually has another placement of bia and so is in another layout.
    /// Even if the placement is its own mirror image, the solver does not use this symmetry. So the
    /// domain of the winner's king is the whole board.
    ///
    /// The bia are fixed: rays end at them, and no other man can stand on their squares. Their
    /// moves, and their captures by other men, lead out of the slice.
    pub fn of_bia(material: Material, winner: Color, bia: Bia) -> LaneLayout {
        match bia.is_empty() {
            true => LaneLayout::new(material, winner),
            false => LaneLayout::of_whole_board(material, winner, bia),
        }
    }

    /// The layout of positions that have no symmetry, because men are fixed: the bia, and others
    /// that are not part of `material`. The domain of the winner's king is the whole board.
    pub fn of_whole_board(material: Material, winner: Color, bia: Bia) -> LaneLayout {
        let transforms = vec![Transform::IDENTITY; 64];
        let groups = in_order(Group::all_of(material));
        let whole_board = Symmetry::Bia.domain();
        LaneLayout {
            bia,
            ..LaneLayout::with_groups(winner, Symmetry::Bia, whole_board, transforms, groups)
        }
    }

    /// The layout of the positions just after the winner has promoted a bia to a met on the square
    /// `met`. The met is fixed, like the remaining bia. `rest` is the material without the met.
    pub fn of_promoted(rest: Material, winner: Color, bia: Bia, met: Square) -> LaneLayout {
        LaneLayout {
            fixed_mets: met.set(),
            ..LaneLayout::of_whole_board(rest, winner, bia)
        }
    }

    /// The layout with another placement of the same bia.
    #[must_use]
    pub fn with_bia(&self, bia: Bia) -> LaneLayout {
        LaneLayout {
            bia,
            ..self.clone()
        }
    }

    fn with_groups(
        winner: Color,
        symmetry: Symmetry,
        domain: Vec<Square>,
        transforms: Vec<Transform>,
        groups: Vec<Group>,
    ) -> LaneLayout {
        let partner = |(own, group): (usize, &Group)| {
            let other = |other: &Group| Group {
                domain: !other.domain,
                ..*other
            };
            groups
                .iter()
                .position(|g| group.domain != SquareSet::ALL && other(g) == *group)
                .unwrap_or(own)
        };
        LaneLayout {
            winner,
            symmetry,
            domain,
            transforms,
            placements: groups.iter().map(Group::placements).collect(),
            partners: groups.iter().enumerate().map(partner).collect(),
            groups,
            remainder: false,
            bia: Bia::NONE,
            fixed_mets: SquareSet::EMPTY,
        }
    }

    /// The layout after the capture of a man of this group, with the groups in the same order.
    ///
    /// The new layout keeps the symmetry of this one, even if the subending has more symmetries.
    pub fn without(&self, group: usize) -> LaneLayout {
        let mut groups = self.groups.clone();
        if groups[group].count > 1 {
            groups[group].count -= 1;
        } else {
            groups.remove(group);
        }
        let (domain, transforms) = (self.domain.clone(), self.transforms.clone());
        LaneLayout {
            remainder: true,
            bia: self.bia,
            fixed_mets: self.fixed_mets,
            ..LaneLayout::with_groups(self.winner, self.symmetry, domain, transforms, groups)
        }
    }

    /// True for a layout after a capture. Even if a slice is its own mirror image, the mirror is
    /// not a symmetry of the layout after a capture.
    pub fn is_remainder(&self) -> bool {
        self.remainder
    }

    /// The group that a transform maps onto this group.
    pub fn partner(&self, group: usize, transform: Transform) -> usize {
        if transform.keeps_colors() {
            group
        } else {
            self.partners[group]
        }
    }

    /// The table layout with the components in the order of this layout. The innermost component is
    /// the bit in the lane. In a slice with bia, the bia are the outermost component. A colour
    /// slice does not have a table layout.
    pub fn table_layout(&self, material: CanonicalMaterial) -> Layout {
        assert_eq!(
            self.winner,
            Color::White,
            "the anchor of a table is White's king"
        );
        let of_material = Layout::groups_of(material);
        let mut order = match self.bia.is_empty() {
            true => vec![Component::Anchor],
            false => vec![Component::Bia, Component::Anchor],
        };
        order.extend(self.groups.iter().map(|group| {
            let place = of_material.iter().position(|g| g == group);
            Component::Group(place.expect("every group of a layout belongs to its material"))
        }));
        order.push(Component::Lane);
        Layout::new(material, self.symmetry, &order)
            .expect("a layout contains every component exactly once")
    }

    /// The position with the index `number`, which is 64 times the lane plus the bit.
    pub fn example(&self, number: u64) -> Example {
        let (slab, men) = self.men((number / 64) as usize);
        let kings = [self.domain[slab], Square::wrapping(number as usize % 64)];
        let mut squares = Vec::new();
        for color in Color::ALL {
            let king = kings[usize::from(color != self.winner)];
            squares.push(king.index() as u8);
            for role in Role::MEN {
                let groups = self.groups.iter().zip(&men);
                let like = groups.filter(|(g, _)| (g.color, g.role) == (color, role));
                let mut all = like.fold(SquareSet::EMPTY, |all, (_, &men)| all | men);
                if role == Role::Bia {
                    all = self.bia.of(color);
                }
                squares.extend(all.map(|s| s.index() as u8));
            }
        }
        Example::new(squares)
    }

    /// The transform that maps the winner's king from this square into the domain.
    pub fn to_domain(&self, king: Square) -> Transform {
        self.transforms[king.index()]
    }

    /// The number of positions on the whole board that a position with the winner's king on this
    /// square represents: all its images, including those in the twin slice or with the mirrored
    /// placement of bia.
    pub fn weight(&self, king: Square) -> u64 {
        let image = self.symmetry.to_domain(self.bia, king).square(king);
        self.symmetry.weight(self.bia, image)
    }

    /// The side whose wins are solved.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The symmetry of the layout.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// True if the loser has only its king.
    pub fn is_bare(&self) -> bool {
        let loser = !self.winner;
        self.groups.iter().all(|group| group.color != loser) && self.bia.of(loser).is_empty()
    }

    /// The bia of the slice, which do not move.
    pub fn bia(&self) -> Bia {
        self.bia
    }

    /// The squares of the winner's mets that do not move: see [`LaneLayout::of_promoted`].
    pub fn fixed_mets(&self) -> SquareSet {
        self.fixed_mets
    }

    /// The squares of all fixed men.
    pub fn fixed(&self) -> SquareSet {
        self.bia.all() | self.fixed_mets
    }

    /// The squares of the winner's fixed men.
    pub fn fixed_of_winner(&self) -> SquareSet {
        self.bia.of(self.winner) | self.fixed_mets
    }

    /// The domain: the squares to which symmetry maps the winner's king.
    pub fn domain(&self) -> &[Square] {
        &self.domain
    }

    /// The groups of like men, outermost first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The placements of a group.
    pub fn placements(&self, group: usize) -> &Placements {
        &self.placements[group]
    }

    /// The number of lanes in a row: the placements of the innermost group, or 1 if there are no
    /// groups.
    pub fn row_lanes(&self) -> usize {
        self.placements.last().map_or(1, Placements::len)
    }

    /// The number of rows with the winner's king on one square.
    pub fn slab_rows(&self) -> usize {
        self.lanes() / self.row_lanes() / self.domain.len()
    }

    /// The number of rows in a task and in a part of a checkpoint. These are the rows of one
    /// placement of the outermost group, or of several placements if they fit into [`CHUNK_LANES`].
    pub fn chunk_rows(&self) -> usize {
        let rows = self.slab_rows();
        let Some((outermost, [_, ..])) = self.placements.split_first() else {
            return rows;
        };
        let placements = outermost.len();
        let one = rows / placements;
        let fits = |&n: &usize| {
            placements.is_multiple_of(n) && (n == 1 || n * one * self.row_lanes() <= CHUNK_LANES)
        };
        one * (1..=placements).rev().find(fits).unwrap_or(1)
    }

    /// The number of lanes.
    pub fn lanes(&self) -> usize {
        self.placements
            .iter()
            .fold(self.domain.len(), |lanes, p| lanes * p.len())
    }

    /// The number of lanes, at most `u64::MAX`. Unlike [`LaneLayout::lanes`], this works even if
    /// `usize` is too small for the number.
    pub fn lane_count(&self) -> u64 {
        let lengths = self.placements.iter().map(|p| p.len() as u64);
        lengths.fold(self.domain.len() as u64, u64::saturating_mul)
    }

    /// The number of cells with one side to move in an ending, for solving one side's wins. With
    /// bia, this includes the cells of all slices.
    pub fn cells(material: Material, winner: Color) -> u64 {
        let slices = BiaPlacements::of(material);
        let slice = LaneLayout::of_bia(material, winner, slices.bia(0));
        let lanes = slice.lane_count().saturating_mul(slices.len() as u64);
        lanes.saturating_mul(64)
    }

    /// The men of a lane: the slab, which determines the square of the winner's king, and the
    /// squares of each group.
    pub fn men(&self, mut lane: usize) -> (usize, Vec<SquareSet>) {
        let mut groups = vec![SquareSet::EMPTY; self.groups.len()];
        for (group, placements) in self.placements.iter().enumerate().rev() {
            groups[group] = placements.squares(lane % placements.len());
            lane /= placements.len();
        }
        (lane, groups)
    }

    /// The transform that maps this square of the winner's king into the domain, and the lane after
    /// the transform. `men` returns each group's squares before the transform. The transform must
    /// also be applied to the lane's bits.
    pub fn lane(&self, king: Square, men: impl Fn(usize) -> SquareSet) -> (Transform, usize) {
        let transform = self.to_domain(king);
        let image = transform.square(king);
        let digit = self.domain.iter().position(|&s| s == image);
        let mut lane = digit.expect("the transform moves the king into the domain");
        for (group, placements) in self.placements.iter().enumerate() {
            let from = men(self.partner(group, transform));
            lane = lane * placements.len() + placements.number(transform.set(from));
        }
        (transform, lane)
    }

    /// The square of the winner's king in each slab: first the slabs of the domain, then the
    /// ghosts.
    pub fn slab_kings(&self) -> Vec<Square> {
        let ghosts = self.ghosts().into_iter().map(|(square, _)| square);
        self.domain.iter().copied().chain(ghosts).collect()
    }

    /// The squares outside the domain that a king inside it can step to, each with the transform
    /// that maps it into the domain.
    pub fn ghosts(&self) -> Vec<(Square, Transform)> {
        let near: SquareSet = self.domain.iter().flat_map(|&s| attacks::king(s)).collect();
        near.filter(|s| !self.domain.contains(s))
            .map(|s| (s, self.to_domain(s)))
            .collect()
    }
}

/// Sorts groups into a layout's order.
fn in_order(mut groups: Vec<Group>) -> Vec<Group> {
    let moves = |g: &Group| match g.role {
        Role::Rook => 14,
        role => attacks::steps(role, g.color).len(),
    };
    // Chooses the innermost group by these criteria, the most important first: leapers rather than
    // rooks, the whole board rather than a part of it, fewer men, fewer moves.
    let divided = |g: &Group| g.domain != SquareSet::ALL;
    let inner_cost = |g: &Group| (g.role == Role::Rook, divided(g), g.count, moves(g));
    groups.sort_by_key(inner_cost);
    let inner = (!groups.is_empty()).then(|| groups.remove(0));
    groups.sort_by_key(|g| (std::cmp::Reverse(g.count), moves(g)));
    groups.extend(inner);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_has_the_number_of_its_layout() {
        for name in ["KRNSvK", "KNNMvK", "KRRvK"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let layout = LaneLayout::new(material.material(), Color::White);
            let table_layout = layout.table_layout(material);
            assert_eq!(table_layout.cells(), layout.lanes() as u64 * 64);
            for lane in (0..layout.lanes()).step_by(101) {
                let (slab, men) = layout.men(lane);
                let king = layout.domain()[slab];
                let by_group = |g: usize| {
                    let group = table_layout.groups()[g];
                    men[layout.groups().iter().position(|&f| f == group).unwrap()]
                };
                let number = table_layout.number(Bia::NONE, [king, Square::wrapping(5)], by_group);
                assert_eq!(number, lane as u64 * 64 + 5);
            }
        }
    }

    #[test]
    fn tiny_chunks_are_put_together() {
        let chunk_lanes = |name: &str| {
            let material: CanonicalMaterial = name.parse().unwrap();
            let slices = ColorSlice::all(material.material()).into_iter();
            let chunk_lanes = slices.map(|slice| {
                let layout = LaneLayout::of_slice(material.material(), Color::White, &slice);
                assert_eq!(layout.slab_rows() % layout.chunk_rows(), 0, "{name}");
                layout.chunk_rows() * layout.row_lanes()
            });
            chunk_lanes.collect::<Vec<usize>>()
        };
        assert_eq!(chunk_lanes("KNSvK"), [CHUNK_LANES]);
        assert_eq!(chunk_lanes("KNSMvK"), [CHUNK_LANES]);
        let lanes = chunk_lanes("KMMMMMvK");
        assert!(lanes.iter().all(|&n| n > CHUNK_LANES / 2), "{lanes:?}");
    }

    #[test]
    fn a_single_leaper_is_innermost_and_a_slider_next_to_it() {
        let layout = LaneLayout::new("KRSMvK".parse().unwrap(), Color::White);
        let roles: Vec<_> = layout.groups().iter().map(|g| g.role).collect();
        assert_eq!(roles, [Role::Khon, Role::Rook, Role::Met]);
        let layout = LaneLayout::new("KNNSvK".parse().unwrap(), Color::White);
        assert_eq!(layout.row_lanes(), 64);
    }
}
