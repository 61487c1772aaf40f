//! Prints random games from the moment on when a count begins, with what the rules here say of it at
//! every ply, one JSON object a line, for a comparison with Fairy-Stockfish
//! (`tools/crosscheck/run-count`).
//!
//! ```text
//! random_counts makruk|asean|ouk CONTINUATIONS [SEED]
//! ```
//!
//! A count begins with the counting side to move, when the other takes a man or the last pawn, and
//! with the other side to move, when the counting side takes the last pawn. Both are here, against a
//! bare king and with men on both sides. The FENs are written by the counting rules alone; the moves
//! that remain are what the library reads from those FENs.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail, ensure};
use sakmak::board::attacks::attacks;
use sakmak::board::{Color, Fen, FenCount, Lettering, Move, Position, Role, Square};
use sakmak::material::MAX_MEN;
use sakmak::rules::{Count, RuleSet, boards_honor_limit, moves_available, pieces_honor_limit};
use sakmak_feeders::Random;
use serde_json::{Value as Json, json};

/// Plies without a capture after which an ASEAN game is drawn.
const FIFTY_MOVES: u32 = 100;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rules, continuations, seed) = match arguments.as_slice() {
        [rules, continuations] => (rules, continuations, "1"),
        [rules, continuations, seed] => (rules, continuations, seed.as_str()),
        _ => bail!("usage: random_counts makruk|asean|ouk CONTINUATIONS [SEED]"),
    };
    let rules: RuleSet = rules.parse()?;
    let continuations: u64 = continuations
        .parse()
        .context("CONTINUATIONS must be a number")?;
    let mut random = Random::new(seed.parse().context("SEED must be a number")?);

    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..continuations {
        writeln!(out, "{}", continuation(&mut random, rules)?)?;
    }
    out.flush()?;
    Ok(())
}

/// A position of a game in which a count runs, with its counters.
#[derive(Clone)]
struct State {
    rules: RuleSet,
    /// The side that would win; the other counts.
    winner: Color,
    position: Position,
    /// The limit in plies, if there is a count.
    limit: Option<u32>,
    /// The plies counted.
    counted: u32,
    /// The plies since the last capture.
    clock: u32,
    fullmove: u32,
    /// Whether the count begins after the stronger side's next move.
    waits: bool,
}

impl State {
    /// Where the count has just begun.
    fn new(rules: RuleSet, position: Position, winner: Color, fullmove: u32) -> State {
        let material = position.material();
        let bare = material.army(!winner).is_empty();
        let limit = match bare {
            true => pieces_honor_limit(rules, material.army(winner)),
            false => boards_honor_limit(rules, material),
        };
        State {
            rules,
            winner,
            position,
            limit: limit.map(|moves| 2 * moves),
            counted: match rules {
                RuleSet::Makruk | RuleSet::Ouk if bare => 2 * material.men() as u32,
                _ => 0,
            },
            clock: 0,
            fullmove,
            waits: false,
        }
    }

    /// Fairy-Stockfish's count after the capture of a last pawn, with the stronger side to move.
    /// Against a bare king it is a ply short of the number that the count begins with. With men on
    /// both sides it counts for either that may ask for it; if the stronger side has too many men
    /// in ouk, and in ASEAN chess always, it begins a ply later.
    fn begin_with_the_winner_to_move(&mut self) {
        let army = self.position.material().army(self.winner);
        let bare = self.position.material().army(!self.winner).is_empty();
        self.waits = match self.rules {
            RuleSet::Makruk => false,
            RuleSet::Ouk => !bare && army.len() > 2,
            RuleSet::Asean => true,
        };
        self.counted = self.counted.saturating_sub(1);
    }

    fn play(&self, m: Move) -> State {
        State {
            position: self.position.play(m),
            counted: self.counted + u32::from(!self.waits),
            waits: false,
            clock: match self.position.is_capture(m) {
                true => 0,
                false => self.clock + 1,
            },
            fullmove: self.fullmove + u32::from(self.position.turn() == Color::Black),
            ..self.clone()
        }
    }

    /// The FEN, without the library's reading of a count.
    fn fen(&self) -> String {
        let lettering = self.rules.lettering();
        let plain = Fen::new(self.position).display(lettering).to_string();
        let board_and_turn: Vec<&str> = plain.split(' ').take(2).collect();
        let count = match self.limit {
            Some(limit) if !self.waits => format!("{limit} {}", self.counted),
            _ => format!("- {}", self.clock),
        };
        format!("{} - {count} {}", board_and_turn.join(" "), self.fullmove)
    }

    /// True if the side to move may claim a draw: the bare king has announced a number above the
    /// limit, or the fifty-move rule applies.
    fn is_drawn(&self) -> bool {
        let fifty = self.rules == RuleSet::Asean && self.clock >= FIFTY_MOVES;
        fifty || self.limit.is_some_and(|limit| self.counted > limit)
    }

    /// The moves that remain to the stronger side as the library reads them from the FEN; none if
    /// it has no men left.
    fn left(&self) -> anyhow::Result<Option<u32>> {
        let text = self.fen();
        let fen = Fen::parse(&text, self.rules.lettering())?;
        ensure!(fen.position == self.position, "{text} is read otherwise");
        let (material, turn) = (fen.position.material(), fen.position.turn());
        let count = Count::from_fen(&fen);
        count.validate(self.rules, material)?;
        Ok(moves_available(
            self.rules,
            material,
            self.winner,
            turn,
            &count,
        ))
    }

    /// Plies that the fifty-move rule's clock is ahead of what the FEN says, where it decides: in
    /// ASEAN chess a FEN has either the count or that clock, which the library then takes to have
    /// run as long as the count. After a capture it is behind, and ahead where the count began a
    /// ply late. Only a limit longer than fifty moves shows it.
    fn clock_ahead(&self) -> i64 {
        let decides = self.limit.is_some_and(|limit| limit > FIFTY_MOVES) && !self.waits;
        match self.rules == RuleSet::Asean && decides {
            true => i64::from(self.clock) - i64::from(self.counted),
            false => 0,
        }
    }

    fn to_json(&self, m: Option<Move>) -> anyhow::Result<Json> {
        Ok(json!({
            "move": m.map(|m| m.to_string()),
            "fen": self.fen(),
            "left": self.left()?,
            "clock_ahead": self.clock_ahead(),
            "draw": self.is_drawn(),
            "mate": self.position.is_checkmate(),
            "stalemate": self.position.is_stalemate(),
        }))
    }
}

/// A random game from the beginning of a count on: until it is over, until a side has lost its last
/// man, or until a position could not but come back (repetitions are drawn too, which is not asked
/// about here).
fn continuation(random: &mut Random, rules: RuleSet) -> anyhow::Result<Json> {
    let winner = random.color();
    let turn = random.color();
    // ASEAN chess counts only against a bare king.
    let bare = rules == RuleSet::Asean || random.below(2) == 0;
    let position = counted_position(random, winner, turn, bare);
    // One in two begins a move earlier, so that the count is started by the other program: by a
    // capture of the last man or, with the other side to move, of the last pawn.
    let started = match random.below(2) == 0 {
        true if turn == winner => pawn_capture(random, rules.lettering(), &position),
        true if bare => {
            baring(random, &position).map(|(before, m)| (counted_before(random, rules, before), m))
        }
        _ => None,
    };
    let before = match &started {
        Some((fen, m)) => json!({ "fen": fen, "move": m.to_string() }),
        None => Json::Null,
    };
    let fullmove = 1 + u32::from(started.is_some() && position.turn() == Color::White);
    let mut state = State::new(rules, position, winner, fullmove);
    if started.is_some() && turn == winner {
        state.begin_with_the_winner_to_move();
    }
    if started.is_none() && !bare {
        // Or the whole of the board's honor would be played at random.
        let plies = 2 * random.below(64) as u32;
        state.counted = plies;
        state.clock = plies;
    }
    // One stronger side in two looks after its men.
    let careful = random.below(2) == 0;

    let mut plies = vec![state.to_json(None)?];
    let mut seen = HashSet::from([position]);
    let mut last = Json::Null;
    while !state.is_drawn() {
        if state.position.material().army(winner).is_empty() {
            break;
        }
        if last.is_null() {
            last = last_move(random, &state)?;
        }
        let moves = state.position.legal_moves();
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.retain(|&m| !seen.contains(&state.position.play(m)));
        if careful && state.position.turn() == state.winner {
            let safe = moves.iter().copied().filter(|&m| {
                let after = state.position.play(m);
                !after.legal_moves().iter().any(|&m| after.is_capture(m))
            });
            let safe: Vec<Move> = safe.collect();
            if !safe.is_empty() {
                moves = safe;
            }
        }
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        let next = state.play(m);
        let lost_all = |color| next.position.material().army(color).is_empty();
        if lost_all(!winner) != bare || (!bare && lost_all(winner)) {
            // Another count begins there.
            break;
        }
        state = next;
        seen.insert(state.position);
        plies.push(state.to_json(Some(m))?);
    }
    Ok(json!({
        "winner": if state.winner == Color::White { "w" } else { "b" },
        "before": before,
        "plies": plies,
        "last": last,
    }))
}

/// A random position in which a count runs: against a bare king, or with men on both sides.
fn counted_position(random: &mut Random, winner: Color, turn: Color, bare: bool) -> Position {
    // Rooks would have every other game if all men were as frequent in each.
    let some = 1 + random.below(15);
    let roles = Role::PAWNLESS.into_iter().enumerate();
    let roles = roles.filter(|(i, _)| some >> i & 1 == 1);
    let roles: Vec<Role> = roles.map(|(_, role)| role).collect();
    let men = 1 + random.below(MAX_MEN - 2 - usize::from(!bare));
    let men: Vec<Role> = (0..men).map(|_| roles[random.below(roles.len())]).collect();
    let man = (!bare).then(|| (!winner, Role::PAWNLESS[random.below(4)]));
    loop {
        let kings = Color::ALL.map(|color| (color, Role::King));
        let placed = kings
            .into_iter()
            .chain(men.iter().map(|&role| (winner, role)))
            .chain(man)
            .map(|(color, role)| (Square::wrapping(random.below(64)), color, role));
        let placed: Vec<_> = placed.collect();
        if let Ok(position) = Position::from_men(placed, turn) {
            return position;
        }
    }
}

/// The men of a position.
fn men(position: &Position) -> Vec<(Square, Color, Role)> {
    let squares = position.occupied().into_iter();
    let men = squares.filter_map(|square| {
        let (color, role) = position.man_at(square)?;
        Some((square, color, role))
    });
    men.collect()
}

/// A position with a last pawn, and its capture that leads to this one, if a few tries find one. The
/// library knows no pawns, so the position is a FEN.
fn pawn_capture(
    random: &mut Random,
    lettering: Lettering,
    after: &Position,
) -> Option<(String, Move)> {
    let (winner, loser) = (after.turn(), !after.turn());
    let men = men(after);
    (0..8).find_map(|_| {
        let (to, color, role) = men[random.below(men.len())];
        // A move backwards is one of the other colour: the khon's step forward turns round.
        let from = attacks(role, winner, to, after.occupied()) & !after.occupied();
        let from: Vec<Square> = from.into_iter().collect();
        // Nobody has a pawn on the last rows.
        if color != loser || from.is_empty() || !(2..6).contains(&to.rank()) {
            return None;
        }
        let from = from[random.below(from.len())];
        let others = men.iter().copied().filter(|man| man.0 != to);
        // A met in the pawn's place: who is in check without it may not be with it.
        let stand_in = [(from, color, role), (to, winner, Role::Met)];
        let before = Position::from_men(others.chain(stand_in), loser).ok()?;
        let moves = before.legal_moves();
        let m = moves.into_iter().find(|&m| before.play(m) == *after)?;
        let fen = Fen::new(before).display(lettering).to_string();
        Some((with_pawn(&fen, to, lettering), m))
    })
}

/// A FEN with a pawn in place of the met on a square.
fn with_pawn(fen: &str, square: Square, lettering: Lettering) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let mut rows: Vec<String> = board.split('/').map(str::to_string).collect();
    let row = &mut rows[7 - usize::from(square.rank())];
    let met = lettering.letter(Role::Met);
    let mut file = 0;
    *row = row
        .chars()
        .map(|letter| {
            let here = file == u32::from(square.file());
            file += letter.to_digit(10).unwrap_or(1);
            match letter {
                _ if here && letter == met => 'P',
                _ if here && letter == met.to_ascii_lowercase() => 'p',
                _ => letter,
            }
        })
        .collect();
    format!("{} {rest}", rows.join("/"))
}

/// A position and a capture in it that leads to this one, in which a king is bare, if a few tries
/// find one.
fn baring(random: &mut Random, bared: &Position) -> Option<(Position, Move)> {
    let (winner, loser) = (!bared.turn(), bared.turn());
    let men = men(bared);
    (0..8).find_map(|_| {
        let (to, color, role) = men[random.below(men.len())];
        // A move backwards is one of the other colour: the khon's step forward turns round.
        let from = attacks(role, !winner, to, bared.occupied()) & !bared.occupied();
        let from: Vec<Square> = from.into_iter().collect();
        let victim = (to, loser, Role::PAWNLESS[random.below(4)]);
        if color != winner || from.is_empty() {
            return None;
        }
        let capturer = (from[random.below(from.len())], winner, role);
        let others = men.iter().copied().filter(|man| man.0 != to);
        let before = Position::from_men(others.chain([capturer, victim]), winner).ok()?;
        let moves = before.legal_moves();
        let m = moves.into_iter().find(|&m| before.play(m) == *bared)?;
        Some((before, m))
    })
}

/// The FEN of a position in which both sides have men. Every other FEN, at random, has a running
/// count.
fn counted_before(random: &mut Random, rules: RuleSet, position: Position) -> String {
    let mut fen = Fen::new(position);
    let plies = random.below(100) as u32;
    if random.below(2) == 0 {
        match boards_honor_limit(rules, position.material()) {
            Some(limit) => fen.count = FenCount::new(2 * limit, plies).ok(),
            None => fen.clock = plies,
        }
    }
    fen.display(rules.lettering()).to_string()
}

/// If the stronger side is to move and can mate: the mate as the last move that the count leaves,
/// and the same position a move later in the count. Nothing where the fifty-move rule comes before
/// the end of the count: a FEN cannot say how far both are.
fn last_move(random: &mut Random, state: &State) -> anyhow::Result<Json> {
    let limit = state.limit.unwrap_or(FIFTY_MOVES);
    let fifty_first = state.rules == RuleSet::Asean && limit > FIFTY_MOVES;
    if state.position.turn() != state.winner || fifty_first {
        return Ok(Json::Null);
    }
    let moves = state.position.legal_moves();
    let mut moves = moves.into_iter();
    let Some(m) = moves.find(|&m| state.position.play(m).is_checkmate()) else {
        return Ok(Json::Null);
    };
    let with = |plies: u32| State {
        counted: plies,
        clock: plies,
        waits: false,
        ..state.clone()
    };
    // A count leaves a last move with the limit counted, the fifty-move rule does not.
    let last = limit - u32::from(state.limit.is_none());
    let last = last - random.below(2) as u32;
    let in_time = with(last);
    let late = with(last + 2);
    Ok(json!({
        "fen": in_time.fen(),
        "late": late.fen(),
        "mate": m.to_string(),
        "left": in_time.left()?,
    }))
}
