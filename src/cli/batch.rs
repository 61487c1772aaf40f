//! Positions from standard input, one a line, answered as they come.

use std::io::{self, BufRead, BufReader, Read};

use sakmak::probe::Tablebase;
use serde::Serialize;

use super::Failure;
use super::answer::text;
use super::output::{print, say};
use super::question::Question;

/// The most bytes of a line. No FEN of a position here has a tenth of it.
const LONGEST_LINE: u64 = 1000;

/// The document of a position that has no answer.
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

/// Answers every line. What cannot be answered is told in its place, and at the end it is a failure.
pub fn run(tablebase: &Tablebase, question: &Question, json: bool) -> Result<(), Failure> {
    if question.has_count() {
        return Err(Failure::input(
            "--count is for one position: with positions from standard input give each its count in its FEN",
        ));
    }
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let (mut asked, mut failed) = (0u64, 0u64);
    let mut worst: Option<Failure> = None;
    let mut out = String::new();
    while let Some(line) = next_line(&mut input)? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        asked += 1;
        match answer(tablebase, question, line, json) {
            Ok(answer) => out += &answer,
            Err(failure) => {
                failed += 1;
                match json {
                    true => out += &no_answer(line, &failure)?,
                    false => say(format_args!("sakmak: {line}: {failure}")),
                }
                if worst.as_ref().is_none_or(|w| w.code() < failure.code()) {
                    worst = Some(failure);
                }
            }
        }
        // Whoever waits for an answer before the next question gets it; a long list goes out in
        // large pieces.
        if input.buffer().is_empty() || out.len() > 1 << 16 {
            print(&out)?;
            out.clear();
        }
    }
    print(&out)?;
    match worst {
        None => Ok(()),
        Some(worst) => Err(worst.among(failed, asked)),
    }
}

fn answer(
    tablebase: &Tablebase,
    question: &Question,
    line: &str,
    json: bool,
) -> Result<String, Failure> {
    let fen = question.rules().read_fen(line)?;
    let answer = tablebase.answer(&fen, question.rules())?;
    match json {
        true => one_line(&answer.document()),
        false => Ok(text(&answer) + "\n"),
    }
}

fn no_answer(line: &str, failure: &Failure) -> Result<String, Failure> {
    one_line(&NoAnswer {
        fen: line,
        error: Reason {
            kind: failure.word(),
            message: failure.to_string(),
        },
    })
}

fn one_line(document: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string(document).map_err(|error| {
        Failure::machine(format!(
            "an answer cannot be written as JSON ({error}): please report this as a fault of sakmak"
        ))
    })?;
    Ok(json + "\n")
}

/// The next line, or none at the end. What is not UTF-8 or too long stays recognisable, and is no
/// FEN.
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
        Err(error) => Err(Failure::machine(format!(
            "standard input cannot be read ({error}): check what it comes from"
        ))),
    }
}
