//! The introduction of the page, for readers who know chess but not makruk.

use maud::{Markup, html};
use sakmak::board::{Color, Role};
use sakmak::material::{Army, Material};
use sakmak::rules::{Allowance, Count, LimitKind, RuleSet, pieces_honor_limit};

use crate::report::words::short_name;
use crate::svg::{glyph, moves_of};

/// The men: for each, the role, the Thai name, and the moves as explained to a chess player.
const MEN: [(Role, &str, &str); 5] = [
    (Role::King, "khun", "the king of chess. No castling."),
    (Role::Rook, "ruea, “boat”", "the rook of chess."),
    (Role::Knight, "ma, “horse”", "the knight of chess."),
    (
        Role::Khon,
        "khon, “nobleman”",
        "one step diagonally or one straight ahead (up the board for White). The bishop of ASEAN chess.",
    ),
    (
        Role::Met,
        "met, “seed”",
        "one step diagonally, so it never leaves the colour of its square. A pawn promotes only to this man: there is no queen.",
    ),
];

/// The rows of the table of limits against a bare king. Each is the stronger side's men in words,
/// and an example army.
const LIMITS: [(&str, &[Role]); 7] = [
    ("two or more ruea", &[Role::Rook, Role::Rook]),
    ("one ruea", &[Role::Rook]),
    ("two or more khons", &[Role::Khon, Role::Khon]),
    ("two or more ma", &[Role::Knight, Role::Knight]),
    ("one khon", &[Role::Khon]),
    ("one ma", &[Role::Knight]),
    ("mets alone", &[Role::Met]),
];

/// Makes the title and the introduction, with links.
pub fn header() -> Markup {
    html! {
        header {
            h1 { "Which endings beat the count" }
            p class="lead" {
                "Can these men mate before the count ends? Exact answers for every position of makruk (Thai chess), ASEAN chess and Cambodian ouk without pawns."
            }
            nav {
                @for (id, words) in [
                    ("rules", "The rules in a minute"), ("findings", "Findings"), ("overview", "All endings"),
                    ("tables", "What decides"), ("endings", "Ending by ending"),
                ] { a href={ "#" (id) } { (words) } " " }
                button type="button" id="language" lang="th" { "ไทย" }
            }
        }
    }
}

/// Explains the rules.
pub fn rules() -> Markup {
    html! {
        section id="rules" {
            h2 { "The rules in a minute" }
            p {
                "Makruk is chess with slower men. Mate wins, stalemate draws, and everything else about the endgame follows from two differences: the men below, and "
                b { "the count" } "."
            }
            div class="men" {
                @for (role, name, words) in MEN {
                    figure {
                        (moves_of(role))
                        figcaption {
                            (glyph(role, Color::White)) " " (glyph(role, Color::Black)) " "
                            b { (role.letter()) } " " (name) ": " (words)
                        }
                    }
                }
            }
            (count())
            p {
                "An ending is named by its men: " b { "KSMvK" }
                " is king, khon and met against king. In the diagrams White moves up the board."
            }
        }
    }
}

fn count() -> Markup {
    let [first, second] = [Color::White, Color::Black].map(|turn| {
        let men = army(&[Role::Khon, Role::Met]);
        fresh(RuleSet::Makruk, men, turn).map_or(0, |allowance| allowance.moves_available)
    });
    html! {
        h3 { "The count" }
        p {
            "A side that has only its king left may count its own moves aloud: " b { "pieces' honor" } " (" span lang="th" { "ศักดิ์หมาก" } ", sak mak). "
            "The count starts from the number of men on the board, both kings included. When the counting side has counted up to the limit, the stronger side has one last move; if that move does not mate, "
            b { "the game is drawn" } ". The limit depends on the men of the stronger side when the count begins; the first line that fits applies:"
        }
        div class="scroll" {
            table class="limits" {
                thead { tr { th { "the stronger side has" } @for rules in RuleSet::ALL { th { (short_name(rules)) } } } }
                tbody { @for (words, men) in LIMITS { tr {
                    th scope="row" { (words) }
                    @for rules in RuleSet::ALL { td { (limit(rules, army(men))) } }
                } } }
            }
        }
        p {
            "For example, king, khon and met against a bare king are four men, and the limit is 44. The bare king says “five” with its first move, so the stronger side has "
            (second) " moves, and " (first) " if it moves first. Mate is often further away than that: then the position is won on the board and drawn by the count, a "
            b { "count draw" } ". Once the count runs, captures change neither the limit nor the number."
        }
        p {
            "In ASEAN chess the count starts from one, whatever the number of men. The limit is 16 with a ruea, 44 with a khon and 64 with ma; mets alone have no limit. "
            "In ASEAN chess, as in chess, fifty moves without a capture are a draw. This rule can end each of these counts early (marked → in the table)."
        }
        p {
            "While both sides have men, makruk counts 64 moves and ouk 63: " b { "board's honor" } " (" span lang="th" { "ศักดิ์กระดาน" } ", sak kradan). "
            "Taking the last enemy man starts pieces' honor, which is often much shorter, so the capture can throw the win away. "
            "A position is won in time if mate, or a capture after which there is time to mate, can be forced within those moves: the "
            b { "distance to honor" } ". ASEAN chess counts nothing while both sides have men; there the fifty-move rule decides, and the distance ends with any capture after which the position is still won."
        }
    }
}

fn army(men: &[Role]) -> Army {
    men.iter().fold(Army::BARE, |army, &role| army.with(role))
}

/// The state of a fresh count of a bare king against the men of `white`.
fn fresh(rules: RuleSet, white: Army, turn: Color) -> Option<Allowance> {
    let black = Army::BARE;
    Allowance::new(
        rules,
        Material::new([white, black]),
        Color::White,
        turn,
        &Count::Fresh,
    )
}

/// The limit of the count for these men, and the limit of the fifty-move rule if that is lower.
fn limit(rules: RuleSet, men: Army) -> String {
    let limit = pieces_honor_limit(rules, men).map_or("none".to_string(), |n| n.to_string());
    match fresh(rules, men, Color::Black) {
        Some(allowance) if allowance.kind == LimitKind::FiftyMoves => {
            format!("{limit} → {}", allowance.limit)
        }
        _ => limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_table_agree_on_the_limits_of_asean_chess() {
        let limits = LIMITS.map(|(_, men)| limit(RuleSet::Asean, army(men)));
        let expected = ["16", "16", "44", "64 → 50", "44", "64 → 50", "none → 50"];
        assert_eq!(limits, expected);
        let page = rules().into_string();
        assert!(
            page.contains(
                "16 with a ruea, 44 with a khon and 64 with ma; mets alone have no limit"
            )
        );
        assert!(page.contains("has 40 moves, and 41 if it moves first"));
    }
}
