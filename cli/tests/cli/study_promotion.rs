//! What `sakmak study` says of promotion.

use sakmak::board::{Color, Game, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, Count, RuleSet};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{bia_tables, json, run};

/// The figures of K+R+P v K and K+S+P v K from another solver, with White to move.
#[test]
fn promotion_at_once_is_counted_as_another_solver_counted_it() {
    let report = json(bia_tables(), ["study", "KRPvK", "KSPvK", "KMPvK", "--json"]);
    let of = |name: &str| {
        let endings = report["endings"].as_array().unwrap().iter();
        let mut named = endings.filter(|ending| ending["material"] == name);
        let ending = named.next().unwrap();
        ending["promotion"]["promotions"][0].clone()
    };
    for (name, figures) in [
        (
            "KRPvK",
            [3_944_668, 3_944_380, 3_944_668, 1_247_394, 288_778, 220_586],
        ),
        (
            "KSPvK",
            [4_670_346, 3_731_732, 3_772_646, 1_217_080, 182_524, 0],
        ),
    ] {
        let scan = of(name);
        let [legal, won, on_board, possible, throws, by_count] = figures;
        for (field, figure) in [
            ("legal", legal),
            ("won", won),
            ("won_on_board", on_board),
            ("possible", possible),
            ("throws", throws),
            ("throws_by_count", by_count),
        ] {
            if figure > 0 {
                assert_eq!(scan[field], figure, "{name} {field}");
            }
        }
        assert_eq!(scan["side"], "white");
        // The squares of a bia add up to all positions, and so do the steps of the king.
        for part in ["squares", "king"] {
            let parts = scan[part].as_array().unwrap().iter();
            for field in ["legal", "won"] {
                let sum: u64 = parts
                    .clone()
                    .map(|part| part[field].as_u64().unwrap())
                    .sum();
                assert_eq!(scan[field], sum, "{name} {part} {field}");
            }
        }
        let squares = scan["squares"].as_array().unwrap().iter();
        let sum = |field: &str| -> u64 {
            let of = squares
                .clone()
                .map(|square| square[field].as_u64().unwrap());
            of.sum()
        };
        assert_eq!(
            [sum("possible"), sum("throws")],
            [possible, throws],
            "{name}"
        );
        for fen in scan["examples"].as_array().unwrap() {
            let fen = fen.as_str().unwrap();
            let answer = json(bia_tables(), ["probe", "--json", fen]);
            assert_eq!(answer["category"], "win", "{fen}");
            let moves = answer["moves"].as_array().unwrap().iter();
            let mut promotions = moves.filter(|m| m["uci"].as_str().unwrap().ends_with('m'));
            assert_eq!(
                promotions.next().unwrap()["category"],
                "cursed-win",
                "{fen}"
            );
        }
    }
}

#[test]
fn the_weaker_side_s_last_bia_is_looked_at() {
    let report = json(bia_tables(), ["study", "KRvKP", "--json"]);
    // With its subendings.
    let mut endings = report["endings"].as_array().unwrap().iter();
    let ending = endings.find(|ending| ending["material"] == "KRvKP");
    let study = &ending.unwrap()["promotion"];
    // White has no bia to promote.
    let promotions = study["promotions"].as_array().unwrap();
    assert!(promotions.iter().all(|scan| scan["side"] == "black"));
    let scan = &study["last_bia"][0];
    assert_eq!(scan["side"], "black");
    let held = scan["held"].as_u64().unwrap();
    // The header gives the same for all positions with Black to move.
    let stats = json(bia_tables(), ["stats", "KRvKP", "--json"]);
    let makruk = &stats["rules"][0]["black_to_move"];
    assert_eq!(makruk["blessed_loss"], held);
    for (field, saves) in [("promotion_examples", true), ("giving_up_examples", false)] {
        for fen in scan[field].as_array().unwrap() {
            let answer = json(bia_tables(), ["probe", "--json", fen.as_str().unwrap()]);
            assert_eq!(answer["category"], "blessed-loss", "{fen}");
            let first = answer["moves"][0]["uci"].as_str().unwrap();
            assert_eq!(first.ends_with('m'), saves, "{fen} {first}");
        }
    }
}

#[test]
fn a_report_says_what_promotion_comes_to() {
    let run = run(
        bia_tables(),
        [
            "study", "KRPvK", "KSPvK", "KMPvK", "--rules", "makruk", "--format", "md",
        ],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    for part in [
        "**Do not promote yet.**",
        "in KRPvK 288,778 of 1,247,394 (23.15 %), 220,586 of them only because of the count",
        "### Promoting at once",
        "### What a bia is worth",
        "### Where the bia should stand",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

/// Makes the tables of an ending for a rule set, and compares the study of White's promotions with
/// probes of every position and every promotion.
fn assert_promotions_are_those_of_probes(name: &str, rules: RuleSet) {
    let directory = TempDir::new().unwrap();
    let arguments = ["generate", name, "--verdicts", "--rules", rules.name()];
    let made = run(directory.path(), arguments);
    assert_eq!(made.code, 0, "{}", made.err);
    let report = json(
        directory.path(),
        ["study", name, "--rules", rules.name(), "--json"],
    );
    let name = format!("{name}{}", rules.game().suffix());
    let mut endings = report["endings"].as_array().unwrap().iter();
    let ending = endings.find(|ending| ending["material"] == name.as_str());
    let mut scans = ending.unwrap()["promotion"]["promotions"]
        .as_array()
        .unwrap()
        .iter();
    let is_wanted = |scan: &&Json| scan["rules"] == rules.name() && scan["side"] == "white";
    let scan = scans.find(is_wanted).unwrap();

    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    let material: CanonicalMaterial = name.parse().unwrap();
    let category = |position: &Position| {
        let found = tablebase.category(position, rules, &Count::Fresh);
        found.unwrap()
    };
    let [mut legal, mut won, mut possible, mut throws, mut by_count] = [0u64; 5];
    let roles = rules.game().promotions();
    let mut men = vec![[0u64; 2]; roles.len()];
    for_each_position(material, |position| {
        legal += 1;
        if category(&position) != Category::Win {
            return;
        }
        won += 1;
        let moves = position.legal_moves_in(rules.game());
        let promotions = moves.iter().filter(|m| m.promotion.is_some());
        let results: Vec<(Role, Category)> = promotions
            .map(|m| (m.promotion.unwrap(), category(&position.play(*m))))
            .collect();
        let keeps = |role: Role| results.contains(&(role, Category::Loss));
        possible += u64::from(!results.is_empty());
        let kept: Vec<bool> = roles.iter().map(|&role| keeps(role)).collect();
        let keeping = kept.iter().filter(|&&kept| kept).count();
        for (sums, kept) in men.iter_mut().zip(kept) {
            sums[0] += u64::from(kept);
            sums[1] += u64::from(kept && keeping == 1);
        }
        if !results.is_empty() && keeping == 0 {
            throws += 1;
            let is_late = results
                .iter()
                .any(|&(_, after)| after == Category::BlessedLoss);
            by_count += u64::from(is_late);
        }
    });
    for (field, found) in [
        ("legal", legal),
        ("won", won),
        ("possible", possible),
        ("throws", throws),
        ("throws_by_count", by_count),
    ] {
        assert_eq!(scan[field], found, "{name} {rules} {field}");
    }
    for (found, (role, [keeps, only])) in scan["men"]
        .as_array()
        .unwrap()
        .iter()
        .zip(roles.iter().zip(men))
    {
        assert_eq!(found["man"], role.letter().to_string());
        assert_eq!(
            (&found["keeps"], &found["only"]),
            (&keeps.into(), &only.into()),
            "{name} {role:?}"
        );
    }
    assert!(possible > 0, "{name}");
}

/// Calls `visit` with every legal position of an ending with White to move. Like men are not told
/// apart.
fn for_each_position(material: CanonicalMaterial, mut visit: impl FnMut(Position)) {
    let mut men = vec![(Color::White, Role::King), (Color::Black, Role::King)];
    for color in Color::ALL {
        for (role, count) in material.army(color).groups() {
            men.extend((0..count).map(|_| (color, role)));
        }
    }
    let game = material.material().game();
    place(game, &men, &mut Vec::new(), &mut visit);
}

/// Places the men on every set of squares.
fn place(
    game: Game,
    men: &[(Color, Role)],
    placed: &mut Vec<(Square, Color, Role)>,
    visit: &mut impl FnMut(Position),
) {
    let Some((&(color, role), rest)) = men.split_first() else {
        if let Ok(position) = Position::from_men(placed.iter().copied(), Color::White) {
            visit(position);
        }
        return;
    };
    for square in Square::all() {
        let is_taken = placed.iter().any(|man| man.0 == square);
        let is_twin = |man: &&(Square, Color, Role)| (man.1, man.2) == (color, role);
        let is_ordered = placed.iter().filter(is_twin).all(|man| man.0 < square);
        let can_stand = role != Role::Bia || game.bia_home(color).contains(square);
        if !is_taken && is_ordered && can_stand {
            placed.push((square, color, role));
            place(game, rest, placed, visit);
            placed.pop();
        }
    }
}

#[test]
fn promotions_of_asean_chess_are_those_of_probes() {
    assert_promotions_are_those_of_probes("KPvK", RuleSet::Asean);
}

/// Captures with a promotion too, and bia of both sides.
#[test]
#[ignore = "slow: run with --ignored"]
fn promotions_of_four_men_are_those_of_probes() {
    for (name, rules) in [
        ("KRPvK", RuleSet::Ouk),
        ("KPPvK", RuleSet::Asean),
        ("KNPvK", RuleSet::Asean),
        ("KPvKP", RuleSet::Asean),
    ] {
        assert_promotions_are_those_of_probes(name, rules);
    }
}
