//! Promotion, for endings with bia: what promoting at once comes to, and whom the last bia saves.
//!
//! Promotion of the last bia begins makruk's count, so it can throw a win away that waiting keeps. All
//! positions of an ending are gone through by its verdict table, 64 squares of the weaker king at a time; what
//! a promotion leads to is read from the verdict table of the ending that it leads to. Only questions
//! about every legal move are asked of a sample.

mod after;
mod draw;
mod men;
mod moves;
mod sums;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::after::{Afters, RULES};
use self::draw::Drawn;
use self::sums::Sums;
use super::ending::EndingStudy;
use super::scan::Reader;
use crate::board::{Color, Fen, Lettering, Role};
use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;
use crate::verdict::VerdictBlock;

/// What promoting at once comes to for one side of an ending. Counts are of positions on the whole board
/// with that side to move, like men interchangeable and no symmetry removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionScan {
    /// The side: `white` or `black`.
    pub side: String,
    /// Positions.
    pub legal: u64,
    /// Won under the count.
    pub won: u64,
    /// Won on the board, nothing counted.
    pub won_on_board: u64,
    /// Won under the count, with a bia that can be promoted at once.
    pub possible: u64,
    /// Those of them in which every promotion throws the win away.
    pub throws: u64,
    /// Those of these in which a promotion still wins on the board, but too late for the count.
    pub throws_by_count: u64,
    /// Won on the board, with a bia that can be promoted at once.
    pub possible_on_board: u64,
    /// Those of them after every promotion of which no mate can be forced.
    pub throws_on_board: u64,
    /// With a promoted bia in place of a bia.
    pub promoted: Option<Won>,
    /// Without a bia.
    pub lost: Option<Won>,
    /// By the square of a bia, those of the a- to d-file and their mirror images together; a position with
    /// several bia is counted for each.
    pub squares: Vec<BiaSquare>,
    /// By the steps of the side's king to its nearest bia, 1 first.
    pub king: Vec<Won>,
    /// What a sample of the positions says in which promotion is possible.
    pub moves: MovesSample,
    /// Positions in which promotion throws the win away by the count alone.
    pub examples: Vec<String>,
}

/// Positions with a bia on one square or its mirror image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BiaSquare {
    /// The square, on the a- to d-file.
    pub square: String,
    /// What becomes of them.
    #[serde(flatten)]
    pub won: Won,
    /// Won positions in which it can be promoted at once.
    pub possible: u64,
    /// Those of them in which every promotion throws the win away.
    pub throws: u64,
}

/// How many of some positions are won under the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// Positions.
    pub legal: u64,
    /// Won.
    pub won: u64,
}

/// Answers of a sample of won positions in which a bia can be promoted at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovesSample {
    /// Positions asked.
    pub asked: u64,
    /// In which of several moves a single one wins.
    pub only_move: u64,
    /// In which that is a promotion.
    pub only_promotion: u64,
    /// The most moves, among those in which promotion throws the win away, until the last bia goes in time,
    /// or mate.
    pub longest_wait: u32,
    /// The position of that.
    pub longest_wait_fen: Option<String>,
}

/// Positions in which the weaker side draws by the count alone while the last bia is its own: it is to
/// move and would be mated if nothing were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBiaScan {
    /// The weaker side: `white` or `black`.
    pub side: String,
    /// Positions.
    pub held: u64,
    /// In which it can promote the bia at once.
    pub possible: u64,
    /// In which that draws.
    pub promotion_draws: u64,
    /// Positions of the sample that was asked for all moves.
    pub asked: u64,
    /// In which nothing but promotion draws.
    pub only_promotion: u64,
    /// In which nothing draws but bia moves to a square where the bia can be taken.
    pub only_giving_up: u64,
    /// Positions in which only promotion draws.
    pub promotion_examples: Vec<String>,
    /// Positions in which only giving the bia up draws.
    pub giving_up_examples: Vec<String>,
}

/// What there is to say of promotion in an ending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionStudy {
    /// For each side with bia that wins somewhere.
    pub promotions: Vec<PromotionScan>,
    /// For each side with the last bia against a side that wins somewhere.
    pub last_bia: Vec<LastBiaScan>,
}

/// How many examples are kept of a kind.
const EXAMPLES: usize = 3;

/// Goes through an ending with bia. `progress` hears how far it is, from 0 to 1. None if it has no bia, or a
/// verdict table is missing that tells what its positions or promotions come to.
///
/// # Errors
///
/// If a table is damaged, or a distance table is missing.
pub fn study_promotion(
    material: CanonicalMaterial,
    reader: &Reader,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Option<PromotionStudy>, ProbeError> {
    if material.is_pawnless() {
        return Ok(None);
    }
    let Some(verdicts) = reader.verdicts(material) else {
        return Ok(None);
    };
    let mut study = PromotionStudy::default();
    let winners: Vec<Color> = verdicts.winners().collect();
    for (place, &winner) in winners.iter().enumerate() {
        let part = |part: f64| progress((place as f64 + part) / winners.len() as f64);
        let Some(afters) = Afters::read(material, winner, reader)? else {
            return Ok(None);
        };
        let blocks = verdicts.blocks(winner).map_or(0, |(_, blocks)| blocks);
        part(0.2);
        let sums = (0..blocks)
            .into_par_iter()
            .try_fold(
                <(VerdictBlock, Sums)>::default,
                |(mut block, mut sums), number| {
                    sums.add_block(&verdicts, &afters, number, &mut block)?;
                    Ok::<_, ProbeError>((block, sums))
                },
            )
            .map(|part| part.map(|(_, sums)| sums))
            .try_reduce(Sums::default, |a, b| Ok(a.merge(b)))?;
        part(0.8);
        let fen = |drawn: &Drawn, turn| fen_of(material, winner, drawn, turn);
        if !material.army(winner).is_pawnless() {
            let mut scan = sums.promotion(reader, winner, &fen)?;
            [scan.promoted, scan.lost] = without_a_bia(material, winner, reader);
            study.promotions.push(scan);
        }
        let loser_bia = material.army(!winner).count(Role::Bia);
        if loser_bia == 1 && material.bia() == 1 {
            study.last_bia.push(sums.last_bia(reader, winner, &fen)?);
        }
    }
    progress(1.0);
    Ok(Some(study))
}

/// The positions, and those that a side to move wins, with a met in place of a bia and with nothing there.
/// None without a table.
fn without_a_bia(material: CanonicalMaterial, side: Color, reader: &Reader) -> [Option<Won>; 2] {
    let men = material.material();
    let Some(rest) = men.army(side).without(Role::Bia) else {
        return [None; 2];
    };
    [rest.with(Role::Met), rest].map(|army| {
        let (canonical, swapped) = men.with_army(side, army).canonical();
        let turn = if swapped { !side } else { side };
        let ending = EndingStudy::read(reader.tablebase(), canonical).ok()?;
        let results = ending.under(RULES)?.overlay.to_move(turn);
        Some(Won {
            legal: ending.mates.to_move(turn).legal(),
            won: results.win,
        })
    })
}

/// The position that was drawn; it is legal.
fn fen_of(material: CanonicalMaterial, winner: Color, drawn: &Drawn, turn: Color) -> Option<Fen> {
    debug_assert_eq!(drawn.men.material(), material.material());
    let position = drawn.men.position(winner, drawn.kings, turn)?;
    Some(Fen::new(position))
}

/// A position in the letters of makruk.
fn text(fen: &Fen) -> String {
    fen.display(Lettering::Makruk).to_string()
}
