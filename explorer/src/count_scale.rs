//! The results of a position and of its moves for every possible number of the count.

use serde::Serialize;

use super::Refusal;
use sakmak::board::{Color, Fen, Move, Position};
use sakmak::probe::{Answer, GivenCountError, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, CountNote, RuleSet, moves_available};

/// A range of the count's numbers that lead to the same category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The category at these numbers of the count. Null if the tables do not determine the
    /// category.
    pub category: Option<Category>,
    /// The first number.
    pub from: u32,
    /// The last number.
    pub to: u32,
}

/// The results of a position for every possible number of the count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The largest possible number of the count, which is the limit.
    pub to: u32,
    /// The category with a fresh count. None if the tables do not determine it.
    pub fresh: Option<Category>,
    /// The categories for the side to move, by ranges of the count's numbers.
    pub runs: Vec<Run>,
}

/// All possible numbers of the count, with their results.
#[derive(Serialize)]
pub(super) struct Numbers {
    limit: u32,
    /// The smallest possible number.
    from: u32,
    /// The largest possible number of the count, which is the limit.
    to: u32,
    /// For each number from `from` on, the counted plies, as in the fifth field of a FEN.
    plies: Vec<u32>,
    /// For each number of the count, the number of moves that are left for each side to win.
    available: Available,
    /// The categories of the position for the side to move, by ranges of the count's numbers.
    runs: Vec<Run>,
    /// The results with a fresh count, in which no number has been said yet.
    fresh: Fresh,
    /// The categories of each move, for the player who makes it, in the order of `moves`.
    #[serde(skip)]
    pub moves: Vec<MoveVerdicts>,
}

/// The number of moves left for White, and for Black, to win at each number of the count.
#[derive(Default, Serialize)]
struct Available {
    white: Vec<Option<u32>>,
    black: Vec<Option<u32>>,
}

/// The results of the position with a fresh count.
#[derive(Serialize)]
struct Fresh {
    category: Option<Category>,
    white: Option<u32>,
    black: Option<u32>,
}

/// The categories of one move, for the player who makes it.
#[derive(Clone, Default, Serialize)]
pub(super) struct MoveVerdicts {
    /// The category for each number of the count.
    runs: Vec<Run>,
    /// The category with a fresh count. Null if the tables do not determine the category.
    fresh: Option<Category>,
}

/// Finds the results of the position for each number of the count. The limit comes from the FEN or,
/// if the FEN has none, from the men on the board. None if nothing can be counted. `moves` are the
/// legal moves; the results have the same order.
pub(super) fn numbers(
    tablebase: &Tablebase,
    known: &Answer,
    moves: &[Move],
) -> Result<Option<Numbers>, Refusal> {
    let (fen, rules) = (known.fen(), known.rules());
    let limit = fen.count.map(|count| count.limit() / 2);
    let bare = Fen {
        count: None,
        clock: 0,
        ..*fen
    };
    let judge = Judge {
        tablebase,
        rules,
        position: &fen.position,
        by_category: matches!(known, Answer::Categories(_)),
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
        // A number that is too small for the men on the board is skipped: a FEN may have it, but no
        // player would say it.
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
                let fresh = Numbers::fresh(&judge, limit, number, moves)?;
                found.insert(fresh)
            }
        };
        let judged = judge.judge(&count)?;
        numbers.to = number;
        numbers.plies.push(plies.counted());
        let [white, black] = left(&count);
        numbers.available.white.push(white);
        numbers.available.black.push(black);
        extend(&mut numbers.runs, number, judged.category);
        for (verdicts, m) in numbers.moves.iter_mut().zip(moves) {
            extend(&mut verdicts.runs, number, judged.of(*m));
        }
    }
    Ok(found)
}

impl Numbers {
    /// The results of the position itself.
    pub(super) fn scale(&self) -> Scale {
        Scale {
            to: self.to,
            fresh: self.fresh.category,
            runs: self.runs.clone(),
        }
    }

    /// Makes the structure with the results under a fresh count, but without any number yet. `from`
    /// is the smallest number.
    fn fresh(judge: &Judge<'_>, limit: u32, from: u32, moves: &[Move]) -> Result<Numbers, Refusal> {
        let position = judge.position;
        let judged = judge.judge(&Count::Fresh)?;
        let left = |winner| {
            let material = position.material();
            let turn = position.turn();
            moves_available(judge.rules, material, winner, turn, &Count::Fresh)
        };
        let verdicts = |m: &Move| MoveVerdicts {
            runs: Vec::new(),
            fresh: judged.of(*m),
        };
        Ok(Numbers {
            limit,
            from,
            to: from,
            plies: Vec::new(),
            available: Available::default(),
            runs: Vec::new(),
            fresh: Fresh {
                category: judged.category,
                white: left(Color::White),
                black: left(Color::Black),
            },
            moves: moves.iter().map(verdicts).collect(),
        })
    }
}

/// Judges a position and its moves under different counts.
struct Judge<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    position: &'a Position,
    /// True if the tables have categories but no distances.
    by_category: bool,
}

/// The categories of the position and its moves under one count; `None` if uncertain.
struct Judged {
    category: Option<Category>,
    moves: Vec<(Move, Option<Category>)>,
}

impl Judge<'_> {
    fn judge(&self, count: &Count) -> Result<Judged, ProbeError> {
        let (tablebase, position, rules) = (self.tablebase, self.position, self.rules);
        if self.by_category {
            let bounds = tablebase.by_category().bounds(position, rules, count)?;
            let moves = tablebase.by_category().moves(position, rules, count)?;
            let moves = moves.iter().map(|found| (found.m, settled(found.bounds)));
            return Ok(Judged {
                category: settled(bounds),
                moves: moves.collect(),
            });
        }
        let value = tablebase.probe(position, rules, count)?;
        let moves = tablebase.best_moves(position, rules, count)?;
        let moves = moves.iter().map(|ranked| (ranked.m, Some(ranked.category)));
        Ok(Judged {
            category: Some(value.category),
            moves: moves.collect(),
        })
    }
}

impl Judged {
    /// The category of a move. None if the tables do not determine the category.
    fn of(&self, m: Move) -> Option<Category> {
        self.moves.iter().find(|(other, _)| *other == m)?.1
    }
}

/// The category, if the lowest and the highest possible category are the same.
fn settled([least, most]: [Category; 2]) -> Option<Category> {
    (least == most).then_some(least)
}

/// A number above the limit of every count.
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
