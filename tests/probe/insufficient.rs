//! Material with which no mate is possible: every material of up to four men, against a search of
//! all its positions for mates, and lines that end in mate after a promotion.

use std::collections::BTreeSet;

use sakmak::board::{Color, Game, Position, Role, Square, SquareSet};
use sakmak::game::GameState;
use sakmak::material::{Army, Material};
use sakmak::rules::RuleSet;

/// Lines in which both sides help to mate after a promotion, for the materials without mates of
/// their own.
const HELPMATES: [(RuleSet, &str, &str); 12] = {
    use RuleSet::{Asean, Makruk, Ouk};
    const MET: (&str, &str) = ("5K1k/8/6m1/5P2/8/8/8/8 w", "f5f6m g6h7 f6g7");
    const KNIGHT: (&str, &str) = ("5n1k/5K2/8/5P2/8/8/8/8 w", "f5f6m f8h7 f6g7");
    const OWN_KNIGHT: (&str, &str) = ("1k6/4N3/1K6/2P5/8/8/8/8 w", "c5c6m b8a8 c6b7 a8b8 e7c6");
    const TWO: (&str, &str) = ("8/k1K5/8/1PP5/8/8/8/8 w", "c5c6m a7a8 c6b7 a8a7 b5b6m");
    const BIA: (&str, &str) = (
        "8/8/8/4P3/6p1/8/8/5K1k w",
        "e5e6m g4g3m e6f5 h1h2 f5e4 h2h1 e4f3 g3h2 f3g2",
    );
    [
        (Makruk, MET.0, MET.1),
        (Makruk, KNIGHT.0, KNIGHT.1),
        (Makruk, BIA.0, BIA.1),
        (Makruk, OWN_KNIGHT.0, OWN_KNIGHT.1),
        (Makruk, TWO.0, TWO.1),
        (Ouk, MET.0, MET.1),
        (Ouk, KNIGHT.0, KNIGHT.1),
        (Ouk, BIA.0, BIA.1),
        (Ouk, OWN_KNIGHT.0, OWN_KNIGHT.1),
        (Ouk, TWO.0, TWO.1),
        (Asean, "7k/5P2/6K1/8/8/8/8/8 w", "f7f8r"),
        (Asean, "7k/5P2/6K1/8/8/p7/8/8 w", "f7f8r"),
    ]
};

/// All materials of three and four men, each once.
fn materials() -> BTreeSet<String> {
    let mut armies = vec![Army::BARE];
    for role in Role::MEN {
        armies.push(Army::BARE.with(role));
        armies.extend(Role::MEN.map(|other| Army::BARE.with(role).with(other)));
    }
    let pairs = armies.iter().flat_map(|&white| {
        armies
            .iter()
            .map(move |&black| Material::new([white, black]))
    });
    let few = pairs.filter(|material| (3..=4).contains(&material.men()));
    few.map(|material| material.canonical().0.to_string())
        .collect()
}

/// The squares of a man; of the kings, the corners first.
fn squares(rules: RuleSet, color: Color, role: Role) -> Vec<Square> {
    let game = rules.game();
    let mut squares: Vec<Square> = SquareSet::ALL
        .into_iter()
        .filter(|&square| {
            let rank = match color {
                Color::White => square.rank(),
                Color::Black => 7 - square.rank(),
            };
            role != Role::Bia || rank >= 2 && !game.promotes(color, square)
        })
        .collect();
    if role == Role::King {
        let corner = |square: &Square| square.file() % 7 + square.rank() % 7;
        squares.sort_by_key(corner);
    }
    squares
}

/// True if a position of these men is mate.
fn has_mate(rules: RuleSet, material: Material) -> bool {
    fn place(men: &mut Vec<(Square, Color, Role)>, left: &[(Color, Role, Vec<Square>)]) -> bool {
        let Some(((color, role, squares), left)) = left.split_first() else {
            let is_mate = |turn| {
                let position = Position::from_men(men.iter().copied(), turn);
                position.is_ok_and(|position| position.is_checkmate())
            };
            return Color::ALL.into_iter().any(is_mate);
        };
        squares.iter().any(|&square| {
            men.push((square, *color, *role));
            let found = place(men, left);
            men.pop();
            found
        })
    }
    let men = material.roles();
    let men: Vec<_> = men
        .map(|(color, role)| (color, role, squares(rules, color, role)))
        .collect();
    place(&mut Vec::new(), &men)
}

/// The materials that captures and promotions lead to, and the material itself.
fn closure(game: Game, material: Material) -> Vec<Material> {
    let mut found = vec![material];
    let mut at = 0;
    while let Some(&material) = found.get(at) {
        at += 1;
        for color in Color::ALL {
            let army = material.army(color);
            for role in Role::MEN {
                let Some(rest) = army.without(role) else {
                    continue;
                };
                let mut next = vec![rest];
                if role == Role::Bia {
                    next.extend(game.promotions().iter().map(|&role| rest.with(role)));
                }
                for army in next {
                    let next = material.with_army(color, army);
                    if !found.contains(&next) {
                        found.push(next);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn a_material_without_any_mate_is_told_from_one_with_a_helpmate() {
    let all = materials();
    assert_eq!(all.len(), 35);
    for rules in RuleSet::ALL {
        let mut insufficient = Vec::new();
        let mut helped = Vec::new();
        for name in &all {
            let material: Material = name.parse().unwrap();
            let game = rules.game();
            if rules.is_insufficient(material) {
                for of in closure(game, material) {
                    assert!(!has_mate(rules, of), "{rules} {name} {of}");
                }
                insufficient.push(name.as_str());
            } else if !has_mate(rules, material) {
                helped.push(name.clone());
            }
        }
        let bia = (rules != RuleSet::Asean).then_some("KPvK");
        let expected = ["KMvK", "KNvK"].into_iter().chain(bia);
        assert!(
            insufficient.iter().copied().eq(expected),
            "{insufficient:?}"
        );
        // These have no mate of their own, but each has a line to one.
        let mut lines: Vec<String> = HELPMATES
            .iter()
            .filter(|(of, _, _)| *of == rules)
            .map(|(_, fen, _)| {
                let state = GameState::from_fen(fen, rules).unwrap();
                state.board.position().material().canonical().0.to_string()
            })
            .collect();
        lines.sort();
        assert_eq!(helped, lines, "{rules}");
    }
}

#[test]
fn both_sides_together_mate_after_a_promotion() {
    for (rules, fen, moves) in HELPMATES {
        let state = GameState::from_fen(fen, rules).unwrap();
        let end = state.replay(moves.split(' ')).unwrap();
        assert!(end.board.is_checkmate(), "{rules} {fen} {moves}");
        for state in [state, end] {
            let material = state.board.position().material();
            assert!(!rules.is_insufficient(material), "{rules} {state}");
        }
    }
}

#[test]
fn two_kings_and_many_men_are_judged_too() {
    for rules in RuleSet::ALL {
        assert!(rules.is_insufficient(Material::BARE_KINGS));
        for name in ["KMMMMMMvK", "KPPvK", "KRRNNSMvK"] {
            assert!(!rules.is_insufficient(name.parse().unwrap()), "{name}");
        }
    }
}

/// The statistics of every published table tell whether its ending has a won position.
#[test]
fn every_published_ending_agrees() {
    let text = include_str!("../../tables/published.json");
    let published: serde_json::Value = serde_json::from_str(text).unwrap();
    let tables = published["tables"].as_object().unwrap();
    for (name, table) in tables {
        let material: Material = name.parse().unwrap();
        let is_won = |name: &Material| {
            let table = &tables[&name.canonical().0.to_string()];
            let sides = ["white_to_move", "black_to_move"];
            let mut wins = sides.into_iter().flat_map(|side| {
                let sums = &table["statistics"][0][side];
                ["white_wins", "black_wins"].map(|wins| sums[wins].as_u64().unwrap())
            });
            wins.any(|n| n > 0)
        };
        let rules = match material.game() {
            Game::Makruk => RuleSet::Makruk,
            Game::Asean => RuleSet::Asean,
        };
        let of_all = closure(material.game(), material);
        let mut with_table = of_all.iter().filter(|of| of.men() > 2);
        assert_eq!(
            rules.is_insufficient(material),
            !with_table.any(is_won),
            "{name} {table}"
        );
    }
    assert!(tables.len() > 150);
}
