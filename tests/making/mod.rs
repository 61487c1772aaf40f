//! Tables for tests to look at.

use std::path::Path;

use sakmak::generate::{Library, generate_table};
use sakmak::material::parse_set;
use sakmak::table::WriteOptions;

/// Makes the tables of a set in a directory.
#[allow(dead_code, reason = "each user of it needs a part")]
pub fn make(set: &str, directory: &Path) {
    make_with(set, directory, &WriteOptions::default());
}

/// The same, written with these options.
#[allow(dead_code, reason = "each user of it needs a part")]
pub fn make_with(set: &str, directory: &Path, options: &WriteOptions) {
    let mut library = Library::new();
    for material in parse_set(set).unwrap() {
        generate_table(material, directory, &mut library, options, &|_| {}).unwrap();
    }
}
