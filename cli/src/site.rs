//! `sakmak site`: the explorer as static files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sakmak::material::{closure, parse_set};
use sakmak::table::TableKind;
use sakmak_explorer::serve::{SiteError, is_reader, write_site};

use super::format::{bytes, counted};
use super::stderr::say;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// Write the explorer as static files
///
/// Any web server can deliver the files. The page reads the tables in the browser, with a
/// WebAssembly reader that explorer/web/wasm/build in the repository builds. It fetches only the
/// parts that it needs if the server supports range requests, as nearly all servers do. Existing
/// files of the same names in DIR are replaced; other files are left alone.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
explorer/web/wasm/build\n  \
sakmak site --out public\n  \
sakmak site bare-4 KRvKN --out public --reader sakmak.wasm")]
pub struct Args {
    /// The endings to include: KSMvK, bare-4, all-5, or several of them
    #[arg(value_name = "SET", default_value = "bare-4")]
    sets: Vec<String>,
    /// The directory to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The reader that explorer/web/wasm/build has built
    #[arg(long, value_name = "FILE", default_value = "target/web/sakmak.wasm")]
    reader: PathBuf,
    /// The address of the finished site, which lets link previews show pictures of boards
    #[arg(long, value_name = "URL", value_parser = address)]
    address: Option<String>,
}

/// Parses the address of a site. The returned address ends with a slash.
fn address(text: &str) -> Result<String, String> {
    let host = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]%".contains(c);
    let begins = |c: char| c.is_ascii_alphanumeric() || c == '[';
    match host {
        Some(host) if host.starts_with(begins) && host.chars().all(plain) => {
            Ok(format!("{}/", text.trim_end_matches('/')))
        }
        _ => Err(
            "give the address of the folder, for instance https://example.org/sakmak/".to_string(),
        ),
    }
}

/// The command is listed in the help.
pub const HIDDEN: bool = false;

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let mut materials = BTreeSet::new();
    for word in &args.sets {
        materials.extend(closure(parse_set(word)?));
    }
    let reader = fs::read(&args.reader).map_err(|error| {
        let path = args.reader.display();
        Failure::input(format_args!("the reader {path} cannot be read ({error})")).help(
            "build it with `explorer/web/wasm/build` in sakmak's repository, or give its file with --reader",
        )
    })?;
    if !is_reader(&reader) {
        let path = args.reader.display();
        return Err(Failure::input(format_args!("{path} is not the reader")).help(
            "build the reader with `explorer/web/wasm/build` in sakmak's repository, or give its file with --reader",
        ));
    }
    let tablebase = common.open_tables_by_blocks()?;
    let missing: Vec<_> = materials
        .iter()
        .filter(|&&material| {
            let path = |kind| tablebase.inventory().path_of(kind, material);
            TableKind::ALL.into_iter().all(|kind| path(kind).is_none())
        })
        .map(|material| material.to_string())
        .collect();
    if let Some(first) = missing.first() {
        let fact = match missing.len() {
            1 => format!("the table of {first} is missing"),
            n => format!("{n} tables are missing, for example that of {first}"),
        };
        return Err(Failure::no(fact).generate(args.sets.join(" ")));
    }
    ThreadsArgs::default().start(common.quiet)?;
    let tables = materials.len();
    let written = write_site(&tablebase, materials, &reader, args.address.as_deref(), &args.out).map_err(|error| match error {
        SiteError::Table(error) => error.into(),
        SiteError::Document(_) => Failure::bug(error),
        SiteError::Write { .. } => Failure::machine(error)
            .help("check that it may be written and the disk has space, or choose another directory with --out"),
    })?;
    if !common.quiet {
        say(format!(
            "sakmak: the explorer with {} ({}) is in {}",
            counted(tables as u64, "table"),
            bytes(written),
            args.out.display()
        ));
    }
    Ok(())
}
