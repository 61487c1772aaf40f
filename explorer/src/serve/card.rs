//! Writes the link preview of the explorer's page: title, description and picture.

use maud::html;
use serde_json::Value;

use super::ending_pages::short_name;
use super::preview;

/// The title element of the built-in page, which mentions no position.
const TITLE: &str = "<title>sakmak</title>";
/// The start of the description element, up to its text.
const DESCRIPTION: &str = "<meta name=\"description\" content=\"";

/// The title of a preview without a position.
const EXPLORER_TITLE: &str = "sakmak: the makruk endgame explorer";
const EXPLORER_DESCRIPTION: &str =
    "What each move is worth, and whether it wins before the count is over.";

/// Adds a link preview to the page: of the position in `answer` or, without an answer, of the
/// explorer. `picture` is a URL.
pub(super) fn previewed(page: &str, answer: Option<&str>, picture: Option<&str>) -> String {
    let answer = answer.and_then(|answer| serde_json::from_str(answer).ok());
    let title = answer.and_then(|answer| title(&answer));
    let shown = title.as_deref().unwrap_or(EXPLORER_TITLE);
    let tags = html! {
        title { @match &title { Some(title) => { (title) " – sakmak" }, None => "sakmak" } }
        meta property="og:title" content=(shown);
        meta property="og:type" content="website";
        meta property="og:site_name" content="sakmak";
        meta property="og:description" content=(EXPLORER_DESCRIPTION);
        @if let Some(url) = picture { (preview::tags(url, shown)) }
    };
    let page = page.replacen(TITLE, &tags.into_string(), 1);
    match title {
        Some(title) => {
            let title = html! { (title) }.into_string();
            page.replacen(DESCRIPTION, &format!("{DESCRIPTION}{title}. "), 1)
        }
        None => page,
    }
}

/// A title such as `K+S+M v K: White wins up to 19`.
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
        let titled = |answer: &str| previewed(&page, Some(answer), None);
        let shown = titled(&answer("\"white\"", 19));
        assert!(
            shown.contains("<title>K+S+M v K: White wins up to 19 – sakmak</title>"),
            "{shown}"
        );
        assert!(
            shown.contains("content=\"K+S+M v K: White wins up to 19. All.\""),
            "{shown}"
        );
        let shown = titled(&answer("\"black\"", 44));
        assert!(
            shown.contains("K+S+M v K: Black wins at any number"),
            "{shown}"
        );
        assert!(titled(&answer("null", 44)).contains("K+S+M v K: a draw"));
        let untitled = previewed(&page, None, None);
        assert_eq!(titled("{"), untitled);
        assert!(
            untitled.contains(TITLE) && untitled.contains(EXPLORER_TITLE),
            "{untitled}"
        );
    }

    #[test]
    fn the_picture_has_its_address_and_size() {
        let shown = previewed(TITLE, None, Some("https://example.org/picture.png?a=1&b=2"));
        for tag in [
            "<meta property=\"og:image\" content=\"https://example.org/picture.png?a=1&amp;b=2\">",
            "<meta property=\"og:image:width\" content=\"1200\">",
            "<meta property=\"og:image:height\" content=\"630\">",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
        ] {
            assert!(shown.contains(tag), "{tag}: {shown}");
        }
        assert!(!previewed(TITLE, None, None).contains("og:image"));
    }
}
