//! Plays a game through and asks the tables at every move.

use std::collections::HashMap;

use thiserror::Error;

use super::count::{Tracker, is_two_sided, number_said};
use super::judge::Judged;
use super::moment::{Known, Moment};
use super::options::Options;
use crate::board::{Color, FenError, Move, SanError};
use crate::game::pgn::{PgnGame, rules_of_variant};
use crate::game::{GameBoard, GameState};
use crate::material::CanonicalMaterial;
use crate::probe::{ProbeError, Tablebase};
use crate::rules::{Count, RuleSet};

/// A game with all that the tables say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The game as it was written.
    pub game: PgnGame,
    /// Its rules.
    pub rules: RuleSet,
    /// The game before its first move and after each.
    pub moments: Vec<Moment>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// Where it goes no further, if not at its end.
    pub stop: Option<Stop>,
    /// The side that counted board's honor, if that is said.
    pub counting_side: Option<Color>,
    /// A number said against a bare king that was not the count's, and the right one.
    pub wrong_number: Option<(u32, u32)>,
    /// [`Counting::From`](super::Counting::From) names a move at which no count can begin.
    pub cannot_count: bool,
    /// The smallest ending that the game came to whose table is missing.
    pub missing: Option<CanonicalMaterial>,
    /// True if the last position was there three times.
    pub is_repetition: bool,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The move as Fairy-Stockfish writes it.
    pub san: String,
    /// What it was worth beside the others; none if the tables do not know.
    pub judged: Option<Judged>,
    /// The same if board's honor was counted from the first moment on, where nobody says it.
    pub judged_if_counted: Option<Judged>,
}

/// Why a game goes no further.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at ply {ply}, in line {line}, {reason}")]
pub struct Stop {
    /// The ply that cannot be played, from 1.
    pub ply: usize,
    /// The line of the file.
    pub line: usize,
    /// Why.
    pub reason: SanError,
}

/// Why nothing of a game can be annotated.
#[derive(Debug, Error)]
pub enum AnnotateError {
    /// Not one of the games known here.
    #[error(
        "its Variant is {0:?}, which is not played here: annotate makruk, ASEAN chess and Cambodian (ouk)"
    )]
    Variant(String),
    /// It does not begin with a legal position.
    #[error("it cannot begin: {0}")]
    Fen(#[from] FenError),
    /// A table cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Plays a game through and asks the tables at every move.
///
/// # Errors
///
/// If it is not one of the games known here, does not begin with a legal position, or a table
/// cannot be used. A move that is not legal is no error: see [`Annotation::stop`].
pub fn annotate(
    tablebase: &Tablebase,
    game: PgnGame,
    options: &Options,
) -> Result<Annotation, AnnotateError> {
    let rules = match game.tag("Variant") {
        None | Some("" | "?") => options.rules,
        Some(name) => {
            rules_of_variant(name).ok_or_else(|| AnnotateError::Variant(name.to_string()))?
        }
    };
    let start = match game.tag("FEN") {
        None | Some("" | "?") => GameState::start(rules),
        Some(fen) => GameState::from_fen(fen, rules)?,
    };
    let says_numbers = game.moves.iter().any(|m| number_said(m).is_some());
    let mut player = Player {
        tablebase,
        rules,
        tracker: Tracker::new(start, options.counting, says_numbers),
        missing: None,
        cannot_count: false,
        seen: HashMap::new(),
    };
    let mut moments = vec![player.moment()?];
    let mut plies = Vec::with_capacity(game.moves.len());
    let mut stop = None;
    for written in &game.moves {
        let before = player.tracker.state.board;
        let m = match before.parse_san(&written.san) {
            Ok(m) => m,
            Err(reason) => {
                stop = Some(Stop {
                    ply: plies.len() + 1,
                    line: written.line,
                    reason,
                });
                break;
            }
        };
        let (judged, judged_if_counted) = player.judge(m)?;
        player.tracker.play(m, written);
        plies.push(Ply {
            m,
            san: before.san(m),
            judged,
            judged_if_counted,
        });
        moments.push(player.moment()?);
    }
    let last = player.tracker.state.board;
    Ok(Annotation {
        game,
        rules,
        moments,
        plies,
        stop,
        counting_side: player.tracker.counting_side,
        wrong_number: player.tracker.wrong_number,
        cannot_count: player.cannot_count,
        missing: player.missing,
        is_repetition: player.seen.get(&last).is_some_and(|&times| times >= 3),
    })
}

struct Player<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    tracker: Tracker,
    missing: Option<CanonicalMaterial>,
    cannot_count: bool,
    /// How often each position was there.
    seen: HashMap<GameBoard, u32>,
}

impl Player<'_> {
    /// The position that is there, with what the tables say of it.
    fn moment(&mut self) -> Result<Moment, ProbeError> {
        self.cannot_count |= self.tracker.before_move(self.tablebase);
        let state = self.tracker.state;
        *self.seen.entry(state.board).or_insert(0) += 1;
        let mut known = None;
        if let Some(position) = state.board.in_tables() {
            let count = self.allowed(self.tracker.count());
            let if_counted = self.tracker.if_counted();
            match Known::ask(self.tablebase, self.rules, position, count, if_counted) {
                Ok(answer) => known = Some(answer),
                Err(ProbeError::Missing { material, .. }) => self.missing = Some(material),
                Err(error) => return Err(error),
            }
        }
        Ok(Moment { state, known })
    }

    /// A count, unless it means nothing with the men that are there.
    fn allowed(&self, count: Count) -> Count {
        let position = self.tracker.state.board.in_tables();
        let means = |material| count.validate(self.rules, material).is_ok();
        match position.is_some_and(|position| means(position.material())) {
            true => count,
            false => Count::Fresh,
        }
    }

    /// What a move is worth, with the count there and with the other reading of it.
    fn judge(&self, m: Move) -> Result<(Option<Judged>, Option<Judged>), ProbeError> {
        let Some(position) = self.tracker.state.board.in_tables() else {
            return Ok((None, None));
        };
        let judge = |count| Judged::ask(self.tablebase, self.rules, &position, &count, m.into());
        let judged = judge(self.allowed(self.tracker.count()))?;
        let other = match self.tracker.if_counted() {
            Some(count) if judged.is_some() => judge(count)?,
            _ => None,
        };
        Ok((judged, other))
    }
}

impl Annotation {
    /// A move with its number: `78. Kxb7` or `78... Ka4`.
    pub fn move_name(&self, ply: usize) -> String {
        let played = self.plies.get(ply).map_or("", |ply| &ply.san);
        self.name_at(ply, played)
    }

    /// Another move in place of one of the game, with its number.
    pub(super) fn name_at(&self, ply: usize, san: &str) -> String {
        let state = &self.moments[ply.min(self.moments.len() - 1)].state;
        let dots = match state.board.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        format!("{}{dots} {san}", state.counters.fullmove)
    }

    /// True if a position of the game is in the tables.
    pub fn is_known(&self) -> bool {
        self.moments.iter().any(|moment| moment.known.is_some())
    }

    /// True if both sides have men at a moment.
    pub(super) fn is_two_sided(&self, moment: usize) -> bool {
        is_two_sided(&self.moments[moment].state)
    }

    /// The last moment.
    pub(super) fn last(&self) -> &Moment {
        // There is the one before the first move.
        &self.moments[self.moments.len() - 1]
    }
}
