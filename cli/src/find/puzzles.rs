//! Prints puzzles with their solutions, as PGN, EPD, JSON or a page to print.

use sakmak::board::{Color, Fen, Lettering};
use sakmak::game::pgn::variant_of_rules;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak_play::find::{Criteria, Puzzles, Stipulation, Theme};

use super::super::Failure;
use super::super::output::{json_line, print};
use super::format::Format;
use super::sheet;
use super::solution::{Numbered, about, solution};

/// The arguments of a search for puzzles.
pub struct Search<'a> {
    pub wanted: &'a Criteria,
    pub endings: &'a [CanonicalMaterial],
    pub theme: Option<Theme>,
    pub number: usize,
    pub seed: u64,
    pub format: Format,
}

/// Finds puzzles and prints them, taking one from each ending in turn.
pub fn run(tablebase: &Tablebase, search: &Search) -> Result<(), Failure> {
    let rules = search.wanted.rules;
    let (endings, wanted, seed) = (search.endings, search.wanted, search.seed);
    let puzzles = match search.theme {
        Some(theme) => Puzzles::of_theme(tablebase, endings, wanted, theme, seed)?,
        None => Puzzles::new(tablebase, endings, wanted, seed)?,
    };
    let mut found = Vec::new();
    for puzzle in puzzles.take(search.number) {
        let (ending, puzzle) = puzzle?;
        found.push(Numbered { ending, puzzle });
    }
    if found.is_empty() {
        return Err(Failure::no(
            "no matching puzzle: try other endings or fewer filters",
        ));
    }
    // Puzzles are sorted so that easier ones come first.
    found.sort_by_key(|numbered| numbered.puzzle.grade());
    let lettering = rules.lettering();
    if search.format == Format::Html {
        return print(&sheet::html(rules, &found));
    }
    for (i, numbered) in found.iter().enumerate() {
        let text = match search.format {
            Format::Json => json_line(&numbered.puzzle.document(numbered.ending, rules))?,
            Format::Epd => epd(i + 1, numbered, lettering),
            Format::Pgn => pgn(i + 1, numbered, variant_of_rules(rules), lettering),
            Format::Fen => {
                Fen::new(numbered.puzzle.position)
                    .display(lettering)
                    .to_string()
                    + "\n"
            }
            Format::Csv | Format::Html => {
                return Err(Failure::input(
                    "puzzles are printed as pgn, epd, json, fen or html: choose one of them with --format",
                ));
            }
        };
        print(&text)?;
    }
    Ok(())
}

fn epd(number: usize, numbered: &Numbered, lettering: Lettering) -> String {
    let puzzle = &numbered.puzzle;
    let fen = Fen::new(puzzle.position);
    let first = puzzle.moves.first().map(|m| m.before.san(m.m, lettering));
    format!(
        "{} bm {}; id \"{} {number}\"; c0 \"{}\"; c1 \"{}\";\n",
        fen.display(lettering).epd(),
        first.unwrap_or_default(),
        numbered.ending,
        puzzle.task(),
        solution(puzzle, lettering)
    )
}

fn pgn(number: usize, numbered: &Numbered, variant: &str, lettering: Lettering) -> String {
    let puzzle = &numbered.puzzle;
    let result = match (puzzle.goal, puzzle.solver()) {
        (Stipulation::Draw, _) => "1/2-1/2",
        (Stipulation::Win, Color::White) => "1-0",
        (Stipulation::Win, Color::Black) => "0-1",
    };
    let fen = Fen::new(puzzle.position);
    let mut text = format!(
        "[Event \"{}, puzzle {number}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n\
         [White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n[Variant \"{variant}\"]\n\
         [SetUp \"1\"]\n[FEN \"{}\"]\n\n",
        numbered.ending,
        fen.display(lettering)
    );
    let words = format!(
        "{{{}; {}}} {} {result}",
        puzzle.task(),
        about(numbered),
        solution(puzzle, lettering)
    );
    let mut width = 0;
    for word in words.split(' ') {
        if width > 0 && width + 1 + word.len() > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += word.len();
    }
    text + "\n\n"
}
