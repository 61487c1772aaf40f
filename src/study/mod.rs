//! What the tables say of whole endings.

mod overlay;

pub use overlay::{
    HonorLists, HonorWins, Longest, MovesAvailable, Overlay, Results, Share, example_position,
};
