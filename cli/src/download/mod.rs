//! `sakmak download`: downloads missing tables from a host.

mod address;
mod args;
mod document;
mod fetch;
mod key;
mod listing;
mod part;
mod progress;
mod transfer;
mod wanted;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use sakmak::directory::Manifest;

pub use args::Args;
use document::{Document, State};
use fetch::Client;
use listing::Listing;
use progress::DownloadProgress;
use transfer::{Ended, Transfer};
use wanted::{Item, Wanted, asked_for};

use super::disk::free_disk;
use super::format::bytes;
use super::lock::lock;
use super::output::{print, print_json};
use super::progress::Bar;
use super::signals::on_interrupt;
use super::stderr::say;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// The command is listed in the help.
pub const HIDDEN: bool = false;

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let asked_for = asked_for(args)?;
    let directories = common.directories()?;
    let directory = &directories[0];
    let client = Client::new(&args.from);
    // The manifest is fetched before the directory is created, so that a wrong address leaves
    // nothing behind.
    let listing = Listing::fetch(&client, &args.from, args.key.as_ref())?;
    let mut lock = match args.plan {
        true => None,
        false => Some(lock(directory, common)?),
    };
    let before = Manifest::load(directory)?;
    let mut manifest = before.clone();
    let wanted = Wanted::new(
        &asked_for,
        &listing,
        &directories,
        &mut manifest,
        args,
        common,
    )?;
    let mut failures = Vec::new();
    let mut downloaded = BTreeSet::new();
    if !args.plan {
        if manifest != before {
            manifest.save(directory)?;
        }
        if !wanted.items.is_empty() {
            require_space(&wanted, directory)?;
            // Tables that are not published are checked with several threads.
            ThreadsArgs::default().start(common.quiet)?;
            if let Some(lock) = &mut lock {
                lock.sign();
            }
            on_interrupt(|code| {
                say("\nsakmak: interrupted; run the same command to resume");
                std::process::exit(code);
            })?;
            let crew = Crew::new(&client, &listing, directory, manifest);
            (downloaded, failures) = crew.run(&wanted, args.connections.get(), common);
        }
    }
    let state = |item: &Item| match args.plan {
        true => State::ToDownload,
        false if downloaded.contains(&name(item)) => State::Downloaded,
        false => State::Failed,
    };
    let document = Document::new(&listing, directory.display().to_string(), &wanted, state);
    match args.json {
        true => print_json(&document)?,
        false => print(&document.text())?,
    }
    let failed = (wanted.items.len() - downloaded.len()) as u64;
    match failures.into_iter().next() {
        Some(failure) => {
            let all = wanted.items.len() as u64;
            Err(failure.among(failed, all, "files were not downloaded"))
        }
        None => {
            let verdicts = args.verdicts || args.verdicts_only;
            document
                .failure(verdicts, &common.tables)
                .map_or(Ok(()), Err)
        }
    }
}

/// The file name of a table to download.
fn name(item: &Item) -> String {
    item.which.file_name(item.material)
}

/// Fails if the disk has too little free space for the files.
fn require_space(wanted: &Wanted, directory: &Path) -> Result<(), Failure> {
    let received = |item: &Item| {
        let part = directory.join(name(item) + ".part");
        std::fs::metadata(part).map_or(0, |part| part.len().min(item.bytes))
    };
    let received = wanted.items.iter().map(received).sum();
    let needed = wanted.bytes().saturating_sub(received);
    match free_disk(directory) {
        Some(free) if free < needed => Err(Failure::machine(format_args!(
            "{} has {} of free space, but the files take {}",
            directory.display(),
            bytes(free),
            bytes(needed)
        ))
        .help("free some space, name smaller endings, or choose another directory with --tables")),
        _ => Ok(()),
    }
}

/// The threads that fetch files in parallel, and the data that they share.
struct Crew<'a> {
    client: &'a Client,
    listing: &'a Listing,
    directory: &'a Path,
    stop: AtomicBool,
    work: Mutex<Work>,
}

/// The state that all threads change.
struct Work {
    manifest: Manifest,
    /// The number of files whose download has been started.
    begun: usize,
    /// The names of the files that are complete.
    downloaded: BTreeSet<String>,
    failures: Vec<Failure>,
}

impl<'a> Crew<'a> {
    fn new(
        client: &'a Client,
        listing: &'a Listing,
        directory: &'a Path,
        manifest: Manifest,
    ) -> Crew<'a> {
        Crew {
            client,
            listing,
            directory,
            stop: AtomicBool::new(false),
            work: Mutex::new(Work {
                manifest,
                begun: 0,
                downloaded: BTreeSet::new(),
                failures: Vec::new(),
            }),
        }
    }

    /// Fetches all files with `threads` threads. Returns the names of the files that are complete,
    /// and the failures. A failure that ended the whole run comes first.
    fn run(
        self,
        wanted: &Wanted,
        threads: usize,
        common: &Common,
    ) -> (BTreeSet<String>, Vec<Failure>) {
        let bar = Bar::new(common);
        let progress = DownloadProgress::new(&bar, wanted.bytes());
        std::thread::scope(|scope| {
            for _ in 1..threads.min(wanted.items.len()) {
                // If the system refuses to start more threads, fewer do the work.
                let fetching = || self.fetch_all(wanted, &progress);
                let _ = std::thread::Builder::new().spawn_scoped(scope, fetching);
            }
            self.fetch_all(wanted, &progress);
        });
        let work = self
            .work
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        progress.finish(work.downloaded.len(), common);
        (work.downloaded, work.failures)
    }

    /// Fetches one file after another, until no file is left to start or a failure stops the run.
    fn fetch_all(&self, wanted: &Wanted, progress: &DownloadProgress<'_>) {
        while let Some(item) = self.next(wanted) {
            let file = name(item);
            let to = self.directory.join(&file);
            let transfer = Transfer {
                client: self.client,
                item,
                from: self.listing.location(&file),
                to: &to,
                progress,
                stop: &self.stop,
            };
            let ended = transfer
                .run()
                .and_then(|is_placed| self.add_to_manifest(item, &to, is_placed));
            match ended {
                Ok(()) | Err(Ended::Stopped) => {}
                Err(Ended::One(failure)) => self.work().failures.push(failure),
                Err(Ended::All(failure)) => {
                    self.stop.store(true, Ordering::Relaxed);
                    self.work().failures.insert(0, failure);
                }
            }
        }
    }

    fn next<'w>(&self, wanted: &'w Wanted) -> Option<&'w Item> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut work = self.work();
        let item = wanted.items.get(work.begun)?;
        work.begun += 1;
        Some(item)
    }

    /// Counts a file as complete. Adds it to the manifest if `is_placed`, that is, unless the
    /// directory already had a table made by another job.
    fn add_to_manifest(&self, item: &Item, path: &Path, is_placed: bool) -> Result<(), Ended> {
        let mut work = self.work();
        work.downloaded.insert(name(item));
        if !is_placed {
            return Ok(());
        }
        let blake3 = item.blake3.clone();
        let added = item.add_to_manifest(&mut work.manifest, path, blake3);
        added.map_err(|error| Ended::One(error.into()))?;
        let saved = work.manifest.save(self.directory);
        saved.map_err(|error| Ended::All(error.into()))
    }

    fn work(&self) -> std::sync::MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
