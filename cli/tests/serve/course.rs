//! The questions of the course, compared with the rules written out here once more.

use sakmak::board::{Color, Role};
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet};
use sakmak_explorer::{CourseQuestion, parameters};
use serde_json::Value as Json;

use crate::client::Served;

const LESSONS: [&str; 9] = [
    "limit", "number", "left", "start", "capture", "board", "stop", "baring", "bia",
];

fn question(query: &str) -> Json {
    let asked = CourseQuestion::parse(parameters(query)).unwrap();
    let answer = asked.answer(&Tablebase::new()).unwrap();
    serde_json::from_str(&answer).unwrap()
}

/// White's and Black's men in the letters of makruk, kings left out.
fn men(fen: &str) -> [String; 2] {
    let board = fen.split(' ').next().unwrap();
    let letters = |white: bool| {
        let own = board.chars().filter(|c| c.is_ascii_uppercase() == white);
        own.filter(char::is_ascii_alphabetic)
            .map(|c| match c.to_ascii_uppercase() {
                'B' => 'S',
                'Q' => 'M',
                letter => letter,
            })
            .filter(|&letter| letter != 'K')
            .collect()
    };
    [letters(true), letters(false)]
}

/// The limit against a bare king, as a printed table has it.
fn limit(rules: RuleSet, men: &str) -> Option<u32> {
    let of = |letter| men.matches(letter).count();
    if rules == RuleSet::Asean {
        return [('R', 16), ('S', 44), ('N', 64)]
            .into_iter()
            .find(|&(letter, _)| of(letter) > 0)
            .map(|(_, limit)| limit);
    }
    let makruk = if of('R') > 1 {
        8
    } else if of('R') == 1 {
        16
    } else if of('S') > 1 {
        22
    } else if of('N') > 1 {
        32
    } else if of('S') == 1 {
        44
    } else {
        64
    };
    Some(makruk - u32::from(rules == RuleSet::Ouk))
}

/// The first number against a bare king with this many men on the board.
fn first(rules: RuleSet, men: u32) -> u32 {
    match rules {
        RuleSet::Asean => 1,
        _ => men + 1,
    }
}

/// The right answer by the rules as they are written in docs/counting.md.
fn expected(question: &Json, rules: RuleSet) -> String {
    let fen = question["fen"].as_str().unwrap();
    let [white, black] = men(fen);
    let number = |name: &str| question[name].as_u64().map(|n| n as u32);
    let all = (white.len() + black.len()) as u32 + 2;
    let fields: Vec<&str> = fen.split(' ').collect();
    let bia = format!("{white}{black}").matches('P').count();
    let word = |limit: Option<u32>| limit.map_or("none".to_string(), |limit| limit.to_string());
    match question["ask"].as_str().unwrap() {
        "limit" => word(limit(rules, &white)),
        "first" => first(rules, all).to_string(),
        "next" | "capture" => (number("said").unwrap() + 1).to_string(),
        "limitAfter" => number("limit").unwrap().to_string(),
        "left" => {
            let [plies, counted] = [3, 4].map(|i| fields[i].parse::<u32>().unwrap());
            let to_move = fields[1] == "w";
            let left = (plies - counted + u32::from(!to_move)) / 2 + u32::from(to_move);
            left.to_string()
        }
        "kind" => {
            let bare = black.is_empty();
            let few = white.len().min(black.len()) < 3;
            let kind = match rules {
                _ if bare && bia == 0 => limit(rules, &white).map(|_| "pieces-honor"),
                RuleSet::Makruk => (bia == 0).then_some("boards-honor"),
                RuleSet::Ouk => (!bare && few).then_some("boards-honor"),
                RuleSet::Asean => None,
            };
            kind.unwrap_or("none").to_string()
        }
        "again" => "1".to_string(),
        "mateCounted" => "draw".to_string(),
        "mateStopped" => "win".to_string(),
        "bared" => first(rules, all - 1).to_string(),
        "may" => {
            let from = match rules {
                RuleSet::Asean => 0,
                _ => all - 1,
            };
            let left = limit(rules, &white).unwrap() - from;
            match number("needed").unwrap() <= left {
                true => "yes".to_string(),
                false => "no".to_string(),
            }
        }
        "promoted" if bia > 1 => "nothing".to_string(),
        "promoted" => {
            let letter = question["move"]["uci"].as_str().unwrap().chars().nth(4);
            let became = match letter.unwrap() {
                'b' => 'S',
                'q' => 'M',
                letter => letter.to_ascii_uppercase(),
            };
            let now = white.replace('P', &became.to_string());
            match limit(rules, &now) {
                None => "nothing".to_string(),
                Some(_) => first(rules, all).to_string(),
            }
        }
        "taken" if rules == RuleSet::Asean => "nothing".to_string(),
        "taken" => (all - 1).to_string(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_thousand_questions_have_the_answers_of_the_rules() {
    let mut asked = std::collections::BTreeMap::new();
    for seed in 0..45u64 {
        for rules in RuleSet::ALL {
            for lesson in LESSONS {
                if rules == RuleSet::Asean && ["board", "stop"].contains(&lesson) {
                    continue;
                }
                let question = question(&format!("lesson={lesson}&rules={rules}&seed={seed}"));
                let right = question["right"].as_u64().unwrap() as usize;
                let options = question["options"].as_array().unwrap();
                assert_eq!(options[right], expected(&question, rules), "{question}");
                let mut different = options.clone();
                different.sort_by_key(Json::to_string);
                different.dedup();
                assert_eq!(different.len(), options.len(), "{question}");
                assert!(options.len() > 1, "{question}");
                let ask = question["ask"].as_str().unwrap().to_string();
                *asked.entry(ask).or_insert(0) += 1;
            }
        }
    }
    assert!(asked.values().sum::<i32>() >= 1000, "{asked:?}");
    assert_eq!(asked.len(), 14, "{asked:?}");
    assert!(asked.values().all(|&times| times > 20), "{asked:?}");
}

#[test]
fn a_move_of_a_question_advances_the_count_as_a_probe_does() {
    for seed in 0..60u64 {
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            for lesson in ["capture", "board", "baring"] {
                let question = question(&format!("lesson={lesson}&rules={rules}&seed={seed}"));
                let Some(after) = question["move"]["fen"].as_str() else {
                    continue;
                };
                let before = rules.read_fen(question["fen"].as_str().unwrap()).unwrap();
                let after = rules.read_fen(after).unwrap();
                let count = Count::from_fen(&before);
                let next = count.after(rules, &before.position, &after.position, Color::White);
                // A baring begins a count; other captures go on with one.
                let bared = lesson == "baring" || count.running().is_some();
                assert!(bared && next == Count::from_fen(&after), "{question}");
                assert_eq!(after.position.men(Color::Black, Role::Bia).len(), 0);
            }
        }
    }
}

#[test]
fn questions_about_promotion_have_the_answer_of_the_tables() {
    let served = crate::bia::served();
    let mut answers = [0, 0];
    for seed in 0..12 {
        let path = format!("/v1/course?lesson=promote&ending=KSPvK&seed={seed}");
        let question = served.get(&path).json();
        let fen = question["fen"].as_str().unwrap().replace(' ', "_");
        let probe = served.get(&format!("/v1/probe?fen={fen}")).json();
        let moves = probe["moves"].as_array().unwrap();
        let promotion = moves
            .iter()
            .find(|m| m["uci"] == question["move"]["uci"])
            .unwrap();
        assert_eq!(probe["category"], "win");
        let now = promotion["category"] == "win";
        let right = question["right"].as_u64().unwrap() as usize;
        let word = if now { "promote" } else { "wait" };
        assert_eq!(question["options"][right], word, "{question}");
        answers[usize::from(now)] += 1;
    }
    assert_eq!(answers, [6, 6]);
}

#[test]
fn a_lesson_that_is_none_is_refused_with_those_there_are() {
    let served = Served::shared();
    for (query, words) in [
        ("", "no lesson is given"),
        ("lesson=x", "give limit, number"),
        ("lesson=board&rules=asean", "no board's honor"),
        ("lesson=promote", "ending=KSPvK"),
        ("lesson=promote&ending=KRvK", "ending=KSPvK"),
        ("lesson=limit&seed=x", "a whole number"),
    ] {
        let reply = served.get(&format!("/v1/course?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        let message = reply.json()["error"]["message"].to_string();
        assert!(message.contains(words), "{query}: {message}");
    }
}
