//! Writes the cells of a table's distances to mate to standard output as they are before any packing, one byte each (two
//! where there are more than 256 codes), in the file's order: for measuring what other programs make of them.
//!
//! ```text
//! cells TABLE.skm | xz -9e | wc -c
//! ```

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use sakmak::table::{Access, DecodedCells, Metric, TableFile};

fn main() -> anyhow::Result<()> {
    let path: PathBuf = std::env::args_os()
        .nth(1)
        .context("usage: cells TABLE.skm")?
        .into();
    let table = TableFile::open(&path, Access::Blocks)?;
    let section = table.section(Metric::Dtm).context("no distances to mate")?;
    let mut out = BufWriter::new(io::stdout().lock());
    match section.decode_all(&|_| {})? {
        DecodedCells::Bytes(cells) => out.write_all(&cells)?,
        DecodedCells::Words(cells) => {
            for cell in cells {
                out.write_all(&cell.to_le_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}
