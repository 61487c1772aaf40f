//! `sakmak probe`: answers a position.

use super::answer_text::text;
use super::output::{print, print_json};
use super::position_args::PositionArgs;
use super::terminal_board::BoardArgs;
use super::{Common, Failure, batch};

/// Probe a position and rank its moves
///
/// The FEN needs the board and the side to move; a running count may follow, in plies, as
/// Fairy-Stockfish writes it. If the FEN has no count, the count is taken to begin with the next
/// move of the weaker side. Makruk has two counts: the board's honor (sak kradan, ศักดิ์กระดาน)
/// while both sides have men, and the pieces' honor (sak mak, ศักดิ์หมาก) against a bare king.
///
/// If a distance table is missing, the answer is a category from a verdict table, without
/// distances.
///
/// With - in place of the FEN, positions are read from standard input, one per line, and answered
/// in order; with --json each answer is one line. For a position without an answer, an error takes
/// the place of the answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n  \
sakmak probe \"8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78\" --json\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2BQ4/8 w\" --rules asean\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 b\" --count 20\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 b\" --board figures --flip\n  \
sakmak probe --json - < positions.txt")]
pub struct Args {
    #[command(flatten)]
    question: PositionArgs,
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON document, or one per line for positions from standard input
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.open_tables()?;
    if args.question.is_batch() {
        args.board.refuse_many()?;
        return batch::run(&tablebase, &args.question, &common.tables, args.json);
    }
    let fen = args.question.read(&tablebase)?;
    let known = tablebase.answer(&fen, args.question.rules())?;
    match args.json {
        true => print_json(&known.document()),
        false => {
            let lettering = args.question.rules().lettering();
            let board = args.board.draw(&fen.position, lettering);
            print(&format!("{board}{}", text(&known, &common.tables)))
        }
    }
}
