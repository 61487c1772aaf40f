//! The result of `sakmak download`, as text and JSON.

use serde::Serialize;

use super::listing::Listing;
use super::wanted::{Item, Wanted};
use crate::Failure;
use crate::format::{Columns, bytes, counted, number};
use crate::tables_args::TablesArgs;

/// The document of `download --json`.
#[derive(Serialize)]
pub struct Document {
    from: String,
    directory: String,
    files: Vec<File>,
    /// The names of complete files that existed before the download.
    present: Vec<String>,
    /// The names of files that the host does not have.
    missing: Vec<String>,
    /// The names of files whose version on the host is not the published one.
    unpublished: Vec<String>,
    /// The endings of the missing and unpublished files, as arguments for `sakmak generate`.
    #[serde(skip)]
    to_generate: Vec<String>,
}

/// A file to download.
#[derive(Serialize)]
struct File {
    file: String,
    bytes: u64,
    blake3: String,
    published: bool,
    state: State,
}

/// The state of a wanted file.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The file is still to be downloaded. This state occurs only with `--plan`.
    ToDownload,
    Downloaded,
    Failed,
}

impl Document {
    /// Lists the wanted files, each with its state.
    pub fn new(
        listing: &Listing,
        directory: String,
        wanted: &Wanted,
        state: impl Fn(&Item) -> State,
    ) -> Document {
        let file = |item: &Item| File {
            file: item.which.file_name(item.material),
            bytes: item.bytes,
            blake3: item.blake3.clone(),
            published: item.published,
            state: state(item),
        };
        let names = wanted.unavailable.iter();
        Document {
            from: listing.address().to_string(),
            directory,
            files: wanted.items.iter().map(file).collect(),
            present: wanted.present.clone(),
            missing: wanted.missing.clone(),
            unpublished: wanted.unpublished.clone(),
            to_generate: names.map(ToString::to_string).collect(),
        }
    }

    /// Formats the document as text.
    pub fn text(&self) -> String {
        let of = |state: State| {
            let files = self.files.iter().filter(move |file| file.state == state);
            let (n, sum) = files.fold((0, 0), |(n, sum): (u64, u64), file| {
                (n + 1, sum.saturating_add(file.bytes))
            });
            (n, format!("{}, {}", counted(n, "file"), bytes(sum)))
        };
        let mut text = String::new();
        if let (1.., files) = of(State::ToDownload) {
            let mut columns = Columns::new(1, &["file", "bytes", ""]);
            for file in &self.files {
                let note = if file.published { "" } else { "not published" };
                columns.row([file.file.clone(), number(file.bytes), note.to_string()]);
            }
            text += &format!("{columns}\n{files} to download to {}\n", self.directory);
        }
        if let (1.., files) = of(State::Downloaded) {
            text += &format!("{files} downloaded to {}\n", self.directory);
        }
        if !self.present.is_empty() {
            let files = counted(self.present.len() as u64, "file");
            text += &format!("{files} already present\n");
        }
        if !self.missing.is_empty() {
            text += &format!("not at {}: {}\n", self.from, self.missing.join(" "));
        }
        if !self.unpublished.is_empty() {
            text += &format!(
                "not downloaded, because they are not the published tables: {}\naccept them with --unpublished, or with --key if the host signs \
                 its manifest\n",
                self.unpublished.join(" ")
            );
        }
        text
    }

    /// The failure to report at the end of the command. `None` if all files could be downloaded.
    pub fn failure(&self, verdicts: bool, tables: &TablesArgs) -> Option<Failure> {
        let left_out = self.missing.len() + self.unpublished.len();
        if left_out == 0 {
            return None;
        }
        let files = counted(left_out as u64, "file");
        let option = if verdicts { " --verdicts" } else { "" };
        let command = tables.command(&format!("generate {}{option}", self.to_generate.join(" ")));
        let failure = Failure::no(format_args!(
            "{files} of the set cannot be downloaded from {}",
            self.from
        ));
        Some(failure.help(format_args!(
            "generate the tables with `{command}`, or choose another host"
        )))
    }
}
