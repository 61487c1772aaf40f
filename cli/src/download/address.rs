//! The address of a host, and the locations of its files.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sakmak::directory::MANIFEST_NAME;

/// A directory of files: on this machine, or behind a web server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A directory on this machine.
    Directory(PathBuf),
    /// The URL of a directory on a web server, without a final slash.
    Web(String),
}

/// The location of a file on a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A file on this machine.
    File(PathBuf),
    /// The URL of a file on a web server.
    Web(String),
}

impl Address {
    /// The location of a file in this directory. The name may include a folder, as in
    /// `tables/KSMvK.skm`.
    pub fn file(&self, name: &str) -> Location {
        match self {
            Address::Directory(directory) => Location::File(directory.join(name)),
            Address::Web(url) => Location::Web(format!("{url}/{name}")),
        }
    }

    /// True if the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        matches!(self, Address::Web(url) if url.starts_with("https://"))
    }
}

impl Location {
    /// Appends a suffix to the file name.
    pub fn with_suffix(&self, ending: &str) -> Location {
        match self {
            Location::File(path) => {
                let mut path = path.clone().into_os_string();
                path.push(ending);
                Location::File(path.into())
            }
            Location::Web(url) => Location::Web(format!("{url}{ending}")),
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err("an address begins with https://, http:// or file://".to_string());
        };
        let scheme = scheme.to_ascii_lowercase();
        let rest = rest.strip_suffix(MANIFEST_NAME).unwrap_or(rest);
        match &*scheme {
            "file" => directory(rest).map(Address::Directory),
            "http" | "https" => {
                let rest = rest.trim_end_matches('/');
                let url = format!("{scheme}://{rest}");
                if rest.contains(['?', '#', '@']) {
                    return Err(
                        "the address of a directory of tables must not contain ?, # or @"
                            .to_string(),
                    );
                }
                if rest.is_empty() || rest.starts_with('/') {
                    return Err("the address names no host".to_string());
                }
                match url.parse::<ureq::http::Uri>() {
                    Ok(_) => Ok(Address::Web(url)),
                    Err(error) => Err(format!("this is not a valid address ({error})")),
                }
            }
            _ => Err(format!(
                "{scheme}:// is unknown here: an address begins with https://, http:// or file://"
            )),
        }
    }
}

/// Parses the part of an address that follows `file://`. Returns the directory.
fn directory(rest: &str) -> Result<PathBuf, String> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return Err(
            "a file:// address has three slashes and an absolute path: file:///srv/tables".into(),
        );
    }
    let decoded =
        decode(path).ok_or("a % in an address must be followed by two hexadecimal digits")?;
    // On Windows an address is like file:///C:/tables.
    #[cfg(windows)]
    let decoded = decoded.trim_start_matches('/').to_string();
    Ok(PathBuf::from(decoded))
}

/// Decodes percent escapes such as `%20`.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Directory(path) => path.display().fmt(f),
            Address::Web(url) => f.write_str(url),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File(path) => path.display().fmt(f),
            Location::Web(url) => f.write_str(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_directory_or_a_web_server() {
        let web = |url: &str| Ok(Address::Web(url.to_string()));
        assert_eq!("http://a.example/x/".parse(), web("http://a.example/x"));
        let manifest = "HTTP://a.example:9000/x/manifest.json";
        assert_eq!(manifest.parse(), web("http://a.example:9000/x"));
        let directory = |path: &str| Ok(Address::Directory(PathBuf::from(path)));
        if cfg!(unix) {
            assert_eq!("file:///srv/a%20b".parse(), directory("/srv/a b"));
            assert_eq!("file://localhost/srv".parse(), directory("/srv"));
        }
        for wrong in [
            "",
            "tables",
            "/srv/tables",
            "ftp://a.example/x",
            "http://",
            "http:///x",
            "http://a b/",
            "http://a.example/?x",
            "http://a.example/#x",
            "http://me@a.example/",
            "file://srv",
            "file:///%zz",
            "file:///%2",
            "file:///%ff",
        ] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_is_below_its_address() {
        let web: Address = "http://a.example/x/".parse().unwrap();
        assert_eq!(
            web.file("KRvK.skm").to_string(),
            "http://a.example/x/KRvK.skm"
        );
        assert!(!web.is_encrypted());
    }
}
