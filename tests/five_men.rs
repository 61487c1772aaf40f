//! Distances to honor where captures in between leave men on both sides: at random positions, what
//! tables of five men say is what follows two plies on.

mod naive;

use naive::{Value, moves_after_baring};
use sakmak::board::{Color, Position, Role, Square};
use sakmak::generate::{Library, generate_table};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::WriteOptions;

/// The value that the tables have.
fn looked_up(distance: Distance, turn: Color) -> Value {
    match distance {
        Distance::Draw => Value::Draw,
        Distance::Win(Moves(moves)) => Value::Win(turn, moves.into()),
        Distance::Loss(Moves(moves)) => Value::Win(!turn, moves.into()),
    }
}

/// The moves to honor by the rules themselves for so many plies, and by the tables from there on.
fn to_honor(tables: &Tablebase, rules: RuleSet, position: &Position, plies: u32) -> Value {
    let turn = position.turn();
    if plies == 0 {
        let distance = tables.dth(position, rules).unwrap();
        return looked_up(distance.unwrap(), turn);
    }
    let values = position.legal_moves().into_iter().map(|m| {
        let next = position.play(m);
        let value = match next.by_color(!turn).len() {
            1 => after_baring(tables, rules, &next),
            _ => to_honor(tables, rules, &next, plies - 1),
        };
        match value {
            Value::Win(winner, moves) if winner == turn => Value::Win(winner, moves + 1),
            value => value,
        }
    });
    let worth = |value: &Value| match *value {
        Value::Win(winner, moves) if winner == turn => 1000 - i64::from(moves),
        Value::Win(_, moves) => i64::from(moves) - 1000,
        _ => 0,
    };
    match values.max_by_key(worth) {
        Some(value) => value,
        None if position.is_check() => Value::Win(!turn, 0),
        None => Value::Draw,
    }
}

/// A capture of the last enemy man wins if mate comes inside the count, and else only draws.
fn after_baring(tables: &Tablebase, rules: RuleSet, bared: &Position) -> Value {
    let men: Vec<_> = bared.occupied().into_iter().collect();
    let men: Vec<_> = men.into_iter().filter_map(|s| bared.man_at(s)).collect();
    match looked_up(tables.dtm(bared).unwrap(), bared.turn()) {
        Value::Win(winner, moves) if moves <= moves_after_baring(rules, &men) => {
            Value::Win(winner, 0)
        }
        _ => Value::Draw,
    }
}

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn rook_and_met_against_a_rook_are_worth_what_follows_two_plies_on() {
    let material: CanonicalMaterial = "KRMvKR".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut library = Library::new();
    // Nothing is kept, so it need not be small; one look-up in many blocks is to be quick.
    let options = WriteOptions {
        level: 1,
        block_cells: 1 << 12,
        ..WriteOptions::default()
    };
    for material in material.closure() {
        generate_table(material, directory.path(), &mut library, &options, &|_| {}).unwrap();
    }
    let mut tables = Tablebase::new();
    tables.add_directory(directory.path()).unwrap();

    let men = [
        (Color::White, Role::King),
        (Color::White, Role::Rook),
        (Color::White, Role::Met),
        (Color::Black, Role::King),
        (Color::Black, Role::Rook),
    ];
    let mut seed = 1;
    let mut wins = [0; 2];
    for number in 0..3000 {
        // Around one corner, where much is taken, every other time.
        let squares = men.map(|_| match number % 2 {
            0 => random(&mut seed) & 63,
            _ => random(&mut seed) & 0b011_011,
        });
        let placed = squares.into_iter().zip(men);
        let placed =
            placed.map(|(square, (color, role))| (Square::wrapping(square as usize), color, role));
        // Tables store White to move, so two plies on there is no more to work out.
        let Ok(position) = Position::from_men(placed, Color::White) else {
            continue;
        };
        for rules in RuleSet::ALL {
            let found = to_honor(&tables, rules, &position, 0);
            let expected = to_honor(&tables, rules, &position, 2);
            assert_eq!(found, expected, "{rules}: {position:?}");
            if let Value::Win(winner, _) = found {
                wins[winner.index()] += 1;
            }
        }
    }
    // Both sides have something to win.
    assert!(wins.iter().all(|&wins| wins > 0), "{wins:?}");
}
