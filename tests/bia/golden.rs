//! Answers with bia that must not change. They are compared with the tables and with the naive
//! solver.

use std::collections::BTreeSet;

use sakmak::board::{Position, Square};
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, RuleSet};

use crate::answers::{Golden, Most, assert_answered, category, choose, parse, write};
use crate::common::{SHARED, by_chance, material, shared_tables};
use crate::naive::Value;
use crate::naive::bia::{Aim, BiaTable, NaiveBook};

const FILE: &str = include_str!("../golden/answers-with-bia.csv");

/// The most lines of an ending.
const MOST: Most = Most {
    lines: 16,
    alike: 5,
};

/// The endings of the file.
fn endings() -> impl Iterator<Item = &'static str> {
    ["KPvK", "KMvKP"].into_iter().chain(SHARED)
}

#[test]
fn the_tables_give_the_golden_answers() {
    let lines = parse(FILE);
    assert!(lines.len() >= 60, "{}", lines.len());
    assert_answered(shared_tables(), &lines);
    let kinds = lines.iter().map(|golden| {
        let turn = golden.fen().position.turn();
        format!("{turn} {}", golden.category)
    });
    assert_eq!(kinds.collect::<BTreeSet<_>>().len(), 2 * 5);
    let found: BTreeSet<_> = lines.iter().map(|g| g.material().to_string()).collect();
    assert_eq!(found, endings().map(str::to_string).collect());
    let promotes = |golden: &&Golden| golden.best.len() > 4;
    assert!(lines.iter().filter(promotes).count() > 10);
    // The loser ends the last bia, and is lost without being mated.
    let last = |g: &Golden| g.dth == Some(0) && g.category == Category::Loss && !g.best.is_empty();
    assert!(lines.iter().any(last));
}

#[test]
fn the_naive_solver_gives_the_golden_answers_of_three_men() {
    confirm_all(|name| name.len() == 4);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn the_naive_solver_gives_the_golden_answers_of_four_men() {
    confirm_all(|name| name.len() > 4);
}

/// Asserts that tables give the answers of a file, which has some of every category.
pub fn assert_file_answered(tablebase: &Tablebase, file: &str) -> Vec<Golden> {
    let lines = parse(file);
    assert!(lines.len() >= 30, "{}", lines.len());
    assert_answered(tablebase, &lines);
    let categories: BTreeSet<_> = lines.iter().map(|g| g.category.to_string()).collect();
    assert_eq!(categories.len(), 5);
    lines
}

fn confirm_all(of: impl Fn(&str) -> bool) {
    let lines = parse(FILE);
    let mut book = NaiveBook::whole();
    for name in endings().filter(|name| of(name)) {
        let men: Vec<_> = material(name).roles().collect();
        let [mate, honor] = [Aim::Mate, Aim::Honor].map(|aim| book.table(men.clone(), aim));
        let ending = material(name).canonical().0;
        for golden in lines.iter().filter(|golden| golden.material() == ending) {
            confirm(golden, &mate, &honor);
        }
    }
}

/// Asserts that an answer is the naive solver's.
fn confirm(golden: &Golden, mate: &BiaTable, honor: &BiaTable) {
    let position = golden.fen().position;
    let moves = |value: Value| match value {
        Value::Win(winner, moves) => Some((winner, moves)),
        Value::Draw => None,
        Value::Illegal => panic!("{golden}"),
    };
    let [to_mate, to_honor] = [mate, honor].map(|table| moves(value(table, &position)));
    assert_eq!(golden.dtm, to_mate.map(|(_, moves)| moves), "{golden}");
    assert_eq!(golden.dth, to_honor.map(|(_, moves)| moves), "{golden}");
    // Nothing is counted while bia stand.
    assert_eq!(
        (golden.limit, golden.moves_available),
        (None, None),
        "{golden}"
    );
    let winner = to_mate.map(|(winner, _)| winner);
    let expected = category(position.turn(), winner, to_honor.is_some());
    assert_eq!(golden.category, expected, "{golden}");
    let best = position.legal_moves().into_iter();
    let best = best.map(|m| m.to_string()).find(|m| *m == golden.best);
    assert_eq!(best.unwrap_or_default(), golden.best, "{golden}");
}

/// The naive solver's value, with the colours as they are on the board.
fn value(table: &BiaTable, position: &Position) -> Value {
    let exchanged = position.material().canonical().1;
    let canonical = match exchanged {
        true => position.flipped(),
        false => *position,
    };
    let mut squares: Vec<Square> = Vec::new();
    for &(color, role) in table.men() {
        let mut like = canonical.men(color, role).into_iter();
        squares.push(like.find(|square| !squares.contains(square)).unwrap());
    }
    match table.value(&squares, canonical.turn()) {
        Value::Win(winner, moves) if exchanged => Value::Win(!winner, moves),
        value => value,
    }
}

/// Writes the file anew, when endings or fields are added. Lines that stay keep their answers.
#[test]
#[ignore = "writes tests/golden/answers-with-bia.csv"]
fn write_the_golden_answers_with_bia() {
    let mut chance = fastrand::Rng::with_seed(44);
    let lines = endings().flat_map(|name| {
        let positions: Vec<_> = (0..40_000).map(|_| by_chance(&mut chance, name)).collect();
        choose(shared_tables(), &positions, RuleSet::Makruk, &MOST)
    });
    write("answers-with-bia.csv", FILE, &lines.collect::<Vec<_>>());
}
