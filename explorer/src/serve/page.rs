//! Answers requests for the explorer's page and for other built-in files.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, Response};
use flate2::Compression;

use super::bundle::bundle;
use super::embedded_answers::{Known, START};
use super::modules::MODULES;
use super::preview::{self, Pictures};
use super::reply::{self, gzip, set};
use super::server::Server;
use crate::{Question, QuestionKind, parameters};

/// The modules of the static page that replace modules of the server's page or are added to them.
const STATIC_MODULES: [(&str, &str); 2] = [
    ("source.js", include_str!("../../web/site/source.js")),
    ("reader.js", include_str!("../../web/site/reader.js")),
];

const ROOT: &str = "app.js";

static SCRIPT: LazyLock<String> = LazyLock::new(|| bundle(MODULES.iter().copied(), ROOT));
static STATIC_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let modules = MODULES.iter().copied().chain(STATIC_MODULES);
    bundle(modules, ROOT)
});

pub(super) const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

const PAGE: &str = include_str!("../../web/index.html");

/// The path, media type and text of each file of the page, except the page itself.
fn assets() -> [(&'static str, &'static str, &'static str); 5] {
    [
        ("/page.js", SCRIPT_TYPE, &**SCRIPT),
        ("/style.css", STYLE, include_str!("../../web/style.css")),
        // The script of the pages about endings.
        (
            "/endings.js",
            SCRIPT_TYPE,
            include_str!("../../web/endings.js"),
        ),
        ("/icon.svg", PICTURE, include_str!("../../web/icon.svg")),
        (
            "/manifest.webmanifest",
            MANIFEST,
            include_str!("../../web/manifest.webmanifest"),
        ),
    ]
}

/// The compressed form of each built-in text, at the best compression level. The key is the text.
static PACKED: LazyLock<BTreeMap<&str, Vec<u8>>> = LazyLock::new(|| {
    let texts = assets().into_iter().map(|(.., text)| text).chain([OPENAPI]);
    let packed = |text: &'static str| Some((text, gzip(text.as_bytes(), Compression::best())?));
    texts.filter_map(packed).collect()
});

/// The reference to the modules in the page, and the reference to the bundled script that replaces
/// it.
const ONE_SCRIPT: (&str, &str) = ("src=\"js/app.js\"", "src=\"page.js\"");

const SERVICE_WORKER: &str = include_str!("../../web/site/sw.js");

const OPENAPI: &str = include_str!("../../web/openapi.json");

/// The rules for crawlers. Search engines may index the page, but not the answers to questions,
/// since there are too many positions. Services that preview links are not restricted, since they
/// request only the links that people share.
const ROBOTS: &str = "User-agent: Twitterbot\nUser-agent: facebookexternalhit\nUser-agent: LinkedInBot\nUser-agent: Discordbot\n\
    User-agent: TelegramBot\nUser-agent: Slackbot\nUser-agent: WhatsApp\nUser-agent: LINE\nAllow: /\n\n\
    User-agent: *\nDisallow: /*?\nDisallow: /v1/\nDisallow: /tables/\nDisallow: /makruk\nDisallow: /asean\nDisallow: /ouk\nDisallow: /cambodian\n";

/// The content security policy: the page loads nothing from other origins and contains no inline
/// code.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'";

/// The paths of all files of the page except the page itself.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    assets().into_iter().map(|(path, ..)| path)
}

/// All files of the explorer except the page itself, with their paths.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    assets().into_iter().map(|(path, _, text)| (path, text))
}

/// The texts of the page that the static page replaces, each with its replacement.
const STATIC: [(&str, &str); 3] = [
    (
        "<link rel=\"stylesheet\"",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; script-src 'self' \
         'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'\">\n\
         <link rel=\"stylesheet\"",
    ),
    (
        "<p><a href=\"openapi.json\" id=\"api\"></a></p>",
        "<p hidden><a id=\"api\"></a></p>",
    ),
    (
        " Without it, query the API directly: /v1/probe?fen=8/8/8/3k4/8/3K4/2SM4/8_w",
        "",
    ),
];

/// The files of the static page with their paths; the page itself comes last. The static page reads
/// tables itself. `edition` identifies the tables. The answers in `known` are embedded in the page.
pub(super) fn static_files(
    edition: &str,
    known: &Known,
    pictures: Pictures,
) -> impl Iterator<Item = (&'static str, String)> {
    let page = STATIC
        .iter()
        .fold(PAGE.to_string(), |page, (server, files)| {
            page.replacen(server, files, 1)
        });
    let page = known.with(&page.replacen(ONE_SCRIPT.0, ONE_SCRIPT.1, 1));
    let page = known.previewed(&page, false, pictures.first().as_deref());
    let mut hasher = blake3::Hasher::new();
    for part in [edition, &page, &STATIC_SCRIPT]
        .into_iter()
        .chain(files().map(|(_, text)| text))
    {
        hasher.update(part.as_bytes());
    }
    let version = &hasher.finalize().to_hex()[..16];
    let worker = SERVICE_WORKER.replacen("development", version, 1);
    let assets = files().map(|(path, text)| match path {
        "/page.js" => ("page.js", STATIC_SCRIPT.clone()),
        path => (path.trim_start_matches('/'), text.to_string()),
    });
    let last = [("sw.js", worker), ("index.html", page)];
    assets.chain(last).collect::<Vec<_>>().into_iter()
}

/// True if the query of the page's address asks for the answer to a position.
pub(super) fn has_question(query: &str) -> bool {
    parameters(query).any(|(name, _)| name == "fen")
}

/// Answers with the explorer's page. If the address contains a question, the answer is embedded in
/// the page.
pub(super) async fn page(State(server): State<Server>, request: Request) -> Response<Body> {
    let query = request.uri().query().unwrap_or("");
    let has_question = has_question(query);
    let question = match has_question {
        true => Question::parse(QuestionKind::Explore, query),
        false => Question::parse(QuestionKind::Explore, &format!("fen={START}")),
    };
    let key = question.as_ref().map_or(String::new(), Question::key);
    let origin = preview::origin(request.headers());
    let picture = origin.and_then(|origin| match &question {
        Ok(question) if has_question => Some(preview::url(&origin, question)),
        _ => Pictures::Served(&origin).first(),
    });
    let address = picture.as_deref().unwrap_or("");
    let tag = server.tag("page", &format!("{}{PAGE}{address}{key}", *SCRIPT));
    let tag = reply::tag_for(request.headers(), &tag);
    if reply::has(request.headers(), &tag) {
        return reply::not_modified(&tag, reply::ASK_FIRST);
    }
    let working = server.clone();
    let work = move || Known::of(&working, question.ok().as_ref());
    // If no answers are embedded, the page requests them itself.
    let known = server.work_out(work).await.unwrap_or_default();
    let page = known.with(&PAGE.replacen(ONE_SCRIPT.0, ONE_SCRIPT.1, 1));
    let page = known.previewed(&page, has_question, picture.as_deref());
    let body = reply::body(request.headers(), HTML, reply::ASK_FIRST, page.into_bytes());
    guarded(reply::tagged(body, &tag))
}

/// Answers with another file of the page.
pub(super) async fn asset(request: Request) -> Response<Body> {
    let path = request.uri().path();
    match assets().into_iter().find(|(name, ..)| *name == path) {
        Some((_, content_type, bytes)) => guarded(text(request.headers(), content_type, bytes)),
        // The router passes only the paths of `assets` to this function.
        None => Response::new(Body::empty()),
    }
}

/// Adds security headers to a response.
pub(super) fn guarded(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    set(headers, CONTENT_SECURITY_POLICY, POLICY);
    set(headers, REFERRER_POLICY, "no-referrer");
    response
}

/// Answers with the description of the API in OpenAPI format.
pub(super) async fn openapi(request: Request) -> Response<Body> {
    text(request.headers(), "application/json", OPENAPI)
}

/// Answers with the rules for crawlers.
pub(super) async fn robots() -> Response<Body> {
    let mut response = Response::new(Body::from(ROBOTS));
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, "text/plain; charset=utf-8");
    set(headers, CACHE_CONTROL, reply::FOR_A_DAY);
    response
}

fn text(headers: &HeaderMap, content_type: &'static str, text: &'static str) -> Response<Body> {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let tag = reply::tag_for(headers, &format!("\"{}\"", &hash[..32]));
    if reply::has(headers, &tag) {
        return reply::not_modified(&tag, reply::ASK_FIRST);
    }
    let body = match PACKED.get(text) {
        Some(packed) => reply::built_in(headers, content_type, reply::ASK_FIRST, text, packed),
        None => reply::body(headers, content_type, reply::ASK_FIRST, text.into()),
    };
    reply::tagged(body, &tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_page_differs_where_it_must() {
        let files: Vec<_> =
            static_files("of these tables", &Known::default(), Pictures::Unknown).collect();
        let (path, page) = files.last().unwrap();
        assert_eq!(*path, "index.html");
        for (server, files) in STATIC.into_iter().chain([ONE_SCRIPT]) {
            assert_eq!(PAGE.matches(server).count(), 1, "{server}");
            assert!(page.contains(files), "{files}");
        }
        let text = |name: &str| &files.iter().find(|(path, _)| *path == name).unwrap().1;
        assert!(text("page.js").contains("sakmak.wasm") && !SCRIPT.contains("sakmak.wasm"));
        assert!(!text("sw.js").contains("development"));
    }
}
