//! The questions of the course's lessons, each with the answers to choose from.

use sakmak::board::{Color, Move, Role};
use sakmak::game::{Counters, GameState};
use sakmak::material::Army;
use sakmak::random::Numbers;
use sakmak::rules::{Allowance, LimitKind, pieces_honor_limit};

/// The maximum number of answers to choose from.
const MOST_OPTIONS: usize = 4;

/// A question before it is written.
pub(super) struct Asked {
    pub state: GameState,
    pub ask: &'static str,
    pub m: Option<Move>,
    pub needed: Option<u32>,
    pub options: Vec<String>,
    pub right: String,
}

impl Asked {
    pub fn new(state: GameState, ask: &'static str, options: Vec<String>, right: String) -> Asked {
        Asked {
            state,
            ask,
            m: None,
            needed: None,
            options,
            right,
        }
    }

    /// A question whose answers are numbers: the right one and others.
    pub fn of_number(state: GameState, ask: &'static str, right: u32, wrong: &[u32]) -> Asked {
        let mut options = vec![right];
        for &number in wrong {
            if options.len() < MOST_OPTIONS && !options.contains(&number) {
                options.push(number);
            }
        }
        options.sort_unstable();
        let options = options.iter().map(u32::to_string).collect();
        Asked::new(state, ask, options, right.to_string())
    }

    pub fn about(self, m: Move) -> Asked {
        Asked { m: Some(m), ..self }
    }

    /// The number of moves that White has left.
    pub fn left(state: GameState) -> Option<Asked> {
        let left = allowance(&state)?.moves_available;
        let (limit, counted) = state.counters.count(state.rules()).running()?;
        let wrong = [(limit - counted) / 2, left + 1, left + 2, limit / 2];
        Some(Asked::of_number(state, "left", left, &wrong))
    }

    /// The kind of count that runs with Black's next move.
    pub fn kind(state: GameState) -> Asked {
        let right = match count_begun(&state) {
            None => "none",
            Some(LimitKind::PiecesHonor) => "pieces-honor",
            Some(_) => "boards-honor",
        };
        let options = ["none", "pieces-honor", "boards-honor"].map(str::to_string);
        Asked::new(state, "kind", options.to_vec(), right.to_string())
    }

    /// The number said with a capture by the counting side, or the limit after it.
    pub fn capture(state: GameState, m: Move, limit: bool) -> Option<Asked> {
        let rules = state.rules();
        let after = state.play(m);
        let material = after.board.position().material();
        let (before, _) = state.counters.count(rules).running()?;
        let (running, _) = after.counters.count(rules).running()?;
        let said = after.counters.count(rules).number()?;
        let men = material.men() as u32;
        let asked = match limit {
            false => Asked::of_number(state, "capture", said, &[said - 1, men, 1, said + 1]),
            true => {
                let fresh = pieces_honor_limit(rules, material.white).unwrap_or(before / 2);
                let others = [Role::Rook, Role::Knight, Role::Khon];
                let others = others.map(|role| pieces_honor_limit(rules, Army::BARE.with(role)));
                let wrong: Vec<_> = std::iter::once(fresh)
                    .chain(others.into_iter().flatten())
                    .collect();
                Asked::of_number(state, "limitAfter", running / 2, &wrong)
            }
        };
        Some(asked.about(m))
    }

    /// The number with which a stopped count begins again.
    pub fn again(state: GameState) -> Option<Asked> {
        let said = state.counters.count(state.rules()).number()?;
        let stopped = with_count(state, 0, 0);
        let counters = stopped.counters.with_fresh_count(&stopped.board);
        let first = said_next(&GameState {
            counters,
            ..stopped
        })?;
        let men = state.board.position().occupied().len() as u32;
        let wrong = [said, said + 1, men + 1];
        Some(Asked::of_number(state, "again", first, &wrong))
    }

    /// The result if Black mates, with the next number or after it has stopped counting.
    pub fn mate(state: GameState, counts: bool) -> Option<Asked> {
        let mut legal = state.board.legal_moves().into_iter();
        let m = legal.find(|&m| state.play(m).board.is_checkmate())?;
        let (ask, right) = match counts {
            true => ("mateCounted", "draw"),
            false => ("mateStopped", "win"),
        };
        let options = ["draw", "win"].map(str::to_string).to_vec();
        Some(Asked::new(state, ask, options, right.to_string()).about(m))
    }

    /// White takes the last man: the first number that Black says, or whether mate is in time.
    pub fn baring(state: GameState, m: Move, numbers: &mut Numbers) -> Option<Asked> {
        let after = state.play(m);
        let said = said_next(&after)?;
        if numbers.below(2) == 0 {
            let before = state.board.position().occupied().len() as u32;
            let wrong = [said - 1, before + 1, 1, said + 1];
            return Some(Asked::of_number(state, "bared", said, &wrong).about(m));
        }
        let left = allowance(&after)?.moves_available;
        let needed = left.checked_sub(2)? + numbers.below(5) as u32;
        let right = if needed <= left { "yes" } else { "no" };
        let options = ["yes", "no"].map(str::to_string).to_vec();
        let asked = Asked::new(state, "may", options, right.to_string()).about(m);
        (needed > 0).then_some(Asked {
            needed: Some(needed),
            ..asked
        })
    }

    /// The number that Black says when the last bia promotes or falls.
    pub fn last_bia(state: GameState, numbers: &mut Numbers) -> Option<Asked> {
        let legal = state.board.legal_moves();
        let bia = state.board.position().by_role(Role::Bia);
        let black = state.board.turn() == Color::Black;
        let wanted = |m: &Move| match black {
            true => bia.contains(m.to),
            false => m.promotion.is_some(),
        };
        let moves: Vec<Move> = legal.into_iter().filter(wanted).collect();
        let &m = moves.get(numbers.below(moves.len().max(1) as u64) as usize)?;
        let after = state.play(m);
        let men = after.board.position().occupied().len() as u32;
        let said = match black {
            true => after.counters.count(after.rules()).number(),
            false if after.counters.limit == 0 => None,
            false => Some(said_next(&after)?),
        };
        let mut numbers = vec![men, men + 1, 1];
        numbers.extend(said);
        numbers.sort_unstable();
        numbers.dedup();
        let mut options: Vec<String> = numbers.iter().map(u32::to_string).collect();
        options.push("nothing".to_string());
        let right = said.map_or("nothing".to_string(), |said| said.to_string());
        let ask = if black { "taken" } else { "promoted" };
        Some(Asked::new(state, ask, options, right).about(m))
    }
}

/// The state with a running count.
pub(super) fn with_count(state: GameState, limit: u32, counted: u32) -> GameState {
    let counters = Counters {
        limit: 2 * limit,
        counted,
        clock: counted,
        ..state.counters
    };
    GameState { counters, ..state }
}

/// The number that Black says with its next move. None if it cannot move, or counts nothing.
pub(super) fn said_next(state: &GameState) -> Option<u32> {
    let quiet = |m: &Move| !state.board.is_capture(*m);
    let m = state.board.legal_moves().into_iter().find(quiet)?;
    state.play(m).counters.count(state.rules()).number()
}

/// The kind of the count that begins with Black's next move.
pub(super) fn count_begun(state: &GameState) -> Option<LimitKind> {
    let counters = state.counters.with_fresh_count(&state.board);
    let is_bare = state.board.position().material().bare_side().is_some();
    (counters.limit > 0).then_some(match is_bare {
        true => LimitKind::PiecesHonor,
        false => LimitKind::BoardsHonor,
    })
}

/// White's allowance. None if another rule than the count ends the game first.
pub(super) fn allowance(state: &GameState) -> Option<Allowance> {
    let (position, rules) = (state.board.position(), state.rules());
    let count = state.counters.count(rules);
    let (material, turn) = (position.material(), position.turn());
    let allowance = Allowance::new(rules, material, Color::White, turn, &count)?;
    (allowance.kind != LimitKind::FiftyMoves).then_some(allowance)
}
