//! Answers requests for the pages about endings.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, Response, StatusCode};

use super::ending_pages;
use super::page::{HTML, guarded};
use super::preview::{self, Pictures};
use super::reply;
use super::server::Server;

/// Redirects `/endings` to the page that lists all endings.
pub(super) async fn index() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static("/endings/"));
    reply::set(headers, CACHE_CONTROL, reply::FOR_A_DAY);
    response
}

/// Answers with the list of endings or with the page about one ending.
pub(super) async fn page(State(server): State<Server>, request: Request) -> Response<Body> {
    let path = request.uri().path();
    let path = path.trim_start_matches("/endings/").to_string();
    let working = server.clone();
    let origin = preview::origin(request.headers());
    let work = move || {
        let pictures = origin
            .as_deref()
            .map_or(Pictures::Unknown, Pictures::Served);
        ending_pages::page(working.catalogue(), working.tablebase(), &path, pictures)
    };
    let text = match server.work_out(work).await {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message =
                "there is no page about an ending at this address: see /endings/ for the list";
            return reply::error(StatusCode::NOT_FOUND, "no-such-address", message);
        }
        Err(response) => return response,
    };
    let headers = request.headers();
    let tag = reply::tag_for(headers, &server.tag("endings page", &text));
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, reply::ASK_FIRST);
    }
    let body = reply::body(headers, HTML, reply::ASK_FIRST, text.into_bytes());
    guarded(reply::tagged(body, &tag))
}
