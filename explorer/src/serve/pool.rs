//! Threads for work that takes long or waits for a disk. All are started with the server, so that a
//! system without further threads is noticed then and never during a request.

use std::io;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

/// A function that returns false when work should end before it is done.
pub(super) type GoOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// A pool of threads.
#[derive(Debug)]
pub(super) struct Pool(ThreadPool);

impl Pool {
    /// Starts the threads of a pool.
    pub fn new(name: &'static str, threads: usize) -> io::Result<Pool> {
        let builder = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(move |_| name.to_string())
            // The request notices that its work has ended without a result.
            .panic_handler(|_| {});
        builder.build().map(Pool).map_err(io::Error::other)
    }

    /// Runs work on a thread of the pool. The work receives a function that returns false once
    /// nobody waits for the result any more; if that is so before the work begins, it is left out.
    /// None if the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(GoOn<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        self.0.spawn(move || {
            if !sender.is_closed() {
                let result = work(&|| !sender.is_closed());
                let _ = sender.send(result);
            }
        });
        receiver.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panics_has_no_result_and_ends_no_thread() {
        let pool = Pool::new("test", 1).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(async {
            assert_eq!(pool.run(|_| panic!("on purpose")).await, None::<u8>);
            assert_eq!(pool.run(|is_awaited| is_awaited()).await, Some(true));
        });
    }
}
