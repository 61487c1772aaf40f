//! The promotions of an ending that come too early.

use maud::{Markup, html};
use sakmak_study::{PromotionScan, moves_in_words, text::number};

use super::diagram::board;
use super::figures::Figures;
use super::frame::Place;
use super::notation::spoken;
use super::sentences::{part, side_name};
use super::story::{EarlyPromotion, Story};

/// The section about promotions, with a worked position for each side. Nothing without a study.
pub(super) fn section(figures: &Figures, story: &Story, place: &Place) -> Markup {
    let scans = figures.promotions.iter().zip(&story.early);
    let scans: Vec<_> = scans.filter(|(scan, _)| scan.possible > 0).collect();
    html! {
        @if !scans.is_empty() {
            h2 { (place.words.t("early")) }
            @for (scan, example) in scans {
                p.early { (sentence(scan, place)) }
                @if let Some(early) = example {
                    div.boards { (worked(early, place)) }
                }
            }
        }
    }
}

fn sentence(scan: &PromotionScan, place: &Place) -> String {
    let words = place.words;
    let values = [
        ("side", side_name(scan.side, words)),
        ("percent", &part(scan.throws, scan.possible)),
        ("n", &number(scan.throws)),
        ("of", &number(scan.possible)),
        ("count", &number(scan.throws_by_count)),
    ];
    if scan.throws == 0 {
        return words.with("earlyNever", &values);
    }
    let mut sentence = words.with("earlyShare", &values);
    if scan.waits.asked > 0 {
        let waits = &scan.waits;
        let [half, most, asked] = [
            waits.median_moves.into(),
            waits.most_moves.into(),
            waits.asked,
        ]
        .map(number);
        let side = side_name(scan.side, words);
        let values = [
            ("side", side),
            ("half", &half),
            ("most", &most),
            ("asked", &asked),
        ];
        sentence += &format!(" {}", words.with("earlyWait", &values));
    }
    sentence
}

/// A position with the promotion that comes too early and the moves that win.
fn worked(early: &EarlyPromotion, place: &Place) -> Markup {
    let words = place.words;
    let promotion = early
        .fen
        .position
        .san(early.promotion, early.rules.lettering());
    let values = [
        ("n", early.needed.to_string()),
        (
            "left",
            early.left.map_or(String::new(), |left| left.to_string()),
        ),
    ];
    let values = values
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let say = |san: String| spoken(&san, words);
    board(
        &early.fen,
        early.rules,
        place,
        &html! {
            b { (spoken(&promotion, words)) } " "
            @if early.left.is_some() { (words.with("whyPromotesLate", &values)) "." }
            @else { (words.t("earlyThrows")) }
            " " (words.t("instead")) " " span.moves { (moves_in_words(&early.way, early.rules.lettering(), say)) }
        },
    )
}
