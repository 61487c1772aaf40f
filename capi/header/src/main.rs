//! Writes the C library's header, made from the code of `capi/src`, to standard output.
//!
//! ```text
//! cargo run -p sakmak-header >capi/include/sakmak.h
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

/// The version of the library and of its header.
const VERSION: [&str; 3] = [
    env!("CARGO_PKG_VERSION_MAJOR"),
    env!("CARGO_PKG_VERSION_MINOR"),
    env!("CARGO_PKG_VERSION_PATCH"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut config = cbindgen::Config::from_file(library.join("cbindgen.toml"))?;
    config.after_includes = Some(version_macros()?);
    let header = cbindgen::Builder::new()
        .with_crate(&library)
        .with_config(config)
        .generate()?;
    let mut text = Vec::new();
    header.write(&mut text);
    io::stdout().write_all(in_words_of_c(&String::from_utf8(text)?).as_bytes())?;
    Ok(())
}

/// The header with the sections `# Safety`, which Rust wants, as the paragraphs on pointers.
fn in_words_of_c(header: &str) -> String {
    header.replace(" * # Safety\n *\n * ", " * Pointers: ")
}

/// The version as macros, so that a program can test it with `#if`.
fn version_macros() -> Result<String, Box<dyn Error>> {
    let [major, minor, patch] = VERSION;
    let mut number = 0;
    for part in VERSION {
        number = 100 * number + part.parse::<u32>()?;
    }
    Ok(format!(
        "
/**
 * The version of this header. sakmak_version() returns the version of the linked library.
 * SAKMAK_VERSION_NUMBER orders versions: 10203 is 1.2.3.
 */
#define SAKMAK_VERSION \"{major}.{minor}.{patch}\"
#define SAKMAK_VERSION_MAJOR {major}
#define SAKMAK_VERSION_MINOR {minor}
#define SAKMAK_VERSION_PATCH {patch}
#define SAKMAK_VERSION_NUMBER {number}"
    ))
}
