//! The explorer's document of a position.

use serde::Serialize;

use super::verdicts::{MoveVerdicts, Numbers, numbers};
use super::{Question, Refusal};
use crate::board::{Color, Fen, Move, Position};
use crate::probe::{Answer, AnswerDocument, Distance, Moves, RankedMove, Tablebase};
use crate::rules::{Allowance, Category, Count, RuleSet};

/// The explorer's document of a position.
#[derive(Serialize)]
pub(super) struct Document {
    /// As in `probe --json`.
    answer: AnswerDocument,
    ending: Ending,
    check: bool,
    /// The side that can force mate with nothing counted.
    winner: Option<String>,
    /// Additional data of the answer's moves, in the same order.
    moves: Vec<MoveDetails>,
    /// The result for each number of the count. None without a count.
    numbers: Option<Numbers>,
    /// The position under each rule set.
    rule_sets: Vec<UnderRules>,
}

#[derive(Serialize)]
struct Ending {
    material: String,
    /// True if Black has the men named first.
    swapped: bool,
    /// The side that has only its king.
    bare: Option<String>,
}

#[derive(Serialize)]
struct MoveDetails {
    /// The FEN after the move, with the count.
    fen: String,
    check: bool,
    stalemate: bool,
    /// The side that can force mate after the move, with nothing counted.
    winner: Option<String>,
    /// The number that the player says with the move, if it is counted.
    counted: Option<u32>,
    /// The moves that the count leaves the winning side after the move.
    available: Option<u32>,
    /// For a capture of the last man, the count that begins.
    bares: Option<Bares>,
    #[serde(flatten)]
    verdicts: MoveVerdicts,
}

#[derive(Serialize)]
struct Bares {
    limit: Option<u32>,
    available: Option<u32>,
    dtm: Option<Moves>,
}

#[derive(Serialize)]
struct UnderRules {
    rules: RuleSet,
    category: Option<Category>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    count: Option<Allowance>,
    /// The reason why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The document of a position; `fen` is the question's with its count.
pub(super) fn document(
    tablebase: &Tablebase,
    question: &Question,
    fen: &Fen,
) -> Result<Document, Refusal> {
    let rules = question.rules;
    let answer = tablebase.answer(fen, rules)?;
    let moves: Vec<Move> = answer.moves.iter().map(|ranked| ranked.m).collect();
    let limit = fen.count.map(|count| count.limit() / 2);
    let mut numbers = numbers(tablebase, fen, rules, limit, &moves)?;
    let mut verdicts = match &mut numbers {
        Some(numbers) => std::mem::take(&mut numbers.moves),
        None => vec![MoveVerdicts::default(); moves.len()],
    };
    let mut details = Vec::with_capacity(moves.len());
    for (ranked, verdicts) in answer.moves.iter().zip(&mut verdicts) {
        let verdicts = std::mem::take(verdicts);
        details.push(move_details(tablebase, &answer, ranked, verdicts)?);
    }
    let material = fen.position.material();
    let (canonical, swapped) = material.canonical();
    Ok(Document {
        answer: answer.document(),
        ending: Ending {
            material: canonical.to_string(),
            swapped,
            bare: material.bare_side().map(|side| side.to_string()),
        },
        check: fen.position.is_check(),
        winner: winner_of(&answer.value.dtm, fen.position.turn()),
        moves: details,
        numbers,
        rule_sets: RuleSet::ALL
            .into_iter()
            .map(|other| under_rules(tablebase, &answer, other))
            .collect(),
    })
}

fn move_details(
    tablebase: &Tablebase,
    answer: &Answer,
    ranked: &RankedMove,
    verdicts: MoveVerdicts,
) -> Result<MoveDetails, Refusal> {
    let rules = answer.rules;
    let before = &answer.fen.position;
    let turn = before.turn();
    let (next, after) = answer.after(ranked);
    let count = Count::from_fen(&answer.fen);
    let winner = ranked.dtm.winner(turn);
    let counted = match (winner, bare(before)) {
        (_, Some(side)) if side == turn => after.number(),
        (Some(winner), None) if winner != turn => after.number(),
        _ => None,
    };
    let fullmove = answer.fen.fullmove + u32::from(turn == Color::Black);
    let available =
        winner.and_then(|winner| Allowance::new(rules, before.material(), winner, turn, &count));
    let bares = match (bare(before), bare(&next)) {
        (None, Some(side)) => {
            let fresh = Allowance::new(rules, next.material(), !side, next.turn(), &Count::Fresh);
            Some(Bares {
                limit: fresh.map(|allowance| allowance.limit),
                available: fresh.map(|allowance| allowance.moves_available),
                dtm: tablebase.dtm(&next)?.moves(),
            })
        }
        _ => None,
    };
    Ok(MoveDetails {
        fen: after
            .to_fen(next, fullmove)
            .display(rules.lettering())
            .to_string(),
        check: next.is_check(),
        stalemate: next.is_stalemate(),
        winner: winner_of(&ranked.dtm, turn),
        counted,
        available: available.map(|allowance| allowance.moves_available),
        bares,
        verdicts,
    })
}

/// The position under another rule set, with a fresh count: a number said under one rule set has
/// another meaning under others.
fn under_rules(tablebase: &Tablebase, answer: &Answer, rules: RuleSet) -> UnderRules {
    let none = |error: String| UnderRules {
        rules,
        category: None,
        dtm: None,
        dth: None,
        count: None,
        error: Some(error),
    };
    let fen = match rules == answer.rules {
        true => answer.fen,
        false => Fen {
            count: None,
            ..answer.fen
        },
    };
    match tablebase.probe(&fen.position, rules, &Count::from_fen(&fen)) {
        Err(error) => none(Refusal::from(error).message),
        Ok(value) => UnderRules {
            rules,
            category: Some(value.category),
            dtm: value.dtm.moves(),
            dth: value.dth.and_then(|dth| dth.moves()),
            count: value.allowance,
            error: None,
        },
    }
}

fn winner_of(dtm: &Distance, turn: Color) -> Option<String> {
    dtm.winner(turn).map(|winner| winner.to_string())
}

fn bare(position: &Position) -> Option<Color> {
    position.material().bare_side()
}
