//! Games as other programs write them, `tests/data/pgn`, and their last positions.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use sakmak::game::pgn::Games;
use sakmak::probe::Tablebase;
use sakmak_play::annotate::{AnnotateOptions, Annotation, annotate};

use crate::annotate::annotate as run_annotate;

const DATA: &str = "../tests/data";

/// The games of a file, played through without tables.
fn games_of(name: &str) -> Vec<Annotation> {
    let file = BufReader::new(File::open(Path::new(DATA).join(name)).unwrap());
    let tablebase = Tablebase::new();
    let games = Games::new(file).map(|game| game.unwrap());
    games
        .map(|game| annotate(&tablebase, game, &AnnotateOptions::default()).unwrap())
        .collect()
}

/// Each file with the last positions of its games according to pyffish. `tools/annotate/files.js`
/// compares every position.
fn last_fens() -> Vec<(String, Vec<String>)> {
    let table = std::fs::read_to_string("../tests/data/pgn/last-fens.csv").unwrap();
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for line in table.lines() {
        let [name, number, fen]: [&str; 3] =
            line.split(',').collect::<Vec<_>>().try_into().unwrap();
        if number == "1" {
            files.push((name.to_string(), Vec::new()));
        }
        files.last_mut().unwrap().1.push(fen.to_string());
    }
    files
}

#[test]
fn games_of_other_programs_are_read_to_their_end() {
    for (name, fens) in last_fens() {
        let games = games_of(&name);
        assert_eq!(games.len(), fens.len(), "{name}");
        for (game, fen) in games.iter().zip(fens) {
            assert_eq!(game.stop, None, "{name}");
            assert_eq!(game.plies.len(), game.game.moves.len(), "{name}");
            let last = game.moments.last().unwrap();
            assert_eq!(last.state.to_string(), fen, "{name}");
        }
    }
}

#[test]
fn every_file_has_its_last_positions() {
    fn files(directory: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => files(&path, found),
                Some(extension) if extension == "pgn" => {
                    let name = path.strip_prefix(DATA).unwrap().to_str().unwrap();
                    found.push(name.replace('\\', "/"));
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    files(Path::new(DATA), &mut found);
    found.sort();
    let mut known: Vec<String> = last_fens().into_iter().map(|(name, _)| name).collect();
    known.sort();
    assert_eq!(found, known);
}

#[test]
fn some_games_pass_through_tables_of_five_men() {
    let passes = |name: &str| {
        let games = games_of(name);
        let tabled = games[0].moments.iter().filter(|moment| {
            let tabled = moment.state.tabled();
            tabled.is_some_and(|(position, _)| {
                position.is_pawnless() && position.occupied().len() <= 5
            })
        });
        tabled.count()
    };
    for (name, positions) in [
        ("pgn/playok/mk87921405.pgn", 0),
        ("pgn/playok/mk87921615.pgn", 0),
        ("pgn/playok/mk87921746.pgn", 0),
        ("pgn/playok/mk87921963.pgn", 0),
        ("pgn/playok/mk87922081.pgn", 0),
        ("pgn/playok/mk87922182.pgn", 20),
        ("pgn/playok/mk87922278.pgn", 0),
        ("pgn/playok/mk87922408.pgn", 11),
        ("pgn/playok/mk87922545.pgn", 0),
        ("schemingmind-335959.pgn", 0),
        ("schemingmind-737440.pgn", 71),
        ("pgn/xboard.pgn", 112),
    ] {
        assert_eq!(passes(name), positions, "{name}");
    }
}

#[test]
fn the_page_has_each_real_game_with_where_it_enters_the_tables() {
    let page = std::fs::read_to_string("../docs/play/annotate.md").unwrap();
    let mut rows = 0;
    for (name, _) in last_fens() {
        let (folder, number) = name.rsplit_once('/').unwrap_or(("", &name));
        let number = number.trim_end_matches(".pgn");
        let title = match (folder, number.strip_prefix("schemingmind-")) {
            ("pgn/playok", _) => format!("PlayOK {}", number.trim_start_matches("mk")),
            (_, Some(number)) => format!("SchemingMind {number}"),
            _ => continue,
        };
        rows += 1;
        let game = games_of(&name).remove(0);
        let is_tabled = |state: &sakmak::game::GameState| {
            let tabled = state.board.in_tables();
            tabled.is_some_and(|position| (3..=5).contains(&position.occupied().len()))
        };
        let enters = game
            .moments
            .iter()
            .position(|moment| is_tabled(&moment.state));
        let enters = match enters.and_then(|moment| moment.checked_sub(1)) {
            Some(ply) => {
                let position = game.moments[ply + 1].state.board.position();
                format!("{} ({})", game.move_name(ply), position.material())
            }
            None => "–".to_string(),
        };
        let last = game.moments.last().unwrap().state.board.position();
        let bia = match last.by_role(sakmak::board::Role::Bia).len() {
            0 => "no bia".to_string(),
            n => format!("{n} of them bia"),
        };
        let men = format!("{}, {bia}", last.occupied().len());
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| {title} |")));
        let cells: Vec<&str> = row.unwrap().split(" | ").collect();
        assert_eq!([cells[2], cells[3]], [&men, &enters], "{name}");
    }
    assert_eq!(rows, 11);
}

#[test]
fn a_game_that_ends_before_the_tables_says_how_near_it_came() {
    for (file, sentence) in [
        (
            "pgn/playok/mk87922081.pgn",
            "it ends with 12 men, 3 of them bia; the tables here cover up to 5 men, without bia.",
        ),
        (
            "pgn/playok/mk87921746.pgn",
            "it ends with 6 men, no bia among them; the tables here cover up to 5 men, without bia.",
        ),
        (
            "pgn/uci-small.pgn",
            "it ends with 32 men, 16 of them bia; the tables here cover up to 5 men, without bia.",
        ),
    ] {
        let text = std::fs::read(Path::new(DATA).join(file)).unwrap();
        let run = run_annotate(&text, &["--summary"]);
        let words = run.out.replace('\n', " ");
        let whole = format!("No position of the game is in the tables: {sentence}");
        assert!(words.contains(&whole), "{file}: {words}");
    }
}

#[test]
fn a_move_that_cannot_be_read_is_named_with_its_place() {
    let good = std::fs::read(Path::new(DATA).join("pgn/playok/mk87921746.pgn")).unwrap();
    let bad = String::from_utf8(good.clone())
        .unwrap()
        .replace("40. Pd5", "40. Pd1");
    // Lines that end with CR CR LF count as one line each.
    let run = run_annotate(&[bad.as_bytes(), &good].concat(), &["--summary"]);
    assert_eq!(run.code, 2);
    let place = "game 1 (line 1): at move 40. (ply 79), in line 19, \"Pd1\" is not a legal move";
    assert!(run.err.contains(place), "{}", run.err);
    assert!(
        run.out.contains("White mated with 145. Ra8#"),
        "{}",
        run.out
    );
}

#[test]
fn a_board_drawn_in_a_comment_is_kept_as_words() {
    let text = std::fs::read(Path::new(DATA).join("pgn/xboard.pgn")).unwrap();
    let run = run_annotate(&text, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let words = run.out.replace('\n', " ");
    assert!(words.contains("{-------------- . . ."), "{words}");
    assert!(words.contains("white to play --------------}"), "{words}");
}

#[test]
fn signs_of_evaluation_stay_as_glyphs() {
    let text = std::fs::read(Path::new(DATA).join("pgn/signs.pgn")).unwrap();
    let run = run_annotate(&text, &["--line", "0"]);
    let words = run.out.replace('\n', " ");
    for glyphs in [
        "1. Rc8 $5 $16",
        "Kd7 $14",
        "2. Ra8 $18",
        "3. Kc4 $14 $16",
        "5. Rg6 $3 $13",
    ] {
        assert!(words.contains(glyphs), "{glyphs}: {words}");
    }
    assert!(!words.contains('⩲'), "{words}");
}
