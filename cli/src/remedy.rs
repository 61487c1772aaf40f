//! Turns the remedies of the library's errors into advice for users of the command line.

use sakmak::remedy::Remedy;

use super::tables_args::TablesArgs;

/// The advice for a remedy, with commands that name the user's directories.
pub fn advice(remedy: &Remedy, tables: &TablesArgs) -> String {
    let distances = |table: Option<&str>| again(table, tables);
    match remedy {
        Remedy::OfVerdicts(remedy) => {
            let again = |table: Option<&str>| {
                let table = table.unwrap_or("NAME");
                let command = tables.command(&format!("generate --verdicts {table}"));
                format!("make it again with `{command}`")
            };
            let anew = |table: Option<&str>| format!("delete it and {}", again(table));
            worded(remedy, &again, &anew, tables)
        }
        remedy => worded(remedy, &distances, &distances, tables),
    }
}

/// Writes the advice for a remedy as text. `make_table` returns the advice to make a missing table,
/// and `replace_table` the advice to delete an existing file and make its table again. Their
/// argument is the name of the ending, if it is known.
fn worded(
    remedy: &Remedy,
    make_table: &dyn Fn(Option<&str>) -> String,
    replace_table: &dyn Fn(Option<&str>) -> String,
    tables: &TablesArgs,
) -> String {
    match remedy {
        Remedy::Generate { table, .. } => {
            format!(
                "make it with `{}`",
                tables.command(&format!("generate {table}"))
            )
        }
        Remedy::GenerateRules {
            table,
            rules,
            verdicts,
            ..
        } => {
            let verdicts = match verdicts {
                true => " --verdicts",
                false => "",
            };
            let command = format!("generate {table} --rules {rules}{verdicts}");
            format!("make them with `{}`", tables.command(&command))
        }
        Remedy::Regenerate { table } => replace_table(table.as_deref()),
        Remedy::CopyAgain { table } => {
            format!(
                "copy the complete file again, or {}",
                replace_table(table.as_deref())
            )
        }
        Remedy::UpdateOrRegenerate { table } => {
            format!("update sakmak, or {}", replace_table(table.as_deref()))
        }
        Remedy::MoveAway { table } => {
            format!("move it away, then {}", make_table(table.as_deref()))
        }
        Remedy::Rename { to, table } => {
            format!(
                "rename it to {to} if that name is free, then {}",
                make_table(Some(table))
            )
        }
        Remedy::Delete { path } => format!("delete {}; it will be recreated", path.display()),
        Remedy::UpdateOrDelete { path } => format!("update sakmak, or delete {}", path.display()),
        Remedy::CheckReading => "check that it exists and that you may read it".to_string(),
        Remedy::FewerFiles => {
            "raise the limit of open files (ulimit -n), or name fewer directories of tables"
                .to_string()
        }
        Remedy::CheckWriting => {
            "check that the disk has free space and that you may write there, or choose another \
             directory with --tables"
                .to_string()
        }
        Remedy::RunAgain => "run the same command again".to_string(),
        Remedy::ChooseRules { rules } => {
            format!(
                "if the game is {rules}, give --rules {rules}; otherwise use only the letters listed"
            )
        }
        Remedy::MoreMemory => "close other programs or use a machine with more memory".to_string(),
        Remedy::Report => "please report this as a bug in sakmak".to_string(),
        // A remedy for a verdict table contains one of the others.
        Remedy::OfVerdicts(remedy) => worded(remedy, make_table, replace_table, tables),
    }
}

/// The advice to make a table again, with the command that does it.
pub fn again(table: Option<&str>, tables: &TablesArgs) -> String {
    let command = |table| tables.command(&format!("generate --force {table}"));
    match table {
        Some(table) => format!("make it again with `{}`", command(table)),
        None => format!(
            "make it again with `{}`, where NAME is the ending of the table",
            command("NAME")
        ),
    }
}
