//! The solver and its tables against the naive solver: every placement of the men on the board,
//! with either side to move.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::making::{make, make_as_published};
use crate::naive::verdict::verdict;
use crate::naive::{NaiveTable, Value};
use sakmak::board::{Color, Position, Square, SquareSet};
use sakmak::generate::SolvedEndings;
use sakmak::index::{Bia, Layout};
use sakmak::internals::{Goal, Solution};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::{Category, Count, Outcome, RuleSet, category, moves_available};
use sakmak::table::{Access, Code, DecodedCells, Metric, TableFile, file_name};

/// One placement in this many is also probed, which takes longer.
const PROBED: usize = 10_007;

/// The indices of men in a naive placement: White's king, White's men, Black's king, Black's men.
struct Places {
    material: CanonicalMaterial,
    black_king: usize,
    /// The men of each group of [`Layout::groups_of`].
    groups: Vec<Range<usize>>,
}

impl Places {
    fn of(material: CanonicalMaterial) -> Places {
        let black_king = 1 + material.army(Color::White).len();
        let mut next = [1, black_king + 1];
        let mut groups = Vec::new();
        for group in Layout::groups_of(material) {
            let first = &mut next[group.color.index()];
            groups.push(*first..*first + group.count);
            *first += group.count;
        }
        Places {
            material,
            black_king,
            groups,
        }
    }

    fn king(&self, color: Color, squares: &[Square]) -> Square {
        squares[[0, self.black_king][color.index()]]
    }

    fn group(&self, group: usize, squares: &[Square]) -> SquareSet {
        squares[self.groups[group].clone()]
            .iter()
            .copied()
            .collect()
    }

    fn position(&self, squares: &[Square], turn: Color) -> Position {
        let men = squares.iter().zip(self.material.material().roles());
        let men = men.map(|(&square, (color, role))| (square, color, role));
        Position::from_men(men, turn).unwrap()
    }
}

/// One metric of a table, as stored.
struct Stored {
    places: Places,
    layout: Layout,
    cells: DecodedCells,
    codes: Vec<Code>,
    side: Color,
    /// The base, for cells that refer to it.
    base: Option<Box<Stored>>,
}

impl Stored {
    fn read(material: CanonicalMaterial, metric: Metric, directory: &Path) -> Stored {
        let path = directory.join(file_name(material));
        let table = TableFile::open_as(&path, material, Access::Blocks).unwrap();
        let base =
            |metric: Metric| Stored::read(material, metric.base(material).unwrap(), directory);
        let Some(section) = table.section(metric) else {
            return base(metric);
        };
        let info = &section.header().info;
        Stored {
            places: Places::of(material),
            base: info
                .codes
                .contains(&Code::Base)
                .then(|| Box::new(base(metric))),
            layout: Layout::from_bytes(material, info.symmetry, &info.order).unwrap(),
            cells: section.decode_all(&|_| {}).unwrap(),
            codes: info.codes.clone(),
            side: info.side,
        }
    }

    fn value(&self, squares: &[Square]) -> Value {
        let [white, black] = Color::ALL.map(|color| self.places.king(color, squares));
        let men = |group| self.places.group(group, squares);
        let number = self.layout.number(Bia::NONE, [white, black], men);
        let code = self.cells.get(number as usize).unwrap();
        match self.codes[usize::from(code)] {
            Code::Draw => Value::Draw,
            Code::WhiteWins(moves) => Value::Win(Color::White, moves.into()),
            Code::BlackWins(moves) => Value::Win(Color::Black, moves.into()),
            Code::Base => self.base.as_ref().unwrap().value(squares),
        }
    }
}

/// One side's wins as the solver finds them.
struct Solved {
    winner: Color,
    solution: Arc<Solution>,
    /// For each group of the solution's lane layout, its index among those of the material.
    groups: Vec<usize>,
}

impl Solved {
    fn new(
        solved_endings: &mut SolvedEndings,
        material: CanonicalMaterial,
        winner: Color,
        goal: Goal,
    ) -> Self {
        let solution = solved_endings.solution(material.material(), winner, goal);
        let of_material = Layout::groups_of(material);
        let place = |group| of_material.iter().position(|g| g == group).unwrap();
        Solved {
            winner,
            groups: solution.layout.groups().iter().map(place).collect(),
            solution,
        }
    }

    /// The winner's moves, if it wins.
    fn moves(&self, places: &Places, squares: &[Square], turn: Color) -> Option<u32> {
        let solution = &self.solution;
        let men = |group: usize| places.group(self.groups[group], squares);
        let (transform, lane) = solution.layout.lane(places.king(self.winner, squares), men);
        let bit = transform.square(places.king(!self.winner, squares)).index();
        let (number, base) = match turn == self.winner {
            true => (solution.winner_to_move.get(lane, bit), 0),
            // With the loser to move the stored number is one greater, so that a mate on the board
            // differs from no win.
            false => (solution.loser_to_move.as_ref().unwrap().get(lane, bit), 1),
        };
        (number > 0).then(|| u32::from(number) - base)
    }
}

/// Asserts that the answers to all legal positions with one side to move equal the naive solver's.
fn assert_agree(naive: &NaiveTable, turn: Color, what: &str, answer: impl Fn(&[Square]) -> Value) {
    let (mut positions, mut differences) = (0, Vec::new());
    for squares in naive.placements() {
        let expected = naive.value(&squares, turn);
        if expected == Value::Illegal {
            continue;
        }
        positions += 1;
        let found = answer(&squares);
        if found != expected {
            differences.push((squares, found, expected));
        }
    }
    assert!(positions > 0, "{what}: no legal position");
    assert!(
        differences.is_empty(),
        "{what}, {turn:?} to move: {} of {positions} positions differ, the first {:?}",
        differences.len(),
        differences[0]
    );
}

/// Asserts that solver and naive solver agree on both sides' wins with both sides to move.
fn assert_solver_agrees(material: CanonicalMaterial, naive: &NaiveTable, goal: Goal) {
    let mut solved_endings = SolvedEndings::new();
    let solved: Vec<Solved> = Color::ALL
        .into_iter()
        .filter(|&color| !material.army(color).is_empty())
        .map(|winner| Solved::new(&mut solved_endings, material, winner, goal))
        .collect();
    let places = Places::of(material);
    for turn in Color::ALL {
        let what = format!("{material} solved, {goal:?}");
        assert_agree(naive, turn, &what, |squares| {
            let mut wins = solved.iter().filter_map(|solved| {
                let moves = solved.moves(&places, squares, turn)?;
                Some(Value::Win(solved.winner, moves))
            });
            let value = wins.next().unwrap_or(Value::Draw);
            assert_eq!(wins.next(), None, "both sides win: {squares:?}");
            value
        });
    }
}

/// Asserts that a table agrees with the naive solver.
fn assert_table_agrees(
    material: CanonicalMaterial,
    naive: &NaiveTable,
    metric: Metric,
    directory: &Path,
) {
    let stored = Stored::read(material, metric, directory);
    let what = format!("{material} stored, {metric:?}");
    assert_agree(naive, stored.side, &what, |squares| stored.value(squares));
}

/// Asserts that the categories with a fresh count agree with the naive solver's: for every position
/// from the distances, which are those that the table has, and for some from probes.
fn assert_verdicts_agree(
    material: CanonicalMaterial,
    mate: &NaiveTable,
    honor: &NaiveTable,
    rules: RuleSet,
    directory: &Path,
) {
    let places = Places::of(material);
    let mut tables = Tablebase::new();
    tables.add_directory(directory).unwrap();
    for (number, squares) in mate.placements().enumerate() {
        for turn in Color::ALL {
            let value = mate.value(&squares, turn);
            if value == Value::Illegal {
                continue;
            }
            let to_honor = honor.value(&squares, turn);
            let expected = verdict(rules, turn, value, to_honor);
            let found = category_of(material, rules, turn, [value, to_honor]);
            assert_eq!(found, expected, "{material}, {rules}: {squares:?}");
            if number % PROBED == 0 {
                let position = places.position(&squares, turn);
                let value = tables.probe(&position, rules, &Count::Fresh).unwrap();
                assert_eq!(value.category, expected, "{material}, {rules}: {squares:?}");
            }
        }
    }
}

/// The category that the rules give to distances to mate and to honor with a fresh count.
fn category_of(
    material: CanonicalMaterial,
    rules: RuleSet,
    turn: Color,
    [mate, honor]: [Value; 2],
) -> Category {
    let categories = [honor, mate].map(|value| match value {
        Value::Win(winner, moves) => {
            let fresh = Count::Fresh;
            let available = moves_available(rules, material.material(), winner, turn, &fresh);
            category(Outcome::Win { winner, moves }, turn, available)
        }
        _ => Category::Draw,
    });
    match categories {
        // Mate can be forced, but not within a count that begins with a capture.
        [Category::Draw, Category::Win] => Category::CursedWin,
        [Category::Draw, Category::Loss] => Category::BlessedLoss,
        [Category::Draw, other] => other,
        [category, _] => category,
    }
}

/// Asserts that solver and table agree with the naive solver, under every metric of the ending.
fn assert_four_men_agree(name: &str) {
    let material: CanonicalMaterial = name.parse().unwrap();
    assert_eq!(material.to_string(), name);
    let directory = tempfile::tempdir().unwrap();
    match material.is_bare() {
        true => make_as_published(name, directory.path()),
        // Each section is written without a base, since it is read here by itself.
        false => make(name, directory.path()),
    }
    let naive = NaiveTable::shared(material);
    assert_solver_agrees(material, &naive, Goal::Mate);
    assert_table_agrees(material, &naive, Metric::Dtm, directory.path());
    if material.is_bare() {
        return;
    }
    // Most of the time is spent in the naive solver, which uses one thread.
    std::thread::scope(|scope| {
        for rules in RuleSet::ALL {
            let (naive, directory) = (&naive, directory.path());
            scope.spawn(move || {
                let honor = naive.to_honor(rules);
                assert_solver_agrees(material, &honor, Goal::Honor(rules));
                assert_table_agrees(material, &honor, Metric::Dth(rules), directory);
                assert_verdicts_agree(material, naive, &honor, rules, directory);
            });
        }
    });
}

#[test]
fn every_position_of_three_men_is_worth_what_the_naive_twin_finds() {
    let directory = tempfile::tempdir().unwrap();
    make_as_published("bare-3", directory.path());
    let mut tables = Tablebase::new();
    assert_eq!(tables.add_directory(directory.path()).unwrap(), 4);
    for name in ["KRvK", "KNvK", "KSvK", "KMvK"] {
        let material: CanonicalMaterial = name.parse().unwrap();
        let naive = NaiveTable::shared(material);
        assert_solver_agrees(material, &naive, Goal::Mate);
        assert_table_agrees(material, &naive, Metric::Dtm, directory.path());
        let places = Places::of(material);
        for turn in Color::ALL {
            let what = format!("{material} probed");
            assert_agree(&naive, turn, &what, |squares| {
                match tables.dtm(&places.position(squares, turn)).unwrap() {
                    Distance::Draw => Value::Draw,
                    Distance::Win(Moves(moves)) => Value::Win(turn, moves.into()),
                    Distance::Loss(Moves(moves)) => Value::Win(!turn, moves.into()),
                }
            });
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn every_position_of_khon_and_met_is_worth_what_the_naive_twin_finds() {
    assert_four_men_agree("KSMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_position_of_like_men_is_worth_what_the_naive_twin_finds() {
    assert_four_men_agree("KSSvK");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn every_position_of_rook_against_met_is_worth_what_the_naive_twin_finds() {
    assert_four_men_agree("KRvKM");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_position_of_equal_sides_is_worth_what_the_naive_twin_finds() {
    assert_four_men_agree("KRvKR");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_position_of_knight_against_khon_is_worth_what_the_naive_twin_finds() {
    assert_four_men_agree("KNvKS");
}
