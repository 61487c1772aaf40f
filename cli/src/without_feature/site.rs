//! Stands in for `sakmak site` in a build without its feature.

pub use crate::without_feature::Args;
use crate::{Common, Failure};

/// The command is not listed in the help.
pub const HIDDEN: bool = true;

/// Fails with advice on how to build the program with the command.
pub fn run(_: &Args, _: &Common) -> Result<(), Failure> {
    crate::without_feature::run("site", "serve")
}
