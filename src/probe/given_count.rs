//! A count given by a user: the last number said aloud and, optionally, the limit, both in moves.

use thiserror::Error;

use super::answer::forced_winner;
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, FenCount, Position};
use crate::material::Material;
use crate::rules::{
    Count, CountError, RuleSet, boards_honor_limit, limit_with_bia, pieces_honor_limit,
};

/// The largest number of moves that is accepted as a count or as its limit.
const MOST_MOVES: u32 = 9999;

/// The reason why a user's count does not fit a position.
#[derive(Debug, Error)]
pub enum GivenCountError {
    /// The user gives a count, but the FEN has a count already.
    #[error("a count is given, but the FEN already has one: leave one of them out")]
    Twice,
    /// The user gives a count, but the FEN has a clock of plies since the last capture. In ASEAN
    /// chess a count begins with a capture too, so the count and the clock could contradict each
    /// other.
    #[error(
        "a count is given, but the FEN already has {plies} plies since the last capture, and in \
         asean a capture begins a count too: leave one of them out"
    )]
    ClockTwice {
        /// The number of plies since the last capture, from the FEN.
        plies: u32,
    },
    /// The user gives a limit, but not the number said last.
    #[error(
        "the limit of a count is given, but not the number counted so far: give both, or leave the limit out"
    )]
    NoNumber,
    /// The user gives no limit, and the rule set counts nothing with these men.
    #[error(
        "{rules} counts nothing in {material}: {}",
        if material.is_pawnless() { "give the limit in force too, or leave the count out" } else { "leave the count out" }
    )]
    NothingCounted {
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
    /// The user gives a number or a limit that is larger than any count can be.
    #[error("{number} is too large for a count in moves: give at most {MOST_MOVES}")]
    TooLarge {
        /// The number or the limit that is too large.
        number: u32,
    },
    /// The position cannot have this count.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The side that counts is unknown, because a probe failed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl Tablebase {
    /// Adds a count to a FEN: the last number said aloud and the limit, both in moves. By default,
    /// the limit is the one that the rules set for the men on the board. A limit of 0 means no
    /// count. Without a number and a limit, the FEN is unchanged.
    ///
    /// If both sides have men, the losing side counts. The tables show which side is losing.
    ///
    /// # Errors
    ///
    /// If the position cannot have this count, if the FEN has a count already, or if a table is
    /// missing or cannot be used.
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
            Some(_) if rules.has_fifty_move_rule() && fen.clock > 0 => {
                return Err(GivenCountError::ClockTwice { plies: fen.clock });
            }
            Some(number) => {
                fen.count = Some(self.fen_count(&fen, rules, number, limit)?);
                fen.clock = 0;
            }
            None if limit.is_some() => return Err(GivenCountError::NoNumber),
            None => {}
        }
        let position = &fen.position;
        Count::from_fen(&fen).validate(rules, position.material())?;
        Ok(fen)
    }

    /// Converts a count in moves to the count of a FEN, which is in plies.
    fn fen_count(
        &self,
        fen: &Fen,
        rules: RuleSet,
        number: u32,
        limit: Option<u32>,
    ) -> Result<FenCount, GivenCountError> {
        let position = &fen.position;
        let material = position.material();
        let (limit_of_men, counting) = match material.bare_side() {
            Some(bare) if material.is_pawnless() => {
                (pieces_honor_limit(rules, material.army(!bare)), bare)
            }
            Some(bare) => (limit_with_bia(rules), bare),
            // In a draw it does not matter which side counts.
            None => (
                boards_honor_limit(rules, material),
                self.losing_side(position, rules)?
                    .unwrap_or(position.turn()),
            ),
        };
        let limit = limit
            .or(limit_of_men)
            .ok_or(GivenCountError::NothingCounted { rules, material })?;
        if let Some(number) = [number, limit]
            .into_iter()
            .find(|&number| number > MOST_MOVES)
        {
            return Err(GivenCountError::TooLarge { number });
        }
        // The counting side says a number with each of its moves. Until the opponent replies, the
        // number stands for one ply less.
        let waiting = u32::from(position.turn() != counting);
        let counted = (2 * number).saturating_sub(waiting);
        Ok(FenCount::new(2 * limit, counted).map_err(CountError::from)?)
    }

    /// The side that is mated if nothing is counted; `None` for a draw. It is read from the
    /// distance tables or, if one is missing, from the verdict tables.
    fn losing_side(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Option<Color>, ProbeError> {
        let turn = position.turn();
        let missing = match self.dtm_in(rules.game(), position) {
            Err(error) if error.is_missing() => error,
            dtm => return Ok(dtm?.winner(!turn)),
        };
        match self.by_category().verdict(position, rules) {
            Ok(Some(category)) => Ok(forced_winner(category, !turn)),
            _ => Err(missing),
        }
    }
}
