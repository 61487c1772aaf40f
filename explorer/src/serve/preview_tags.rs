//! Writes the link preview of the explorer's page: title, description and picture.

use maud::html;
use sakmak::board::Color;
use sakmak::rules::Category;

use super::ending_pages::short_name;
use super::{preview, words};
use crate::Outline;

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
pub(super) fn previewed(page: &str, answer: Option<&Outline>, picture: Option<&str>) -> String {
    let title = answer.map(title);
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
fn title(answer: &Outline) -> String {
    let side = |color: Color| match color {
        Color::White => "White",
        Color::Black => "Black",
    };
    let wins = |category| matches!(category, Some(Category::Win | Category::Loss));
    let [least, most] = answer.bounds;
    let numbers = answer.numbers.as_ref().filter(|_| answer.has_distances);
    let result = match answer.winner.map(side) {
        _ if answer.is_checkmate => format!("{} is checkmated", side(answer.turn)),
        None => "a draw".to_string(),
        Some(winner) if least != most => format!("{winner} can force mate"),
        Some(winner) => match numbers {
            Some(numbers) => match numbers.runs.iter().rfind(|run| wins(run.category)) {
                Some(run) if run.to == numbers.to => format!("{winner} wins at any number"),
                Some(run) => format!("{winner} wins up to {}", run.to),
                None if wins(numbers.fresh) => format!("{winner} wins if no count has begun"),
                None => "drawn by the count".to_string(),
            },
            None if wins(Some(least)) => format!("{winner} wins"),
            None => "drawn by the count".to_string(),
        },
    };
    format!("{}: {result}", short_name(answer.material, &words::ALL[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, Scale};

    #[test]
    fn titles_say_up_to_which_number_it_is_won() {
        let page = format!("{DESCRIPTION}All.\">{TITLE}");
        let answer = |winner, last| Outline {
            material: "KSMvK".parse().unwrap(),
            turn: Color::White,
            is_checkmate: false,
            winner,
            bounds: [Category::Win; 2],
            has_distances: true,
            numbers: Some(Scale {
                to: 44,
                fresh: Some(Category::Win),
                runs: vec![Run {
                    category: Some(Category::Win),
                    from: 4,
                    to: last,
                }],
            }),
        };
        let titled = |answer: &Outline| previewed(&page, Some(answer), None);
        let shown = titled(&answer(Some(Color::White), 19));
        assert!(
            shown.contains("<title>K+S+M v K: White wins up to 19 – sakmak</title>"),
            "{shown}"
        );
        assert!(
            shown.contains("content=\"K+S+M v K: White wins up to 19. All.\""),
            "{shown}"
        );
        let shown = titled(&answer(Some(Color::Black), 44));
        assert!(
            shown.contains("K+S+M v K: Black wins at any number"),
            "{shown}"
        );
        assert!(titled(&answer(None, 44)).contains("K+S+M v K: a draw"));
        let uncounted = Outline {
            numbers: None,
            ..answer(Some(Color::White), 44)
        };
        assert!(titled(&uncounted).contains("K+S+M v K: White wins –"));
        let mated = Outline {
            is_checkmate: true,
            ..answer(Some(Color::Black), 44)
        };
        assert!(titled(&mated).contains("K+S+M v K: White is checkmated"));
        let untitled = previewed(&page, None, None);
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
