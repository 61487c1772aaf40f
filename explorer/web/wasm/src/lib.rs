//! Reads tables in a browser, from the bytes fetched so far.
//!
//! A question is answered from these bytes. If bytes are missing, the reply lists their ranges. The
//! page then fetches the ranges, passes their bytes to [`give`], and asks the question again.
//!
//! JavaScript calls the functions below. It writes their input to the buffer that [`input`]
//! returns, and reads their output from the buffer that [`output`] returns. Offsets and lengths in
//! bytes are doubles, which are exact far beyond the length of any file.

mod fetched;
mod reader;

use std::cell::RefCell;

use reader::{Reader, Reply};

/// The reader, with the buffers for input and output.
struct State {
    reader: Reader,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        reader: Reader::new(),
        input: Vec::new(),
        output: String::new(),
    });
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

/// Returns the buffer for the input of the next call, with `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Returns the buffer with the output of the last call of [`ask`].
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|state| state.output.as_ptr())
}

/// Returns the number of bytes in the output.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with(|state| state.output.len())
}

/// Adds the table in the file that the input names or, if the input names an ending, its distance
/// table. `length` is the length of the table's file in bytes. Returns the index
/// of the table, or -1 if there is no such ending.
#[unsafe(no_mangle)]
pub extern "C" fn add(length: f64) -> i32 {
    with(|state| {
        let material = String::from_utf8_lossy(&state.input);
        let number = state.reader.add(&material, length as u64);
        number
            .and_then(|number| number.try_into().ok())
            .unwrap_or(-1)
    })
}

/// Stores the input as bytes of a table, the first of which is at offset `start` of its file.
#[unsafe(no_mangle)]
pub extern "C" fn give(table: usize, start: f64) {
    with(|state| state.reader.give(table, start as u64, &state.input));
}

/// Answers the question in the input: a line with the path, a line with the query, and the body.
/// Returns the HTTP status, with the answer in the output. If bytes are missing, returns 0, with
/// the ranges to fetch in the output: `[[table, start, end], …]`. `round` is the number of earlier
/// calls with the same question.
#[unsafe(no_mangle)]
pub extern "C" fn ask(round: u32) -> u32 {
    with(|state| {
        let mut parts = state.input.splitn(3, |&byte| byte == b'\n');
        let mut line = || String::from_utf8_lossy(parts.next().unwrap_or_default());
        let (path, query) = (line(), line());
        let body = parts.next().unwrap_or_default();
        let (status, output) = match state.reader.ask(&path, &query, body, round) {
            Reply::Said(status, text) => (status.into(), text),
            Reply::Wanted(ranges) => (0, serde_json::to_string(&ranges).unwrap_or_default()),
        };
        state.output = output;
        status
    })
}
