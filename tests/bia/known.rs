//! Figures known from other sources.

use sakmak::board::{Color, Fen, Game, Lettering, Role, SquareSet};
use sakmak::generate::SolvedEndings;
use sakmak::index::Group;
use sakmak::internals::{BiaSolution, Goal};
use sakmak::rules::{Count, RuleSet, moves_available};

use crate::common::{HONOR, counts, material, moves, pawnless_moves};

/// The longest distances, with the winner and with the loser to move.
fn longest(solution: &BiaSolution) -> [usize; 2] {
    let slices = solution.slices().iter();
    let steps = slices.flat_map(|slice| slice.counts.steps.iter().enumerate());
    steps.fold([0, 0], |[won, lost], (moves, step)| {
        let longer = |positions, most: usize| if positions > 0 { most.max(moves) } else { most };
        [
            longer(step.wins.positions, won),
            longer(step.losses.positions, lost),
        ]
    })
}

#[test]
fn wins_of_ouk_are_as_many_as_known() {
    let mut solved_endings = SolvedEndings::new();
    for (name, on_the_board, in_ouk, most_moves) in [
        (
            "KRPvK",
            [3_944_668, 3_944_668, 5_124_732, 4_630_748],
            [3_944_668, 3_942_906, 5_124_732, 4_513_170],
            10,
        ),
        (
            "KRvKP",
            [4_055_036, 4_050_862, 4_982_724, 4_363_752],
            [4_055_036, 4_050_484, 4_982_724, 4_362_902],
            21,
        ),
    ] {
        let mate = solved_endings.bia_solution(material(name), Color::White, Goal::Mate);
        assert_eq!(counts(&mate), on_the_board, "{name}");
        let honor = Goal::Honor(RuleSet::Ouk);
        let honor = solved_endings.bia_solution(material(name), Color::White, honor);
        assert_eq!(counts(&honor), in_ouk, "{name}");
        assert_eq!(longest(&honor)[0], most_moves, "{name}");
    }
}

#[test]
fn wins_with_a_bia_and_a_rook_or_a_khon_are_as_many_as_known() {
    let mut solved_endings = SolvedEndings::new();
    for (name, on_the_board, in_makruk, most_moves) in [
        (
            "KRPvK",
            [3_944_668, 3_944_668, 5_124_732, 4_630_748],
            [3_944_668, 3_944_380, 5_124_732, 4_593_768],
            9,
        ),
        (
            "KSPvK",
            [4_670_346, 3_772_646, 5_124_732, 2_952_418],
            [4_670_346, 3_731_732, 5_124_732, 2_912_438],
            21,
        ),
    ] {
        let mate = solved_endings.bia_solution(material(name), Color::White, Goal::Mate);
        assert_eq!(counts(&mate), on_the_board, "{name}");
        let honor = solved_endings.bia_solution(material(name), Color::White, HONOR);
        assert_eq!(counts(&honor), in_makruk, "{name}");
        assert_eq!(longest(&honor)[0], most_moves, "{name}");
    }
}

/// Three numbers of positions with White to move: those that it wins and in which a bia can
/// promote, those of them in which every promotion throws the win away, and those in which only the
/// count is the reason.
fn promotions(solved_endings: &mut SolvedEndings, name: &str) -> [u64; 3] {
    let honor = solved_endings.bia_solution(material(name), Color::White, HONOR);
    let mut promoted = material(name);
    promoted.white = promoted.white.without(Role::Bia).unwrap().with(Role::Met);
    let mate = SolvedEndings::new().solution(promoted, Color::White, Goal::Mate);
    let available = |turn| {
        let count = Count::Fresh;
        moves_available(RuleSet::Makruk, promoted, Color::White, turn, &count).unwrap()
    };
    let mut found = [0; 3];
    for slice in honor.slices() {
        let layout = &slice.layout;
        let bia = layout.bia();
        let on = bia.all().first().unwrap().offset(0, 1).unwrap();
        if Game::Makruk.bia_home(Color::White).contains(on) {
            continue;
        }
        for lane in 0..layout.lanes() {
            let (slab, men) = layout.men(lane);
            let king = layout.domain()[slab];
            let all = men.iter().fold(bia.all().with(king), |all, &men| all | men);
            if all.len() != 2 + men.len() || all.contains(on) {
                continue;
            }
            let (transform, after) = mate.layout.lane(king, |g| {
                let group = mate.layout.groups()[g];
                let like = |g: &Group| g.role == group.role;
                let own = layout.groups().iter().position(like);
                let own = own.map_or(SquareSet::EMPTY, |own| men[own]);
                match group.role {
                    Role::Met => own.with(on),
                    _ => own,
                }
            });
            for square in !all.with(on) {
                if slice.winner_to_move.get(lane, square.index()) == 0 {
                    continue;
                }
                let bit = transform.square(square).index();
                let losers = mate.loser_to_move.as_ref().unwrap();
                let number = u32::from(losers.get(after, bit));
                let weight = layout.weight(king);
                found[0] += weight;
                found[1] += weight * u64::from(number == 0 || number - 1 > available(Color::Black));
                found[2] += weight * u64::from(number > 0 && number - 1 > available(Color::Black));
            }
        }
    }
    found
}

#[test]
fn promoting_at_once_throws_away_as_many_wins_as_known() {
    let mut solved_endings = SolvedEndings::new();
    let found = promotions(&mut solved_endings, "KRPvK");
    assert_eq!(found, [1_247_394, 288_778, 220_586]);
    let found = promotions(&mut solved_endings, "KSPvK");
    assert_eq!(found[..2], [1_217_080, 182_524]);
}

#[test]
fn a_promotion_that_starts_the_count_too_early_is_no_win() {
    let mut solved_endings = SolvedEndings::new();
    for (fen, only, to_honor, promotion, to_mate, left) in [
        ("8/8/8/7P/8/1S6/8/1K1k4 w", "b3c4", 14, "h5h6m", 44, 40),
        ("8/8/8/2P5/3k4/1R6/8/7K w", "b3b5", 0, "c5c6m", 14, 12),
    ] {
        let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
        let honor = solved_endings.bia_solution(position.material(), Color::White, HONOR);
        let distance = moves(&honor, Color::White, &position).unwrap();
        if to_honor > 0 {
            assert_eq!(distance, to_honor, "{fen}");
        }
        for m in position.legal_moves() {
            let after = position.play(m);
            if after.is_pawnless() {
                assert_eq!(m.to_string(), promotion);
                let mut pawnless = SolvedEndings::new();
                let mate = pawnless.solution(after.material(), Color::White, Goal::Mate);
                let after_it = pawnless_moves(&mate, Color::White, &after);
                assert_eq!(after_it, Some(to_mate), "{fen}");
                let count = Count::Fresh;
                let available = moves_available(
                    RuleSet::Makruk,
                    after.material(),
                    Color::White,
                    Color::Black,
                    &count,
                );
                assert_eq!(available, Some(left), "{fen}");
            } else {
                let wins = moves(&honor, Color::White, &after).is_some();
                assert_eq!(wins, m.to_string() == only, "{fen} {m}");
            }
        }
    }
}
