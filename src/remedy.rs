//! The remedies of errors, as data instead of text.
//!
//! A library error states what is wrong and where. How to word the remedy depends on the program:
//! the command line suggests a command, a binding suggests a call. So errors return a [`Remedy`],
//! and each program words it.

use std::path::PathBuf;

/// The action by which the user can remedy an error. Tables are named by material, for example
/// `KSMvK`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Generate a missing table.
    Generate {
        /// The name of the table.
        table: String,
        /// The directories searched, in order.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, with its present rule sets and one that it lacks.
    GenerateRules {
        /// The name of the table.
        table: String,
        /// The name of the missing rule set.
        rules: &'static str,
        /// True if the verdict table lacks the rule set, false if the distance table lacks it.
        verdicts: bool,
        /// The directories of tables, in order.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, replacing the file.
    Regenerate {
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Copy the file again, since its length is wrong, or generate the table again.
    CopyAgain {
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Update the program, or generate the table again with this version.
    UpdateOrRegenerate {
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Move the file away, since it is not a table, then generate the table.
    MoveAway {
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Rename the file, which is another material's table, then generate the expected one.
    Rename {
        /// The file name that the file should have.
        to: String,
        /// The name of the expected table.
        table: String,
    },
    /// Delete the file. The program will create it again.
    Delete {
        /// The path of the file.
        path: PathBuf,
    },
    /// Update the program, or delete the file.
    UpdateOrDelete {
        /// The path of the file.
        path: PathBuf,
    },
    /// A remedy for a verdict table, which can be made again without making the distance table
    /// again.
    OfVerdicts(Box<Remedy>),
    /// Check that the file exists and may be read.
    CheckReading,
    /// Open fewer files at once, or raise the limit of open files.
    FewerFiles,
    /// Check that there is free space and that the directory is writable, or use another directory.
    CheckWriting,
    /// Run the same command again: the damaged file has been removed.
    RunAgain,
    /// Choose another rule set: the one whose letters the input uses.
    ChooseRules {
        /// The name of the rule set.
        rules: &'static str,
    },
    /// Close other programs, lower the memory limit, or use a machine with more memory.
    MoreMemory,
    /// Report the error: it is a bug.
    Report,
}
