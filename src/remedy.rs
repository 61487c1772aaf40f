//! The remedies of errors, as data and as advice.
//!
//! A library error states what is wrong and where, and returns its [`Remedy`]. The advice contains
//! commands and options, which depend on the program: each program gives its own as
//! [`ProgramWords`].

use std::path::PathBuf;

use crate::table_kind::TableKind;

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
        /// The kind of the table.
        kind: TableKind,
        /// The directories of tables, in order.
        directories: Vec<PathBuf>,
    },
    /// Generate a table again, replacing the file.
    Regenerate {
        /// The kind of the table.
        kind: TableKind,
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Copy the file again, since its length is wrong, or generate the table again.
    CopyAgain {
        /// The kind of the table.
        kind: TableKind,
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Update the program, or generate the table again with this version.
    UpdateOrRegenerate {
        /// The kind of the table.
        kind: TableKind,
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Move the file away, since it is not a table, then generate the table.
    MoveAway {
        /// The kind of the table.
        kind: TableKind,
        /// The name of the table, if it is known.
        table: Option<String>,
    },
    /// Rename the file, which is another material's table, then generate the expected one.
    Rename {
        /// The kind of the table.
        kind: TableKind,
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

/// The reason for which a command generates a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateReason<'a> {
    /// The distance table is missing.
    Missing,
    /// The table of this kind cannot be used.
    Unusable(TableKind),
    /// The table of this kind lacks a rule set of this name.
    Lacking(TableKind, &'a str),
}

/// The words of a program in the advice for a [`Remedy`].
pub struct ProgramWords<'a> {
    /// The name of the program in the advice to update it.
    pub name: &'a str,
    /// The command that generates a table of the ending with this name.
    pub generate: &'a dyn Fn(&str, GenerateReason<'_>) -> String,
    /// The advice to use the rule set with this name.
    pub choose_rules: &'a dyn Fn(&str) -> String,
    /// The advice to open fewer files.
    pub fewer_files: &'a str,
    /// The advice to use less memory.
    pub less_memory: &'a str,
    /// The advice to write to another directory.
    pub other_directory: &'a str,
}

impl Remedy {
    /// The advice for the remedy, in the words of a program.
    pub fn advice(&self, words: &ProgramWords<'_>) -> String {
        let name = words.name;
        let make = |kind, table: Option<&str>| {
            let command = |table| (words.generate)(table, GenerateReason::Unusable(kind));
            match table {
                Some(table) => format!("make it again with `{}`", command(table)),
                None => format!(
                    "make it again with `{}`, where NAME is the ending of the table",
                    command("NAME")
                ),
            }
        };
        // Only the command for distance tables replaces a file.
        let again = |kind, table: &Option<String>| match kind {
            TableKind::Distances => make(kind, table.as_deref()),
            _ => format!("delete it and {}", make(kind, table.as_deref())),
        };
        match self {
            Remedy::Generate { table, .. } => {
                let command = (words.generate)(table, GenerateReason::Missing);
                format!("make it with `{command}`")
            }
            Remedy::GenerateRules {
                table, rules, kind, ..
            } => {
                let command = (words.generate)(table, GenerateReason::Lacking(*kind, rules));
                format!("make them with `{command}`")
            }
            Remedy::Regenerate { kind, table } => again(*kind, table),
            Remedy::CopyAgain { kind, table } => {
                format!("copy the complete file again, or {}", again(*kind, table))
            }
            Remedy::UpdateOrRegenerate { kind, table } => {
                format!("update {name}, or {}", again(*kind, table))
            }
            Remedy::MoveAway { kind, table } => {
                format!("move it away, then {}", make(*kind, table.as_deref()))
            }
            Remedy::Rename { kind, to, table } => {
                let make = make(*kind, Some(table));
                format!("rename it to {to} if that name is free, then {make}")
            }
            Remedy::Delete { path } => format!("delete {}; it will be recreated", path.display()),
            Remedy::UpdateOrDelete { path } => {
                format!("update {name}, or delete {}", path.display())
            }
            Remedy::CheckReading => "check that it exists and that you may read it".to_string(),
            Remedy::FewerFiles => {
                format!("raise the limit of open files, or {}", words.fewer_files)
            }
            Remedy::CheckWriting => format!(
                "check that the disk has free space and that you may write there, or {}",
                words.other_directory
            ),
            Remedy::RunAgain => "run the same command again".to_string(),
            Remedy::ChooseRules { rules } => (words.choose_rules)(rules),
            Remedy::MoreMemory => format!("close other programs, or {}", words.less_memory),
            Remedy::Report => "please report this as a bug in sakmak".to_string(),
        }
    }
}
