//! The values of positions, and the functions that compute them.

use tablebase::probe::{Distance, Moves, Value};
use tablebase::rules::{Allowance, Category, LimitKind};

use super::ffi::{Output, guard, read, rule_set};
use super::handle::{SakmakTablebase, answer};
use super::position::{SakmakCount, SakmakPosition, given};
use super::status::{SakmakError, SakmakStatus};

/// The value of a position for the side to move, or of a move for the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakCategory {
    /// The opponent can force mate inside the count.
    Loss = -2,
    /// The opponent can force mate, but not inside the count, so the game is drawn.
    BlessedLoss = -1,
    /// Neither side can force mate.
    Draw = 0,
    /// Mate can be forced, but not inside the count, so the game is drawn.
    CursedWin = 1,
    /// Mate can be forced inside the count.
    Win = 2,
}

/// The outcome to which a distance belongs: for the side to move, or for the player who makes a
/// move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakOutcome {
    /// The opponent wins.
    Loss = -1,
    /// Neither side wins.
    Draw = 0,
    /// The player wins.
    Win = 1,
    /// The position has no distance of this kind.
    None = 2,
}

/// A distance in moves of the winning side: 1 is mate in one, 0 means that the loser is mated
/// already.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakDistance {
    /// The result for the player.
    pub outcome: SakmakOutcome,
    /// The number of moves; 0 unless a side wins.
    pub moves: u32,
}

/// The rules that end a game.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakLimitKind {
    /// No rule.
    None = 0,
    /// The count against a bare king (pieces' honor).
    PiecesHonor = 1,
    /// The count while both sides have men (board's honor).
    BoardsHonor = 2,
    /// The fifty-move rule of ASEAN chess.
    FiftyMoves = 3,
}

/// The number of moves that the count leaves the winning side. In a draw, it is the number of the
/// side with more than a king or, if neither king is bare, of the side to move. All numbers are in
/// moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakAllowance {
    /// The counting rule that would end the game first. If no rule applies, this is
    /// SAKMAK_LIMIT_KIND_NONE and the other fields are 0.
    pub kind: SakmakLimitKind,
    /// The limit of this rule.
    pub limit: u32,
    /// The number that the count has reached. Before the count begins, the number from which it
    /// will start.
    pub counted: u32,
    /// The number of moves that the winning side (in a draw, the side named above) has left,
    /// including its next move if it is to move.
    pub moves_available: u32,
    /// 1 if the count is running, else 0.
    pub started: u8,
}

/// The value of a position for the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakValue {
    /// The category of the position under the rule set and the count of the call.
    pub category: SakmakCategory,
    /// The distance to mate, with nothing counted.
    pub dtm: SakmakDistance,
    /// The distance to honor: to mate, or to a capture of the last enemy man after which mate can
    /// be forced inside the new count. In ASEAN chess it is to mate, or to any capture after which
    /// the winner still wins in time. While there is a bia, it is to mate, or to the capture or
    /// promotion of the last bia. Against a bare king there is no distance to honor, unless there
    /// is a bia.
    pub dth: SakmakDistance,
    /// The number of moves that the count leaves the winning side.
    pub allowance: SakmakAllowance,
}

/// The least and the greatest possible category of a position for the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SakmakCategoryBounds {
    /// The least possible category.
    pub least: SakmakCategory,
    /// The greatest possible category.
    pub most: SakmakCategory,
}

impl SakmakCategory {
    pub fn of(category: Category) -> SakmakCategory {
        match category {
            Category::Loss => SakmakCategory::Loss,
            Category::BlessedLoss => SakmakCategory::BlessedLoss,
            Category::Draw => SakmakCategory::Draw,
            Category::CursedWin => SakmakCategory::CursedWin,
            Category::Win => SakmakCategory::Win,
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
    pub fn of(allowance: Option<Allowance>) -> SakmakAllowance {
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

impl SakmakValue {
    pub fn of(value: Value) -> SakmakValue {
        SakmakValue {
            category: SakmakCategory::of(value.category),
            dtm: SakmakDistance::of(Some(value.dtm)),
            dth: SakmakDistance::of(value.dth),
            allowance: SakmakAllowance::of(value.allowance),
        }
    }
}

/// Computes the value of a position for the side to move, under a rule set and with a count (a
/// fresh count if `count` is NULL). This call allocates no memory once the table is open and the
/// block decoded.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
/// pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    value: *mut SakmakValue,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        answer(handle, position, value, error, |tablebase, position| {
            let rules = rule_set(rules)?;
            let value = tablebase.probe(position, rules, &given(count)?)?;
            Ok(SakmakValue::of(value))
        })
    }
}

/// Like sakmak_probe, but uses only decoded blocks. It opens, reads and allocates nothing and waits
/// for no other thread, so a search may call it at any node. If it needs a block that is not
/// decoded, it returns SAKMAK_STATUS_NOT_DECODED.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
/// pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_cached(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    value: *mut SakmakValue,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        answer(handle, position, value, error, |tablebase, position| {
            let value = tablebase
                .cached()
                .probe(position, rule_set(rules)?, &given(count)?)?;
            Ok(SakmakValue::of(value))
        })
    }
}

/// Computes only the category that sakmak_probe would give, with fewer lookups. It stops at the
/// first result that decides the category, such as a move that wins inside the count.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
/// pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_category(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    category: *mut SakmakCategory,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        answer(handle, position, category, error, |tablebase, position| {
            let category = tablebase.category(position, rule_set(rules)?, &given(count)?)?;
            Ok(SakmakCategory::of(category))
        })
    }
}

/// Like sakmak_category, but uses only decoded blocks, as sakmak_probe_cached does.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
/// pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_category_cached(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    category: *mut SakmakCategory,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        answer(handle, position, category, error, |tablebase, position| {
            let category =
                tablebase
                    .cached()
                    .category(position, rule_set(rules)?, &given(count)?)?;
            Ok(SakmakCategory::of(category))
        })
    }
}

/// Computes the least and the greatest category that a position can have. This takes one lookup in
/// a small table, the verdict table of the position's ending. The two categories differ only if a
/// running count leaves the winner fewer moves than a fresh one would. Then they are a win and a
/// cursed win, or a loss and a blessed loss. Without a verdict table both are the result of
/// sakmak_category.
///
/// # Safety
///
/// `handle` is NULL or open; `position` and `count` are NULL or can be read; the other
/// pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_category_bounds(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    rules: i32,
    count: *const SakmakCount,
    bounds: *mut SakmakCategoryBounds,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        answer(handle, position, bounds, error, |tablebase, position| {
            let count = given(count)?;
            let bounds = tablebase
                .by_category()
                .bounds(position, rule_set(rules)?, &count)?;
            let [least, most] = bounds.map(SakmakCategory::of);
            Ok(SakmakCategoryBounds { least, most })
        })
    }
}

/// Computes the distance to mate for the side to move, with nothing counted. No other probe is
/// cheaper. If there are bia, they are those of makruk and ouk; for ASEAN chess use sakmak_probe.
///
/// # Safety
///
/// `handle` is NULL or open; `position` is NULL or can be read; the other pointers are
/// NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_dtm(
    handle: *const SakmakTablebase,
    position: *const SakmakPosition,
    dtm: *mut SakmakDistance,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers.
    unsafe {
        answer(handle, position, dtm, error, |tablebase, position| {
            Ok(SakmakDistance::of(Some(tablebase.dtm(position)?)))
        })
    }
}

/// Writes 1 to `insufficient` if neither side could mate under this rule set, even with the
/// opponent's help and after promotions, else 0. Needs no table.
///
/// # Safety
///
/// `position` is NULL or can be read; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_is_insufficient(
    position: *const SakmakPosition,
    rules: i32,
    insufficient: *mut u8,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let insufficient = Output::new(insufficient, "the pointer for the answer")?;
            insufficient.write(u8::from(rules.is_insufficient(position.material())));
            Ok(())
        })
    }
}
