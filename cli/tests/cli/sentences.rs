//! Checks the sentences of `annotate` in random games: each number in them is counted again here,
//! and must agree with its noun.

use fastrand::Rng;
use sakmak::game::GameState;
use sakmak::game::pgn::Games;
use sakmak::probe::Tablebase;
use sakmak::rules::{LimitKind, RuleSet};
use sakmak_play::annotate::{AnnotateOptions, Annotation, Termination, annotate};

use crate::annotate::annotate as run_annotate;
use crate::common::tables;

/// The men at the start, White's in capitals. Some games reach the tables only later.
const MEN: [&str; 9] = [
    "KRk", "KNMk", "KSk", "KRkn", "KRkr", "KPk", "KRPk", "KRPkm", "KMPkm",
];
const GAMES: usize = 60;
const MOST_PLIES: usize = 120;

fn start(rng: &mut Rng, rules: RuleSet) -> GameState {
    loop {
        let mut squares = ['1'; 64];
        for man in MEN[rng.usize(..MEN.len())].chars() {
            let man = match rules {
                RuleSet::Asean => match man {
                    'S' => 'B',
                    'M' => 'Q',
                    'm' => 'q',
                    man => man,
                },
                _ => man,
            };
            squares[rng.usize(..64)] = man;
        }
        let ranks: Vec<String> = squares.chunks(8).map(String::from_iter).collect();
        let count = match rng.u32(..3) {
            0 => "- 0".to_string(),
            1 => format!("- {}", rng.u32(..40)),
            _ => format!("{} {}", 2 * rng.u32(5..64), rng.u32(..30)),
        };
        let turn = if rng.bool() { 'w' } else { 'b' };
        let fen = format!("{} {turn} - {count} 40", ranks.join("/"));
        if let Ok(state) = GameState::from_fen(&fen, rules) {
            return state;
        }
    }
}

/// A random game as PGN: each move is the best with this probability, if the tables know it, else
/// any.
fn game(rng: &mut Rng, tablebase: &Tablebase, rules: RuleSet) -> String {
    let mut state = start(rng, rules);
    let skill = [0; 2].map(|_| [0.0, 0.5, 0.9, 1.0][rng.usize(..4)]);
    let variant = sakmak::game::pgn::variant_of_rules(rules);
    let mut text = format!("[Variant \"{variant}\"]\n[FEN \"{state}\"]\n\n");
    for ply in 0..rng.usize(..MOST_PLIES) {
        let legal = state.board.legal_moves();
        if legal.is_empty() {
            break;
        }
        let best = state.tabled().and_then(|(position, count)| {
            let ranked = tablebase.best_moves(&position, rules, &count).ok()?;
            let first = ranked.first()?.m;
            legal
                .iter()
                .copied()
                .find(|m| (m.from, m.to) == (first.from, first.to))
        });
        let m = best
            .filter(|_| rng.f64() < skill[ply % 2])
            .unwrap_or(legal[rng.usize(..legal.len())]);
        text += &state.board.san(m);
        text.push(' ');
        state = state.play(m);
    }
    text + ["*", "1-0", "0-1", "1/2-1/2"][rng.usize(..4)] + "\n\n"
}

/// The words of a sentence without punctuation.
fn words(sentence: &str) -> Vec<&str> {
    let words = sentence.split_whitespace();
    words
        .map(|word| word.trim_matches([',', ';', '.', ':', '(', ')']))
        .collect()
}

/// The number before a word, if there is one.
fn number_before(sentence: &str, phrase: &str) -> Option<usize> {
    let before = &sentence[..sentence.find(phrase)?];
    words(before).last()?.parse().ok()
}

fn check_grammar(sentence: &str) {
    assert!(
        sentence.ends_with('.') && !sentence.contains("  "),
        "{sentence}"
    );
    let words = words(sentence);
    assert!(!words.contains(&"0"), "{sentence}");
    for pair in words.windows(2) {
        let (Ok(number), noun) = (pair[0].parse::<u32>(), pair[1]) else {
            continue;
        };
        if ["move", "ply", "change"].contains(&noun) {
            assert_eq!(number, 1, "{sentence}");
        }
        if ["moves", "plies", "changes"].contains(&noun) {
            assert!(number > 1, "{sentence}");
        }
    }
}

/// The moment that a sentence names after these words: after a move, or the beginning.
fn moment(game: &Annotation, sentence: &str, behind: &str) -> Option<usize> {
    let rest = &sentence[sentence.find(behind)? + behind.len()..];
    let rest = rest.trim_start();
    if rest.starts_with("at the beginning") {
        return Some(0);
    }
    let rest = rest.strip_prefix("with ").or(rest.strip_prefix("after "))?;
    let after = |ply: &usize| {
        let name = game.move_name(*ply);
        let behind = rest.strip_prefix(name.as_str());
        behind.is_some_and(|rest| rest.starts_with([':', '.', ',', ' ']))
    };
    (0..game.plies.len()).find(after).map(|ply| ply + 1)
}

/// The first moment at which a position occurred for the third time.
fn third_time(game: &Annotation) -> Option<usize> {
    let positions: Vec<String> = game
        .moments
        .iter()
        .map(|moment| {
            let fen = moment.state.to_string();
            fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
        })
        .collect();
    (0..positions.len()).find(|&moment| {
        let until = &positions[..=moment];
        let times = until.iter().filter(|&other| *other == positions[moment]);
        times.count() >= 3
    })
}

fn check_sentence(game: &Annotation, sentence: &str) {
    let facts = game.facts();
    let plies = game.plies.len();
    check_grammar(sentence);
    let claim = sentence
        .find("third time")
        .map(|_| third_time(game).unwrap());
    if let Some(third) = claim {
        assert_eq!(
            moment(game, sentence, "third time"),
            Some(third),
            "{sentence}"
        );
    }
    let over = sentence.strip_prefix("The count was over").map(|rest| {
        let over = moment(game, rest, "").unwrap();
        let counters = |moment: usize| game.moments[moment].state.counters;
        assert!(counters(over).is_over(game.rules), "{sentence}");
        assert!(
            over == 0 || !counters(over - 1).is_over(game.rules),
            "{sentence}"
        );
        over
    });
    if let Some(from) = claim.or(over) {
        let late = match sentence.contains("a ply earlier") {
            true => Some(1),
            false => number_before(sentence, " plies earlier"),
        };
        if sentence.contains("earlier") {
            assert_eq!(late, Some(plies - from), "{sentence}");
        }
    }
    let Some(used) = sentence.split(", move ").nth(1) else {
        return;
    };
    let Termination::Checkmate(side) = facts.end else {
        panic!("{sentence}");
    };
    let count = facts.counts.iter().rev();
    let count = count
        .clone()
        .find(|count| count.side == Some(!side))
        .unwrap();
    let numbers: Vec<u32> = words(used)
        .iter()
        .filter_map(|word| word.parse().ok())
        .collect();
    let moves = (count.moment..plies)
        .filter(|&ply| game.moments[ply].state.board.turn() == side)
        .count() as u32;
    let left = count.left.unwrap();
    assert_eq!(numbers[..2], [moves, left], "{sentence}");
    assert!(moves > 0, "{sentence}");
    assert_eq!(sentence.contains("of the"), moves <= left, "{sentence}");
    let Some(&needed) = numbers.get(2) else {
        assert_ne!(count.needed, Some(0), "{sentence}");
        return;
    };
    assert_eq!(count.kind, LimitKind::PiecesHonor, "{sentence}");
    assert_eq!(Some(needed), count.needed, "{sentence}");
    let says = [
        ("would have been enough", needed < moves && needed <= left),
        ("were needed", needed > left),
        ("would have held out", needed > moves && needed <= left),
    ];
    for (words, right) in says {
        assert_eq!(sentence.contains(words), right, "{sentence}");
    }
}

#[test]
fn every_number_in_a_summary_is_that_of_the_game() {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(tables()).unwrap();
    let mut rng = Rng::with_seed(43);
    let mut seen = [0; 5];
    for rules in RuleSet::ALL {
        for _ in 0..GAMES {
            let text = game(&mut rng, &tablebase, rules);
            let written = Games::new(text.as_bytes()).next().unwrap().unwrap();
            let game = annotate(&tablebase, written, &AnnotateOptions::default()).unwrap();
            assert_eq!(game.stop, None, "{text}");
            let summary = game.summary();
            for sentence in &summary {
                check_sentence(&game, sentence);
            }
            let all = summary.join(" ");
            assert!(all.matches("third time").count() <= 1, "{all}");
            assert_eq!(
                third_time(&game).is_some_and(|moment| {
                    moment < game.plies.len() || game.facts().repetition.is_some()
                }),
                all.contains("third time"),
                "{text}{all}"
            );
            let pgn = game.pgn(0).replace('\n', " ");
            assert!(
                pgn.matches("occurs for the third time").count() <= 1,
                "{pgn}"
            );
            for (count, phrase) in seen.iter_mut().zip([
                "third time",
                "The count was over",
                ", move ",
                "board's honor could be counted",
                "No position of the game",
            ]) {
                *count += usize::from(all.contains(phrase));
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
}

/// The summary of a game.
fn summary(tags: &str, moves: &str) -> String {
    let run = run_annotate(format!("{tags}\n\n{moves}\n").as_bytes(), &["--summary"]);
    run.out.replace('\n', " ")
}

#[test]
fn a_mate_says_what_the_count_left() {
    for (fen, moves, sentence) in [
        (
            // The best defence needs more moves than are left.
            "6k1/8/6K1/8/8/8/8/R7 b - 32 31 90",
            "90... Kh8 91. Ra8# 1-0",
            "White mated with 91. Ra8#, move 1 of the 1 that the count left; 2 were needed against the best defence.",
        ),
        (
            "6k1/8/6K1/8/8/8/8/R7 b - 32 9 90",
            "90... Kh8 91. Ra8# 1-0",
            "White mated with 91. Ra8#, move 1 of the 12 that the count left; the best defence would have held out for 2.",
        ),
        (
            "7k/8/6K1/8/8/8/8/R7 w - 32 9 90",
            "90. Ra8# 1-0",
            "White mated with 90. Ra8#, move 1 of the 12 that the count left; fewer would not have been enough.",
        ),
        (
            "7k/8/6K1/8/8/8/8/R7 w - 32 9 90",
            "90. Ra7 Kg8 91. Ra8# 1-0",
            "White mated with 91. Ra8#, move 2 of the 12 that the count left; 1 would have been enough.",
        ),
        (
            "1n5k/8/6K1/8/8/8/8/1R6 w - - 0 60",
            "60. Rxb8# 1-0",
            "White mated with 60. Rxb8#, before the first number was counted.",
        ),
        (
            "7k/8/6K1/8/8/8/8/R7 w - 32 33 90",
            "90. Ra7 Kg8 91. Ra8# 1-0",
            "White mated with 91. Ra8#, after the count was over. Black could have claimed a draw at the beginning: the count was over before the mate.",
        ),
    ] {
        let words = summary(&format!("[FEN \"{fen}\"]"), moves);
        assert!(words.contains(sentence), "{words}");
    }
}

#[test]
fn the_third_time_is_that_at_which_a_draw_could_first_be_claimed() {
    let fen = "[FEN \"8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 41\"]";
    let to_and_fro = "Rc1 Ke5 Rc2 Kd5 ";
    for (times, sentence) in [
        (
            2,
            "A position occurred for the third time with 44... Kd5: drawn.",
        ),
        (
            3,
            "A position occurred for the third time with 44... Kd5: the draw could have been claimed 4 plies earlier.",
        ),
    ] {
        let words = summary(fen, &format!("{} 1/2-1/2", to_and_fro.repeat(times)));
        assert!(words.contains(sentence), "{words}");
    }
    // The game goes on.
    let words = summary(fen, &format!("{} Rc1 Ke6 *", to_and_fro.repeat(2)));
    let note = "A position occurred for the third time with 44... Kd5: a draw could be claimed;";
    assert!(words.contains(note), "{words}");
    let words = summary(fen, &format!("{to_and_fro} Rc1 Ke6 *"));
    assert!(!words.contains("third time"), "{words}");
}

#[test]
fn a_met_that_has_been_a_bia_makes_no_other_position() {
    let fen = "[FEN \"8/8/8/3k2n1/8/3K4/1M5M~/8 w - - 0 41\"]";
    let moves = "Ma1 Ke5 Mg1 Kd5 Mb2 Ke5 Mh2 Kd5 Ma1 Ke5 Mg1 Kd5 Mb2 Ke5 Mh2 Kd5 *";
    let words = summary(fen, moves);
    assert!(words.contains("third time with 48... Kd5"), "{words}");
}

#[test]
fn a_limit_that_falls_at_the_last_promotion_is_named() {
    let tags = "[Variant \"Cambodian\"]\n[FEN \"8/8/5k2/2P5/8/3K4/3R4/8 w - 126 20 40\"]";
    let words = summary(tags, "40. Kc4 Ke6 41. c6=M Ke5 *");
    for sentence in [
        "With the first move, Black's count of board's honor begins at 11 (limit 63)",
        "With 41. c6=M, the count for Black's bare king begins at 5 (limit 15 in place of 63); White has 11 moves",
    ] {
        assert!(words.contains(sentence), "{words}");
    }
}

#[test]
fn numbers_that_are_no_count_are_not_taken_for_one() {
    let fen = "[FEN \"8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 41\"]";
    let words = summary(fen, "41. Rc1 {3} Ke5 {12} 42. Rc2 {5} Kd5 {2} *");
    assert!(
        words.contains("do not follow one another as in a count"),
        "{words}"
    );
    assert!(words.contains("board's honor could be counted"), "{words}");
    let words = summary(fen, "41. Rc1 Ke5 {1} 42. Rc2 Kd5 {2} *");
    assert!(!words.contains("do not follow"), "{words}");
    assert!(
        words.contains("With 41... Ke5, Black's count of board's honor begins at 1 (limit 64)"),
        "{words}"
    );
}

#[test]
fn a_clock_of_more_than_fifty_moves_is_a_draw_to_be_claimed() {
    let fen = "8/8/8/3k4/8/3K4/3B4/8 w - - 120 90";
    let words = summary(
        &format!("[Variant \"ASEAN\"]\n[FEN \"{fen}\"]"),
        "90. Bc1 Ke5 1/2-1/2",
    );
    let sentence =
        "The count was over at the beginning: the draw could have been claimed 2 plies earlier.";
    assert!(words.contains(sentence), "{words}");
}
