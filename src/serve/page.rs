//! The explorer's page and other files that are built in.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, Response};

use super::reply::{self, set};

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($path:literal => $file:literal, $content_type:expr;)*) => {
        &[$(Asset {
            path: $path,
            content_type: $content_type,
            text: include_str!(concat!("../../web/", $file)),
        }),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

const ASSETS: &[Asset] = assets! {
    "/" => "index.html", HTML;
    "/style.css" => "style.css", STYLE;
    "/icon.svg" => "icon.svg", PICTURE;
    "/js/api.js" => "js/api.js", SCRIPT;
    "/js/app.js" => "js/app.js", SCRIPT;
    "/js/board.js" => "js/board.js", SCRIPT;
    "/js/browser.js" => "js/browser.js", SCRIPT;
    "/js/controls.js" => "js/controls.js", SCRIPT;
    "/js/count.js" => "js/count.js", SCRIPT;
    "/js/dom.js" => "js/dom.js", SCRIPT;
    "/js/editor.js" => "js/editor.js", SCRIPT;
    "/js/ending.js" => "js/ending.js", SCRIPT;
    "/js/fen.js" => "js/fen.js", SCRIPT;
    "/js/fens.js" => "js/fens.js", SCRIPT;
    "/js/game.js" => "js/game.js", SCRIPT;
    "/js/games.js" => "js/games.js", SCRIPT;
    "/js/histogram.js" => "js/histogram.js", SCRIPT;
    "/js/line.js" => "js/line.js", SCRIPT;
    "/js/men.js" => "js/men.js", SCRIPT;
    "/js/moves.js" => "js/moves.js", SCRIPT;
    "/js/page.js" => "js/page.js", SCRIPT;
    "/js/player.js" => "js/player.js", SCRIPT;
    "/js/problem.js" => "js/problem.js", SCRIPT;
    "/js/reading.js" => "js/reading.js", SCRIPT;
    "/js/store.js" => "js/store.js", SCRIPT;
    "/js/verdict.js" => "js/verdict.js", SCRIPT;
    "/js/words.js" => "js/words.js", SCRIPT;
};

const READER: &str = include_str!("../../web/site/reader.js");

const OPENAPI: &str = include_str!("../../web/openapi.json");

/// Search engines may have the page, but not follow questions: there are more positions than they
/// have time for.
const ROBOTS: &str = "User-agent: *\nDisallow: /*?\nDisallow: /v1/\nDisallow: /tables/\nDisallow: /makruk\nDisallow: /asean\nDisallow: /ouk\nDisallow: /cambodian\n";

/// Nothing from anywhere else, and nothing inline.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'";

/// The paths of the page's files.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|asset| asset.path)
}

/// The files that the explorer's page consists of, each with its path.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    ASSETS.iter().map(|asset| (asset.path, asset.text))
}

/// What the page says differently where no server answers: the text, and what takes its place.
const STATIC: [(&str, &str); 3] = [
    (
        "<link rel=\"stylesheet\"",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; script-src 'self' \
         'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"sakmak-reader\" content=\"js/reader.js\">\n\
         <link rel=\"stylesheet\"",
    ),
    (
        "<p><a href=\"openapi.json\" id=\"api\"></a></p>",
        "<p hidden><a id=\"api\"></a></p>",
    ),
    (
        " The answers are to be had without it: /v1/probe?fen=8/8/8/3k4/8/3K4/2SM4/8_w",
        "",
    ),
];

/// The files of the page that reads the tables itself, each with its path from the page.
pub(super) fn static_files() -> impl Iterator<Item = (&'static str, String)> {
    let reader = ("js/reader.js", READER.to_string());
    // The page itself comes last.
    let files = ASSETS.iter().rev().map(|asset| {
        let text = asset.text.to_string();
        match asset.path.trim_start_matches('/') {
            "" => ("index.html", static_page(text)),
            path => (path, text),
        }
    });
    std::iter::once(reader).chain(files)
}

fn static_page(page: String) -> String {
    STATIC.iter().fold(page, |page, (server, files)| {
        page.replacen(server, files, 1)
    })
}

/// A file of the page.
pub(super) async fn asset(request: Request) -> Response<Body> {
    let path = request.uri().path();
    match ASSETS.iter().find(|asset| asset.path == path) {
        Some(asset) => {
            let mut response = text(request.headers(), asset.content_type, asset.text);
            let headers = response.headers_mut();
            set(headers, CONTENT_SECURITY_POLICY, POLICY);
            set(headers, REFERRER_POLICY, "no-referrer");
            response
        }
        // Only the paths above are routed here.
        None => Response::new(Body::empty()),
    }
}

/// What can be asked, for programs.
pub(super) async fn openapi(request: Request) -> Response<Body> {
    text(request.headers(), "application/json", OPENAPI)
}

/// What crawlers may read.
pub(super) async fn robots() -> Response<Body> {
    let mut response = Response::new(Body::from(ROBOTS));
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, "text/plain; charset=utf-8");
    set(headers, CACHE_CONTROL, reply::FOR_A_DAY);
    response
}

fn text(asked: &HeaderMap, content_type: &'static str, text: &'static str) -> Response<Body> {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let tag = reply::tag_for(asked, &format!("\"{}\"", &hash[..32]));
    if reply::has(asked, &tag) {
        return reply::not_modified(&tag, reply::ASK_FIRST);
    }
    let body = reply::body(
        asked,
        content_type,
        reply::ASK_FIRST,
        text.as_bytes().to_vec(),
    );
    reply::tagged(body, &tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_page_has_its_reader() {
        let (path, page) = static_files().last().unwrap();
        assert_eq!((path, ASSETS[0].path), ("index.html", "/"));
        for (server, files) in STATIC {
            assert_eq!(ASSETS[0].text.matches(server).count(), 1, "{server}");
            assert!(page.contains(files), "{files}");
        }
    }
}
