//! Every kind of event with a bia, each in its own position.

use sakmak::board::{Color, Fen, Lettering};
use sakmak::internals::Goal;

use crate::common::{HONOR, Libraries, bia_of};

/// The event, the position, the legal moves of bia, and the winner's moves to mate and to honor.
/// White wins, or nobody.
type Case = (
    &'static str,
    &'static str,
    &'static [&'static str],
    [Option<u32>; 2],
);

const CASES: [Case; 20] = [
    (
        "a bia pinned on its rank may not step, so the king has to go",
        "8/8/kp4R1/8/8/8/8/6K1 b",
        &[],
        [Some(18), Some(8)],
    ),
    (
        "a pinned bia may step on its file",
        "8/8/8/3k4/3p4/8/8/3R1K2 b",
        &["d4d3m"],
        [Some(17), Some(5)],
    ),
    (
        "a bia that cannot stop the check is no way out of mate",
        "8/k1K5/1p6/8/8/8/8/R7 b",
        &[],
        [Some(0), Some(0)],
    ),
    (
        "a bia takes the man that checks, its only move",
        "2K5/k7/1p6/R7/8/8/8/8 b",
        &["b6a5"],
        [None, None],
    ),
    (
        "a bia blocked by its own king is stalemate",
        "8/8/7p/7k/5KR1/8/8/8 b",
        &[],
        [None, None],
    ),
    (
        "a bia blocked by the enemy's king is stalemate",
        "8/8/8/8/1p6/1K6/2M5/k7 b",
        &[],
        [None, None],
    ),
    (
        "a bia takes a bia",
        "8/3k4/8/2p5/3P4/8/3K4/8 w",
        &["d4c5", "d4d5"],
        [None, None],
    ),
    (
        "two bia stand face to face",
        "8/3k4/8/3p4/3P4/8/3K4/8 w",
        &[],
        [None, None],
    ),
    (
        "a bia promotes by a capture",
        "8/8/3s4/2P1k3/8/8/3K4/8 w",
        &["c5c6m", "c5d6m"],
        [None, None],
    ),
    (
        "a bia takes a bia and promotes",
        "8/8/3p4/2P5/6k1/8/3K4/8 w",
        &["c5c6m", "c5d6m"],
        [None, None],
    ),
    (
        "the only win is a promotion that gives check",
        "4S3/1K6/8/1kP5/8/8/8/8 w",
        &["c5c6m"],
        [Some(40), Some(1)],
    ),
    (
        "the only win is to promote now",
        "8/8/S7/3P4/2k3K1/8/8/8 w",
        &["d5d6m"],
        [Some(41), Some(1)],
    ),
    (
        "the only win is a step out of the king's reach",
        "7S/2K5/8/8/8/3P4/1k6/8 w",
        &["d3d4"],
        [Some(43), Some(3)],
    ),
    (
        "promoting too early lets the count run out",
        "8/8/8/7P/8/1S6/8/1K1k4 w",
        &["h5h6m"],
        [Some(45), Some(14)],
    ),
    (
        "the bare king takes the last bia, and the winner to move has the fourteen moves it needs",
        "8/8/K6R/8/6P1/7k/8/8 b",
        &[],
        [Some(14), Some(3)],
    ),
    (
        "the bare king takes the last bia, and fourteen moves are one too few",
        "K7/8/8/7R/5k2/5P2/8/8 b",
        &[],
        [Some(15), None],
    ),
    (
        "the weaker side gives up its last bia, a met now, to start the count",
        "8/8/8/8/4k1p1/8/5R1K/8 b",
        &["g4g3m"],
        [Some(15), None],
    ),
    (
        "the weaker side promotes its last bia",
        "8/8/8/4k3/pK6/8/1R6/8 b",
        &["a4a3m"],
        [Some(16), None],
    ),
    (
        "a man of the loser's takes the last bia",
        "8/8/1k1s4/4P3/8/8/8/K7 b",
        &[],
        [None, None],
    ),
    (
        "a bia takes a man and starts the count with it",
        "8/8/8/8/6p1/7R/5K2/7k b",
        &["g4h3m"],
        [None, None],
    ),
];

#[test]
fn each_thing_that_can_happen_with_a_bia_has_its_value() {
    let mut libraries = Libraries::default();
    for (what, fen, moves, values) in CASES {
        let Ok(fen) = Fen::parse(fen, Lettering::Makruk) else {
            panic!("{what}: {fen}");
        };
        let position = fen.position;
        let own = bia_of(&position).of(position.turn());
        let legal = position.legal_moves().into_iter();
        let by_bia = legal
            .filter(|m| own.contains(m.from))
            .map(|m| m.to_string());
        let mut by_bia: Vec<String> = by_bia.collect();
        by_bia.sort_unstable();
        let mut expected = moves.to_vec();
        expected.sort_unstable();
        assert_eq!(by_bia, expected, "{what}");
        let found = [Goal::Mate, HONOR].map(|goal| libraries.moves(Color::White, goal, &position));
        assert_eq!(found, values, "{what}");
        libraries.assert_one_ply(&position, what);
    }
}

/// Positions of K+S+M v K+P and K+S+P v K+M in which the last bia promotes. The distance to honor
/// afterwards is the greatest that a fresh count allows White, 65 moves with White to move and 64
/// with Black, or one more.
#[test]
#[ignore = "slow: run with --ignored"]
fn the_count_leaves_64_moves_or_65_once_the_last_bia_is_gone() {
    let mut libraries = Libraries::default();
    for (fen, promotion, is_won) in [
        ("8/7S/8/4M3/3p4/8/1k5K/8 b", "d4d3m", true),
        ("5k1K/8/8/8/4p3/2M5/8/4S3 b", "e4e3m", true),
        ("8/8/2M5/4K3/6p1/2S5/8/5k2 b", "g4g3m", false),
        ("8/3k3S/8/4M3/3p4/8/7K/8 b", "d4d3m", false),
        ("6m1/2k5/8/4P3/5S2/8/8/4K3 w", "e5e6m", true),
        ("2k5/4K3/2m5/4P3/8/8/8/6S1 w", "e5e6m", true),
        ("8/8/8/5P2/5K1k/8/1S6/3m4 w", "f5f6m", false),
        ("8/k7/2m5/4P3/8/8/4K3/6S1 w", "e5e6m", false),
    ] {
        let Ok(fen) = Fen::parse(fen, Lettering::Makruk) else {
            panic!("{fen}");
        };
        let mut moves = fen.position.legal_moves().into_iter();
        let promotion = moves.find(|m| m.to_string() == promotion).unwrap();
        let after = fen.position.play(promotion);
        let [mates, honor] =
            [Goal::Mate, HONOR].map(|goal| libraries.moves(Color::White, goal, &after));
        assert!(
            mates.is_some_and(|moves| moves > 64),
            "{after:?}: {mates:?}"
        );
        assert_eq!(honor.is_some(), is_won, "{after:?}");
    }
}
