//! How far the work is, for people who wait.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Common;
use super::stderr::say;

/// Nothing is drawn for work that is over by then.
const PATIENCE: Duration = Duration::from_secs(1);

/// The steps of the bar. What they stand for is the work's own.
const STEPS: u64 = 10_000;

/// A bar with the time that is left, on standard error if it is a terminal; else nothing.
///
/// Any thread may move it.
pub struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: Mutex<bool>,
    quiet: bool,
}

impl Bar {
    /// A bar at its beginning.
    pub fn new(common: &Common) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        // No colours, so there is nothing that NO_COLOR would take away.
        if let Ok(style) =
            ProgressStyle::with_template("{msg:32} [{wide_bar}] {percent:>3} %, {eta} left")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        Bar {
            bar,
            started: Instant::now(),
            shown: Mutex::new(false),
            quiet: common.quiet,
        }
    }

    /// Says what is being done.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Moves the bar to this part of the whole, from 0 to 1. It never goes back.
    pub fn at(&self, part: f64) {
        let step = (part.clamp(0.0, 1.0) * STEPS as f64) as u64;
        if self.started.elapsed() >= PATIENCE && !self.quiet {
            self.show();
        }
        if step > self.bar.position() {
            self.bar.set_position(step);
        }
    }

    /// Draws from now on, where standard error is a terminal.
    fn show(&self) {
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        if !*shown {
            *shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Prints a line on standard error, above the bar, unless the user wants quiet.
    pub fn line(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| say(text));
        }
    }

    /// Does something that prints, with the bar out of the way.
    pub fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}
