//! What the command line advises against an error of the library.

use std::fmt::Display;

use sakmak::remedy::Remedy;

/// An error and what to do about it, in one sentence.
pub fn with_advice(error: &impl Display, remedy: &Remedy) -> String {
    format!("{error}: {}", advice(remedy))
}

fn advice(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Generate { table, directories } => {
            let command = format!("sakmak generate {table}");
            match directories.first() {
                Some(first) => format!("make it with `{command} --tables {}`", first.display()),
                None => format!("make it with `{command}`"),
            }
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
fn again(table: &Option<String>) -> String {
    match table {
        Some(table) => format!("make it again with `sakmak generate --force {table}`"),
        None => {
            "make it again with `sakmak generate --force` and the name of its material".to_string()
        }
    }
}
