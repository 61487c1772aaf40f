//! Generates the tables of a set of endings, subendings first, and verifies each.
//!
//! ```text
//! cargo run --release --example generate -- tables KRvK
//! ```

use std::error::Error;
use std::path::Path;

use sakmak::generate::{SolvedEndings, generate_table};
use sakmak::material::{closure, parse_set};
use sakmak::table::{Access, TableFile, WriteOptions, file_name};
use sakmak::verify::verify_table;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, set] = arguments.as_slice() else {
        return Err("usage: generate DIRECTORY SET".into());
    };
    std::fs::create_dir_all(directory)?;
    for line in generate(Path::new(directory), set)? {
        println!("{line}");
    }
    Ok(())
}

/// Generates the tables of a set, such as `KSMvK` or `bare-4`, in a directory.
pub fn generate(directory: &Path, set: &str) -> Result<Vec<String>, Box<dyn Error>> {
    // Keeps solved endings, which larger ones reach by captures.
    let mut solved_endings = SolvedEndings::new();
    let mut lines = Vec::new();
    for material in closure(parse_set(set)?) {
        let options = WriteOptions::of(material);
        let report = generate_table(material, directory, &mut solved_endings, &options, &|_| {})?;

        // Compares every position of the file with the positions after its moves.
        let open = |material| {
            let path = directory.join(file_name(material));
            TableFile::open_as(&path, material, Access::Blocks)
        };
        let verdict = verify_table(material, &open)?;
        let right = if verdict.is_right() { "right" } else { "wrong" };
        lines.push(format!("{material}: {} bytes, {right}", report.bytes));
    }
    Ok(lines)
}
