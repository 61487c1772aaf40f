//! The pictures of link previews: their locations, and the HTML tags that name them.

use axum::http::HeaderMap;
use axum::http::header::HOST;
use maud::{Markup, html};

use crate::Question;
use sakmak::board::Fen;
use sakmak::rules::RuleSet;

/// The width and the height of a picture in pixels, as services that show previews require.
pub(super) const SIZE: (u32, u32) = (1200, 630);

/// The media type of a picture.
pub(super) const PNG: &str = "image/png";

/// The path of pictures on a server.
pub(super) const PATH: &str = "/picture.png";

/// The location of the pictures for link previews. The tags of a preview require complete
/// addresses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pictures<'a> {
    /// There are no pictures, because the address of the pages is unknown.
    Unknown,
    /// The pictures are on a server with this origin.
    Served(&'a str),
    /// The pictures are beside the pages of a static site. The address of the site ends with a
    /// slash.
    Files(&'a str),
}

impl Pictures<'_> {
    /// The address of the picture of the explorer's first position.
    pub(super) fn first(self) -> Option<String> {
        match self {
            Pictures::Unknown => None,
            Pictures::Served(origin) => Some(format!("{origin}{PATH}")),
            Pictures::Files(site) => Some(format!("{site}{}", &PATH[1..])),
        }
    }

    /// The address of an ending's picture, which shows the position `fen`.
    pub(super) fn ending(self, name: &str, fen: &Fen) -> Option<String> {
        match self {
            Pictures::Unknown => None,
            Pictures::Served(origin) => {
                let rules = RuleSet::Makruk;
                let fen = in_address(fen, rules);
                Some(format!("{origin}{PATH}?fen={fen}&rules={rules}"))
            }
            Pictures::Files(site) => Some(format!("{site}{}", ending_path(name))),
        }
    }
}

/// The path of an ending's picture in a static site.
pub(super) fn ending_path(name: &str) -> String {
    format!("endings/{name}.png")
}

/// A position in an address, with `_` for blanks.
pub(super) fn in_address(fen: &Fen, rules: RuleSet) -> String {
    let fen = fen.display(rules.lettering()).to_string();
    fen.replace(' ', "_")
}

/// The address of the picture for a question.
pub(super) fn url(origin: &str, question: &Question) -> String {
    let Question {
        fen,
        rules,
        count,
        limit,
        ..
    } = question;
    let fen = in_address(fen, *rules);
    let number = |name: &str, number: &Option<u32>| match number {
        Some(number) => format!("&{name}={number}"),
        None => String::new(),
    };
    let counted = number("count", count) + &number("limit", limit);
    format!("{origin}{PATH}?fen={fen}&rules={rules}{counted}")
}

/// The tags in the head of a page that give the address of its picture.
pub(super) fn tags(url: &str, alternative: &str) -> Markup {
    html! {
        meta property="og:image" content=(url);
        meta property="og:image:type" content=(PNG);
        meta property="og:image:width" content=(SIZE.0);
        meta property="og:image:height" content=(SIZE.1);
        meta property="og:image:alt" content=(alternative);
        meta name="twitter:card" content="summary_large_image";
    }
}

/// The origin under which the client reached the server, from the headers of the request. None if
/// they are unusable. A proxy that adds TLS sets `X-Forwarded-Proto`.
pub(super) fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(HOST)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    if host.is_empty() || !host.bytes().all(plain) {
        return None;
    }
    let proxied = headers.get("x-forwarded-proto");
    let scheme = match proxied.is_some_and(|scheme| scheme == "https") {
        true => "https",
        false => "http",
    };
    Some(format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn origin_is_that_of_the_client() {
        let of = |host: &'static str, proxied: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            headers.insert("x-forwarded-proto", HeaderValue::from_static(proxied));
            origin(&headers)
        };
        assert_eq!(of("example.org", "https").unwrap(), "https://example.org");
        assert_eq!(of("[::1]:8080", "").unwrap(), "http://[::1]:8080");
        assert_eq!(of("a\"><script>", "https"), None);
        assert_eq!(of("", "https"), None);
        assert_eq!(origin(&HeaderMap::new()), None);
    }
}
