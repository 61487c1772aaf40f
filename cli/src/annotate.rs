//! `sakmak annotate`: adds the tables' results to recorded games.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use sakmak::game::pgn::{Games, PgnError, PgnGame};
use sakmak::rules::RuleSet;
use sakmak_play::annotate::{AnnotateError, AnnotateOptions, Annotation, Counting, annotate};
use serde_json::json;

use super::common::OpenTables;
use super::format::wrap;
use super::output::{json_line, print};
use super::rules_help::rules_help;
use super::stderr::say;
use super::tables_args::TablesArgs;
use super::{Common, Failure};

/// Annotate games in PGN from the tables
///
/// Prints each game again, as a PGN with comments. From the first position that is in the tables,
/// the comments state the verdict, the number of moves that the winner needs and the number of
/// moves that the count leaves. A move is marked ?? only if it worsens the result under the count,
/// and a variation after the marked move shows best play. The last comment is a summary.
///
/// The games may be makruk, ASEAN chess or ouk. The khon may be written S or B and the met M or Q.
/// Games may contain comments and variations. A game is cut off at its first unreadable move; the
/// next game is still read.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak annotate game.pgn > annotated.pgn\n  \
sakmak annotate --summary games.pgn\n  \
sakmak annotate --count-from 41 game.pgn\n  \
sakmak annotate --json - < games.pgn")]
pub struct Args {
    /// File of games in PGN; - for standard input
    #[arg(value_name = "PGN")]
    games: PathBuf,
    #[arg(long, value_name = "RULES", default_value = "makruk", help = rules_help("The rule set of games without a Variant tag"))]
    rules: RuleSet,
    /// The move at which the count of board's honor began: a move number (41, or 41b if Black
    /// counts), "first" for the earliest possible move, or "never" if nobody counted
    #[arg(long, value_name = "MOVE")]
    count_from: Option<Counting>,
    /// Maximum length of a line of best play, in plies
    #[arg(long, value_name = "PLIES", default_value_t = usize::MAX, hide_default_value = true)]
    line: usize,
    /// Print only the summaries
    #[arg(long, conflicts_with_all = ["json", "line"])]
    summary: bool,
    /// Print one JSON document per game, each on its own line
    #[arg(long, conflicts_with = "line")]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.open_tables()?;
    let input: Box<dyn BufRead> = match args.games.as_os_str() == "-" {
        true => Box::new(BufReader::new(io::stdin().lock())),
        false => Box::new(BufReader::new(File::open(&args.games).map_err(
            |error| {
                Failure::input(format_args!(
                    "{} cannot be read ({error})",
                    args.games.display()
                ))
                .help("give a file of games, or - for standard input")
            },
        )?)),
    };
    let mut run = Run {
        args,
        tables: &common.tables,
        tablebase,
        games: 0,
        failed: 0,
        known: 0,
        worst: None,
    };
    for game in Games::new(input) {
        run.game(game)?;
    }
    run.finish()
}

struct Run<'a> {
    args: &'a Args,
    tables: &'a TablesArgs,
    tablebase: OpenTables,
    games: u64,
    failed: u64,
    /// The number of games with at least one position in the tables.
    known: u64,
    worst: Option<Failure>,
}

impl Run<'_> {
    fn game(&mut self, game: Result<PgnGame, PgnError>) -> Result<(), Failure> {
        self.games += 1;
        let game = match game {
            Ok(game) => game,
            Err(PgnError::Read(error)) => {
                return Err(Failure::machine(PgnError::Read(error).to_string()));
            }
            Err(error) => return self.fail(None, Failure::input(error.to_string())),
        };
        let line = game.line;
        let options = AnnotateOptions {
            rules: self.args.rules,
            counting: self.args.count_from.unwrap_or_default(),
        };
        let annotation = match annotate(&self.tablebase, game, &options) {
            Ok(annotation) => annotation,
            Err(AnnotateError::Probe(error)) => return self.fail(Some(line), error.into()),
            Err(error) => return self.fail(Some(line), Failure::input(error.to_string())),
        };
        self.known += u64::from(annotation.is_known());
        self.print(&annotation)?;
        if let Some(stop) = &annotation.stop {
            self.tell(Some(line), &stop.to_string());
            self.count_failure(Failure::input(stop.to_string()));
        }
        Ok(())
    }

    fn print(&self, annotation: &Annotation) -> Result<(), Failure> {
        if self.args.json {
            return print(&json_line(&annotation.document())?);
        }
        if !self.args.summary {
            return print(&(annotation.pgn(self.args.line) + "\n"));
        }
        let tag = |name| annotation.game.tag(name).unwrap_or("?").to_string();
        let sentences = annotation.summary().join("\n");
        print(&format!(
            "Game {}: {} v {}, {}\n{}\n",
            self.games,
            tag("White"),
            tag("Black"),
            annotation.game.result(),
            wrap(&sentences)
        ))
    }

    /// Reports a game that cannot be annotated, and continues with the next one.
    fn fail(&mut self, line: Option<usize>, failure: Failure) -> Result<(), Failure> {
        let message = failure.sentence(self.tables);
        if self.args.json {
            let error = json!({ "kind": failure.word(), "message": message });
            print(&json_line(&json!({ "line": line, "error": error }))?)?;
        }
        self.tell(line, &message);
        self.count_failure(failure);
        Ok(())
    }

    fn tell(&self, line: Option<usize>, message: &str) {
        let place = match line {
            Some(line) => format!("game {} (line {line})", self.games),
            None => format!("game {}", self.games),
        };
        say(format_args!("sakmak: {place}: {message}"));
    }

    fn count_failure(&mut self, failure: Failure) {
        self.failed += 1;
        if self
            .worst
            .as_ref()
            .is_none_or(|worst| worst.code() < failure.code())
        {
            self.worst = Some(failure);
        }
    }

    fn finish(self) -> Result<(), Failure> {
        if let Some(worst) = self.worst {
            return Err(worst.among(
                self.failed,
                self.games,
                "games could not be annotated to their end",
            ));
        }
        let help = "`sakmak list` shows the endings with tables";
        match (self.games, self.known) {
            (0, _) => Err(Failure::input(format_args!(
                "there is no game in {}",
                self.args.games.display()
            ))
            .help("give a PGN")),
            (1, 0) => Err(Failure::no("no position of the game is in the tables here").help(help)),
            (games, 0) => Err(Failure::no(format_args!(
                "none of {games} games has a position in the tables here"
            ))
            .help(help)),
            _ => Ok(()),
        }
    }
}
