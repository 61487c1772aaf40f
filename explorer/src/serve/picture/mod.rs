//! The pictures of link previews: `GET /picture.png?fen=…` on a server, and one file for each
//! ending in a static site.

mod board;
mod canvas;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};

use super::answers::refused;
use super::embedded_answers::START;
use super::preview::PNG;
use super::reply::{self, set};
use super::server::Server;
use crate::{Question, QuestionKind, Refusal, explore};
use sakmak::probe::Tablebase;

/// Answers with the picture of a position. Without a FEN, the picture shows the explorer's first
/// position.
pub(super) async fn picture(State(server): State<Server>, request: Request) -> Response<Body> {
    let query = request.uri().query().unwrap_or("");
    let query = match query {
        "" => format!("fen={START}"),
        query => query.to_string(),
    };
    let question = match Question::parse(QuestionKind::Explore, &query) {
        Ok(question) => question,
        Err(refusal) => return refused(&refusal),
    };
    let tag = server.tag("picture", &question.key());
    if reply::has(request.headers(), &tag) {
        return reply::not_modified(&tag, reply::FOR_A_DAY);
    }
    let working = server.clone();
    let drawn = server
        .work_out(move || of(working.tablebase(), &question))
        .await;
    match drawn {
        Ok(Ok(bytes)) => {
            let mut response = Response::new(Body::from(bytes));
            let headers = response.headers_mut();
            set(headers, CONTENT_TYPE, PNG);
            set(headers, CACHE_CONTROL, reply::FOR_A_DAY);
            reply::tagged(response, &tag)
        }
        Ok(Err(refusal)) => refused(&refusal),
        Err(response) => response,
    }
}

/// Draws the picture of a position as PNG.
pub(super) fn of(tablebase: &Tablebase, question: &Question) -> Result<Vec<u8>, Refusal> {
    // Without an answer from the tables only the board is shown.
    let answer = explore(tablebase, question).ok();
    let scale = answer.map_or(Vec::new(), |answer| board::scale(&answer.outline));
    let drawn = board::draw(&question.fen.position, &scale).png();
    drawn.map_err(|error| {
        let mut refusal = Refusal::internal(
            "the picture could not be drawn: please report this as a bug in sakmak",
        );
        refusal.private = Some(error.to_string());
        refusal
    })
}
