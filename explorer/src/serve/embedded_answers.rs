//! Embeds answers in the page, so that the page need not request them.

use std::fmt::Write as _;

use super::endings;
use super::preview::in_address;
use super::preview_tags::previewed;
use super::server::Server;
use crate::{Outline, Question, explore, json};
use sakmak::probe::Tablebase;

/// The first position of the page, as written in a URL.
pub(super) const START: &str = "8/8/8/3k4/8/3K4/2SM4/8_w_-_-_0_1";

/// The answers to embed, each with the path and query that the page would request.
#[derive(Default)]
pub(super) struct Known {
    answers: Vec<(String, String)>,
    /// The outline of the answer about a position, if there is one.
    explored: Option<Outline>,
}

impl Known {
    /// Collects the answers that the page first needs from a server: the answer to `question`, if
    /// there is a question, and the list of endings.
    pub(super) fn of(server: &Server, question: Option<&Question>) -> Known {
        let mut known = Known::default();
        if let Some(question) = question {
            known.explore(server.tablebase(), question);
        }
        let tables = server.inner.edition.distances().iter();
        let listed = endings::listed(tables.map(|(&material, table)| (material, table.bytes)));
        if let Ok(listed) = listed {
            known.add("/v1/endings", listed);
        }
        known
    }

    /// Adds the answer about a position, if the tables have one.
    pub(super) fn explore(&mut self, tablebase: &Tablebase, question: &Question) {
        // The page requests a FEN that includes the count, so questions with a separate count are
        // left out.
        let plain = question.count.is_none() && question.limit.is_none();
        if !plain {
            return;
        }
        let explored = explore(tablebase, question);
        let answer = explored.and_then(|explored| Ok((json(&explored)?, explored.outline)));
        if let Ok((answer, outline)) = answer {
            let fen = in_address(&question.fen, question.rules);
            self.add(
                &format!("/v1/explore?fen={fen}&rules={}", question.rules),
                answer,
            );
            self.explored = Some(outline);
        }
    }

    /// Adds an answer with its address.
    pub(super) fn add(&mut self, address: &str, answer: String) {
        self.answers.push((address.to_string(), answer));
    }

    /// Embeds the answers in the head of the page.
    pub(super) fn with(&self, page: &str) -> String {
        let mut known = String::from("<script type=\"application/json\" id=\"known\">{");
        for (i, (address, answer)) in self.answers.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(
                known,
                "{comma}\"{address}\":{}",
                answer.trim_end().replace('<', "\\u003c")
            );
        }
        known += "}</script>\n</head>";
        page.replacen("</head>", &known, 1)
    }

    /// Adds the link preview to the page. It shows the embedded position if `has_question` is true,
    /// and the explorer otherwise. `picture` is a URL.
    pub(super) fn previewed(
        &self,
        page: &str,
        has_question: bool,
        picture: Option<&str>,
    ) -> String {
        previewed(
            page,
            self.explored.as_ref().filter(|_| has_question),
            picture,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_never_markup() {
        let mut known = Known::default();
        known.add("/v1/a", "{\"x\":\"</script><b>\"}\n".to_string());
        known.add("/v1/b", "[1]".to_string());
        let page = known.with("<head></head><body>");
        let expected = "<head><script type=\"application/json\" id=\"known\">\
            {\"/v1/a\":{\"x\":\"\\u003c/script>\\u003cb>\"},\"/v1/b\":[1]}</script>\n</head><body>";
        assert_eq!(page, expected);
    }
}
