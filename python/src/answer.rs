//! The document of a position: the command line's, with the FEN after each move.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pythonize::pythonize;
use tablebase::board::Color;
use tablebase::probe::Answer;

/// The answer as a dictionary.
pub fn document<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    let document = pythonize(py, &answer.document())?;
    let moves = document.get_item("moves")?.cast_into::<PyList>()?;
    let black = answer.fen.position.turn() == Color::Black;
    let fullmove = answer.fen.fullmove + u32::from(black);
    for (ranked, document) in answer.moves.iter().zip(moves) {
        let (next, count) = answer.after(ranked);
        let fen = count.to_fen(next, fullmove);
        let fen = fen.display(answer.rules.lettering()).to_string();
        document.cast_into::<PyDict>()?.set_item("fen", fen)?;
    }
    Ok(document)
}
