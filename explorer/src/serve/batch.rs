//! Answers `POST /v1/probe`: many positions, one per line.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use serde::Deserialize;

use super::received::received;
use super::reply;
use super::server::Server;
use crate::{Question, QuestionKind, Refusal, parameters};
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;

/// The maximum number of positions in a request.
const MOST_LINES: usize = 1000;

/// The number of positions that are answered before the answers of other requests have their turn.
const LINES_AT_ONCE: usize = 16;

/// A line that is a JSON object. A line of any other form is a FEN.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    fen: String,
    rules: Option<String>,
    count: Option<u32>,
    limit: Option<u32>,
}

/// Answers each line in order. If a line has no answer, an error takes its place.
pub(super) async fn answer(State(server): State<Server>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let rules = parameters(parts.uri.query().unwrap_or(""))
        .find(|(name, _)| name == "rules")
        .map_or(Ok(RuleSet::Makruk), |(_, name)| name.parse());
    let rules = match rules {
        Ok(rules) => rules,
        Err(error) => return reply::refusal(&error.into()),
    };
    let bytes = match received(&server, body).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return reply::refusal(&Refusal::input(
            "the body is not UTF-8: send one position per line",
        ));
    };
    let lines = text.lines().map(str::trim);
    let lines: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .take(MOST_LINES + 1)
        .map(str::to_string)
        .collect();
    if lines.len() > MOST_LINES {
        return reply::refusal(&Refusal::too_large(
            "the body has more than 1,000 positions: send it in parts",
        ));
    }
    let permit = match server.permit() {
        Ok(permit) => permit,
        Err(refusal) => return reply::refusal(&refusal),
    };
    let mut all = String::new();
    for part in lines.chunks(LINES_AT_ONCE) {
        let (working, part) = (server.clone(), part.to_vec());
        let work = move || answers(working.tablebase(), rules, &part);
        match server.work_out_with(&permit, work).await {
            Ok(answers) => all += &answers,
            Err(response) => return response,
        }
    }
    reply::body(
        &parts.headers,
        "application/x-ndjson",
        reply::NOT_KEPT,
        all.into_bytes(),
    )
}

fn answers(tablebase: &Tablebase, rules: RuleSet, lines: &[String]) -> String {
    let answers = lines.iter().map(|line| {
        let answer =
            question(rules, line).and_then(|asked| QuestionKind::Probe.answer(tablebase, &asked));
        answer.unwrap_or_else(|refusal| refusal.document(Some(line)))
    });
    answers.collect()
}

fn question(rules: RuleSet, line: &str) -> Result<Question, Refusal> {
    let line = match line.starts_with('{') {
        true => serde_json::from_str(line).map_err(|error| {
            Refusal::input(format!(
                "cannot parse the line ({error}): write {{\"fen\": …}}, with rules, count and limit if needed"
            ))
        })?,
        false => Line {
            fen: line.trim_matches('"').to_string(),
            rules: None,
            count: None,
            limit: None,
        },
    };
    let rules = match line.rules {
        Some(name) => name.parse()?,
        None => rules,
    };
    Ok(Question {
        played: None,
        fen: rules.read_fen(&line.fen)?,
        rules,
        count: line.count,
        limit: line.limit,
    })
}
