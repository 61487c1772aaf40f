//! The progress of a download.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Common;
use crate::format::{bytes, counted};
use crate::progress::Bar;

/// The progress of all files together.
pub struct DownloadProgress<'a> {
    bar: &'a Bar,
    /// The number of bytes of all files.
    total: u64,
    /// The number of bytes received so far, including those from earlier runs.
    received: AtomicU64,
    /// The number of bytes received by this run.
    fetched: AtomicU64,
    started: Instant,
}

impl DownloadProgress<'_> {
    /// Starts with 0 of `total` bytes received.
    pub fn new(bar: &Bar, total: u64) -> DownloadProgress<'_> {
        DownloadProgress {
            bar,
            total,
            received: AtomicU64::new(0),
            fetched: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    /// Counts bytes that an earlier, interrupted run has received.
    pub fn found(&self, bytes: u64) {
        self.received.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts bytes that this run has received.
    pub fn add(&self, bytes: u64) {
        self.fetched.fetch_add(bytes, Ordering::Relaxed);
        let received = self.received.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.bar.say(self.rate());
        self.bar.at(received as f64 / self.total.max(1) as f64);
    }

    /// Subtracts discarded bytes from the number of bytes received.
    pub fn take_back(&self, bytes: u64) {
        self.received.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The speed of this run in bytes per second, as text.
    fn rate(&self) -> String {
        let seconds = self
            .started
            .elapsed()
            .max(Duration::from_millis(1))
            .as_secs_f64();
        let fetched = self.fetched.load(Ordering::Relaxed);
        format!("{}/s", bytes((fetched as f64 / seconds) as u64))
    }

    /// Reports the result of the download.
    pub fn finish(&self, files: usize, common: &Common) {
        self.bar.finish();
        let fetched = self.fetched.load(Ordering::Relaxed);
        if fetched > 0 && !common.quiet {
            self.bar.line(&format!(
                "{} of {} in {:.1} s, {}",
                bytes(fetched),
                counted(files as u64, "file"),
                self.started.elapsed().as_secs_f64(),
                self.rate()
            ));
        }
    }
}
