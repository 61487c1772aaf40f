//! The command line's words in the advice for the library's errors.

use sakmak::remedy::{GenerateReason, ProgramWords, Remedy};
use sakmak::table::TableKind;

use super::table_kind::option;
use super::tables_args::TablesArgs;

/// The advice for a remedy, with commands that name the user's directories.
pub fn advice(remedy: &Remedy, tables: &TablesArgs) -> String {
    remedy.advice(&ProgramWords {
        name: "sakmak",
        generate: &|table, reason| {
            let arguments = match reason {
                GenerateReason::Missing => table.to_string(),
                GenerateReason::Unusable(TableKind::Distances) => format!("--force {table}"),
                GenerateReason::Unusable(kind) => format!("{} {table}", option(kind).trim()),
                GenerateReason::Lacking(kind, rules) => {
                    format!("{table} --rules {rules}{}", option(kind))
                }
            };
            tables.command(&format!("generate {arguments}"))
        },
        choose_rules: &|rules| {
            format!(
                "if the game is {rules}, give --rules {rules}; otherwise use only the letters listed"
            )
        },
        fewer_files: "name fewer directories of tables",
        less_memory: "use a machine with more memory",
        other_directory: "choose another directory with --tables",
    })
}
