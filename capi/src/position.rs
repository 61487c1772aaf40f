//! Positions, counts and FENs.

use std::ffi::c_char;

use tablebase::board::{Color, Position, Role, Square, SquareSet};
use tablebase::rules::{Count, NotInTables};

use super::ffi::{Output, guard, read, rule_set, slice, text};
use super::status::{Failure, SakmakError, SakmakStatus};

/// The rule sets. Makruk and ouk use the letters K R N S M, ASEAN chess K R N B Q.
#[repr(C)]
#[expect(dead_code, reason = "C uses it")]
pub enum SakmakRules {
    /// Makruk, the chess of Thailand.
    Makruk = 0,
    /// ASEAN chess.
    Asean = 1,
    /// Ouk, the chess of Cambodia.
    Ouk = 2,
}

/// The sides.
#[repr(C)]
#[expect(dead_code, reason = "C uses it")]
pub enum SakmakColor {
    /// White, whose khon steps up the board.
    White = 0,
    /// Black.
    Black = 1,
}

/// The roles of the men, with their Thai names.
#[repr(C)]
#[expect(dead_code, reason = "C uses it")]
pub enum SakmakRole {
    /// The king, khun.
    King = 0,
    /// The rook, ruea.
    Rook = 1,
    /// The knight, ma.
    Knight = 2,
    /// The khon, a silver general; ASEAN chess's bishop.
    Khon = 3,
    /// The met, a ferz; ASEAN chess's queen.
    Met = 4,
    /// The bia, or pawn. A promoted bia is a met.
    Bia = 5,
}

/// A position. Each man's square is in two sets: one for its colour and one for its role. Bit 0 of
/// a set is a1, bit 1 is b1, bit 8 is a2, bit 63 is h8.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SakmakPosition {
    /// The squares of White's men.
    pub white: u64,
    /// The squares of Black's men.
    pub black: u64,
    /// The squares of both kings.
    pub kings: u64,
    /// The squares of all rooks.
    pub rooks: u64,
    /// The squares of all knights.
    pub knights: u64,
    /// The squares of all khons.
    pub khons: u64,
    /// The squares of all mets.
    pub mets: u64,
    /// The side to move: a SakmakColor.
    pub turn: u8,
    /// The squares of all bia.
    pub bia: u64,
}

/// The kinds of counts.
#[repr(C)]
pub enum SakmakCountKind {
    /// No count is running; one begins with the next move of the side that counts.
    Fresh = 0,
    /// No count is running, but counted_plies plies have been made since the last capture. ASEAN
    /// chess's fifty-move rule counts them. Under the other rule sets this means the same as Fresh.
    Clock = 1,
    /// A count is running: limit_plies and counted_plies are fields 4 and 5 of a Fairy-Stockfish
    /// FEN.
    Running = 2,
    /// A count is running, and clock_plies plies, a number other than counted_plies, have been made
    /// since the last capture. This occurs in ASEAN chess, where a bare king's capture restarts the
    /// fifty-move rule, but not the count. A FEN cannot express it. Under the other rule sets this
    /// means the same as Running.
    Both = 3,
}

/// A count, with all numbers in plies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SakmakCount {
    /// The kind of the count: a SakmakCountKind.
    pub kind: i32,
    /// The limit in plies, two for each move. It is used if the count is running. If it is 0, no
    /// count is running, and counted_plies are the plies since the last capture.
    pub limit_plies: u32,
    /// The number of plies counted so far.
    pub counted_plies: u32,
    /// The plies since the last capture. Used only if the kind is SAKMAK_COUNT_KIND_BOTH.
    pub clock_plies: u32,
}

impl SakmakPosition {
    /// The position, if it is legal.
    pub fn position(&self) -> Result<Position, Failure> {
        let by_role = [
            self.kings,
            self.rooks,
            self.knights,
            self.khons,
            self.mets,
            self.bia,
        ];
        Ok(Position::new(
            [SquareSet(self.white), SquareSet(self.black)],
            by_role.map(SquareSet),
            color(self.turn)?,
        )?)
    }

    pub fn of(position: &Position) -> SakmakPosition {
        let role = |role| position.by_role(role).0;
        SakmakPosition {
            white: position.by_color(Color::White).0,
            black: position.by_color(Color::Black).0,
            kings: role(Role::King),
            rooks: role(Role::Rook),
            knights: role(Role::Knight),
            khons: role(Role::Khon),
            mets: role(Role::Met),
            turn: position.turn().index() as u8,
            bia: role(Role::Bia),
        }
    }
}

impl SakmakCount {
    /// The count as the library represents it.
    pub fn count(&self) -> Result<Count, Failure> {
        const FRESH: i32 = SakmakCountKind::Fresh as i32;
        const CLOCK: i32 = SakmakCountKind::Clock as i32;
        const RUNNING: i32 = SakmakCountKind::Running as i32;
        const BOTH: i32 = SakmakCountKind::Both as i32;
        match self.kind {
            FRESH => Ok(Count::Fresh),
            CLOCK => Ok(Count::Clock {
                plies: self.counted_plies,
            }),
            RUNNING => Ok(Count::of_plies(self.limit_plies, self.counted_plies)),
            BOTH => Ok(Count::Both {
                limit_plies: self.limit_plies,
                counted_plies: self.counted_plies,
                clock_plies: self.clock_plies,
            }),
            kind => Err(Failure::new(
                SakmakStatus::BadCount,
                format!("{kind} is not a kind of count: pass a value of SakmakCountKind"),
            )),
        }
    }

    pub fn of(count: Count) -> SakmakCount {
        let kind = match count {
            Count::Fresh => SakmakCountKind::Fresh,
            Count::Clock { .. } => SakmakCountKind::Clock,
            Count::Explicit { .. } => SakmakCountKind::Running,
            Count::Both { .. } => SakmakCountKind::Both,
        };
        let (limit_plies, counted_plies) = match count {
            Count::Clock { plies } => (0, plies),
            _ => count.running().unwrap_or_default(),
        };
        let clock_plies = match count {
            Count::Both { clock_plies, .. } => clock_plies,
            _ => 0,
        };
        SakmakCount {
            kind: kind as i32,
            limit_plies,
            counted_plies,
            clock_plies,
        }
    }
}

fn color(number: u8) -> Result<Color, Failure> {
    Color::ALL.get(usize::from(number)).copied().ok_or_else(|| {
        Failure::new(
            SakmakStatus::BadPosition,
            format!("{number} is not a side: pass a value of SakmakColor"),
        )
    })
}

/// The count at a pointer. NULL means a fresh count.
///
/// # Safety
///
/// The pointer is NULL or can be read.
pub unsafe fn given(count: *const SakmakCount) -> Result<Count, Failure> {
    // SAFETY: the caller keeps the contract of the pointers.
    match unsafe { count.as_ref() } {
        None => Ok(Count::Fresh),
        Some(count) => count.count(),
    }
}

/// The most men of a game, of both sides.
const MEN_OF_A_GAME: usize = 32;

/// Makes a position from its men. Man i is on `squares[i]` (a1 is 0, h8 is 63), and has the colour
/// `colors[i]` and the role `roles[i]` (a SakmakColor and a SakmakRole).
///
/// # Safety
///
/// The lists are NULL or have `men` elements; the other pointers are NULL or can be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_position_from_men(
    squares: *const u8,
    colors: *const u8,
    roles: *const u8,
    men: usize,
    turn: u8,
    position: *mut SakmakPosition,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let output = Output::new(position, "the pointer for the position")?;
            if men > MEN_OF_A_GAME {
                let message = format!(
                    "there are {men} men, but a game has at most {MEN_OF_A_GAME}: remove some"
                );
                return Err(Failure::new(SakmakStatus::BadPosition, message));
            }
            let squares = slice(squares, men, "the list of squares")?;
            let colors = slice(colors, men, "the list of colours")?;
            let roles = slice(roles, men, "the list of roles")?;
            let mut all = Vec::with_capacity(men);
            for i in 0..men {
                let bad = |what: &str, number: u8| {
                    let message = format!("man {i} has an unknown {what}, {number}: see sakmak.h");
                    Failure::new(SakmakStatus::BadPosition, message)
                };
                let square = Square::new(squares[i]).ok_or_else(|| bad("square", squares[i]))?;
                let role = Role::ALL.get(usize::from(roles[i]));
                let role = role.ok_or_else(|| bad("role", roles[i]))?;
                all.push((square, color(colors[i])?, *role));
            }
            let position = Position::from_men(all, color(turn)?)?;
            let in_tables = position.material().check_men();
            in_tables.map_err(NotInTables::from)?;
            output.write(SakmakPosition::of(&position));
            Ok(())
        })
    }
}

/// Parses a FEN in the letters of a rule set. Writes the position, its count and, unless `fullmove`
/// is NULL, the move number. Trailing fields may be omitted; only the board and the side to move
/// are required.
///
/// # Safety
///
/// `fen` is NULL or a string; the other pointers are NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_read_fen(
    fen: *const c_char,
    rules: i32,
    position: *mut SakmakPosition,
    count: *mut SakmakCount,
    fullmove: *mut u32,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let fen = text(fen, "the FEN")?;
            let position = Output::new(position, "the pointer for the position")?;
            let count = Output::new(count, "the pointer for the count")?;
            let fen = rules.read_fen(fen)?;
            position.write(SakmakPosition::of(&fen.position));
            count.write(SakmakCount::of(Count::from_fen(&fen)));
            if !fullmove.is_null() {
                fullmove.write(fen.fullmove);
            }
            Ok(())
        })
    }
}

/// The size in bytes of the longest FEN, including the terminating zero.
#[cfg_attr(not(test), expect(dead_code, reason = "C uses it"))]
pub const SAKMAK_FEN_SIZE: usize = 128;

/// Writes the FEN of a position, in the letters of a rule set and with all six fields. If `count`
/// is NULL, the FEN has a fresh count.
///
/// # Safety
///
/// `position` and `count` are NULL or can be read; `size` bytes can be written to
/// `buffer` unless `buffer` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_write_fen(
    position: *const SakmakPosition,
    count: *const SakmakCount,
    fullmove: u32,
    rules: i32,
    buffer: *mut c_char,
    size: usize,
    error: *mut SakmakError,
) -> SakmakStatus {
    // SAFETY: the caller keeps the contract of the pointers, here and below.
    unsafe {
        guard(error, || {
            let rules = rule_set(rules)?;
            let position = read(position, "the position")?.position()?;
            let count = given(count)?;
            if count.running().is_some() {
                count.validate(rules, position.material())?;
            }
            let _ = Output::new(buffer, "the buffer for the FEN")?;
            let fen = count.to_fen(position, fullmove);
            let fen = fen.display(rules.lettering()).to_string();
            if fen.len() >= size {
                let message = format!(
                    "the FEN takes {} bytes and the buffer has {size}: pass a buffer of SAKMAK_FEN_SIZE bytes",
                    fen.len() + 1
                );
                return Err(Failure::new(SakmakStatus::BufferTooSmall, message));
            }
            let out = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), fen.len() + 1);
            out[..fen.len()].copy_from_slice(fen.as_bytes());
            out[fen.len()] = 0;
            Ok(())
        })
    }
}
