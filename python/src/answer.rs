//! Converts the answer about a position to a dictionary. The dictionary has the fields that `sakmak
//! probe --json` prints, and the FEN after each move.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pythonize::pythonize;
use tablebase::board::Color;
use tablebase::probe::Answer;

/// Converts the answer to a dictionary.
pub fn document<'py>(py: Python<'py>, known: &Answer) -> PyResult<Bound<'py, PyAny>> {
    let document = pythonize(py, &known.document())?;
    let moves = document.get_item("moves")?.cast_into::<PyList>()?;
    let fen = known.fen();
    let fullmove = fen.fullmove + u32::from(fen.position.turn() == Color::Black);
    for (next, document) in known.next().iter().zip(moves) {
        let fen = next.count.to_fen(next.position, fullmove);
        let fen = fen.display(known.rules().lettering()).to_string();
        document.cast_into::<PyDict>()?.set_item("fen", fen)?;
    }
    Ok(document)
}
