//! The hardest count draws of an ending with bia: of the positions that a side wins on the board,
//! but not inside the count, those with the longest distance to mate.
//!
//! Against a bare king without bia these are the longest wins, which the table's header lists. With
//! bia the count depends on the moves to come. The verdict table has the count draws; without it,
//! the distances to mate and to honor are compared for all positions. Examines only positions with
//! White to move, as stored in the distance table.

use rayon::prelude::*;
use sakmak::board::{Color, Fen, Position, SquareSet};
use sakmak::index::{Component, Group, Layout, Transform};
use sakmak::internals::ForkedByOneFunction;
use sakmak::probe::ProbeError;
use sakmak::rules::{Count, RuleSet, moves_available};
use sakmak::table::{Code, Decoder, Metric, TableError, TableFile};
use sakmak::verdict::{Set, Turn, VerdictBlock, VerdictFile};

use crate::EndingStudy;
use crate::records::{Record, RecordKind};
use crate::scan::{DecodedSection, LazySection, MAX_SCANNED_MEN, Reader};

/// The number of cells that one task compares.
const CHUNK: usize = 1 << 16;

/// Finds the hardest count draws of each side that wins, under each rule set of the ending's table.
/// None for an ending without bia or with more than [`MAX_SCANNED_MEN`] men.
///
/// # Errors
///
/// If the table is missing or corrupt.
pub fn hardest_count_draws(
    study: &EndingStudy,
    reader: &Reader,
) -> Result<Vec<Record>, ProbeError> {
    let material = study.material;
    if material.is_pawnless() || material.men() > MAX_SCANNED_MEN {
        return Ok(Vec::new());
    }
    let table = reader.tablebase().inventory().table(material)?;
    let mut mates = None;
    let mut decoded = None;
    let mut found = Vec::new();
    for own in &study.rules {
        // With White to move. With equal armies, White's rows represent both sides.
        let has_some = |winner| {
            let row = own.row(winner, winner == Color::White);
            row.is_some_and(|row| row.count_draws > 0)
        };
        let winners: Vec<Color> = Color::ALL.into_iter().filter(|&w| has_some(w)).collect();
        if winners.is_empty() {
            continue;
        }
        let mates = match &mates {
            Some(mates) => mates,
            None => mates.insert(LazySection::new(&table, Metric::Dtm)?),
        };
        let rules = own.overlay.rules;
        let verdicts = reader.verdicts(material, rules);
        let mut timed = None;
        for winner in winners {
            // A corrupt verdict table is ignored. A corrupt distance table fails again below.
            let by_verdicts = verdicts
                .as_ref()
                .and_then(|verdicts| by_verdicts(verdicts, mates, rules, winner).ok()?);
            let longest = match by_verdicts {
                Some(longest) => longest,
                None => {
                    let mates = match &decoded {
                        Some(mates) => mates,
                        None => decoded.insert(DecodedSection::read(&table, Metric::Dtm)?),
                    };
                    let timed = match &timed {
                        Some(timed) => timed,
                        None => timed.insert(Timed::read(&table, rules)?),
                    };
                    by_distances(mates, timed, winner)
                }
            };
            found.extend(longest.fen(mates.layout()).map(|fen| Record {
                kind: RecordKind::HardestCountDraw,
                rules,
                fen,
                moves: Some(longest.moves.into()),
                white_wins: winner == Color::White,
            }));
        }
    }
    Ok(found)
}

/// The longest distance to mate found so far, and its cell.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Longest {
    moves: u16,
    /// The first cell in the order of the table is the greatest.
    cell: std::cmp::Reverse<u64>,
}

impl Longest {
    /// The position. `None` if none was found.
    fn fen(self, layout: &Layout) -> Option<Fen> {
        let position = position(layout, self.cell.0).filter(|_| self.moves > 0)?;
        Some(Fen::new(position))
    }
}

/// The position of a cell; `None` if it is illegal.
fn position(layout: &Layout, cell: u64) -> Option<Position> {
    layout
        .example(cell)
        .position(layout.material(), Color::White)
}

/// The distance of one side's win with a code; 0 if the code is not such a win.
fn moves_of(code: Code, winner: Color) -> u16 {
    match code.win() {
        Some((wins, moves)) if wins == winner => moves,
        _ => 0,
    }
}

/// Finds the hardest count draw of one side among those that the verdict table lists. `None` if the
/// table has no verdicts for the side.
fn by_verdicts(
    verdicts: &VerdictFile,
    mates: &LazySection<'_>,
    rules: RuleSet,
    winner: Color,
) -> Result<Option<Longest>, TableError> {
    let (Some(planes), Some((planes_a_block, blocks))) =
        (verdicts.layout(winner), verdicts.blocks(winner))
    else {
        return Ok(None);
    };
    let layout = mates.layout();
    let moves: Vec<u16> = mates
        .codes()
        .iter()
        .map(|&code| moves_of(code, winner))
        .collect();
    let turn = match winner {
        Color::White => Turn::Winner,
        Color::Black => Turn::Loser,
    };
    let sets = [Set::Board, Set::InTime(rules)];
    let group = |group: &Group| planes.groups().iter().position(|own| own == group);
    let groups: Option<Vec<usize>> = layout.groups().iter().map(group).collect();
    let Some(groups) = groups else {
        return Ok(None);
    };
    let lanes = planes.domain().len();
    let stride = layout.stride(Component::Lane);
    // Boxed, since rayon moves the accumulator from block to block.
    type Task = Box<(VerdictBlock, Decoder, Longest)>;
    let add = |mut task: Task, number: u64| {
        let (block, decoder, longest) = &mut *task;
        verdicts.read_block(winner, &sets.map(|set| (set, turn)), number, block)?;
        let drawn = |block: &VerdictBlock, lane: usize| {
            let [board, in_time] = sets.map(|set| block.words(set, turn)[lane]);
            board & !in_time
        };
        let first = number * planes_a_block;
        let number_of = planes_a_block.min(planes.planes() - first) as usize;
        if (0..number_of * lanes).all(|lane| drawn(block, lane) == 0) {
            return Ok(task);
        }
        verdicts.read_legal(winner, number, block)?;
        for plane in 0..number_of {
            let (bia, men) = planes.men(first + plane as u64);
            // By White's king: the cell with Black's king on a1, and the transform of that king.
            let mut bases: [Option<(Transform, u64)>; 64] = [None; 64];
            for (lane, &king) in (plane * lanes..).zip(planes.domain()) {
                let drawn = drawn(block, lane) & block.legal(lane)[turn as usize];
                for other in SquareSet(drawn) {
                    let (white, black) = match winner {
                        Color::White => (king, other),
                        Color::Black => (other, king),
                    };
                    let (transform, base) = *bases[white.index()]
                        .get_or_insert_with(|| layout.lane_base(bia, white, |g| men[groups[g]]));
                    let cell = base + transform.square(black).index() as u64 * stride;
                    let code = mates.code_index(cell, decoder)?;
                    let moves = moves.get(code).copied().unwrap_or(0);
                    let cell = std::cmp::Reverse(cell);
                    *longest = (*longest).max(Longest { moves, cell });
                }
            }
        }
        Ok(task)
    };
    let found: Result<Longest, TableError> = (0..blocks)
        .into_par_iter()
        .try_fold(Task::default, add)
        .map(|part| part.map(|task| task.2))
        .try_reduce(Longest::default, |a, b| Ok(a.max(b)));
    found.map(Some)
}

/// Finds the hardest count draw of one side by comparing the distances of all positions.
fn by_distances(mates: &DecodedSection, timed: &Timed, winner: Color) -> Longest {
    let layout = mates.layout();
    let moves = mates.by_code(|code| moves_of(code, winner));
    let in_time = timed.in_time(winner);
    // In a row of cells, only the innermost component changes.
    let innermost = layout.order().last();
    let cells_a_row = innermost.map_or(1, |&component| layout.radix(component)) as u64;
    let rows = layout.cells() / cells_a_row;
    let rows_a_chunk = (CHUNK as u64).div_ceil(cells_a_row);
    let add = |mut longest: Longest, chunk: usize| {
        let first = chunk as u64 * rows_a_chunk;
        for row in first..(first + rows_a_chunk).min(rows) {
            let first = row * cells_a_row;
            let mut others: Option<Rows> = None;
            for place in 0..cells_a_row {
                let cell = first + place;
                let moves = moves.get(mates.code_index(cell)).copied().unwrap_or(0);
                if moves <= longest.moves {
                    continue;
                }
                let others = others.get_or_insert_with(|| in_time.rows(layout, first));
                if !in_time.contains(others, place) && position(layout, cell).is_some() {
                    let cell = std::cmp::Reverse(cell);
                    longest = Longest { moves, cell };
                }
            }
        }
        longest
    };
    let chunks = rows.div_ceil(rows_a_chunk) as usize;
    let longest = (0..chunks).into_par_iter().erased();
    longest
        .fold(Longest::default, add)
        .reduce(Longest::default, Ord::max)
}

/// The distances to honor under a rule set.
struct Timed {
    /// The section of the rule set, if it has one, and the section to which [`Code::Base`] refers.
    sections: Vec<DecodedSection>,
    /// The number of moves that a fresh count allows each winner, with White to move. None if every
    /// distance to honor is in time.
    available: [Option<u32>; 2],
}

impl Timed {
    fn read(table: &TableFile, rules: RuleSet) -> Result<Timed, TableError> {
        let material = table.material();
        let metric = Metric::Dth(rules);
        let base = metric.base(material);
        let sections = [Some(metric), base].into_iter().flatten();
        let sections = sections.filter(|&metric| table.section(metric).is_some());
        let sections: Result<Vec<_>, _> = sections
            .map(|metric| DecodedSection::read(table, metric))
            .collect();
        let men = material.material();
        // A section in plies has only wins before the fifty-move rule.
        let limited = !metric.counts_plies(material);
        let available = |winner| {
            let moves = moves_available(rules, men, winner, Color::White, &Count::Fresh);
            moves.filter(|_| limited)
        };
        Ok(Timed {
            sections: sections?,
            available: Color::ALL.map(available),
        })
    }

    /// The wins of one side that are in time.
    fn in_time(&self, winner: Color) -> InTime<'_> {
        let available = self.available[winner.index()];
        let is_in_time = |code: Code| match code {
            Code::Base => None,
            code => Some(code.win().is_some_and(|(wins, moves)| {
                wins == winner && available.is_none_or(|most| u32::from(moves) <= most)
            })),
        };
        let sections = self.sections.iter();
        let sections = sections.map(|section| (section, section.by_code(is_in_time)));
        InTime(sections.collect())
    }
}

/// One side's wins in time. For each section of [`Timed`]: whether each code is one, and `None` for
/// [`Code::Base`].
struct InTime<'a>(Vec<(&'a DecodedSection, Vec<Option<bool>>)>);

/// A row of cells in each section: the index of its first cell, and the stride from cell to cell.
type Rows = Vec<(u64, u64)>;

impl InTime<'_> {
    /// The cells of the positions in a row of the layout `from`, which begins with the cell `first`
    /// and in which only the innermost component changes.
    fn rows(&self, from: &Layout, first: u64) -> Rows {
        let rows = self.0.iter().map(|(section, _)| {
            let to = section.layout();
            let innermost = from.order().last();
            let stride = innermost.map_or(0, |&component| to.stride(component));
            (converted(from, to, first), stride)
        });
        rows.collect()
    }

    /// True if the position with this place in the rows is won in time.
    fn contains(&self, rows: &Rows, place: u64) -> bool {
        let sections = self.0.iter().zip(rows);
        let mut codes = sections.map(|((section, of_codes), (first, stride))| {
            let code = section.code_index(first + place * stride);
            of_codes.get(code).copied().unwrap_or(Some(false))
        });
        codes.find_map(|is_in_time| is_in_time).unwrap_or(false)
    }
}

/// The index in the layout `to` of the position with the index `cell` in the layout `from`. Both
/// are layouts of the same ending with the same symmetry.
fn converted(from: &Layout, to: &Layout, cell: u64) -> u64 {
    let digits = from.order().iter();
    digits
        .map(|&component: &Component| from.digit(cell, component) as u64 * to.stride(component))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak::generate::{SolvedEndings, generate_by_plan, generate_verdicts, plan};
    use sakmak::index::Symmetry;
    use sakmak::material::{CanonicalMaterial, closure, parse_set};
    use sakmak::probe::{Tablebase, Value};
    use sakmak::rules::{Category, RuleSets};
    use sakmak::table::WriteOptions;

    fn tables(directory: &std::path::Path, names: &[&str]) -> Tablebase {
        let mut solved_endings = SolvedEndings::new();
        let endings = names.iter().flat_map(|name| parse_set(name).unwrap());
        for material in closure(endings) {
            let rules = RuleSets::possible(material.material());
            let plan = plan(material, None).for_rules(rules);
            let options = WriteOptions::default();
            generate_by_plan(&plan, directory, &mut solved_endings, &options, &|_| {}).unwrap();
        }
        opened(directory)
    }

    fn opened(directory: &std::path::Path) -> Tablebase {
        let mut tablebase = Tablebase::new();
        tablebase.add_directory(directory).unwrap();
        tablebase
    }

    /// The side that would win a position with White to move that the count draws.
    fn drawn(value: &Value) -> Option<Color> {
        match value.category {
            Category::CursedWin => Some(Color::White),
            Category::BlessedLoss => Some(Color::Black),
            _ => None,
        }
    }

    /// The longest distance to mate of each side's count draws, by a probe of each position.
    fn probed(tablebase: &Tablebase, material: CanonicalMaterial, rules: RuleSet) -> [u16; 2] {
        let groups = Layout::groups_of(material).len();
        let mut order: Vec<_> = (0..groups).map(Component::Group).collect();
        order.extend([Component::Bia, Component::Anchor, Component::Lane]);
        let layout = Layout::new(material, Symmetry::Bia, &order).unwrap();
        let mut longest = [0; 2];
        for cell in 0..layout.cells() {
            let example = layout.example(cell);
            let Some(position) = example.position(material, Color::White) else {
                continue;
            };
            let value = tablebase.probe(&position, rules, &Count::Fresh).unwrap();
            let Some(winner) = drawn(&value) else {
                continue;
            };
            let Some(moves) = value.dtm.moves() else {
                continue;
            };
            let own: &mut u16 = &mut longest[winner.index()];
            *own = moves.0.max(*own);
        }
        longest
    }

    /// Compares the hardest count draws of these endings with a probe of every position, and
    /// returns their rule sets.
    fn compare(names: &[&str]) -> Vec<RuleSet> {
        let directory = tempfile::tempdir().unwrap();
        let tablebase = tables(directory.path(), names);
        let mut seen = Vec::new();
        for name in names {
            let material: CanonicalMaterial = name.parse().unwrap();
            let study = EndingStudy::read(&tablebase, material).unwrap();
            let found = hardest_count_draws(&study, &Reader::new(&tablebase)).unwrap();
            // The verdict table gives the same ones.
            let rules = RuleSets::possible(material.material());
            let mut solved = SolvedEndings::new();
            generate_verdicts(material, rules, directory.path(), &mut solved, &[]).unwrap();
            let with_verdicts = opened(directory.path());
            let reader = Reader::new(&with_verdicts);
            for rules in rules.iter() {
                assert!(reader.verdicts(material, rules).is_some(), "{name}");
            }
            let by_verdicts = hardest_count_draws(&study, &reader).unwrap();
            assert_eq!(by_verdicts, found, "{name}");
            let equal = material.army(Color::White) == material.army(Color::Black);
            for rules in tablebase.inventory().rule_sets(material).unwrap().iter() {
                let longest = probed(&tablebase, material, rules);
                for winner in Color::ALL {
                    let own = |one: &&Record| (one.rules, one.winner()) == (rules, winner);
                    let own = found.iter().find(own);
                    let expected = longest[winner.index()];
                    let counts = expected > 0 && !(equal && winner == Color::Black);
                    let expected = counts.then_some(usize::from(expected));
                    let moves = own.and_then(|one| one.moves);
                    assert_eq!(moves, expected, "{name} {rules} {winner}");
                    let Some(record) = own else { continue };
                    let position = &record.fen.position;
                    let value = tablebase.probe(position, rules, &Count::Fresh).unwrap();
                    assert_eq!(drawn(&value), Some(winner), "{name} {rules}");
                    seen.push(rules);
                }
            }
        }
        seen
    }

    #[test]
    fn the_hardest_count_draws_are_those_of_a_probe_of_every_position() {
        let seen = compare(&["KPvK", "KRPvK", "KPvK-asean"]);
        assert_eq!(seen, [RuleSet::Makruk, RuleSet::Ouk]);
    }

    #[test]
    #[ignore = "probes some fifteen million positions"]
    fn so_are_those_of_endings_with_a_khon_or_with_men_on_both_sides() {
        let seen = compare(&["KSPvK", "KMvKP", "KPvKP"]);
        assert_eq!(seen, [RuleSet::Makruk, RuleSet::Ouk]);
    }
}
