//! The verdict on a position and its moves for every possible number of the count.

use serde::Serialize;

use super::Refusal;
use crate::board::{Color, Fen, Move};
use crate::probe::{GivenCountError, ProbeError, RankedMove, Tablebase};
use crate::rules::{Category, Count, CountNote, RuleSet, moves_available};

/// Consecutive numbers with the same category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Run {
    /// None if the tables do not decide.
    category: Option<Category>,
    from: u32,
    to: u32,
}

/// The possible numbers, with their results.
#[derive(Serialize)]
pub(super) struct Numbers {
    limit: u32,
    /// The least number.
    from: u32,
    /// The last number: the limit.
    to: u32,
    /// For each number from `from` on, the plies counted in a FEN.
    plies: Vec<u32>,
    /// The moves left to White and to Black, as the winning side.
    available: Available,
    /// The results of the position, for the side to move.
    runs: Vec<Run>,
    /// The result with a fresh count.
    fresh: Fresh,
    /// The results of the moves, for the player who makes them, in the order of `moves`.
    #[serde(skip)]
    pub moves: Vec<MoveVerdicts>,
}

/// The moves left to each side for each number.
#[derive(Default, Serialize)]
struct Available {
    white: Vec<Option<u32>>,
    black: Vec<Option<u32>>,
}

/// The result of the position with a fresh count.
#[derive(Serialize)]
struct Fresh {
    category: Option<Category>,
    white: Option<u32>,
    black: Option<u32>,
}

/// The value of a move for the player who makes it.
#[derive(Clone, Default, Serialize)]
pub(super) struct MoveVerdicts {
    /// For each number.
    runs: Vec<Run>,
    /// With a fresh count.
    fresh: Option<Category>,
}

/// The result of the position for each number, with the given limit or the limit of the men on the
/// board. None if nothing can be counted. `moves` are the legal moves, in the same order as in the
/// result.
pub(super) fn numbers(
    tablebase: &Tablebase,
    fen: &Fen,
    rules: RuleSet,
    limit: Option<u32>,
    moves: &[Move],
) -> Result<Option<Numbers>, Refusal> {
    let bare = Fen {
        count: None,
        clock: 0,
        ..*fen
    };
    let position = &fen.position;
    let left = |count: &Count| {
        Color::ALL.map(|winner| {
            moves_available(rules, position.material(), winner, position.turn(), count)
        })
    };
    let mut found: Option<Numbers> = None;
    for number in 0..=MOST {
        let counted = match tablebase.with_count(&bare, rules, Some(number), limit) {
            Ok(counted) => counted,
            Err(GivenCountError::Probe(error)) if !matches!(error, ProbeError::Count(_)) => {
                return Err(error.into());
            }
            Err(_) => continue,
        };
        let count = Count::from_fen(&counted);
        // A number too small for the men gets an answer, although no player would say it.
        let note = count.note(rules, position.material(), position.turn());
        if matches!(note, Some(CountNote::CountedTooFew { .. })) {
            continue;
        }
        let Some(plies) = counted.count.filter(|count| number <= count.limit() / 2) else {
            break;
        };
        let numbers = match &mut found {
            Some(numbers) => numbers,
            None => {
                let limit = plies.limit() / 2;
                let fresh = Numbers::fresh(tablebase, &bare, rules, limit, number, moves)?;
                found.insert(fresh)
            }
        };
        let value = tablebase.probe(position, rules, &count)?;
        let ranked = tablebase.best_moves(position, rules, &count)?;
        numbers.to = number;
        numbers.plies.push(plies.counted());
        let [white, black] = left(&count);
        numbers.available.white.push(white);
        numbers.available.black.push(black);
        extend(&mut numbers.runs, number, Some(value.category));
        for (verdicts, m) in numbers.moves.iter_mut().zip(moves) {
            extend(&mut verdicts.runs, number, category_of(&ranked, *m));
        }
    }
    Ok(found)
}

impl Numbers {
    /// The result with a fresh count, before any number.
    fn fresh(
        tablebase: &Tablebase,
        fen: &Fen,
        rules: RuleSet,
        limit: u32,
        from: u32,
        moves: &[Move],
    ) -> Result<Numbers, Refusal> {
        let position = &fen.position;
        let value = tablebase.probe(position, rules, &Count::Fresh)?;
        let ranked = tablebase.best_moves(position, rules, &Count::Fresh)?;
        let left = |winner| {
            let material = position.material();
            moves_available(rules, material, winner, position.turn(), &Count::Fresh)
        };
        let verdicts = |m: &Move| MoveVerdicts {
            runs: Vec::new(),
            fresh: category_of(&ranked, *m),
        };
        Ok(Numbers {
            limit,
            from,
            to: from,
            plies: Vec::new(),
            available: Available::default(),
            runs: Vec::new(),
            fresh: Fresh {
                category: Some(value.category),
                white: left(Color::White),
                black: left(Color::Black),
            },
            moves: moves.iter().map(verdicts).collect(),
        })
    }
}

fn category_of(ranked: &[RankedMove], m: Move) -> Option<Category> {
    let ranked = ranked.iter().find(|ranked| ranked.m == m)?;
    Some(ranked.category)
}

/// Above every limit.
const MOST: u32 = 80;

fn extend(runs: &mut Vec<Run>, number: u32, category: Option<Category>) {
    match runs.last_mut() {
        Some(last) if last.category == category => last.to = number,
        _ => runs.push(Run {
            category,
            from: number,
            to: number,
        }),
    }
}
