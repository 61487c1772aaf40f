//! What would mend an error, as data.
//!
//! An error of the library states what is wrong and where. What its reader can do about it depends
//! on how the reader got there: the command line advises a command, a binding a call. So errors
//! return a [`Remedy`], and the program that shows the error words it.

use std::path::PathBuf;

/// What the user can do about an error. Tables are named by their material, `KSMvK`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Generate a missing table.
    Generate {
        /// The table.
        table: String,
        /// Where it was looked for, the first place first.
        directories: Vec<PathBuf>,
    },
    /// Generate a table with a rule set that it lacks, beside those that it has.
    GenerateRules {
        /// The table.
        table: String,
        /// The name of the rule set.
        rules: &'static str,
        /// True if it is the verdict table that lacks it.
        verdicts: bool,
        /// The directories of tables, the first place first.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, over the file that is there.
    Regenerate {
        /// The table, if it is known.
        table: Option<String>,
    },
    /// Copy the file again, since the copy differs in length, or generate the table again.
    CopyAgain {
        /// The table, if it is known.
        table: Option<String>,
    },
    /// Update the program, or generate the table again with this one.
    UpdateOrRegenerate {
        /// The table, if it is known.
        table: Option<String>,
    },
    /// Move the file away, which is something else, then generate the table.
    MoveAway {
        /// The table, if it is known.
        table: Option<String>,
    },
    /// Rename the file, which is the table of another material, then generate the one expected.
    Rename {
        /// The file name that the table should have.
        to: String,
        /// The table that was expected.
        table: String,
    },
    /// Delete the file: it is made again from what is there.
    Delete {
        /// The file.
        path: PathBuf,
    },
    /// Update the program, or delete the file.
    UpdateOrDelete {
        /// The file.
        path: PathBuf,
    },
    /// The remedy for a verdict table, which is made again without the distances.
    OfVerdicts(Box<Remedy>),
    /// Check that the file exists and may be read.
    CheckReading,
    /// Check that there is free space and that the directory may be written, or use another one.
    CheckWriting,
    /// Run the same command again: what was damaged has been removed.
    RunAgain,
    /// Choose another rule set: the input is written in the letters of this one.
    ChooseRules {
        /// The name of the rule set.
        rules: &'static str,
    },
    /// Close other programs, ask for less, or use a machine with more memory.
    MoreMemory,
    /// Report the error, which is a fault of the program.
    Report,
}
