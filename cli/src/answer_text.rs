//! Writes the answer for a position in prose.

use sakmak::board::Color;
use sakmak::probe::{Answer, Distance, DistanceAnswer, Moves, RankedMove};
use sakmak::rules::{Category, LimitKind};

use super::category_answer_text;
use super::count::{capital, count_in_words};
use super::format::Columns;
use super::tables_args::TablesArgs;

/// Formats the answer as sentences, with a table of the moves.
pub fn text(known: &Answer, tables: &TablesArgs) -> String {
    match known {
        Answer::Distances(answer) => InWords(answer).text(),
        Answer::Categories(answer) => category_answer_text::text(answer, tables),
    }
}

struct InWords<'a>(&'a DistanceAnswer);

impl InWords<'_> {
    fn turn(&self) -> Color {
        self.0.fen.position.turn()
    }

    fn text(&self) -> String {
        let lettering = self.0.rules.lettering();
        let mut text = format!(
            "{}, {} to move, {}\n{}\n",
            self.0.fen.position.material(),
            self.turn(),
            self.0.rules,
            self.verdict()
        );
        if let Some(allowance) = self.0.value.allowance {
            text += &count_in_words(&allowance, self.winner());
        }
        if let Some(note) = self.0.note() {
            text += &format!("note: {note}\n");
        }
        if !self.0.moves.is_empty() {
            let heading = format!("moves for {}", self.turn());
            let two_sided = self.0.moves.iter().any(|ranked| ranked.dth.is_some());
            let mut columns = match two_sided {
                true => Columns::new(6, &[&heading, "", "", "without a count", "in time"]),
                false => Columns::new(4, &[&heading]),
            };
            for ranked in &self.0.moves {
                columns.row([
                    format!("  {}", self.0.fen.position.san(ranked.m, lettering)),
                    ranked.m.uci(lettering).to_string(),
                    ranked.category.to_string(),
                    distance(ranked.dtm),
                    ranked.dth.map(in_time).unwrap_or_default(),
                    why_drawn(ranked).unwrap_or_default(),
                ]);
            }
            text += &format!("\n{columns}");
        }
        text
    }

    /// The winning side, whose moves the count limits.
    fn winner(&self) -> Color {
        let turn = self.turn();
        let dth = self.0.value.dth.and_then(|dth| dth.winner(turn));
        let bare = || {
            let material = self.0.fen.position.material();
            Color::ALL
                .into_iter()
                .find(|&color| material.army(color).is_empty())
        };
        dth.or(self.0.value.dtm.winner(turn))
            .or_else(|| bare().map(|bare| !bare))
            .unwrap_or(turn)
    }

    /// Describes the position's value in a sentence: its category, the distance, and the effect of
    /// the count.
    fn verdict(&self) -> String {
        let winner = capital(self.winner());
        if self.0.checkmate() {
            return format!("loss: {} is checkmated", capital(self.turn()));
        }
        if self.0.stalemate() {
            return "draw: stalemate".to_string();
        }
        if self.0.insufficient_material {
            return "draw: no mate is possible with these men".to_string();
        }
        let Some(moves) = self.0.value.dtm.moves() else {
            return "draw: neither side can force mate".to_string();
        };
        let value = self.0.value;
        let category = value.category;
        let left = value.allowance.map(|allowance| allowance.moves_available);
        let is_pawnless = self.0.fen.position.is_pawnless();
        let ouk_with_bia = !is_pawnless && self.0.rules.counts_with_bia();
        let count = match left {
            None if ouk_with_bia => {
                "and no count begins against a bare king while a bia is on the board".to_string()
            }
            None if !is_pawnless => {
                "and nothing is counted while a bia is on the board".to_string()
            }
            None => "and nothing is counted".to_string(),
            Some(left) if category.is_count_draw() => {
                format!("but the count leaves {left}: count draw")
            }
            // A forced capture by the bare king may postpone the mate, because it restarts the
            // fifty moves.
            Some(left) if value.dth.is_none() && u32::from(moves.0) > left => format!(
                "and the count leaves {left}, but the bare king has to capture, which restarts the count of fifty moves"
            ),
            Some(left) => format!("and the count leaves {left}"),
        };
        let category_of = |rest: String| format!("{category}: {rest}, {count}");
        let any_capture = self.0.rules.has_fifty_move_rule();
        match value.dth {
            None => category_of(format!("{winner} mates in {moves}")),
            // Mate or an event as good as mate: the capture of the last man, any capture in ASEAN
            // chess, or the promotion or capture of the last bia.
            Some(dth) => match dth.moves() {
                Some(honor) => category_of(format!(
                    "{winner} mates, or {} in time, in {honor} (mate in {moves})",
                    match (any_capture, is_pawnless) {
                        (true, true) => "a man is captured",
                        (true, false) => "a man is captured or a bia moves",
                        (false, true) => "takes the last man",
                        (false, false) if ouk_with_bia => "the count against a bare king begins",
                        (false, false) => "the last bia is promoted or taken",
                    }
                )),
                None if any_capture => format!(
                    "{category}: {winner} would mate in {moves} if nothing were counted, but the fifty-move rule or the count against the bare king ends the game first: count draw"
                ),
                None if ouk_with_bia => format!(
                    "{category}: {winner} would mate in {moves} if nothing were counted, but whenever a king is bare and the last bia is gone, the count that then begins leaves too few moves: count draw"
                ),
                None if !is_pawnless => format!(
                    "{category}: {winner} would mate in {moves} if nothing were counted, but whenever the last bia is promoted or taken, the count that then begins leaves too few moves: count draw"
                ),
                None => format!(
                    "{category}: {winner} would mate in {moves} if nothing were counted, but whenever the last man is taken, the count against the bare king leaves too few moves: count draw"
                ),
            },
        }
    }
}

/// Explains why a move that promotes or captures the last bia draws, although one side can force
/// mate: the count that the move starts is too short. None for other moves.
fn why_drawn(ranked: &RankedMove) -> Option<String> {
    let begins = ranked.begins?;
    let left = begins.moves_available;
    let moves = match (ranked.category, ranked.dtm) {
        // The move itself is one of the counted moves.
        (Category::CursedWin, Distance::Win(Moves(moves))) => moves.saturating_sub(1),
        (Category::BlessedLoss, Distance::Loss(Moves(moves))) => moves,
        _ => return None,
    };
    let gone = match ranked.m.promotion {
        Some(_) => "promotes",
        None => "takes the last bia",
    };
    let link = match ranked.category {
        Category::CursedWin => "but",
        _ => "and",
    };
    Some(match begins.kind {
        LimitKind::PiecesHonor => {
            format!("{gone}, {link} mate then takes {moves} moves and the count leaves {left}")
        }
        _ => format!("{gone}, {link} the count leaves too few moves to win ({left} left)"),
    })
}

/// The distance to mate after a move, in words, from the view of the player who makes the move.
fn distance(dtm: Distance) -> String {
    match dtm {
        Distance::Win(moves) => format!("mates in {moves}"),
        Distance::Draw => String::new(),
        Distance::Loss(moves) => format!("is mated in {moves}"),
    }
}

/// The distance to honor in words, for example `in 12 moves`. Empty for a draw.
fn in_time(dth: Distance) -> String {
    match dth {
        Distance::Win(moves) | Distance::Loss(moves) => format!("in {moves}"),
        Distance::Draw => String::new(),
    }
}
