//! Fetches files from a host, starting at any byte.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use ureq::Body;
use ureq::http::Response;
use ureq::http::StatusCode;
use ureq::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap,
    HeaderName, LOCATION, RANGE,
};

use super::address::{Address, Location};
use crate::Failure;

/// The time limit for connecting to the host.
const CONNECTING: Duration = Duration::from_secs(20);
/// The largest number of redirects followed in a row.
const MOST_REDIRECTS: usize = 10;
/// The longest wait for the next received bytes.
const SILENCE: Duration = Duration::from_secs(60);

/// A client that fetches files from one host.
pub struct Client {
    agent: ureq::Agent,
}

/// A file that is being received.
pub struct Arriving {
    pub reader: Box<dyn Read + Send>,
    /// The offset of the first byte received: the requested offset, or 0 if the host cannot send a
    /// part of a file.
    pub start: u64,
    /// The length of the whole file, if the host states it.
    pub total: Option<u64>,
}

/// The reason why a file cannot be fetched.
pub enum Fault {
    /// The host does not have the file.
    Missing(String),
    /// A temporary fault: the next attempt may succeed.
    Temporary(String),
    /// A permanent fault: every further attempt would fail too.
    Permanent(String),
}

impl Client {
    /// Makes a client for a host. It never follows a redirect from an encrypted address to an
    /// unencrypted one.
    pub fn new(address: &Address) -> Client {
        // The system limits the time for resolving a name. A limit set here would need a thread.
        let config = ureq::Agent::config_builder()
            .user_agent(concat!("sakmak/", env!("CARGO_PKG_VERSION")))
            .https_only(address.is_encrypted())
            .http_status_as_error(false)
            // ureq would read the bodies of redirects to their end, which a host may never send.
            .max_redirects(0)
            .timeout_connect(Some(CONNECTING))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .tls_config(tls());
        Client {
            agent: config.build().new_agent(),
        }
    }

    /// Requests a file from byte `offset` to its end.
    pub fn open(&self, location: &Location, offset: u64) -> Result<Arriving, Fault> {
        match location {
            Location::File(path) => open_file(path, offset).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Fault::Missing(error.to_string()),
                _ => Fault::Permanent(error.to_string()),
            }),
            Location::Web(url) => self.open_url(url, offset),
        }
    }

    fn open_url(&self, url: &str, offset: u64) -> Result<Arriving, Fault> {
        let response = self.response(url, offset)?;
        let (status, headers) = (response.status(), response.headers());
        let (start, total) = match status {
            StatusCode::OK => (0, number(headers, CONTENT_LENGTH)),
            StatusCode::PARTIAL_CONTENT => match text(headers, CONTENT_RANGE).and_then(range) {
                Some((start, total)) if start == offset => (start, total),
                _ => return Err(Fault::Permanent("the host sends a wrong byte range".into())),
            },
            status => return Err(refused(status)),
        };
        if let Some(coding) = text(headers, CONTENT_ENCODING)
            && coding != "identity"
        {
            return Err(Fault::Permanent(format!(
                "the host sends the file compressed, as {coding}"
            )));
        }
        if text(headers, CONTENT_TYPE).is_some_and(|kind| kind.starts_with("text/html")) {
            return Err(Fault::Permanent("the host sends a web page".into()));
        }
        Ok(Arriving {
            reader: Box::new(response.into_body().into_reader()),
            start,
            total,
        })
    }
}

impl Client {
    /// Requests a file, and follows redirects without reading their bodies.
    fn response(&self, url: &str, offset: u64) -> Result<Response<Body>, Fault> {
        let mut url = url.to_string();
        for _ in 0..=MOST_REDIRECTS {
            let mut request = self.agent.get(&url).header(ACCEPT_ENCODING, "identity");
            if offset > 0 {
                request = request.header(RANGE, format!("bytes={offset}-"));
            }
            let response = request.call().map_err(fault)?;
            match text(response.headers(), LOCATION) {
                Some(to) if response.status().is_redirection() => url = redirected(&url, to),
                _ => return Ok(response),
            }
        }
        Err(Fault::Permanent("the host redirects too often".into()))
    }
}

impl Fault {
    /// The reason as text.
    pub fn why(self) -> String {
        let (Fault::Missing(why) | Fault::Temporary(why) | Fault::Permanent(why)) = self;
        why
    }

    /// The failure of a command that needs the file at `location`.
    pub fn failure(self, location: &Location) -> Failure {
        Failure::machine(format_args!("{location} cannot be fetched: {}", self.why()))
            .help("check the address and the network, and run the same command again")
    }
}

/// Configures TLS with the operating system's certificates. No C library needs to be installed.
fn tls() -> ureq::tls::TlsConfig {
    use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
    // Only the first call has an effect, and every call installs the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::PlatformVerifier)
        .build()
}

fn open_file(path: &Path, offset: u64) -> io::Result<Arriving> {
    // Opening a FIFO would block.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut file = File::open(path)?;
    let total = file.metadata()?.len();
    file.seek(SeekFrom::Start(offset))?;
    Ok(Arriving {
        reader: Box::new(file),
        start: offset,
        total: Some(total),
    })
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn number(headers: &HeaderMap, name: HeaderName) -> Option<u64> {
    text(headers, name)?.parse().ok()
}

/// Parses a range such as `bytes 100-199/200`. Returns the first offset, and the length of the
/// whole file if it is known.
fn range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, _) = range.split_once('-')?;
    Some((first.parse().ok()?, total.parse().ok()))
}

/// The address to which the redirect `to` leads from the address `url`.
fn redirected(url: &str, to: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let to = to.split('#').next().unwrap_or_default();
    match to {
        _ if to.contains("://") => to.to_string(),
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ if to.starts_with('/') => format!("{scheme}://{host}{to}"),
        _ => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{scheme}://{host}{folder}/{to}")
        }
    }
}

fn refused(status: StatusCode) -> Fault {
    let why = format!("the host answers {status}");
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Fault::Missing(why),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => Fault::Temporary(why),
        status if status.is_server_error() => Fault::Temporary(why),
        _ => Fault::Permanent(why),
    }
}

fn fault(error: ureq::Error) -> Fault {
    match error {
        // The error with which rustls rejects a certificate.
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
            Fault::Permanent(error.to_string())
        }
        ureq::Error::Io(error) => Fault::Temporary(error.to_string()),
        ureq::Error::Timeout(_) => Fault::Temporary("the host does not answer".into()),
        ureq::Error::ConnectionFailed => Fault::Temporary("the host cannot be reached".into()),
        ureq::Error::HostNotFound => Fault::Permanent("no host has this name".into()),
        ureq::Error::RequireHttpsOnly(_) => {
            Fault::Permanent("the host redirects to an unencrypted address".into())
        }
        error => Fault::Permanent(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_leads_to_another_host_folder_or_file() {
        let from = "https://a.example:9000/x/KRvK.skm";
        for (to, leads) in [
            ("http://b.example/y", "http://b.example/y"),
            ("//b.example/y#z", "https://b.example/y"),
            ("/y?z=1", "https://a.example:9000/y?z=1"),
            ("y", "https://a.example:9000/x/y"),
        ] {
            assert_eq!(redirected(from, to), leads);
        }
        assert_eq!(redirected("http://a.example", "y"), "http://a.example/y");
    }

    #[test]
    fn a_byte_range_is_parsed() {
        assert_eq!(range("bytes 100-199/200"), Some((100, Some(200))));
        assert_eq!(range("bytes 100-199/*"), Some((100, None)));
        for wrong in ["", "bytes */200", "100-199/200", "bytes 100", "bytes x-1/2"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }
}
