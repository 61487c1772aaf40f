//! The count of a game, which follows the game from move to move.

use tablebase::board::{Color, Position};
use tablebase::game::{BoardsHonor, Counters, GameBoard, GameCount, GameState};
use tablebase::rules::RuleSet;

use super::ffi::{Output, guard, read, rule_set};
use super::position::{SakmakCount, SakmakPosition, given};
use super::status::{Failure, SakmakError, SakmakStatus};

/// The choice whether board's honor, which nobody has to count, is counted. The count against a bare
/// king always runs.
#[repr(C)]
pub enum SakmakBoardsHonor {
    /// The count runs from the first moment at which a side may count, as in Fairy-Stockfish and
    /// cutechess.
    Automatic = 0,
    /// Nobody counts.
    NotCounted = 1,
    /// White counts from the first of its moves with which it may begin.
    ByWhite = 2,
    /// Black counts from the first of its moves with which it may begin.
    ByBlack = 3,
}

/// The count of a game. sakmak_count_start makes it and sakmak_count_after moves it on;
/// sakmak_count_now converts it to the count of a probe.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakGameCount {
    /// The limit in plies, two for each move; 0 if nothing is counted. This is field 4 of a
    /// Fairy-Stockfish FEN.
    pub limit_plies: u32,
    /// The number of plies counted. This is field 5 of a Fairy-Stockfish FEN.
    pub counted_plies: u32,
    /// The plies since the last capture or move of a bia, for ASEAN chess's fifty-move rule.
    pub clock_plies: u32,
    /// The number of the move, 1 before the first move. This is field 6 of a FEN.
    pub fullmove: u32,
    /// The choice whether board's honor is counted: a SakmakBoardsHonor.
    pub boards_honor: i32,
}

impl SakmakGameCount {
    pub fn of(count: GameCount) -> SakmakGameCount {
        let boards_honor = match count.boards_honor {
            BoardsHonor::Automatic => SakmakBoardsHonor::Automatic,
            BoardsHonor::NotCounted => SakmakBoardsHonor::NotCounted,
            BoardsHonor::By(Color::White) => SakmakBoardsHonor::ByWhite,
            BoardsHonor::By(Color::Black) => SakmakBoardsHonor::ByBlack,
        };
        SakmakGameCount {
            limit_plies: count.counters.limit,
            counted_plies: count.counters.counted,
            clock_plies: count.counters.clock,
            fullmove: count.counters.fullmove,
            boards_honor: boards_honor as i32,
        }
    }

    pub fn count(&self) -> Result<GameCount, Failure> {
        Ok(GameCount {
            counters: Counters {
                limit: self.limit_plies,
                counted: self.counted_plies,
                clock: self.clock_plies,
                fullmove: self.fullmove,
            },
            boards_honor: boards_honor(self.boards_honor)?,
        })
    }
}

/// Converts a value of SakmakBoardsHonor.
pub fn boards_honor(number: i32) -> Result<BoardsHonor, Failure> {
    const AUTOMATIC: i32 = SakmakBoardsHonor::Automatic as i32;
    const NOT_COUNTED: i32 = SakmakBoardsHonor::NotCounted as i32;
    const BY_WHITE: i32 = SakmakBoardsHonor::ByWhite as i32;
    const BY_BLACK: i32 = SakmakBoardsHonor::ByBlack as i32;
    match number {
        AUTOMATIC => Ok(BoardsHonor::Automatic),
        NOT_COUNTED => Ok(BoardsHonor::NotCounted),
        BY_WHITE => Ok(BoardsHonor::By(Color::White)),
        BY_BLACK => Ok(BoardsHonor::By(Color::Black)),
        _ => Err(Failure::new(
            SakmakStatus::BadCount,
            format!("{number} is not a choice of board's honor: pass a value of SakmakBoardsHonor"),
        )),
    }
}

/// A game that begins in a position with a count.
fn started(position: Position, rules: RuleSet, count: &SakmakCount) -> GameState {
    let (limit, counted, clock) = match count.kind {
        0 => (0, 0, 0),
        1 => (0, 0, count.counted_plies),
        3 => (count.limit_plies, count.counted_plies, count.clock_plies),
        // The capture that began the count also restarted the clock.
        _ if rules.has_fifty_move_rule() => {
            (count.limit_plies, count.counted_plies, count.counted_plies)
        }
        _ => (count.limit_plies, count.counted_plies, 0),
    };
    GameState {
        board: GameBoard::new(position, rules, Default::default()),
        counters: Counters {
            limit,
            counted,
            clock,
            fullmove: 1,
        },
    }
}

/// Starts the count of a game in its first position, which may have more men than any table.
/// `count` is the count in this position, for instance that of sakmak_read_fen or fields 4 and 5 of a
/// FEN; NULL if there is none. A count of board's honor goes on, and SAKMAK_BOARDS_HONOR_NOT_COUNTED
/// then becomes SAKMAK_BOARDS_HONOR_AUTOMATIC. If one king is bare and there is no count, the count
/// begins with the bare king's next move.
///
/// # Safety
///
/// `position` and `count` are NULL or can be read; the other pointers are NULL or can be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_count_start(
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    boards_honor: i32,
    game: *mut SakmakGameCount,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let boards_honor = self::boards_honor(boards_honor)?;
            let game = Output::new(game, "the pointer for the count of the game")?;
            let count = given(count)?;
            count.validate(rules, position.material())?;
            let state = started(position, rules, &SakmakCount::of(count));
            game.write(SakmakGameCount::of(GameCount::start(&state, boards_honor)));
            Ok(())
        })
    }
}

/// Moves the count on by the move that leads from the position `before` to the position `after`.
/// `next` may be `game`.
///
/// # Safety
///
/// `game`, `before` and `after` are NULL or can be read; the other pointers are NULL or can be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_count_after(
    game: *const SakmakGameCount,
    rules: i32,
    before: *const SakmakPosition,
    after: *const SakmakPosition,
    next: *mut SakmakGameCount,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let count = read(game, "the count of the game")?.count()?;
            let before = read(before, "the position before the move")?.position()?;
            let after = read(after, "the position after the move")?.position()?;
            let next = Output::new(next, "the pointer for the next count")?;
            if before.turn() == after.turn() {
                return Err(Failure::new(
                    SakmakStatus::BadPosition,
                    "the same side is to move before and after the move: pass two positions that a move connects",
                ));
            }
            next.write(SakmakGameCount::of(count.after(rules, &before, &after)));
            Ok(())
        })
    }
}

/// Begins to count board's honor: the side to move says 1 with its next move. A count that runs
/// already begins again. The status is SAKMAK_STATUS_BAD_COUNT if the side to move may not count
/// board's honor in this position.
///
/// # Safety
///
/// `position` is NULL or can be read; `game` is NULL or can be read and written to; `error` is NULL or
/// can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_count_begin(
    game: *mut SakmakGameCount,
    rules: i32,
    position: *const SakmakPosition,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let count = read(game, "the count of the game")?.count()?;
            let position = read(position, "the position")?.position()?;
            let begun = count.begin(rules, &position).ok_or_else(|| {
                Failure::new(
                    SakmakStatus::BadCount,
                    format!(
                        "{} may not count board's honor in {} under {rules}: wait until the rules have this count",
                        position.turn(),
                        position.material()
                    ),
                )
            })?;
            game.write(SakmakGameCount::of(begun));
            Ok(())
        })
    }
}

/// Stops the count of board's honor. The count against a bare king goes on. After this call nobody
/// counts until sakmak_count_begin.
///
/// # Safety
///
/// `position` is NULL or can be read; `game` is NULL or can be read and written to; `error` is NULL or
/// can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_count_stop(
    game: *mut SakmakGameCount,
    position: *const SakmakPosition,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let count = read(game, "the count of the game")?.count()?;
            let position = read(position, "the position")?.position()?;
            game.write(SakmakGameCount::of(count.stop(&position)));
            Ok(())
        })
    }
}

/// Converts the count of a game to the count to pass to sakmak_probe and the other functions. Unless
/// `number` is NULL, writes to it the number that the counting side said last or, before it has said
/// one, the number from which it counts on; 0 if nothing is counted. Unless `over` is NULL, writes 1 to it if the count or the fifty-move rule has ended,
/// so that the game is drawn unless the side to move is mated, else 0.
///
/// # Safety
///
/// `game` is NULL or can be read; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_count_now(
    game: *const SakmakGameCount,
    rules: i32,
    count: *mut SakmakCount,
    number: *mut u32,
    over: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let game = read(game, "the count of the game")?.count()?;
            let count = Output::new(count, "the pointer for the count")?;
            count.write(SakmakCount::of(game.count(rules)));
            if let Some(number) = number.as_mut() {
                *number = game.number().unwrap_or(0);
            }
            if let Some(over) = over.as_mut() {
                *over = u8::from(game.is_over(rules));
            }
            Ok(())
        })
    }
}
