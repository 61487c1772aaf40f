//! Every error response, with its document.

use std::io::Write;
use std::time::Duration;

use sakmak_explorer::serve::{Limits, Patience};

use crate::client::{Reply, Served, tables};

const ROOK: &str = "8/8/8/8/8/2k5/8/K6R_w";

#[test]
fn bad_questions_are_400() {
    let served = Served::shared();
    for query in [
        "",
        "fen=",
        "fen=nonsense",
        "fen=<script>alert(1)</script>",
        "fen=8/8/8/8/8/2k5/8/K6B_w",
        "fen=8/8/8/8/8/1Kk5/8/7R_w",
        "fen=8/8/8/8/8/2k5/8/K6R_w&rules=chess",
        "fen=8/8/8/8/8/2k5/8/K6R_w&count=many",
        "fen=8/8/8/8/8/2k5/8/K6R_w&count=100000",
        "fen=8/8/8/8/8/2k5/8/K6R_w&limit=16",
        "fen=8/8/8/8/8/2k5/8/K6R_w&fen=8/8/8/8/8/2k5/8/K6R_w",
        "fen=%ff%fe",
    ] {
        let query = query.replace('<', "%3C").replace('>', "%3E");
        served
            .get(&format!("/v1/probe?{query}"))
            .is_error(400, "input");
        served
            .get(&format!("/v1/explore?{query}"))
            .is_error(400, "input");
    }
    served
        .get("/makruk?fen=8/8/8/8/8/2k5/8/K6B_w")
        .is_error(400, "input");
    served.get("/v1/endings/KQvK").is_error(400, "input");
    served
        .get("/v1/random?ending=KRvK&turn=x")
        .is_error(400, "input");
    served
        .ask("POST", "/v1/probe", &[], b"\xff\xfe")
        .is_error(400, "input");
    served
        .ask("POST", "/v1/probe?rules=go", &[], b"8")
        .is_error(400, "input");
}

#[test]
fn missing_tables_are_404_and_never_unknown() {
    let served = Served::shared();
    for path in [
        "/v1/probe",
        "/makruk",
        "/v1/line",
        "/makruk/mainline",
        "/v1/explore",
    ] {
        let reply = served.get(&format!("{path}?fen=8/8/8/8/8/2k5/8/K5RR_w"));
        reply.is_error(404, "missing-table");
        assert!(reply.text().contains("KRRvK"), "{path}");
        let directory = tables().display().to_string();
        assert!(
            !reply.text().contains(&directory),
            "no path is told: {}",
            reply.text()
        );
    }
    served
        .get("/v1/endings/KRRvK")
        .is_error(404, "missing-table");
    served
        .get("/v1/endings/KPvK")
        .is_error(404, "missing-table");
    served
        .get("/tables/KRRvK.skm")
        .is_error(404, "missing-table");
    for name in [
        "krvk.skm",
        "KvKR.skm",
        "..%2FKRvK.skm",
        "manifest.json",
        "KRvK",
    ] {
        served
            .get(&format!("/tables/{name}"))
            .is_error(404, "missing-table");
    }
    let batch = served.ask("POST", "/v1/probe", &[], b"8/8/8/8/8/2k5/8/K5RR w");
    assert_eq!(batch.json()["error"]["kind"], "missing-table");
}

#[test]
fn other_addresses_are_404_and_other_methods_405() {
    let served = Served::shared();
    for path in [
        "/nothing",
        "/makruk/",
        "/v1",
        "/chess?fen=8",
        "/../Cargo.toml",
    ] {
        served.get(path).is_error(404, "no-such-address");
    }
    for (method, path, allowed) in [
        ("POST", "/makruk", "GET"),
        ("DELETE", "/v1/probe", "POST"),
        ("PUT", "/tables/KRvK.skm", "GET"),
    ] {
        let reply = served.ask(method, path, &[], b"");
        reply.is_error(405, "method");
        assert!(reply.header("allow").contains(allowed), "{reply:?}");
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let served = Served::shared();
    let long = "x".repeat(3000);
    served
        .get(&format!("/v1/probe?fen={long}"))
        .is_error(414, "uri-too-long");
    let lines = "8/8/8/8/8/2k5/8/K6R w\n".repeat(1001);
    served
        .ask("POST", "/v1/probe", &[], lines.as_bytes())
        .is_error(413, "too-large");
    let bytes = vec![b'8'; (1 << 20) + 1];
    served
        .ask("POST", "/v1/probe", &[], &bytes)
        .is_error(413, "too-large");
    let most = "8/8/8/8/8/2k5/8/K6R w\n".repeat(1000);
    let reply = served.ask("POST", "/v1/probe", &[], most.as_bytes());
    assert_eq!((reply.status, reply.text().lines().count()), (200, 1000));
}

#[test]
fn an_address_that_asks_too_often_is_429() {
    let limits = Limits {
        rate: Some(1),
        ..Limits::default()
    };
    let served = Served::new(tables(), limits, Patience::default());
    let replies: Vec<Reply> = (0..12)
        .map(|_| served.get(&format!("/v1/probe?fen={ROOK}")))
        .collect();
    assert_eq!(replies[0].status, 200);
    let refused = replies.iter().find(|reply| reply.status != 200).unwrap();
    refused.is_error(429, "too-many-requests");
    assert_eq!(refused.header("retry-after"), "1");
    // A page with the answer is a question too, however its address is written.
    for query in ["fen=", "%66en=", "rules=makruk&f%65n="] {
        let page = served.get(&format!("/?{query}{ROOK}"));
        page.is_error(429, "too-many-requests");
    }
    // The page and the service itself are always available.
    assert_eq!(served.get("/").status, 200);
    assert_eq!(served.get("/healthz").status, 200);
}

#[test]
fn too_many_long_answers_at_once_are_503() {
    let limits = Limits {
        most_at_once: 1,
        ..Limits::default()
    };
    let served = Served::new(tables(), limits, Patience::default());
    let lines = "8/8/8/3k4/8/3K4/2SM4/8 w\n".repeat(1000);
    let statuses = std::thread::scope(|scope| {
        let ask = || served.ask("POST", "/v1/probe", &[], lines.as_bytes());
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asked
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(statuses.iter().any(|reply| reply.status == 200));
    let refused = statuses.iter().find(|reply| reply.status != 200).unwrap();
    refused.is_error(503, "busy");
    assert_eq!(refused.header("retry-after"), "1");
    // A single position is answered all the same.
    assert_eq!(served.get(&format!("/v1/probe?fen={ROOK}")).status, 200);
}

#[test]
fn other_pages_may_ask() {
    let served = Served::shared();
    let headers = [
        ("Origin", "https://example.org"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let reply = served.ask("OPTIONS", "/v1/probe", &headers, b"");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert!(
        reply
            .header("access-control-allow-methods")
            .contains("POST")
    );
    let asked = served.ask("GET", &format!("/v1/probe?fen={ROOK}"), &headers[..1], b"");
    assert_eq!(asked.header("access-control-allow-origin"), "*");
    assert!(
        asked
            .header("access-control-expose-headers")
            .contains("etag")
    );
}

#[test]
fn a_stopping_server_is_not_ready_and_finishes_what_runs() {
    let patience = Patience {
        leaving: Duration::from_millis(800),
        ..Patience::default()
    };
    let mut served = Served::new(tables(), Limits::default(), patience);
    // The server gets the signal to stop after half a request.
    let mut waiting = served.connect();
    write!(
        waiting,
        "GET /v1/probe?fen={ROOK} HTTP/1.1\r\nHost: test\r\n"
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(100));
    served.stop();
    std::thread::sleep(Duration::from_millis(100));
    let reply = served.get("/readyz");
    reply.is_error(503, "stopping");
    assert_eq!(reply.header("connection"), "close");
    write!(waiting, "\r\n").unwrap();
    assert_eq!(Reply::read(&mut waiting).json()["dtm"], 14);
    served.join();
    assert!(std::net::TcpStream::connect(served.address).is_err());
}

/// The response to a request whose head and body are written out.
fn raw(request: &str) -> Reply {
    let mut stream = Served::shared().connect();
    stream.write_all(request.as_bytes()).unwrap();
    Reply::read(&mut stream)
}

#[test]
fn a_malformed_body_is_400() {
    let head = "POST /v1/probe HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    for body in ["zz\r\n8\r\n0\r\n\r\n", "5\r\n8/8/8x"] {
        raw(&format!("{head}{body}")).is_error(400, "input");
    }
    let fen = "8/8/8/8/8/2k5/8/K6R w";
    let right = raw(&format!("{head}{:x}\r\n{fen}\r\n0\r\n\r\n", fen.len()));
    assert_eq!(right.status, 200);
}

#[test]
fn a_request_names_one_host() {
    let ask = |version: &str, hosts: &str| {
        raw(&format!(
            "GET /v1/probe?fen={ROOK} HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n"
        ))
    };
    for hosts in [
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nHost: b\r\n",
        "Host: a b\r\n",
        "Host: a@b\r\n",
        "Host: a/b\r\n",
    ] {
        ask("1.1", hosts).is_error(400, "input");
    }
    ask("1.0", "Host: a\r\nHost: a\r\n").is_error(400, "input");
    assert_eq!(ask("1.0", "").status, 200);
    for host in ["", "a", "example.org:9000", "[::1]:9000"] {
        assert_eq!(
            ask("1.1", &format!("Host: {host}\r\n")).status,
            200,
            "{host}"
        );
    }
}

#[test]
fn what_is_asked_is_quoted_in_part() {
    let served = Served::shared();
    for character in ["\0", "x", "ก", "\"", "\u{1f600}"] {
        let long = character.repeat((1 << 19) / character.len() - 100);
        let games = [
            format!("1. {long} *"),
            format!("1. e4 {long} *\n\n[Event \"b\"]\n\n1. {long} *"),
            format!("[FEN \"{long}\"]\n\n1. e4 *"),
            format!("[Variant \"{long}\"]\n\n1. e4 *"),
        ];
        for (game, format) in games
            .iter()
            .flat_map(|game| [(game, "pgn"), (game, "json")])
        {
            let path = format!("/v1/annotate?format={format}");
            let reply = served.ask("POST", &path, &[], game.as_bytes());
            assert!(
                reply.body.len() < 6000,
                "{character:?}: {}",
                reply.body.len()
            );
        }
        let line = long.replace('"', "'");
        for text in [line.clone(), format!("{{\"fen\": \"{line}\"}}")] {
            let reply = served.ask("POST", "/v1/probe", &[], text.as_bytes());
            assert!(
                reply.body.len() < 6000,
                "{character:?}: {}",
                reply.body.len()
            );
        }
        let address = format!("/v1/find?ending={}", "%00".repeat(600));
        assert!(served.get(&address).body.len() < 6000);
    }
}
