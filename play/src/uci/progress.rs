//! Makes progress in won positions whose tables have verdicts but no distances.
//!
//! A verdict says that a move keeps the win, but not whether it brings the win nearer. So a search
//! looks a few moves ahead, along moves that keep the win, for mate, for an ending with distances,
//! or for a position in which the loser has less room. It never counts a repeated position as
//! progress.

use std::collections::HashSet;
use std::time::Instant;

use rustc_hash::FxHashMap;

use sakmak::board::{Color, Move, Position, Role, Square};
use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

use super::fallback::worth;

/// The largest number of positions that a search visits, unless the GUI asks for fewer.
pub(super) const MOST_NODES: u64 = 400_000;
/// The deepest search, in plies.
const MOST_PLIES: u32 = 32;
/// The largest number of positions whose values are kept, some 20 MiB.
const MOST_KEPT: usize = 200_000;

/// Values for the winner. Mate is worth the most, the sooner the more.
const MATE: i32 = 1_000_000;
/// An ending whose distance to mate or to honor is known.
const KNOWN: i32 = 500_000;
/// A repeated position, which is no progress, and a move that loses the win.
const REPEATED: i32 = -500_000;
const THROWN_AWAY: i32 = -1_000_000;

/// A won position, and the moves to choose from.
pub(super) struct Won<'a> {
    pub tablebase: &'a Tablebase,
    pub position: Position,
    pub rules: RuleSet,
    /// True if the win is inside a count that begins now. False if it comes too late, or if nothing
    /// is counted.
    pub in_time: bool,
    /// The winner's moves that the count leaves. None if the win comes too late or nothing is
    /// counted.
    pub moves_left: Option<u32>,
    /// The moves that keep the win.
    pub moves: &'a [Move],
    /// The earlier positions of the game.
    pub earlier: &'a HashSet<Position>,
    /// The largest number of positions to visit.
    pub most_nodes: u64,
}

/// Chooses the move that makes the most progress. `None` if there are no moves.
pub(super) fn choose(won: &Won<'_>, deadline: Instant) -> Option<Move> {
    let mut search = Search {
        won,
        winner: won.position.turn(),
        path: vec![won.position],
        kept: FxHashMap::default(),
        nodes: 0,
        deadline,
    };
    let mut moves = won.moves.to_vec();
    // If there is no time to search, a new position is better than a repeated one all the same.
    moves.sort_by_cached_key(|&m| {
        let next = won.position.play(m);
        let value = estimate(&next, search.winner, 0);
        (won.earlier.contains(&next), -value)
    });
    // A single move needs no search.
    let deepest = if moves.len() > 1 { MOST_PLIES } else { 0 };
    for depth in 1..=deepest {
        let mut best = i32::MIN;
        let mut values = Vec::new();
        for &m in &moves {
            let next = won.position.play(m);
            // One more than the best value so far is enough to know that a move is better.
            let value = search.after(&won.position, &next, depth - 1, (best, i32::MAX));
            let Some(value) = value else { break };
            best = best.max(value);
            values.push(value);
        }
        // Only a finished round tells which move is best; the moves are tried in its order.
        if values.len() < moves.len() {
            break;
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(values[i]));
        moves = order.into_iter().map(|i| moves[i]).collect();
        if best >= MATE - i32::try_from(MOST_PLIES).unwrap_or(i32::MAX) {
            break;
        }
    }
    moves.first().copied()
}

struct Search<'a> {
    won: &'a Won<'a>,
    winner: Color,
    /// The positions from the root to the current one.
    path: Vec<Position>,
    /// The values of positions that were searched at least two plies deep.
    kept: FxHashMap<Position, Kept>,
    nodes: u64,
    deadline: Instant,
}

/// The value of a position that has been searched.
#[derive(Clone, Copy)]
struct Kept {
    depth: u32,
    /// The value, with mates counted from this position.
    value: i32,
    bound: Bound,
}

/// The relation of a value to the exact one: alpha-beta stops when it knows enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Search<'_> {
    /// The value of the position `next` for the winner, after a move from `before`. `None` if the
    /// search has to end.
    fn after(
        &mut self,
        before: &Position,
        next: &Position,
        depth: u32,
        window: (i32, i32),
    ) -> Option<i32> {
        if self.won.earlier.contains(next) || self.path.contains(next) {
            return Some(REPEATED);
        }
        if next.material() != before.material()
            && let Some(moves) = self.known(next)
        {
            return Some(KNOWN - 100 * i32::from(moves) - self.plies());
        }
        self.path.push(*next);
        let value = self.value(next, depth, window);
        self.path.pop();
        value
    }

    fn plies(&self) -> i32 {
        i32::try_from(self.path.len()).unwrap_or(i32::MAX)
    }

    /// The value of the last position of the path.
    fn value(
        &mut self,
        position: &Position,
        depth: u32,
        (mut alpha, mut beta): (i32, i32),
    ) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.won.most_nodes
            || (self.nodes.is_multiple_of(256) && Instant::now() >= self.deadline)
        {
            return None;
        }
        let moves = position.legal_moves_in(self.won.rules.game());
        let is_winner = position.turn() == self.winner;
        if moves.is_empty() {
            let mates = !is_winner && position.is_check() && self.in_time();
            return Some(match mates {
                true => MATE - self.plies(),
                false => THROWN_AWAY,
            });
        }
        if depth == 0 {
            return Some(estimate(position, self.winner, moves.len()));
        }
        if let Some(value) = self.kept_value(position, depth, (alpha, beta)) {
            return Some(value);
        }
        let window = (alpha, beta);
        let mut best = if is_winner { i32::MIN } else { i32::MAX };
        for m in self.ordered(position, &moves, is_winner) {
            let next = position.play(m);
            let value = self.after(position, &next, depth - 1, (alpha, beta))?;
            if is_winner {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        if best == i32::MIN {
            // No known move keeps the win.
            return Some(THROWN_AWAY);
        }
        self.keep(position, depth, best, window);
        Some(best)
    }

    /// The value of a position from an earlier search that was at least as deep, if it is enough for
    /// the window.
    fn kept_value(
        &self,
        position: &Position,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let kept = self.kept.get(position).filter(|kept| kept.depth >= depth)?;
        let mut value = kept.value;
        if value > KNOWN {
            value -= self.plies();
            let plies = MATE - value;
            if self
                .won
                .moves_left
                .is_some_and(|left| i64::from(plies) > 2 * i64::from(left))
            {
                return None;
            }
        }
        let enough = match kept.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        enough.then_some(value)
    }

    fn keep(&mut self, position: &Position, depth: u32, value: i32, (alpha, beta): (i32, i32)) {
        // A repetition depends on the path, not on the position alone.
        let repeated = value <= REPEATED;
        if depth < 2 || repeated || self.kept.len() >= MOST_KEPT {
            return;
        }
        let bound = match value {
            value if value >= beta => Bound::AtLeast,
            value if value <= alpha => Bound::AtMost,
            _ => Bound::Exact,
        };
        let value = match value > KNOWN {
            true => value + self.plies(),
            false => value,
        };
        self.kept.insert(
            *position,
            Kept {
                depth,
                value,
                bound,
            },
        );
    }

    /// The moves to search: of the winner, those that keep the win, the most promising first.
    fn ordered(&self, position: &Position, moves: &[Move], is_winner: bool) -> Vec<Move> {
        let mut valued: Vec<(i32, Move)> = Vec::with_capacity(moves.len());
        for &m in moves {
            let next = position.play(m);
            if is_winner && !self.keeps_the_win(&next) {
                continue;
            }
            let value = estimate(&next, self.winner, 0);
            valued.push((if is_winner { -value } else { value }, m));
        }
        valued.sort_by_key(|&(value, _)| value);
        valued.into_iter().map(|(_, m)| m).collect()
    }

    /// True if the loser, who is to move, is lost: inside a count that begins now, if the root is.
    fn keeps_the_win(&self, next: &Position) -> bool {
        let bounds = self
            .won
            .tablebase
            .by_category()
            .bounds(next, self.won.rules, &Count::Fresh);
        bounds.is_ok_and(|[least, _]| self.is_lost(least))
    }

    /// True if the loser's category keeps what the root promises.
    fn is_lost(&self, category: Category) -> bool {
        match category {
            Category::Loss => true,
            Category::BlessedLoss => !self.won.in_time,
            _ => false,
        }
    }

    /// The winner's moves to mate or honor in an ending with distances, if they are known and the
    /// win is inside a count that begins now.
    fn known(&self, next: &Position) -> Option<u16> {
        let value = self
            .won
            .tablebase
            .probe(next, self.won.rules, &Count::Fresh);
        let value = value.ok()?;
        let turn = next.turn();
        let won = match turn == self.winner {
            true => self.is_lost(-value.category),
            false => self.is_lost(value.category),
        };
        let distance: Distance = value.dth.unwrap_or(value.dtm);
        distance.moves().filter(|_| won).map(u16::from)
    }

    /// True if the winner's last move on the path is inside the count.
    fn in_time(&self) -> bool {
        let played = u32::try_from(self.path.len() / 2).unwrap_or(u32::MAX);
        self.won.moves_left.is_none_or(|left| played <= left)
    }
}

/// An estimate of a won position for the winner: the fewer men and the less room the loser's king
/// has, the better. `replies` is the number of legal moves if the loser is to move, or 0.
fn estimate(position: &Position, winner: Color, replies: usize) -> i32 {
    let (own, other) = (position.king(winner), position.king(!winner));
    let mut value = 0;
    for role in Role::ALL {
        for square in position.men(winner, role) {
            value += 8 * worth(role) - 2 * steps(square, other);
            if role == Role::Bia {
                value += 12
                    * i32::from(match winner {
                        Color::White => square.rank(),
                        Color::Black => 7 - square.rank(),
                    });
            }
        }
        for _ in position.men(!winner, role) {
            value -= 12 * worth(role);
        }
    }
    if position.turn() != winner {
        value -= 4 * i32::try_from(replies).unwrap_or(0);
    }
    value + 20 * driven(position, winner, other) - 14 * steps(own, other)
}

/// The moves of a king between two squares.
fn steps(one: Square, other: Square) -> i32 {
    let apart = |one: u8, other: u8| i32::from(one.abs_diff(other));
    apart(one.file(), other.file()).max(apart(one.rank(), other.rank()))
}

/// How far the loser's king is driven, from 0 to 7: to the edge if the winner has a rook, and
/// otherwise to a corner that the winner's mets can attack.
fn driven(position: &Position, winner: Color, king: Square) -> i32 {
    let middle = |at: u8| (2 * i32::from(at) - 7).abs();
    let (file, rank) = (middle(king.file()), middle(king.rank()));
    if !position.men(winner, Role::Rook).is_empty() {
        return (2 * file.max(rank) + file.min(rank)) / 3;
    }
    let mets = position.men(winner, Role::Met);
    let corners = Square::all().filter(|square| {
        middle(square.file()) == 7
            && middle(square.rank()) == 7
            && (mets.is_empty()
                || mets
                    .into_iter()
                    .any(|met| met.is_light() == square.is_light()))
    });
    let nearest = corners.map(|corner| steps(king, corner)).min();
    nearest.map_or(0, |nearest| 7 - nearest)
}
