//! Verifies a verdict table against the distances of the same ending.

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::{Distance, Grid, NEVER};
use super::ply::ply;
use super::source::{TableSource, VerifyError, open_with};
use super::stored::stored;
use super::subendings::Subendings;
use crate::board::{Color, Square, SquareSet};
use crate::index::{Bia, Transform, example};
use crate::material::CanonicalMaterial;
use crate::rules::{Category, Count, FIFTY_MOVES_PLIES, RuleSets, moves_available};
use crate::statistics::Example;
use crate::table::{Metric, TableError, TableFile};
use crate::verdict::{CategoryCounts, PlaneLayout, Set, Turn, VerdictBlock, VerdictFile};

/// A position with a wrong verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongVerdict {
    /// The squares of the position's men.
    pub position: Example,
    /// The side to move.
    pub turn: Color,
    /// The side whose wins are in the set.
    pub winner: Color,
    /// The set with the wrong verdict.
    pub set: Set,
    /// True if the verdict table says that the position is in the set.
    pub found: bool,
}

/// The result of verifying a verdict table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictCheck {
    /// The number of legal positions on the whole board, with either side to move.
    pub positions: u64,
    /// The number of wrong verdicts. Positions that symmetry makes equal are counted once.
    pub differences: u64,
    /// The first wrong verdict.
    pub first: Option<WrongVerdict>,
    /// True if the header's numbers of positions in each category agree with the verdicts.
    pub counts_agree: bool,
}

impl VerdictCheck {
    /// True if the verdict table has no error.
    pub fn is_right(&self) -> bool {
        self.differences == 0 && self.counts_agree
    }
}

/// Verifies every verdict of a verdict table against the distances of the ending. The ending's
/// distance table stores distances with one side to move only. Those with the other side to move
/// are computed by looking one ply ahead, in that table and in the tables of the subendings.
///
/// # Errors
///
/// If the verdict table is corrupt, or if a distance table is missing, corrupt or without results
/// for a rule set that is needed.
pub fn verify_verdicts(
    verdicts: &VerdictFile,
    source: &dyn TableSource,
) -> Result<VerdictCheck, VerifyError> {
    let material = verdicts.material();
    for needed in verdicts.rule_sets().iter() {
        open_with(source, material, needed)?;
    }
    let table = source.open(material)?;
    let sides: &[Color] = match material.is_bare() {
        true => &[Color::White],
        false => &Color::ALL,
    };
    let mut comparison = VerdictComparison::new(verdicts);
    for metric in Metric::all_of(material, verdicts.rule_sets()) {
        let stored = stored(&table, metric, sides, None)?;
        let turns = &[stored.side];
        let subendings = Subendings::read(material, metric, turns, sides, source)?;
        for winner in verdicts.winners() {
            let list = &stored.distances[winner.index()];
            let other_side = (!stored.side, winner);
            let other = ply(&stored.grid, other_side, (list, &subendings), None);
            let lists = match stored.side {
                Color::White => [list, &other],
                Color::Black => [&other, list],
            };
            comparison.add(&stored.grid, metric, winner, lists);
        }
    }
    Ok(comparison.finish(&table)?)
}

/// The comparison of a verdict table with the distances of the ending, metric by metric.
pub struct VerdictComparison<'a> {
    verdicts: &'a VerdictFile,
    check: VerdictCheck,
    won: Won,
    /// The first error of the verdict table.
    error: Option<TableError>,
}

impl VerdictComparison<'_> {
    pub fn new(verdicts: &VerdictFile) -> VerdictComparison<'_> {
        VerdictComparison {
            verdicts,
            check: VerdictCheck::default(),
            won: Won::default(),
            error: None,
        }
    }

    /// Compares the sets of one side's wins that follow from a metric's distances. `lists` contains
    /// these distances by side to move. A metric of a rule set that the verdict table lacks is
    /// ignored.
    pub fn add(&mut self, grid: &Grid, metric: Metric, winner: Color, lists: [&DistanceList; 2]) {
        let (material, rules) = (self.verdicts.material(), self.verdicts.rule_sets());
        if !Metric::all_of(material, rules).any(|own| own == metric) {
            return;
        }
        let longest = |set| Color::ALL.map(|turn| most(material, metric, set, winner, turn));
        let expected = Expected {
            grid,
            lists,
            winner,
            sets: sets(metric, material, rules)
                .into_iter()
                .map(|set| (set, longest(set)))
                .collect(),
        };
        match expected.compare(self.verdicts) {
            Ok(found) => {
                self.check.differences += found.differences;
                self.check.first = self.check.first.take().or(found.first);
                self.won.add(winner, &found.won);
            }
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// Compares the header's numbers, after all metrics. `table` is the ending's distance table.
    ///
    /// # Errors
    ///
    /// If the verdict table is corrupt.
    pub fn finish(mut self, table: &TableFile) -> Result<VerdictCheck, TableError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (material, rules) = (self.verdicts.material(), self.verdicts.rule_sets());
        let legal = Color::ALL.map(|turn| {
            let section = table.section(Metric::Dtm);
            section.map_or(0, |s| s.header().info.statistics.to_move(turn).legal())
        });
        self.check.positions = legal.iter().sum();
        let counted = self.won.counts(material, rules, legal);
        // The header's numbers for a rule set that the table lacks are meaningless.
        self.check.counts_agree = rules.iter().all(|rules| {
            let id = usize::from(rules.id());
            counted[id] == self.verdicts.counts()[id]
        });
        Ok(self.check)
    }
}

/// The sets whose verdicts follow from a metric's distances, under these rule sets.
fn sets(metric: Metric, material: CanonicalMaterial, rules: RuleSets) -> Vec<Set> {
    match metric {
        Metric::Dth(rules) => vec![Set::InTime(rules)],
        // Against a bare king distances to mate determine all sets, except where plies decide.
        Metric::Dtm if material.material().is_bare_without_bia() => Set::all()
            .filter(|set| match set {
                Set::Board => true,
                Set::InTime(set) => {
                    rules.contains(*set) && !Metric::Dth(*set).counts_plies(material)
                }
            })
            .collect(),
        Metric::Dtm => vec![Set::Board],
    }
}

/// The longest distance of a win that belongs to the set, in moves or, if the metric counts them,
/// in plies. `None` if wins of any length belong to the set.
fn most(
    material: CanonicalMaterial,
    metric: Metric,
    set: Set,
    winner: Color,
    turn: Color,
) -> Option<u32> {
    match set {
        Set::Board => None,
        Set::InTime(_) if metric.counts_plies(material) => Some(FIFTY_MOVES_PLIES),
        Set::InTime(rules) => {
            let men = material.material();
            moves_available(rules, men, winner, turn, &Count::Fresh)
        }
    }
}

/// Numbers of won positions, counted over the whole board, by winner, set and side to move.
#[derive(Default)]
struct Won([[[u64; 2]; 4]; 2]);

impl Won {
    /// Adds numbers of one side's wins, by set and side to move.
    fn add(&mut self, winner: Color, found: &[[u64; 2]; 4]) {
        let own = self.0[winner.index()].as_flattened_mut();
        for (own, found) in own.iter_mut().zip(found.as_flattened()) {
            *own += found;
        }
    }

    /// The numbers of positions in each category, which the header should contain. `legal` contains
    /// the number of legal positions by side to move.
    fn counts(
        &self,
        material: CanonicalMaterial,
        rules: RuleSets,
        legal: [u64; 2],
    ) -> CategoryCounts {
        let men = material.material();
        let mut counts = CategoryCounts::default();
        for rules in rules.iter() {
            for turn in Color::ALL {
                let won = |winner: Color, set: Set| match men.white == men.black {
                    // With equal armies Black's wins are White's with exchanged colours.
                    true if winner == Color::Black => self.0[0][set.place()][(!turn).index()],
                    _ => self.0[winner.index()][set.place()][turn.index()],
                };
                let wins = |winner| {
                    let in_time = won(winner, Set::InTime(rules));
                    [in_time, won(winner, Set::Board).saturating_sub(in_time)]
                };
                let ([win, cursed], [loss, blessed]) = (wins(turn), wins(!turn));
                let decided = win + cursed + loss + blessed;
                let counts = &mut counts[usize::from(rules.id())][turn.index()];
                for (count, category) in counts.iter_mut().zip(Category::ALL) {
                    *count = match category {
                        Category::Win => win,
                        Category::CursedWin => cursed,
                        Category::Draw => legal[turn.index()].saturating_sub(decided),
                        Category::BlessedLoss => blessed,
                        Category::Loss => loss,
                    };
                }
            }
        }
        counts
    }
}

/// The sets of one side's wins, as expected from the distances.
struct Expected<'a> {
    grid: &'a Grid,
    /// The distances, by side to move.
    lists: [&'a DistanceList; 2],
    winner: Color,
    /// Each set with the longest distance that belongs to it, by side to move.
    sets: Vec<(Set, [Option<u32>; 2])>,
}

/// The results of comparing some blocks.
#[derive(Default)]
struct Found {
    differences: u64,
    first: Option<WrongVerdict>,
    /// The number of positions in each set on the whole board, by set and side to move.
    won: [[u64; 2]; 4],
}

impl Found {
    /// Adds up two results.
    fn and(mut self, other: Found) -> Found {
        self.differences += other.differences;
        self.first = self.first.or(other.first);
        let own = self.won.as_flattened_mut();
        for (own, other) in own.iter_mut().zip(other.won.as_flattened()) {
            *own += other;
        }
        self
    }
}

impl Expected<'_> {
    /// Compares every word of the expected sets in the verdict table with the distances.
    fn compare(&self, verdicts: &VerdictFile) -> Result<Found, TableError> {
        let (Some(layout), Some((planes, blocks))) =
            (verdicts.layout(self.winner), verdicts.blocks(self.winner))
        else {
            return Ok(Found::default());
        };
        let sets: Vec<(Set, Turn)> = self
            .sets
            .iter()
            .map(|(set, _)| (*set, Turn::Loser))
            .collect();
        (0..blocks)
            .into_par_iter()
            .map_init(VerdictBlock::default, |decoded, block| {
                verdicts.read_block(self.winner, &sets, block, decoded)?;
                let first = block * planes;
                let last = (first + planes).min(layout.planes());
                let compared = (first..last).map(|plane| {
                    let at = (plane - first) as usize * layout.domain().len();
                    self.compare_plane(layout, plane, decoded, at)
                });
                Ok(compared.fold(Found::default(), Found::and))
            })
            .try_reduce(Found::default, |a, b| Ok(a.and(b)))
    }

    /// Compares the words of one plane. `first` is the index of the plane's first word in the
    /// block.
    fn compare_plane(
        &self,
        layout: &PlaneLayout,
        plane: u64,
        decoded: &VerdictBlock,
        first: usize,
    ) -> Found {
        let (bia, men) = layout.men(plane);
        let place = |group| layout.groups().iter().position(|g| g == group);
        let groups = self.grid.groups().iter();
        let men: Vec<SquareSet> = groups
            .map(|group| place(group).map_or(SquareSet::EMPTY, |place| men[place]))
            .collect();
        let of_black = (self.winner == Color::Black).then(|| self.grid.numbers(bia, &men));
        let mut found = Found::default();
        for (lane, &king) in layout.domain().iter().enumerate() {
            let weight = layout.symmetry().weight(bia, king);
            for turn in Color::ALL {
                let side = match turn == self.winner {
                    true => Turn::Winner,
                    false => Turn::Loser,
                };
                let distances = match &of_black {
                    Some(numbers) => self.distances_of_black(king, numbers, turn),
                    None => self.distances_of_white((bia, king), &men, turn),
                };
                for &(set, most) in &self.sets {
                    let word = decoded.words(set, side)[first + lane];
                    let won = &mut found.won[set.place()][turn.index()];
                    *won += weight * u64::from(word.count_ones());
                    let different = word ^ won_in(&distances, side, most[turn.index()]);
                    if different == 0 {
                        continue;
                    }
                    found.differences += u64::from(different.count_ones());
                    let bit = different.trailing_zeros();
                    let other = Square::wrapping(bit as usize);
                    found.first.get_or_insert_with(|| WrongVerdict {
                        position: self.example(bia, [king, other], &men),
                        turn,
                        winner: self.winner,
                        set,
                        found: word >> bit & 1 != 0,
                    });
                }
            }
        }
        found
    }

    /// The distances of White's wins with White's king and the men on these squares, one for each
    /// square of Black's king.
    fn distances_of_white(
        &self,
        (bia, king): (Bia, Square),
        men: &[SquareSet],
        turn: Color,
    ) -> [Distance; 64] {
        let (number, transform) = self.grid.number(bia, king, men);
        transform.pull_back(&self.lists[turn.index()].lane(number))
    }

    /// The distances of Black's wins with Black's king on `king`, one for each square of White's
    /// king. For each of these squares, `numbers` contains the number of the configuration and the
    /// transform of its lane.
    fn distances_of_black(
        &self,
        king: Square,
        numbers: &[(usize, Transform); 64],
        turn: Color,
    ) -> [Distance; 64] {
        let list = self.lists[turn.index()];
        numbers.map(|(number, transform)| list.get(number * 64 + transform.square(king).index()))
    }

    /// The position with the winner's king on `king` and the other king on `other`.
    fn example(&self, bia: Bia, [king, other]: [Square; 2], men: &[SquareSet]) -> Example {
        let kings = match self.winner {
            Color::White => [king, other],
            Color::Black => [other, king],
        };
        example(self.grid.groups(), bia, kings, men)
    }
}

/// A word in which a square's bit is set if its distance is that of a win, and at most `most`.
/// `side` is the side to move.
fn won_in(distances: &[Distance; 64], side: Turn, most: Option<u32>) -> u64 {
    // With the winner to move, 0 marks an illegal position.
    let least = Distance::from(side == Turn::Winner);
    let most = most.unwrap_or(u32::MAX).min(u32::from(NEVER) - 1) as Distance;
    let bit = |(square, distance)| u64::from((least..=most).contains(distance)) << square;
    distances
        .iter()
        .enumerate()
        .map(bit)
        .fold(0, |word, bit| word | bit)
}
