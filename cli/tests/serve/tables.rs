//! The files of tables, whole and in ranges.

use std::io::{Read, Write};

use crate::client::{Reply, Served, tables};

fn file() -> Vec<u8> {
    std::fs::read(tables().join("KRvK.skm")).unwrap()
}

fn ranges(header: &str) -> Reply {
    Served::shared().ask("GET", "/tables/KRvK.skm", &[("Range", header)], b"")
}

#[test]
fn heads_say_what_bodies_would() {
    let served = Served::shared();
    for path in [
        "/tables/KRvK.skm",
        "/v1/endings",
        "/style.css",
        "/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w",
    ] {
        let get = served.get(path);
        let head = served.ask("HEAD", path, &[], b"");
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        assert_eq!(
            head.header("content-length"),
            get.body.len().to_string(),
            "{path}"
        );
        assert_eq!(head.header("etag"), get.header("etag"));
    }
    assert_eq!(served.get("/tables/KRvK.skm").body, file());
}

#[test]
fn ranges_are_the_bytes_of_the_file() {
    let (file, length) = (file(), file().len());
    let last = length - 1;
    for (header, start, end) in [
        ("bytes=0-63".to_string(), 0, 64),
        ("bytes=100-".to_string(), 100, length),
        ("bytes=-7".to_string(), length - 7, length),
        (format!("bytes={last}-{last}"), last, length),
        (format!("bytes=5-{}", 10 * length), 5, length),
        (format!("bytes=0-1,{length}-"), 0, 2),
    ] {
        let reply = ranges(&header);
        assert_eq!(reply.status, 206, "{header}");
        let range = format!("bytes {start}-{}/{length}", end - 1);
        assert_eq!(reply.header("content-range"), range);
        assert_eq!(reply.body, &file[start..end], "{header}");
        assert_eq!(reply.header("accept-ranges"), "bytes");
    }
    let beyond = ranges(&format!("bytes={length}-"));
    beyond.is_error(416, "range");
    assert_eq!(beyond.header("content-range"), format!("bytes */{length}"));
    for odd in ["bytes=9-3", "bytes=x", "lines=1-2"] {
        assert_eq!(
            (ranges(odd).status, ranges(odd).body.len()),
            (200, length),
            "{odd}"
        );
    }
}

#[test]
fn many_ranges_come_in_parts() {
    let file = file();
    let reply = ranges("bytes=0-9, 50-59,-5");
    assert_eq!(reply.status, 206);
    let kind = reply.header("content-type").to_string();
    let boundary = kind
        .strip_prefix("multipart/byteranges; boundary=")
        .unwrap();
    let mark = format!("\r\n--{boundary}").into_bytes();
    let mut parts = Vec::new();
    let mut rest = reply.body.as_slice();
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        parts.push(&rest[..at]);
        rest = &rest[at + mark.len()..];
    }
    assert_eq!(rest, b"--\r\n");
    let bodies: Vec<&[u8]> = parts[1..]
        .iter()
        .map(|part| {
            let head = part
                .windows(4)
                .position(|four| four == b"\r\n\r\n")
                .unwrap();
            &part[head + 4..]
        })
        .collect();
    assert_eq!(
        bodies,
        [&file[..10], &file[50..60], &file[file.len() - 5..]]
    );
    assert_eq!(reply.header("content-length"), reply.body.len().to_string());
}

#[test]
fn a_range_of_an_older_file_gets_the_whole() {
    let served = Served::shared();
    let tag = served.get("/tables/KRvK.skm").header("etag").to_string();
    let ask = |tag: &str| {
        let headers = [("Range", "bytes=0-1"), ("If-Range", tag)];
        served.ask("GET", "/tables/KRvK.skm", &headers, b"").status
    };
    assert_eq!((ask(&tag), ask("\"older\"")), (206, 200));
}

#[test]
fn one_connection_serves_many_requests() {
    let mut stream = Served::shared().connect();
    let path = "/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w";
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n");
    let closing = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    // All requests at once, before the first answer is read.
    stream
        .write_all((request.repeat(3) + &closing).as_bytes())
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 4);
}

#[test]
fn the_manifest_says_what_there_is() {
    let manifest = Served::shared().get("/v1/manifest.json").json();
    assert_eq!(manifest["tables"]["KRvK"]["bytes"], file().len());
    assert_eq!(manifest["tables"]["KRvK"]["file"], "KRvK.skm");
}
