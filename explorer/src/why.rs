//! The consequences of a move: the line with which the opponent shows what the move is worth, with
//! the count at each step.

use serde::Serialize;

use super::refusal::Refusal;
use sakmak::board::{Color, Fen, Move, Position, Role};
use sakmak::probe::{End, Line, Played, RankedMove, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

/// The most plies of a line after which neither side can force mate.
const LONGEST_DRAW: usize = 24;

/// The JSON document about a move.
#[derive(Serialize)]
pub(super) struct Document {
    fen: String,
    rules: RuleSet,
    unit: &'static str,
    /// The move that the question is about.
    #[serde(rename = "move")]
    played: Step,
    /// The category of the player's best move.
    best_category: Category,
    follows: Follows,
    /// The line after the move.
    moves: Vec<Step>,
    last_fen: String,
    end: &'static str,
    /// The result of the line, as in a PGN.
    result: &'static str,
}

/// A move with the count after it.
#[derive(Serialize)]
struct Step {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: String,
    category: Category,
    /// The number that the player says with the move, if it is counted.
    counted: Option<u32>,
    fen: String,
    /// The side that can force mate after the move. Null if neither can.
    winner: Option<String>,
    /// The number of moves that this side then needs: to honor if both sides have men or there are
    /// bia, and otherwise to mate.
    needed: Option<u16>,
    /// The number of moves that the count then leaves this side. Null if no count runs.
    left: Option<u32>,
}

/// The event that decides the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Follows {
    /// Mate inside the count.
    Mate,
    /// The count runs out before mate.
    Count,
    /// The count that begins when the last bia promotes or falls runs out before mate.
    CountLate,
    /// The opponent takes a bia, and no mate can be forced any more.
    BiaFalls,
    /// The opponent takes another man, and no mate can be forced any more.
    ManFalls,
    /// Stalemate.
    Stalemate,
    /// No mate can be forced any more.
    NoMate,
}

/// Makes the JSON document about a legal move of a position.
///
/// # Errors
///
/// As for [`Tablebase::line`].
pub(super) fn document(
    tablebase: &Tablebase,
    fen: &Fen,
    rules: RuleSet,
    m: Move,
) -> Result<Document, Refusal> {
    let answer = tablebase.distance_answer(fen, rules)?;
    let Some(ranked) = answer.moves.iter().find(|ranked| ranked.m == m) else {
        return Err(Refusal::internal("a legal move is not ranked"));
    };
    let player = fen.position.turn();
    let (next, count) = answer.after(ranked);
    let line = match ranked.dtm.winner(player) {
        Some(_) => tablebase.line(&next, rules, &count)?,
        None => drawn_line(tablebase, &next, rules, &count)?,
    };
    let mut teller = Teller {
        tablebase,
        rules,
        position: fen.position,
        count: Count::from_fen(fen),
        fullmove: fen.fullmove,
        // In a draw the player has tried to win.
        winner: ranked.dtm.winner(player).unwrap_or(player),
    };
    let lettering = rules.lettering();
    Ok(Document {
        fen: fen.display(lettering).to_string(),
        rules,
        unit: "moves",
        played: teller.play(m, ranked.category)?,
        best_category: answer.value.category,
        follows: follows(&fen.position, player, &line),
        moves: line
            .moves
            .iter()
            .map(|played| teller.play(played.m, played.category))
            .collect::<Result<_, _>>()?,
        last_fen: teller.fen(),
        end: match line.end {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::Counted => "count",
            End::Draw => "draw",
        },
        result: line.result(),
    })
}

/// The event that decides a line after a move of `player` in the position `before`.
fn follows(before: &Position, player: Color, line: &Line) -> Follows {
    let taken = || {
        let last = line.moves.last()?;
        let (side, role) = last.before.man_at(last.m.to)?;
        (side == player).then_some(role)
    };
    match line.end {
        End::Checkmate => Follows::Mate,
        End::Stalemate => Follows::Stalemate,
        End::Counted if before.is_pawnless() => Follows::Count,
        End::Counted => Follows::CountLate,
        End::Draw => match taken() {
            Some(Role::Bia) => Follows::BiaFalls,
            Some(_) => Follows::ManFalls,
            None => Follows::NoMate,
        },
    }
}

/// A line from a position in which neither side can force mate. The opponent of the player who has
/// just moved is to move and takes a man if that keeps the draw; the player saves the men that can be
/// saved, and promotes bia or moves them. The line ends with such a capture or with stalemate. If it has neither, it is the
/// opponent's first move alone.
fn drawn_line(
    tablebase: &Tablebase,
    position: &Position,
    rules: RuleSet,
    count: &Count,
) -> Result<Line, Refusal> {
    let opponent = position.turn();
    let mut line = Line {
        moves: Vec::new(),
        last: *position,
        count: *count,
        end: End::Draw,
    };
    while line.moves.len() < LONGEST_DRAW {
        let before = line.last;
        let ranked = tablebase.best_moves(&before, rules, &line.count)?;
        let Some(best) = ranked.first() else {
            line.end = End::Stalemate;
            return Ok(line);
        };
        let bia = before.by_role(Role::Bia);
        let keeping = |wished: &dyn Fn(&&RankedMove) -> bool| {
            let mut moves = ranked.iter().filter(|m| m.category == best.category);
            moves.find(|m| wished(m))
        };
        let wished = match before.turn() == opponent {
            true => keeping(&|m| m.capture),
            // A man falls only if the player cannot save it.
            false => {
                let safe = |m: &&RankedMove| !can_capture(&before.play(m.m));
                keeping(&|m| safe(m) && m.m.promotion.is_some())
                    .or_else(|| keeping(&|m| safe(m) && bia.contains(m.m.from)))
                    .or_else(|| keeping(&|m| safe(m)))
            }
        };
        let played = wished.unwrap_or(best);
        line.last = before.play(played.m);
        line.count = line.count.after(rules, &before, &line.last, !opponent);
        line.moves.push(Played {
            before,
            m: played.m,
            category: played.category,
            dtm: played.dtm,
            counted: None,
            count: line.count,
        });
        if before.turn() == opponent && played.capture {
            return Ok(line);
        }
    }
    line.moves.truncate(1);
    if let Some(first) = line.moves.first() {
        line.last = first.before.play(first.m);
    }
    Ok(line)
}

/// True if the side to move can capture a man.
fn can_capture(position: &Position) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.any(|m| position.is_capture(m))
}

/// Plays a line and tells the count after each move.
struct Teller<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    position: Position,
    count: Count,
    fullmove: u32,
    /// The side that could win if nothing were counted.
    winner: Color,
}

impl Teller<'_> {
    fn play(&mut self, m: Move, category: Category) -> Result<Step, Refusal> {
        let Teller { rules, winner, .. } = *self;
        let before = self.position;
        let turn = before.turn();
        let next = before.play(m);
        self.count = self.count.after(rules, &before, &next, winner);
        self.position = next;
        self.fullmove = self
            .fullmove
            .saturating_add(u32::from(turn == Color::Black));
        let value = self.tablebase.probe(&next, rules, &self.count)?;
        let wins = value.dtm.winner(next.turn());
        let distance = value.dth.and_then(|dth| dth.moves());
        let needed = distance.or(value.dtm.moves()).map(u16::from);
        let number = self.count.number().filter(|&number| number > 0);
        Ok(Step {
            uci: m.uci(rules.lettering()).to_string(),
            san: before.san(m, rules.lettering()),
            player: turn.to_string(),
            category,
            counted: number.filter(|_| turn != winner),
            fen: self.fen(),
            winner: wins.map(|side| side.to_string()),
            needed: needed.filter(|_| wins.is_some()),
            left: value
                .allowance
                .filter(|_| wins.is_some())
                .map(|allowance| allowance.moves_available),
        })
    }

    /// The FEN of the position reached.
    fn fen(&self) -> String {
        let fen = self.count.to_fen(self.position, self.fullmove);
        fen.display(self.rules.lettering()).to_string()
    }
}
