//! The files of tables, whole and in ranges.

use std::fs;
use std::io::{Read, Write};

use sakmak_explorer::serve::{Limits, Patience};
use tempfile::TempDir;

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

#[test]
fn overlapping_ranges_are_sent_once() {
    let file = file();
    let length = file.len();
    for (header, start, end) in [
        (["0-"; 16].join(","), 0, length),
        ("0-99,50-199,-1,200-".to_string(), 0, length),
        ("10-19,0-9".to_string(), 0, 20),
    ] {
        let reply = ranges(&format!("bytes={header}"));
        assert_eq!(reply.status, 206, "{header}");
        let range = format!("bytes {start}-{}/{length}", end - 1);
        assert_eq!(reply.header("content-range"), range, "{header}");
        assert_eq!(reply.body, &file[start..end], "{header}");
    }
    let reply = ranges("bytes=40-59,0-9,50-69,5-14");
    let text = String::from_utf8_lossy(&reply.body);
    let parts = text.matches("Content-Range: bytes ").count();
    assert_eq!(parts, 2, "{text}");
    let place = |range: &str| text.find(&format!("bytes {range}/")).unwrap();
    assert!(place("40-69") < place("0-14"));
}

/// A server of a directory with a copy of one table, which may be changed.
fn of_a_copy() -> (Served, TempDir) {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("KRvK.skm"), file()).unwrap();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    (served, directory)
}

#[test]
fn another_file_of_the_same_length_has_another_tag() {
    let (served, directory) = of_a_copy();
    let path = directory.path().join("KRvK.skm");
    let get = |header: &str, tag: &str| {
        let headers = [(header, tag), ("Range", "bytes=0-9")];
        served.ask("GET", "/tables/KRvK.skm", &headers, b"")
    };
    let tag = served.get("/tables/KRvK.skm").header("etag").to_string();
    assert_eq!(get("If-None-Match", &tag).status, 304);
    let old = fs::metadata(&path).unwrap();
    let mut other = file();
    other[5] ^= 1;
    let beside = directory.path().join("new");
    fs::write(&beside, &other).unwrap();
    // Its time is that of the file before.
    let times = fs::FileTimes::new().set_modified(old.modified().unwrap());
    fs::File::options()
        .write(true)
        .open(&beside)
        .unwrap()
        .set_times(times)
        .unwrap();
    fs::rename(&beside, &path).unwrap();
    let changed = get("If-None-Match", &tag);
    assert_eq!((changed.status, &*changed.body), (206, &other[..10]));
    let new = changed.header("etag").to_string();
    assert_ne!(new, tag);
    assert_eq!(get("If-None-Match", &new).status, 304);
    assert_eq!(get("If-Range", &tag).body, other);
    assert_eq!(get("If-Range", &new).body, &other[..10]);
}

#[cfg(unix)]
#[test]
fn a_fifo_under_a_tables_name_delays_neither_an_answer_nor_the_end() {
    let (mut served, directory) = of_a_copy();
    let path = directory.path().join("KRvK.skm");
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    served.get("/tables/KRvK.skm").is_error(500, "file");
    served
        .get("/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w")
        .is_error(500, "file");
    served.stop();
    served.join();
}
