//! What a position is worth.

use tablebase::probe::{Distance, Moves};
use tablebase::rules::{Allowance, Category, LimitKind};

use super::border::{Place, border, read, rule_set};
use super::handle::{SakmakTablebase, tablebase};
use super::position::{SakmakCount, SakmakPosition, given};
use super::status::{SakmakError, SakmakStatus};

/// What a position is worth to the side to move, or a move to the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakCategory {
    /// The opponent forces mate inside the count.
    Loss = -2,
    /// The opponent could force mate, but not inside the count: drawn.
    BlessedLoss = -1,
    /// Neither side can force mate.
    Draw = 0,
    /// Mate could be forced, but not inside the count: drawn.
    CursedWin = 1,
    /// Mate is forced inside the count.
    Win = 2,
    /// The tables do not decide it. Only in ASEAN chess with men on both sides, where the fifty-move
    /// rule may cut a win short.
    Unknown = 3,
}

/// Who wins, for the player the distance is told to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakOutcome {
    /// The opponent.
    Loss = -1,
    /// Neither.
    Draw = 0,
    /// The player.
    Win = 1,
    /// There is no such distance.
    None = 2,
}

/// A distance in moves of the winning side: 1 is mate in one, 0 is mated on the board.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakDistance {
    /// Who wins.
    pub outcome: SakmakOutcome,
    /// The moves; 0 unless a side wins.
    pub moves: u32,
}

/// The rules that end a game.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakLimitKind {
    /// None does.
    None = 0,
    /// The count against a bare king.
    PiecesHonor = 1,
    /// The count while both sides have men.
    BoardsHonor = 2,
    /// The fifty-move rule of ASEAN chess.
    FiftyMoves = 3,
}

/// What the count leaves to the side that wins or, in a draw, to the side that has men (the side to
/// move, if both have). All numbers are in moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakAllowance {
    /// The rule that ends the game first. If it is none, the rest is 0.
    pub kind: SakmakLimitKind,
    /// Its limit.
    pub limit: u32,
    /// The number it has come to or, if it has not begun, the one that it begins after.
    pub counted: u32,
    /// The moves that are left, the next one included if it is that side's.
    pub moves_available: u32,
    /// 1 if the count runs already, else 0.
    pub started: u8,
}

/// What a position is worth to the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakValue {
    /// Under the rules, with the count.
    pub category: SakmakCategory,
    /// The distance to mate, as if nothing were counted.
    pub dtm: SakmakDistance,
    /// The distance to honor: to mate, or to the capture of the last man into an ending that the
    /// count lets one win. None against a bare king.
    pub dth: SakmakDistance,
    /// What the count leaves.
    pub allowance: SakmakAllowance,
}

impl SakmakCategory {
    pub fn of(category: Option<Category>) -> SakmakCategory {
        match category {
            Some(Category::Loss) => SakmakCategory::Loss,
            Some(Category::BlessedLoss) => SakmakCategory::BlessedLoss,
            Some(Category::Draw) => SakmakCategory::Draw,
            Some(Category::CursedWin) => SakmakCategory::CursedWin,
            Some(Category::Win) => SakmakCategory::Win,
            None => SakmakCategory::Unknown,
        }
    }
}

impl SakmakDistance {
    pub fn of(distance: Option<Distance>) -> SakmakDistance {
        let (outcome, Moves(moves)) = match distance {
            None => (SakmakOutcome::None, Moves(0)),
            Some(Distance::Draw) => (SakmakOutcome::Draw, Moves(0)),
            Some(Distance::Win(moves)) => (SakmakOutcome::Win, moves),
            Some(Distance::Loss(moves)) => (SakmakOutcome::Loss, moves),
        };
        SakmakDistance {
            outcome,
            moves: moves.into(),
        }
    }
}

impl SakmakAllowance {
    fn of(allowance: Option<Allowance>) -> SakmakAllowance {
        let Some(allowance) = allowance else {
            return SakmakAllowance {
                kind: SakmakLimitKind::None,
                limit: 0,
                counted: 0,
                moves_available: 0,
                started: 0,
            };
        };
        SakmakAllowance {
            kind: match allowance.kind {
                LimitKind::PiecesHonor => SakmakLimitKind::PiecesHonor,
                LimitKind::BoardsHonor => SakmakLimitKind::BoardsHonor,
                LimitKind::FiftyMoves => SakmakLimitKind::FiftyMoves,
            },
            limit: allowance.limit,
            counted: allowance.counted,
            moves_available: allowance.moves_available,
            started: u8::from(allowance.started),
        }
    }
}

/// Tells what a position is worth to the side to move, under a rule set and with a count (NULL: a
/// fresh one). It allocates nothing once the table is open and its block decoded.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read, the others NULL or
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    value: *mut SakmakValue,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        border(error, || {
            let tablebase = tablebase(handle)?;
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let place = Place::new(value, "the place for the value")?;
            let value = tablebase.probe(&position, rules, &given(count)?)?;
            place.write(match value {
                Some(value) => SakmakValue {
                    category: SakmakCategory::of(Some(value.category)),
                    dtm: SakmakDistance::of(Some(value.dtm)),
                    dth: SakmakDistance::of(value.dth),
                    allowance: SakmakAllowance::of(value.allowance),
                },
                None => SakmakValue {
                    category: SakmakCategory::Unknown,
                    dtm: SakmakDistance::of(Some(tablebase.dtm(&position)?)),
                    dth: SakmakDistance::of(tablebase.dth(&position, rules)?),
                    allowance: SakmakAllowance::of(None),
                },
            });
            Ok(())
        })
    }
}

/// Tells the distance to mate for the side to move, as if nothing were counted: the cheapest probe.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_dtm(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    dtm: *mut SakmakDistance,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        border(error, || {
            let tablebase = tablebase(handle)?;
            let position = read(position, "the position")?.position()?;
            let place = Place::new(dtm, "the place for the distance")?;
            place.write(SakmakDistance::of(Some(tablebase.dtm(&position)?)));
            Ok(())
        })
    }
}

/// Writes 1 to `insufficient` if neither side could mate even with the other's help, else 0.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read, the others NULL or written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_is_insufficient(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    insufficient: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller's, here and below.
    unsafe {
        border(error, || {
            let tablebase = tablebase(handle)?;
            let position = read(position, "the position")?.position()?;
            let place = Place::new(insufficient, "the place for the answer")?;
            place.write(u8::from(tablebase.is_insufficient(&position)?));
            Ok(())
        })
    }
}
