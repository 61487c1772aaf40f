//! The option `--threads`.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Failure;
use super::stderr::say;

/// The option `--threads`, which every command that uses several threads accepts.
#[derive(Default, clap::Args)]
pub struct ThreadsArgs {
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadsArgs {
    /// The number of threads to use: at most one per processor, since more threads would only be
    /// slower.
    fn number(&self, quiet: bool) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        match self.threads.map(NonZeroUsize::get) {
            Some(threads) if threads > processors => {
                if !quiet {
                    say(format_args!(
                        "using {processors} threads instead of {threads}, one per processor"
                    ));
                }
                processors
            }
            threads => threads.unwrap_or(processors),
        }
    }

    /// Starts the global thread pool, unless it runs already. Without this call, the first use would
    /// start the pool, and would panic if the system has no threads left.
    pub fn start(&self, quiet: bool) -> Result<(), Failure> {
        static STARTED: OnceLock<()> = OnceLock::new();
        if STARTED.get().is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(self.number(quiet));
            builder.build_global().map_err(Failure::threads)?;
            STARTED.get_or_init(|| ());
        }
        Ok(())
    }

    /// Makes a pool with the requested number of threads.
    pub fn pool(&self, quiet: bool) -> Result<ThreadPool, Failure> {
        pool(self.number(quiet))
    }
}

/// Makes a pool of `threads` threads.
pub fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().map_err(Failure::threads)
}
