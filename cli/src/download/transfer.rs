//! Transfers one file from a host to the directory of tables.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sakmak::directory::{place_new, sync};
use sakmak::table::TableError;

use super::address::Location;
use super::fetch::{Client, Fault};
use super::part::{CHUNK, Part};
use super::progress::DownloadProgress;
use super::wanted::Item;
use crate::Failure;
use crate::failure::cannot;

/// The download gives up after this number of failed requests without progress in between.
const TRIES: u32 = 5;
/// The pause after the first failed request. Each later pause is twice as long as the previous one.
const PAUSE: Duration = Duration::from_millis(250);

/// The transfer of one file from the host.
pub struct Transfer<'a> {
    pub client: &'a Client,
    pub item: &'a Item,
    pub from: Location,
    pub to: &'a Path,
    pub progress: &'a DownloadProgress<'a>,
    /// True once all transfers should stop.
    pub stop: &'a AtomicBool,
}

/// The reason why a transfer ended early.
pub enum Ended {
    /// A failure of the host, the network or the disk, which affects all files.
    All(Failure),
    /// A failure that affects this file only.
    One(Failure),
    /// The transfer was stopped because a failure of another transfer ended the whole run.
    Stopped,
}

impl Transfer<'_> {
    /// Fetches the file, checks it and gives it its final name. Returns false if a job of `generate
    /// --only` has meanwhile written the same table. The job's table then remains, and the
    /// downloaded one is discarded.
    pub fn run(&self) -> Result<bool, Ended> {
        let written = |error| Ended::All(cannot("written", self.to, &error));
        let mut part = Part::open(self.to, self.item.bytes)
            .map_err(|error| Ended::All(cannot("written", &Part::path_of(self.to), &error)))?;
        self.progress.found(part.bytes());
        let mut is_fresh = part.bytes() == 0;
        while {
            self.fill(&mut part, &mut is_fresh)?;
            part.blake3() != self.item.blake3
        } {
            self.progress.take_back(part.bytes());
            if is_fresh {
                let found = part.blake3();
                part.remove();
                return Err(self.wrong(format_args!(
                    "its BLAKE3 hash is {found}, not {} as in the manifest",
                    self.item.blake3
                )));
            }
            // The partial file has other bytes, perhaps those of an earlier table.
            part.restart().map_err(written)?;
            is_fresh = true;
        }
        if !self.item.published
            && let Err(error) = self.item.check(part.path())
        {
            part.remove();
            return Err(self.wrong(error));
        }
        part.sync().map_err(written)?;
        let is_placed = match self.item.replaces {
            true => fs::rename(part.path(), self.to).map(|()| true),
            false => place_new(part.path(), self.to),
        };
        let is_placed = is_placed.map_err(written)?;
        if !is_placed {
            let table = self.item.require(self.to);
            table.map_err(|error| Ended::One(self.in_the_way(&error)))?;
            part.remove();
        }
        sync(self.to.parent().unwrap_or(Path::new(".")));
        Ok(is_placed)
    }

    /// Fetches the rest of a file. Sets `is_fresh` if it begins the partial file again, which then
    /// has no bytes of earlier runs.
    fn fill(&self, part: &mut Part, is_fresh: &mut bool) -> Result<(), Ended> {
        let (mut most, mut tries) = (part.bytes(), 0);
        while part.bytes() < self.item.bytes {
            let fault = match self.attempt(part, is_fresh) {
                Ok(()) => continue,
                Err(Interrupted::Ended(ended)) => return Err(ended),
                Err(Interrupted::Fault(fault)) => fault,
            };
            let why = match fault {
                Fault::Temporary(why) => why,
                Fault::Missing(why) | Fault::Permanent(why) => return Err(self.wrong(why)),
            };
            if part.bytes() > most {
                (most, tries) = (part.bytes(), 0);
            }
            tries += 1;
            if tries == TRIES {
                return Err(Ended::All(
                    Failure::machine(format_args!(
                        "the download of {} stops after {} of {} bytes: {why}",
                        self.from,
                        part.bytes(),
                        self.item.bytes
                    ))
                    .help("check the network, and run the same command again to resume"),
                ));
            }
            self.pause(PAUSE * (1 << (tries - 1)))?;
        }
        Ok(())
    }

    /// Makes one request, and appends the received bytes to the partial file.
    fn attempt(&self, part: &mut Part, is_fresh: &mut bool) -> Result<(), Interrupted> {
        let ended = |error| Interrupted::Ended(Ended::All(cannot("written", self.to, &error)));
        let arriving = self.client.open(&self.from, part.bytes())?;
        if let Some(total) = arriving.total
            && total != self.item.bytes
        {
            let bytes = self.item.bytes;
            let why = format!("it has {total} bytes, not {bytes} as in the manifest");
            return Err(Fault::Permanent(why).into());
        }
        if arriving.start != part.bytes() {
            self.progress.take_back(part.bytes());
            part.restart().map_err(ended)?;
            *is_fresh = true;
        }
        let mut reader = arriving.reader.take(self.item.bytes - part.bytes());
        let mut buffer = vec![0; CHUNK];
        while part.bytes() < self.item.bytes {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Interrupted::Ended(Ended::Stopped));
            }
            let read = match reader.read(&mut buffer) {
                Ok(0) => return Err(Fault::Temporary("the connection was cut".into()).into()),
                Ok(read) => read,
                Err(error) => return Err(Fault::Temporary(error.to_string()).into()),
            };
            part.add(&buffer[..read]).map_err(ended)?;
            self.progress.add(read as u64);
        }
        Ok(())
    }

    /// Waits for the duration of `pause`. Fails if the run ends meanwhile.
    fn pause(&self, pause: Duration) -> Result<(), Ended> {
        let step = Duration::from_millis(50);
        for _ in 0..pause.as_millis() / step.as_millis() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Ended::Stopped);
            }
            std::thread::sleep(step);
        }
        Ok(())
    }

    /// The failure for a complete file whose name another file has taken meanwhile. The partial file
    /// stays, so that the next run needs no request.
    fn in_the_way(&self, error: &TableError) -> Failure {
        let name = self.to.display();
        let fact =
            format_args!("{name} cannot be put in its place: another file has its name ({error})");
        Failure::machine(fact).help("move the other file away, and run the same command again")
    }

    /// The failure for a file that does not match its entry in the host's manifest.
    fn wrong(&self, why: impl std::fmt::Display) -> Ended {
        let fact = format_args!(
            "{} is not the table that the manifest lists: {why}",
            self.from
        );
        Ended::One(Failure::machine(fact).help(
            "report this to the owner of the host; download the table from another host, or make it with `sakmak generate`",
        ))
    }
}

/// The reason why a request stopped before the end of the file.
enum Interrupted {
    Fault(Fault),
    Ended(Ended),
}

impl From<Fault> for Interrupted {
    fn from(fault: Fault) -> Interrupted {
        Interrupted::Fault(fault)
    }
}
