//! Endings solved in memory, for larger ones to look up.

use std::collections::HashMap;
use std::sync::Arc;

use super::bia::BiaSolution;
use super::goal::Goal;
use crate::board::{Color, Square, SquareSet};
use crate::index::Transform;
use crate::material::{MIN_MEN, Material};
use crate::rules::{Count, FIFTY_MOVES_PLIES, RuleSet, moves_available, plies_of_late_capture};
use crate::solve::{BitPlanes, Keep, LaneLayout, Leaf, Simd, Solution, StepDone, digest, solve};

/// The bytes of solved endings that a library keeps; beyond, it forgets them all. What a five-men
/// ending with men on both sides can become, under every goal, fits.
pub const KEEP_BYTES: usize = 384 << 20;

/// The part of them from which on a solved ending is large: one that an ending with bia leads to is not
/// kept beside others then.
const LARGE_PART: usize = 4;

/// The lanes of a large one without bia.
const LARGE_LANES: u64 = 1 << 20;

/// An ending, the winner and the goal.
pub type Key = (Material, Color, Goal);

/// Solved endings by material (in whatever colours), winner and goal.
#[derive(Debug, Default)]
pub struct Library {
    solved: HashMap<Key, Arc<Solution>>,
    /// Endings with bia, all slices of each.
    with_bia: HashMap<Key, Arc<BiaSolution>>,
    bytes: usize,
    /// The large ending that an ending with bia was solved with last, by winner.
    large: HashMap<Color, Large>,
}

/// A large ending. What its captures lead to has this digest: where it is the same under another goal, so
/// are its wins.
#[derive(Debug)]
struct Large {
    material: Material,
    captures: blake3::Hash,
    solution: Arc<Solution>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Library {
        Library::default()
    }

    /// Forgets all that is kept.
    pub fn forget(&mut self) {
        self.solved.clear();
        self.with_bia.clear();
        self.bytes = 0;
        self.large.clear();
    }

    /// The wins of one side in an ending, both sides to move; solved now if it is not there, and
    /// kept.
    #[doc(hidden)]
    pub fn solution(&mut self, material: Material, winner: Color, goal: Goal) -> Arc<Solution> {
        self.kept(material, winner, goal, true)
    }

    /// The same, with the loser to move only if that is asked for.
    fn kept(
        &mut self,
        material: Material,
        winner: Color,
        goal: Goal,
        with_loser: bool,
    ) -> Arc<Solution> {
        let key = (material, winner, goal);
        if let Some(solution) = self.solved.get(&key)
            && (solution.loser_to_move.is_some() || !with_loser)
        {
            return Arc::clone(solution);
        }
        if let Some(without) = self.solved.remove(&key) {
            self.bytes -= without.memory_bytes();
        }
        let keep = if with_loser { Keep::Both } else { Keep::Winner };
        let solution = Arc::new(self.solve(material, winner, goal, keep, &mut |_| {}));
        self.make_room(solution.memory_bytes());
        self.solved.insert(key, Arc::clone(&solution));
        solution
    }

    /// The wins of one side in an ending that one with bia leads to: kept if it is small. Of a large one the
    /// distances asked for are there, and the last one is kept until another is asked for.
    pub(super) fn large(
        &mut self,
        material: Material,
        winner: Color,
        goal: Goal,
        keep: Keep,
    ) -> Arc<Solution> {
        let layout = LaneLayout::new(material, winner);
        if layout.lane_count() <= LARGE_LANES {
            return self.kept(material, winner, goal, true);
        }
        let leaves = self.leaves(material, &layout, goal);
        let captures = digest(&leaves);
        let has = |solution: &Solution| match keep {
            Keep::Loser => solution.loser_to_move.is_some(),
            _ => solution.winner_to_move.lanes() > 0,
        };
        let mut keep = keep;
        if let Some(last) = self.large.remove(&winner)
            && (last.material, last.captures) == (material, captures)
        {
            if has(&last.solution) {
                let solution = Arc::clone(&last.solution);
                self.large.insert(winner, last);
                return solution;
            }
            keep = Keep::Both;
        }
        let simd = Simd::detect();
        let solution = Arc::new(solve(layout, leaves, keep, goal.unit(), simd, &mut |_| {}));
        let large = Large {
            material,
            captures,
            solution: Arc::clone(&solution),
        };
        self.large.insert(winner, large);
        solution
    }

    /// An ending with bia, if it is kept.
    pub(super) fn kept_bia(&self, key: &Key) -> Option<Arc<BiaSolution>> {
        self.with_bia.get(key).map(Arc::clone)
    }

    /// Keeps an ending with bia.
    pub(super) fn keep_bia(&mut self, key: Key, solution: &Arc<BiaSolution>) {
        self.make_room(solution.memory_bytes());
        self.with_bia.insert(key, Arc::clone(solution));
    }

    /// Whether a solved ending of so many bytes is large.
    pub(super) fn is_large(bytes: usize) -> bool {
        bytes > KEEP_BYTES / LARGE_PART
    }

    /// Counts so many bytes more, and forgets all if they are too many.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes + bytes > KEEP_BYTES {
            self.solved.clear();
            self.with_bia.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
    }

    /// Solves an ending with the help of what is kept; it is not kept itself.
    #[doc(hidden)]
    pub fn solve(
        &mut self,
        material: Material,
        winner: Color,
        goal: Goal,
        keep: Keep,
        watch: &mut dyn FnMut(StepDone),
    ) -> Solution {
        let lane_layout = LaneLayout::new(material, winner);
        let leaves = self.leaves(material, &lane_layout, goal);
        solve(
            lane_layout,
            leaves,
            keep,
            goal.unit(),
            Simd::detect(),
            watch,
        )
    }

    /// The leaves of a lane layout: what captures lead to, where the winner can still win.
    #[doc(hidden)]
    pub fn leaves(
        &mut self,
        material: Material,
        lane_layout: &LaneLayout,
        goal: Goal,
    ) -> Vec<Leaf> {
        (0..lane_layout.groups().len())
            .filter_map(|group| self.leaf(material, lane_layout, group, goal))
            .collect()
    }

    fn leaf(
        &mut self,
        material: Material,
        lane_layout: &LaneLayout,
        group: usize,
        goal: Goal,
    ) -> Option<Leaf> {
        let winner = lane_layout.winner();
        let rest = without(material, lane_layout, group)?;
        if rest.army(winner).is_empty() {
            return None;
        }
        let bares = lane_layout.groups()[group].color != winner && rest.army(!winner).is_empty();
        // Only where the loser has men does a capture leave it to move.
        let with_loser = !lane_layout.is_bare();
        // The rule set whose count judges the capture that bares the king.
        let honor = match goal {
            Goal::Mate => None,
            Goal::Honor(rules) => Some(rules),
            Goal::Zeroing => Some(RuleSet::Asean),
        };
        let late = goal == Goal::Zeroing && lane_layout.is_bare();
        let solution = match honor {
            Some(_) if bares || late => self.kept(rest, winner, Goal::Mate, with_loser),
            _ => self.kept(rest, winner, goal, with_loser),
        };
        // The loser's king takes with the winner to move then, and the other way round.
        let fallen = lane_layout.groups()[group].color == winner;
        let planes = if fallen {
            Some(&solution.winner_to_move)
        } else {
            solution.loser_to_move.as_ref()
        };
        let planes = planes.filter(|planes| planes.largest() > 0)?;
        Some(match (goal, honor) {
            // The bare king takes: what that takes of the fifty-move rule's clock.
            _ if late => judged(
                lane_layout,
                group,
                &solution.layout,
                planes,
                |moves| match moves {
                    0 => 0,
                    moves => plies_of_late_capture(moves),
                },
            ),
            // The last man falls: as good as mate inside the count, worth nothing outside.
            (_, Some(rules)) if bares => {
                let available = moves_available(rules, rest, winner, !winner, &Count::Fresh);
                let most = available.unwrap_or(u32::MAX);
                let in_time = |number| u16::from(number > 0 && u32::from(number - 1) <= most);
                judged(lane_layout, group, &solution.layout, planes, in_time)
            }
            // The fifty-move rule starts again: inside it the win stands, outside it is none.
            (Goal::Zeroing, _) => {
                let one_more = u16::from(!fallen);
                let in_time = |number| {
                    u16::from(number > 0 && u32::from(number - one_more) <= FIFTY_MOVES_PLIES)
                };
                judged(lane_layout, group, &solution.layout, planes, in_time)
            }
            _ => Leaf::of_solved(
                lane_layout,
                group,
                planes,
                &places(lane_layout, group, &solution.layout),
            ),
        })
    }
}

/// A leaf whose numbers are those of a solved ending, each judged.
fn judged(
    lane_layout: &LaneLayout,
    group: usize,
    solved: &LaneLayout,
    planes: &BitPlanes,
    judge: impl Fn(u16) -> u16 + Sync,
) -> Leaf {
    let place = places(lane_layout, group, solved);
    Leaf::collect(lane_layout, group, &|king, men, out| {
        let (transform, lane) = place(king, men);
        for square in Square::all() {
            let bit = transform.square(square).index();
            out[square.index()] = judge(planes.get(lane, bit));
        }
    })
}

/// The material after a man of a group of the lane layout is captured, if it is more than two kings.
fn without(material: Material, lane_layout: &LaneLayout, group: usize) -> Option<Material> {
    let lost = lane_layout.groups()[group];
    let mut rest = material;
    let army = match lost.color {
        Color::White => &mut rest.white,
        Color::Black => &mut rest.black,
    };
    *army = army.without(lost.role)?;
    (rest.men() > MIN_MEN).then_some(rest)
}

/// Where the lanes of a lane layout's leaf lie in the lane layout of a solved ending.
fn places(
    lane_layout: &LaneLayout,
    group: usize,
    solved: &LaneLayout,
) -> impl Fn(Square, &[SquareSet]) -> (Transform, usize) + Sync {
    let rest = lane_layout.without(group);
    // A group of mets may be divided there, which is whole here.
    let places: Vec<Vec<usize>> = solved
        .groups()
        .iter()
        .map(|own| {
            let like = |&g: &usize| {
                let other = &rest.groups()[g];
                (other.color, other.role) == (own.color, own.role)
            };
            (0..rest.groups().len()).filter(like).collect()
        })
        .collect();
    move |king, men| {
        solved.lane(king, |g| {
            let like = places[g].iter();
            like.fold(SquareSet::EMPTY, |all, &place| all | men[place])
        })
    }
}
