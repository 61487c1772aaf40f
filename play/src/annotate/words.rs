//! Describes the tables' results for a position or a move in words.

use super::game::Annotation;
use super::moment::{Judged, ProbedPosition};
use sakmak::board::{Color, Move};
use sakmak::rules::{Category, begins_afresh};

/// The capitalised name of a side.
pub(super) fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A number followed by its noun, such as `3 moves`.
pub(super) fn number_of(n: u32, thing: &str) -> String {
    match n {
        0 => format!("no {thing}"),
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}

/// Describes a position in the tables: the winner, the moves that the winner needs, and the moves
/// that the count leaves.
pub(super) fn standing(known: &ProbedPosition) -> String {
    let category = known.category();
    let (Some(stronger), Some(needed)) = (known.stronger(), known.needed()) else {
        return match (category, known.stronger()) {
            (Category::Draw, _) | (_, None) => "drawn".to_string(),
            (_, Some(stronger)) => format!(
                "drawn by the count: {} can force mate, but not inside the count that begins when the last {} {}",
                name(stronger),
                if known.position.is_pawnless() {
                    "man"
                } else {
                    "bia"
                },
                if known.position.is_pawnless() {
                    "is captured"
                } else {
                    "is captured or promoted"
                },
            ),
        };
    };
    let aim = match known.value.dth {
        Some(_) => "reaches honor in",
        None => "mates in",
    };
    let stronger = name(stronger);
    let left = known.left();
    match (category.is_count_draw(), left) {
        (true, Some(left)) => {
            let left = match left {
                0 => "none".to_string(),
                left => left.to_string(),
            };
            format!("drawn by the count: {stronger} {aim} {needed}, but the count leaves {left}")
        }
        (false, Some(left)) if needed > 0 => format!(
            "{stronger} {aim} {needed} and has {}",
            number_of(left, "move")
        ),
        _ if needed == 0 && known.position.is_checkmate() => format!("{stronger} has mated"),
        // The loser has no choice but to capture or promote the last bia.
        _ if needed == 0 => {
            format!("the next move promotes or takes the last bia, and {stronger} wins in time")
        }
        _ => format!("{stronger} {aim} {needed}"),
    }
}

impl Annotation {
    /// Describes a mistake: the result that it gave up, and the position after it.
    pub(super) fn mistake_in_words(&self, ply: usize, judged: &Judged) -> String {
        if let Some(early) = self.too_early(ply, judged) {
            return early;
        }
        let loss = match (judged.best, judged.played) {
            (Category::Win, Category::Loss) => "throws the win away and loses",
            (Category::Win, _) => "throws the win away",
            _ => "loses",
        };
        let after = self.moments[ply + 1].known.as_ref().map(standing);
        match after {
            Some(after) => format!("{loss} ({after})"),
            None => loss.to_string(),
        }
    }

    /// Describes a mistake that threw a win away by starting a count: the move captured or promoted
    /// the last bia too early. None for other mistakes.
    fn too_early(&self, ply: usize, judged: &Judged) -> Option<String> {
        let known = self.moments[ply + 1].known?;
        let ends_bia = self.ends_bia(ply, self.plies[ply].m);
        if judged.best != Category::Win || !known.category().is_count_draw() || !ends_bia {
            return None;
        }
        let how = match self.plies[ply].m.promotion {
            Some(_) => "promotes",
            None => "takes the last bia",
        };
        let left = known.left()?;
        Some(match known.needed() {
            Some(needed) => format!(
                "{how} too early: {} needed, {left} left",
                number_of(needed, "move")
            ),
            None => format!("{how} too early: the count leaves too few moves to win ({left} left)"),
        })
    }

    /// True if a move, played instead of the move at a ply, leaves no bia on the board and so begins
    /// a count.
    fn ends_bia(&self, ply: usize, m: Move) -> bool {
        let before = self.moments[ply].state.board.position();
        let after = before.play(m);
        !before.is_pawnless() && begins_afresh(self.rules, before.material(), after.material())
    }

    /// Names the moves that were better than a mistake, for the summary. If the mistake captured or
    /// promoted the last bia too early, names a move to play first.
    pub(super) fn instead_in_words(&self, ply: usize, judged: &Judged) -> String {
        match judged.keeping.first() {
            Some(&best) if !self.ends_bia(ply, best) && self.too_early(ply, judged).is_some() => {
                let san = self.moments[ply].state.board.san(best);
                format!("{} first", self.name_at(ply, &san))
            }
            _ => self.better_in_words(ply, judged),
        }
    }

    /// Names the moves that would have kept the result. If there are more than three, names the
    /// best one and states the number of the others.
    pub(super) fn better_in_words(&self, ply: usize, judged: &Judged) -> String {
        let board = &self.moments[ply].state.board;
        let mut moves = judged.keeping.iter().map(|&m| board.san(m));
        let first = self.name_at(ply, &moves.next().unwrap_or_default());
        let kept = match judged.best {
            Category::Win => "wins",
            _ => "draws",
        };
        match judged.keeping.len() {
            1 => format!("only {first} {kept}"),
            2 => format!(
                "{first} {kept}, and so does {}",
                moves.next().unwrap_or_default()
            ),
            3 => {
                let others: Vec<String> = moves.collect();
                format!("{first} {kept}, and so do {}", others.join(" and "))
            }
            n => format!("{first} {kept}, and so do {} other moves", n - 1),
        }
    }
}
