//! The parts that all pages about endings share: the head, the choice of language, and the links.

use maud::{DOCTYPE, Markup, html};
use sakmak::board::Fen;
use sakmak::game::pgn::variant_of_rules;
use sakmak::rules::RuleSet;

use crate::serve::preview::{Pictures, in_address, tags};
use crate::serve::words::{self, MAIN, Words};

/// The folder of all pages about endings.
const FOLDER: &str = "endings/";

/// The name of the page that lists all endings.
pub(super) const INDEX: &str = "index";

/// The content security policy: pages load nothing from other origins and contain no inline code.
/// The policy is set by a tag in the page, so that it applies on plain file servers too.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'";

/// The location of a page: its language, its name, and the location of its picture.
pub(super) struct Place<'a> {
    pub words: &'a Words,
    name: &'a str,
    pub pictures: Pictures<'a>,
}

impl<'a> Place<'a> {
    pub(super) fn new(words: &'a Words, name: &'a str, pictures: Pictures<'a>) -> Place<'a> {
        Place {
            words,
            name,
            pictures,
        }
    }

    /// The path of the page, relative to the explorer's page.
    pub(super) fn path(&self) -> String {
        format!("{}{}", folder(self.words), file(self.name))
    }

    /// The path of the explorer's page, relative to this page.
    pub(super) fn root(&self) -> &'static str {
        match self.words.language == MAIN {
            true => "../",
            false => "../../",
        }
    }

    /// The address at which pychess shows a position on its analysis board.
    pub(super) fn pychess(fen: &Fen, rules: RuleSet) -> String {
        let game = variant_of_rules(rules).to_lowercase();
        let fen = in_address(fen, rules);
        format!("https://www.pychess.org/analysis/{game}?fen={fen}")
    }

    /// The address at which the explorer shows a position.
    pub(super) fn position(&self, fen: &Fen, rules: RuleSet) -> String {
        let fen = in_address(fen, rules);
        format!("{}?fen={fen}&rules={rules}", self.root())
    }
}

fn folder(words: &Words) -> String {
    match words.language {
        MAIN => FOLDER.to_string(),
        language => format!("{FOLDER}{language}/"),
    }
}

/// The file name of a page within its folder.
pub(super) fn file(name: &str) -> String {
    format!("{name}.html")
}

/// The contents of a page's head: title, description and the address of the picture.
pub(super) struct Head<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub picture: Option<String>,
    /// The path of the page's script, relative to the explorer's page.
    pub script: Option<&'a str>,
}

/// Assembles a page from its head and content.
pub(super) fn page(place: &Place, head: &Head, content: &Markup) -> String {
    let Head {
        title,
        description,
        picture,
        script,
    } = head;
    let words = place.words;
    let root = place.root();
    let link = |words: &Words| format!("{root}{}", Place { words, ..*place }.path());
    let page = html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="description" content=(description);
                meta name="color-scheme" content="light dark";
                title { (title) " – sakmak" }
                meta property="og:title" content=(title);
                meta property="og:type" content="website";
                meta property="og:site_name" content="sakmak";
                meta property="og:description" content=(description);
                @if let Some(url) = picture { (tags(url, title)) }
                link rel="icon" href={ (root) "icon.svg" };
                link rel="stylesheet" href={ (root) "style.css" };
                @if let Some(path) = script { script src={ (root) (path) } defer {} }
                @for other in words::ALL.iter() {
                    link rel="alternate" hreflang=(other.language) href=(link(other));
                }
            }
            body.catalogue {
                header.top {
                    p { a href=(root) { "sakmak" } }
                    nav aria-label=(words.t("language")) {
                        @for other in words::ALL.iter() {
                            @let current = (other.language == words.language).then_some("page");
                            a href=(link(other)) lang=(other.language) aria-current=[current] {
                                (other.t("languageName"))
                            }
                        }
                    }
                }
                main { (content) }
                footer {
                    p {
                        a href=(file(INDEX)) { (words.t("endings")) } " · "
                        a href=(root) { (words.t("explorer")) }
                    }
                }
            }
        }
    };
    page.into_string()
}
