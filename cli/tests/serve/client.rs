//! A server of tables generated once, and an independent client.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::OnceLock;
use std::thread::JoinHandle;

use sakmak::probe::Tablebase;
use sakmak_explorer::serve::{Limits, Listener, Log, Patience, Server};
use serde_json::Value as Json;
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::making::made_as_published;
use crate::running::PATIENCE;

/// Against a bare king, and with men on both sides.
pub const SETS: [&str; 3] = ["KSMvK", "KRvKN", "KNvKM"];

/// The directory of tables that all tests read. Tests must not write to it.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    TABLES.get_or_init(|| made_as_published(&SETS)).path()
}

/// The tablebase of a directory.
pub fn tablebase(directory: &Path) -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

/// A server in this process.
pub struct Served {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// A server that all tests share.
    pub fn shared() -> &'static Served {
        static SERVED: OnceLock<Served> = OnceLock::new();
        SERVED.get_or_init(|| Served::new(tables(), Limits::default(), Patience::default()))
    }

    pub fn new(directory: &Path, limits: Limits, patience: Patience) -> Served {
        Served::of(&[directory], limits, patience)
    }

    /// A server of several directories.
    pub fn of(directories: &[&Path], limits: Limits, patience: Patience) -> Served {
        let mut tablebase = Tablebase::new();
        for directory in directories {
            tablebase.add_directory(directory).unwrap();
        }
        let (stop, stopped) = oneshot::channel();
        let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.address().unwrap();
        let server = Server::new(tablebase, limits, Log::none()).unwrap();
        let thread = std::thread::spawn(move || {
            let stop = async {
                let _ = stopped.await;
                Ok(())
            };
            listener.serve(server, patience, stop).unwrap();
        });
        Served {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Tells the server to stop, without waiting.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until it has stopped.
    pub fn join(&mut self) {
        self.thread.take().unwrap().join().unwrap();
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The response to a request with these headers.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut stream = self.connect();
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n");
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        stream.write_all((text + "\r\n").as_bytes()).unwrap();
        // A request that is too large is refused before it is sent completely.
        let _ = stream.write_all(body);
        Reply::read(&mut stream)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    /// Reads a response to the end of the connection.
    pub fn read(stream: &mut TcpStream) -> Reply {
        let mut bytes = Vec::new();
        let mut chunk = [0; 1 << 16];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => bytes.extend_from_slice(&chunk[..n]),
                // The server may close before it has read the whole request.
                Err(_) if !bytes.is_empty() => break,
                Err(error) => panic!("no response: {error}"),
            }
        }
        Reply::parse(&bytes)
    }

    pub fn parse(bytes: &[u8]) -> Reply {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_string())
        };
        let headers: BTreeMap<_, _> = lines.map(header).collect();
        assert!(!headers.contains_key("transfer-encoding"), "{head}");
        Reply {
            status: status.parse().unwrap(),
            headers,
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// An error document with this status and kind.
    #[track_caller]
    pub fn is_error(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let document = self.json();
        assert_eq!(document["error"]["kind"], kind, "{document}");
        let message = document["error"]["message"].as_str().unwrap();
        assert!(message.len() > 20, "{message}");
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(self.header("access-control-allow-origin"), "*");
    }
}
