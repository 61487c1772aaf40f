//! The hardest count draws of an ending with bia: of the positions that a side wins on the board,
//! but not inside the count, those with the longest distance to mate.
//!
//! Against a bare king without bia these are the longest wins, which the table's header lists. With
//! bia the count depends on the moves to come, so the distances to mate and to honor are compared
//! for all positions of the table, which are those with White to move.

use rayon::prelude::*;
use sakmak::board::{Color, Fen};
use sakmak::index::{Component, Layout};
use sakmak::internals::ForkedByOneFunction;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet, moves_available};
use sakmak::table::{Code, Metric, TableError, TableFile};

use crate::records::{Record, RecordKind};
use crate::scan::{DecodedSection, MAX_SCANNED_MEN};

/// The number of cells that one task compares.
const CHUNK: usize = 1 << 16;

/// Finds the hardest count draws of each side that wins, under each rule set of the ending's table.
/// None for an ending without bia or with more than [`MAX_SCANNED_MEN`] men.
///
/// # Errors
///
/// If the table is missing or corrupt.
pub fn hardest_count_draws(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
) -> Result<Vec<Record>, ProbeError> {
    if material.is_pawnless() || material.men() > MAX_SCANNED_MEN {
        return Ok(Vec::new());
    }
    let table = tablebase.inventory().table(material)?;
    let mates = DecodedSection::read(&table, Metric::Dtm)?;
    let mut found = Vec::new();
    for rules in tablebase.inventory().rule_sets(material)?.iter() {
        let timed = Timed::read(&table, rules)?;
        let hardest = hardest(&mates, &timed);
        found.extend(hardest.into_iter().flatten().map(|draw| Record {
            kind: RecordKind::HardestCountDraw,
            rules,
            fen: draw.fen,
            moves: Some(draw.moves.into()),
            white_wins: draw.winner == Color::White,
        }));
    }
    Ok(found)
}

/// A position that `winner` could mate in `moves` moves, but that the count draws.
struct CountDraw {
    winner: Color,
    moves: u16,
    fen: Fen,
}

/// The longest distance to mate found so far, and its cell.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Longest {
    moves: u16,
    /// The first cell in the order of the table is the greatest.
    cell: std::cmp::Reverse<u64>,
}

/// The hardest count draws of White and of Black.
fn hardest(mates: &DecodedSection, timed: &Timed) -> [Option<CountDraw>; 2] {
    let layout = mates.layout();
    let material = layout.material();
    let equal = material.army(Color::White) == material.army(Color::Black);
    let position = |cell| layout.example(cell).position(material, Color::White);
    let add = |mut longest: [Longest; 2], chunk: usize| {
        let first = (chunk * CHUNK) as u64;
        for cell in first..(first + CHUNK as u64).min(layout.cells()) {
            let Some((winner, moves)) = mates.code(cell).win() else {
                continue;
            };
            let own = &mut longest[winner.index()];
            // With equal armies, White's wins represent both sides.
            if moves > own.moves
                && !(equal && winner == Color::Black)
                && !timed.wins(winner, layout, cell)
                && position(cell).is_some()
            {
                let cell = std::cmp::Reverse(cell);
                *own = Longest { moves, cell };
            }
        }
        longest
    };
    let chunks = layout.cells().div_ceil(CHUNK as u64) as usize;
    let longest = (0..chunks).into_par_iter().erased();
    let longest = longest
        .fold(<[Longest; 2]>::default, add)
        .reduce(Default::default, |[a, b], [c, d]| [a.max(c), b.max(d)]);
    Color::ALL.map(|winner| {
        let Longest { moves, cell } = longest[winner.index()];
        let fen = Fen::new(position(cell.0).filter(|_| moves > 0)?);
        Some(CountDraw { winner, moves, fen })
    })
}

/// The wins in time under a rule set.
struct Timed {
    /// The distances to honor, and the section to which [`Code::Base`] refers.
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

    /// True if `winner` wins the position of a cell in time. The cell is an index of `layout`.
    fn wins(&self, winner: Color, layout: &Layout, cell: u64) -> bool {
        let codes = self.sections.iter().map(|section| {
            let cell = converted(layout, section.layout(), cell);
            section.code(cell)
        });
        let code = codes.into_iter().find(|code| *code != Code::Base);
        let won = code.and_then(Code::win).filter(|win| win.0 == winner);
        let fits = |moves: u16| {
            self.available[winner.index()].is_none_or(|available| u32::from(moves) <= available)
        };
        won.is_some_and(|(_, moves)| fits(moves))
    }
}

/// The index in the layout `to` of the position with the index `cell` in the layout `from`. Both
/// are layouts of the same ending with the same symmetry.
fn converted(from: &Layout, to: &Layout, cell: u64) -> u64 {
    if from.order() == to.order() {
        return cell;
    }
    let digits = from.order().iter();
    digits
        .map(|&component: &Component| from.digit(cell, component) as u64 * to.stride(component))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak::generate::{Library, generate_by_plan, plan};
    use sakmak::index::Symmetry;
    use sakmak::material::{closure, parse_set};
    use sakmak::probe::Value;
    use sakmak::rules::{Category, RuleSets};
    use sakmak::table::WriteOptions;

    fn tables(directory: &std::path::Path, names: &[&str]) -> Tablebase {
        let mut library = Library::new();
        let endings = names.iter().flat_map(|name| parse_set(name).unwrap());
        for material in closure(endings) {
            let rules = RuleSets::possible(material.material());
            let plan = plan(material, None).for_rules(rules);
            let options = WriteOptions::default();
            generate_by_plan(&plan, directory, &mut library, &options, &|_| {}).unwrap();
        }
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
            let found = hardest_count_draws(material, &tablebase).unwrap();
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
