//! Remedies of errors, as data.
//!
//! An error of the library states the fault and its place. The remedy depends on the program: the
//! command line suggests a command, a binding a call. So errors return a [`Remedy`], and each
//! program puts it into words.

use std::path::PathBuf;

/// The user's remedy for an error. Tables are named by material, `KSMvK`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Generate a missing table.
    Generate {
        /// The table.
        table: String,
        /// The directories searched, in order.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, with its own rule sets and one that it lacks.
    GenerateRules {
        /// The table.
        table: String,
        /// The name of the rule set.
        rules: &'static str,
        /// True if the verdict table lacks it.
        verdicts: bool,
        /// The directories of tables, in order.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, replacing the file.
    Regenerate {
        /// The table, if known.
        table: Option<String>,
    },
    /// Copy the file again, since its length differs, or generate the table again.
    CopyAgain {
        /// The table, if known.
        table: Option<String>,
    },
    /// Update the program, or generate the table again with this version.
    UpdateOrRegenerate {
        /// The table, if known.
        table: Option<String>,
    },
    /// Move the file away, since it is no table, then generate the table.
    MoveAway {
        /// The table, if known.
        table: Option<String>,
    },
    /// Rename the file, which is another material's table, then generate the expected one.
    Rename {
        /// The correct file name.
        to: String,
        /// The expected table.
        table: String,
    },
    /// Delete the file; it will be recreated.
    Delete {
        /// The file.
        path: PathBuf,
    },
    /// Update the program, or delete the file.
    UpdateOrDelete {
        /// The file.
        path: PathBuf,
    },
    /// The remedy for a verdict table, which can be regenerated without the distances.
    OfVerdicts(Box<Remedy>),
    /// Check that the file exists and may be read.
    CheckReading,
    /// Check that there is free space and that the directory may be written, or use another one.
    CheckWriting,
    /// Run the same command again: the damaged file has been removed.
    RunAgain,
    /// Choose another rule set, namely the one whose letters the input uses.
    ChooseRules {
        /// The name of the rule set.
        rules: &'static str,
    },
    /// Close other programs, lower the memory limit, or use a machine with more memory.
    MoreMemory,
    /// Report the error: it is a bug.
    Report,
}
