//! Rule sets, their counts, and the results that follow from distances.
//!
//! All rule sets share one distance to mate, since the men move alike. They differ in the number of
//! moves that they allow the stronger side. This module is independent of tables.

mod allowance;
mod category;
mod count;
mod late_capture;
mod limits;
mod note;
mod read;
mod rule_set;
mod running;

pub use allowance::{Allowance, moves_available};
pub use category::{Category, Outcome, category};
pub use count::{Count, CountError};
pub use late_capture::{late_captures_matter, plies_of_late_capture};
pub(crate) use limits::limit_with_bia;
pub use limits::{
    FIFTY_MOVES_PLIES, LimitKind, boards_honor_limit, pieces_honor_limit, pieces_honor_limits,
};
pub use note::CountNote;
pub use read::{NotInTables, ReadError, check_bia};
pub use rule_set::{RuleSet, RuleSetError, RuleSets};
pub use running::begins_afresh;
