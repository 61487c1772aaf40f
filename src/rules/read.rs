//! A FEN as a rule set reads it.

use thiserror::Error;

use super::RuleSet;
use crate::board::{Fen, FenError, Lettering, Role, SquareSet};
use crate::remedy::Remedy;

/// Why a text is no position that the tables of a rule set can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// It is no FEN of a legal pawnless position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It has a move that the tables do not know.
    #[error(transparent)]
    MayLeap(#[from] MayLeap),
}

impl ReadError {
    /// What the user can do about it, where the sentence itself does not say it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ReadError::Fen(error) => error.remedy(),
            ReadError::MayLeap(_) => None,
        }
    }
}

/// A position of ouk in which a king or a met may still leap. The tables know no leaps, so it is
/// in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the position is not in the tables: {} may still leap, which the tables do not know",
    self.in_words()
)]
pub struct MayLeap {
    /// The position.
    pub fen: Fen,
}

impl MayLeap {
    /// The squares of the men that may leap.
    pub fn squares(&self) -> SquareSet {
        self.fen.leapers()
    }

    fn in_words(&self) -> String {
        let name = |square| match self.fen.position.man_at(square) {
            Some((_, Role::King)) => "king",
            _ => "met",
        };
        let men = self
            .squares()
            .map(|square| format!("the {} on {square}", name(square)));
        men.collect::<Vec<_>>().join(" and ")
    }
}

impl RuleSet {
    /// Reads a FEN of 2 to 6 fields in the letters of the rule set.
    ///
    /// # Errors
    ///
    /// For anything that is not a FEN of a legal pawnless position, and for a position of ouk in
    /// which a man may still leap.
    pub fn read_fen(self, text: &str) -> Result<Fen, ReadError> {
        self.read_fen_in(text, self.lettering())
    }

    /// The same in these letters.
    ///
    /// # Errors
    ///
    /// As [`RuleSet::read_fen`].
    pub fn read_fen_in(self, text: &str, lettering: Lettering) -> Result<Fen, ReadError> {
        let fen = Fen::parse(text, lettering)?;
        if self != RuleSet::Ouk && !fen.leaps.is_empty() {
            return Err(FenError::Castling(fen.leaps.to_string()).into());
        }
        self.check_leaps(&fen)?;
        Ok(fen)
    }

    /// Checks that no man of a position may still leap.
    ///
    /// # Errors
    ///
    /// If one may, in ouk.
    pub fn check_leaps(self, fen: &Fen) -> Result<(), MayLeap> {
        match self == RuleSet::Ouk && !fen.leapers().is_empty() {
            true => Err(MayLeap { fen: *fen }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_of_ouk_that_may_leap_is_not_in_the_tables() {
        let leap = "3mk3/8/8/8/8/8/8/3K4 w De - 0 1";
        let error = RuleSet::Ouk.read_fen(leap).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the position is not in the tables: the king on d1 and the king on e8 may still leap, \
             which the tables do not know"
        );
        assert!(matches!(error, ReadError::MayLeap(_)));
        // The letters are of men that have moved.
        let moved = "8/3mk3/8/8/8/8/3K4/8 w DEde - 0 1";
        assert!(RuleSet::Ouk.read_fen(moved).is_ok());
        for rules in [RuleSet::Makruk, RuleSet::Asean] {
            assert!(matches!(rules.read_fen(moved), Err(ReadError::Fen(_))));
        }
    }
}
