//! The state of a server: its tables, threads and statistics.

use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::edition::Edition;
use super::ending_pages::Catalogue;
use super::limits::{Limits, processors};
use super::log::Log;
use super::metrics::Metrics;
use super::pool::{GoOn, Pool};
use super::rate_limit::Rates;
use super::reply;
use super::searches::Searches;
use crate::Refusal;
use sakmak::probe::Tablebase;

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
    permits: Arc<Semaphore>,
    /// The threads that compute long answers.
    answers: Pool,
    /// The threads that open and read the files of tables.
    pub(super) files: Pool,
    pub(super) searches: Searches,
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
    /// Makes a server for these tables, starts its threads, and computes the edition (a hash of the
    /// tables' files).
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(tablebase: Tablebase, limits: Limits, log: Log) -> io::Result<Server> {
        let processors = processors();
        let edition = Edition::new(&tablebase);
        Ok(Server {
            inner: Arc::new(Inner {
                edition,
                // More than the processors, so that a thread waiting for a disk delays no other.
                answers: Pool::new("answers", 2 * processors)?,
                files: Pool::new("files", 2 * processors)?,
                searches: Searches::new(&limits, processors)?,
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
        })
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
        catalogue.get_or_init(|| Catalogue::new(tablebase, edition.distances().keys().copied()))
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
        let permit = self.permit().map_err(|busy| reply::refusal(&busy))?;
        self.work_out_with(&permit, work).await
    }

    /// A permit for long work. Returns a refusal if too much work is running already.
    pub(super) fn permit(&self) -> Result<Arc<OwnedSemaphorePermit>, Refusal> {
        let permit = self.inner.permits.clone().try_acquire_owned();
        let busy = |_| Refusal::busy("the server is busy: try again in a second");
        permit.map(Arc::new).map_err(busy)
    }

    /// Runs a part of long work on another thread. The permit is returned after its last part.
    pub(super) async fn work_out_with<T: Send + 'static>(
        &self,
        permit: &Arc<OwnedSemaphorePermit>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response<Body>> {
        let permit = permit.clone();
        let done = self.inner.answers.run(move |_| {
            let _permit = permit;
            work()
        });
        done.await.ok_or_else(failed)
    }

    /// Runs a search, as in [`Searches::run`].
    pub(super) async fn search<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        search: impl FnOnce(&Tablebase, GoOn<'_>) -> T + Send + 'static,
    ) -> Result<T, Response<Body>> {
        let server = self.clone();
        let search = move |go_on: GoOn<'_>| search(server.tablebase(), go_on);
        let found = self.inner.searches.run(address, search).await?;
        found.ok_or_else(failed)
    }
}

/// The response to a request whose work has panicked.
fn failed() -> Response<Body> {
    reply::refusal(&Refusal::internal(
        "the answer could not be computed: please report this as a bug in sakmak",
    ))
}
