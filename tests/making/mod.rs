//! Tables for tests to look at.

use std::path::Path;

use sakmak::generate::{Library, generate_table};
use sakmak::material::parse_set;
use sakmak::table::WriteOptions;

/// Makes the tables of a set in a directory.
pub fn make(set: &str, directory: &Path) {
    let mut library = Library::new();
    let options = WriteOptions::default();
    for material in parse_set(set).unwrap() {
        generate_table(material, directory, &mut library, &options, &|_| {}).unwrap();
    }
}
