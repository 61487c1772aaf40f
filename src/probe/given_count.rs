//! A count as people give it: the number last said and, if need be, the limit, both in moves.

use thiserror::Error;

use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Fen, FenCount};
use crate::material::Material;
use crate::rules::{Count, CountError, RuleSet, boards_honor_limit, pieces_honor_limit};

/// The largest number that a FEN still holds in plies.
const MOST: u32 = 9999;

/// Why a count that somebody gives cannot be written into a FEN.
#[derive(Debug, Error)]
pub enum GivenCountError {
    /// Two counts for one position.
    #[error("the FEN gives a count, and a number is given as well: leave one of them out")]
    Twice,
    /// A clock and a count for one position of ASEAN chess, which begin with the same capture.
    #[error(
        "the FEN gives {plies} plies since the last capture, and a count is given as well, which in \
         asean begins with a capture: leave one of them out"
    )]
    ClockTwice {
        /// The clock of the FEN.
        plies: u32,
    },
    /// A limit without a number.
    #[error(
        "the limit of a count is given but not the number it has come to: give that too, or leave the limit out"
    )]
    NoNumber,
    /// No limit, where the rules know none.
    #[error(
        "{rules} counts nothing in {material}: give the limit in force too, or leave the count out"
    )]
    NothingCounted {
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
    /// A number that nobody counts to.
    #[error("{number} is too large for a count in moves: give at most {MOST}")]
    TooLarge {
        /// The number, or the limit.
        number: u32,
    },
    /// A count that cannot run in the position.
    #[error(transparent)]
    Count(#[from] CountError),
    /// Who counts could not be found out.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl Tablebase {
    /// A FEN with a count given in moves: the number that the count has come
    /// to and, if it is not that of the men on the board, its limit. Without either it is the FEN
    /// as it is. A limit of 0 is no count.
    ///
    /// With men on both sides the side at a disadvantage is taken to count, which the tables tell.
    ///
    /// # Errors
    ///
    /// If nothing is counted in the position, the FEN has a count of its own, or a table that is
    /// needed is missing or cannot be used.
    pub fn with_count(
        &self,
        fen: &Fen,
        rules: RuleSet,
        number: Option<u32>,
        limit: Option<u32>,
    ) -> Result<Fen, GivenCountError> {
        let mut fen = *fen;
        match number {
            Some(_) if fen.count.is_some() => return Err(GivenCountError::Twice),
            Some(_) if limit == Some(0) => {}
            Some(_) if rules == RuleSet::Asean && fen.clock > 0 => {
                return Err(GivenCountError::ClockTwice { plies: fen.clock });
            }
            Some(number) => {
                fen.count = Some(self.in_plies(&fen, rules, number, limit)?);
                fen.clock = 0;
            }
            None if limit.is_some() => return Err(GivenCountError::NoNumber),
            None => {}
        }
        let position = &fen.position;
        Count::from_fen(&fen).validate(rules, position.material())?;
        Ok(fen)
    }

    fn in_plies(
        &self,
        fen: &Fen,
        rules: RuleSet,
        number: u32,
        limit: Option<u32>,
    ) -> Result<FenCount, GivenCountError> {
        let position = &fen.position;
        let material = position.material();
        let (limit_of_men, counting) = match material.bare_side() {
            Some(bare) => (pieces_honor_limit(rules, material.army(!bare)), bare),
            // Where neither side wins it makes no difference who counts.
            None => (
                boards_honor_limit(rules, material),
                self.dtm(position)?
                    .winner(!position.turn())
                    .unwrap_or(position.turn()),
            ),
        };
        let limit = limit
            .or(limit_of_men)
            .ok_or(GivenCountError::NothingCounted { rules, material })?;
        if let Some(number) = [number, limit].into_iter().find(|&number| number > MOST) {
            return Err(GivenCountError::TooLarge { number });
        }
        // The number is said with a move of the counting side; until the other has moved, its ply
        // is not over.
        let waiting = u32::from(position.turn() != counting);
        let counted = (2 * number).saturating_sub(waiting);
        Ok(FenCount::new(2 * limit, counted).map_err(CountError::from)?)
    }
}
