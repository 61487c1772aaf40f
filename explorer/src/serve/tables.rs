//! Serves the files of tables, whole or in ranges, to clients that read tables themselves.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;
use tokio::sync::mpsc;

use super::edition::TableOnDisk;
use super::pool::GoOn;
use super::range::{RequestedPart, requested_part};
use super::reply::{self, error, set};
use super::server::Server;
use sakmak::internals::open_regular_file;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::TableKind;

/// The number of bytes read from a file at a time.
const CHUNK: usize = 64 << 10;
/// The boundary between the parts of a response with several ranges.
const BOUNDARY: &str = "sakmak-range-7d1f0c5a93";
/// The caching rules for tables: they may be cached, but not transformed.
const TABLE_CACHE: &str = "public, max-age=86400, no-transform";

#[derive(Serialize)]
struct ManifestDocument<'a> {
    version: u32,
    /// The tables by the name of their list and by ending.
    #[serde(flatten)]
    lists: BTreeMap<&'static str, BTreeMap<String, Entry<'a>>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: String,
    men: usize,
    bytes: u64,
    blake3: Option<&'a str>,
    /// The rule sets that the table has results for. Omitted if the table has results for all rule
    /// sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_sets: Option<RuleSets>,
}

/// Answers with the list of tables, with their lengths and hashes.
pub(super) async fn manifest(State(server): State<Server>, request: Request) -> Response<Body> {
    let edition = &server.inner.edition;
    let document = ManifestDocument {
        version: 1,
        lists: TableKind::ALL
            .into_iter()
            .map(|kind| (kind, entries(kind, edition.tables(kind))))
            .filter(|(kind, entries)| *kind == TableKind::Distances || !entries.is_empty())
            .map(|(kind, entries)| (kind.list(), entries))
            .collect(),
    };
    let headers = request.headers();
    let tag = reply::tag_for(headers, &server.tag("manifest", ""));
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, reply::ASK_FIRST);
    }
    let text = serde_json::to_string(&document).unwrap_or_default() + "\n";
    let body = reply::body(
        headers,
        "application/json",
        reply::ASK_FIRST,
        text.into_bytes(),
    );
    reply::tagged(body, &tag)
}

/// The entries of a list of tables.
fn entries(
    kind: TableKind,
    tables: &BTreeMap<CanonicalMaterial, TableOnDisk>,
) -> BTreeMap<String, Entry<'_>> {
    let mut entries = BTreeMap::new();
    for (&material, table) in tables {
        let entry = Entry {
            file: kind.file_name(material),
            men: material.men(),
            bytes: table.bytes,
            blake3: table.blake3.as_deref(),
            rule_sets: table.rule_sets.filter(|&found| found != RuleSets::ALL),
        };
        entries.insert(material.to_string(), entry);
    }
    entries
}

/// Answers with a table, or with ranges of its bytes.
pub(super) async fn file(
    State(server): State<Server>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    let no_table = || {
        error(
            StatusCode::NOT_FOUND,
            "missing-table",
            "there is no table with this name: see /v1/manifest.json for the list",
        )
    };
    // A name that is not UTF-8 is treated as empty, which matches no table.
    let name = name.map_or(String::new(), |Path(name)| name);
    let edition = &server.inner.edition;
    let file = std::path::Path::new(&name);
    let found = match TableKind::of_path(file) {
        _ if name.contains('/') => None,
        Some((kind, material)) => edition.tables(kind).get(&material),
        None => None,
    };
    let Some(table) = found else {
        return no_table();
    };
    let headers = request.headers();
    let path = table.path.clone();
    let opening = move |_: GoOn<'_>| -> io::Result<(File, Metadata)> {
        let file = open_regular_file(&path)?;
        let data = file.metadata()?;
        Ok((file, data))
    };
    let (file, data) = match server.inner.files.run(opening).await {
        Some(Ok(opened)) => opened,
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => return no_table(),
        _ => return cannot_be_used(),
    };
    // The list of tables has the length of the file at the start.
    if data.len() != table.bytes {
        return cannot_be_used();
    }
    let tag = table.tag_of(&data);
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, TABLE_CACHE);
    }
    let mut response = send(
        &server,
        (file, data),
        &tag,
        headers,
        request.method() == Method::HEAD,
    );
    let refused = response.status() == StatusCode::RANGE_NOT_SATISFIABLE;
    let headers = response.headers_mut();
    set(headers, ACCEPT_RANGES, "bytes");
    if !refused {
        set(headers, CACHE_CONTROL, TABLE_CACHE);
    }
    reply::tagged(response, &tag)
}

fn cannot_be_used() -> Response<Body> {
    error(
        StatusCode::INTERNAL_SERVER_ERROR,
        "file",
        "the table cannot be used here: contact the server's operator",
    )
}

/// A piece of a response body: a text, or a range of the file.
enum Piece {
    Text(Bytes),
    Part(Range<u64>),
}

fn send(
    server: &Server,
    (file, data): (File, Metadata),
    tag: &str,
    headers: &HeaderMap,
    head: bool,
) -> Response<Body> {
    let length = data.len();
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let same = text(IF_RANGE).is_none_or(|theirs| theirs == tag);
    // Ranges are defined for GET only.
    let range = text(RANGE).filter(|_| same && !head);
    let (status, pieces, content_range, content_type) = match requested_part(range, length) {
        RequestedPart::Beyond => {
            let mut response = error(
                StatusCode::RANGE_NOT_SATISFIABLE,
                "range",
                "the range lies beyond the end of the table: see the Content-Range header",
            );
            insert(&mut response, CONTENT_RANGE, format!("bytes */{length}"));
            return response;
        }
        RequestedPart::Whole => (StatusCode::OK, vec![Piece::Part(0..length)], None, OCTETS),
        RequestedPart::Parts(parts) => match parts.as_slice() {
            [part] => {
                let range = format!("bytes {}-{}/{length}", part.start, part.end - 1);
                let pieces = vec![Piece::Part(part.clone())];
                (StatusCode::PARTIAL_CONTENT, pieces, Some(range), OCTETS)
            }
            _ => {
                let multipart = "multipart/byteranges; boundary=sakmak-range-7d1f0c5a93";
                (
                    StatusCode::PARTIAL_CONTENT,
                    several(parts, length),
                    None,
                    multipart,
                )
            }
        },
    };
    let bytes: u64 = pieces.iter().map(Piece::length).sum();
    let body = match head {
        true => Body::empty(),
        false => {
            let (sender, receiver) = mpsc::channel(2);
            tokio::spawn(read(server.clone(), (file, data), pieces, sender));
            Body::new(FileBody {
                receiver,
                left: bytes,
            })
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    set(response.headers_mut(), CONTENT_TYPE, content_type);
    insert(&mut response, CONTENT_LENGTH, bytes.to_string());
    if let Some(range) = content_range {
        insert(&mut response, CONTENT_RANGE, range);
    }
    response
}

const OCTETS: &str = "application/octet-stream";

fn insert(response: &mut Response<Body>, name: axum::http::HeaderName, value: String) {
    if let Ok(value) = HeaderValue::from_str(&value) {
        response.headers_mut().insert(name, value);
    }
}

/// The pieces of a response with several ranges, in the form `multipart/byteranges`.
fn several(parts: Vec<Range<u64>>, length: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        let Range { start, end } = part;
        let head = format!(
            "\r\n--{BOUNDARY}\r\nContent-Type: {OCTETS}\r\nContent-Range: bytes {start}-{}/{length}\r\n\r\n",
            end - 1
        );
        pieces.extend([Piece::Text(head.into()), Piece::Part(part)]);
    }
    pieces.push(Piece::Text(format!("\r\n--{BOUNDARY}--\r\n").into()));
    pieces
}

impl Piece {
    fn length(&self) -> u64 {
        match self {
            Piece::Text(text) => text.len() as u64,
            Piece::Part(part) => part.end - part.start,
        }
    }
}

/// Reads the pieces of a body one after the other while they are sent. Ends early if the client
/// disconnects.
async fn read(
    server: Server,
    (mut file, data): (File, Metadata),
    pieces: Vec<Piece>,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    for piece in pieces {
        let mut part = match piece {
            Piece::Text(text) => {
                if sender.send(Ok(text)).await.is_err() {
                    return;
                }
                continue;
            }
            Piece::Part(part) => part,
        };
        while part.start < part.end {
            let start = part.start;
            let wanted = CHUNK.min(usize::try_from(part.end - start).unwrap_or(CHUNK));
            let (opened, before) = (file, data.clone());
            let reading = move |_: GoOn<'_>| {
                let mut file = opened;
                let chunk = chunk(&mut file, &before, start, wanted);
                (file, chunk)
            };
            let Some((read, chunk)) = server.inner.files.run(reading).await else {
                return;
            };
            file = read;
            let failed = chunk.is_err();
            if sender.send(chunk).await.is_err() || failed {
                return;
            }
            part.start += wanted as u64;
            let counter = &server.inner.metrics.table_bytes;
            counter.fetch_add(wanted as u64, Ordering::Relaxed);
        }
    }
}

/// Reads a chunk of a file. Fails if the file has been written to since `before`, because the
/// response already names the tag of the file as it was.
fn chunk(file: &mut File, before: &Metadata, start: u64, length: usize) -> io::Result<Bytes> {
    let mut chunk = vec![0; length];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut chunk)?;
    let data = file.metadata()?;
    if data.len() != before.len() || data.modified().ok() != before.modified().ok() {
        return Err(io::Error::other("the file has changed"));
    }
    Ok(Bytes::from(chunk))
}

/// A response body that is read from a file while it is sent.
struct FileBody {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    left: u64,
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let chunk = std::task::ready!(self.receiver.poll_recv(context));
        Poll::Ready(chunk.map(|chunk| {
            let chunk = chunk?;
            self.left = self.left.saturating_sub(chunk.len() as u64);
            Ok(Frame::data(chunk))
        }))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn file_that_changes_while_it_is_sent_is_sent_no_further() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, b"old bytes").unwrap();
        let mut file = File::open(&path).unwrap();
        let before = file.metadata().unwrap();
        assert_eq!(chunk(&mut file, &before, 4, 5).unwrap(), "bytes".as_bytes());
        // Another file in its place leaves the one that is open as it is.
        let other = directory.path().join("other");
        std::fs::write(&other, b"new bytes").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(chunk(&mut file, &before, 0, 3).unwrap(), "old".as_bytes());

        let mut file = File::open(&path).unwrap();
        let before = file.metadata().unwrap();
        let later = before.modified().unwrap() + std::time::Duration::from_millis(1);
        let mut writing = File::options().write(true).open(&path).unwrap();
        writing.write_all(b"bad").unwrap();
        writing.set_modified(later).unwrap();
        assert!(chunk(&mut file, &before, 0, 3).is_err());
    }
}
