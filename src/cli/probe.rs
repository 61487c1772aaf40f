//! `sakmak probe`: what becomes of a position.

use super::answer::text;
use super::output::{print, print_json};
use super::question::Question;
use super::{Common, Failure, batch};

/// What becomes of a position, and its moves from the best to the worst
///
/// The FEN needs the board and the side to move; a running count may follow, in plies, as
/// Fairy-Stockfish writes it. Without one, the count is taken to begin with the bare king's next
/// move.
///
/// With - in place of the FEN, positions are read from standard input, one a line, and answered in
/// their order; with --json each answer is one line. A position that has no answer is told as one
/// too, and the others go on.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n  \
sakmak probe \"8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78\" --json\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2BQ4/8 w\" --rules asean\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 b\" --count 20\n  \
sakmak probe --json - < positions.txt")]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Print one JSON document, or one a line for positions from standard input
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.tables.open()?;
    if args.question.is_batch() {
        return batch::run(&tablebase, &args.question, args.json);
    }
    let fen = args.question.read(&tablebase)?;
    let answer = tablebase.answer(&fen, args.question.rules())?;
    match args.json {
        true => print_json(&answer.document()),
        false => print(&text(&answer)),
    }
}
