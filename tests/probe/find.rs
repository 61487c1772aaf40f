//! What is found is what a look at every position finds.

use std::collections::{BTreeMap, BTreeSet};

use sakmak::board::{Color, Position, Role, Square};
use sakmak::find::{Capture, Finder, FirstMove, Found, Wanted};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Options, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

use crate::common::{tablebase, tables};

/// What is to be known of a position.
#[derive(Clone, Debug)]
struct Facts {
    turn: Color,
    category: Category,
    dtm: Option<u32>,
    margin: Option<i32>,
    zugzwang: bool,
    /// By what the best move is worth as a result: the moves that keep it, of all.
    best: i8,
    keeping: Vec<(bool, bool)>,
    legal: usize,
    capture_fails: bool,
    bare: bool,
}

fn result(category: Category) -> i8 {
    match category {
        Category::Win => 1,
        Category::CursedWin | Category::Draw | Category::BlessedLoss => 0,
        Category::Loss => -1,
    }
}

/// Every placement of the men on the 64 squares.
fn every_position(material: CanonicalMaterial, turn: Color, mut visit: impl FnMut(Position)) {
    let men: Vec<(Color, Role)> = material.material().roles().collect();
    let mut squares = vec![0usize; men.len()];
    loop {
        let placed = men.iter().zip(&squares);
        let placed =
            placed.map(|(&(color, role), &square)| (Square::wrapping(square), color, role));
        if let Ok(position) = Position::from_men(placed, turn) {
            visit(position);
        }
        let Some(next) = squares.iter().rposition(|&square| square < 63) else {
            return;
        };
        squares[next] += 1;
        squares[next + 1..].fill(0);
    }
}

/// The squares of the men of each kind, sorted, of every image of a position: the least.
fn family(position: &Position, material: CanonicalMaterial) -> Vec<u8> {
    let khon = material.has_khon();
    let images = (0..8u8).filter(|&bits| !khon || bits < 2).map(|bits| {
        let move_square = |square: Square| {
            let (mut file, mut rank) = (square.file(), square.rank());
            if bits & 1 != 0 {
                file = 7 - file;
            }
            if bits & 2 != 0 {
                rank = 7 - rank;
            }
            if bits & 4 != 0 {
                (file, rank) = (rank, file);
            }
            rank * 8 + file
        };
        let mut key = vec![position.turn() as u8];
        for color in Color::ALL {
            for role in Role::ALL {
                let mut men: Vec<u8> = position.men(color, role).map(move_square).collect();
                men.sort_unstable();
                key.push(100);
                key.extend(men);
            }
        }
        key
    });
    images.min().unwrap()
}

fn facts(tablebase: &Tablebase, rules: RuleSet, position: &Position) -> Option<Facts> {
    let value = tablebase.probe(position, rules, &Count::Fresh).unwrap();
    let moves = tablebase
        .best_moves(position, rules, &Count::Fresh)
        .unwrap();
    let results: Vec<i8> = moves.iter().map(|m| result(m.category)).collect();
    let best = results.iter().copied().max().unwrap_or(0);
    let keeping = moves
        .iter()
        .zip(&results)
        .filter(|&(_, &result)| result == best);
    let distance = match value.dth {
        Some(dth) => dth,
        None => value.dtm,
    };
    let men = Color::ALL.map(|color| position.by_color(color));
    let roles = Role::ALL.map(|role| position.by_role(role));
    let passed = Position::new(men, roles, !position.turn()).ok();
    let sign = |distance: Distance| match distance {
        Distance::Win(_) => 1,
        Distance::Draw => 0,
        Distance::Loss(_) => -1,
    };
    let zugzwang = passed.is_some_and(|passed| {
        let other = sign(tablebase.dtm(&passed).unwrap());
        sign(value.dtm) < -other
    });
    let captures = moves.iter().zip(&results).filter(|(m, _)| m.capture);
    Some(Facts {
        turn: position.turn(),
        category: value.category,
        dtm: value.dtm.moves().map(|moves| moves.0.into()),
        margin: value
            .allowance
            .zip(distance.moves())
            .map(|(allowance, moves)| allowance.moves_available as i32 - i32::from(moves.0)),
        zugzwang,
        best,
        keeping: keeping
            .map(|(m, _)| (m.capture, position.play(m.m).is_check()))
            .collect(),
        legal: moves.len(),
        capture_fails: captures.into_iter().any(|(_, &result)| result < best),
        bare: position.by_color(position.turn()).len() == 1,
    })
}

/// What an option asks for.
type Asked = Box<dyn Fn(&Facts) -> bool>;

/// Every option, each with what it asks for.
fn options(rules: RuleSet) -> Vec<(Wanted, Asked)> {
    let plain = || Wanted {
        turn: None,
        ..Wanted::new(rules)
    };
    let mut all: Vec<(Wanted, Asked)> = vec![(plain(), Box::new(|_| true))];
    let mut add = |wanted: Wanted, is: Asked| all.push((wanted, is));
    for turn in Color::ALL {
        let turned = Wanted {
            turn: Some(turn),
            ..plain()
        };
        add(turned, Box::new(move |facts| facts.turn == turn));
    }
    for category in Category::ALL {
        let wanted = Wanted {
            category: Some(category),
            ..plain()
        };
        add(wanted, Box::new(move |facts| facts.category == category));
        let only = Wanted {
            category: Some(category),
            turn: Some(Color::White),
            ..plain()
        };
        add(
            only,
            Box::new(move |facts| facts.category == category && facts.turn == Color::White),
        );
    }
    for margin in [-3, -1, 0, 1, 5] {
        let wanted = Wanted {
            margin: Some(margin),
            ..plain()
        };
        add(wanted, Box::new(move |facts| facts.margin == Some(margin)));
    }
    let dtm = Wanted {
        dtm: Some(3..=5),
        ..plain()
    };
    add(
        dtm,
        Box::new(|facts| facts.dtm.is_some_and(|dtm| (3..=5).contains(&dtm))),
    );
    let only_move = Wanted {
        only_move: true,
        ..plain()
    };
    add(
        only_move,
        Box::new(|f| f.best >= 0 && f.legal > 1 && f.keeping.len() == 1),
    );
    let throws = Wanted {
        capture: Some(Capture::ThrowsWin),
        ..plain()
    };
    add(throws, Box::new(|f| f.best == 1 && f.capture_fails));
    let saves = Wanted {
        capture: Some(Capture::SavesKing),
        ..plain()
    };
    add(
        saves,
        Box::new(|f| {
            f.bare
                && f.best == 0
                && f.legal > f.keeping.len()
                && f.keeping.iter().all(|&(capture, _)| capture)
        }),
    );
    let zugzwang = Wanted {
        zugzwang: true,
        ..plain()
    };
    add(zugzwang, Box::new(|f| f.zugzwang));
    for first in [FirstMove::Quiet, FirstMove::Check, FirstMove::Capture] {
        let is = move |&(capture, check): &(bool, bool)| match first {
            FirstMove::Quiet => !capture && !check,
            FirstMove::Check => check,
            FirstMove::Capture => capture,
        };
        let wanted = Wanted {
            first_move: Some(first),
            ..plain()
        };
        add(
            wanted,
            Box::new(move |f| f.best >= 0 && f.legal > 0 && f.keeping.iter().all(is)),
        );
    }
    let together = Wanted {
        margin: Some(0),
        only_move: true,
        first_move: Some(FirstMove::Quiet),
        turn: Some(Color::White),
        ..plain()
    };
    add(
        together,
        Box::new(|f| {
            f.turn == Color::White
                && f.margin == Some(0)
                && f.best >= 0
                && f.legal > 1
                && matches!(f.keeping[..], [(false, false)])
        }),
    );
    all
}

/// Looks at every position of an ending, and has everything found.
fn compare(tablebase: &Tablebase, name: &str, rules: RuleSet) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let mut every: BTreeMap<Vec<u8>, Option<Facts>> = BTreeMap::new();
    for turn in Color::ALL {
        every_position(material, turn, |position| {
            every
                .entry(family(&position, material))
                .or_insert_with(|| facts(tablebase, rules, &position));
        });
    }
    let even = material.army(Color::White) == material.army(Color::Black);
    for (wanted, is) in options(rules) {
        // Where the players may change chairs, each position is one with White to move.
        let is_asked =
            |facts: &Facts| !(even && wanted.turn.is_none()) || facts.turn == Color::White;
        let expected: BTreeSet<&Vec<u8>> = every
            .iter()
            .filter(|(_, facts)| {
                facts
                    .as_ref()
                    .is_some_and(|facts| is_asked(facts) && is(facts))
            })
            .map(|(family, _)| family)
            .collect();
        let found = match Finder::new(tablebase, material, &wanted, 5) {
            Ok(finder) => finder.all(),
            Err(error) => panic!("{name} {wanted:?}: {error}"),
        };
        let mut families = BTreeSet::new();
        for found in found {
            let Found { position, .. } = found.unwrap();
            let key = family(&position, material);
            let (key, _) = every.get_key_value(&key).unwrap();
            assert!(
                families.insert(key),
                "{name} {wanted:?}: {position:?} twice"
            );
        }
        assert_eq!(families.len(), expected.len(), "{name} {rules} {wanted:?}");
        assert_eq!(families, expected, "{name} {rules} {wanted:?}");
    }
}

#[test]
fn every_option_finds_what_a_look_at_every_position_finds() {
    let tablebase = tablebase(tables(), &Options::default());
    for (name, rules) in ["KRvK", "KSvK", "KMvK"].into_iter().zip(RuleSet::ALL) {
        compare(&tablebase, name, rules);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_option_finds_the_same_with_three_men_under_every_rule_set() {
    let tablebase = tablebase(tables(), &Options::default());
    for rules in RuleSet::ALL {
        for name in ["KRvK", "KNvK", "KSvK", "KMvK"] {
            compare(&tablebase, name, rules);
        }
    }
}

/// The same for four men: `SAKMAK_ENDINGS` names the endings and `SAKMAK_TABLES` their directory.
#[test]
#[ignore = "slow: run with --ignored"]
fn every_option_finds_the_same_with_four_men() {
    let directory = std::env::var_os("SAKMAK_TABLES");
    let directory = directory
        .as_ref()
        .map_or(tables(), |path| std::path::Path::new(path));
    let tablebase = tablebase(directory, &Options::default());
    let names = std::env::var("SAKMAK_ENDINGS").unwrap_or("KNMvK KRvKN KNvKN KSvKM".to_string());
    for name in names.split(' ') {
        compare(&tablebase, name, RuleSet::Makruk);
        println!("{name} is the same");
    }
}

#[test]
fn men_stand_where_they_are_wanted() {
    let tablebase = tablebase(tables(), &Options::default());
    let wanted = Wanted {
        men: vec!["K@g-h7-8".parse().unwrap(), "k@e4".parse().unwrap()],
        ..Wanted::new(RuleSet::Makruk)
    };
    let mut every = BTreeSet::new();
    let material = "KRvK".parse().unwrap();
    every_position(material, Color::White, |position| {
        if position.king(Color::White).file() >= 6
            && position.king(Color::White).rank() >= 6
            && position.king(Color::Black) == "e4".parse().unwrap()
        {
            every.insert(family(&position, material));
        }
    });
    let finder = Finder::new(&tablebase, material, &wanted, 1).unwrap();
    let mut found = BTreeSet::new();
    for each in finder {
        let position = each.unwrap().position;
        assert!(wanted.men.iter().all(|region| region.holds(&position)));
        found.insert(family(&position, material));
    }
    assert_eq!(found, every);
}

#[test]
fn a_seed_gives_the_same_positions_and_another_others() {
    let tablebase = tablebase(tables(), &Options::default());
    let wanted = Wanted {
        category: Some(Category::Win),
        ..Wanted::new(RuleSet::Makruk)
    };
    let first = |seed| -> Vec<Found> {
        let finder = Finder::new(&tablebase, "KSMvK".parse().unwrap(), &wanted, seed).unwrap();
        finder.take(50).map(Result::unwrap).collect()
    };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
    // In rounds or at once, all come.
    let all = |finder: Finder| {
        let positions = finder.map(|found| format!("{:?}", found.unwrap().position));
        positions.collect::<BTreeSet<_>>()
    };
    let finder = || Finder::new(&tablebase, "KRvK".parse().unwrap(), &wanted, 3).unwrap();
    assert_eq!(all(finder()), all(finder().all()));
    assert_eq!(all(finder()).len(), finder().count());
}
