//! Annotates games with the tables' results.

use play::annotate::{
    AnnotateError, AnnotateOptions, Annotation, AnnotationDocument, Counting,
    annotate as annotate_game,
};
use tablebase::game::pgn::Games;
use tablebase::probe::Tablebase;

use crate::errors::Failure;

/// Annotates each game of a text. If a game cannot be annotated, its result is an error.
fn annotations(
    tables: &Tablebase,
    pgn: &str,
    rules: &str,
    count_from: Option<&str>,
) -> Result<impl Iterator<Item = Result<Annotation, Failure>>, Failure> {
    let input = |message: String| Failure::Input(message);
    let counting = match count_from {
        None => Counting::NotSaid,
        Some(word) => word.parse().map_err(|error| input(format!("{error}")))?,
    };
    let options = AnnotateOptions {
        rules: rules.parse()?,
        counting,
    };
    Ok(Games::new(pgn.as_bytes()).map(move |game| {
        let game = game.map_err(|error| Failure::Input(error.to_string()))?;
        annotate_game(tables, game, &options).map_err(|error| match error {
            AnnotateError::Probe(error) => Failure::Probe(error),
            error => Failure::Input(error.to_string()),
        })
    }))
}

/// Returns the annotation of each game, with the fields of `sakmak annotate --json`, or the first
/// error.
pub fn annotate(
    tables: &Tablebase,
    pgn: &str,
    rules: &str,
    count_from: Option<&str>,
) -> Result<Vec<AnnotationDocument>, Failure> {
    let annotations = annotations(tables, pgn, rules, count_from)?;
    annotations
        .map(|annotation| Ok(annotation?.document()))
        .collect()
}

/// Returns the games as PGN, with comments.
pub fn annotate_pgn(
    tables: &Tablebase,
    pgn: &str,
    rules: &str,
    count_from: Option<&str>,
) -> Result<String, Failure> {
    let annotations = annotations(tables, pgn, rules, count_from)?;
    let games: Result<Vec<String>, Failure> = annotations
        .map(|annotation| Ok(annotation?.pgn(usize::MAX)))
        .collect();
    Ok(games?.join("\n"))
}
