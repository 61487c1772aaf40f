//! Answers `GET` requests about one position.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;

use super::reply::{self, LogNote};
use super::server::Server;
use crate::{Question, QuestionKind, Refusal};

/// Answers a question about a position. If the HTTP tag in the request shows that the client
/// already has the current answer, no table is read.
pub(super) async fn answer(State(server): State<Server>, request: Request) -> Response<Body> {
    let Some(ask) = QuestionKind::of_path(request.uri().path()) else {
        return refused(&Refusal::internal("the route has no query"));
    };
    let question = match Question::parse(ask, request.uri().query().unwrap_or("")) {
        Ok(question) => question,
        Err(refusal) => return refused(&refusal),
    };
    let headers = request.headers();
    let tag = server.tag(ask.route(), &question.key());
    let tag = reply::tag_for(headers, &tag);
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, reply::FOR_A_DAY);
    }
    let answered = match ask.is_long() {
        // Short answers come from decoded blocks and take microseconds, so moving them to another
        // thread would cost more.
        false => ask.answer(server.tablebase(), &question),
        true => {
            let working = server.clone();
            let work = move || ask.answer(working.tablebase(), &question);
            match server.work_out(work).await {
                Ok(answered) => answered,
                Err(response) => return response,
            }
        }
    };
    match answered {
        Ok(text) => {
            let body = reply::body(
                headers,
                ask.content_type(),
                reply::FOR_A_DAY,
                text.into_bytes(),
            );
            reply::tagged(body, &tag)
        }
        Err(refusal) => refused(&refusal),
    }
}

/// Converts a refusal to a response. The private message of the refusal goes to the log only.
pub(super) fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = reply::refusal(refusal);
    if let Some(private) = &refusal.private {
        let why = LogNote(private.clone());
        response.extensions_mut().insert(why);
    }
    response
}
