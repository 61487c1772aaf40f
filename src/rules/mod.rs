//! The rule sets, the counts that they run, and what a distance is worth under them.
//!
//! One distance to mate serves every rule set, because in pawnless endings they all move the same
//! men. What differs is how long the stronger side may take. Nothing here knows what a table is.

mod count;
mod fifty_moves;
mod late_capture;
mod limits;
mod note;
mod read;
mod rule_set;
mod rule_sets;
mod running;
mod verdict;

pub use count::{Allowance, Count, CountError, moves_available};
pub use fifty_moves::FIFTY_MOVES_PLIES;
pub use late_capture::{late_captures_matter, plies_of_late_capture};
pub use limits::{LimitKind, boards_honor_limit, pieces_honor_limit};
pub use note::CountNote;
pub(crate) use read::check_bia;
pub use read::{NotInTables, ReadError};
pub use rule_set::{RuleSet, RuleSetError};
pub use rule_sets::RuleSets;
pub use running::begins_afresh;
pub use verdict::{Category, Outcome, category};
