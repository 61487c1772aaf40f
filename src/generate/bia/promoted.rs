//! Solves the positions that a promotion leads to, in a subending that is too large for memory.
//!
//! A slice needs few positions of that subending: those with the loser to move and the new met on
//! one square of the promotion rank. First the wins with the winner to move are read from the
//! subending's table, slab by slab, in the order of the slice's lanes, with the new met fixed like
//! a bia. Then a solve that takes these wins as exits finds the losses with the loser to move.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cells_with_met::CellsWithMet;
use super::exit::{Destination, Exit, Limit};
use super::planes_file::{PlanesFileId, Solved};
use super::slice_exits::{combine_exits, each_capture_of_fixed};
use super::subendings::{Subendings, most_moves};
use crate::board::{Color, Game, Role, Square, attacks};
use crate::generate::goal::Goal;
use crate::generate::phases::Phase;
use crate::generate::table_job::TableJob;
use crate::index::{Bia, BiaPlacements, Transform};
use crate::material::{CanonicalMaterial, Material};
use crate::rules::RuleSet;
use crate::solve::{Keep, LaneLayout, Simd, Solution, Unit, solve_slice};
use crate::table::{IoAction, TableError};

/// The side whose bia promote.
const WINNER: Color = Color::White;

/// Identifies the positions after a promotion: the number of the remaining bia's placement, and the
/// square of the new met.
type PromotionKey = (usize, Square);

/// The positions that the promotions of an ending lead to. They are solved one promotion at a time,
/// and loaded one slice at a time.
pub struct Promotions<'a> {
    /// The material after a promotion.
    after: Material,
    /// The goal under which the positions after a promotion are solved.
    goal: Goal,
    /// The rule set whose fresh count limits the wins after a promotion. None if no count does.
    counting_rules: Option<RuleSet>,
    placements: BiaPlacements,
    keys: BTreeSet<PromotionKey>,
    directory: &'a Path,
}

impl<'a> Promotions<'a> {
    /// Lists the promotions of an ending against a bare king. Their files are in the work directory
    /// `directory`.
    pub fn of(material: CanonicalMaterial, goal: Goal, directory: &'a Path) -> Promotions<'a> {
        let material = material.material();
        let army = material.army(WINNER);
        let promoted = army.without(Role::Bia).unwrap_or(army).with(Role::Met);
        let after = material.with_army(WINNER, promoted);
        // Without bia the count has begun, so the distance to mate matters.
        let (goal, counting_rules) = match goal {
            Goal::Honor(rules) if after.is_pawnless() => (Goal::Mate, Some(rules)),
            goal => (goal, None),
        };
        let mut promotions = Promotions {
            after,
            goal,
            counting_rules,
            placements: BiaPlacements::of(after),
            keys: BTreeSet::new(),
            directory,
        };
        let before = BiaPlacements::of(material);
        for bia in (0..before.len()).map(|number| before.bia(number)) {
            for (rest, met) in promotions_from(bia) {
                let (mirror, number) = promotions.number(rest);
                promotions.keys.insert((number, mirror.square(met)));
            }
        }
        promotions
    }

    /// Finds the placement with the bia `rest`, or with their mirror image. Returns the transform
    /// from `rest` to that placement, and the number of the placement.
    fn number(&self, rest: Bia) -> (Transform, usize) {
        let number = self.placements.number(rest);
        number.expect("the remaining bia have a placement")
    }

    fn layout(&self, (number, met): PromotionKey) -> LaneLayout {
        let army = self.after.army(WINNER);
        let rest = army.without(Role::Met).unwrap_or(army);
        let rest = self.after.with_army(WINNER, rest);
        LaneLayout::of_promoted(rest, WINNER, self.placements.bia(number), met)
    }

    /// The file of the wins (`kind` is `won`) or the losses (`lost`) after a promotion.
    fn file(&self, kind: &str, key: PromotionKey) -> PlanesFileId {
        let (goal, (number, met)) = (goal_name(self.goal), key);
        let name = format!("{goal}_{kind}-white-{}", number * 64 + met.index());
        let material = self.after.canonical().0;
        PlanesFileId::new(self.directory, material, &name, &self.layout(key))
    }

    /// Solves the positions after each promotion that has no file yet.
    ///
    /// # Errors
    ///
    /// If the table of the ending after a promotion is missing or corrupt, or a file cannot be read
    /// or written.
    pub fn make(&self, job: &mut TableJob<'_>) -> Result<(), TableError> {
        let mut missing = Vec::new();
        for &key in &self.keys {
            if self.file("lost", key).open()?.is_none() {
                missing.push(key);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.read_won(job, &missing)?;
        let subendings = job.measure_with(Phase::Smaller, |job| {
            let has_fewer_men = |ending: Material| ending.men() < self.after.men();
            let solved_endings = &mut *job.solved_endings;
            let subendings =
                Subendings::new(solved_endings, self.after, WINNER, self.goal, has_fewer_men);
            solved_endings.forget();
            subendings
        });
        for key in missing {
            job.measure(Phase::Smaller, || self.make_one(key, &subendings))?;
        }
        Ok(())
    }

    /// Reads the wins after each of these promotions from the subending's table, and writes them to
    /// files. Existing files are kept.
    fn read_won(&self, job: &mut TableJob<'_>, keys: &[PromotionKey]) -> Result<(), TableError> {
        let mut by_number: BTreeMap<usize, Vec<PromotionKey>> = BTreeMap::new();
        for &key in keys {
            if self.file("won", key).open()?.is_none() {
                by_number.entry(key.0).or_default().push(key);
            }
        }
        if by_number.is_empty() {
            return Ok(());
        }
        let material = self.after.canonical().0;
        let table = job.solved_endings.table(material)?;
        let mut cells = CellsWithMet::new(&table, self.goal)?;
        for (number, keys) in by_number {
            let layouts: Vec<LaneLayout> = keys.iter().map(|&p| self.layout(p)).collect();
            let files = keys.iter().map(|&key| self.file("won", key).create());
            let files = files.collect::<Result<Vec<_>, _>>()?;
            let bia = self.placements.bia(number);
            job.measure(Phase::Smaller, || {
                cells.read(bia, &layouts, &|layout, slab, words| {
                    files[layout].put(slab, words)
                })
            })?;
            for file in files {
                file.finish(cells.planes(), Solved::default())?;
            }
        }
        Ok(())
    }

    /// Solves the losses after one promotion, and writes them to a file.
    fn make_one(&self, key: PromotionKey, subendings: &Subendings) -> Result<(), TableError> {
        let layout = self.layout(key);
        let won = self.file("won", key);
        let planes = match won.open()? {
            Some(file) => file.planes()?,
            None => return Err(gone(self.directory)),
        };
        let mut captures = Vec::new();
        each_capture_of_fixed(&layout, |exit_move, change| {
            let is_bia = layout.bia().all().contains(exit_move.square);
            let role = if is_bia { Role::Bia } else { Role::Met };
            let army = self.after.army(WINNER).without(role);
            let rest = army.map(|army| self.after.with_army(WINNER, army));
            let after = rest.and_then(|rest| subendings.after(rest, &change));
            let capture = Exit::new(&layout, exit_move, after);
            if capture.matters() {
                captures.push(capture);
            }
        });
        let mut exits = combine_exits(&layout, &captures);
        drop(captures);
        exits.win.add(planes);
        let leaves = subendings.leaves(self.after, &layout, key.0);
        let mode = (Keep::Loser, Unit::Moves);
        let solution = solve_slice(layout, leaves, exits, mode, Simd::detect());
        let lost = solution.loser_to_move.unwrap_or_default();
        let columns: Vec<&[u64]> = lost.used().collect();
        let file = self.file("lost", key).create()?;
        file.put_columns(&columns);
        file.finish(columns.len(), Solved::default())?;
        won.remove()
    }

    /// Loads the solved positions after each promotion from one placement of the bia.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn load(&self, bia: Bia) -> Result<Loaded<'_>, TableError> {
        let mut solutions = Vec::new();
        for (rest, met) in promotions_from(bia) {
            let (mirror, number) = self.number(rest);
            let key = (number, mirror.square(met));
            let file = self.file("lost", key).open()?;
            let file = file.ok_or_else(|| gone(self.directory))?;
            let solution = Solution::of_lost(self.layout(key), file.planes()?);
            solutions.push((rest, mirror, solution));
        }
        Ok(Loaded {
            promotions: self,
            solutions,
        })
    }
}

/// The solved positions after each promotion from one slice.
pub struct Loaded<'a> {
    promotions: &'a Promotions<'a>,
    /// For each promotion: the remaining bia, the transform from these bia to the placement in the
    /// solution, and the solution.
    solutions: Vec<(Bia, Transform, Solution)>,
}

impl Loaded<'_> {
    /// The solved positions after the promotion that leaves the bia `rest` on the board.
    pub fn after(&self, rest: Bia) -> Option<Destination<'_>> {
        let found = self.solutions.iter().find(|(bia, ..)| *bia == rest);
        let (_, mirror, solution) = found?;
        let after = self.promotions.after;
        let counting_rules = self.promotions.counting_rules;
        Some(Destination {
            promoted_is_fixed: true,
            // After the winner's promotion the loser is to move.
            limit: counting_rules.map(|rules| Limit {
                most: most_moves(after, WINNER, rules)[1],
                in_plies: false,
            }),
            ..Destination::new(solution, *mirror)
        })
    }
}

/// The promotions from a placement of bia. Each item contains the remaining bia and the square of
/// the new met.
fn promotions_from(bia: Bia) -> impl Iterator<Item = (Bia, Square)> {
    let steps = bia.of(WINNER).flat_map(move |from| {
        let steps = attacks::bia_step(WINNER, from) & !bia.all();
        steps.map(move |to| (bia.without(from), to))
    });
    steps.filter(|&(_, to)| Game::Makruk.promotes(WINNER, to))
}

/// The name of a goal, as used in file names.
pub fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::Mate => "mate",
        Goal::Honor(RuleSet::Ouk) => "honor_ouk",
        _ => "honor",
    }
}

/// The error for a file that has been removed since this run wrote it.
fn gone(directory: &Path) -> TableError {
    let error = std::io::Error::new(
        std::io::ErrorKind::NotFound,
        "a file that this run wrote has been removed",
    );
    TableError::io(directory, IoAction::Read, error)
}
