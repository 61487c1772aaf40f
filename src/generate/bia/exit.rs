//! One exit (a move that leads out of a slice with bia), and the lane indices of the positions
//! after it.
//!
//! In an exit, a bia of the slice steps, promotes or captures, or is itself captured by a king or
//! by a man of a group. The position after the exit is in an earlier slice or another ending. The
//! lane index of that position is a sum: the winner's king and each group add a number, which is
//! computed in advance for each of their digits.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Group, Transform};
use crate::solve::{BitPlanes, LaneLayout, Solution};

use super::exit_parts::{GroupParts, ManParts, Part, pick, stride};
use super::row_numbers::RowNumbers;

/// The kind of man that makes an exit. It determines in which positions of a lane the exit is
/// possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// A man of the winner, including the winner's king.
    Winner,
    /// A man of the loser, but not the loser's king.
    LoserMan,
    /// The lane's king, which captures a bia. The capture is recorded at the bit of the bia's
    /// square.
    LaneKing,
}

/// The change that an exit makes to a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// The group stays unchanged.
    None,
    /// One of the group's men moves to the exit's square.
    Moves,
    /// The group's man on the exit's square is captured.
    Captured,
    /// Men on these squares join the group.
    Joined(SquareSet),
}

/// A move out of a slice. If a man of a group moves, it stands for the moves of all men of that
/// group to the square.
#[derive(Clone, Copy, Debug)]
pub struct ExitMove {
    /// The kind of man that moves.
    pub mover: Mover,
    /// The square that the man moves to.
    pub square: Square,
    /// The group of the moving man. None if a bia or a king moves.
    pub moving_group: Option<usize>,
    /// The group of the captured man. None if a bia or nothing is captured.
    pub captured_group: Option<usize>,
    /// True if the winner's king makes the move.
    pub king_moves: bool,
    /// The man that the bia becomes, if the move is a promotion.
    pub promotes: Option<Role>,
}

/// The solved positions that an exit leads to.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The solution that contains the positions after the exit.
    pub solution: &'a Solution,
    /// The transform to the mirror image, if the solution has the mirrored placement of the bia;
    /// otherwise the identity.
    pub mirror: Transform,
    /// The length that limits the wins after the exit. None if no count begins with the exit.
    pub limit: Option<Limit>,
    /// True if the bia promotes to a man that is no man of the solution's groups, since the solution
    /// has only the positions with that man on its square.
    pub promoted_is_fixed: bool,
}

/// The limit of the wins after an exit, which begins a count or sets back the clock of the
/// fifty-move rule. A win within the limit counts like mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The largest distance of a win that counts, in the unit of the solution after the exit.
    pub most: u32,
    /// True if the distances before the exit are in plies: a move of the loser is then counted too.
    pub in_plies: bool,
}

impl<'a> Destination<'a> {
    /// Wraps a solution in which no count limits the wins.
    pub fn new(solution: &'a Solution, mirror: Transform) -> Destination<'a> {
        Destination {
            solution,
            mirror,
            limit: None,
            promoted_is_fixed: false,
        }
    }
}

/// An exit from a slice, with its indices computed in advance.
pub struct Exit<'a> {
    exit_move: ExitMove,
    destination: Option<Destination<'a>>,
    /// The side, the role and the squares of the men that the exit adds, if it adds any.
    added: Option<(Color, Role, SquareSet)>,
    /// The transforms needed for indexing. Each maps some of the positions after the exit to
    /// positions that the solution contains.
    transforms: Vec<Transform>,
    /// For each square of the winner's king before the exit: the transform, as an index into
    /// `transforms`, and the number that the king and the added men add to a lane's index. None if
    /// the king cannot be on the square.
    kings: Vec<Option<(usize, usize)>>,
    /// For each transform and each group of the slice: the group's parts of the lane index.
    parts: Vec<Vec<GroupParts>>,
}

/// Buffers for computing one exit in one row.
pub struct ExitBuffers {
    /// The distances of the positions after the exit.
    pub numbers: RowNumbers,
    /// The positions of each lane in which the exit is legal. Written only if the mover is
    /// [`Mover::LoserMan`].
    pub legal: Vec<u64>,
    /// The positions of each lane in which the exit is possible, without regard to check.
    masks: Vec<u64>,
    /// For each lane of the row, the index of the lane after the exit.
    lanes: Vec<u32>,
}

impl ExitBuffers {
    /// Makes buffers for rows of `lanes` lanes and numbers of `planes` bits.
    pub fn new(lanes: usize, planes: usize) -> ExitBuffers {
        ExitBuffers {
            numbers: RowNumbers::new(lanes, planes),
            legal: vec![0; lanes],
            masks: vec![0; lanes],
            lanes: vec![0; lanes],
        }
    }
}

/// A row of lanes from which exits start.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// The square of the winner's king.
    pub king: Square,
    /// The digits of the outer groups.
    pub digits: &'a [usize],
    /// The squares occupied by the king, the outer groups and the bia.
    pub occupied: SquareSet,
}

impl<'a> Exit<'a> {
    /// Prepares an exit. `destination` contains the solved positions after the exit, or is `None`
    /// if the winner then has no men left.
    pub fn new(
        layout: &LaneLayout,
        exit_move: ExitMove,
        destination: Option<Destination<'a>>,
    ) -> Exit<'a> {
        let mut exit = Exit {
            exit_move,
            destination,
            added: added_men(layout, exit_move, destination),
            transforms: Vec::new(),
            kings: Vec::with_capacity(64),
            parts: Vec::new(),
        };
        for king in Square::all() {
            let place = exit.king(layout, king);
            exit.kings.push(place);
        }
        exit.parts = match destination {
            Some(destination) => {
                let transforms = exit.transforms.iter();
                let groups = |&transform: &Transform| {
                    (0..layout.groups().len())
                        .map(|group| exit.group_parts(layout, destination, group, transform))
                        .collect()
                };
                transforms.map(groups).collect()
            }
            None => Vec::new(),
        };
        if destination.is_none() {
            let groups = 0..layout.groups().len();
            let open = groups.map(|group| exit.open_parts(layout, group)).collect();
            exit.parts = vec![open];
        }
        exit
    }

    /// Computes the element of `kings` for a square of the winner's king before the exit.
    fn king(&mut self, layout: &LaneLayout, king: Square) -> Option<(usize, usize)> {
        let ExitMove {
            square, king_moves, ..
        } = self.exit_move;
        if layout.fixed().contains(king) {
            return None;
        }
        let king = match king_moves {
            true if attacks::king(king).contains(square) => square,
            true => return None,
            false if king == square => return None,
            false => king,
        };
        let Some(destination) = self.destination else {
            return Some((0, 0));
        };
        let solved = &destination.solution.layout;
        let transform = match destination.mirror {
            Transform::IDENTITY => solved.to_domain(king),
            mirror => mirror,
        };
        let known = self.transforms.iter().position(|&t| t == transform);
        let place = known.unwrap_or_else(|| {
            self.transforms.push(transform);
            self.transforms.len() - 1
        });
        let image = transform.square(king);
        let digit = solved.domain().iter().position(|&s| s == image);
        let slab = solved.lanes() / solved.domain().len();
        let first = digit.expect("the transform moves the king into the domain") * slab;
        Some((place, first + self.added_part(layout, transform)))
    }

    /// The change that the exit makes to a group.
    fn change(&self, layout: &LaneLayout, group: usize) -> Change {
        let ExitMove {
            moving_group,
            captured_group,
            ..
        } = self.exit_move;
        let Group { color, role, .. } = layout.groups()[group];
        let joined = self
            .added
            .filter(|&(side, added, _)| (side, added) == (color, role));
        if moving_group == Some(group) {
            Change::Moves
        } else if captured_group == Some(group) {
            Change::Captured
        } else if let Some((.., men)) = joined {
            Change::Joined(men)
        } else {
            Change::None
        }
    }

    /// Calls `visit` with the possible placements, after the exit, of a group whose men were on
    /// `men` before. Each comes with the squares between the origin and the target of the moving
    /// man.
    fn changed(
        &self,
        layout: &LaneLayout,
        group: usize,
        men: SquareSet,
        mut visit: impl FnMut(SquareSet, SquareSet),
    ) {
        let square = self.exit_move.square;
        let Group { color, role, .. } = layout.groups()[group];
        let change = self.change(layout, group);
        if men.contains(square) != (change == Change::Captured) {
            return;
        }
        match change {
            Change::None => visit(men, SquareSet::EMPTY),
            Change::Captured => visit(men.without(square), SquareSet::EMPTY),
            Change::Joined(added) if (men & added).is_empty() => {
                visit(men | added, SquareSet::EMPTY);
            }
            Change::Joined(_) => {}
            Change::Moves => {
                for from in men {
                    // Attacks are those on an empty board: blocking men are checked later.
                    let reached = attacks::attacks(role, color, from, SquareSet::EMPTY);
                    let between = attacks::between(from, square);
                    let after = men.without(from).with(square);
                    if reached.contains(square) && (after & between).is_empty() {
                        visit(after, between);
                    }
                }
            }
        }
    }

    /// The parts of the lane index that a group contributes, under a transform.
    fn group_parts(
        &self,
        layout: &LaneLayout,
        destination: Destination<'_>,
        group: usize,
        transform: Transform,
    ) -> GroupParts {
        let solved = &destination.solution.layout;
        let own = layout.groups()[group];
        let same_kind = |g: &Group| (g.color, g.role) == (own.color, own.role);
        let place = solved.groups().iter().position(same_kind);
        let stride = place.map(|place| stride(solved, place));
        let number = |men: SquareSet| match (place, stride) {
            (Some(place), Some(stride)) => {
                solved.placements(place).number(transform.set(men)) * stride
            }
            _ => 0,
        };
        self.parts_of(layout, group, |men| number(men) as u32)
    }

    /// The same as [`Exit::group_parts`] for exits without a destination: the numbers are 0, and
    /// only possible digits are recorded.
    fn open_parts(&self, layout: &LaneLayout, group: usize) -> GroupParts {
        self.parts_of(layout, group, |_| 0)
    }

    /// The parts of each digit, in the form that fits the change of the group. `number` gives
    /// the number that the group's men add to a lane's index after the exit.
    fn parts_of(
        &self,
        layout: &LaneLayout,
        group: usize,
        number: impl Fn(SquareSet) -> u32,
    ) -> GroupParts {
        let digits = layout.placements(group).table();
        if self.change(layout, group) == Change::Moves {
            return GroupParts::OnePerMan(ManParts::new(digits.len(), |digit, parts| {
                self.changed(layout, group, digits[digit], |men, between| {
                    parts.push((number(men), between.0));
                });
            }));
        }
        let one = |&men: &SquareSet| {
            let mut one = u32::MAX;
            self.changed(layout, group, men, |men, _| one = number(men));
            one
        };
        GroupParts::OnePerDigit(digits.iter().map(one).collect())
    }

    /// The number that the added men contribute to a lane's index if the slice has no group of
    /// their role and side; otherwise 0.
    fn added_part(&self, layout: &LaneLayout, transform: Transform) -> usize {
        let (Some(destination), Some((.., added))) = (self.destination, self.added) else {
            return 0;
        };
        let solved = &destination.solution.layout;
        let news = solved.groups().iter().enumerate().find(|(_, new)| {
            let same_kind = |g: &Group| (g.color, g.role) == (new.color, new.role);
            !layout.groups().iter().any(same_kind)
        });
        news.map_or(0, |(place, _)| {
            let men = transform.set(added);
            solved.placements(place).number(men) * stride(solved, place)
        })
    }

    /// The kind of man that makes the exit.
    pub fn mover(&self) -> Mover {
        self.exit_move.mover
    }

    /// True if a new count begins after the exit and decides whether the winner wins, and if the
    /// exit itself, made by the loser, is not counted.
    pub fn ends_at_once(&self) -> bool {
        let limit = self.destination.and_then(|destination| destination.limit);
        limit.is_some_and(|limit| !limit.in_plies)
    }

    /// True if the exit can change a result: it may lead to a win, or it may save the loser.
    pub fn matters(&self) -> bool {
        self.destination.is_some() || self.exit_move.mover == Mover::LoserMan
    }

    /// The number of bit planes that the distances after the exit need.
    pub fn planes(&self) -> usize {
        let bits = |planes: &BitPlanes| (u16::BITS - planes.limit().leading_zeros()) as usize;
        match (self.destination, self.exit_move.mover) {
            (Some(Destination { limit: Some(_), .. }), _) => 1,
            (Some(destination), Mover::Winner) => {
                destination.solution.loser_to_move.as_ref().map_or(0, bits)
            }
            (Some(destination), _) => bits(&destination.solution.winner_to_move),
            (None, _) => 0,
        }
    }

    /// Follows the exit from every lane of a row, once for each man that can make the exit. Calls
    /// `visit` each time with the distances after the exit. `inner_squares` contains the squares of
    /// the innermost group in each lane of the row.
    pub fn follow(
        &self,
        row: Row<'_>,
        inner_squares: &[u64],
        buffers: &mut ExitBuffers,
        visit: &mut dyn FnMut(&mut ExitBuffers),
    ) {
        let Some((transform, mut first)) = self.kings[row.king.index()] else {
            return;
        };
        // At most one group has a moving man.
        let mut moves: &[Part] = &[(0, 0)];
        for (parts, &digit) in self.parts[transform].iter().zip(row.digits) {
            match parts {
                GroupParts::OnePerDigit(parts) if parts[digit] == u32::MAX => return,
                GroupParts::OnePerDigit(parts) => first += parts[digit] as usize,
                GroupParts::OnePerMan(parts) => moves = parts.of(digit),
            }
        }
        for &(part, between) in moves {
            if between & row.occupied.0 == 0 {
                let variant = (transform, first + part as usize, between);
                self.follow_variant(row, variant, inner_squares, buffers, visit);
            }
        }
    }

    /// Follows the exit for one choice of the moving man in the outer groups. The choice is given
    /// by the transform, the outer groups' sum of the lane index, and the squares that must be
    /// empty.
    fn follow_variant(
        &self,
        row: Row<'_>,
        (transform, first, between): (usize, usize, u64),
        inner_squares: &[u64],
        buffers: &mut ExitBuffers,
        visit: &mut dyn FnMut(&mut ExitBuffers),
    ) {
        let ExitMove { square, mover, .. } = self.exit_move;
        let king_squares = |between: u64| match mover {
            Mover::LaneKing => square.set().0,
            Mover::Winner | Mover::LoserMan => !(row.occupied.0 | square.set().0 | between),
        };
        let all = king_squares(between);
        match self.parts[transform].get(row.digits.len()) {
            // A layout without groups has rows of one lane.
            None => {
                buffers.lanes[0] = first as u32;
                buffers.masks[0] = all;
                self.read(transform, buffers, visit);
            }
            Some(GroupParts::OnePerDigit(parts)) => {
                for (lane, (&part, &inner)) in parts.iter().zip(inner_squares).enumerate() {
                    let is_open = part != u32::MAX && inner & between == 0;
                    buffers.lanes[lane] = first as u32 + if is_open { part } else { 0 };
                    buffers.masks[lane] = if is_open {
                        all & !self.blocked(inner)
                    } else {
                        0
                    };
                }
                self.read(transform, buffers, visit);
            }
            Some(GroupParts::OnePerMan(parts)) => {
                let most = parts.digits().map(<[Part]>::len).max().unwrap_or(0);
                for i in 0..most {
                    let mut any = 0;
                    for (lane, parts) in parts.digits().enumerate() {
                        let part = parts.get(i).filter(|part| part.1 & row.occupied.0 == 0);
                        let (part, mask) = match part {
                            Some(&(part, between)) => (
                                part,
                                king_squares(between) & !self.blocked(inner_squares[lane]),
                            ),
                            None => (0, 0),
                        };
                        buffers.lanes[lane] = first as u32 + part;
                        buffers.masks[lane] = mask;
                        any |= mask;
                    }
                    if any != 0 {
                        self.read(transform, buffers, visit);
                    }
                }
            }
        }
    }

    /// The squares of a lane's innermost men, which the lane's king cannot occupy. Empty if that
    /// king makes the exit, since it is then on the exit's square.
    fn blocked(&self, inner: u64) -> u64 {
        match self.exit_move.mover {
            Mover::LaneKing => 0,
            Mover::Winner | Mover::LoserMan => inner,
        }
    }

    /// Reads the distances and the legal positions of the lanes after the exit, and passes them to
    /// `visit`.
    fn read(
        &self,
        transform: usize,
        buffers: &mut ExitBuffers,
        visit: &mut dyn FnMut(&mut ExitBuffers),
    ) {
        let ExitBuffers {
            numbers,
            legal,
            masks,
            lanes,
        } = buffers;
        numbers.clear();
        let Some(destination) = self.destination else {
            legal.copy_from_slice(masks);
            visit(buffers);
            return;
        };
        let solution = destination.solution;
        let back = self.transforms[transform].inverse();
        let planes = match self.exit_move.mover {
            Mover::Winner => solution.loser_to_move.as_ref(),
            Mover::LoserMan | Mover::LaneKing => Some(&solution.winner_to_move),
        };
        let Some(planes) = planes else { return };
        let used = (u16::BITS - planes.limit().leading_zeros()) as usize;
        for (plane, own) in planes.words().zip(numbers.fill_planes(used)) {
            pick(plane, lanes, back, own);
        }
        numbers.mask(masks);
        if self.exit_move.mover == Mover::LoserMan {
            pick(&solution.open, lanes, back, legal);
            for (lane, (legal, mask)) in legal.iter_mut().zip(&*masks).enumerate() {
                *legal = (*legal | numbers.any(lane)) & mask;
            }
        }
        if let Some(limit) = destination.limit {
            // With the loser to move, stored numbers are one more than the distance.
            let one_more = u32::from(self.exit_move.mover == Mover::Winner);
            numbers.judge(limit.most + one_more);
        }
        visit(buffers);
    }
}

/// Finds the men that an exit adds to a side's groups: the promoted bia, or the mets that were
/// fixed before the exit.
fn added_men(
    layout: &LaneLayout,
    ExitMove {
        square,
        promotes,
        mover,
        ..
    }: ExitMove,
    destination: Option<Destination<'_>>,
) -> Option<(Color, Role, SquareSet)> {
    let side = match mover {
        Mover::Winner => layout.winner(),
        Mover::LoserMan | Mover::LaneKing => !layout.winner(),
    };
    let fixed = layout.fixed_mets().without(square);
    let stays_fixed = destination.is_some_and(|destination| destination.promoted_is_fixed);
    if !fixed.is_empty() {
        Some((layout.winner(), Role::Met, fixed))
    } else {
        let promoted = promotes.filter(|_| !stays_fixed);
        promoted.map(|role| (side, role, square.set()))
    }
}
