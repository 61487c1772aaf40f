//! Best lines.

use std::ffi::c_char;

use tablebase::probe::{End, Line, Played};
use tablebase::rules::RuleSet;

use super::ffi::{Output, guard, read, rule_set, text};
use super::handle::{SakmakTablebase, tablebase};
use super::moves::written;
use super::position::{SakmakCount, SakmakPosition, given};
use super::status::{Failure, SakmakError, SakmakStatus};
use super::value::{SakmakCategory, SakmakDistance};

/// The end of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakEnd {
    /// The side to move is mated.
    Checkmate = 0,
    /// The side to move is stalemated.
    Stalemate = 1,
    /// The count has run out, which draws the game.
    Counted = 2,
    /// Neither side can win.
    Draw = 3,
}

/// A move of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakLineMove {
    /// The square that the man leaves.
    pub from: u8,
    /// The square that the man reaches.
    pub to: u8,
    /// The category of the move, for the player who makes it.
    pub category: SakmakCategory,
    /// The distance to mate for the player who makes the move, counted from the position before it.
    pub dtm: SakmakDistance,
    /// The number that the player says with the move; 0 if the move is not counted.
    pub number: u32,
    /// The count after the move.
    pub count: SakmakCount,
    /// The move in UCI notation, as in SakmakMove.
    pub uci: [c_char; 8],
    /// The move in SAN, as in SakmakMove.
    pub san: [c_char; 12],
}

/// Computes best play by both sides to mate, to the end of the count or, in a draw, to the position
/// from which neither side can win. Up to `capacity` moves are written to `moves`, the number of all
/// moves to `number`, and the reason why the line ends to `end`. `first` is NULL or the first move in
/// UCI notation, so that a program can show a line for each move of sakmak_best_moves.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; `first` is NULL or
/// a string; `capacity` moves can be written to `moves` unless it is NULL; the other pointers are NULL
/// or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_line(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    first: *const c_char,
    moves: *mut SakmakLineMove,
    capacity: usize,
    number: *mut usize,
    end: *mut SakmakEnd,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let tablebase = tablebase(handle)?;
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let number = Output::new(number, "the pointer for the number of moves")?;
            let end = Output::new(end, "the pointer for the end of the line")?;
            if capacity > 0 {
                Output::new(moves, "the pointer for the moves")?;
            }
            let count = given(count)?;
            let line = match first.is_null() {
                true => tablebase.line(&position, rules, &count)?,
                false => {
                    let first = text(first, "the first move")?;
                    let ranked = tablebase.best_moves(&position, rules, &count)?;
                    let first = ranked
                        .iter()
                        .find(|ranked| ranked.m.uci(rules.lettering()).to_string() == first)
                        .ok_or_else(|| {
                            Failure::new(
                                SakmakStatus::BadMove,
                                format!("{first:?} is not a legal move in the position: pass a move of sakmak_best_moves"),
                            )
                        })?;
                    tablebase.line_after(&position, rules, &count, first)?
                }
            };
            let played = line.moves.iter().take(capacity);
            let all: Result<Vec<_>, Failure> =
                played.map(|m| SakmakLineMove::of(m, rules)).collect();
            for (i, m) in all?.into_iter().enumerate() {
                moves.add(i).write(m);
            }
            number.write(line.moves.len());
            end.write(SakmakEnd::of(&line));
            Ok(())
        })
    }
}

impl SakmakEnd {
    fn of(line: &Line) -> SakmakEnd {
        match line.end {
            End::Checkmate => SakmakEnd::Checkmate,
            End::Stalemate => SakmakEnd::Stalemate,
            End::Counted => SakmakEnd::Counted,
            End::Draw => SakmakEnd::Draw,
        }
    }
}

impl SakmakLineMove {
    fn of(played: &Played, rules: RuleSet) -> Result<SakmakLineMove, Failure> {
        Ok(SakmakLineMove {
            from: played.m.from.index() as u8,
            to: played.m.to.index() as u8,
            category: SakmakCategory::of(played.category),
            dtm: SakmakDistance::of(Some(played.dtm)),
            number: played.counted.unwrap_or(0),
            count: SakmakCount::of(played.count),
            uci: written(&played.m.uci(rules.lettering()).to_string())?,
            san: written(&played.before.san(played.m, rules.lettering()))?,
        })
    }
}
