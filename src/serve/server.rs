//! What a server answers from, and what it may work out at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use tokio::sync::Semaphore;

use super::edition::Edition;
use super::gate::Rates;
use super::log::Log;
use super::metrics::Metrics;
use super::reply;
use crate::explorer::Refusal;
use crate::probe::Tablebase;

/// How a server answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many answers that take long are worked out at once; more are refused with 503.
    pub most_at_once: usize,
    /// How many connections are open at once; more wait to be accepted.
    pub most_connections: usize,
    /// How long the body of a request may take to arrive.
    pub body_time: Duration,
    /// The requests a second of one address; any number if none is given.
    pub rate: Option<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            most_at_once: 256,
            most_connections: 4096,
            body_time: Duration::from_secs(10),
            rate: None,
        }
    }
}

/// A tablebase with what is needed to answer requests from it. Shared by clones.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) inner: Arc<Inner>,
}

/// What clones of a server share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) tablebase: Tablebase,
    pub(super) edition: Edition,
    pub(super) options: Options,
    /// One permit for each long answer that may be worked out at once.
    pub(super) permits: Arc<Semaphore>,
    pub(super) rates: Rates,
    pub(super) metrics: Metrics,
    pub(super) log: Log,
    pub(super) draining: AtomicBool,
    /// How many damaged tables the log has been told of.
    told: AtomicUsize,
}

impl Server {
    /// A server of these tables. What tells their files from others is worked out now.
    pub fn new(tablebase: Tablebase, options: Options, log: Log) -> Server {
        let edition = Edition::new(&tablebase);
        Server {
            inner: Arc::new(Inner {
                edition,
                permits: Arc::new(Semaphore::new(options.most_at_once)),
                rates: Rates::new(options.rate),
                metrics: Metrics::default(),
                log,
                draining: AtomicBool::new(false),
                told: AtomicUsize::new(0),
                tablebase,
                options,
            }),
        }
    }

    pub(super) fn tablebase(&self) -> &Tablebase {
        &self.inner.tablebase
    }

    /// Tells the log of the damaged tables that were replaced since it was last told.
    pub(super) fn log_replaced(&self) {
        let Inner {
            tablebase,
            told,
            log,
            ..
        } = &*self.inner;
        let replaced = tablebase.replaced();
        let told = told.fetch_max(replaced.len(), Ordering::Relaxed);
        for replaced in replaced.iter().skip(told) {
            log.line(&replaced.to_string());
        }
    }

    /// From now on `/readyz` says 503 and every response closes its connection.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.inner.draining.load(Ordering::Relaxed)
    }

    /// The strong tag of an answer: from the tables there are and the question.
    pub(super) fn tag(&self, route: &str, question: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.inner.edition.hash.as_bytes());
        hasher.update(route.as_bytes());
        hasher.update(b"\n");
        hasher.update(question.as_bytes());
        let hash = hasher.finalize().to_hex();
        format!("\"{}\"", &hash[..32])
    }

    /// Does work that takes long on a thread for that, unless too much is being done already.
    pub(super) async fn work_out<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response<Body>> {
        let Ok(permit) = self.inner.permits.clone().try_acquire_owned() else {
            return Err(reply::error(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "too many answers are being worked out: ask again in a second",
            ));
        };
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| {
            reply::refusal(&Refusal::internal(
                "working out the answer failed: please report this as a fault of sakmak",
            ))
        })
    }
}
