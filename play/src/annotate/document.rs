//! The JSON document of an annotated game.

use serde::Serialize;

use super::facts::{CountBegun, Termination};
use super::game::Annotation;
use super::moment::{Judged, Moment, ProbedPosition};
use sakmak::board::Color;
use sakmak::probe::{Distance, Moves};
use sakmak::rules::{Allowance, Category, LimitKind, RuleSet};

/// The number of characters of a token that a document quotes, more than any move has.
const LONGEST_TOKEN: usize = 60;

/// The output of `annotate --json` for a game.
#[derive(Clone, Debug, Serialize)]
pub struct AnnotationDocument {
    line: usize,
    tags: Vec<(String, String)>,
    rules: RuleSet,
    result: String,
    unit: &'static str,
    /// The positions before the first move and after each move.
    positions: Vec<PositionDocument>,
    counts: Vec<CountDocument>,
    /// The numbers of the plies that made the player's result worse. The first ply is 1.
    mistakes: Vec<usize>,
    last_chance: LastChance,
    end: &'static str,
    draw_since_ply: Option<usize>,
    repetition_ply: Option<usize>,
    summary: Vec<String>,
    error: Option<ErrorDocument>,
}

#[derive(Clone, Debug, Serialize)]
struct PositionDocument {
    ply: usize,
    #[serde(rename = "move")]
    played: Option<MoveDocument>,
    fen: String,
    known: Option<KnownDocument>,
}

#[derive(Clone, Debug, Serialize)]
struct MoveDocument {
    number: u32,
    #[serde(rename = "for")]
    player: String,
    san: String,
    uci: String,
    judged: Option<JudgedDocument>,
    judged_if_counted: Option<JudgedDocument>,
}

#[derive(Clone, Debug, Serialize)]
struct JudgedDocument {
    mistake: bool,
    category: Category,
    best_category: Category,
    /// The moves that keep the player's result, the best first.
    keeping: Vec<String>,
    legal_moves: usize,
    cost: u32,
    line: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize)]
struct KnownDocument {
    #[serde(rename = "for")]
    side_to_move: String,
    category: Category,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    count: Option<Allowance>,
    if_counted: Option<IfCounted>,
}

#[derive(Clone, Debug, Serialize)]
struct IfCounted {
    fen: String,
    category: Category,
    count: Option<Allowance>,
}

#[derive(Clone, Debug, Serialize)]
struct CountDocument {
    ply: usize,
    kind: LimitKind,
    side: Option<String>,
    limit: u32,
    in_place_of: Option<u32>,
    first_number: u32,
    moves_available: Option<u32>,
    moves_needed: Option<u32>,
    certain: bool,
}

#[derive(Clone, Debug, Serialize)]
struct LastChance {
    white: Option<usize>,
    black: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct ErrorDocument {
    kind: &'static str,
    ply: usize,
    line: usize,
    token: String,
    message: String,
}

impl Annotation {
    /// Converts the annotated game to the structure that is written as JSON.
    pub fn document(&self) -> AnnotationDocument {
        let facts = self.facts();
        let [white, black] = facts.last_chance.map(|ply| ply.map(|ply| ply + 1));
        AnnotationDocument {
            line: self.game.line,
            tags: self.game.tags.clone(),
            rules: self.rules,
            result: self.game.result().to_string(),
            unit: "moves",
            positions: (0..self.moments.len())
                .map(|moment| self.position(moment))
                .collect(),
            counts: facts.counts.iter().map(count).collect(),
            mistakes: facts.mistakes.iter().map(|ply| ply + 1).collect(),
            last_chance: LastChance { white, black },
            end: match facts.end {
                Termination::Checkmate(Color::White) => "white-mates",
                Termination::Checkmate(Color::Black) => "black-mates",
                Termination::Stalemate => "stalemate",
                Termination::Insufficient => "insufficient-material",
                Termination::CountOver => "count",
                Termination::Repetition => "repetition",
                Termination::Open => "open",
            },
            draw_since_ply: facts.over,
            repetition_ply: facts.repetition,
            summary: self.summary(),
            error: self.stop.as_ref().map(|stop| ErrorDocument {
                kind: "input",
                ply: stop.ply,
                line: stop.line,
                token: self.game.moves[self.plies.len()]
                    .san
                    .chars()
                    .take(LONGEST_TOKEN)
                    .collect(),
                message: stop.why(),
            }),
        }
    }

    fn position(&self, moment: usize) -> PositionDocument {
        let Moment { state, known, .. } = &self.moments[moment];
        let fen = |known: &ProbedPosition, count: sakmak::rules::Count| {
            let fen = count.to_fen(known.position, state.counters.fullmove);
            fen.display(self.rules.lettering()).to_string()
        };
        PositionDocument {
            ply: moment,
            played: moment.checked_sub(1).map(|ply| self.played(ply)),
            fen: match known {
                Some(known) => fen(known, known.count),
                None => state.to_string(),
            },
            known: known.as_ref().map(|known| KnownDocument {
                side_to_move: known.position.turn().to_string(),
                category: known.category(),
                dtm: known.value.dtm.moves(),
                dth: known.value.dth.and_then(Distance::moves),
                count: known.value.allowance,
                if_counted: known.if_counted.map(|(count, value)| IfCounted {
                    fen: fen(known, count),
                    category: value.category,
                    count: value.allowance,
                }),
            }),
        }
    }

    fn played(&self, ply: usize) -> MoveDocument {
        let before = &self.moments[ply].state;
        let played = &self.plies[ply];
        let judged = |judged: &Judged| JudgedDocument {
            mistake: judged.is_mistake(),
            category: judged.played,
            best_category: judged.best,
            keeping: judged
                .keeping
                .iter()
                .map(|&m| before.board.san(m))
                .collect(),
            legal_moves: judged.legal,
            cost: judged.cost,
            line: judged.line.as_ref().map(|line| {
                let lettering = self.rules.lettering();
                let sans = line
                    .moves
                    .iter()
                    .map(|played| played.before.san(played.m, lettering));
                sans.collect()
            }),
        };
        MoveDocument {
            number: before.counters.fullmove,
            player: before.board.turn().to_string(),
            san: played.san.clone(),
            uci: played.m.uci(self.rules.lettering()).to_string(),
            judged: played.judged.as_ref().map(judged),
            judged_if_counted: played.judged_if_counted.as_ref().map(judged),
        }
    }
}

fn count(begun: &CountBegun) -> CountDocument {
    CountDocument {
        ply: begun.moment,
        kind: begun.kind,
        side: begun.side.map(|side| side.to_string()),
        limit: begun.limit,
        in_place_of: begun.in_place_of,
        first_number: begun.first_number,
        moves_available: begun.left,
        moves_needed: begun.needed,
        certain: begun.is_certain,
    }
}
