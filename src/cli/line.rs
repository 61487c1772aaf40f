//! `sakmak line`: best play by both sides, to the end.

use sakmak::board::{Color, Fen, Lettering};
use sakmak::explorer::{line_end, line_pgn};
use sakmak::probe::Line;
use sakmak::rules::Count;

use super::output::{print, print_json};
use super::question::Question;
use super::{Common, Failure};

/// Best play by both sides to the end, with the count as it is said
///
/// The side that wins takes the shortest way, the other holds out longest. The line ends with
/// mate, where the count runs out, or at once where neither side can force mate.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak line \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n  \
sakmak line \"8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78\" --pgn > line.pgn")]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Print the line as a PGN
    #[arg(long, conflicts_with = "json")]
    pgn: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.tables.open()?;
    let rules = args.question.rules();
    let fen = args.question.read(&tablebase)?;
    let line = tablebase.line(&fen.position, rules, &Count::from_fen(&fen))?;
    if args.json {
        return print_json(&line.document(&fen, rules));
    }
    match args.pgn {
        true => print(&line_pgn("Best play by both sides", &fen, rules, &line)),
        false => print(&text(&fen, rules.lettering(), &line)),
    }
}

/// The moves in numbered pairs; the number said with a move stands behind it, as it is said: `7…`.
fn text(fen: &Fen, lettering: Lettering, line: &Line) -> String {
    let mut text = String::new();
    let mut number = fen.fullmove;
    for (i, played) in line.moves.iter().enumerate() {
        let white = played.before.turn() == Color::White;
        if white {
            text += &format!("{number:>3}. ");
        } else if i == 0 {
            text += &format!("{number:>3}. {:<14}", "…");
        }
        let mut said = played.before.san(played.m, lettering);
        if let Some(counted) = played.counted {
            said += &format!("  {counted}…");
        }
        if white && i + 1 < line.moves.len() {
            text += &format!("{said:<14}");
        } else {
            text += &format!("{said}\n");
        }
        number += u32::from(!white);
    }
    text + &line_end(line) + "\n"
}
