//! Checks that the naive solver gives the same answers. It knows neither files nor counts; the
//! moves that the rules leave are computed here from the numbers of the FEN.

use sakmak::board::{Color, Fen, Position, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::{Category, RuleSet};

use super::FILE;
use crate::answers::{Golden, category, parse};
use crate::common::materials;
use crate::naive_solver::{NaiveTable, Value, moves_after_baring};

#[test]
fn the_naive_solver_gives_the_golden_answers_of_three_men() {
    confirm_all(|material| material.men() == 3);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn the_naive_solver_gives_the_golden_answers_of_four_men() {
    confirm_all(|material| material.men() > 3);
}

fn confirm_all(of: impl Fn(CanonicalMaterial) -> bool) {
    let lines = parse(FILE);
    for material in materials().into_iter().filter(|&material| of(material)) {
        let mate = NaiveTable::solve(material);
        for rules in RuleSet::ALL {
            let honor = match (material.is_bare(), rules) {
                (true, _) => None,
                (false, RuleSet::Asean) => Some(mate.by_clock()),
                (false, _) => Some(mate.to_honor(rules)),
            };
            let of_ending =
                |golden: &&Golden| golden.rules == rules && golden.material() == material;
            for golden in lines.iter().filter(of_ending) {
                confirm(golden, &mate, honor.as_ref());
            }
        }
    }
}

/// Asserts that an answer is the naive solver's.
fn confirm(golden: &Golden, mate: &NaiveTable, honor: Option<&NaiveTable>) {
    let Fen {
        position, clock, ..
    } = golden.fen();
    let turn = position.turn();
    let (winner, moves) = match value(mate, &position) {
        Value::Win(winner, moves) => (winner, moves),
        Value::Draw => {
            assert_eq!((golden.dtm, golden.dth), (None, None), "{golden}");
            assert_eq!(golden.category, Category::Draw, "{golden}");
            return;
        }
        Value::Illegal => panic!("{golden}"),
    };
    assert_eq!(golden.dtm, Some(moves), "{golden}");
    let left = moves_left(golden, winner);
    assert_eq!(golden.moves_available, Some(left), "{golden}");
    let in_time = match honor.map(|honor| value(honor, &position)) {
        None => moves <= left,
        Some(value) if golden.rules == RuleSet::Asean => {
            NaiveTable::winner(value, clock) == Some(winner)
        }
        Some(Value::Win(by, moves)) => {
            assert_eq!(golden.dth, Some(moves), "{golden}");
            by == winner && moves <= left
        }
        Some(_) => false,
    };
    let expected = category(turn, Some(winner), in_time);
    assert_eq!(golden.category, expected, "{golden}");
    confirm_best(golden, &position, mate);
}

/// Asserts that the move ranked first keeps the outcome on the board, if it stays in the ending.
fn confirm_best(golden: &Golden, position: &Position, mate: &NaiveTable) {
    let legal = position.legal_moves();
    let best = legal.iter().find(|m| m.to_string() == golden.best);
    assert_eq!(best.is_some(), !golden.best.is_empty(), "{golden}");
    let Some(&best) = best.filter(|&&m| !position.is_capture(m)) else {
        return;
    };
    let next = position.play(best);
    let (Value::Win(winner, moves), Value::Win(after, then)) =
        (value(mate, position), value(mate, &next))
    else {
        panic!("{golden} gives the win away");
    };
    assert_eq!(winner, after, "{golden}");
    // With men on both sides the shortest way to honor may be longer to mate.
    if position.material().bare_side().is_some() {
        let spent = u32::from(winner == position.turn());
        assert_eq!(moves, then + spent, "{golden}");
    }
}

/// The naive solver's value, with the colours as they are on the board.
fn value(table: &NaiveTable, position: &Position) -> Value {
    let exchanged = position.material().canonical().1;
    let canonical = match exchanged {
        true => position.flipped(),
        false => *position,
    };
    let mut squares: Vec<Square> = Vec::new();
    for (color, role) in canonical.material().roles() {
        let mut like = canonical.men(color, role).into_iter();
        squares.push(like.find(|square| !squares.contains(square)).unwrap());
    }
    match table.value(&squares, canonical.turn()) {
        Value::Win(winner, moves) if exchanged => Value::Win(!winner, moves),
        value => value,
    }
}

/// The moves that the rules leave the winner, by the numbers of the FEN.
fn moves_left(golden: &Golden, winner: Color) -> u32 {
    let Fen {
        position,
        count,
        clock,
        ..
    } = golden.fen();
    let to_move = u32::from(position.turn() == winner);
    // The number reached by the winner's next move counts for it.
    let counted = |limit: u32, plies: u32| {
        let number = (plies + to_move) / 2;
        (limit + to_move).saturating_sub(number)
    };
    let fifty = |plies: u32| (100 + to_move).saturating_sub(plies) / 2;
    let men: Vec<_> = position.material().roles().collect();
    let limit = match position.material().bare_side() {
        Some(_) => moves_after_baring(golden.rules, &men),
        None if golden.rules == RuleSet::Asean => 50,
        None if golden.rules == RuleSet::Ouk => 63,
        None => 64,
    };
    match (golden.rules, count) {
        (RuleSet::Asean, Some(count)) => {
            counted(count.limit() / 2, count.counted()).min(fifty(count.counted()))
        }
        (_, Some(count)) => counted(count.limit() / 2, count.counted()),
        // A clock without a count is the count as well.
        (RuleSet::Asean, None) if limit < 50 => counted(limit, clock).min(fifty(clock)),
        (RuleSet::Asean, None) => fifty(clock),
        (_, None) => limit + to_move,
    }
}
