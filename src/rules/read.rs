//! A FEN as a rule set reads it.

use thiserror::Error;

use super::RuleSet;
use crate::board::{Fen, FenError, LeapRights, Lettering, Position, Role, SquareSet};
use crate::material::MenError;
use crate::remedy::Remedy;

/// Why a text is no position that the tables of a rule set can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// It is no FEN of a legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The tables do not have it.
    #[error(transparent)]
    NotInTables(#[from] NotInTables),
}

impl ReadError {
    /// What the user can do about it, where the sentence itself does not say it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ReadError::Fen(error) => error.remedy(),
            ReadError::NotInTables(_) => None,
        }
    }
}

/// Why no table of a rule set has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotInTables {
    /// Too many men, or bia among them.
    #[error(transparent)]
    Men(#[from] MenError),
    /// Bia under rules whose tables have none.
    #[error("the position is not in the tables: those of {0} have no bia (pawns)")]
    Bia(RuleSet),
    /// A king or a met of ouk that may still leap. The tables know no leaps.
    #[error(
        "the position is not in the tables: {} may still leap, which the tables do not know",
        leapers_in_words(.0, *.1)
    )]
    MayLeap(Position, SquareSet),
}

fn leapers_in_words(position: &Position, leapers: SquareSet) -> String {
    let name = |square| match position.man_at(square) {
        Some((_, Role::King)) => "king",
        _ => "met",
    };
    let men = leapers.map(|square| format!("the {} on {square}", name(square)));
    men.collect::<Vec<_>>().join(" and ")
}

impl RuleSet {
    /// Reads a FEN of 2 to 6 fields in the letters of the rule set, of a position that the tables may
    /// have.
    ///
    /// # Errors
    ///
    /// For anything that is not a FEN of a legal position, and for a position that is in no table:
    /// with too many men or bia among them, or of ouk in which a man may still leap.
    pub fn read_fen(self, text: &str) -> Result<Fen, ReadError> {
        self.read_fen_in(text, self.lettering())
    }

    /// The same in these letters.
    ///
    /// # Errors
    ///
    /// As [`RuleSet::read_fen`].
    pub fn read_fen_in(self, text: &str, lettering: Lettering) -> Result<Fen, ReadError> {
        let fen = self.parse_fen(text, lettering)?;
        self.check_fen(&fen)?;
        Ok(fen)
    }

    /// Reads a FEN of any moment of a game, in the letters of the rule set.
    ///
    /// # Errors
    ///
    /// For anything that is not a FEN of a legal position.
    pub fn read_game_fen(self, text: &str) -> Result<Fen, FenError> {
        self.parse_fen(text, self.lettering())
    }

    fn parse_fen(self, text: &str, lettering: Lettering) -> Result<Fen, FenError> {
        let mut fen = Fen::parse(text, lettering)?;
        if self != RuleSet::Ouk {
            fen.leaps = LeapRights::NONE;
        }
        match fen.count {
            Some(count) if self == RuleSet::Makruk && !fen.position.is_pawnless() => {
                let limit = count.limit();
                Err(FenError::CountWithBia { limit })
            }
            _ => Ok(fen),
        }
    }

    /// Checks that the tables may have a position.
    ///
    /// # Errors
    ///
    /// If they may not.
    pub fn check_fen(self, fen: &Fen) -> Result<(), NotInTables> {
        self.check_in_tables(&fen.position, fen.leapers())
    }

    /// The same of a position in which the men on the squares given have not moved yet.
    ///
    /// # Errors
    ///
    /// If the tables may not have it.
    pub fn check_in_tables(
        self,
        position: &Position,
        leapers: SquareSet,
    ) -> Result<(), NotInTables> {
        let material = position.material();
        if self != RuleSet::Makruk && !material.is_pawnless() {
            return Err(NotInTables::Bia(self));
        }
        material.check_men()?;
        match self == RuleSet::Ouk && !leapers.is_empty() {
            true => Err(NotInTables::MayLeap(*position, leapers)),
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
        assert!(matches!(error, ReadError::NotInTables(_)));
        // The letters are of men that have moved.
        let moved = "8/3mk3/8/8/8/8/3K4/8 w DEde - 0 1";
        assert!(RuleSet::Ouk.read_fen(moved).is_ok());
        // The other games have no leaps.
        assert!(RuleSet::Makruk.read_fen(leap).unwrap().leaps.is_empty());
    }

    #[test]
    fn bia_and_many_men_are_read_and_not_in_the_tables() {
        let why = |rules: RuleSet, text: &str| match rules.read_fen(text) {
            Err(ReadError::NotInTables(why)) => why,
            other => panic!("{rules} {text}: {other:?}"),
        };
        let bia = "8/8/8/3k4/3P4/3K4/8/8 w";
        for rules in [RuleSet::Ouk, RuleSet::Asean] {
            assert_eq!(why(rules, bia), NotInTables::Bia(rules));
        }
        assert!(matches!(
            why(RuleSet::Makruk, bia),
            NotInTables::Men(MenError::Bia(_))
        ));
        let many = "8/8/8/3k4/8/3K4/RRRRRRR1/8 w";
        for rules in RuleSet::ALL {
            assert_eq!(why(rules, many), NotInTables::Men(MenError::TooMany(9)));
            assert!(rules.read_game_fen(many).is_ok() && rules.read_game_fen(bia).is_ok());
        }
    }
}
