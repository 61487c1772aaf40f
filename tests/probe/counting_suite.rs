//! The counting suite of `docs/engine/counting-suite.md`: the count after each move of some hundred
//! games, which `tools/counting/make.py` computes without the library.

use sakmak::board::Color;
use sakmak::game::{BoardsHonor, GameBoard, GameCount, GameState};
use sakmak::rules::{FIFTY_MOVES_PLIES, RuleSet, moves_available};
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../data/counting.json")).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The count at a moment, as the suite writes it.
fn written(count: &GameCount, board: &GameBoard) -> Value {
    let (rules, counters) = (board.rules(), count.counters);
    let left = |side: Color| {
        let material = board.position().material();
        let left = moves_available(rules, material, side, board.turn(), &count.count(rules))?;
        // Without a count, the library adds the count that begins now.
        match (counters.limit, rules) {
            (0, RuleSet::Asean) => {
                let plies = FIFTY_MOVES_PLIES.saturating_sub(counters.clock);
                Some((plies + u32::from(board.turn() == side)) / 2)
            }
            (0, _) => None,
            _ => Some(left),
        }
    };
    json!({
        "count": match counters.limit {
            0 => format!("- {}", counters.clock),
            limit => format!("{limit} {}", counters.counted),
        },
        "clock": counters.clock,
        "number": count.number(),
        "moves_left": {"white": left(Color::White), "black": left(Color::Black)},
        "over": count.is_over(rules),
    })
}

/// The result and the reason.
fn outcome(count: &GameCount, board: &GameBoard) -> [&'static str; 2] {
    let rules = board.rules();
    let draw = "1/2-1/2";
    if board.legal_moves().is_empty() {
        return match (board.is_check(), board.turn()) {
            (false, _) => [draw, "stalemate"],
            (true, Color::White) => ["0-1", "checkmate"],
            (true, Color::Black) => ["1-0", "checkmate"],
        };
    }
    if rules.is_insufficient(board.position().material()) {
        return [draw, "insufficient-material"];
    }
    match count.is_over(rules) {
        false => ["*", "open"],
        true if count.counters.limit > 0 && count.counters.counted > count.counters.limit => {
            [draw, "count"]
        }
        true => [draw, "fifty-moves"],
    }
}

#[test]
fn every_game_of_the_counting_suite_is_counted_as_written() {
    let cases = cases();
    assert!(cases.len() >= 350, "{} cases", cases.len());
    for case in cases {
        let id = text(&case["id"]);
        let rules: RuleSet = text(&case["rules"]).parse().unwrap();
        let choice = match text(&case["boards_honor"]) {
            "automatic" => BoardsHonor::Automatic,
            "not-counted" => BoardsHonor::NotCounted,
            "white" => BoardsHonor::By(Color::White),
            "black" => BoardsHonor::By(Color::Black),
            other => panic!("{id}: {other}"),
        };
        let mut state = GameState::from_fen(text(&case["fen"]), rules).unwrap();
        let mut count = GameCount::start(&state, choice);
        let mut found = vec![written(&count, &state.board)];
        for word in case["moves"].as_array().unwrap() {
            let position = *state.board.position();
            match text(word) {
                "begin" => count = count.begin(rules, &position).unwrap(),
                "stop" => count = count.stop(&position),
                uci => {
                    state = state.replay([uci]).unwrap();
                    count = count.after(rules, &position, state.board.position());
                }
            }
            found.push(written(&count, &state.board));
        }
        for (place, expected) in case["after"].as_array().unwrap().iter().enumerate() {
            assert_eq!(found[place], *expected, "{id}, after {place} moves");
        }
        assert_eq!(found.len(), case["after"].as_array().unwrap().len(), "{id}");
        let expected = [text(&case["result"]), text(&case["reason"])];
        assert_eq!(outcome(&count, &state.board), expected, "{id}");
    }
}

#[test]
fn the_page_of_the_counting_suite_names_every_theme_and_the_number_of_games() {
    let page = include_str!("../../docs/engine/counting-suite.md");
    let cases = cases();
    let expected = format!("a JSON list of {} games", cases.len());
    assert!(page.contains(&expected), "{expected}");
    for case in &cases {
        let theme = format!("`{}`", text(&case["theme"]));
        assert!(page.contains(&theme), "{theme}");
        for authority in case["authority"].as_array().unwrap() {
            let is_game = text(&case["theme"]) == "real-game";
            let name = format!("`{}`", text(authority));
            assert!(is_game || page.contains(&name), "{name}");
        }
    }
}
