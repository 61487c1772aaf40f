//! The routes of the API.

use axum::Router;
use axum::http::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, RETRY_AFTER};
use axum::http::{Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::cors::{Any, CorsLayer};

use sakmak::rules::RuleSet;

use super::reply::error;
use super::server::Server;
use super::{answers, batch, catalogue, endings, games, page, picture, preview, service, tables};

/// Makes the service that answers requests from this server.
pub fn router(server: &Server) -> Router {
    let mut router = Router::new()
        .route("/", get(page::page))
        .route("/v1/probe", get(answers::answer).post(batch::answer))
        .route("/v1/explore", get(answers::answer))
        .route("/v1/moves", get(answers::answer))
        .route("/v1/why", get(answers::answer))
        .route("/v1/reply", get(answers::answer))
        .route("/v1/course", get(endings::course))
        .route("/v1/line", get(answers::answer))
        .route("/v1/line.pgn", get(answers::answer))
        .route("/v1/annotate", post(games::annotate))
        .route("/v1/find", get(games::find))
        .route("/v1/puzzles", get(games::puzzles))
        .route("/v1/random", get(endings::random))
        .route("/v1/endings", get(endings::list))
        .route("/v1/endings/{ending}", get(endings::one))
        .route("/endings", get(catalogue::index))
        .route("/endings/", get(catalogue::page))
        .route("/endings/{*path}", get(catalogue::page))
        .route("/v1/manifest.json", get(tables::manifest))
        .route("/tables/{file}", get(tables::file))
        .route(preview::PATH, get(picture::picture))
        .route("/openapi.json", get(page::openapi))
        .route("/robots.txt", get(page::robots))
        .route("/healthz", get(service::health))
        .route("/readyz", get(service::ready))
        .route("/metrics", get(service::metrics));
    for rules in RuleSet::ALL.into_iter().flat_map(RuleSet::names) {
        router = router
            .route(&format!("/{rules}"), get(answers::answer))
            .route(&format!("/{rules}/mainline"), get(answers::answer));
    }
    for path in page::paths() {
        router = router.route(path, get(page::asset));
    }
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers(Any)
        .expose_headers([ETAG, CONTENT_RANGE, CONTENT_LENGTH, RETRY_AFTER])
        .max_age(std::time::Duration::from_secs(86_400));
    router
        .fallback(|| async {
            let message = "there is nothing at this address: see /openapi.json for the addresses";
            error(StatusCode::NOT_FOUND, "no-such-address", message)
        })
        .method_not_allowed_fallback(|| async {
            let message = "this address does not support this method: see the Allow header";
            error(StatusCode::METHOD_NOT_ALLOWED, "method", message)
        })
        .layer(from_fn_with_state(server.clone(), service::observe))
        .layer(cors)
        .with_state(server.clone())
}
