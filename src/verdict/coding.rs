//! The choices of a verdict table's writer.

use serde::{Deserialize, Serialize};

use super::header::SETS;

/// The writer's choices for one side's wins, which it makes by the size of samples. They affect the
/// size of the file, not its verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// Planes of a block.
    pub block_planes: u64,
    /// On which other sets each coded set depends.
    pub sets: [Option<Ties>; SETS],
}

/// On which other sets the coding of a set depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// The index of a similar set from which this one is predicted, if there is one.
    pub like: Option<usize>,
    /// True if squares outside the set's parent count as not in the set when they predict their
    /// neighbours (they vote no). If false, they predict nothing.
    pub outsiders: bool,
}
