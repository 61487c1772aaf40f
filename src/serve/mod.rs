//! The explorer and its API over HTTP.
//!
//! [`Server::new`] takes a tablebase, [`Server::router`] answers requests, and [`run`] does so on a
//! socket until it is stopped. Answers come from [`explorer`](crate::explorer); here they get
//! addresses, tags, limits and errors.
//!
//! What a request may cost is bounded: the length of its address and body, the time its head and
//! body take to arrive and its answer to be taken, and how many long answers are worked out at
//! once. A file that is damaged or gone concerns the positions that need it.

mod answers;
mod batch;
mod endings;
mod gate;
mod log;
mod metrics;
mod page;
mod range;
mod reply;
mod run;
mod service;
mod tables;
mod timed;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::http::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, RETRY_AFTER};
use axum::http::{Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tokio::sync::Semaphore;
use tower_http::cors::{Any, CorsLayer};

pub use log::Log;
pub use run::{Patience, run, runtime};

use crate::explorer::Ask;
use crate::probe::Tablebase;
use gate::Rates;
use metrics::Metrics;
use reply::error;
use tables::Edition;

/// The longest path and query, in bytes.
const LONGEST_URI: usize = 2048;
/// The most bytes of a body.
const MOST_BODY: usize = 1 << 20;

/// How a server answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many answers that take long are worked out at once; more are refused with 503.
    pub most_at_once: usize,
    /// How many connections are open at once; more wait to be accepted.
    pub most_connections: usize,
    /// The requests a second of one address; any number if none is given.
    pub rate: Option<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            most_at_once: 256,
            most_connections: 4096,
            rate: None,
        }
    }
}

/// A tablebase with what is needed to answer requests from it. Shared by clones.
#[derive(Clone, Debug)]
pub struct Server {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    tablebase: Tablebase,
    edition: Edition,
    options: Options,
    /// One permit for each long answer that may be worked out at once.
    permits: Arc<Semaphore>,
    rates: Rates,
    metrics: Metrics,
    log: Log,
    draining: AtomicBool,
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
                tablebase,
                options,
            }),
        }
    }

    fn tablebase(&self) -> &Tablebase {
        &self.inner.tablebase
    }

    /// From now on `/readyz` says 503 and every response closes its connection.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    fn is_draining(&self) -> bool {
        self.inner.draining.load(Ordering::Relaxed)
    }

    /// All routes.
    pub fn router(&self) -> Router {
        let mut router = Router::new()
            .route("/v1/probe", get(answers::answer).post(batch::answer))
            .route("/v1/explore", get(answers::answer))
            .route("/v1/line", get(answers::answer))
            .route("/v1/line.pgn", get(answers::answer))
            .route("/v1/random", get(endings::random))
            .route("/v1/endings", get(endings::list))
            .route("/v1/endings/{ending}", get(endings::one))
            .route("/v1/manifest.json", get(tables::manifest))
            .route("/tables/{file}", get(tables::file))
            .route("/openapi.json", get(page::openapi))
            .route("/robots.txt", get(page::robots))
            .route("/healthz", get(service::health))
            .route("/readyz", get(service::ready))
            .route("/metrics", get(service::metrics));
        for rules in ["makruk", "asean", "ouk", "cambodian"] {
            router = router
                .route(&format!("/{rules}"), get(answers::answer))
                .route(&format!("/{rules}/mainline"), get(answers::answer));
        }
        for path in page::paths() {
            router = router.route(path, get(page::asset));
        }
        let cors = CorsLayer::new()
            .allow_origin(Any)
            .allow_methods([Method::GET, Method::HEAD, Method::POST])
            .allow_headers(Any)
            .expose_headers([ETAG, CONTENT_RANGE, CONTENT_LENGTH, RETRY_AFTER])
            .max_age(std::time::Duration::from_secs(86_400));
        router
            .fallback(|| async {
                let message = "there is nothing at this address: /openapi.json lists what there is";
                error(StatusCode::NOT_FOUND, "no-such-address", message)
            })
            .method_not_allowed_fallback(|| async {
                let message = "this address does not take this method: see the Allow header";
                error(StatusCode::METHOD_NOT_ALLOWED, "method", message)
            })
            .layer(from_fn_with_state(self.clone(), service::observe))
            .layer(cors)
            .with_state(self.clone())
    }

    /// The files that the explorer's page consists of, each with its path.
    pub fn page() -> impl Iterator<Item = (&'static str, &'static str)> {
        page::files()
    }
}

/// The route of a path, as the log's metrics name it: a small number of names, whatever is asked.
fn route_of(path: &str) -> &'static str {
    if let Some(ask) = Ask::of_path(path) {
        return ask.route();
    }
    match path {
        "/v1/random" => "/v1/random",
        "/v1/endings" => "/v1/endings",
        "/v1/manifest.json" => "/v1/manifest.json",
        "/openapi.json" => "/openapi.json",
        "/healthz" => "/healthz",
        "/readyz" => "/readyz",
        "/metrics" => "/metrics",
        _ if path.starts_with("/v1/endings/") => "/v1/endings/{ending}",
        _ if path.starts_with("/tables/") => "/tables/{file}",
        _ if page::paths().any(|known| known == path) => "page",
        _ => "other",
    }
}
