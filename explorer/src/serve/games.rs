//! Answers `POST /v1/annotate` with annotated games, and `GET /v1/find` and `GET /v1/puzzles` with
//! the results of searches.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, VARY};
use axum::http::{HeaderMap, HeaderValue, Response};

use super::answers::refused;
use super::pool::GoOn;
use super::rate_limit::ClientAddress;
use super::received::received;
use super::reply;
use super::server::Server;
use crate::{Annotate, GamesFormat, PuzzleSearch, Refusal, Search, parameters};
use sakmak::probe::Tablebase;

/// Annotates the games in the request's body.
pub(super) async fn annotate(State(server): State<Server>, request: Request) -> Response<Body> {
    let client = ClientAddress::of(&request);
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
    let headers = parts.headers;
    let work = move |tablebase: &Tablebase, go_on: GoOn<'_>| {
        let annotated = asked.answer(tablebase, &bytes, go_on);
        found(&headers, asked.format.content_type(), annotated)
    };
    let annotated = server.search(client, work).await;
    let mut response = annotated.unwrap_or_else(|refused| refused);
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
    let answer =
        |search: &Search, tablebase: &Tablebase, go_on: GoOn<'_>| search.answer(tablebase, go_on);
    searched(
        &server,
        request,
        |query| Search::parse(parameters(query)),
        answer,
    )
    .await
}

/// Searches for puzzles, within the time limit.
pub(super) async fn puzzles(State(server): State<Server>, request: Request) -> Response<Body> {
    let answer = |search: &PuzzleSearch, tablebase: &Tablebase, go_on: GoOn<'_>| {
        search.answer(tablebase, go_on)
    };
    searched(
        &server,
        request,
        |query| PuzzleSearch::parse(parameters(query)),
        answer,
    )
    .await
}

/// Runs the search that the query of a request describes, and answers with its results.
async fn searched<S: Send + 'static>(
    server: &Server,
    request: Request,
    parse: impl FnOnce(&str) -> Result<S, Refusal>,
    answer: impl FnOnce(&S, &Tablebase, GoOn<'_>) -> Result<String, Refusal> + Send + 'static,
) -> Response<Body> {
    let client = ClientAddress::of(&request);
    let search = match parse(request.uri().query().unwrap_or("")) {
        Ok(search) => search,
        Err(refusal) => return refused(&refusal),
    };
    let headers = request.into_parts().0.headers;
    let work = move |tablebase: &Tablebase, go_on: GoOn<'_>| {
        let lines = answer(&search, tablebase, go_on);
        found(&headers, "application/x-ndjson", lines)
    };
    let response = server.search(client, work).await;
    response.unwrap_or_else(|refused| refused)
}

/// Makes the response with the results of a search. It may be long, so it is compressed on the
/// thread of the search.
fn found(
    headers: &HeaderMap,
    content_type: &'static str,
    result: Result<String, Refusal>,
) -> Response<Body> {
    match result {
        Ok(text) => reply::body(headers, content_type, reply::NOT_KEPT, text.into_bytes()),
        Err(refusal) => refused(&refusal),
    }
}
