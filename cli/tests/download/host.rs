//! A web server of a directory, with one thread per connection, that misbehaves as a test requires.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file: the path without its first slash.
    pub file: String,
    /// The first byte asked for, unless it is the file's first.
    pub from: Option<usize>,
    /// The number of earlier requests for the same file.
    pub before: usize,
}

/// The treatment of a request.
#[derive(Clone)]
pub enum Act {
    /// Answer correctly.
    Serve,
    /// Answer correctly, but hang up after this many bytes.
    Cut(usize),
    /// Answer correctly, a few bytes at a time.
    Trickle,
    /// Send the whole file, whatever range was asked for.
    Whole,
    /// Answer with this status, these headers and this body.
    Say(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Send the file, but claim that it has this many bytes.
    Claim(usize),
    /// Send the file from its beginning, but claim that it is the requested range.
    WrongRange,
    /// Send this status and these headers, then the file and zeros without end.
    Endless(u16, Vec<(&'static str, String)>),
    /// Hang up.
    HangUp,
}

/// A host.
pub struct Host {
    pub url: String,
    /// The number of bytes that [`Act::Endless`] has sent after the files.
    pub endless: Arc<AtomicU64>,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Host {
    /// A host of a directory that treats each request as `act` says.
    pub fn new(directory: &Path, act: impl Fn(&Request) -> Act + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (directory, act) = (directory.to_path_buf(), Arc::new(act));
        let noted = Arc::clone(&requests);
        let endless = Arc::new(AtomicU64::new(0));
        let sent = Arc::clone(&endless);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (directory, act, noted) =
                    (directory.clone(), Arc::clone(&act), Arc::clone(&noted));
                let sent = Arc::clone(&sent);
                thread::spawn(move || drop(answer(&stream, &directory, &*act, &noted, &sent)));
            }
        });
        Host {
            url,
            endless,
            requests,
        }
    }

    /// A host that behaves.
    pub fn of(directory: &Path) -> Host {
        Host::new(directory, |_| Act::Serve)
    }

    /// The requests of a file so far.
    pub fn requests(&self, file: &str) -> Vec<Request> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .filter(|r| r.file == file)
            .cloned()
            .collect()
    }

    /// The files asked for so far.
    pub fn files(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests.iter().map(|r| r.file.clone()).collect()
    }
}

/// The host's answer to one request, after which it hangs up.
fn answer(
    stream: &TcpStream,
    directory: &Path,
    act: &dyn Fn(&Request) -> Act,
    noted: &Mutex<Vec<Request>>,
    sent: &AtomicU64,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    let file = first
        .split(' ')
        .nth(1)
        .unwrap_or("/")
        .trim_start_matches('/')
        .to_string();
    let mut from = None;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    let request = {
        let mut noted = noted.lock().unwrap();
        let before = noted.iter().filter(|r| r.file == file).count();
        let request = Request { file, from, before };
        noted.push(request.clone());
        request
    };
    let act = act(&request);
    let path = directory.join(PathBuf::from(&request.file));
    let bytes = fs::read(&path).ok();
    let start = request.from.unwrap_or(0);
    match (act, bytes) {
        (Act::HangUp, _) => Ok(()),
        (Act::Say(status, headers, body), _) => {
            let mut all = vec![("Content-Length", body.len().to_string())];
            all.extend(headers);
            send(stream, status, &all, &body)
        }
        (Act::Endless(status, headers), bytes) => {
            send(stream, status, &headers, &bytes.unwrap_or_default())?;
            let mut stream = stream;
            loop {
                stream.write_all(&[0; 1 << 16])?;
                sent.fetch_add(1 << 16, Ordering::Relaxed);
            }
        }
        (_, None) => send(stream, 404, &[("Content-Length", "0".into())], b""),
        (Act::Claim(length), Some(bytes)) => send(
            stream,
            200,
            &[("Content-Length", length.to_string())],
            &bytes,
        ),
        (Act::Whole, Some(bytes)) => send(
            stream,
            200,
            &[("Content-Length", bytes.len().to_string())],
            &bytes,
        ),
        (Act::WrongRange, Some(bytes)) => {
            let range = format!("bytes 0-{}/{}", bytes.len() - 1, bytes.len());
            let headers = [
                ("Content-Length", bytes.len().to_string()),
                ("Content-Range", range),
            ];
            send(stream, 206, &headers, &bytes)
        }
        (act, Some(bytes)) => {
            let rest = bytes.get(start..).unwrap_or(&[]);
            let mut headers = vec![("Content-Length", rest.len().to_string())];
            let status = match request.from {
                None => 200,
                Some(_) if rest.is_empty() => 416,
                Some(_) => {
                    let range = format!("bytes {start}-{}/{}", bytes.len() - 1, bytes.len());
                    headers.push(("Content-Range", range));
                    206
                }
            };
            match act {
                Act::Cut(most) => send(stream, status, &headers, &rest[..most.min(rest.len())]),
                Act::Trickle => {
                    send(stream, status, &headers, b"")?;
                    for piece in rest.chunks(2000) {
                        let mut stream = stream;
                        stream.write_all(piece)?;
                        thread::sleep(Duration::from_millis(5));
                    }
                    Ok(())
                }
                _ => send(stream, status, &headers, rest),
            }
        }
    }
}

fn send(
    mut stream: &TcpStream,
    status: u16,
    headers: &[(&str, String)],
    body: &[u8],
) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} x\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all((head + "\r\n").as_bytes())?;
    stream.write_all(body)
}
