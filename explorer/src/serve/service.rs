//! Counts, limits and logs all requests, and answers requests about the server's health.

use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Response, StatusCode, Version};
use axum::middleware::Next;

use super::rate_limit::ClientAddress;
use super::reply::{self, LogNote, error, set};
use super::server::Server;
use super::{page, preview};
use crate::{QuestionKind, Refusal};
use sakmak::table::TableKind;

/// The maximum length of a path with its query, in bytes.
const LONGEST_URI: usize = 2048;

/// Counts and logs a request. Refuses the request if its URL is too long or if the client sends too
/// many requests.
pub(super) async fn observe(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let start = Instant::now();
    let metrics = &server.inner.metrics;
    let in_flight = InFlight::new(&server);
    let method = request.method().clone();
    let uri = request.uri().clone();
    let route = route_of(uri.path());
    let address = ClientAddress::of(&request);
    let length = uri.path_and_query().map_or(0, |uri| uri.as_str().len());
    // A page that embeds an answer costs as much as the answer itself.
    let asks = page::has_question(uri.query().unwrap_or(""));
    let cheap = matches!(route, "/healthz" | "/readyz" | "/metrics" | "page") && !asks;
    let mut response = if !names_one_host(&request) {
        reply::refusal(&Refusal::input(
            "the request does not name one host: send one Host header with the server's name",
        ))
    } else if length > LONGEST_URI {
        error(
            StatusCode::URI_TOO_LONG,
            "uri-too-long",
            "the address is longer than 2,048 bytes: send positions with POST /v1/probe",
        )
    } else if !cheap && address.is_some_and(|address| !server.inner.rates.allows(address, start)) {
        error(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "too many requests from this address: wait a second, or send many positions at once with POST /v1/probe",
        )
    } else {
        next.run(request).await
    };
    let draining = server.is_draining();
    let headers = response.headers_mut();
    set(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    if draining {
        set(headers, CONNECTION, "close");
    }
    drop(in_flight);
    let (took, status) = (start.elapsed(), response.status().as_u16());
    metrics.request(route, status, took);
    let log = &server.inner.log;
    if log.is_on() {
        let bytes = response.headers().get(CONTENT_LENGTH);
        let bytes = match bytes.and_then(|bytes| bytes.to_str().ok()) {
            Some(bytes) => bytes.to_string(),
            None => axum::body::HttpBody::size_hint(response.body())
                .exact()
                .map_or("-".to_string(), |bytes| bytes.to_string()),
        };
        let shown = uri.path_and_query().map_or("/", |uri| uri.as_str());
        let shown = shown.get(..300).unwrap_or(shown);
        let micros = took.as_micros();
        let mut line = format!("{method} {shown} {status} {bytes}B {micros}us");
        if let Some(LogNote(why)) = response.extensions().get() {
            line += &format!(" ({why})");
        }
        log.line(&line);
        server.log_replaced();
    }
    response
}

/// True if a request has the Host header that RFC 9112, section 3.2, requires.
fn names_one_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let is_host = |host: &HeaderValue| {
        host.is_empty()
            || Authority::try_from(host.as_bytes()).is_ok_and(|host| !host.as_str().contains('@'))
    };
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

/// The name under which the metrics count requests for a path: one of a fixed list.
fn route_of(path: &str) -> &'static str {
    if let Some(ask) = QuestionKind::of_path(path) {
        return ask.route();
    }
    match path {
        "/" => "page",
        "/v1/annotate" => "/v1/annotate",
        "/v1/find" => "/v1/find",
        "/v1/puzzles" => "/v1/puzzles",
        "/v1/random" => "/v1/random",
        "/v1/course" => "/v1/course",
        "/v1/endings" => "/v1/endings",
        "/v1/manifest.json" => "/v1/manifest.json",
        preview::PATH => preview::PATH,
        "/openapi.json" => "/openapi.json",
        "/healthz" => "/healthz",
        "/readyz" => "/readyz",
        "/metrics" => "/metrics",
        "/endings" => "/endings/{page}",
        _ if path.starts_with("/endings/") => "/endings/{page}",
        _ if path.starts_with("/v1/endings/") => "/v1/endings/{ending}",
        _ if path.starts_with("/tables/") => "/tables/{file}",
        _ if page::paths().any(|known| known == path) => "page",
        _ => "other",
    }
}

/// Counts a request as being answered until this value is dropped, which happens even if the
/// request is cancelled.
struct InFlight<'a>(&'a Server);

impl InFlight<'_> {
    fn new(server: &Server) -> InFlight<'_> {
        server
            .inner
            .metrics
            .in_flight
            .fetch_add(1, Ordering::Relaxed);
        InFlight(server)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0
            .inner
            .metrics
            .in_flight
            .fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers `/healthz`: the server is running.
pub(super) async fn health() -> Response<Body> {
    text("ok\n".to_string())
}

/// Answers `/readyz`: with status 503 once the server is shutting down.
pub(super) async fn ready(State(server): State<Server>) -> Response<Body> {
    match server.is_draining() {
        true => error(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopping",
            "the server is shutting down: try again in a moment, or use another server",
        ),
        false => text("ready\n".to_string()),
    }
}

/// Answers with the metrics of the server.
pub(super) async fn metrics(State(server): State<Server>) -> Response<Body> {
    let cache = server.tablebase().inventory().cache_statistics();
    let tablebase = server.tablebase();
    let tables = |kind| tablebase.inventory().materials_of(kind).len();
    let tables = TableKind::ALL.into_iter().map(tables).sum();
    let lost = server.inner.log.lost();
    let searches = server.inner.searches.number();
    text(server.inner.metrics.text(cache, tables, searches, lost))
}

fn text(text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, "text/plain; charset=utf-8");
    set(headers, axum::http::header::CACHE_CONTROL, reply::NOT_KEPT);
    response
}
