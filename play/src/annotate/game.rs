//! Plays through a game, and probes every position.

use std::collections::HashMap;

use thiserror::Error;

use super::count::{Numbers, Tracker, is_before_pieces_honor};
use super::moment::{Judged, Moment, ProbedPosition};
use super::options::AnnotateOptions;
use sakmak::board::{Color, FenError, LeapRights, Move, Position, SanError};
use sakmak::game::GameState;
use sakmak::game::pgn::{PgnGame, rules_of_variant};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet, RuleSets};
use sakmak::table::TableKind;

/// A game with the tables' results for its positions and moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The game as it is written in the file.
    pub game: PgnGame,
    /// The rule set of the game.
    pub rules: RuleSet,
    /// The positions of the game: before its first move and after each move.
    pub moments: Vec<Moment>,
    /// The moves that were played.
    pub plies: Vec<Ply>,
    /// The first move that cannot be played. None if all moves can be played.
    pub stop: Option<Stop>,
    /// The side that counted board's honor. None if it is unknown.
    pub counting_side: Option<Color>,
    /// The first wrong number that the game announces for the count against a bare king, then the
    /// correct number.
    pub wrong_number: Option<(u32, u32)>,
    /// True if [`Counting::From`](super::Counting::From) gives a move at which no count can begin.
    pub cannot_count: bool,
    /// The ending whose table was missing for the last failed probe. None if no probe failed.
    pub missing: Option<CanonicalMaterial>,
    /// True if the table of `missing` exists, but has no results for the game's rule set.
    pub lacks_rules: bool,
    /// True if the game's comments contain numbers that do not form a count.
    pub numbers_are_no_count: bool,
    /// True if the last position occurred three times.
    pub is_repetition: bool,
    /// The first moment of a threefold repetition.
    pub repetition: Option<usize>,
    /// The largest number of men in a table, and whether there are tables with bia.
    pub reach: Reach,
}

/// The endings that a set of tables covers: the largest number of men, and whether bia are
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The largest number of men in a table, kings included. 0 if there are no tables.
    pub most_men: usize,
    /// True if there are tables of endings with bia.
    pub bia: bool,
}

/// True if an ending has bia.
fn has_bia(material: CanonicalMaterial) -> bool {
    !material.is_pawnless()
}

impl Reach {
    /// Returns the reach of the tables under a rule set. Of the tables of endings with bia, only those
    /// of its game are used.
    fn of(tablebase: &Tablebase, rules: RuleSet) -> Reach {
        let of_game = |m: &CanonicalMaterial| m.is_pawnless() || m.game() == rules.game();
        let materials = || tablebase.inventory().materials().filter(of_game);
        let all = TableKind::ALL
            .into_iter()
            .flat_map(|kind| tablebase.inventory().materials_of(kind));
        let men = all.filter(of_game).map(CanonicalMaterial::men);
        let has_rules = |material| {
            let found = tablebase.inventory().rule_sets(material);
            found.is_ok_and(|found| found.contains(rules))
        };
        let mut with_bia = materials().filter(|&material| has_bia(material));
        Reach {
            most_men: men.max().unwrap_or(0),
            bia: with_bia.any(has_rules),
        }
    }

    /// True if an ending has at most as many men as the largest ending with a table, and no bia
    /// unless there are tables with bia.
    pub(super) fn has(self, material: CanonicalMaterial) -> bool {
        material.men() <= self.most_men && (self.bia || !has_bia(material))
    }
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move itself.
    pub m: Move,
    /// The move in Fairy-Stockfish's notation.
    pub san: String,
    /// The move compared with the other legal moves. None if the position is not in the tables.
    pub judged: Option<Judged>,
    /// The same comparison as in `judged`, as if board's honor had been counted from its first
    /// possible moment. None if the game shows whether it was counted.
    pub judged_if_counted: Option<Judged>,
}

/// A move that cannot be played, at which the annotation stops.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at move {number}{} (ply {ply}), in line {line}, {}", dots(*.player), self.why())]
pub struct Stop {
    /// The number of the ply that cannot be played. The first ply is 1.
    pub ply: usize,
    /// The number of the move in the game.
    pub number: u32,
    /// The side that would make the move.
    pub player: Color,
    /// The line of the file that contains the move.
    pub line: usize,
    /// The reason why the move cannot be played.
    pub reason: SanError,
    /// True if the game may be one of chess: it names no variant, starts at the start position, and
    /// stops in its first moves.
    pub may_be_chess: bool,
}

/// The number of plies within which a game of chess stops, because the men of makruk stand and move
/// otherwise.
const CHESS_STOPS_WITHIN: usize = 10;

impl Stop {
    /// The reason, with the question whether the game is one of chess.
    pub fn why(&self) -> String {
        match self.may_be_chess {
            true => format!(
                "{}; is this chess? sakmak reads {}",
                self.reason,
                RuleSets::ALL
            ),
            false => self.reason.to_string(),
        }
    }
}

/// The dots after a move number: one if White is to move, three if Black is.
fn dots(player: Color) -> &'static str {
    match player {
        Color::White => ".",
        Color::Black => "...",
    }
}

/// The reason why a game cannot be annotated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnnotateError {
    /// The game's Variant tag names an unknown variant.
    #[error("unsupported Variant {0:?}: expected {names}", names = RuleSet::alternatives())]
    Variant(String),
    /// The first position of the game is invalid.
    #[error("invalid first position: {0}")]
    Fen(#[from] FenError),
    /// A table cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Plays through a game, and probes every position.
///
/// # Errors
///
/// If the variant is unknown, the first position is invalid, or a table cannot be used. An illegal
/// move is not an error: see [`Annotation::stop`].
pub fn annotate(
    tablebase: &Tablebase,
    game: PgnGame,
    options: &AnnotateOptions,
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
    let (moves, states, stop) = play_through(start, &game);
    let numbers = Numbers::of_game(&game.moves, &states);
    let mut player = Player {
        tablebase,
        rules,
        tracker: Tracker::new(start, options.counting, numbers.are_count()),
        missing: None,
        lacks_rules: false,
        cannot_count: false,
        seen: HashMap::new(),
        repetition: None,
    };
    let mut moments = vec![player.moment(0)?];
    let mut plies = Vec::with_capacity(moves.len());
    for (ply, m) in moves.into_iter().enumerate() {
        let san = player.tracker.state.board.san(m);
        let (judged, judged_if_counted) = player.judge(m)?;
        player.tracker.play(m, numbers.announced_with(ply));
        plies.push(Ply {
            m,
            san,
            judged,
            judged_if_counted,
        });
        moments.push(player.moment(ply + 1)?);
    }
    let last = player.occurrences();
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
        lacks_rules: player.lacks_rules,
        numbers_are_no_count: numbers.are_no_count,
        is_repetition: last >= 3,
        repetition: player.repetition,
        reach: Reach::of(tablebase, rules),
    })
}

/// Plays through the moves of a game. Returns the playable moves, the states before the first move
/// and after each move, and the first move that cannot be played.
fn play_through(start: GameState, game: &PgnGame) -> (Vec<Move>, Vec<GameState>, Option<Stop>) {
    let notation = game.notation();
    let mut moves = Vec::with_capacity(game.moves.len());
    let mut states = vec![start];
    let mut state = start;
    for written in &game.moves {
        let m = match state.board.parse_san_as(&written.san, notation) {
            Ok(m) => m,
            Err(reason) => {
                let is_known = |name| !matches!(game.tag(name), None | Some("" | "?"));
                let stop = Stop {
                    may_be_chess: moves.len() < CHESS_STOPS_WITHIN
                        && !["Variant", "FEN"].into_iter().any(is_known),
                    ply: moves.len() + 1,
                    number: state.counters.fullmove,
                    player: state.board.turn(),
                    line: written.line,
                    reason,
                };
                return (moves, states, Some(stop));
            }
        };
        state = state.play(m);
        moves.push(m);
        states.push(state);
    }
    (moves, states, None)
}

struct Player<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    tracker: Tracker,
    missing: Option<CanonicalMaterial>,
    lacks_rules: bool,
    cannot_count: bool,
    /// The number of times that each position has occurred.
    seen: HashMap<RepetitionKey, u32>,
    repetition: Option<usize>,
}

impl Player<'_> {
    /// Probes the current position and counts its occurrences. Returns the moment with the index
    /// `moment`.
    fn moment(&mut self, moment: usize) -> Result<Moment, ProbeError> {
        self.cannot_count |= self.tracker.before_move(self.tablebase);
        let state = self.tracker.state;
        let times = self.seen.entry(repetition_key(&state)).or_insert(0);
        *times += 1;
        if *times >= 3 {
            self.repetition.get_or_insert(moment);
        }
        let mut known = None;
        if let Some(position) = state.board.in_tables() {
            let count = self.allowed(self.tracker.count());
            let if_counted = self.tracker.if_counted();
            match ProbedPosition::probe(self.tablebase, self.rules, position, count, if_counted) {
                Ok(answer) => known = Some(answer),
                Err(error) if error.is_missing() => {
                    self.missing = error.missing();
                    self.lacks_rules = matches!(error, ProbeError::MissingRules { .. });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Moment {
            state,
            is_counted: self.tracker.is_counted(),
            known,
        })
    }

    /// The number of times that the current position has occurred in the game.
    fn occurrences(&self) -> u32 {
        let position = repetition_key(&self.tracker.state);
        self.seen.get(&position).copied().unwrap_or(0)
    }

    /// Returns the count if it is possible with the men on the board, otherwise a fresh count.
    fn allowed(&self, count: Count) -> Count {
        let position = self.tracker.state.board.in_tables();
        let is_valid = |material| count.validate(self.rules, material).is_ok();
        match position.is_some_and(|position| is_valid(position.material())) {
            true => count,
            false => Count::Fresh,
        }
    }

    /// Judges a move twice: under the count of the game, and as if board's honor had been counted
    /// from its first possible moment.
    fn judge(&self, m: Move) -> Result<(Option<Judged>, Option<Judged>), ProbeError> {
        let Some(position) = self.tracker.state.board.in_tables() else {
            return Ok((None, None));
        };
        let judge = |count| Judged::of_move(self.tablebase, self.rules, &position, &count, m);
        let judged = judge(self.allowed(self.tracker.count()))?;
        let other = match self.tracker.if_counted() {
            Some(count) if judged.is_some() => judge(count)?,
            _ => None,
        };
        Ok((judged, other))
    }
}

/// The men, the side to move and the rights to leap.
type RepetitionKey = (Position, LeapRights);

/// The key by which repeated positions are recognised: men, side to move and rights to leap.
/// Promoted bia count as mets.
fn repetition_key(state: &GameState) -> RepetitionKey {
    let fen = state.fen();
    (fen.position, fen.leaps)
}

impl Annotation {
    /// A move with its number, for example `78. Kxb7` or `78... Ka4`.
    pub fn move_name(&self, ply: usize) -> String {
        let played = self.plies.get(ply).map_or("", |ply| &ply.san);
        self.name_at(ply, played)
    }

    /// A move that was not played, with the number of the ply at which it was possible.
    pub(super) fn name_at(&self, ply: usize, san: &str) -> String {
        let state = &self.moments[ply.min(self.moments.len() - 1)].state;
        let dots = dots(state.board.turn());
        format!("{}{dots} {san}", state.counters.fullmove)
    }

    /// True if a position of the game is in the tables.
    pub fn is_known(&self) -> bool {
        self.moments.iter().any(|moment| moment.known.is_some())
    }

    /// True if no count against a bare king can have begun at a moment.
    pub(super) fn is_before_pieces_honor(&self, moment: usize) -> bool {
        is_before_pieces_honor(&self.moments[moment].state)
    }

    /// The last moment of the game.
    pub(super) fn last(&self) -> &Moment {
        // The list is never empty: it starts with the moment before the first move.
        &self.moments[self.moments.len() - 1]
    }
}
