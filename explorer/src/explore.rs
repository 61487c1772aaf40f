//! The JSON from which the explorer's page shows a position.

use serde::Serialize;

use super::count_scale::{MoveVerdicts, Numbers, Scale, numbers};
use super::question::Question;
use super::refusal::Refusal;
use sakmak::board::{Color, Fen, Move, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Answer, AnswerDocument, Moves, Next, ProbeError, Tablebase};
use sakmak::rules::{Allowance, Category, Count, RuleSet};

/// The answer for the explorer's page, as a document: that of `sakmak probe`, with further data.
#[derive(Serialize)]
pub struct Explored {
    /// The parts that the title and the picture of a page show.
    #[serde(skip)]
    pub outline: Outline,
    /// The fields of `probe --json`.
    answer: AnswerDocument,
    ending: Ending,
    check: bool,
    /// The side that can force mate with nothing counted. Null if neither can.
    winner: Option<String>,
    /// Additional data on the answer's moves, in the same order.
    moves: Vec<MoveDetails>,
    /// The result for each possible number of the count. Null if nothing is counted.
    numbers: Option<Numbers>,
    /// The results of the position under each rule set.
    rule_sets: Vec<UnderRules>,
}

/// The parts of an answer that the title and the picture of a page show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The side to move.
    pub turn: Color,
    /// True if the side to move is checkmated.
    pub is_checkmate: bool,
    /// The side that can force mate with nothing counted. None if neither can.
    pub winner: Option<Color>,
    /// The least and the greatest category that the position may have for the side to move.
    pub bounds: [Category; 2],
    /// True if the answer has distances.
    pub has_distances: bool,
    /// The result for each possible number of the count. None if nothing is counted.
    pub numbers: Option<Scale>,
}

#[derive(Serialize)]
struct Ending {
    material: String,
    /// True if the ending's name lists Black's men first.
    swapped: bool,
    /// The side that has only its king, if there is one.
    bare: Option<String>,
}

#[derive(Serialize)]
struct MoveDetails {
    /// The FEN after the move, with the count.
    fen: String,
    check: bool,
    stalemate: bool,
    /// The side that can force mate after the move with nothing counted. Null if neither can.
    winner: Option<String>,
    /// The number that the player announces with the move, if a count is running.
    counted: Option<u32>,
    /// The number of moves that the count leaves the winning side after this move.
    available: Option<u32>,
    /// The count that the move begins, if the move captures the opponent's last man besides the
    /// king.
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
    /// The category of the position under this rule set. If distances are missing and the verdict
    /// tables allow two categories, this is the lower one.
    category: Option<Category>,
    /// The highest possible category, if it differs from `category`.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Category>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    count: Option<Allowance>,
    /// The reason why there is no result under this rule set.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Answers the question of the explorer's page about a position.
///
/// # Errors
///
/// If the question is invalid, or a table is missing or cannot be used.
pub fn explore(tablebase: &Tablebase, question: &Question) -> Result<Explored, Refusal> {
    let fen = question.with_count(tablebase)?;
    let known = &tablebase.answer(&fen, question.rules)?;
    let after = known.next();
    let moves: Vec<Move> = after.iter().map(|next| next.m).collect();
    let mut numbers = numbers(tablebase, known, &moves)?;
    let mut verdicts = match &mut numbers {
        Some(numbers) => std::mem::take(&mut numbers.moves),
        None => vec![MoveVerdicts::default(); moves.len()],
    };
    let mut details = Vec::with_capacity(moves.len());
    for (next, verdicts) in after.iter().zip(&mut verdicts) {
        let verdicts = std::mem::take(verdicts);
        details.push(move_details(tablebase, known, next, verdicts)?);
    }
    let material = fen.position.material();
    let (canonical, swapped) = material.in_game(known.rules().game()).canonical();
    Ok(Explored {
        outline: Outline {
            material: canonical,
            turn: fen.position.turn(),
            is_checkmate: fen.position.is_checkmate(),
            winner: known.winner(),
            bounds: known.bounds(),
            has_distances: matches!(known, Answer::Distances(_)),
            numbers: numbers.as_ref().map(Numbers::scale),
        },
        answer: known.document(),
        ending: Ending {
            material: canonical.to_string(),
            swapped,
            bare: material.bare_side().map(|side| side.to_string()),
        },
        check: fen.position.is_check(),
        winner: known.winner().map(|winner| winner.to_string()),
        moves: details,
        numbers,
        rule_sets: RuleSet::ALL
            .into_iter()
            .map(|other| under_rules(tablebase, known, other))
            .collect(),
    })
}

fn move_details(
    tablebase: &Tablebase,
    known: &Answer,
    after: &Next,
    verdicts: MoveVerdicts,
) -> Result<MoveDetails, Refusal> {
    let (fen, rules) = (known.fen(), known.rules());
    let before = &fen.position;
    let turn = before.turn();
    let (next, winner) = (after.position, after.winner);
    let count = Count::from_fen(fen);
    let counted = match (winner, bare(before)) {
        (_, Some(side)) if side == turn => after.count.number(),
        (Some(winner), None) if winner != turn => after.count.number(),
        _ => None,
    };
    let fullmove = fen.fullmove + u32::from(turn == Color::Black);
    let available =
        winner.and_then(|winner| Allowance::new(rules, before.material(), winner, turn, &count));
    let bares = match (bare(before), bare(&next)) {
        (None, Some(side)) => {
            let fresh = Allowance::new(rules, next.material(), !side, next.turn(), &Count::Fresh);
            let dtm = match known {
                Answer::Distances(_) => tablebase.dtm_in(rules.game(), &next)?.moves(),
                Answer::Categories(_) => None,
            };
            Some(Bares {
                limit: fresh.map(|allowance| allowance.limit),
                available: fresh.map(|allowance| allowance.moves_available),
                dtm,
            })
        }
        _ => None,
    };
    let fen = after.count.to_fen(next, fullmove);
    Ok(MoveDetails {
        fen: fen.display(rules.lettering()).to_string(),
        check: next.is_check(),
        stalemate: next.is_stalemate(),
        winner: winner.map(|winner| winner.to_string()),
        counted,
        available: available.map(|allowance| allowance.moves_available),
        bares,
        verdicts,
    })
}

/// The results of the position under a rule set. If it is not the rule set of the question, the
/// count is fresh, because the numbers of the question's count would have another meaning.
fn under_rules(tablebase: &Tablebase, known: &Answer, rules: RuleSet) -> UnderRules {
    let none = UnderRules {
        rules,
        category: None,
        at_most: None,
        dtm: None,
        dth: None,
        count: None,
        error: None,
    };
    let fen = match rules == known.rules() {
        true => *known.fen(),
        false => Fen {
            count: None,
            ..*known.fen()
        },
    };
    let refused = |error: ProbeError| UnderRules {
        error: Some(Refusal::from(error).message),
        ..none
    };
    match tablebase.probe(&fen.position, rules, &Count::from_fen(&fen)) {
        Ok(value) => UnderRules {
            category: Some(value.category),
            dtm: value.dtm.moves(),
            dth: value.dth.and_then(|dth| dth.moves()),
            count: value.allowance,
            ..none
        },
        Err(error) if error.is_missing() => match tablebase.answer(&fen, rules) {
            Ok(known) => {
                let [category, most] = known.bounds();
                UnderRules {
                    category: Some(category),
                    at_most: (most != category).then_some(most),
                    count: known.allowance(),
                    ..none
                }
            }
            Err(error) => refused(error),
        },
        Err(error) => refused(error),
    }
}

fn bare(position: &Position) -> Option<Color> {
    position.material().bare_side()
}
