//! Checks arguments from Python, both numbers and names.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tablebase::board::{Fen, Lettering};
use tablebase::material::CanonicalMaterial;
use tablebase::rules::{ReadError, RuleSet};
use tablebase::table::Access;

use crate::errors::Failure;

/// An argument that is a number of bytes or of files.
pub struct Number(pub usize);

/// An argument that is a number of moves.
pub struct Moves(pub u32);

impl<'a, 'py> FromPyObject<'a, 'py> for Number {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Number> {
        let wrong = |number: String| {
            let most = usize::MAX;
            Failure::Input(format!(
                "{number} is out of range: pass a number from 0 to {most}"
            ))
        };
        in_range(object.extract(), object, wrong).map(Number)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Moves {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Moves> {
        in_range(object.extract(), object, Failure::Number).map(Moves)
    }
}

/// Replaces Python's error for a number that is out of range by the error `wrong`.
fn in_range<T>(
    number: PyResult<T>,
    object: Borrowed<'_, '_, PyAny>,
    wrong: impl FnOnce(String) -> Failure,
) -> PyResult<T> {
    match number {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            Err(wrong(object.str()?.to_string()).into())
        }
        number => number,
    }
}

/// The letters accepted in a FEN.
#[derive(Clone, Copy)]
pub enum Letters {
    /// The lettering of the rule set.
    OfRules,
    /// One given lettering.
    Only(Lettering),
    /// Either lettering.
    Any,
}

impl Letters {
    /// The letters with this name; the lettering of the rule set if there is no name.
    pub fn named(name: Option<&str>) -> Result<Letters, Failure> {
        match name {
            None => Ok(Letters::OfRules),
            Some("makruk") => Ok(Letters::Only(Lettering::Makruk)),
            Some("asean") => Ok(Letters::Only(Lettering::Asean)),
            Some("any") => Ok(Letters::Any),
            Some(name) => Err(Failure::Input(format!(
                "{name:?} is not a lettering: pass \"makruk\" (K R N S M P), \"asean\" (K R N B Q P) or \"any\""
            ))),
        }
    }

    /// Parses a FEN in these letters.
    pub fn read(self, fen: &str, rules: RuleSet) -> Result<Fen, ReadError> {
        let first = match self {
            Letters::Only(lettering) => lettering,
            Letters::OfRules | Letters::Any => rules.lettering(),
        };
        let read = rules.read_fen_in(fen, first);
        match (self, read) {
            // If neither lettering fits, returns the error for the letters of the rule set.
            (Letters::Any, Err(ReadError::Fen(error))) => rules
                .read_fen_in(fen, first.other())
                .map_err(|_| error.into()),
            (_, read) => read,
        }
    }
}

/// The ending with this name.
pub fn ending(name: &str) -> Result<CanonicalMaterial, Failure> {
    let ending = name.parse();
    ending.map_err(|error| Failure::Input(format!("{error}")))
}

/// The access mode with this name; the default if there is no name.
pub fn access(name: Option<&str>) -> Result<Access, Failure> {
    match name {
        None | Some("blocks") => Ok(Access::Blocks),
        Some("map") => Ok(Access::Map),
        Some("whole") => Ok(Access::Whole),
        Some(name) => Err(Failure::Input(format!(
            "{name:?} is not an access mode: pass \"blocks\", \"map\" or \"whole\""
        ))),
    }
}
