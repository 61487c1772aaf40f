//! Answers positions from standard input, one per line, as they arrive.

use std::io::{self, BufRead, BufReader, Read};

use sakmak::probe::Tablebase;
use serde::Serialize;

use super::Failure;
use super::answer_text::text;
use super::output::{json_line, print};
use super::position_args::PositionArgs;
use super::stderr::say;
use super::tables_args::TablesArgs;

/// The maximum length of an input line, in bytes. The FEN of a position in the tables is less than
/// a tenth as long.
const LONGEST_LINE: u64 = 1000;

/// The JSON document for a position without an answer.
#[derive(Serialize)]
struct NoAnswer<'a> {
    fen: &'a str,
    error: Reason,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    message: String,
}

/// Answers every line of standard input. For a position without an answer, prints an error in place
/// of the answer. Fails after the last line if any position had no answer.
pub fn run(
    tablebase: &Tablebase,
    question: &PositionArgs,
    tables: &TablesArgs,
    json: bool,
) -> Result<(), Failure> {
    if question.has_count() {
        return Err(Failure::input("--count is for one position").help(
            "if positions come from standard input, write the count of each position into its FEN",
        ));
    }
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let (mut total, mut failures) = (0u64, 0u64);
    let mut worst: Option<Failure> = None;
    let mut out = String::new();
    while let Some(line) = next_line(&mut input)? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        total += 1;
        match answer(tablebase, question, line, json, tables) {
            Ok(answer) => out += &answer,
            Err(failure) => {
                failures += 1;
                match json {
                    true => out += &no_answer(line, &failure, tables)?,
                    false => say(format_args!("sakmak: {line}: {}", failure.sentence(tables))),
                }
                if worst.as_ref().is_none_or(|w| w.code() < failure.code()) {
                    worst = Some(failure);
                }
            }
        }
        // The output is written when no more input is waiting, so that a client that waits for each
        // answer gets it at once. The answers to long lists are written in large pieces.
        if input.buffer().is_empty() || out.len() > 1 << 16 {
            print(&out)?;
            out.clear();
        }
    }
    print(&out)?;
    match worst {
        None => Ok(()),
        Some(worst) => Err(worst.among(failures, total, "positions have no answer")),
    }
}

fn answer(
    tablebase: &Tablebase,
    question: &PositionArgs,
    line: &str,
    json: bool,
    tables: &TablesArgs,
) -> Result<String, Failure> {
    let fen = question.rules().read_fen(line)?;
    let known = tablebase.answer(&fen, question.rules())?;
    match json {
        true => json_line(&known.document()),
        false => Ok(text(&known, tables) + "\n"),
    }
}

fn no_answer(line: &str, failure: &Failure, tables: &TablesArgs) -> Result<String, Failure> {
    json_line(&NoAnswer {
        fen: line,
        error: Reason {
            kind: failure.word(),
            message: failure.sentence(tables),
        },
    })
}

/// Reads the next line. Returns `None` at the end of the input. A line that is too long is
/// truncated, and a line that is not UTF-8 is decoded with replacement characters. Neither is a
/// valid FEN, so the answer is an error.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let mut read = || -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        if input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
        }
        Ok(Some(line))
    };
    match read() {
        Ok(line) => Ok(line.map(|line| String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Err(Failure::machine(format_args!(
            "standard input cannot be read ({error})"
        ))
        .help("check its source")),
    }
}
