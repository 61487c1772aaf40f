//! Positions in arrays of bitboards, without FENs, and all positions of an ending in chunks.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablebase::board::{Color, Position, Role, SquareSet};
use tablebase::material::{MAX_MEN, Material, Positions};
use tablebase::rules::{Count, NotInTables, ReadError, RuleSet};

use crate::Tablebase;
use crate::errors::Failure;
use crate::many::{Answers, Row};

/// The sets of a position: one for each colour, one for each role.
const SETS: usize = 8;

/// Positions, as `sakmak.arrays.Boards` passes them: for each set an array with the bitboards of all
/// positions, then the sides to move.
pub struct Arrays<'a> {
    sets: &'a [u8],
    turns: &'a [u8],
    /// The limits of all positions, then the numbers counted, in plies.
    counts: Option<&'a [u8]>,
}

impl<'a> Arrays<'a> {
    /// Checks that the arrays have the same number of positions.
    pub fn new(
        sets: &'a [u8],
        turns: &'a [u8],
        counts: Option<&'a [u8]>,
    ) -> Result<Arrays<'a>, Failure> {
        let positions = turns.len();
        let counted = counts.is_none_or(|counts| counts.len() == 2 * 4 * positions);
        match sets.len() == SETS * 8 * positions && counted {
            true => Ok(Arrays {
                sets,
                turns,
                counts,
            }),
            false => Err(Failure::Input(format!(
                "the arrays differ in length: pass arrays of {positions} positions"
            ))),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// The position with this index, if it is legal.
    pub fn position(&self, index: usize) -> Result<Position, Failure> {
        let set = |set: usize| {
            let at = 8 * (set * self.len() + index);
            let bytes = self.sets[at..at + 8].try_into();
            SquareSet(bytes.map_or(0, u64::from_ne_bytes))
        };
        let turn = match self.turns[index] {
            0 => Color::White,
            _ => Color::Black,
        };
        let position = Position::new([set(0), set(1)], std::array::from_fn(|i| set(2 + i)), turn);
        let position = position.map_err(|error| Failure::Input(error.to_string()))?;
        if position.occupied().len() > MAX_MEN {
            let men = position.material().check_men();
            men.map_err(|error| ReadError::from(NotInTables::from(error)))?;
        }
        Ok(position)
    }

    /// The count of the position with this index.
    pub fn count(&self, index: usize) -> Count {
        let Some(counts) = self.counts else {
            return Count::Fresh;
        };
        let number = |place: usize| {
            let bytes = counts[4 * place..4 * place + 4].try_into();
            bytes.map_or(0, u32::from_ne_bytes)
        };
        Count::of_plies(number(index), number(self.len() + index))
    }
}

/// The chunks of all positions of an ending, with their values.
#[pyclass(frozen, module = "sakmak")]
pub struct Chunks {
    tablebase: Py<Tablebase>,
    positions: Mutex<Positions>,
    /// The groups of like men, in the order of the ending's name.
    groups: Vec<(Color, Role)>,
    rules: RuleSet,
    turn: Color,
    chunk: usize,
}

impl Chunks {
    /// The positions of an ending with one side to move, up to `chunk` in a chunk.
    pub(crate) fn new(
        tablebase: Py<Tablebase>,
        material: Material,
        rules: RuleSet,
        turn: Color,
        chunk: usize,
    ) -> Chunks {
        let mut groups: Vec<_> = material.roles().collect();
        groups.dedup();
        Chunks {
            tablebase,
            positions: Mutex::new(material.positions(rules.game(), turn)),
            groups,
            rules,
            turn,
            chunk: chunk.max(1),
        }
    }

    /// The squares of the men of each position of the next chunk, and the answers.
    fn next(&self) -> Result<Option<(Vec<u8>, Answers)>, Failure> {
        let mut positions = (self.positions.lock()).unwrap_or_else(PoisonError::into_inner);
        let (mut squares, mut rows) = (Vec::new(), Vec::new());
        self.tablebase.get().with(|tables| {
            for position in positions.by_ref().take(self.chunk) {
                for &(color, role) in &self.groups {
                    let men = position.men(color, role);
                    squares.extend(men.map(|square| square.index() as u8));
                }
                rows.push(Row::probe(tables, &position, self.rules, &Count::Fresh)?);
            }
            Ok(())
        })?;
        let errors = Vec::new();
        Ok((!rows.is_empty()).then_some((squares, Answers { rows, errors })))
    }
}

#[pymethods]
impl Chunks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((squares, answers)) = py.detach(|| self.next())? else {
            return Ok(None);
        };
        let answers = answers.into_arrays(py)?;
        let turn = match self.turn {
            Color::White => "white",
            Color::Black => "black",
        };
        let module = py.import("sakmak.arrays")?;
        let chunk = module.getattr("_chunk")?;
        let chunk = chunk.call1((PyBytes::new(py, &squares), turn, answers))?;
        Ok(Some(chunk))
    }
}
