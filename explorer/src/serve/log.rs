//! The request log. A separate thread writes it, so that a blocked standard error delays no
//! request.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum number of lines that wait to be written. Further lines are dropped and counted.
const MOST_WAITING: usize = 4096;

/// A log of requests, which may be switched off.
#[derive(Debug)]
pub struct Log {
    sender: Option<SyncSender<String>>,
    lost: AtomicU64,
}

impl Log {
    /// Makes a log that writes to standard error.
    ///
    /// # Errors
    ///
    /// If the thread that writes it cannot be started.
    pub fn standard_error() -> io::Result<Log> {
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let writer = std::thread::Builder::new().name("log".to_string());
        writer.spawn(move || write_lines(&receiver))?;
        Ok(Log {
            sender: Some(sender),
            lost: AtomicU64::new(0),
        })
    }

    /// Makes a log that writes nothing.
    pub fn none() -> Log {
        Log {
            sender: None,
            lost: AtomicU64::new(0),
        }
    }

    /// Writes a line, preceded by the time.
    pub fn line(&self, text: &str) {
        let Some(sender) = &self.sender else { return };
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let line = format!("{} {text}\n", timestamp(since.unwrap_or_default()));
        if sender.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// True unless the log is switched off.
    pub(super) fn is_on(&self) -> bool {
        self.sender.is_some()
    }

    /// The number of lines that were dropped.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

fn write_lines(lines: &Receiver<String>) {
    while let Ok(first) = lines.recv() {
        // Further lines that are waiting are written together with the first.
        let text = lines
            .try_iter()
            .take(MOST_WAITING)
            .fold(first, |text, line| text + &line);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Formats a time as in RFC 3339. `time` is the time since the start of 1970.
fn timestamp(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Years are taken to begin in March, in eras of 400 years, so that a leap day is the last day
    // of its year.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (
        day - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    let year = era * 400 + year + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60,
        time.subsec_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_rfc_3339_has_it() {
        let at = |seconds| timestamp(Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59.000Z");
        assert_eq!(at(1_709_251_200), "2024-03-01T00:00:00.000Z");
        assert_eq!(at(4_102_444_799), "2099-12-31T23:59:59.000Z");
    }
}
