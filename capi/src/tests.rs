//! Tests the C library with damaged tables: it must return a status for each fault, and answer from
//! all other tables. `examples/mistakes.c` tests mistakes of the caller.

use std::ffi::{CStr, CString};
use std::path::Path;
use std::ptr::{null, null_mut};

use tablebase::board::{Fen, Lettering};
use tablebase::generate::{SolvedEndings, generate_table};
use tablebase::material::parse_set;
use tablebase::table::WriteOptions;

use crate::handle::{SakmakTablebase, sakmak_close, sakmak_open};
use crate::moves::{SAKMAK_MAX_MOVES, SakmakMove, sakmak_best_moves};
use crate::position::{SAKMAK_FEN_SIZE, SakmakCount, SakmakPosition, sakmak_read_fen};
use crate::status::{SAKMAK_MESSAGE_SIZE, SakmakError, SakmakStatus};
use crate::value::{SakmakDistance, SakmakOutcome, sakmak_dtm};

const KRVK: &CStr = c"8/8/8/8/8/2k5/8/K6R w";
const KSVK: &CStr = c"8/8/8/8/8/2k5/8/K6S w";

fn tables(directory: &Path) {
    let mut solved_endings = SolvedEndings::new();
    let options = WriteOptions::default();
    for set in ["KRvK", "KSvK"] {
        for material in parse_set(set).unwrap() {
            generate_table(material, directory, &mut solved_endings, &options, &|_| {}).unwrap();
        }
    }
}

fn no_error() -> SakmakError {
    SakmakError {
        status: SakmakStatus::Ok,
        message: [0; SAKMAK_MESSAGE_SIZE],
    }
}

fn message(error: &SakmakError) -> &str {
    // SAFETY: the library ends the message with a zero.
    unsafe { CStr::from_ptr(error.message.as_ptr()) }
        .to_str()
        .unwrap()
}

struct Handle(*mut SakmakTablebase);

impl Handle {
    fn open(directory: &Path) -> Handle {
        let directory = CString::new(directory.to_str().unwrap()).unwrap();
        let mut handle = null_mut();
        // SAFETY: the directory is a string, the handle can be written to, and the others may be
        // NULL.
        let status = unsafe { sakmak_open(directory.as_ptr(), null(), &mut handle, null_mut()) };
        assert_eq!(status, SakmakStatus::Ok);
        Handle(handle)
    }

    /// The distance to mate, or the error.
    fn dtm(&self, fen: &CStr) -> Result<SakmakDistance, Box<SakmakError>> {
        let (mut position, mut count) = (SakmakPosition::default(), SakmakCount::default());
        let mut error = no_error();
        let mut dtm = SakmakDistance {
            outcome: SakmakOutcome::None,
            moves: 0,
        };
        // SAFETY: the FEN is a string, the results can be written to, and the handle is open.
        unsafe {
            let status = sakmak_read_fen(
                fen.as_ptr(),
                0,
                &mut position,
                &mut count,
                null_mut(),
                &mut error,
            );
            assert_eq!(status, SakmakStatus::Ok);
            match sakmak_dtm(self.0, &position, &mut dtm, &mut error) {
                SakmakStatus::Ok => Ok(dtm),
                status => {
                    assert_eq!(status, error.status);
                    Err(Box::new(error))
                }
            }
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        let status = unsafe { sakmak_close(&mut self.0, null_mut()) };
        assert!(status == SakmakStatus::Ok && self.0.is_null());
    }
}

const MATE_IN_14: SakmakDistance = SakmakDistance {
    outcome: SakmakOutcome::Win,
    moves: 14,
};

#[test]
fn each_fault_of_a_table_has_its_status_and_the_other_table_answers() {
    let directory = tempfile::tempdir().unwrap();
    tables(directory.path());
    let path = directory.path().join("KRvK.skm");
    let intact = std::fs::read(&path).unwrap();
    let other = std::fs::read(directory.path().join("KSvK.skm")).unwrap();
    let mut newer = intact.clone();
    newer[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    for (bytes, expected) in [
        (&intact[..intact.len() - 1], SakmakStatus::WrongLength),
        (&[&intact[..], b"x"].concat(), SakmakStatus::WrongLength),
        (&other, SakmakStatus::WrongTable),
        (&[b'x'; 500], SakmakStatus::NotATable),
        (&newer, SakmakStatus::DamagedHeader),
    ] {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let handle = Handle::open(directory.path());
        let error = handle.dtm(KRVK).err().unwrap();
        assert_eq!(error.status, expected, "{}", message(&error));
        assert!(message(&error).contains("KRvK.skm"), "{}", message(&error));
        let draw = handle.dtm(KSVK).ok().unwrap();
        assert_eq!(draw.outcome, SakmakOutcome::Draw);
        // The same handle answers again once the file is restored.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &intact).unwrap();
        assert_eq!(handle.dtm(KRVK).ok(), Some(MATE_IN_14));
    }
}

#[test]
fn a_flipped_bit_anywhere_is_told_or_does_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    tables(directory.path());
    let path = directory.path().join("KRvK.skm");
    let intact = std::fs::read(&path).unwrap();
    let mut found = Vec::new();
    for place in (0..intact.len()).step_by(7) {
        let mut bytes = intact.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        match Handle::open(directory.path()).dtm(KRVK) {
            Ok(dtm) => assert_eq!(dtm, MATE_IN_14),
            Err(error) => found.push(error.status),
        }
    }
    for status in [SakmakStatus::DamagedHeader, SakmakStatus::DamagedBlock] {
        assert!(found.contains(&status), "{status:?}");
    }
}

#[test]
fn a_directory_that_vanishes_takes_only_what_was_not_open() {
    let directory = tempfile::tempdir().unwrap();
    tables(directory.path());
    let handle = Handle::open(directory.path());
    assert_eq!(handle.dtm(KRVK).ok(), Some(MATE_IN_14));
    directory.close().unwrap();
    assert_eq!(handle.dtm(KRVK).ok(), Some(MATE_IN_14));
    let error = handle.dtm(KSVK).err().unwrap();
    assert_eq!(error.status, SakmakStatus::UnreadableTable);
}

#[test]
fn a_table_cut_while_open_has_its_status() {
    let directory = tempfile::tempdir().unwrap();
    tables(directory.path());
    let handle = Handle::open(directory.path());
    assert_eq!(handle.dtm(KRVK).ok(), Some(MATE_IN_14));
    let path = directory.path().join("KRvK.skm");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(100).unwrap();
    // Decoded blocks still answer; a position in another block does not.
    assert_eq!(handle.dtm(KRVK).ok(), Some(MATE_IN_14));
    let error = handle.dtm(c"8/8/8/8/3k4/8/8/6RK w").err().unwrap();
    assert_eq!(
        error.status,
        SakmakStatus::WrongLength,
        "{}",
        message(&error)
    );
    assert!(message(&error).contains("KRvK.skm"), "{}", message(&error));
    assert_eq!(handle.dtm(KSVK).ok().unwrap().outcome, SakmakOutcome::Draw);
}

#[test]
fn a_fault_of_the_library_is_a_status_too() {
    let mut error = no_error();
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    // SAFETY: the error can be written to.
    let status = unsafe { crate::ffi::guard(&mut error, || panic!("as a test")) };
    std::panic::set_hook(quiet);
    assert_eq!(status, SakmakStatus::Internal);
    assert!(message(&error).contains("report"));
}

#[test]
fn a_long_message_is_cut_between_characters() {
    let mut error = no_error();
    let long = "é".repeat(SAKMAK_MESSAGE_SIZE);
    crate::status::Failure::new(SakmakStatus::BadFen, long).write(&mut error);
    let cut = message(&error);
    assert!(cut.len() >= SAKMAK_MESSAGE_SIZE - 2 && cut.chars().all(|c| c == 'é'));
}

#[test]
fn what_is_promised_to_be_enough_is() {
    // Ranks of eight men make the longest FEN; the counters have six digits each.
    assert!(SAKMAK_FEN_SIZE > 8 * 9 + " w - 999999 999999 4294967295".len());
    let mut moves = Vec::with_capacity(SAKMAK_MAX_MOVES);
    let mut number = 0;
    let mut position = SakmakPosition::default();
    let mut count = SakmakCount::default();
    let directory = tempfile::tempdir().unwrap();
    tables(directory.path());
    let handle = Handle::open(directory.path());
    // SAFETY: the FEN is a string, the results can be written to, the handle is open, and `moves`
    // has room for the given number of moves.
    unsafe {
        let fen = KRVK.as_ptr();
        sakmak_read_fen(fen, 0, &mut position, &mut count, null_mut(), null_mut());
        let room = moves.as_mut_ptr();
        let status = sakmak_best_moves(
            handle.0,
            &position,
            0,
            null(),
            room,
            SAKMAK_MAX_MOVES,
            &mut number,
            null_mut(),
        );
        assert_eq!(status, SakmakStatus::Ok);
        moves.set_len(number);
    }
    let moves: Vec<SakmakMove> = moves;
    let fen = Fen::parse(KRVK.to_str().unwrap(), Lettering::Makruk).unwrap();
    assert_eq!(moves.len(), fen.position.legal_moves().len());
    assert!(moves[0].dtm == MATE_IN_14 && moves[0].capture == 0);
}
