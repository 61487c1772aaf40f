//! What the tables say of whole endings.

mod overlay;

pub use overlay::{Longest, MovesAvailable, Overlay, Results, Share};
