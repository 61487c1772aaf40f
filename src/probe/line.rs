//! Lines: best play by both sides from a position to the end, as moves, as the JSON document of
//! `line --json`, and as PGN for other programs to replay.

use serde::Serialize;

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::ranking::RankedMove;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Lettering, Move, Position};
use crate::game::pgn::variant_of_rules;
use crate::rules::{Category, Count, RuleSet};

/// One move of a line of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// The category of the move, for the player who makes it.
    pub category: Category,
    /// The distance to mate for the player who makes the move, measured from the position before
    /// the move.
    pub dtm: Distance,
    /// The number that the player says aloud with the move, if the move is counted.
    pub counted: Option<u32>,
    /// The count after the move.
    pub count: Count,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// The count has run out, which draws the game.
    Counted,
    /// Neither side can win.
    Draw,
}

/// A line: best play by both sides, from a position to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves of the line.
    pub moves: Vec<Played>,
    /// The position at the end of the line.
    pub last: Position,
    /// The count at the end of the line.
    pub count: Count,
    /// The reason why the line ends.
    pub end: End,
}

impl Tablebase {
    /// Best play by both sides under a rule set and a count. The line ends with mate, at the end of
    /// the count, or when neither side can force mate.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::best_moves`], for every position of the line.
    pub fn line(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Line, ProbeError> {
        self.play_on(Line::empty(position, count), rules)
    }

    /// The line that begins with a move that [`Tablebase::best_moves`] has ranked under the same
    /// count, and continues with best play by both sides.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::line`].
    pub fn line_after(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        first: &RankedMove,
    ) -> Result<Line, ProbeError> {
        let mut line = Line::empty(position, count);
        // In a draw either side may be taken for the winner.
        let winner = first.dtm.winner(position.turn());
        line.push(first, rules, winner.unwrap_or(position.turn()));
        self.play_on(line, rules)
    }

    /// The line continued with best play by both sides.
    fn play_on(&self, mut line: Line, rules: RuleSet) -> Result<Line, ProbeError> {
        loop {
            let before = line.last;
            let ranked = self.best_moves(&before, rules, &line.count)?;
            let Some(best) = ranked.first() else {
                line.end = match before.is_check() {
                    true => End::Checkmate,
                    false => End::Stalemate,
                };
                return Ok(line);
            };
            let winner = best.dtm.winner(before.turn());
            let winner_to_move = winner.is_none_or(|winner| winner == before.turn());
            if line.count.is_over(rules, winner_to_move) {
                line.end = End::Counted;
                return Ok(line);
            }
            let Some(winner) = winner else {
                return Ok(line);
            };
            line.push(best, rules, winner);
        }
    }
}

impl Line {
    fn empty(position: &Position, count: &Count) -> Line {
        Line {
            moves: Vec::new(),
            last: *position,
            count: *count,
            end: End::Draw,
        }
    }

    /// Adds a move to the end of the line.
    fn push(&mut self, ranked: &RankedMove, rules: RuleSet, winner: Color) {
        let before = self.last;
        let next = before.play(ranked.m);
        let count = self.count.after(rules, &before, &next, winner);
        let counted = count.number().filter(|_| before.turn() != winner);
        // The count of 0 is not said aloud.
        let counted = counted.filter(|&number| number > 0);
        self.moves.push(Played {
            before,
            m: ranked.m,
            category: ranked.category,
            dtm: ranked.dtm,
            counted,
            count,
        });
        self.last = next;
        self.count = count;
    }
}

/// A line of best play, as the JSON document that `line --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct LineDocument {
    fen: String,
    rules: RuleSet,
    unit: &'static str,
    moves: Vec<PlayedDocument>,
    last_fen: String,
    end: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct PlayedDocument {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: String,
    category: Category,
    dtm: Option<Moves>,
    counted: Option<u32>,
    /// The FEN after the move, with its count.
    fen: String,
}

impl Line {
    /// Converts the line to a JSON document; `fen` is the position at the start of the line.
    pub fn document(&self, fen: &Fen, rules: RuleSet) -> LineDocument {
        let lettering = rules.lettering();
        let mut fullmove = fen.fullmove;
        let move_document = |played: &Played| {
            let turn = played.before.turn();
            let next = played.before.play(played.m);
            fullmove = fullmove.saturating_add(u32::from(turn == Color::Black));
            PlayedDocument {
                uci: played.m.uci(lettering).to_string(),
                san: played.before.san(played.m, lettering),
                player: turn.to_string(),
                category: played.category,
                dtm: played.dtm.moves(),
                counted: played.counted,
                fen: (played.count.to_fen(next, fullmove))
                    .display(lettering)
                    .to_string(),
            }
        };
        LineDocument {
            fen: fen.display(lettering).to_string(),
            rules,
            unit: "moves",
            moves: self.moves.iter().map(move_document).collect(),
            last_fen: self.last_fen(fen).display(lettering).to_string(),
            end: match self.end {
                End::Checkmate => "checkmate",
                End::Stalemate => "stalemate",
                End::Counted => "count",
                End::Draw => "draw",
            },
            result: self.result(),
        }
    }

    /// The FEN of the last position of the line, with the count there; `fen` is the position at the
    /// start of the line.
    pub fn last_fen(&self, fen: &Fen) -> Fen {
        let black_moves = self
            .moves
            .iter()
            .filter(|m| m.before.turn() == Color::Black);
        let fullmove = fen.fullmove.saturating_add(black_moves.count() as u32);
        self.count.to_fen(self.last, fullmove)
    }

    /// The result as in PGN: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match (self.end, self.last.turn()) {
            (End::Checkmate, Color::White) => "0-1",
            (End::Checkmate, Color::Black) => "1-0",
            _ => "1/2-1/2",
        }
    }
}

/// The maximum length of a line of PGN, in characters.
const WIDTH: usize = 80;

/// Describes the end of the line of play.
pub fn line_end(line: &Line) -> String {
    match line.end {
        End::Checkmate => match line.last.turn() {
            Color::White => "White is checkmated".to_string(),
            Color::Black => "Black is checkmated".to_string(),
        },
        End::Stalemate => "stalemate: drawn".to_string(),
        End::Counted => match line.count.running() {
            Some((limit_plies, counted_plies)) if counted_plies >= limit_plies => {
                let limit = limit_plies / 2;
                format!("the count of {limit} is over: drawn by the count")
            }
            _ => "fifty moves without a capture: drawn".to_string(),
        },
        End::Draw => "neither side can force mate: drawn".to_string(),
    }
}

/// Writes the line of play as PGN. `event` is the value of the Event tag. Comments contain the
/// numbers that are counted aloud with the moves.
pub fn line_pgn(event: &str, fen: &Fen, rules: RuleSet, line: &Line) -> String {
    let lettering = rules.lettering();
    let tags = [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "sakmak"),
        ("Black", "sakmak"),
        ("Result", line.result()),
        ("Variant", variant_of_rules(rules)),
        ("SetUp", "1"),
    ];
    let mut text: String = tags
        .iter()
        .map(|(tag, value)| format!("[{tag} \"{value}\"]\n"))
        .collect();
    text += &format!("[FEN \"{}\"]\n\n", fen.display(lettering));
    let mut width = 0;
    for word in words(fen, lettering, line) {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += &word;
        width += word.len();
    }
    text + "\n"
}

fn words(fen: &Fen, lettering: Lettering, line: &Line) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = fen.fullmove;
    // After a comment, Black's move needs its number again.
    let mut commented = true;
    for played in &line.moves {
        let white = played.before.turn() == Color::White;
        match white {
            true => words.push(format!("{number}.")),
            false if commented => words.push(format!("{number}...")),
            false => {}
        }
        words.push(played.before.san(played.m, lettering));
        commented = false;
        if let Some(counted) = played.counted {
            words.push(format!("{{{counted}}}"));
            commented = true;
        }
        number += u32::from(!white);
    }
    words.push(format!("{{{}}}", line_end(line)));
    words.push(line.result().to_string());
    words
}
