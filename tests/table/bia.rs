//! Tables of endings with bia: every cell and every bit against the solver, and damaged files.

use std::path::Path;
use std::sync::Arc;

use crate::fuzz::harness::reseal;
use crate::making::{make, make_as_published, make_under};
use sakmak::board::{Color, Position, Role, Square, SquareSet};
use sakmak::generate::{SolvedEndings, generate_table, generate_verdicts};
use sakmak::index::{Bia, Component, Layout};
use sakmak::internals::{BiaSolution, Goal};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::published::PUBLISHED;
use sakmak::rules::{RuleSet, RuleSets};
use sakmak::table::{Access, Code, Metric, Packing, TableFile, TableKind, WriteOptions, file_name};
use sakmak::verdict::{self, Set, Turn, VerdictBlock, VerdictFile};
use sakmak::verify::verify_verdicts;

/// The metrics and the sets of a table with these rule sets, and the goals that they are solved
/// for.
fn goals(rules: RuleSets) -> Vec<(Metric, Set, Goal)> {
    let mate = (Metric::Dtm, Set::Board, Goal::Mate);
    let honor = |rules| {
        let goal = match rules {
            RuleSet::Asean => Goal::Zeroing,
            _ => Goal::Honor(rules),
        };
        (Metric::Dth(rules), Set::InTime(rules), goal)
    };
    [mate].into_iter().chain(rules.iter().map(honor)).collect()
}

type Man = (Color, Role, Square);

fn of(men: &[Man], color: Color, role: Role) -> SquareSet {
    let like = men.iter().filter(|man| (man.0, man.1) == (color, role));
    like.map(|man| man.2).collect()
}

/// True if these men and a second king have a legal position.
fn is_legal(men: &[Man], (color, king): (Color, Square), turn: Color) -> bool {
    let men = men
        .iter()
        .map(|&(color, role, square)| (square, color, role));
    Position::from_men(men.chain([(king, color, Role::King)]), turn).is_ok()
}

/// The moves in which the winner wins, plus one; 0 if it does not. The kings are on `kings`,
/// White's first, the other men on the squares of a list.
fn won(solved: &BiaSolution, winner: Color, men: &[Man], kings: [Square; 2], turn: Color) -> u16 {
    let [king, other] = [winner, !winner].map(|color| kings[color.index()]);
    let bia = Bia::new(Color::ALL.map(|color| of(men, color, Role::Bia)));
    let (slice, lane, transform) = solved.lane(bia, king, |color, role| of(men, color, role));
    let bit = transform.square(other).index();
    match turn == winner {
        true => match slice.winner_to_move.get(lane, bit) {
            0 => 0,
            moves => moves + 1,
        },
        false => slice.loser_to_move.as_ref().unwrap().get(lane, bit),
    }
}

/// Asserts that each cell of a legal position in the file has the solver's value.
fn assert_cells(
    name: &str,
    directory: &Path,
    solved_endings: &mut SolvedEndings,
    packing: Option<Packing>,
) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let path = directory.join(file_name(material));
    let table = TableFile::open(&path, Access::Map).unwrap();
    let goals = goals(table.rule_sets());
    assert_eq!(table.sections().len(), goals.len(), "{name}");
    for (section, (metric, _, goal)) in table.sections().zip(goals) {
        let header = section.header();
        let info = &header.info;
        assert_eq!((info.metric, info.side), (metric, Color::White), "{name}");
        assert!(packing.is_none_or(|packing| header.packing == packing));
        let layout = Layout::from_bytes(material, info.symmetry, &info.order).unwrap();
        assert_eq!(header.cells, layout.cells(), "{name}");
        let cells = section.decode_all(&|_| {}).unwrap();
        let solved = |goal, solved_endings: &mut SolvedEndings| {
            Color::ALL.map(|winner| {
                let has_men = !material.army(winner).is_empty();
                has_men.then(|| solved_endings.bia_solution(material.material(), winner, goal))
            })
        };
        let own = solved(goal, solved_endings);
        // A cell may refer to the section of makruk.
        let has_base = table.rule_sets().contains(RuleSet::Makruk);
        let base = has_base.then(|| solved(Goal::Honor(RuleSet::Makruk), solved_endings));
        let (mut legal, mut decided) = (0, 0);
        for first in 0..layout.cells() {
            if layout.digit(first, Component::Lane) != 0 {
                continue;
            }
            let example = layout.example(first);
            let mut men: Vec<Man> = example.men(material).collect();
            men.retain(|man| (man.0, man.1) != (Color::Black, Role::King));
            let white = of(&men, Color::White, Role::King).first().unwrap();
            for black in Square::all() {
                if !is_legal(&men, (Color::Black, black), Color::White) {
                    continue;
                }
                legal += 1;
                let value = |solved: &[Option<Arc<BiaSolution>>; 2]| {
                    let of = |winner: Color| {
                        let solved = solved[winner.index()].as_ref()?;
                        let kings = [white, black];
                        won(solved, winner, &men, kings, Color::White).checked_sub(1)
                    };
                    match (of(Color::White), of(Color::Black)) {
                        (None, None) => Code::Draw,
                        (Some(moves), None) => Code::WhiteWins(moves),
                        (None, Some(moves)) => Code::BlackWins(moves),
                        _ => panic!("{name}: both sides win"),
                    }
                };
                let expected = value(&own);
                decided += u32::from(expected != Code::Draw);
                let cell = first + black.index() as u64 * layout.stride(Component::Lane);
                let code = cells.get(cell as usize).unwrap();
                let found = match info.codes[usize::from(code)] {
                    Code::Base => value(base.as_ref().unwrap()),
                    code => code,
                };
                assert_eq!(found, expected, "{name}: {men:?} {black}");
            }
        }
        println!("{name} {metric:?}: {legal} legal cells, {decided} of them won by somebody");
    }
}

/// Asserts the same as [`assert_bits_of`] for a new verdict table.
fn assert_bits(name: &str, directory: &Path, solved_endings: &mut SolvedEndings) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let rules = RuleSets::published(material.material());
    generate_verdicts(material, rules, directory, solved_endings, &[]).unwrap();
    assert_bits_of(name, directory, solved_endings);
}

/// Asserts that each bit of a legal position in the verdict table equals the solver's, with either
/// side to move, and that the verifier accepts the table.
fn assert_bits_of(name: &str, directory: &Path, solved_endings: &mut SolvedEndings) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let path = directory.join(verdict::file_name(material));
    let table = VerdictFile::open(&path, Access::Map).unwrap();
    table.check().unwrap();
    let source = |material: CanonicalMaterial| {
        TableFile::open_as(
            &directory.join(file_name(material)),
            material,
            Access::Whole,
        )
    };
    let check = verify_verdicts(&table, &source).unwrap();
    assert!(check.is_right(), "{name}: {check:?}");
    for winner in table.winners() {
        let layout = table.layout(winner).unwrap();
        let (planes, blocks) = table.blocks(winner).unwrap();
        let mut block = VerdictBlock::default();
        for (_, set, goal) in goals(table.rule_sets()) {
            let solved = solved_endings.bia_solution(material.material(), winner, goal);
            let is_empty = table.is_empty(winner, set);
            for number in 0..blocks {
                table.read_legal(winner, number, &mut block).unwrap();
                if !is_empty {
                    let wanted = [(set, Turn::Loser)];
                    table
                        .read_block(winner, &wanted, number, &mut block)
                        .unwrap();
                }
                let first = number * planes;
                for plane in first..(first + planes).min(layout.planes()) {
                    let men: Vec<Man> = layout
                        .all_men(plane)
                        .into_iter()
                        .flat_map(|(color, role, men)| men.map(move |s| (color, role, s)))
                        .collect();
                    for (lane, &king) in layout.domain().iter().enumerate() {
                        let at = (plane - first) as usize * layout.domain().len() + lane;
                        let legal = block.legal(at);
                        for (turn, legal) in [Turn::Winner, Turn::Loser].into_iter().zip(legal) {
                            let word = if is_empty {
                                0
                            } else {
                                block.words(set, turn)[at]
                            };
                            assert_eq!(word & !legal, 0, "{name}");
                            let to_move = if turn == Turn::Winner {
                                winner
                            } else {
                                !winner
                            };
                            for other in SquareSet(legal) {
                                let kings = match winner {
                                    Color::White => [king, other],
                                    Color::Black => [other, king],
                                };
                                let expected = won(&solved, winner, &men, kings, to_move) > 0;
                                let found = SquareSet(word).contains(other);
                                assert_eq!(found, expected, "{name} {set:?} {men:?} {kings:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_cell_and_every_bit_is_the_solvers() {
    let directory = tempfile::tempdir().unwrap();
    let mut solved_endings = SolvedEndings::new();
    for name in ["KPvK", "KPvKP", "KPPvK"] {
        make(name, directory.path());
        assert_cells(
            name,
            directory.path(),
            &mut solved_endings,
            Some(Packing::Plain),
        );
        assert_bits(name, directory.path(), &mut solved_endings);
    }
}

/// Asserts that the tables of an ending among the golden files have these rule sets and the
/// solver's results. `after` is the ending that its bia's promotion leads to.
fn assert_golden([distances, verdicts]: [&str; 2], name: &str, after: &str, rules: RuleSets) {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for set in [after, "KPvK"] {
        make_under(RuleSets::ALL, set, directory);
    }
    for (file, extension) in [(distances, "skm"), (verdicts, "skv")] {
        let golden = Path::new("tests/golden").join(file);
        std::fs::copy(golden, directory.join(format!("{name}.{extension}"))).unwrap();
    }
    let path = directory.join(format!("{name}.skm"));
    let table = TableFile::open(&path, Access::Map).unwrap();
    assert_eq!(table.rule_sets(), rules);
    let mut solved_endings = SolvedEndings::new();
    assert_cells(name, directory, &mut solved_endings, None);
    assert_bits_of(name, directory, &mut solved_endings);
}

/// The golden files are the published tables of K+P+P v K.
#[test]
fn a_table_of_format_6_and_a_verdict_table_of_format_4_can_still_be_read() {
    let files = ["format-6.skm", "verdicts-4.skv"];
    assert_golden(files, "KPPvK", "KMPvK", RuleSets::MAKRUK);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn a_table_of_format_7_and_a_verdict_table_of_format_5_can_be_read() {
    let files = ["format-7.skm", "verdicts-5.skv"];
    let rules = RuleSets::with([RuleSet::Ouk]);
    assert_golden(files, "KSvKP", "KSvKM", rules);
}

#[test]
fn tables_with_bia_of_asean_chess_can_be_read() {
    let files = ["format-7-asean.skm", "verdicts-5-asean.skv"];
    let name = "KPvK-asean";
    assert_golden(files, name, name, RuleSets::ASEAN);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn every_cell_of_four_men_is_the_solvers_as_published() {
    let directory = tempfile::tempdir().unwrap();
    let mut solved_endings = SolvedEndings::new();
    for name in ["KPPvK", "KRPvK", "KMPvK", "KSvKP"] {
        make_as_published(name, directory.path());
        assert_cells(name, directory.path(), &mut solved_endings, None);
        assert_bits(name, directory.path(), &mut solved_endings);
    }
}

/// The size is not enough: a table with another revision of the rules has the same.
#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn tables_of_five_men_are_the_published_ones_byte_for_byte() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KMPvKM", "KPPPvK"] {
        let material = name.parse().unwrap();
        let options = WriteOptions {
            known: PUBLISHED.packing(material),
            ..WriteOptions::of(material)
        };
        let mut solved_endings = SolvedEndings::new();
        generate_table(
            material,
            directory.path(),
            &mut solved_endings,
            &options,
            &|_| {},
        )
        .unwrap();
        let path = directory.path().join(file_name(material));
        let hash = blake3::hash(&std::fs::read(path).unwrap()).to_hex();
        let published = PUBLISHED.bytes_of_hash(TableKind::Distances, material, &hash);
        assert!(published.is_some(), "{name}: {hash}");
    }
}

/// The header's offset, and its bytes from a section's symmetry on.
fn first_symmetry(file: &[u8], name: &str) -> usize {
    let header = u64::from_le_bytes(*file[24..].first_chunk().unwrap()) as usize;
    // Revision, name, rule sets, number of sections; metric, rule set, side.
    header + 4 + 1 + name.len() + 1 + 1 + 3
}

#[test]
fn headers_that_number_other_positions_are_refused() {
    let name = "KPPvK";
    let directory = tempfile::tempdir().unwrap();
    make(name, directory.path());
    let file = std::fs::read(directory.path().join(format!("{name}.skm"))).unwrap();
    let at = first_symmetry(&file, name);
    // The symmetry, the order's length and its three components, the cells.
    assert_eq!(file[at..at + 5], [3, 3, 255, 0, 1]);
    type Change = fn(&mut [u8]);
    let refusal = |change: Change| {
        let mut file = file.clone();
        change(&mut file[at..]);
        reseal(&mut file);
        Tablebase::new().add_bytes(file).err()
    };
    assert!(refusal(|_| {}).is_none());
    let changes: [(&str, Change); 6] = [
        ("the king's symmetry", |header| header[0] = 1),
        ("no symmetry that there is", |header| header[0] = 4),
        ("a group for the bia", |header| header[2] = 2),
        ("the bia twice", |header| header[3] = 255),
        ("fewer cells", |header| header[7] -= 1),
        ("more cells", |header| header[7] += 1),
    ];
    for (what, change) in changes {
        let error = refusal(change).unwrap_or_else(|| panic!("{what} is not noticed"));
        assert!(error.to_string().contains("corrupt"), "{what}: {error}");
    }
}
