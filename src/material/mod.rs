//! Material: the men of an ending, its name, and sets of endings.
//!
//! A [`Material`] comes from a user or from a board, and its first side may be the weaker one. A
//! [`CanonicalMaterial`] is the key of a table. They are separate types, so that a lookup under the
//! wrong key does not compile.

mod canonical;
mod men;
mod positions;
mod set;

pub use canonical::{CanonicalMaterial, closure};
pub use men::{Army, Material, MaterialError, MenError};
pub use positions::Positions;
pub use set::{SetError, materials_of, materials_with_bia_of, parse_set};

/// The smallest number of men of a material, kings included.
pub const MIN_MEN: usize = 2;

/// The largest number of men of a table, kings included.
pub const MAX_MEN: usize = 8;

/// The largest number of men of a table with bia of ASEAN chess, kings included. Its slices are
/// solved in memory only.
pub const MAX_MEN_WITH_ASEAN_BIA: usize = 5;
