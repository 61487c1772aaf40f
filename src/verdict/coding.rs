//! What is chosen when a verdict table is written.

use serde::{Deserialize, Serialize};

use super::header::SETS;

/// What is chosen for one side's wins by the bytes that samples of them take. Whatever is chosen, the file says
/// the same of every position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// The planes of a block.
    pub block_planes: u64,
    /// Of each set, if it is coded, what has a say in it.
    pub sets: [Option<Ties>; SETS],
}

/// What has a say in a set besides its own lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// The place of the set that it is like.
    pub like: Option<usize>,
    /// Whether squares outside its parent vote.
    pub outsiders: bool,
}
