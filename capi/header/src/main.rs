//! Writes the C library's header, made from the code of `capi/src`, to standard output.
//!
//! ```text
//! cargo run -p sakmak-header >capi/include/sakmak.h
//! ```

use std::error::Error;
use std::io;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(library.join("cbindgen.toml"))?;
    let header = cbindgen::Builder::new()
        .with_crate(&library)
        .with_config(config)
        .generate()?;
    header.write(io::stdout().lock());
    Ok(())
}
