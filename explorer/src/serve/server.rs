//! The state of a server: its tables, limits and statistics.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use tokio::sync::Semaphore;

use super::edition::Edition;
use super::ending_pages::Catalogue;
use super::gate::Rates;
use super::log::Log;
use super::metrics::Metrics;
use super::reply;
use crate::Refusal;
use sakmak::probe::Tablebase;

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of long answers that are computed at a time. Further requests for long
    /// answers are refused with status 503.
    pub most_at_once: usize,
    /// The maximum number of open connections. Further connections wait until they are accepted.
    pub most_connections: usize,
    /// The time limit for receiving the body of a request.
    pub body_time: Duration,
    /// The maximum number of requests per second from one address. None means no limit.
    pub rate: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            most_at_once: 256,
            most_connections: 4096,
            body_time: Duration::from_secs(10),
            rate: None,
        }
    }
}

/// A tablebase with everything needed to answer requests. All clones share the same state.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) inner: Arc<Inner>,
}

/// The state that all clones share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) tablebase: Tablebase,
    pub(super) edition: Edition,
    pub(super) limits: Limits,
    /// The permits for long answers, one for each that may be computed at the same time.
    pub(super) permits: Arc<Semaphore>,
    pub(super) rates: Rates,
    pub(super) metrics: Metrics,
    pub(super) log: Log,
    pub(super) draining: AtomicBool,
    /// The figures of all endings, computed when they are first requested.
    catalogue: OnceLock<Catalogue>,
    /// The number of corrupt tables that have been logged.
    logged: AtomicUsize,
}

impl Server {
    /// Makes a server for these tables, and computes the edition (a hash of their files).
    pub fn new(tablebase: Tablebase, limits: Limits, log: Log) -> Server {
        let edition = Edition::new(&tablebase);
        Server {
            inner: Arc::new(Inner {
                edition,
                permits: Arc::new(Semaphore::new(limits.most_at_once)),
                rates: Rates::new(limits.rate),
                metrics: Metrics::default(),
                log,
                draining: AtomicBool::new(false),
                catalogue: OnceLock::new(),
                logged: AtomicUsize::new(0),
                tablebase,
                limits,
            }),
        }
    }

    pub(super) fn tablebase(&self) -> &Tablebase {
        &self.inner.tablebase
    }

    /// The figures of all endings. The first call reads the header of every table.
    pub(super) fn catalogue(&self) -> &Catalogue {
        let Inner {
            catalogue,
            tablebase,
            edition,
            ..
        } = &*self.inner;
        catalogue.get_or_init(|| Catalogue::new(tablebase, edition.tables.keys().copied()))
    }

    /// Logs the corrupt tables that other tables have replaced since the last call.
    pub(super) fn log_replaced(&self) {
        let Inner {
            tablebase,
            logged,
            log,
            ..
        } = &*self.inner;
        let replaced = tablebase.inventory().replaced();
        let logged = logged.fetch_max(replaced.len(), Ordering::Relaxed);
        for replaced in replaced.iter().skip(logged) {
            log.line(&replaced.to_string());
        }
    }

    /// Prepares to stop: from now on `/readyz` returns 503, and every response closes its
    /// connection.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.inner.draining.load(Ordering::Relaxed)
    }

    /// The strong HTTP tag of an answer, derived from the edition, the route and the question.
    pub(super) fn tag(&self, route: &str, question: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.inner.edition.hash.as_bytes());
        hasher.update(route.as_bytes());
        hasher.update(b"\n");
        hasher.update(question.as_bytes());
        let hash = hasher.finalize().to_hex();
        format!("\"{}\"", &hash[..32])
    }

    /// Runs long work on another thread. Returns a refusal if too much work is running already.
    pub(super) async fn work_out<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response<Body>> {
        let Ok(permit) = self.inner.permits.clone().try_acquire_owned() else {
            return Err(reply::error(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "the server is busy: try again in a second",
            ));
        };
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| {
            reply::refusal(&Refusal::internal(
                "the answer could not be computed: please report this as a bug in sakmak",
            ))
        })
    }
}
