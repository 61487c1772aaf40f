//! The words of the command line for each kind of table.

use sakmak::table::TableKind;

/// The name of a table of this kind in sentences.
pub fn noun(kind: TableKind) -> &'static str {
    match kind {
        TableKind::Distances => "table",
        TableKind::Verdicts => "verdict table",
    }
}

/// The option of `sakmak generate` for tables of this kind, with a leading blank; empty for
/// distance tables.
pub fn option(kind: TableKind) -> &'static str {
    match kind {
        TableKind::Distances => "",
        TableKind::Verdicts => " --verdicts",
    }
}
