//! Annotates games: reads PGN, and writes PGN or JSON.

use super::answer::json;
use super::refusal::Refusal;
use sakmak::game::pgn::{Games, PgnError, PgnGame};
use sakmak::probe::Tablebase;
use sakmak_play::annotate::{AnnotateError, AnnotateOptions, Annotation, annotate};

/// The maximum number of games in a text.
pub const MOST_GAMES: usize = 1000;
/// The maximum number of plies in a text.
pub const MOST_MOVES: usize = 20_000;

/// The output format of annotated games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GamesFormat {
    /// PGN with comments, as printed by `sakmak annotate`.
    Pgn,
    /// JSON with one game per line, as printed by `sakmak annotate --json`.
    Json,
}

impl GamesFormat {
    /// The media type of the answer, for HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            GamesFormat::Pgn => "application/x-chess-pgn; charset=utf-8",
            GamesFormat::Json => "application/x-ndjson",
        }
    }
}

/// The options for annotating games.
#[derive(Clone, Copy, Debug)]
pub struct Annotate {
    options: AnnotateOptions,
    /// The maximum number of plies in a variation.
    most_plies: usize,
    /// The format of the answer.
    pub format: GamesFormat,
}

impl Annotate {
    /// Parses the parameters `rules` (for games without a Variant tag), `count_from`, `line` and
    /// `format` (pgn or json). If the query has no parameter `format`, the argument `format` is
    /// used. Ignores other parameters.
    ///
    /// # Errors
    ///
    /// If a value is invalid.
    pub fn parse(
        parameters: impl Iterator<Item = (String, String)>,
        format: GamesFormat,
    ) -> Result<Annotate, Refusal> {
        let mut asked = Annotate {
            options: AnnotateOptions::default(),
            most_plies: usize::MAX,
            format,
        };
        for (name, value) in parameters {
            let bad = |what: &str| Refusal::input(format!("{name} is {value:?}: give {what}"));
            match name.as_str() {
                "rules" => asked.options.rules = value.parse()?,
                "count_from" => {
                    let counting = value.parse();
                    asked.options.counting = counting.map_err(|_| {
                        bad("a move number such as 41, 41w or 41b, or `first` or `never`")
                    })?;
                }
                "line" => {
                    asked.most_plies = value.parse().map_err(|_| bad("a whole number of plies"))?;
                }
                "format" => {
                    asked.format = match value.as_str() {
                        "pgn" => GamesFormat::Pgn,
                        "json" => GamesFormat::Json,
                        _ => return Err(bad("pgn or json")),
                    };
                }
                _ => {}
            }
        }
        Ok(asked)
    }

    /// Annotates the games of a text. For a game that cannot be annotated, the output states the
    /// reason in its place: in PGN on a line that begins with `%`, which readers skip, and in JSON
    /// as an object. When `go_on` returns false, the games left are not annotated.
    ///
    /// # Errors
    ///
    /// If the text has no games or too many, or if none can be annotated.
    pub fn answer(
        &self,
        tablebase: &Tablebase,
        text: &[u8],
        go_on: impl Fn() -> bool,
    ) -> Result<String, Refusal> {
        let games = games_of(text)?;
        let alone = games.len() == 1;
        let mut answer = String::new();
        let mut first_refusal = None;
        let mut annotated = 0;
        for (i, (line, game)) in games.into_iter().enumerate() {
            let annotation = match go_on() {
                true => game.and_then(|game| self.annotate(tablebase, game)),
                false => Err(Refusal::busy(
                    "there was no time left for this game: send it again, with fewer games",
                )),
            };
            match annotation {
                Ok(annotation) => {
                    annotated += 1;
                    answer += &self.written(&annotation)?;
                }
                Err(refusal) if alone => return Err(refusal),
                Err(refusal) => {
                    let place = match line {
                        Some(line) => format!("game {} (line {line})", i + 1),
                        None => format!("game {}", i + 1),
                    };
                    answer += &self.refused(line, &place, &refusal);
                    first_refusal.get_or_insert(Refusal {
                        message: format!("{place}: {}", refusal.message),
                        ..refusal
                    });
                }
            }
        }
        match first_refusal {
            Some(refusal) if annotated == 0 => Err(refusal),
            _ => Ok(answer),
        }
    }

    fn annotate(&self, tablebase: &Tablebase, game: PgnGame) -> Result<Annotation, Refusal> {
        annotate(tablebase, game, &self.options).map_err(|error| match error {
            AnnotateError::Probe(error) => error.into(),
            error => Refusal::input(error.to_string()),
        })
    }

    fn written(&self, annotation: &Annotation) -> Result<String, Refusal> {
        match self.format {
            GamesFormat::Pgn => Ok(annotation.pgn(self.most_plies) + "\n"),
            GamesFormat::Json => json(&annotation.document()),
        }
    }

    fn refused(&self, line: Option<usize>, place: &str, refusal: &Refusal) -> String {
        match self.format {
            GamesFormat::Pgn => format!("% {place}: {}\n\n", refusal.message),
            GamesFormat::Json => refusal.document_of_line(line),
        }
    }
}

/// A game, or the reason why it cannot be read. The number is the line of the text where the game
/// begins.
type Read = (Option<usize>, Result<PgnGame, Refusal>);

/// Splits a text into games, without playing them.
fn games_of(text: &[u8]) -> Result<Vec<Read>, Refusal> {
    let mut games: Vec<Read> = Vec::new();
    let mut moves = 0;
    for game in Games::new(text) {
        match game {
            Ok(game) => {
                moves += game.moves.len();
                games.push((Some(game.line), Ok(game)));
            }
            Err(error @ PgnError::TooLong { line }) => {
                games.push((Some(line), Err(Refusal::input(error.to_string()))));
            }
            Err(error) => games.push((None, Err(Refusal::input(error.to_string())))),
        }
        if games.len() > MOST_GAMES {
            return Err(Refusal::too_large(
                "there are more than 1,000 games: send them in parts",
            ));
        }
        if moves > MOST_MOVES {
            return Err(Refusal::too_large(
                "the games have more than 20,000 moves: send them in parts",
            ));
        }
    }
    match games.is_empty() {
        true => Err(Refusal::input("there is no game in the text: send a PGN")),
        false => Ok(games),
    }
}
