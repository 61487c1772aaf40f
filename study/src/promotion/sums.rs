//! Adds up the results of an ending, lane by lane, and examines the samples.

use rayon::prelude::*;

use super::after::Afters;
use super::found::{
    BiaSquare, EXAMPLES, LastBiaScan, MovesSample, PromotedTo, PromotionScan, WaitSample, Won,
};
use super::men::Men;
use super::moves::{Outcome, Promotion};
use super::sampler::{Drawn, Sampler, hash_men};
use crate::scan::Reader;
use sakmak::board::{Color, Fen, Game, Move, Position, Role, Square, attacks};
use sakmak::internals::ForkedByOneFunction;
use sakmak::probe::{Distance, ProbeError};
use sakmak::rules::{Count, RuleSet};
use sakmak::verdict::{Set, Turn, VerdictBlock, VerdictFile};

/// The largest number of positions in each sample that is probed.
const SAMPLE_SIZE: usize = 1000;
/// The number of squares up to the last rank of a bia, mirror images taken together: four files of
/// seven ranks.
const SQUARES: usize = 28;

/// The sums for one side's wins.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Three counts of positions with the winner to move: the legal positions, those won in time,
    /// and those won on the board.
    all: [u64; 3],
    /// Three counts of positions won in time: those in which a promotion is possible, those in
    /// which every promotion throws the win away, and those in which every promotion throws it away
    /// only because of the count.
    promotion: [u64; 3],
    /// Two counts for each man that a bia can become ([`Role::index`]), of positions won in time:
    /// those in which promotion to this man keeps the win, and those in which promotion to no other
    /// man does.
    men: [[u64; 2]; Role::ALL.len()],
    /// Two counts of positions won on the board: those in which a promotion is possible, and those
    /// in which every promotion throws the forced mate away.
    on_board: [u64; 2],
    /// Four counts for each square of a bia of the winner: the legal positions, those won in time,
    /// those won in time with this bia one step from promotion in which some bia can promote, and
    /// those of the latter in which every promotion throws the win away.
    squares: [[u64; 4]; SQUARES],
    /// The results by the distance from the king to its nearest bia. Entry n is for n + 1 steps.
    king: [Won; 7],
    /// A sample of positions won in time in which a promotion is possible.
    possible: Sampler,
    /// A sample of positions in which every promotion throws the win away.
    thrown: Sampler,
    /// A sample of positions in which every promotion throws the win away only because of the
    /// count. Used as examples.
    too_early: Sampler,
    /// Three counts of positions in which the other side owns the last bia and only the count saves
    /// that side: all of them, those in which the bia can promote, and those in which a promotion
    /// draws.
    last: [u64; 3],
    /// A sample of the positions that `last` counts.
    held: Sampler,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums {
            all: [0; 3],
            promotion: [0; 3],
            men: [[0; 2]; Role::ALL.len()],
            on_board: [0; 2],
            squares: [[0; 4]; SQUARES],
            king: [Won::default(); 7],
            possible: Sampler::of(SAMPLE_SIZE),
            thrown: Sampler::of(SAMPLE_SIZE),
            too_early: Sampler::of(EXAMPLES),
            last: [0; 3],
            held: Sampler::of(SAMPLE_SIZE),
        }
    }
}

fn add<const N: usize>(sums: &mut [u64; N], sets: [u64; N], weight: u64) {
    for (sum, set) in sums.iter_mut().zip(sets) {
        *sum += u64::from(set.count_ones()) * weight;
    }
}

impl Sums {
    /// Adds the lanes of the verdict table's block with the index `number`.
    ///
    /// # Errors
    ///
    /// If the verdict table is corrupt.
    pub fn add_block(
        &mut self,
        verdicts: &VerdictFile,
        afters: &Afters,
        number: u64,
        block: &mut VerdictBlock,
    ) -> Result<(), ProbeError> {
        let winner = afters.winner();
        let (Some(layout), Some((planes, _))) = (verdicts.layout(winner), verdicts.blocks(winner))
        else {
            return Ok(());
        };
        let sets = [Set::Board, Set::InTime(afters.rules())];
        verdicts.read_block(winner, &sets.map(|set| (set, Turn::Loser)), number, block)?;
        verdicts.read_legal(winner, number, block)?;
        let domain = layout.domain();
        let first = number * planes;
        for plane in first..(first + planes).min(layout.planes()) {
            let men = Men::new(&layout.all_men(plane));
            let at = (plane - first) as usize * domain.len();
            let lanes = Lanes {
                hash: hash_men(&men),
                own: Promotion::all(afters, winner, &men),
                others: Promotion::all(afters, !winner, &men),
                is_last: men.bia().counts()[winner.index()] == 0 && men.bia().all().len() == 1,
                men,
                afters,
            };
            for (lane, &king) in (at..).zip(domain) {
                let words = |turn| sets.map(|set| block.words(set, turn)[lane]);
                let lane = LaneWords {
                    king,
                    weight: layout.symmetry().weight(lanes.men.bia(), king),
                    legal: block.legal(lane),
                    winner: words(Turn::Winner),
                    loser: words(Turn::Loser),
                };
                if lane.legal != [0; 2] {
                    self.add_lane(&lanes, &lane);
                }
            }
        }
        Ok(())
    }

    fn add_lane(&mut self, lanes: &Lanes<'_>, lane: &LaneWords) {
        let Lanes { men, afters, .. } = lanes;
        let winner = afters.winner();
        let &LaneWords { king, weight, .. } = lane;
        let [board, in_time] = lane.winner;
        let legal = lane.legal[0];
        add(&mut self.all, [legal, in_time, board], weight);
        let outcome = lanes.outcome(&lanes.own, king);
        let possible = outcome.possible & legal;
        let thrown = in_time & possible & !outcome.wins.in_time;
        let by_count = thrown & outcome.wins.board;
        add(
            &mut self.promotion,
            [in_time & possible, thrown, by_count],
            weight,
        );
        let won = in_time & possible;
        for (place, &keeps) in outcome.by_role.iter().enumerate() {
            let others = outcome.by_role.iter().enumerate();
            let others = others.filter(|&(other, _)| other != place);
            let others = others.fold(0, |all, (_, keeps)| all | keeps);
            let keeps = won & keeps;
            add(&mut self.men[place], [keeps, keeps & !others], weight);
        }
        let on_board = board & possible;
        let lost = on_board & !outcome.wins.board;
        add(&mut self.on_board, [on_board, lost], weight);
        let mut nearest = 8;
        for square in men.of(winner, Role::Bia) {
            let sums = &mut self.squares[bia_square_index(square, winner)];
            let own = in_time & lanes.possible_from(square, possible);
            add(sums, [legal, in_time, own, own & thrown], weight);
            nearest = nearest.min(steps(king, square));
        }
        if let Some(near) = self.king.get_mut(nearest.wrapping_sub(1)) {
            near.legal += u64::from(legal.count_ones()) * weight;
            near.won += u64::from(in_time.count_ones()) * weight;
        }
        self.possible
            .offer(men, lanes.hash, king, in_time & possible);
        self.thrown.offer(men, lanes.hash, king, thrown);
        self.too_early.offer(men, lanes.hash, king, by_count);
        if lanes.is_last {
            let held = lane.loser[0] & !lane.loser[1];
            let outcome = lanes.outcome(&lanes.others, king);
            let possible = held & outcome.possible;
            add(
                &mut self.last,
                [held, possible, possible & outcome.not_won_in_time],
                weight,
            );
            self.held.offer(men, lanes.hash, king, held);
        }
    }

    /// Adds the sums of another task.
    #[must_use]
    pub fn merge(mut self, other: Sums) -> Sums {
        fn plus<const N: usize>(a: &mut [u64; N], b: [u64; N]) {
            for (a, b) in a.iter_mut().zip(b) {
                *a += b;
            }
        }
        plus(&mut self.all, other.all);
        plus(&mut self.promotion, other.promotion);
        plus(&mut self.on_board, other.on_board);
        plus(&mut self.last, other.last);
        for (a, b) in self.men.iter_mut().zip(other.men) {
            plus(a, b);
        }
        for (a, b) in self.squares.iter_mut().zip(other.squares) {
            plus(a, b);
        }
        for (a, b) in self.king.iter_mut().zip(other.king) {
            a.legal += b.legal;
            a.won += b.won;
        }
        self.possible.merge(other.possible);
        self.thrown.merge(other.thrown);
        self.too_early.merge(other.too_early);
        self.held.merge(other.held);
        self
    }

    /// Returns the results of the winner's promotions. Probes the sampled positions.
    ///
    /// # Errors
    ///
    /// If a distance table is missing or corrupt.
    pub fn promotion(&self, probes: &Probes<'_>) -> Result<PromotionScan, ProbeError> {
        let &Probes {
            rules, winner, fen, ..
        } = probes;
        let [legal, won, won_on_board] = self.all;
        let [possible, throws, throws_by_count] = self.promotion;
        let [possible_on_board, throws_on_board] = self.on_board;
        let squares = self.squares.iter().enumerate();
        let squares = squares.filter(|(_, sums)| sums[0] > 0);
        let too_early = self.too_early.clone().finish();
        let examples = too_early.iter().filter_map(|drawn| fen(drawn, winner));
        let men = rules.game().promotions().iter().map(|role| {
            let [keeps, only] = self.men[role.index()];
            PromotedTo {
                man: role.letter(),
                keeps,
                only,
            }
        });
        Ok(PromotionScan {
            rules,
            side: winner,
            legal,
            won,
            won_on_board,
            possible,
            throws,
            throws_by_count,
            possible_on_board,
            throws_on_board,
            men: men.collect(),
            promoted: None,
            lost: None,
            squares: squares
                .filter_map(|(place, &[legal, won, possible, throws])| {
                    Some(BiaSquare {
                        square: bia_square(place)?,
                        won: Won { legal, won },
                        possible,
                        throws,
                    })
                })
                .collect(),
            king: self.king.to_vec(),
            moves: self.probe_moves_sample(probes)?,
            waits: match rules.has_fifty_move_rule() {
                true => WaitSample::default(),
                false => self.probe_wait_sample(probes)?,
            },
            examples: examples.take(EXAMPLES).collect(),
        })
    }

    fn probe_moves_sample(&self, probes: &Probes<'_>) -> Result<MovesSample, ProbeError> {
        let drawn = self.possible.clone().finish();
        let positions: Vec<Position> = drawn
            .iter()
            .filter_map(|drawn| Some((probes.fen)(drawn, probes.winner)?.position))
            .collect();
        let answers = probes.moves(&positions)?;
        let mut sample = MovesSample::default();
        for moves in &answers {
            sample.asked += 1;
            let wins: Vec<Move> = with_points(moves, 1).collect();
            if wins.len() == 1 && moves.len() > 1 {
                sample.only_move += 1;
                sample.only_promotion += u64::from(wins[0].promotion.is_some());
            }
        }
        Ok(sample)
    }

    fn probe_wait_sample(&self, probes: &Probes<'_>) -> Result<WaitSample, ProbeError> {
        let drawn = self.thrown.clone().finish();
        let fen = |drawn| (probes.fen)(drawn, probes.winner);
        let positions = drawn.iter().filter_map(fen);
        let positions: Vec<Position> = positions.map(|fen| fen.position).collect();
        let wait = |position: &Position| {
            let dth = probes.reader.tablebase().dth(position, probes.rules)?;
            let moves = dth.and_then(Distance::moves);
            Ok(moves.map_or(0, |moves| u32::from(moves.0)))
        };
        let waits: Result<Vec<u32>, ProbeError> = positions.par_iter().erased().map(wait).collect();
        let mut waits = waits?;
        waits.sort_unstable();
        // The smallest number of moves that suffices in this percentage of the positions.
        let within = |percent: usize| waits.get((waits.len() * percent).div_ceil(100).max(1) - 1);
        Ok(WaitSample {
            asked: waits.len() as u64,
            median_moves: within(50).copied().unwrap_or(0),
            most_moves: within(95).copied().unwrap_or(0),
        })
    }

    /// Returns the results for the last bia, if the other side owns it. Probes the sampled
    /// positions.
    ///
    /// # Errors
    ///
    /// If a distance table is missing or corrupt.
    pub fn last_bia(&self, probes: &Probes<'_>) -> Result<LastBiaScan, ProbeError> {
        let &Probes {
            rules, winner, fen, ..
        } = probes;
        let [held, possible, promotion_draws] = self.last;
        let drawn = self.held.clone().finish();
        let positions: Vec<Position> = drawn
            .iter()
            .filter_map(|drawn| Some(fen(drawn, !winner)?.position))
            .collect();
        let answers = probes.moves(&positions)?;
        let mut scan = LastBiaScan {
            rules,
            side: !winner,
            held,
            possible,
            promotion_draws,
            asked: 0,
            only_promotion: 0,
            only_giving_up: 0,
            promotion_examples: Vec::new(),
            giving_up_examples: Vec::new(),
        };
        for (position, moves) in positions.iter().zip(&answers) {
            scan.asked += 1;
            let keeping: Vec<Move> = with_points(moves, 0).collect();
            if keeping.is_empty() || keeping.len() == moves.len() {
                continue;
            }
            let (number, examples) = if keeping.iter().all(|m| m.promotion.is_some()) {
                (&mut scan.only_promotion, &mut scan.promotion_examples)
            } else if keeping.iter().all(|&m| gives_up(rules.game(), position, m)) {
                (&mut scan.only_giving_up, &mut scan.giving_up_examples)
            } else {
                continue;
            };
            *number += 1;
            if examples.len() < EXAMPLES {
                examples.push(Fen::new(*position));
            }
        }
        Ok(scan)
    }
}

/// A function that makes the FEN of a sampled position with a given side to move.
type FenOf<'a> = dyn Fn(&Drawn, Color) -> Option<Fen> + Sync + 'a;

/// The means to probe sampled positions.
pub struct Probes<'a> {
    pub reader: &'a Reader<'a>,
    pub rules: RuleSet,
    pub winner: Color,
    pub fen: &'a FenOf<'a>,
}

/// The men of a plane (all men except the kings), and both sides' promotions with these men.
struct Lanes<'a> {
    men: Men,
    /// The hash of the men: see [`hash_men`].
    hash: u64,
    /// The winner's promotions.
    own: Vec<Promotion>,
    /// The other side's promotions.
    others: Vec<Promotion>,
    /// True if there is only one bia and the winner does not own it.
    is_last: bool,
    afters: &'a Afters,
}

/// One lane of a plane, as sets of squares of the weaker king.
struct LaneWords {
    /// The square of the winner's king.
    king: Square,
    /// The number of positions on the whole board that a position of the lane represents.
    weight: u64,
    /// The legal positions with the winner to move, then with the loser to move.
    legal: [u64; 2],
    /// The winner's wins with the winner to move: on the board, then in time.
    winner: [u64; 2],
    /// The winner's wins with the loser to move: on the board, then in time.
    loser: [u64; 2],
}

impl Lanes<'_> {
    fn outcome(&self, promotions: &[Promotion], king: Square) -> Outcome {
        let mut outcome = Outcome::default();
        for promotion in promotions {
            promotion.add(self.afters, king, &mut outcome);
        }
        outcome
    }

    /// Returns `king_squares` if the winner's bia on `square` is one step from promotion, otherwise
    /// no squares. `king_squares` are the squares of the weaker king for which some bia can
    /// promote.
    fn possible_from(&self, square: Square, king_squares: u64) -> u64 {
        let (winner, game) = (self.afters.winner(), self.afters.rules().game());
        let mut steps = attacks::bia_step(winner, square);
        match steps.any(|to| game.promotes(winner, to)) {
            true => king_squares,
            false => 0,
        }
    }
}

impl Probes<'_> {
    /// Probes every legal move of each position. Returns the moves, each with its points for the
    /// side that makes it: 1 for a win, 0 for a draw, −1 for a loss.
    fn moves(&self, positions: &[Position]) -> Result<Vec<Vec<(Move, i8)>>, ProbeError> {
        let tablebase = self.reader.tablebase();
        let probe = |position: &Position| {
            let points = |m: &Move| {
                let after = tablebase.category(&position.play(*m), self.rules, &Count::Fresh)?;
                Ok((*m, -after.points()))
            };
            let moves = position.legal_moves_in(self.rules.game());
            moves.iter().map(points).collect()
        };
        positions.par_iter().erased().map(probe).collect()
    }
}

/// The moves with this number of points.
fn with_points(moves: &[(Move, i8)], points: i8) -> impl Iterator<Item = Move> {
    let matching = moves.iter().filter(move |m| m.1 == points);
    matching.map(|m| m.0)
}

/// True if a move brings an unpromoted bia to a square on which it can be captured.
fn gives_up(game: Game, position: &Position, m: Move) -> bool {
    let is_bia = position
        .man_at(m.from)
        .is_some_and(|(_, role)| role == Role::Bia);
    let next = position.play(m);
    let takes = |reply: &Move| reply.to == m.to;
    is_bia && m.promotion.is_none() && next.legal_moves_in(game).iter().any(takes)
}

/// The index of a bia's square in [`Sums::squares`]. Ranks are counted from the bia's own side, and
/// mirror images share an index.
fn bia_square_index(square: Square, side: Color) -> usize {
    let file = square.file().min(7 - square.file());
    let rank = match side {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    };
    usize::from(4 * rank.min(6) + file)
}

/// The square with this index in [`Sums::squares`], for White's bia.
fn bia_square(index: usize) -> Option<Square> {
    Square::at((index % 4) as u8, (index / 4) as u8)
}

/// The number of steps that a king needs from one square to another.
fn steps(from: Square, to: Square) -> usize {
    let files = from.file().abs_diff(to.file());
    usize::from(files.max(from.rank().abs_diff(to.rank())))
}
