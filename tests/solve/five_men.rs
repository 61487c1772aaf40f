//! Distances to honor where captures leave men on both sides: at random positions, tables of five
//! men agree with the positions two plies later.

use crate::making::quick_in_blocks;
use crate::naive::{Value, moves_after_baring};
use sakmak::board::{Color, Position, Role, Square};
use sakmak::generate::{SolvedEndings, generate_table};
use sakmak::internals::asean_plies;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, End, Moves, Plies, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};
use tempfile::TempDir;

/// The value in the tables.
fn looked_up(distance: Distance, turn: Color) -> Value {
    match distance {
        Distance::Draw => Value::Draw,
        Distance::Win(Moves(moves)) => Value::Win(turn, moves.into()),
        Distance::Loss(Moves(moves)) => Value::Win(!turn, moves.into()),
    }
}

/// The moves to honor, by the rules for some plies and by the tables from there on.
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

/// A capture of the last enemy man wins if mate comes within the count; otherwise it only draws.
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

/// Random numbers by SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The tables of an ending and its subendings.
fn make(name: &str) -> (TempDir, Tablebase) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut solved_endings = SolvedEndings::new();
    for material in material.closure() {
        // Each lookup is in another block, so blocks should be small.
        let options = quick_in_blocks(material, 1 << 12);
        generate_table(
            material,
            directory.path(),
            &mut solved_endings,
            &options,
            &|_| {},
        )
        .unwrap();
    }
    let mut tables = Tablebase::new();
    tables.add_directory(directory.path()).unwrap();
    (directory, tables)
}

/// The winner in ASEAN chess after a number of plies without a capture, by the rules for some plies
/// and by the tables from there on.
fn winner_by_rules(
    tables: &Tablebase,
    position: &Position,
    clock: u32,
    plies: u32,
) -> Option<Color> {
    let turn = position.turn();
    if position.is_checkmate() {
        return Some(!turn);
    }
    if clock >= 100 {
        return None;
    }
    if plies == 0 {
        return winner(tables, position, clock);
    }
    let winners = position.legal_moves().into_iter().map(|m| {
        let next = position.play(m);
        if next.by_color(!turn).len() == 1 {
            return match after_baring(tables, RuleSet::Asean, &next) {
                Value::Win(winner, _) => Some(winner),
                _ => None,
            };
        }
        if next.by_color(turn).len() == 1 && next.by_color(!turn).len() == 1 {
            return None;
        }
        let clock = if position.is_capture(m) { 0 } else { clock + 1 };
        winner_by_rules(tables, &next, clock, plies - 1)
    });
    let worth = |winner: &Option<Color>| match *winner {
        Some(winner) if winner == turn => 2,
        None => 1,
        Some(_) => 0,
    };
    winners.max_by_key(worth).flatten()
}

/// The winner in ASEAN chess after a number of plies without a capture, by the tables.
fn winner(tables: &Tablebase, position: &Position, clock: u32) -> Option<Color> {
    let count = Count::of_plies(0, clock);
    let value = tables.probe(position, RuleSet::Asean, &count).unwrap();
    match value.category {
        Category::Win => Some(position.turn()),
        Category::Loss => Some(!position.turn()),
        _ => None,
    }
}

/// Compares a number of random positions with random clocks. Returns how many are won, and how many
/// wins the clock prevents.
fn assert_clocks_follow(tables: &Tablebase, men: [(Color, Role); 5], positions: u32) {
    let mut seed = 7;
    let (mut looked_at, mut won, mut by_clock) = (0, 0, 0);
    while looked_at < positions {
        // Every other time around one corner, where captures are frequent.
        let near = if looked_at % 2 == 0 {
            0b111_111
        } else {
            0b011_011
        };
        let squares = men.map(|_| random(&mut seed) & near);
        let placed = squares.into_iter().zip(men);
        let placed =
            placed.map(|(square, (color, role))| (Square::wrapping(square as usize), color, role));
        let turn = Color::ALL[(random(&mut seed) & 1) as usize];
        let Ok(position) = Position::from_men(placed, turn) else {
            continue;
        };
        looked_at += 1;
        // Clocks that just suffice, or just do not, as often as any others.
        let value = tables
            .probe(&position, RuleSet::Asean, &Count::Fresh)
            .unwrap();
        let chosen = (random(&mut seed) % 101) as u32;
        let moves = value.dth.and_then(Distance::moves).map(|moves| moves.0);
        let clock = match moves {
            Some(moves) if looked_at % 4 < 2 => (98 + chosen % 5)
                .saturating_sub(2 * u32::from(moves))
                .min(100),
            _ => chosen,
        };
        let found = winner(tables, &position, clock);
        let expected = winner_by_rules(tables, &position, clock, 2);
        assert_eq!(found, expected, "{clock}: {position:?}");
        let first = tables.best_moves(&position, RuleSet::Asean, &Count::of_plies(0, clock));
        if let (Some(best), true) = (first.unwrap().first(), clock < 100) {
            let next = position.play(best.m);
            let clock = if best.capture { 0 } else { clock + 1 };
            let bared = next.by_color(!turn).len() == 1;
            let after = match bared {
                true => winner(tables, &next, 0),
                false => winner(tables, &next, clock),
            };
            assert_eq!(after, found, "{clock}: {position:?} {best:?}");
        }
        won += u32::from(found.is_some());
        by_clock += u32::from(found.is_none() && winner(tables, &position, 0).is_some());
    }
    assert!(won > 0 && by_clock > 0, "{won} {by_clock}");
    println!("{looked_at} positions, {won} won, {by_clock} not won because of the clock");
}

/// Compares makruk's and ouk's distances at random positions with those two plies later. Returns
/// the number of wins of each side.
fn assert_distances_follow(tables: &Tablebase, men: [(Color, Role); 5]) -> [u32; 2] {
    let mut seed = 1;
    let mut wins = [0; 2];
    for number in 0..3000 {
        // Every other time around one corner, where captures are frequent.
        let squares = men.map(|_| match number % 2 {
            0 => random(&mut seed) & 63,
            _ => random(&mut seed) & 0b011_011,
        });
        let placed = squares.into_iter().zip(men);
        let placed =
            placed.map(|(square, (color, role))| (Square::wrapping(square as usize), color, role));
        // Tables store White to move, so two plies later nothing needs to be computed.
        let Ok(position) = Position::from_men(placed, Color::White) else {
            continue;
        };
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            let found = to_honor(tables, rules, &position, 0);
            let expected = to_honor(tables, rules, &position, 2);
            assert_eq!(found, expected, "{rules}: {position:?}");
            if let Value::Win(winner, _) = found {
                wins[winner.index()] += 1;
            }
        }
    }
    wins
}

/// Kings and these men, White's first.
fn with_kings(white: [Role; 2], black: Role) -> [(Color, Role); 5] {
    [
        (Color::White, Role::King),
        (Color::White, white[0]),
        (Color::White, white[1]),
        (Color::Black, Role::King),
        (Color::Black, black),
    ]
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn knight_and_met_against_a_met_follow_two_plies_on() {
    let men = with_kings([Role::Knight, Role::Met], Role::Met);
    let (_directory, tables) = make("KNMvKM");
    let wins = assert_distances_follow(&tables, men);
    assert!(wins[0] > 0, "{wins:?}");
    assert_clocks_follow(&tables, men, 5_000);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn khon_and_met_against_a_met_follow_two_plies_on() {
    let men = with_kings([Role::Khon, Role::Met], Role::Met);
    let (_directory, tables) = make("KSMvKM");
    assert_clocks_follow(&tables, men, 200_000);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn rook_and_met_against_a_rook_follow_two_plies_on() {
    let men = with_kings([Role::Rook, Role::Met], Role::Rook);
    let (_directory, tables) = make("KRMvKR");
    // Both sides can win.
    let wins = assert_distances_follow(&tables, men);
    assert!(wins.iter().all(|&wins| wins > 0), "{wins:?}");
    assert_clocks_follow(&tables, men, 5_000);
}

/// The winner in ASEAN chess against Black's bare king, after a number of plies without a capture
/// and as many or more counted. It is computed by the rules for some plies, and from the tables
/// afterwards. In endings of four men, whose captures win nothing, only the distance to mate is
/// taken from the tables.
fn winner_against_bare_king(
    tables: &Tablebase,
    position: &Position,
    (clock, counted): (u32, u32),
    plies: u32,
) -> Option<Color> {
    let (turn, white) = (position.turn(), Color::White);
    if position.is_checkmate() {
        return Some(white);
    }
    let knights = !position.by_role(Role::Knight).is_empty();
    let left = match knights || counted > clock {
        true => (100 - clock.min(100)).min(129 - counted.min(129)),
        false => 100 - clock.min(100),
    };
    if left == 0 {
        return None;
    }
    if position.occupied().len() <= 4 {
        let plies = match tables.dtm(position).unwrap() {
            Distance::Win(Moves(moves)) => 2 * u32::from(moves) - 1,
            Distance::Loss(Moves(moves)) => 2 * u32::from(moves),
            Distance::Draw => return None,
        };
        return (plies <= left).then_some(white);
    }
    if plies == 0 {
        assert_eq!(clock, counted);
        return winner(tables, position, clock);
    }
    let mut after = position.legal_moves().into_iter().map(|m| {
        let clock = if position.is_capture(m) { 0 } else { clock + 1 };
        winner_against_bare_king(tables, &position.play(m), (clock, counted + 1), plies - 1)
    });
    let stalemate = position.legal_moves().is_empty();
    let won = match turn {
        Color::White => after.any(|winner| winner == Some(white)),
        Color::Black => !stalemate && after.all(|winner| winner == Some(white)),
    };
    won.then_some(white)
}

/// Compares random positions of knights and mets against a bare king, with random clocks: the
/// winner follows from the positions some plies later, and best play wins in time.
fn assert_late_captures_follow(name: &str, positions: u32) {
    let (_directory, tables) = make(name);
    let material: CanonicalMaterial = name.parse().unwrap();
    let men: Vec<_> = material.material().roles().collect();
    let (mut seed, mut looked_at, mut won, mut saved, mut lost) = (11, 0, 0, 0, 0);
    while looked_at < positions {
        let squares = men.iter().map(|_| random(&mut seed) & 63);
        let placed: Vec<_> = squares.zip(&men).collect();
        let placed = placed
            .into_iter()
            .map(|(square, &(color, role))| (Square::wrapping(square as usize), color, role));
        let turn = Color::ALL[(random(&mut seed) & 1) as usize];
        let Ok(position) = Position::from_men(placed, turn) else {
            continue;
        };
        let plies = match asean_plies(&tables, &position).unwrap() {
            Distance::Win(Plies(plies)) | Distance::Loss(Plies(plies)) => u32::from(plies),
            Distance::Draw => continue,
        };
        let mate = tables.dtm(&position).unwrap().moves().unwrap().0;
        let mate = 2 * u32::from(mate) - u32::from(turn == Color::White);
        // Most positions are ones in which captures matter.
        let matters = plies < mate;
        if !matters && !random(&mut seed).is_multiple_of(8) {
            continue;
        }
        looked_at += 1;
        let chosen = (random(&mut seed) % 101) as u32;
        let clock = match looked_at % 4 {
            // A clock that just suffices, or just does not.
            0 | 1 => (98 + chosen % 5).saturating_sub(plies).min(100),
            2 => 95 + chosen % 6,
            _ => chosen,
        };
        let found = winner(&tables, &position, clock);
        // Near the end of the fifty moves everything is computed by the rules.
        let deep = if clock >= 96 { 100 - clock } else { 2 };
        let expected = winner_against_bare_king(&tables, &position, (clock, clock), deep);
        assert_eq!(found, expected, "{clock}: {position:?}");
        let counts = [0, 128].map(|limit| Count::of_plies(limit, clock));
        for count in counts {
            let category = tables.category(&position, RuleSet::Asean, &count).unwrap();
            let same = (category.points() != 0) == found.is_some();
            assert!(same, "{count:?}: {position:?}");
            let line = tables.line(&position, RuleSet::Asean, &count).unwrap();
            // The count and the clock of the line, kept separately.
            let (mut clock, mut counted) = (clock, clock);
            let mut in_time = true;
            for played in &line.moves {
                in_time &= clock < 100 && counted < 129;
                counted += 1;
                clock = match played.before.is_capture(played.m) {
                    true => 0,
                    false => clock + 1,
                };
            }
            let mated = line.end == End::Checkmate && in_time;
            assert_eq!(mated, found.is_some(), "{count:?}: {position:?} {line:?}");
        }
        won += u32::from(found.is_some());
        saved += u32::from(found.is_some() && clock + mate > 100);
        lost += u32::from(found.is_none());
    }
    println!(
        "{name}: {looked_at} positions, {won} won, {saved} of them by a capture, {lost} drawn by the clock"
    );
    assert!(saved > 0 && lost > 0, "{saved} {lost}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn late_captures_of_a_bare_king_follow_some_plies_on() {
    assert_late_captures_follow("KNNMvK", 2_000);
}
