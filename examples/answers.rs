//! Answers positions from standard input, one FEN a line, by the documents of `sakmak probe --json`.
//!
//! ```text
//! cargo run --release --example answers -- tables makruk < positions.txt
//! ```

use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rules] = arguments.as_slice() else {
        return Err("usage: answers DIRECTORY RULES".into());
    };
    answers(directory, rules, stdin().lock(), BufWriter::new(stdout()))
}

/// Writes the answer to each line. Decoded blocks are kept for the next lines.
pub fn answers(
    directory: &str,
    rules: &str,
    fens: impl BufRead,
    mut out: impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;
    let rules: RuleSet = rules.parse()?;
    for fen in fens.lines() {
        let answer = tablebase.answer(&rules.read_fen(&fen?)?, rules)?;
        serde_json::to_writer(&mut out, &answer.document())?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}
