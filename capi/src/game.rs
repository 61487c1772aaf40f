//! Whole games: the position and the count after each move.

use std::ffi::c_char;

use tablebase::board::{Fen, SquareSet};
use tablebase::game::{Counters, GameBoard, GameCount, GameState};

use super::count::{SakmakGameCount, boards_honor};
use super::ffi::{Output, guard, read, rule_set, text};
use super::position::SakmakPosition;
use super::status::{Failure, SakmakError, SakmakStatus};

/// A game at one moment, for programs without a board of their own. sakmak_game_start makes it, and
/// sakmak_game_play moves it on.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakGame {
    /// The position, which may have more men than any table.
    pub position: SakmakPosition,
    /// The rule set: a SakmakRules.
    pub rules: i32,
    /// The count of the game.
    pub count: SakmakGameCount,
    /// The squares of ouk's kings and mets that may still leap. The tables have the position only if
    /// there are none.
    pub unmoved: u64,
}

/// Starts a game from a FEN in the letters of the rule set, or from the start position if `fen` is
/// NULL. `boards_honor` is a SakmakBoardsHonor. The count starts as in sakmak_count_start.
///
/// # Safety
///
/// `fen` is NULL or a string; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_start(
    fen: *const c_char,
    rules: i32,
    boards_honor: i32,
    game: *mut SakmakGame,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rule_set = rule_set(rules)?;
            let boards_honor = self::boards_honor(boards_honor)?;
            let game = Output::new(game, "the pointer for the game")?;
            let state = match fen.is_null() {
                true => GameState::start(rule_set),
                false => GameState::from_fen(text(fen, "the FEN")?, rule_set)?,
            };
            game.write(SakmakGame {
                position: SakmakPosition::of(state.board.position()),
                rules,
                count: SakmakGameCount::of(GameCount::start(&state, boards_honor)),
                unmoved: state.board.leapers().0,
            });
            Ok(())
        })
    }
}

/// Makes a legal move in UCI notation, such as "e3e4", or "e5e6m" for a promotion, and moves the count
/// on. Also makes the first leaps of ouk.
///
/// # Safety
///
/// `game` is NULL or can be read and written to; `uci` is NULL or a string; `error` is NULL or can be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_game_play(
    game: *mut SakmakGame,
    uci: *const c_char,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let now = read(game, "the game")?;
            let rules = rule_set(now.rules)?;
            let position = now.position.position()?;
            let count = now.count.count()?;
            let state = GameState {
                board: GameBoard::new(position, rules, SquareSet(now.unmoved)),
                counters: Counters::START,
            };
            let uci = text(uci, "the move")?;
            let m = state.parse_uci(uci).ok_or_else(|| {
                let fen = Fen::new(position);
                let fen = fen.display(rules.lettering());
                Failure::new(
                    SakmakStatus::BadMove,
                    format!("{uci:?} is not a legal move in {fen}: pass one such as \"e3e4\", or \"e5e6m\" for a promotion"),
                )
            })?;
            let next = state.board.play(m);
            let next = SakmakGame {
                position: SakmakPosition::of(next.position()),
                rules: now.rules,
                count: SakmakGameCount::of(count.after(rules, &position, next.position())),
                unmoved: next.leapers().0,
            };
            game.write(next);
            Ok(())
        })
    }
}
