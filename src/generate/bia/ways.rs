//! Exits: the moves out of a slice with bia, and the indices of the positions after them.
//!
//! An exit is one event with a bia of the slice. The bia steps, promotes, captures a man on one
//! square, or is captured by a king or by the men of a group. The position after the exit is in an
//! earlier slice or another ending. The index of that position is a sum: the king and each group
//! add a number, which is computed in advance for each digit.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Group, Transform};
use crate::solve::{BitPlanes, LaneLayout, Solution};

use super::row_numbers::RowNumbers;

/// The kind of man that makes an exit. It determines in which positions of a lane the exit is
/// possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// A man of the winner, or the winner's king.
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
    Falls,
    /// Mets on these squares join the group.
    Joined(SquareSet),
}

/// One event that leads out of a slice.
#[derive(Clone, Copy, Debug)]
pub struct Happening {
    /// The kind of man that moves.
    pub mover: Mover,
    /// The square that the man moves to.
    pub square: Square,
    /// The group of the moving man. None if a bia or a king moves.
    pub moves: Option<usize>,
    /// The group of the captured man. None if a bia or nothing is captured.
    pub falls: Option<usize>,
    /// True if the winner's king makes the move.
    pub king_moves: bool,
    /// True if the mover's bia promotes.
    pub promotes: bool,
}

/// The solved positions that an exit leads to.
#[derive(Clone, Copy, Debug)]
pub struct After<'a> {
    /// The solution with the positions after the exit.
    pub solution: &'a Solution,
    /// The transform to the mirror image, if the solution has the mirrored placement of the bia;
    /// otherwise the identity.
    pub mirror: Transform,
    /// The most moves that the winner may need after the exit. None unless the exit leads into an
    /// ending without bia, where a count begins.
    pub most_moves: Option<u32>,
    /// True if the bia promotes to a met that is fixed in the solution: see
    /// [`LaneLayout::of_promoted`].
    pub met_is_fixed: bool,
}

impl<'a> After<'a> {
    /// Wraps a solution in which no count limits the wins.
    pub fn new(solution: &'a Solution, mirror: Transform) -> After<'a> {
        After {
            solution,
            mirror,
            most_moves: None,
            met_is_fixed: false,
        }
    }
}

/// The number that a group's digit adds to a lane's index, and the squares that must be empty for
/// the man to pass.
type Part = (u32, u64);

/// The number that each digit of one group adds to a lane's index, under one transform.
#[derive(Debug)]
enum Parts {
    /// One number for each digit; `u32::MAX` if the exit is impossible with that digit.
    One(Vec<u32>),
    /// Several numbers for each digit, one for each man of the group that can make the exit.
    Some(Vec<Vec<Part>>),
}

impl Parts {
    fn of(&self, digit: usize) -> impl Iterator<Item = Part> {
        let (one, some) = match self {
            Parts::One(parts) => (Some(parts[digit]), &[][..]),
            Parts::Some(parts) => (None, &parts[digit][..]),
        };
        let one = one.filter(|&part| part != u32::MAX).map(|part| (part, 0));
        one.into_iter().chain(some.iter().copied())
    }
}

/// An exit from a slice, with its indices computed in advance.
pub struct Way<'a> {
    happening: Happening,
    after: Option<After<'a>>,
    /// The side and the squares of the mets that the exit adds, if it adds any.
    joins: Option<(Color, SquareSet)>,
    /// The transforms needed for indexing. Each maps some positions after the exit to positions
    /// that the solution indexes.
    transforms: Vec<Transform>,
    /// For each square of the winner's king before the exit: the index of its transform, and what
    /// the king adds to the index. None if the king cannot be on the square.
    kings: Vec<Option<(usize, usize)>>,
    /// For each transform and each group of the slice, what the group's digits add to the index.
    parts: Vec<Vec<Parts>>,
}

/// Buffers for computing one exit in one row.
pub struct WayRoom {
    /// The distances of the positions after the exit.
    pub numbers: RowNumbers,
    /// The legal positions of each lane. Empty if legality does not matter for the exit.
    pub legal: Vec<u64>,
    /// The positions of each lane from which the exit is possible.
    masks: Vec<u64>,
    lanes: Vec<u32>,
}

impl WayRoom {
    /// Makes buffers for rows of `lanes` lanes and numbers of `planes` bits.
    pub fn new(lanes: usize, planes: usize) -> WayRoom {
        WayRoom {
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

impl<'a> Way<'a> {
    /// Prepares an exit. `after` has the solved positions that the exit leads to; it is none if the
    /// winner then has no men left.
    pub fn new(layout: &LaneLayout, happening: Happening, after: Option<After<'a>>) -> Way<'a> {
        let mut way = Way {
            happening,
            after,
            joins: joins(layout, happening, after),
            transforms: Vec::new(),
            kings: Vec::new(),
            parts: Vec::new(),
        };
        for king in Square::all() {
            let place = way.king(layout, king);
            way.kings.push(place);
        }
        way.parts = match after {
            Some(after) => {
                let transforms = way.transforms.iter();
                let groups = |&transform: &Transform| {
                    (0..layout.groups().len())
                        .map(|group| way.group_parts(layout, after, group, transform))
                        .collect()
                };
                transforms.map(groups).collect()
            }
            None => Vec::new(),
        };
        if after.is_none() {
            let groups = 0..layout.groups().len();
            let open = groups.map(|group| way.open_parts(layout, group)).collect();
            way.parts = vec![open];
        }
        way
    }

    /// For a square of the winner's king before the exit: the index of the transform, and what the
    /// king adds to the index of a lane. None if the king cannot be on the square.
    fn king(&mut self, layout: &LaneLayout, king: Square) -> Option<(usize, usize)> {
        let Happening {
            square, king_moves, ..
        } = self.happening;
        if layout.fixed().contains(king) {
            return None;
        }
        let king = match king_moves {
            true if attacks::king(king).contains(square) => square,
            true => return None,
            false if king == square => return None,
            false => king,
        };
        let Some(after) = self.after else {
            return Some((0, 0));
        };
        let solved = &after.solution.layout;
        let transform = match after.mirror {
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
        Some((
            place,
            digit.expect("the transform moves the king into the domain") * slab,
        ))
    }

    /// The change that the exit makes to a group.
    fn change(&self, layout: &LaneLayout, group: usize) -> Change {
        let Happening { moves, falls, .. } = self.happening;
        let Group { color, role, .. } = layout.groups()[group];
        let joined = self.joins.filter(|_| role == Role::Met);
        if moves == Some(group) {
            Change::Moves
        } else if falls == Some(group) {
            Change::Falls
        } else if let Some((_, mets)) = joined.filter(|&(side, _)| side == color) {
            Change::Joined(mets)
        } else {
            Change::None
        }
    }

    /// All placements of a group after the exit, if its men were on `men` before. Each comes with
    /// the squares that the moving man passes.
    fn changed(
        &self,
        layout: &LaneLayout,
        group: usize,
        men: SquareSet,
    ) -> Vec<(SquareSet, SquareSet)> {
        let square = self.happening.square;
        let Group { color, role, .. } = layout.groups()[group];
        match self.change(layout, group) {
            Change::None if men.contains(square) => Vec::new(),
            Change::None => vec![(men, SquareSet::EMPTY)],
            Change::Falls if men.contains(square) => {
                vec![(men.without(square), SquareSet::EMPTY)]
            }
            Change::Falls => Vec::new(),
            Change::Joined(_) if men.contains(square) => Vec::new(),
            Change::Joined(mets) if !(men & mets).is_empty() => Vec::new(),
            Change::Joined(mets) => vec![(men | mets, SquareSet::EMPTY)],
            Change::Moves if men.contains(square) => Vec::new(),
            Change::Moves => men
                .filter(|&from| {
                    // Attacks are those on an empty board: blocking men are checked later.
                    attacks::attacks(role, color, from, SquareSet::EMPTY).contains(square)
                })
                .map(|from| {
                    let between = attacks::between(from, square);
                    (men.without(from).with(square), between)
                })
                .filter(|(men, between)| (*men & *between).is_empty())
                .collect(),
        }
    }

    /// The number that each digit of a group adds to the index, under a transform.
    fn group_parts(
        &self,
        layout: &LaneLayout,
        after: After<'_>,
        group: usize,
        transform: Transform,
    ) -> Parts {
        let solved = &after.solution.layout;
        let own = layout.groups()[group];
        let like = |g: &Group| (g.color, g.role) == (own.color, own.role);
        let place = solved.groups().iter().position(like);
        let stride = place.map(|place| stride(solved, place));
        let number = |men: SquareSet| match (place, stride) {
            (Some(place), Some(stride)) => {
                solved.placements(place).number(transform.set(men)) * stride
            }
            _ => 0,
        };
        let digits = layout.placements(group).table().into_iter();
        let parts = digits.map(|men| {
            let changed = self.changed(layout, group, men).into_iter();
            changed
                .map(|(men, between)| (number(men) as u32, between.0))
                .collect()
        });
        self.parts_of(layout, group, parts.collect())
    }

    /// The same as [`Way::group_parts`] for exits whose results do not matter: the numbers are 0,
    /// and only possible digits are recorded.
    fn open_parts(&self, layout: &LaneLayout, group: usize) -> Parts {
        let digits = layout.placements(group).table().into_iter();
        let parts = digits.map(|men| {
            let changed = self.changed(layout, group, men).into_iter();
            changed.map(|(_, between)| (0, between.0)).collect()
        });
        self.parts_of(layout, group, parts.collect())
    }

    fn parts_of(&self, layout: &LaneLayout, group: usize, parts: Vec<Vec<Part>>) -> Parts {
        if self.change(layout, group) == Change::Moves {
            return Parts::Some(parts);
        }
        let one = |parts: Vec<Part>| parts.first().map_or(u32::MAX, |part| part.0);
        Parts::One(parts.into_iter().map(one).collect())
    }

    /// The number that the mets from the exit's promotions add to the index, if the slice has no
    /// group of mets on their side.
    fn joining(&self, layout: &LaneLayout, transform: Transform) -> usize {
        let (Some(after), Some((_, mets))) = (self.after, self.joins) else {
            return 0;
        };
        let solved = &after.solution.layout;
        let news = solved.groups().iter().enumerate().find(|(_, new)| {
            let like = |g: &Group| (g.color, g.role) == (new.color, new.role);
            !layout.groups().iter().any(like)
        });
        news.map_or(0, |(place, _)| {
            let men = transform.set(mets);
            solved.placements(place).number(men) * stride(solved, place)
        })
    }

    /// The kind of man that makes the exit.
    pub fn mover(&self) -> Mover {
        self.happening.mover
    }

    /// True if the exit leads into an ending without bia, where the new count decides about the
    /// win.
    pub fn is_judged(&self) -> bool {
        self.after.is_some_and(|after| after.most_moves.is_some())
    }

    /// True if the exit can change a result: it leads to a win, or it may save the loser.
    pub fn matters(&self) -> bool {
        self.after.is_some() || self.happening.mover == Mover::LoserMan
    }

    /// The number of bit planes of the distances after the exit.
    pub fn planes(&self) -> usize {
        let bits = |planes: &BitPlanes| (u16::BITS - planes.limit().leading_zeros()) as usize;
        match (self.after, self.happening.mover) {
            (
                Some(After {
                    most_moves: Some(_),
                    ..
                }),
                _,
            ) => 1,
            (Some(after), Mover::Winner) => after.solution.loser_to_move.as_ref().map_or(0, bits),
            (Some(after), _) => bits(&after.solution.winner_to_move),
            (None, _) => 0,
        }
    }

    /// Follows the exit from every lane of a row, once for each man that can make it. Each time,
    /// calls `gone` with the distances after the exit.
    pub fn go(
        &self,
        layout: &LaneLayout,
        row: Row<'_>,
        inner_squares: &[u64],
        room: &mut WayRoom,
        gone: &mut dyn FnMut(&mut WayRoom),
    ) {
        let Some((transform, first)) = self.kings[row.king.index()] else {
            return;
        };
        let first = match self.transforms.get(transform) {
            Some(&transform) => first + self.joining(layout, transform),
            None => first,
        };
        let parts = &self.parts[transform];
        let outer = parts.iter().zip(row.digits);
        let mut manners = vec![(first, 0)];
        for (parts, &digit) in outer {
            let with = |&(first, between): &(usize, u64)| {
                let parts = parts.of(digit);
                parts.map(move |(part, over)| (first + part as usize, between | over))
            };
            manners = manners.iter().flat_map(with).collect();
        }
        for (first, between) in manners {
            if between & row.occupied.0 != 0 {
                continue;
            }
            self.go_one_manner(row, (transform, first, between), inner_squares, room, gone);
        }
    }

    /// Follows the exit for one choice of the moving man among the outer groups.
    fn go_one_manner(
        &self,
        row: Row<'_>,
        (transform, first, between): (usize, usize, u64),
        inner_squares: &[u64],
        room: &mut WayRoom,
        gone: &mut dyn FnMut(&mut WayRoom),
    ) {
        let Happening { square, mover, .. } = self.happening;
        let about = |between: u64| match mover {
            Mover::LaneKing => square.set().0,
            Mover::Winner | Mover::LoserMan => !(row.occupied.0 | square.set().0 | between),
        };
        let all = about(between);
        match self.parts[transform].get(row.digits.len()) {
            // A layout without groups has rows of one lane.
            None => {
                room.lanes[0] = first as u32;
                room.masks[0] = all;
                self.read(transform, room, gone);
            }
            Some(Parts::One(parts)) => {
                for (lane, (&part, &inner)) in parts.iter().zip(inner_squares).enumerate() {
                    let is_open = part != u32::MAX && inner & between == 0;
                    room.lanes[lane] = first as u32 + if is_open { part } else { 0 };
                    room.masks[lane] = if is_open { all & !self.own(inner) } else { 0 };
                }
                self.read(transform, room, gone);
            }
            Some(Parts::Some(parts)) => {
                let most = parts.iter().map(Vec::len).max().unwrap_or(0);
                for i in 0..most {
                    let mut any = 0;
                    for (lane, parts) in parts.iter().enumerate() {
                        let part = parts.get(i).filter(|part| part.1 & row.occupied.0 == 0);
                        let (part, mask) = match part {
                            Some(&(part, over)) => {
                                (part, about(over) & !self.own(inner_squares[lane]))
                            }
                            None => (0, 0),
                        };
                        room.lanes[lane] = first as u32 + part;
                        room.masks[lane] = mask;
                        any |= mask;
                    }
                    if any != 0 {
                        self.read(transform, room, gone);
                    }
                }
            }
        }
    }

    /// The squares of a lane's innermost men, which the lane's king cannot occupy. Empty if that
    /// king makes the exit, since it is then on the exit's square.
    fn own(&self, inner: u64) -> u64 {
        match self.happening.mover {
            Mover::LaneKing => 0,
            Mover::Winner | Mover::LoserMan => inner,
        }
    }

    /// Reads the distances and the legal positions of the lanes that the exit leads to.
    fn read(&self, transform: usize, room: &mut WayRoom, gone: &mut dyn FnMut(&mut WayRoom)) {
        let WayRoom {
            numbers,
            legal,
            masks,
            lanes,
        } = room;
        numbers.clear();
        let Some(after) = self.after else {
            legal.copy_from_slice(masks);
            gone(room);
            return;
        };
        let solution = after.solution;
        let back = self.transforms[transform].inverse();
        let planes = match self.happening.mover {
            Mover::Winner => solution.loser_to_move.as_ref(),
            Mover::LoserMan | Mover::LaneKing => Some(&solution.winner_to_move),
        };
        let Some(planes) = planes else { return };
        let used = (u16::BITS - planes.limit().leading_zeros()) as usize;
        for (plane, own) in planes.words().zip(numbers.fill_planes(used)) {
            pick(plane, lanes, back, own);
        }
        numbers.mask(masks);
        if self.happening.mover == Mover::LoserMan {
            pick(&solution.open, lanes, back, legal);
            for (lane, (legal, mask)) in legal.iter_mut().zip(&*masks).enumerate() {
                *legal = (*legal | numbers.any(lane)) & mask;
            }
        }
        if let Some(most) = after.most_moves {
            // With the loser to move, stored numbers are one more than the moves.
            let one_more = u32::from(self.happening.mover == Mover::Winner);
            numbers.judge(most + one_more);
        }
        gone(room);
    }
}

/// Finds the mets that an exit adds to a side's groups: the promoted bia, or mets that were fixed
/// before the exit.
fn joins(
    layout: &LaneLayout,
    Happening {
        square,
        promotes,
        mover,
        ..
    }: Happening,
    after: Option<After<'_>>,
) -> Option<(Color, SquareSet)> {
    let side = match mover {
        Mover::Winner => layout.winner(),
        Mover::LoserMan | Mover::LaneKing => !layout.winner(),
    };
    let fixed = layout.fixed_mets().without(square);
    let stays_fixed = after.is_some_and(|after| after.met_is_fixed);
    if !fixed.is_empty() {
        Some((layout.winner(), fixed))
    } else {
        (promotes && !stays_fixed).then(|| (side, square.set()))
    }
}

/// Reads the words of the given lanes, and applies a transform to each word.
#[inline(always)]
fn pick(words: &[u64], lanes: &[u32], turn: Transform, out: &mut [u64]) {
    for (out, &lane) in out.iter_mut().zip(lanes) {
        *out = words[lane as usize];
    }
    if turn != Transform::IDENTITY {
        for out in out {
            *out = turn.set(SquareSet(*out)).0;
        }
    }
}

/// The stride of a group's digits in a layout's lane index.
fn stride(layout: &LaneLayout, group: usize) -> usize {
    let inner = group + 1..layout.groups().len();
    inner.map(|g| layout.placements(g).len()).product()
}
