//! The progress bar.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Common;
use super::stderr::say;

/// The time before the bar appears. Shorter work draws no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The number of steps of a full bar.
const STEPS: u64 = 10_000;

/// A progress bar with the estimated time left, drawn on standard error if that is a terminal. Any
/// thread may advance the bar.
pub struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: Mutex<bool>,
    quiet: bool,
}

impl Bar {
    /// Makes a bar at 0.
    pub fn new(common: &Common) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        // The bar has no colours, so NO_COLOR needs no handling.
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

    /// Sets the message beside the bar.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Advances the bar to this fraction of the work, from 0 to 1. The bar never moves back.
    pub fn at(&self, part: f64) {
        let step = (part.clamp(0.0, 1.0) * STEPS as f64) as u64;
        if self.started.elapsed() >= PATIENCE && !self.quiet {
            self.show();
        }
        if step > self.bar.position() {
            self.bar.set_position(step);
        }
    }

    /// Starts to draw the bar, if standard error is a terminal.
    fn show(&self) {
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        if !*shown {
            *shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.redraw_steadily();
        }
    }

    /// Draws the bar again and again, so that the time left is counted down between two steps. The
    /// bar's own timer would panic without a thread; this one then leaves the bar to its steps.
    fn redraw_steadily(&self) {
        let bar = self.bar.downgrade();
        let drawing = move || {
            while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
                bar.tick();
                drop(bar);
                std::thread::sleep(Duration::from_millis(200));
            }
        };
        let _ = std::thread::Builder::new().spawn(drawing);
    }

    /// Prints a line on standard error, above the bar. Prints nothing with `--quiet`.
    pub fn line(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| say(text));
        }
    }

    /// Hides the bar while `work` runs, because `work` may print.
    pub fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}
