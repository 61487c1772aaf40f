//! In front of an engine: a script that records its input.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::talk::{Talk, tables};
use crate::command::program_with;

/// The engine. It answers `go` at once with a meaningless move, but infinite searches only after
/// `stop`, and late.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
  echo "$line" >>"$1"
  case "$line" in
    uci)
      echo "id name Fake 1"
      echo "id author nobody"
      echo "option name UCI_Variant type combo default makruk var chess var makruk"
      echo "option name Hash type spin default 16 min 1 max 64"
      echo uciok ;;
    isready) echo readyok ;;
    go*perft*) echo "Nodes searched: 20" ;;
    go*hang*) hangs=1 ;;
    go*infinite*) echo "info depth 1 score cp 7 pv thinking" ;;
    go*) echo "info depth 9 score cp 7 pv found"; echo "bestmove found" ;;
    stop)
      while [ "$hangs" ] && ! [ -e "$1.wake" ]; do sleep 0.05; done
      hangs=
      sleep 0.3; echo "info depth 99 score cp 9 pv late"; echo "bestmove late" ;;
    die) exit 3 ;;
    quit) exit 0 ;;
  esac
done
"#;

/// The program in front of that engine.
pub struct Fake {
    directory: TempDir,
    pub talk: Talk,
}

impl Fake {
    fn start() -> Fake {
        Fake::start_with(tables())
    }

    pub fn start_with(tables: &Path) -> Fake {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("engine"), ENGINE).unwrap();
        let command = format!("sh '{0}/engine' '{0}/the log'", directory.path().display());
        let mut talk = Talk::start_with(tables, &["--engine", &command]);
        talk.ask("uci", "uciok");
        talk.ask("isready", "readyok");
        Fake { directory, talk }
    }

    fn log_path(&self) -> PathBuf {
        self.directory.path().join("the log")
    }

    /// The input of the engine so far.
    fn log(&mut self) -> Vec<String> {
        self.talk.ask("isready", "readyok");
        let text = fs::read_to_string(self.log_path()).unwrap();
        text.lines().map(str::to_string).collect()
    }

    /// The lines of the engine's input that begin with a text.
    pub fn told(&mut self, start: &str) -> Vec<String> {
        let mut log = self.log();
        log.retain(|line| line.starts_with(start));
        log
    }
}

#[test]
fn the_engines_options_come_with_ours_behind() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("engine"), ENGINE).unwrap();
    let command = format!("sh '{0}/engine' '{0}/log'", directory.path().display());
    let mut talk = Talk::start(&["--engine", &command]);
    let lines = talk.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name sakmak ") && lines[0].ends_with(" + Fake 1"));
    let place = |start: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(place("option name Hash") < place("option name SakmakPath"));
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.contains("UCI_Variant"))
            .count(),
        1
    );
    assert_eq!(lines.iter().filter(|line| *line == "uciok").count(), 1);
    let (status, errors) = talk.end();
    assert!(status.success(), "{errors}");
}

#[test]
fn the_engine_is_told_everything_but_what_is_ours() {
    let mut fake = Fake::start();
    for line in [
        "setoption name SakmakCache value 8",
        "setoption name Hash value 8",
        "ucinewgame",
        "eval",
    ] {
        fake.talk.say(line);
    }
    let log = fake.log();
    assert!(log.contains(&"setoption name Hash value 8".to_string()));
    assert!(log.contains(&"ucinewgame".to_string()) && log.contains(&"eval".to_string()));
    assert!(!log.iter().any(|line| line.contains("Sakmak")), "{log:?}");
}

#[test]
fn after_perft_the_engine_still_searches() {
    let mut fake = Fake::start();
    fake.talk.say("position startpos");
    fake.talk.ask("go perft 1", "Nodes searched");
    for _ in 0..2 {
        let lines = fake.talk.ask("go depth 1", "bestmove");
        assert_eq!(lines.last().unwrap(), "bestmove found");
    }
    assert_eq!(fake.told("stop"), [""; 0]);
}

#[test]
fn a_decided_position_is_answered_without_the_engine() {
    let mut fake = Fake::start();
    for fen in [
        "8/8/8/8/8/2k5/8/K6R w - - 0 1",
        "7k/8/6K1/8/8/8/8/R7 b - 32 6 1",
    ] {
        fake.talk.say(&format!("position fen {fen}"));
        let lines = fake.talk.ask("go wtime 9000 btime 9000", "bestmove");
        assert!(
            lines.iter().any(|line| line.contains(" score mate ")),
            "{lines:?}"
        );
    }
    assert_eq!(fake.told("go"), [""; 0]);
    assert_eq!(fake.told("position").len(), 2);
}

#[test]
fn in_a_draw_the_engine_chooses_among_the_moves_that_keep_it() {
    let mut fake = Fake::start();
    // Black's knight is attacked: only some moves hold.
    fake.talk
        .say("position fen 8/8/8/3k4/3n4/8/3K3R/8 b - - 0 1");
    let lines = fake.talk.ask(
        "go searchmoves d5c5 d5e5 d4f3 wtime 100 btime 100",
        "bestmove",
    );
    assert_eq!(lines.last().unwrap(), "bestmove found");
    let told = fake.told("go");
    let (rest, moves) = told[0].split_once(" searchmoves ").unwrap();
    assert_eq!(rest, "go wtime 100 btime 100");
    let moves: Vec<&str> = moves.split(' ').collect();
    assert!(
        moves.iter().all(|m| ["d5c5", "d5e5", "d4f3"].contains(m)),
        "{moves:?}"
    );
}

#[test]
fn moves_in_searchmoves_that_cannot_be_read_are_named_before_an_engine_too() {
    let mut fake = Fake::start();
    for fen in [
        "8/8/8/3k4/3n4/8/3K3R/8 b - - 0 1",
        // No table has this position.
        "8/8/8/3k4/8/8/3KPP1R/8 b - - 0 1",
    ] {
        fake.talk.say(&format!("position fen {fen}"));
        let lines = fake.talk.ask("go searchmoves d5c5 x", "bestmove");
        assert!(
            lines[0].starts_with("info string x is not a legal move in "),
            "{lines:?}"
        );
    }
}

#[test]
fn a_count_draw_goes_to_the_engine_with_the_moves_that_win_without_it() {
    let mut fake = Fake::start();
    fake.talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - 32 8 1");
    let lines = fake.talk.ask("go depth 4", "bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove found");
    assert!(fake.told("go")[0].starts_with("go depth 4 searchmoves "));
}

#[test]
fn the_score_of_a_draw_is_that_of_the_tables() {
    let mut fake = Fake::start();
    for (fen, score) in [
        // A draw, a win that the count prevents, and the same for the other side.
        ("8/8/8/3k4/3n4/8/3K3R/8 b - - 0 1", "cp 0"),
        ("8/8/8/8/8/2k5/8/K6R w - 32 20 1", "cp 1"),
        ("8/8/8/8/8/2k5/8/K6R b - 32 21 1", "cp -1"),
    ] {
        fake.talk.say(&format!("position fen {fen}"));
        let lines = fake.talk.ask("go depth 9", "bestmove");
        let shown = format!("info depth 9 score {score} pv found");
        assert!(lines.contains(&shown), "{fen}: {lines:?}");
    }
    // Elsewhere the score is the engine's.
    fake.talk.say("position startpos");
    let lines = fake.talk.ask("go depth 9", "bestmove");
    assert_eq!(lines[0], "info depth 9 score cp 7 pv found");
}

#[test]
fn what_no_table_knows_passes_through_unchanged() {
    let mut fake = Fake::start();
    fake.talk.say("position startpos moves e3e4");
    let go = "go wtime 100 btime 100 movestogo 3";
    let lines = fake.talk.ask(go, "bestmove");
    assert_eq!(
        lines,
        ["info depth 9 score cp 7 pv found", "bestmove found"]
    );
    assert_eq!(fake.told("go"), [go]);
    // A position that the program refuses still goes to the engine.
    fake.talk.ask(
        "position fen 8/8/8/3k4/8/3K4/3B4/8 w - - 0 1",
        "info string",
    );
    assert_eq!(
        fake.talk.ask("go", "bestmove").last().unwrap(),
        "bestmove found"
    );
}

#[test]
fn other_games_are_the_engines_alone() {
    let mut fake = Fake::start();
    fake.talk.say("setoption name UCI_Variant value chess");
    fake.talk.say("position startpos moves e2e4");
    let lines = fake.talk.ask("go", "bestmove");
    assert_eq!(
        lines,
        ["info depth 9 score cp 7 pv found", "bestmove found"]
    );
}

#[test]
fn late_lines_of_an_abandoned_search_never_come_through() {
    let mut fake = Fake::start();
    fake.talk.say("position startpos");
    fake.talk.ask("go infinite", "info depth 1");
    // The user does not wait for the answer: the program answers one question, the engine the
    // other.
    fake.talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - - 0 1");
    let mut lines = fake.talk.ask("go", "bestmove");
    fake.talk.say("position startpos");
    lines.extend(fake.talk.ask("go depth 2", "bestmove"));
    assert!(!lines.iter().any(|line| line.contains("late")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove found");
    fake.talk.is_silent();
}

#[test]
fn stop_reaches_an_engine_that_searches_and_no_other() {
    let mut fake = Fake::start();
    fake.talk.say("stop");
    fake.talk.say("position startpos");
    fake.talk.ask("go infinite", "info depth 1");
    assert_eq!(
        fake.talk.ask("stop", "bestmove").last().unwrap(),
        "bestmove late"
    );
    assert_eq!(fake.told("stop").len(), 1);
}

#[test]
fn a_hung_engine_does_not_hold_up_stop() {
    let mut fake = Fake::start();
    fake.talk.say("position startpos");
    fake.talk.say("go hang");
    let lines = fake.talk.ask("stop", "bestmove");
    assert!(lines[0].contains("has not answered stop"), "{lines:?}");
    assert_eq!(lines.last().unwrap().split(' ').nth(1).unwrap().len(), 4);
    // The tables answer as before, and otherwise nobody waits.
    fake.talk.is_silent();
    fake.talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - - 0 1");
    let lines = fake.talk.ask("go", "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 14 ")));
    fake.talk.say("position startpos moves e3e4");
    let lines = fake.talk.ask("go depth 2", "bestmove");
    assert!(
        !lines.iter().any(|line| line.contains("found")),
        "{lines:?}"
    );
    // When the engine responds again, it gets the input it has missed and moves again.
    fs::write(fake.directory.path().join("the log.wake"), "").unwrap();
    let mut last = String::new();
    for _ in 0..1000 {
        last = fake.talk.ask("go depth 2", "bestmove").pop().unwrap();
        if last == "bestmove found" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(last, "bestmove found");
    let told = fake.told("position");
    assert_eq!(told.last().unwrap(), "position startpos moves e3e4");
}

#[test]
fn a_missing_table_is_said_once_and_the_engine_searches() {
    let mut fake = Fake::start();
    fake.talk
        .say("position fen 8/8/8/3r4/8/2k5/8/K6R w - - 0 1");
    let lines = fake.talk.ask("go depth 3", "bestmove");
    assert!(lines[0].starts_with("info string "), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove found");
    assert_eq!(fake.talk.ask("go depth 3", "bestmove").len(), 2);
    assert!(fake.told("go").iter().all(|go| go == "go depth 3"));
}

#[test]
fn a_dead_engine_is_said_and_nobody_left_waiting() {
    let mut fake = Fake::start();
    fake.talk.say("position startpos");
    fake.talk.ask("go infinite", "info depth 1");
    fake.talk.say("die");
    let lines = fake.talk.until("bestmove");
    assert!(
        lines[0].contains("ended by itself (exit status: 3)"),
        "{lines:?}"
    );
    // The tables answer as before.
    fake.talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - - 0 1");
    let lines = fake.talk.ask("go", "bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 14 ")));
    fake.talk.is_silent();
    let (status, errors) = fake.talk.end();
    assert_eq!(status.code(), Some(3));
    assert!(errors.contains("ended by itself"), "{errors}");
}

#[test]
fn an_engine_that_is_not_there_ends_it_at_once() {
    for (command, words) in [
        ("/there/is/no engine", "cannot be started"),
        ("engine 'unclosed", "an unclosed quote"),
        ("", "cannot be started"),
    ] {
        let output = program_with(tables())
            .args(["uci", "--engine", command])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(
            out.starts_with("info string ") && out.contains(words),
            "{out}"
        );
        assert!(err.starts_with("sakmak: ") && err.contains(words), "{err}");
    }
}
