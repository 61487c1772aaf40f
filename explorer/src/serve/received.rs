//! Receives the body of a request, within limits on size and time.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Response, StatusCode};
use http_body_util::LengthLimitError;

use super::reply;
use super::server::Server;
use crate::Refusal;

/// The maximum length of a body, in bytes.
const MOST_BODY: usize = 1 << 20;

/// Receives the whole body. Returns a refusal if the body is too large or too slow.
pub(super) async fn received(server: &Server, body: Body) -> Result<Bytes, Response<Body>> {
    let time = server.inner.limits.body_time;
    match tokio::time::timeout(time, to_bytes(body, MOST_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(reply::refusal(&match is_too_large(&error) {
            true => Refusal::too_large("the body is larger than 1 MiB: send it in parts"),
            false => Refusal::input("the body is cut short or malformed: send it again"),
        })),
        Err(_) => Err(reply::error(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            &format!("the body took more than {time:?} to arrive: send it faster, or in parts"),
        )),
    }
}

/// True if the body was refused because of its length.
fn is_too_large(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<LengthLimitError>())
}
