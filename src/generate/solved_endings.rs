//! Keeps solved endings in memory, to be used as subendings of larger endings.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::bia::{BiaSolution, KeptPromotions};
use super::goal::{Goal, Key};
use crate::board::{Color, Square, SquareSet};
use crate::index::Transform;
use crate::material::{CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Count, FIFTY_MOVES_PLIES, moves_available, plies_of_late_capture};
use crate::solve::{BitPlanes, Keep, LaneLayout, Leaf, Simd, Solution, StepDone, digest, solve};
use crate::table::{Access, Metric, TableError, TableFile, file_name};

/// The most bytes of solved endings kept in memory. If a new ending would exceed this size, all
/// kept endings are dropped first. All subendings of a five-man ending with men on both sides fit,
/// under every goal.
pub const KEEP_BYTES: usize = 384 << 20;

/// A solved ending is large if it takes more than [`KEEP_BYTES`] divided by this number. While an
/// ending with bia is solved, only one large subending is kept at a time.
const LARGE_PART: usize = 4;

/// An ending without bia is large if it has more than this many lanes.
const LARGE_LANES: u64 = 1 << 20;

/// Solved endings, by material, winner and goal. The material need not be canonical: either side's
/// men may be White's.
#[derive(Debug, Default)]
pub struct SolvedEndings {
    solved: HashMap<Key, Arc<Solution>>,
    /// Solved endings with bia, each with a solution for every slice.
    with_bia: HashMap<Key, Arc<BiaSolution>>,
    bytes: usize,
    /// The positions after promotions that later tables may need.
    pub(super) promotions: KeptPromotions,
    /// For each winner, the last large subending that the solve of an ending with bia used.
    large: HashMap<Color, Large>,
    /// The directories to search for tables.
    directories: Vec<PathBuf>,
}

/// A large solved ending and the digest of its captures. A solve under another goal with the same
/// digest would find the same wins.
#[derive(Debug)]
struct Large {
    material: Material,
    captures: blake3::Hash,
    solution: Arc<Solution>,
}

impl SolvedEndings {
    /// No solved endings yet.
    pub fn new() -> SolvedEndings {
        SolvedEndings::default()
    }

    /// No solved endings yet. Searches these directories for the tables of endings that are too
    /// large to be solved again.
    pub fn with_tables(directories: Vec<PathBuf>) -> SolvedEndings {
        SolvedEndings {
            directories,
            ..SolvedEndings::default()
        }
    }

    /// Keeps the positions after promotions, which later endings with bia need, in a nameless file
    /// of this directory. Otherwise each ending solves them again.
    #[must_use]
    pub fn keeping_promotions(self, directory: PathBuf) -> SolvedEndings {
        SolvedEndings {
            promotions: KeptPromotions::in_directory(directory),
            ..self
        }
    }

    /// Opens the table of an ending in the first directory that contains one with a valid header.
    ///
    /// # Errors
    ///
    /// If no directory contains the table, or if the table cannot be read.
    pub(super) fn table(&self, material: CanonicalMaterial) -> Result<TableFile, TableError> {
        let name = file_name(material);
        let open = |path: &PathBuf| TableFile::open_as(path, material, Access::Blocks);
        let directories = self.directories.iter();
        let paths: Vec<PathBuf> = directories.map(|directory| directory.join(&name)).collect();
        match paths.iter().find_map(|path| open(path).ok()) {
            Some(table) => Ok(table),
            None => {
                let found = paths.iter().find(|path| path.exists());
                open(found.or(paths.first()).unwrap_or(&name.into()))
            }
        }
    }

    /// True if the statistics of an ending's table show that the winner can win every position that
    /// it can win at all inside the fifty-move rule, if the clock is at 0. False if there is no
    /// table.
    pub(super) fn wins_within_fifty_moves(&self, material: Material, winner: Color) -> bool {
        let (canonical, exchanged) = material.canonical();
        let Ok(table) = self.table(canonical) else {
            return false;
        };
        let rules = Goal::Zeroing
            .rules()
            .expect("the fifty-move rule is that of a rule set");
        if !table.rule_sets().contains(rules) {
            return false;
        }
        let winner = if exchanged { !winner } else { winner };
        let won = |metric: Metric| {
            let section = table.section(metric)?;
            let statistics = &section.header().info.statistics;
            Some(Color::ALL.map(|turn| statistics.to_move(turn).wins(winner).iter().sum::<u64>()))
        };
        // A metric without a section has the same results as its base.
        let counted = Metric::Dth(rules);
        let base = || counted.base(canonical).and_then(won);
        won(counted).or_else(base) == won(Metric::Dtm)
    }

    /// Drops all kept endings.
    pub fn forget(&mut self) {
        self.solved.clear();
        self.with_bia.clear();
        self.bytes = 0;
        self.large.clear();
        self.promotions.clear();
    }

    /// Returns the wins of one side in an ending, with either side to move. Solves the ending if
    /// it is not kept, and keeps the result.
    #[doc(hidden)]
    pub fn solution(&mut self, material: Material, winner: Color, goal: Goal) -> Arc<Solution> {
        self.kept(material, winner, goal, true)
    }

    /// Like [`SolvedEndings::solution`], but need not include the wins with the loser to move
    /// unless `with_loser` is true.
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

    /// Returns the wins of one side in a subending of an ending with bia. Keeps a small
    /// subending. A large subending may have only the distances that `keep` includes, and is kept
    /// until the winner's next large subending is needed.
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

    /// Solves a whole ending without bia. Keeps the result unless the ending is large; the solution
    /// of a large one has the wins with the winner to move only if the loser has men.
    pub(super) fn whole(&mut self, material: Material, winner: Color, goal: Goal) -> Arc<Solution> {
        let layout = LaneLayout::new(material, winner);
        if layout.lane_count() <= LARGE_LANES {
            return self.kept(material, winner, goal, true);
        }
        let keep = match material.army(!winner).is_empty() {
            true => Keep::Loser,
            false => Keep::Both,
        };
        Arc::new(self.solve(material, winner, goal, keep, &mut |_| {}))
    }

    /// The solution of an ending with bia, if it is still kept.
    pub(super) fn kept_bia(&self, key: &Key) -> Option<Arc<BiaSolution>> {
        self.with_bia.get(key).map(Arc::clone)
    }

    /// Keeps the solution of an ending with bia.
    pub(super) fn keep_bia(&mut self, key: Key, solution: &Arc<BiaSolution>) {
        self.make_room(solution.memory_bytes());
        self.with_bia.insert(key, Arc::clone(solution));
    }

    /// True if a solved ending of this many bytes counts as large.
    pub(super) fn is_large(bytes: usize) -> bool {
        bytes > KEEP_BYTES / LARGE_PART
    }

    /// Makes room for a new ending of this many bytes: adds them to the total, and drops
    /// all endings if the total is too large.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes + bytes > KEEP_BYTES {
            self.solved.clear();
            self.with_bia.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
    }

    /// Solves an ending with the help of the kept subendings. Does not keep the result.
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

    /// The leaves of a lane layout: the results of the captures after which the winner can still
    /// win.
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
        // The loser is to move only after a capture by the winner, so only if the loser has men.
        let with_loser = !lane_layout.is_bare();
        // The rule set whose count decides whether baring the enemy king still wins.
        let honor = goal.rules();
        let late = goal == Goal::Zeroing && lane_layout.is_bare();
        let solution = match honor {
            Some(_) if bares || late => self.kept(rest, winner, Goal::Mate, with_loser),
            _ => self.kept(rest, winner, goal, with_loser),
        };
        // After a capture by the loser the winner is to move, and vice versa.
        let loser_captures = lane_layout.groups()[group].color == winner;
        let planes = if loser_captures {
            Some(&solution.winner_to_move)
        } else {
            solution.loser_to_move.as_ref()
        };
        let planes = planes.filter(|planes| planes.largest() > 0)?;
        Some(match (goal, honor) {
            // The bare king captures: the leaf is the cost of this late capture, in plies of the
            // fifty-move rule.
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
            // The loser's last man is captured: the capture is worth as much as mate if the
            // subending is won inside the count, and nothing otherwise.
            (_, Some(rules)) if bares => {
                let available = moves_available(rules, rest, winner, !winner, &Count::Fresh);
                let most = available.unwrap_or(u32::MAX);
                let in_time = |number| u16::from(number > 0 && u32::from(number - 1) <= most);
                judged(lane_layout, group, &solution.layout, planes, in_time)
            }
            // The fifty-move rule restarts: a win inside its limit counts, a longer one does not.
            (Goal::Zeroing, _) => {
                let one_more = u16::from(!loser_captures);
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

/// Makes a leaf from the distances of a solved ending. `judge` maps each stored distance to the
/// value in the leaf.
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

/// The material after a man of a group is captured. None if only the kings are left.
fn without(material: Material, lane_layout: &LaneLayout, group: usize) -> Option<Material> {
    let lost = lane_layout.groups()[group];
    let army = material.army(lost.color).without(lost.role)?;
    let rest = material.with_army(lost.color, army);
    (rest.men() > MIN_MEN).then_some(rest)
}

/// Returns a function that finds a lane of a leaf in the solved ending. It returns the transform
/// from the squares of the leaf's lane to the bits of the solved lane, and the index of that lane.
fn places(
    lane_layout: &LaneLayout,
    group: usize,
    solved: &LaneLayout,
) -> impl Fn(Square, &[SquareSet]) -> (Transform, usize) + Sync {
    let rest = lane_layout.without(group);
    // The solved ending may divide a group of mets that is whole in this layout.
    let places: Vec<Vec<usize>> = solved
        .groups()
        .iter()
        .map(|own| {
            let same_kind = |&g: &usize| {
                let other = &rest.groups()[g];
                (other.color, other.role) == (own.color, own.role)
            };
            (0..rest.groups().len()).filter(same_kind).collect()
        })
        .collect();
    move |king, men| {
        solved.lane(king, |g| {
            let places = places[g].iter();
            places.fold(SquareSet::EMPTY, |all, &place| all | men[place])
        })
    }
}
