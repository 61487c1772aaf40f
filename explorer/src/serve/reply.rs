//! Responses: bodies with their headers, and errors as documents.

use std::io::Write;

use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    RETRY_AFTER, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use flate2::{Compression, write::GzEncoder};

use crate::Refusal;

/// The minimum length of a body that is compressed, in bytes.
const LEAST_COMPRESSED: usize = 1024;

/// The `Cache-Control` value of responses that may be cached for a day before they are revalidated.
pub(super) const FOR_A_DAY: &str = "public, max-age=86400";
/// The `Cache-Control` value of responses that may be cached, but must be revalidated at each use.
pub(super) const ASK_FIRST: &str = "no-cache";
/// The `Cache-Control` value of responses that must not be cached.
pub(super) const NOT_KEPT: &str = "no-store";

/// A text attached to a response. The log prints it at the end of the request's line.
#[derive(Clone, Debug)]
pub(super) struct LogNote(pub String);

/// Makes a response with this body. The body is compressed if it is long enough and the client's
/// request headers accept gzip.
pub(super) fn body(
    headers: &HeaderMap,
    content_type: &'static str,
    cache: &'static str,
    bytes: Vec<u8>,
) -> Response<Body> {
    let compressed = match bytes.len() >= LEAST_COMPRESSED && accepts_gzip(headers) {
        true => gzip(&bytes, Compression::fast()),
        false => None,
    };
    headed(content_type, cache, compressed, || bytes)
}

/// Makes a response with a built-in body that never changes. `packed` is the compressed form of the
/// body.
pub(super) fn built_in(
    headers: &HeaderMap,
    content_type: &'static str,
    cache: &'static str,
    text: &'static str,
    packed: &[u8],
) -> Response<Body> {
    let takes = text.len() >= LEAST_COMPRESSED && accepts_gzip(headers);
    let compressed = takes.then(|| packed.to_vec());
    headed(content_type, cache, compressed, || text.into())
}

fn headed(
    content_type: &'static str,
    cache: &'static str,
    compressed: Option<Vec<u8>>,
    plain: impl FnOnce() -> Vec<u8>,
) -> Response<Body> {
    let encoded = compressed.is_some();
    let mut response = Response::new(Body::from(compressed.unwrap_or_else(plain)));
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, content_type);
    set(headers, CACHE_CONTROL, cache);
    set(headers, VARY, "accept-encoding");
    if encoded {
        set(headers, CONTENT_ENCODING, "gzip");
    }
    response
}

/// Compresses bytes with gzip. None if that fails.
pub(super) fn gzip(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// True if the client accepts gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let refused = weight
                .trim()
                .strip_prefix("q=")
                .is_some_and(|weight| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0));
            name.trim().eq_ignore_ascii_case("gzip") && !refused
        })
}

/// True if the client's request headers name this tag: the client already has this version.
pub(super) fn has(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(IF_NONE_MATCH).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|theirs| theirs.trim().trim_start_matches("W/") == tag)
}

/// Makes the response that tells the client that its copy is current.
pub(super) fn not_modified(tag: &str, cache: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    set(response.headers_mut(), CACHE_CONTROL, cache);
    tagged(response, tag)
}

/// Adds an HTTP tag to a response.
pub(super) fn tagged(mut response: Response<Body>, tag: &str) -> Response<Body> {
    if let Ok(value) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(ETAG, value);
    }
    response
}

/// The tag of the body as this client receives it: plain or compressed. The two have different
/// bytes, so they need different tags.
pub(super) fn tag_for(headers: &HeaderMap, tag: &str) -> String {
    match accepts_gzip(headers) {
        true => tag.replacen('"', "\"gz-", 1),
        false => tag.to_string(),
    }
}

/// Sets a header.
pub(super) fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}

/// Makes a response for an error: `{"error": {"kind": …, "message": …}}`.
pub(super) fn error(status: StatusCode, kind: &str, message: &str) -> Response<Body> {
    let document = serde_json::json!({"error": {"kind": kind, "message": message}});
    error_document(status, format!("{document}\n"))
}

fn error_document(status: StatusCode, document: String) -> Response<Body> {
    let mut response = Response::new(Body::from(document));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, "application/json");
    set(headers, CACHE_CONTROL, NOT_KEPT);
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        set(headers, RETRY_AFTER, "1");
    }
    response
}

/// Makes a response for a refusal.
pub(super) fn refusal(refusal: &Refusal) -> Response<Body> {
    let status = StatusCode::from_u16(refusal.kind.status());
    error_document(
        status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        refusal.document(None),
    )
}
