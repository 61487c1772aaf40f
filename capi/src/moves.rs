//! Ranks the moves of a position, best first.

use std::ffi::c_char;

use tablebase::board::Lettering;
use tablebase::probe::RankedMove;

use super::ffi::{Output, guard, read, rule_set};
use super::handle::{SakmakTablebase, tablebase};
use super::position::{SakmakCount, SakmakPosition, given};
use super::status::{Failure, SakmakError, SakmakStatus};
use super::value::{SakmakAllowance, SakmakCategory, SakmakDistance};

/// An upper bound on the number of legal moves in any position of the tables.
#[cfg_attr(not(test), expect(dead_code, reason = "C uses it"))]
pub const SAKMAK_MAX_MOVES: usize = 96;

/// A legal move, with its value for the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakMove {
    /// The square that the man leaves: a1 is 0, b1 is 1, h8 is 63.
    pub from: u8,
    /// The square that the man reaches.
    pub to: u8,
    /// 1 if the move captures a man, else 0.
    pub capture: u8,
    /// 1 if the move mates, else 0.
    pub checkmate: u8,
    /// The category of the move under the rule set and the count of the call.
    pub category: SakmakCategory,
    /// The distance to mate, counted from the position before the move.
    pub dtm: SakmakDistance,
    /// The distance to honor, counted from the position before the move. It is 1 for a winning
    /// capture of the last man inside the count, and for a winning capture or promotion of the last
    /// bia. Against a bare king there is no distance to honor, unless there is a bia.
    pub dth: SakmakDistance,
    /// The move in UCI notation, such as "c2b3", or "a5a6m" for a promotion.
    pub uci: [c_char; 8],
    /// The move in SAN, such as "Nbd2+".
    pub san: [c_char; 12],
    /// The count that begins if the move captures or promotes the last bia. Its `moves_available`
    /// are the moves of the side that could force mate if nothing were counted. Its kind is
    /// SAKMAK_LIMIT_KIND_NONE if no count begins.
    pub begins: SakmakAllowance,
}

/// Ranks the legal moves of a position, best first, under a rule set and with a count (a fresh
/// count if `count` is NULL). Up to `capacity` moves are written to `moves`, and the number of all
/// moves to `number`. This function is meant for the root of a search, not for its leaves.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; `capacity`
/// moves can be written to `moves` unless it is NULL; the other pointers are NULL or can be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_best_moves(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    moves: *mut SakmakMove,
    capacity: usize,
    number: *mut usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let tablebase = tablebase(handle)?;
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let number = Output::new(number, "the pointer for the number of moves")?;
            if capacity > 0 {
                Output::new(moves, "the pointer for the moves")?;
            }
            let ranked = tablebase.best_moves(&position, rules, &given(count)?)?;
            let lettering = rules.lettering();
            let mut written = Vec::with_capacity(ranked.len());
            for m in ranked.iter().take(capacity) {
                written.push(SakmakMove::of(m, lettering, &position.san(m.m, lettering))?);
            }
            for (i, m) in written.into_iter().enumerate() {
                moves.add(i).write(m);
            }
            number.write(ranked.len());
            Ok(())
        })
    }
}

impl SakmakMove {
    fn of(ranked: &RankedMove, lettering: Lettering, san: &str) -> Result<SakmakMove, Failure> {
        Ok(SakmakMove {
            from: ranked.m.from.index() as u8,
            to: ranked.m.to.index() as u8,
            capture: u8::from(ranked.capture),
            checkmate: u8::from(ranked.checkmate),
            category: SakmakCategory::of(ranked.category),
            dtm: SakmakDistance::of(Some(ranked.dtm)),
            dth: SakmakDistance::of(ranked.dth),
            uci: written(&ranked.m.uci(lettering).to_string())?,
            san: written(san)?,
            begins: SakmakAllowance::of(ranked.begins),
        })
    }
}

/// Converts a short text to a zero-terminated string.
pub fn written<const N: usize>(text: &str) -> Result<[c_char; N], Failure> {
    if text.len() >= N {
        let message = format!("{text:?} is longer than {N} bytes: please report this");
        return Err(Failure::new(SakmakStatus::Internal, message));
    }
    let mut out = [0; N];
    for (to, from) in out.iter_mut().zip(text.bytes()) {
        *to = from.cast_signed() as c_char;
    }
    Ok(out)
}
