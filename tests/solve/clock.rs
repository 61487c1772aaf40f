//! ASEAN chess's fifty-move rule: tables agree with the naive solver on every position of endings
//! of four men, at every number of plies since the last capture.

use crate::naive::clock::DRAWN;
use crate::naive::{NaiveTable, Value};
use sakmak::board::{Color, Position, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, Count, RuleSet};

/// One position in this many is asked about at every clock, the others only at clocks where the
/// verdict may change.
const WITH_EVERY_CLOCK: usize = 61;

fn assert_clocks_agree(name: &str) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    crate::making::make(name, directory.path());
    let mut tables = Tablebase::new();
    tables.add_directory(directory.path()).unwrap();
    let naive = NaiveTable::solve(material).by_clock();
    let roles: Vec<_> = material.material().roles().collect();
    let (mut positions, mut won, mut asked) = (0u64, 0u64, 0u64);
    for (number, squares) in naive.placements().enumerate() {
        for turn in Color::ALL {
            let value = naive.value(&squares, turn);
            if value == Value::Illegal {
                continue;
            }
            let men = squares.iter().zip(&roles);
            let men = men.map(|(&square, &(color, role)): (&Square, _)| (square, color, role));
            let position = Position::from_men(men, turn).unwrap();
            positions += 1;
            // The last clock at which it is won, and the first at which it is not.
            let last = match value {
                Value::Win(_, left) => DRAWN.checked_sub(left),
                _ => None,
            };
            won += u64::from(last.is_some());
            let clocks: Vec<u32> = match number % WITH_EVERY_CLOCK {
                0 => (0..=DRAWN).collect(),
                _ => [0, DRAWN]
                    .into_iter()
                    .chain(last)
                    .chain(last.map(|c| c + 1).filter(|&c| c <= DRAWN))
                    .collect(),
            };
            // Against a bare king the plies may also be given as a count.
            let limits: &[u32] = if material.is_bare() { &[0, 128] } else { &[0] };
            let counts = clocks.into_iter().flat_map(|clock| {
                let limits = limits.iter().copied();
                limits.map(move |limit| (clock, Count::of_plies(limit, clock)))
            });
            for (clock, count) in counts {
                let found = tables.category(&position, RuleSet::Asean, &count).unwrap();
                let winner = match found {
                    Category::Win => Some(turn),
                    Category::Loss => Some(!turn),
                    _ => None,
                };
                asked += 1;
                let expected = NaiveTable::winner(value, clock);
                assert_eq!(winner, expected, "{name}, {count:?}: {squares:?} {turn}");
            }
        }
    }
    println!("{name}: {positions} positions, {won} won at some clock, {asked} asked, 0 different");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn rook_against_knight_agrees_at_every_clock() {
    assert_clocks_agree("KRvKN");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_mets_against_a_bare_king_agree_at_every_clock() {
    assert_clocks_agree("KMMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_knights_against_a_bare_king_agree_at_every_clock() {
    assert_clocks_agree("KNNvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn knight_and_met_against_a_bare_king_agree_at_every_clock() {
    assert_clocks_agree("KNMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn rook_against_rook_agrees_at_every_clock() {
    assert_clocks_agree("KRvKR");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn khon_against_met_agrees_at_every_clock() {
    assert_clocks_agree("KSvKM");
}
