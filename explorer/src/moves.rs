//! The legal moves of any position of a game, also where no table has it, with the values of the
//! moves that lead into the tables.

use std::cmp::Reverse;

use serde::Serialize;

use sakmak::board::{Fen, Move};
use sakmak::game::GameState;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::{Category, RuleSet};

/// The JSON document with the legal moves of a position.
#[derive(Serialize)]
pub(super) struct Document {
    fen: String,
    rules: RuleSet,
    side_to_move: String,
    unit: &'static str,
    check: bool,
    checkmate: bool,
    stalemate: bool,
    insufficient_material: bool,
    /// The moves with values come first, best first.
    moves: Vec<MoveDocument>,
}

#[derive(Serialize)]
struct MoveDocument {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: String,
    capture: bool,
    checkmate: bool,
    /// The FEN after the move, with its count.
    fen: String,
    /// The number that the player says with the move, if the player is a bare king that counts.
    counted: Option<u32>,
    /// The value of the move for the player who makes it. Null if no table here has the position
    /// after the move.
    value: Option<Value>,
}

#[derive(Serialize)]
struct Value {
    category: Category,
    dtm: Option<Moves>,
    dth: Option<Moves>,
}

/// A move, the state after it, and its value if a table has it.
struct Played {
    m: Move,
    after: GameState,
    known: Option<Known>,
}

struct Known {
    category: Category,
    dtm: Distance,
    dth: Option<Distance>,
}

/// Makes the JSON document for a position of a game.
pub(super) fn document(tablebase: &Tablebase, fen: &Fen, rules: RuleSet) -> Document {
    let state = GameState::of_fen(fen, rules);
    let board = &state.board;
    let mut moves: Vec<Played> = board
        .legal_moves()
        .into_iter()
        .map(|m| {
            let after = state.play(m);
            let known = known(tablebase, &after);
            Played { m, after, known }
        })
        .collect();
    moves.sort_by_key(|played| Reverse(played.known.as_ref().map(Known::rank)));
    let stuck = moves.is_empty();
    let position = board.position();
    Document {
        fen: state.to_string(),
        rules,
        side_to_move: board.turn().to_string(),
        unit: "moves",
        check: board.is_check(),
        checkmate: stuck && board.is_check(),
        stalemate: stuck && !board.is_check(),
        insufficient_material: rules.is_insufficient(position.material()),
        moves: moves
            .iter()
            .map(|played| move_document(&state, played))
            .collect(),
    }
}

/// The value of the move that led to a state, for the player who made it. None if no table here has
/// the position.
fn known(tablebase: &Tablebase, after: &GameState) -> Option<Known> {
    let (position, count) = after.tabled()?;
    let value = tablebase.probe(&position, after.rules(), &count).ok()?;
    Some(Known {
        category: -value.category,
        dtm: value.dtm.before_move(),
        dth: value.dth.map(Distance::before_move),
    })
}

impl Known {
    /// The key by which moves are sorted: the better the move, the greater its key.
    fn rank(&self) -> (Category, Distance, Distance) {
        (self.category, self.dth.unwrap_or(self.dtm), self.dtm)
    }
}

fn move_document(before: &GameState, played: &Played) -> MoveDocument {
    let Played { m, after, known } = played;
    let turn = before.board.turn();
    let is_bare = before.board.position().material().bare_side() == Some(turn);
    let count = after.counters.count(after.rules());
    MoveDocument {
        uci: m.uci(before.lettering()).to_string(),
        san: before.board.san(*m),
        player: turn.to_string(),
        capture: before.board.is_capture(*m),
        checkmate: after.board.is_checkmate(),
        fen: after.to_string(),
        counted: count.number().filter(|_| is_bare),
        value: known.as_ref().map(|known| Value {
            category: known.category,
            dtm: known.dtm.moves(),
            dth: known.dth.and_then(Distance::moves),
        }),
    }
}
