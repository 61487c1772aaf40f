//! Answers `POST /v1/annotate` with annotated games, and `GET /v1/find` and `GET /v1/puzzles` with
//! the results of searches.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, VARY};
use axum::http::{HeaderMap, HeaderValue, Response};

use super::answers::refused;
use super::received::received;
use super::reply;
use super::server::Server;
use crate::{Annotate, GamesFormat, PuzzleSearch, Refusal, Search, parameters};
use sakmak::probe::Tablebase;

/// The time limit of a search.
const SEARCH_TIME: Duration = Duration::from_secs(5);

/// Annotates the games in the request's body.
pub(super) async fn annotate(State(server): State<Server>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let format = match accepts_json(&parts.headers) {
        true => GamesFormat::Json,
        false => GamesFormat::Pgn,
    };
    let asked = match Annotate::parse(parameters(parts.uri.query().unwrap_or("")), format) {
        Ok(asked) => asked,
        Err(refusal) => return refused(&refusal),
    };
    let bytes = match received(&server, body).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let working = server.clone();
    let work = move || asked.answer(working.tablebase(), &bytes);
    let mut response = match server.work_out(work).await {
        Ok(Ok(text)) => reply::body(
            &parts.headers,
            asked.format.content_type(),
            reply::NOT_KEPT,
            text.into_bytes(),
        ),
        Ok(Err(refusal)) => refused(&refusal),
        Err(response) => response,
    };
    response
        .headers_mut()
        .append(VARY, HeaderValue::from_static("accept"));
    response
}

/// True if the client's `Accept` header names a JSON type.
fn accepts_json(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|kind| kind.split(';').next())
        .any(|kind| {
            let json = ["application/json", "application/x-ndjson"];
            json.iter()
                .any(|json| kind.trim().eq_ignore_ascii_case(json))
        })
}

/// Searches for positions, within the time limit.
pub(super) async fn find(State(server): State<Server>, request: Request) -> Response<Body> {
    let parameters = parameters(request.uri().query().unwrap_or(""));
    match Search::parse(parameters) {
        Ok(search) => {
            let answer = move |tablebase: &Tablebase, start: Instant| {
                search.answer(tablebase, || start.elapsed() < SEARCH_TIME)
            };
            searched(&server, request.headers(), answer).await
        }
        Err(refusal) => refused(&refusal),
    }
}

/// Searches for puzzles, within the time limit.
pub(super) async fn puzzles(State(server): State<Server>, request: Request) -> Response<Body> {
    let parameters = parameters(request.uri().query().unwrap_or(""));
    match PuzzleSearch::parse(parameters) {
        Ok(search) => {
            let answer = move |tablebase: &Tablebase, start: Instant| {
                search.answer(tablebase, || start.elapsed() < SEARCH_TIME)
            };
            searched(&server, request.headers(), answer).await
        }
        Err(refusal) => refused(&refusal),
    }
}

/// Runs a search and answers with its results. `answer` receives the tablebase and the time at
/// which the search starts.
async fn searched(
    server: &Server,
    headers: &HeaderMap,
    answer: impl FnOnce(&Tablebase, Instant) -> Result<String, Refusal> + Send + 'static,
) -> Response<Body> {
    let working = server.clone();
    let work = move || answer(working.tablebase(), Instant::now());
    match server.work_out(work).await {
        Ok(Ok(text)) => reply::body(
            headers,
            "application/x-ndjson",
            reply::NOT_KEPT,
            text.into_bytes(),
        ),
        Ok(Err(refusal)) => refused(&refusal),
        Err(response) => response,
    }
}
