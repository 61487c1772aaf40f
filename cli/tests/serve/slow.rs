//! Slow clients do not delay others.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use sakmak_explorer::serve::{Limits, Patience};

use crate::client::{Reply, Served, tables};
use crate::running::PATIENCE;

const PATH: &str = "/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w";

fn impatient() -> Served {
    let patience = Patience {
        head: Duration::from_millis(700),
        taking: Duration::from_millis(700),
        ..Patience::default()
    };
    Served::new(tables(), Limits::default(), patience)
}

/// True if the connection is closed, or fails, within a time.
fn is_closed(stream: &mut std::net::TcpStream, within: Duration) -> bool {
    stream.set_read_timeout(Some(within)).unwrap();
    let start = Instant::now();
    let mut chunk = [0; 4096];
    while start.elapsed() < within {
        match stream.read(&mut chunk) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => {
                return !matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                );
            }
        }
    }
    false
}

#[test]
fn who_asks_a_byte_at_a_time_is_given_up() {
    let served = impatient();
    let mut slow: Vec<_> = (0..50).map(|_| served.connect()).collect();
    for byte in b"GET /v1/pro" {
        for stream in &mut slow {
            let _ = stream.write_all(&[*byte]);
        }
        // Others are answered meanwhile.
        assert_eq!(served.get(PATH).status, 200);
        std::thread::sleep(Duration::from_millis(100));
    }
    for mut stream in slow {
        assert!(is_closed(&mut stream, PATIENCE));
    }
}

#[test]
fn who_never_reads_is_given_up() {
    let served = impatient();
    // More answers than the system's buffers hold.
    let request = "GET /tables/KSMvK.skm HTTP/1.1\r\nHost: test\r\n\r\n".repeat(40);
    let mut deaf: Vec<_> = (0..20).map(|_| served.connect()).collect();
    for stream in &mut deaf {
        stream.write_all(request.as_bytes()).unwrap();
    }
    assert_eq!(served.get(PATH).status, 200);
    let open = |served: &Served| {
        let metrics = served.get("/metrics");
        let line = metrics
            .text()
            .lines()
            .find(|line| line.starts_with("sakmak_connections "))
            .unwrap();
        line.rsplit(' ').next().unwrap().parse::<u32>().unwrap()
    };
    assert!(open(&served) > 10);
    let start = Instant::now();
    while open(&served) > 5 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(open(&served) <= 5, "the connections are given back");
}

#[test]
fn a_body_that_does_not_come_is_given_up() {
    let served = impatient();
    let mut stream = served.connect();
    write!(
        stream,
        "POST /v1/probe HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n8/8"
    )
    .unwrap();
    assert_eq!(served.get(PATH).status, 200);
    let mut text = String::new();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.read_to_string(&mut text);
    assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
}

#[test]
fn who_was_just_accepted_is_answered_when_it_stops() {
    let patience = Patience {
        leaving: Duration::from_secs(2),
        ..Patience::default()
    };
    let mut served = Served::new(tables(), Limits::default(), patience);
    served.stop();
    let mut stream = served.connect();
    // New connections are refused, but this one has not sent its request.
    std::thread::sleep(Duration::from_secs(3));
    let head = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(Reply::read(&mut stream).status, 200);
    served.join();
}

/// A search of all positions that finds nothing.
const SEARCH: &str = "/v1/find?ending=KRvKN&zugzwang=true&first_move=capture&turn=any";

fn searches(served: &Served) -> u32 {
    let metrics = served.get("/metrics");
    let mut lines = metrics.text().lines();
    let number = lines.find_map(|line| line.strip_prefix("sakmak_searches "));
    number.unwrap().parse().unwrap()
}

/// Begins a search. It ends when its connection is dropped.
fn search(served: &Served) -> std::net::TcpStream {
    let mut stream = served.connect();
    write!(stream, "GET {SEARCH} HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
    stream
}

/// A server on which this number of searches run or wait, and their connections.
fn searching(number: usize, patience: Patience) -> (Served, Vec<std::net::TcpStream>) {
    let limits = Limits {
        most_searches: number,
        most_searches_per_client: number,
        search_time: 10 * PATIENCE,
        ..Limits::default()
    };
    let served = Served::new(tables(), limits, patience);
    let asked = (0..number).map(|_| search(&served)).collect();
    let start = Instant::now();
    while searches(&served) < number as u32 {
        assert!(start.elapsed() < PATIENCE, "the searches do not begin");
    }
    (served, asked)
}

#[test]
fn nothing_waits_for_searches_and_more_of_them_are_503() {
    let (served, mut asked) = searching(24, Patience::default());
    for (method, path) in [
        ("GET", SEARCH),
        ("GET", "/v1/puzzles?ending=KSMvK"),
        ("GET", "/v1/random?ending=KSMvK"),
        ("POST", "/v1/annotate"),
    ] {
        let body: &[u8] = if method == "POST" { b"1. e4 *" } else { b"" };
        let start = Instant::now();
        let refused = loop {
            let reply = served.ask(method, path, &[], body);
            if reply.status == 503 {
                break reply;
            }
            // A search has ended before this one arrived. Another takes its place.
            asked.push(search(&served));
            assert!(start.elapsed() < PATIENCE, "{path}: {reply:?}");
        };
        refused.is_error(503, "busy");
        assert!(refused.header("retry-after").parse::<u32>().unwrap() > 0);
    }
    for path in [
        PATH,
        "/",
        "/v1/line?fen=8/8/8/8/8/2k5/8/K6R_w",
        "/v1/explore?fen=8/8/8/8/8/2k5/8/K6R_w",
        "/v1/endings/KRvK",
        "/endings/",
        "/tables/KSMvK.skm",
        "/picture.png",
    ] {
        assert_eq!(served.get(path).status, 200, "{path}");
    }
    let batch = served.ask("POST", "/v1/probe", &[], b"8/8/8/8/8/2k5/8/K6R w");
    assert_eq!(batch.status, 200);
    // A search ends when its client leaves.
    drop(asked);
    let start = Instant::now();
    while searches(&served) > 0 {
        assert!(start.elapsed() < PATIENCE, "the searches do not end");
    }
    assert_eq!(served.get("/v1/find?ending=KSMvK&margin=0").status, 200);
}

#[test]
fn it_ends_whatever_is_under_way() {
    let patience = Patience {
        stopping: Duration::from_millis(700),
        ..Patience::default()
    };
    let (mut served, _asked) = searching(12, patience);
    let mut deaf = served.connect();
    let request = "GET /tables/KSMvK.skm HTTP/1.1\r\nHost: test\r\n\r\n".repeat(40);
    deaf.write_all(request.as_bytes()).unwrap();
    let mut half = served.connect();
    write!(
        half,
        "POST /v1/annotate HTTP/1.1\r\nHost: test\r\nContent-Length: 99\r\n\r\n1"
    )
    .unwrap();
    let _silent = served.connect();
    served.stop();
    served.join();
}
