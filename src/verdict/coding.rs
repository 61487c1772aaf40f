//! The choices that the writer of a verdict table makes to save space.

use serde::{Deserialize, Serialize};

use super::header::SETS;

/// The writer's choices for the sets of one side's wins. The writer compares the sizes of encoded
/// samples. The choices affect the size of the file, but not its verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// The number of planes in a block.
    pub block_planes: u64,
    /// For each set, the part of its coding that depends on other sets; `None` if the set is not
    /// coded.
    pub sets: [Option<Ties>; SETS],
}

/// The part of a set's coding that depends on other sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// The index of a similar set from which this set is predicted, if there is one.
    pub like: Option<usize>,
    /// True if squares outside the set's parent vote no: they predict that their neighbours are not
    /// in the set. If false, they do not vote.
    pub outsiders: bool,
}
