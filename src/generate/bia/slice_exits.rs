//! Lists the exits of a slice (the moves that lead out of it), and combines their results.

use rayon::prelude::*;

use crate::board::{Color, Game, Role, Square, SquareSet, attacks};
use crate::index::Bia;
use crate::solve::{BitPlanes, Exits, LaneLayout, LaneWords};

use super::exit::{Destination, Exit, ExitBuffers, ExitMove, Mover, Row};
use super::row_numbers::RowNumbers;
use crate::parallel::ForkedByOneFunction;

/// The minimum number of lanes in a task, except the last.
const LANES_A_TASK: usize = 64;

/// The change of material that an exit makes.
#[derive(Clone, Copy, Debug)]
pub struct MaterialChange {
    /// The bia that remain after the exit.
    pub bia: Bia,
    /// The group of the man that the exit captures. None if the exit captures a bia or nothing.
    pub captured_group: Option<usize>,
    /// The side whose bia promotes, the man that it becomes and the man's square, if the exit is a
    /// promotion.
    pub promoted: Option<(Color, Role, Square)>,
    /// The side that makes the exit.
    pub mover: Color,
}

/// Calls `visit` with each exit from a slice and the change of material that the exit makes.
pub fn each_exit(game: Game, layout: &LaneLayout, mut visit: impl FnMut(ExitMove, MaterialChange)) {
    let bia = layout.bia();
    let winner = layout.winner();
    let groups = layout.groups();
    let groups_of = |color: Color| (0..groups.len()).filter(move |&g| groups[g].color == color);
    for color in Color::ALL {
        let mover = match color == winner {
            true => Mover::Winner,
            false => Mover::LoserMan,
        };
        let exit_move = |square: Square| ExitMove {
            mover,
            square,
            moving_group: None,
            captured_group: None,
            king_moves: false,
            promotes: None,
        };
        // Exits in which a bia moves.
        for from in bia.of(color) {
            let mut add = |to: Square, captured_group: Option<usize>| {
                let rest = bia.without(from).without(to);
                let mut add_as = |promotes: Option<Role>| {
                    let change = MaterialChange {
                        bia: match promotes {
                            Some(_) => rest,
                            None => rest.with(color, to),
                        },
                        captured_group,
                        promoted: promotes.map(|role| (color, role, to)),
                        mover: color,
                    };
                    let exit_move = ExitMove {
                        captured_group,
                        promotes,
                        ..exit_move(to)
                    };
                    visit(exit_move, change);
                };
                match game.promotes(color, to) {
                    true => game
                        .promotions()
                        .iter()
                        .for_each(|&role| add_as(Some(role))),
                    false => add_as(None),
                }
            };
            for to in attacks::bia_step(color, from) & !bia.all() {
                add(to, None);
            }
            for to in attacks::attacks(Role::Bia, color, from, bia.all()) {
                if bia.of(!color).contains(to) {
                    add(to, None);
                } else if !bia.of(color).contains(to) {
                    groups_of(!color).for_each(|group| add(to, Some(group)));
                }
            }
        }
        // Exits in which another man captures a bia.
        for square in bia.of(!color) {
            let change = MaterialChange {
                bia: bia.without(square),
                captured_group: None,
                promoted: None,
                mover: color,
            };
            let by_man = |group| ExitMove {
                moving_group: Some(group),
                ..exit_move(square)
            };
            groups_of(color).for_each(|group| visit(by_man(group), change));
            let by_king = match mover {
                Mover::Winner => ExitMove {
                    king_moves: true,
                    ..exit_move(square)
                },
                _ => ExitMove {
                    mover: Mover::LaneKing,
                    ..exit_move(square)
                },
            };
            visit(by_king, change);
        }
    }
}

/// Calls `visit` with each capture by the lane's king of one of the winner's fixed men, and with
/// the change of material that the capture makes.
pub fn each_capture_of_fixed(layout: &LaneLayout, mut visit: impl FnMut(ExitMove, MaterialChange)) {
    for square in layout.fixed_of_winner() {
        let exit_move = ExitMove {
            mover: Mover::LaneKing,
            square,
            moving_group: None,
            captured_group: None,
            king_moves: false,
            promotes: None,
        };
        let change = MaterialChange {
            bia: layout.bia().without(square),
            captured_group: None,
            promoted: None,
            mover: !layout.winner(),
        };
        visit(exit_move, change);
    }
}

/// Lists the exits from a slice that can change a result. `after` returns the solved positions
/// after an exit, or `None` if the winner then has no men left.
pub fn list_exits<'a>(
    game: Game,
    layout: &LaneLayout,
    after: impl Fn(&MaterialChange) -> Option<Destination<'a>>,
) -> Vec<Exit<'a>> {
    let mut exits = Vec::new();
    each_exit(game, layout, |exit_move, change| {
        let exit = Exit::new(layout, exit_move, after(&change));
        if exit.matters() {
            exits.push(exit);
        }
    });
    exits
}

/// Combines the exits from a slice. For each position, finds the step of the solve in which the
/// winner's best exit wins, and the step until which the loser's best exit avoids the loss.
pub fn combine_exits(layout: &LaneLayout, exits: &[Exit<'_>]) -> Exits {
    let of = |mover: Mover| exits.iter().filter(move |exit| exit.mover() == mover);
    let planes = |mover: Mover| of(mover).map(Exit::planes).max().unwrap_or(0);
    let win_planes = planes(Mover::Winner).max(planes(Mover::LaneKing));
    let hold_planes = planes(Mover::LoserMan);
    let lanes = layout.lanes();
    let words = |is_used: bool| LaneWords::zeroed(if is_used { lanes } else { 0 });
    let holds = of(Mover::LoserMan).next().is_some();
    let mut combined = Exits {
        win: numbers(lanes, win_planes),
        at_once: words(of(Mover::LaneKing).any(Exit::ends_at_once)),
        hold: numbers(if holds { lanes } else { 0 }, hold_planes),
        forever: words(holds),
        moves: words(holds),
    };
    let row_lanes = layout.row_lanes();
    let slab_rows = layout.slab_rows();
    let inner_squares: Vec<u64> = match layout.groups().len().checked_sub(1) {
        Some(inner) => layout
            .placements(inner)
            .table()
            .iter()
            .map(|s| s.0)
            .collect(),
        None => vec![0],
    };
    // The work is divided into slabs: the rows with the winner's king on one square. A task takes
    // one slab, or several small ones.
    let slab = slab_rows * row_lanes;
    let kings_a_task = LANES_A_TASK.div_ceil(slab);
    let mut at_once = combined.at_once.chunks_mut(kings_a_task * slab);
    let mut forever = combined.forever.chunks_mut(kings_a_task * slab);
    let mut moves = combined.moves.chunks_mut(kings_a_task * slab);
    let mut hold = combined.hold.parts_mut(kings_a_task * slab).into_iter();
    let tasks: Vec<TaskExits<'_>> = combined
        .win
        .parts_mut(kings_a_task * slab)
        .into_iter()
        .zip(layout.domain().chunks(kings_a_task))
        .map(|(win, kings)| TaskExits {
            kings,
            win,
            hold: hold.next().unwrap_or_default(),
            at_once: at_once.next().unwrap_or_default(),
            forever: forever.next().unwrap_or_default(),
            moves: moves.next().unwrap_or_default(),
        })
        .collect();
    let placements: Vec<Vec<SquareSet>> = (0..layout.groups().len().saturating_sub(1))
        .map(|group| layout.placements(group).table())
        .collect();
    let buffers = || {
        let planes = exits.iter().map(Exit::planes).max().unwrap_or(0).max(16);
        let buffers = ExitBuffers::new(row_lanes, planes);
        let row_exits = RowExits::new(row_lanes, win_planes.max(hold_planes));
        (buffers, row_exits, vec![0; placements.len()])
    };
    tasks.into_par_iter().erased().for_each_init(
        buffers,
        |(buffers, row_exits, digits), mut out| {
            for row in 0..out.kings.len() * slab_rows {
                let king = out.kings[row / slab_rows];
                let mut rest = row % slab_rows;
                for (digit, of_group) in digits.iter_mut().zip(&placements).rev() {
                    *digit = rest % of_group.len();
                    rest /= of_group.len();
                }
                let Some(occupied) = occupied(layout, king, &placements, digits) else {
                    continue;
                };
                let place = Row {
                    king,
                    digits,
                    occupied,
                };
                row_exits.clear();
                for exit in exits {
                    exit.follow(place, &inner_squares, buffers, &mut |buffers| {
                        row_exits.add(exit, buffers);
                    });
                }
                out.write(row * row_lanes, row_exits);
            }
        },
    );
    combined
}

/// Makes bit planes for `lanes` lanes of numbers with `planes` bits each.
fn numbers(lanes: usize, planes: usize) -> BitPlanes {
    let mut numbers = BitPlanes::new(lanes);
    numbers.make_room(((1u32 << planes) - 1) as u16);
    numbers
}

/// The squares occupied by the winner's king, the fixed men and the outer groups. None if two men
/// share a square.
fn occupied(
    layout: &LaneLayout,
    king: Square,
    placements: &[Vec<SquareSet>],
    digits: &[usize],
) -> Option<SquareSet> {
    let outer = placements.iter().zip(digits);
    let outer = outer.map(|(of_group, &digit)| of_group[digit]);
    let fixed = std::iter::once(layout.fixed());
    king.set().disjoint_union(fixed.chain(outer))
}

/// The part of [`Exits`] for one task: the positions with the winner's king on certain squares.
struct TaskExits<'a> {
    kings: &'a [Square],
    win: Vec<&'a mut [u64]>,
    hold: Vec<&'a mut [u64]>,
    at_once: &'a mut [u64],
    forever: &'a mut [u64],
    moves: &'a mut [u64],
}

impl TaskExits<'_> {
    /// Writes the exits of one row. `first` is the index of the row's first lane in the task.
    fn write(&mut self, first: usize, row_exits: &RowExits) {
        let lanes = row_exits.at_once.len();
        let numbers = [
            (&mut self.win, &row_exits.win),
            (&mut self.hold, &row_exits.hold),
        ];
        for (planes, row) in numbers {
            for (plane, row) in planes.iter_mut().zip(row.planes()) {
                plane[first..first + lanes].copy_from_slice(row);
            }
        }
        let words = [
            (&mut self.at_once, &row_exits.at_once),
            (&mut self.forever, &row_exits.forever),
            (&mut self.moves, &row_exits.moves),
        ];
        for (words, row) in words {
            if !words.is_empty() {
                words[first..first + lanes].copy_from_slice(row);
            }
        }
    }
}

/// The part of [`Exits`] for one row of lanes.
struct RowExits {
    win: RowNumbers,
    hold: RowNumbers,
    at_once: Vec<u64>,
    forever: Vec<u64>,
    moves: Vec<u64>,
}

impl RowExits {
    fn new(lanes: usize, planes: usize) -> RowExits {
        RowExits {
            win: RowNumbers::new(lanes, planes),
            hold: RowNumbers::new(lanes, planes),
            at_once: vec![0; lanes],
            forever: vec![0; lanes],
            moves: vec![0; lanes],
        }
    }

    fn clear(&mut self) {
        self.win.clear();
        self.hold.clear();
        self.at_once.fill(0);
        self.forever.fill(0);
        self.moves.fill(0);
    }

    /// Adds the results of one exit, which are in `buffers`.
    fn add(&mut self, exit: &Exit<'_>, buffers: &ExitBuffers) {
        let numbers = &buffers.numbers;
        match exit.mover() {
            Mover::Winner => self.win.least(numbers),
            Mover::LaneKing if exit.ends_at_once() => {
                for (lane, word) in self.at_once.iter_mut().enumerate() {
                    *word |= numbers.any(lane);
                }
            }
            // Each bia that the lane's king can capture has a bit of its own, so two captures never
            // collide.
            Mover::LaneKing => self.win.least(numbers),
            Mover::LoserMan => {
                for (lane, &legal) in buffers.legal.iter().enumerate() {
                    self.moves[lane] |= legal;
                    self.forever[lane] |= legal & !numbers.any(lane);
                }
                if !exit.ends_at_once() {
                    self.hold.most(numbers);
                }
            }
        }
    }
}
