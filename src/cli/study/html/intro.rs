//! The first page, for a reader who knows chess but not makruk.

use sakmak::board::{Color, Role};
use sakmak::material::Army;
use sakmak::rules::{RuleSet, pieces_honor_limit};

use crate::cli::study::svg::{glyph, moves_of};

/// A man: its role, Thai name and what it does, to a chess player.
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
        "one step diagonally, so it never leaves the colour of its square. A pawn promotes to this, and to nothing else: there is no queen.",
    ),
];

/// The lines of the count against a bare king: what the stronger side has, and an army that has it.
const LIMITS: [(&str, &[Role]); 6] = [
    ("two or more ruea", &[Role::Rook, Role::Rook]),
    ("one ruea", &[Role::Rook]),
    ("two or more khon", &[Role::Khon, Role::Khon]),
    ("two or more ma", &[Role::Knight, Role::Knight]),
    ("one khon", &[Role::Khon]),
    ("anything else: one ma, or met alone", &[Role::Knight]),
];

/// The title and the explanation.
pub fn intro() -> String {
    let mut text = "<header><h1>Which endings beat the count</h1>\n<p class=\"lead\">With these men, against this king, is there time? \
Exact answers for every position of makruk (Thai chess), ASEAN chess and Cambodian ouk without pawns.</p>\n\
<nav><a href=\"#rules\">The rules in a minute</a> <a href=\"#findings\">Findings</a> <a href=\"#overview\">All endings</a> <a href=\"#tables\">What decides</a> <a href=\"#endings\">Ending by ending</a></nav></header>\n"
        .to_string();
    text += "<section id=\"rules\"><h2>The rules in a minute</h2>\n<p>Makruk is chess with slower men. Mate wins, stalemate draws, and everything else about the endgame follows from two differences: the men below, and <b>the count</b>.</p>\n<div class=\"men\">\n";
    for (role, name, words) in MEN {
        text += &format!(
            "<figure>{}<figcaption>{} {} <b>{}</b> {name}: {words}</figcaption></figure>\n",
            moves_of(role),
            glyph(role, Color::White),
            glyph(role, Color::Black),
            role.letter()
        );
    }
    text += "</div>\n<h3>The count</h3>\n<p>A side that has only its king left may count its own moves aloud. It starts from the number of men on the board, both kings included, and if it is not mated when it has said the limit and the stronger side has made one more move, <b>the game is drawn</b>. \
The limit depends on what the stronger side has when the count begins, the first line that fits:</p>\n<table class=\"limits\"><thead><tr><th>the stronger side has</th><th>makruk</th><th>ASEAN</th><th>ouk</th></tr></thead><tbody>\n";
    for (words, men) in LIMITS {
        let army = men.iter().fold(Army::BARE, |army, &role| army.with(role));
        let limits = [RuleSet::Makruk, RuleSet::Asean, RuleSet::Ouk]
            .map(|rules| pieces_honor_limit(rules, army))
            .map(|limit| limit.map_or("-".to_string(), |n| n.to_string()));
        text += &format!(
            "<tr><th scope=\"row\">{words}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            limits[0], limits[1], limits[2]
        );
    }
    text + "</tbody></table>\n\
<p>An example. King, khon and met against a bare king are four men; the limit is 44. The bare king says “five” with its first move, so the stronger side has 44 − 4 = 40 moves, and 41 if it moves first. Mate is often further away than that: then the position is won on the board and drawn by the count, a <b>count draw</b>. \
Once the count runs, neither the limit nor the number changes, whatever is captured. In ASEAN chess the men are not counted, and met alone have only the fifty-move rule.</p>\n\
<p>While both sides still have men, makruk and ouk count 64 and 63 moves. Taking the last enemy man begins the other count afresh, often a much shorter one: so the capture can throw the win away. A position is won in time if mate, or a capture after which there is time to mate, can be forced within those moves: the <b>distance to honor</b>. ASEAN chess counts nothing while both sides have men.</p>\n\
<p>An ending is named by its men: <b>KSMvK</b> is king, khon and met against king. In the diagrams White moves up the board.</p></section>\n"
}
