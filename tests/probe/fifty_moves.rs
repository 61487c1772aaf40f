//! ASEAN chess: a capture by the bare king restarts the fifty-move rule, whatever the limit of the
//! count.

use sakmak::board::{Fen, Lettering};
use sakmak::probe::Options;
use sakmak::rules::{Category, Count, RuleSet};

use crate::common::{positions, tablebase, tables};

const RULES: RuleSet = RuleSet::Asean;

fn read(fen: &str) -> Fen {
    Fen::parse(fen, Lettering::Asean).unwrap()
}

/// The limit of 64 moves is further away than the fifty-move rule, which leaves two moves.
#[test]
fn a_capture_by_the_bare_king_has_the_value_of_the_next_position() {
    let tablebase = tablebase(tables(), &Options::default());
    // In the first position the king must capture and is mated in ten; in the second it has other
    // moves.
    for (fen, best) in [
        ("kR6/8/6K1/8/8/8/R7/8 b - 128 95 2", Category::Loss),
        ("7K/8/8/2R5/8/8/8/3kR3 b - 128 95 2", Category::BlessedLoss),
    ] {
        let answer = tablebase
            .answer(&read(fen), RULES)
            .unwrap()
            .with_distances()
            .unwrap();
        assert_eq!(answer.value.category, best, "{fen}");
        assert_eq!(answer.moves[0].category, best, "{fen}");
        let captures = answer.moves.iter().filter(|ranked| ranked.capture);
        assert!(captures.clone().count() > 0, "{fen}");
        for ranked in captures {
            assert_eq!(ranked.category, Category::Loss, "{fen}: {}", ranked.m);
        }
    }
    let mut captures = 0;
    let counts = [95, 60, 20].map(|counted| Count::of_plies(128, counted));
    for position in positions("KRRvK".parse().unwrap(), 4000) {
        let bare = position.turn();
        if position.material().bare_side() != Some(bare) {
            continue;
        }
        for count in counts {
            let ranked = tablebase.best_moves(&position, RULES, &count).unwrap();
            for ranked in ranked.iter().filter(|ranked| ranked.capture) {
                let next = position.play(ranked.m);
                let after = count.after(RULES, &position, &next, !bare);
                let value = tablebase.probe(&next, RULES, &after).unwrap();
                assert_eq!(
                    ranked.category, -value.category,
                    "{position:?} {}",
                    ranked.m
                );
                captures += 1;
            }
        }
    }
    assert!(captures > 100, "{captures}");
}
