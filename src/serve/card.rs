//! The link preview of a position: title and description.

use serde_json::Value;

use super::ending_pages::short_name;

/// The title that the page has without a position.
const TITLE: &str = "<title>sakmak</title>";
/// The start of the element with the page's description, up to its text.
const DESCRIPTION: &str = "<meta name=\"description\" content=\"";

/// Puts a position's title and description, made from the answer, into the page. Without an answer
/// the page is unchanged.
pub(super) fn titled(page: &str, answer: &str) -> String {
    let title = serde_json::from_str(answer)
        .ok()
        .and_then(|answer| title(&answer));
    let Some(title) = title else {
        return page.to_string();
    };
    let title = escaped(&title);
    let head = format!(
        "<title>{title} – sakmak</title>\n<meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:type\" content=\"website\">\n<meta property=\"og:site_name\" content=\"sakmak\">\n\
         <meta property=\"og:description\" content=\"What each move is worth, and whether it wins before the count is over.\">"
    );
    let page = page.replacen(TITLE, &head, 1);
    page.replacen(DESCRIPTION, &format!("{DESCRIPTION}{title}. "), 1)
}

/// `K+S+M v K: White wins up to 19`.
fn title(document: &Value) -> Option<String> {
    let material = document["ending"]["material"].as_str()?;
    let side = |name: &Value| match name.as_str() {
        Some("black") => "Black",
        _ => "White",
    };
    let answer = &document["answer"];
    let winner = side(&document["winner"]);
    let wins = |category: &Value| matches!(category.as_str(), Some("win" | "loss"));
    let runs = document["numbers"]["runs"].as_array();
    let what = if answer["checkmate"] == true {
        format!("{} is checkmated", side(&answer["side_to_move"]))
    } else if document["winner"].is_null() {
        "a draw".to_string()
    } else if answer["at_most"].is_string() {
        format!("{winner} can force mate")
    } else if let Some(runs) = runs.filter(|_| answer["missing_distances"].is_null()) {
        let fresh = wins(&document["numbers"]["fresh"]["category"]);
        let last = runs.iter().rfind(|run| wins(&run["category"]));
        match (last, fresh) {
            (Some(run), _) if run["to"] == document["numbers"]["to"] => {
                format!("{winner} wins at any number")
            }
            (Some(run), _) => format!("{winner} wins up to {}", run["to"]),
            (None, true) => format!("{winner} wins if no count has begun"),
            (None, false) => "drawn by the count".to_string(),
        }
    } else if wins(&answer["category"]) {
        format!("{winner} wins")
    } else {
        "drawn by the count".to_string()
    };
    Some(format!("{}: {what}", short_name(material)))
}

/// Escapes a text for an attribute value.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_up_to_which_number_it_is_won() {
        let page = format!("{DESCRIPTION}All.\">{TITLE}");
        let answer = |winner: &str, last: u32| {
            format!(
                "{{\"answer\":{{\"checkmate\":false,\"category\":\"win\"}},\"winner\":{winner},\"ending\":{{\"material\":\"KSMvK\"}},\
                 \"numbers\":{{\"to\":44,\"fresh\":{{\"category\":\"win\"}},\"runs\":[{{\"category\":\"win\",\"from\":4,\"to\":{last}}}]}}}}"
            )
        };
        let shown = titled(&page, &answer("\"white\"", 19));
        assert!(
            shown.contains("<title>K+S+M v K: White wins up to 19 – sakmak</title>"),
            "{shown}"
        );
        assert!(
            shown.contains("content=\"K+S+M v K: White wins up to 19. All.\""),
            "{shown}"
        );
        let shown = titled(&page, &answer("\"black\"", 44));
        assert!(
            shown.contains("K+S+M v K: Black wins at any number"),
            "{shown}"
        );
        assert!(titled(&page, &answer("null", 44)).contains("K+S+M v K: a draw"));
        assert_eq!(titled(&page, "{"), page);
    }
}
