//! What the command line advises against an error of the library.

use sakmak::remedy::Remedy;

use super::tables_args::TablesArgs;

/// What to do, with commands for the directories that this one was given.
pub fn advice(remedy: &Remedy, tables: &TablesArgs) -> String {
    let again = |table: &Option<String>| again(table.as_deref(), tables);
    match remedy {
        Remedy::Generate { table, .. } => {
            format!(
                "make it with `{}`",
                tables.command(&format!("generate {table}"))
            )
        }
        Remedy::Regenerate { table } => again(table),
        Remedy::CopyAgain { table } => format!("copy it again whole, or {}", again(table)),
        Remedy::UpdateOrRegenerate { table } => format!("update sakmak, or {}", again(table)),
        Remedy::MoveAway { table } => format!("move it away, then {}", again(table)),
        Remedy::Rename { to, table } => {
            format!("rename it to {to}, then {}", again(&Some(table.clone())))
        }
        Remedy::Delete { path } => format!("delete {}, and it is made again", path.display()),
        Remedy::UpdateOrDelete { path } => format!("update sakmak, or delete {}", path.display()),
        Remedy::CheckReading => "check that it exists and that you may read it".to_string(),
        Remedy::CheckWriting => {
            "check that the disk has free space and that you may write there, or choose another \
             directory with --tables"
                .to_string()
        }
        Remedy::RunAgain => "run the same command again".to_string(),
        Remedy::ChooseRules { rules } => {
            format!("give --rules {rules} if that is the game, or write the other letters")
        }
        Remedy::MoreMemory => "close other programs or use a machine with more memory".to_string(),
        Remedy::Report => "please report this as a fault of sakmak".to_string(),
        _ => "see the documentation of sakmak".to_string(),
    }
}

/// How to make a table again.
pub fn again(table: Option<&str>, tables: &TablesArgs) -> String {
    let command = |table| tables.command(&format!("generate --force {table}"));
    match table {
        Some(table) => format!("make it again with `{}`", command(table)),
        None => format!(
            "make it again with `{}`, with its name for NAME",
            command("NAME")
        ),
    }
}
