//! Answers requests about endings: their list, the statistics of one ending, and random positions.

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use serde::Serialize;

use super::answers::refused;
use super::rate_limit::ClientAddress;
use super::reply;
use super::server::Server;
use crate::{CourseQuestion, RandomSearch, Refusal, json, parameters};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak_study::{ExamplesDocument, StatisticsDocument};

#[derive(Serialize)]
struct Listed {
    endings: Vec<Ending>,
}

#[derive(Serialize)]
struct Ending {
    material: String,
    men: usize,
    /// True if one side has only its king.
    bare: bool,
    bytes: u64,
}

#[derive(Serialize)]
struct Figures<'a> {
    #[serde(flatten)]
    statistics: StatisticsDocument<'a>,
    examples: ExamplesDocument,
    bytes: Option<u64>,
}

/// Answers with the list of endings that have tables.
pub(super) async fn list(State(server): State<Server>, request: Request) -> Response<Body> {
    let working = server.clone();
    let list = move || {
        let tables = working.inner.edition.distances().iter();
        listed(tables.map(|(&material, table)| (material, table.bytes)))
    };
    document(&server, request.headers(), "endings", "", list).await
}

/// The JSON document that lists the endings, with the lengths of their tables in bytes.
pub(super) fn listed(
    tables: impl Iterator<Item = (CanonicalMaterial, u64)>,
) -> Result<String, Refusal> {
    let endings = tables.map(|(material, bytes)| Ending {
        material: material.to_string(),
        men: material.men(),
        bare: material.is_bare(),
        bytes,
    });
    json(&Listed {
        endings: endings.collect(),
    })
}

/// Answers with the statistics of an ending. Other spellings of its name are redirected to the
/// canonical one.
pub(super) async fn one(
    State(server): State<Server>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    // A name that is not UTF-8 is treated as empty, which matches no ending.
    let name = name.map_or(String::new(), |Path(name)| name);
    let material: CanonicalMaterial = match name.parse() {
        Ok(material) => material,
        Err(error) => return refused(&Refusal::input(format!("{error}"))),
    };
    let canonical = material.to_string();
    if canonical != name {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
        let headers = response.headers_mut();
        if let Ok(place) = HeaderValue::from_str(&format!("/v1/endings/{canonical}")) {
            headers.insert(LOCATION, place);
        }
        reply::set(headers, CACHE_CONTROL, reply::FOR_A_DAY);
        return response;
    }
    let table = server.inner.edition.distances().get(&material);
    let bytes = table.map(|table| table.bytes);
    let working = server.clone();
    // The header of the table may have to be read.
    let figures = move || figures(working.tablebase(), material, bytes);
    document(&server, request.headers(), "ending", &canonical, figures).await
}

/// The JSON document with the statistics of an ending.
pub(super) fn figures(
    tablebase: &Tablebase,
    material: CanonicalMaterial,
    bytes: Option<u64>,
) -> Result<String, Refusal> {
    json(&Figures {
        statistics: StatisticsDocument::new(tablebase, material)?,
        examples: ExamplesDocument::new(material, tablebase.inventory().statistics(material)?),
        bytes,
    })
}

/// Makes a response from a JSON document and its HTTP tag.
async fn document(
    server: &Server,
    headers: &HeaderMap,
    route: &str,
    question: &str,
    document: impl FnOnce() -> Result<String, Refusal> + Send + 'static,
) -> Response<Body> {
    let tag = reply::tag_for(headers, &server.tag(route, question));
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, reply::FOR_A_DAY);
    }
    match server.work_out(document).await {
        Ok(Ok(text)) => {
            let bytes = text.into_bytes();
            let body = reply::body(headers, "application/json", reply::FOR_A_DAY, bytes);
            reply::tagged(body, &tag)
        }
        Ok(Err(refusal)) => refused(&refusal),
        Err(response) => response,
    }
}

/// Answers with a random position of the requested ending and verdict.
pub(super) async fn random(State(server): State<Server>, request: Request) -> Response<Body> {
    let wanted = RandomSearch::parse(parameters(request.uri().query().unwrap_or("")));
    made(&server, request, wanted, RandomSearch::find).await
}

/// Answers with a question of the course.
pub(super) async fn course(State(server): State<Server>, request: Request) -> Response<Body> {
    let wanted = CourseQuestion::parse(parameters(request.uri().query().unwrap_or("")));
    made(&server, request, wanted, CourseQuestion::answer).await
}

/// Answers with a document that is made at random.
async fn made<W: Send + 'static>(
    server: &Server,
    request: Request,
    wanted: Result<W, Refusal>,
    make: impl FnOnce(&W, &Tablebase) -> Result<String, Refusal> + Send + 'static,
) -> Response<Body> {
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(refusal) => return refused(&refusal),
    };
    let client = ClientAddress::of(&request);
    let found = server.search(client, move |tablebase, _| make(&wanted, tablebase));
    match found.await {
        Ok(Ok(text)) => reply::body(
            request.headers(),
            "application/json",
            reply::NOT_KEPT,
            text.into_bytes(),
        ),
        Ok(Err(refusal)) => refused(&refusal),
        Err(response) => response,
    }
}
