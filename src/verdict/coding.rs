//! The choices of the writer of a verdict table.

use serde::{Deserialize, Serialize};

use super::header::SETS;

/// The choices for one side's wins, made by the size of samples. They affect the size of the file,
/// not its verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// Planes of a block.
    pub block_planes: u64,
    /// The dependencies of each coded set.
    pub sets: [Option<Ties>; SETS],
}

/// The dependencies of a set beyond its own lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// The index of the similar set that predicts this one, if there is one.
    pub like: Option<usize>,
    /// True if squares outside its parent vote.
    pub outsiders: bool,
}
