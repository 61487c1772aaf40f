//! Parses FENs under a rule set.

use thiserror::Error;

use super::RuleSet;
use crate::board::{
    Color, Fen, FenError, Game, LeapRights, Lettering, Position, Role, Square, SquareSet,
};
use crate::material::MenError;
use crate::remedy::Remedy;

/// The reason why a text does not describe a position that a table can contain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The text is not the FEN of a legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No table can have the position.
    #[error(transparent)]
    NotInTables(#[from] NotInTables),
}

impl ReadError {
    /// The remedy to show to the user, for errors whose message does not include it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ReadError::Fen(error) => error.remedy(),
            ReadError::NotInTables(_) => None,
        }
    }
}

/// The reason why no table of a rule set has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotInTables {
    /// There are more men than in any table.
    #[error("the position is not in the tables: {0}")]
    Men(#[from] MenError),
    /// A bia is on a square that it cannot reach in a game, or on which it would have been
    /// promoted.
    #[error(
        "the position is not in the tables: {side}'s bia on {square} is {place}; the tables \
         have bia of this side only on ranks {ranks}{hint}",
        side = in_words(*.1),
        square = .2,
        place = past_or_behind(*.0, *.1, *.2),
        ranks = ranks(*.0, *.1),
        hint = hint(*.0, *.1, *.2)
    )]
    BiaSquare(Game, Color, Square),
    /// A king or a met of ouk may still make its first leap, but the tables are computed without
    /// leaps.
    #[error(
        "the position is not in the tables: {} may still leap, which the tables do not cover",
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

fn in_words(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The reason, for a message, why tables have no bia on a square.
fn past_or_behind(game: Game, color: Color, square: Square) -> &'static str {
    match game.promotes(color, square) {
        true => "on or past its promotion rank",
        false => "behind its starting rank",
    }
}

/// The advice, for a message, to write the man that a bia on this square has become.
fn hint(game: Game, color: Color, square: Square) -> String {
    match game.promotions() {
        [role] if game.promotes(color, square) => {
            let letter = game.lettering().letter(*role);
            let letter = match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            };
            format!(": write {letter}, the man that it has become")
        }
        _ => String::new(),
    }
}

/// The ranks of [`Game::bia_ranks`] as text.
fn ranks(game: Game, color: Color) -> String {
    let [first, last] = game.bia_ranks(color);
    format!("{first} to {last}")
}

/// Checks that the rule set has tables with bia, if there are bia, and that the bia are on possible
/// squares.
///
/// # Errors
///
/// If the position has bia and the tables have none, or if a bia is on an impossible square.
#[inline]
pub fn check_bia(rules: RuleSet, position: &Position) -> Result<(), NotInTables> {
    if position.is_pawnless() {
        return Ok(());
    }
    let game = rules.game();
    for color in Color::ALL {
        let astray = position.men(color, Role::Bia) & !game.bia_home(color);
        if let Some(square) = astray.first() {
            return Err(NotInTables::BiaSquare(game, color, square));
        }
    }
    Ok(())
}

impl RuleSet {
    /// Parses a FEN of 2 to 6 fields, with the letters of the rule set. Accepts only positions that
    /// tables can contain.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position, or if no table can contain the position,
    /// because it has too many men, bia under another rule set than makruk, or a man of ouk that
    /// may still leap.
    pub fn read_fen(self, text: &str) -> Result<Fen, ReadError> {
        self.read_fen_in(text, self.lettering())
    }

    /// Like [`RuleSet::read_fen`], but reads the men in the given lettering.
    ///
    /// # Errors
    ///
    /// As for [`RuleSet::read_fen`].
    pub fn read_fen_in(self, text: &str, lettering: Lettering) -> Result<Fen, ReadError> {
        let fen = self.parse_fen(text, lettering)?;
        self.check_fen(&fen)?;
        Ok(fen)
    }

    /// Parses a FEN of any position of a game, with the letters of the rule set.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position.
    pub fn read_game_fen(self, text: &str) -> Result<Fen, FenError> {
        self.parse_fen(text, self.lettering())
    }

    fn parse_fen(self, text: &str, lettering: Lettering) -> Result<Fen, FenError> {
        let mut fen = Fen::parse(text, lettering)?;
        if !self.has_first_leaps() {
            fen.leaps = LeapRights::NONE;
        }
        // In ASEAN chess and ouk, counts with bia are checked against their limits later.
        let rejects_counts = match self {
            RuleSet::Makruk => !fen.position.is_pawnless(),
            RuleSet::Asean | RuleSet::Ouk => false,
        };
        match fen.count.filter(|_| rejects_counts) {
            Some(count) => Err(FenError::CountWithBia {
                limit: count.limit(),
            }),
            None => Ok(fen),
        }
    }

    /// Checks that a table can contain the position of a FEN.
    ///
    /// # Errors
    ///
    /// If no table can contain the position.
    pub fn check_fen(self, fen: &Fen) -> Result<(), NotInTables> {
        self.check_in_tables(&fen.position, fen.leapers())
    }

    /// Like [`RuleSet::check_fen`], but takes a position and the squares of the kings and mets that
    /// have not moved.
    ///
    /// # Errors
    ///
    /// If no table can contain the position.
    pub fn check_in_tables(
        self,
        position: &Position,
        leapers: SquareSet,
    ) -> Result<(), NotInTables> {
        position.material().in_game(self.game()).check_men()?;
        check_bia(self, position)?;
        match self.has_first_leaps() && !leapers.is_empty() {
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
             which the tables do not cover"
        );
        assert!(matches!(error, ReadError::NotInTables(_)));
        // The letters of the third field belong to men that have moved since.
        let moved = "8/3mk3/8/8/8/8/3K4/8 w DEde - 0 1";
        assert!(RuleSet::Ouk.read_fen(moved).is_ok());
        // The other games have no leaps.
        assert!(RuleSet::Makruk.read_fen(leap).unwrap().leaps.is_empty());
    }

    #[test]
    fn bia_that_stand_where_none_do_are_not_in_the_tables() {
        for (fen, says) in [
            (
                "8/8/8/3k4/8/3K4/4P3/8 w",
                "White's bia on e2 is behind its starting rank; the tables have bia of this side only on ranks 3 to 5",
            ),
            (
                "8/8/4P3/8/3k4/8/3K4/8 w",
                "White's bia on e6 is on or past its promotion rank; the tables have bia of this side \
                 only on ranks 3 to 5: write M, the man that it has become",
            ),
            (
                "8/1p6/8/3k4/8/3K4/8/8 w",
                "Black's bia on b7 is behind its starting rank; the tables have bia of this side only on ranks 6 to 4",
            ),
            (
                "8/8/8/3k4/8/1p1K4/8/8 w",
                "Black's bia on b3 is on or past its promotion rank; the tables have bia of this side \
                 only on ranks 6 to 4: write m, the man that it has become",
            ),
        ] {
            let error = RuleSet::Makruk.read_fen(fen).unwrap_err().to_string();
            assert!(error.contains(says), "{fen}: {error}");
            assert!(RuleSet::Makruk.read_game_fen(fen).is_ok());
        }
        // Tables have any placement on these ranks, even if no game leads to it: three bia on a
        // file, or two past each other.
        for fen in ["8/8/8/3P4/3P4/3P4/8/K1k5 w", "8/8/8/3P4/3p4/8/8/K1k5 w"] {
            assert!(RuleSet::Makruk.read_fen(fen).is_ok(), "{fen}");
        }
        let nine = "8/8/8/PPPP4/PPPP4/P7/8/K1k5 w";
        assert!(matches!(
            RuleSet::Makruk.read_fen(nine),
            Err(ReadError::NotInTables(NotInTables::Men(MenError::TooMany(
                11
            ))))
        ));
    }

    #[test]
    fn bia_of_other_rules_and_many_men_are_read_and_not_in_the_tables() {
        let why = |rules: RuleSet, text: &str| match rules.read_fen(text) {
            Err(ReadError::NotInTables(why)) => why,
            other => panic!("{rules} {text}: {other:?}"),
        };
        let bia = "8/8/8/3k4/3P4/3K4/8/8 w";
        assert!(RuleSet::ALL.iter().all(|rules| rules.read_fen(bia).is_ok()));
        let six = "8/8/8/3k4/3P4/3K4/RRR5/8 w";
        let six_men = NotInTables::Men(MenError::TooManyWithAseanBia(6));
        assert_eq!(why(RuleSet::Asean, six), six_men);
        assert!(RuleSet::Makruk.read_fen(six).is_ok());
        let many = "8/8/8/3k4/8/3K4/RRRRRRR1/8 w";
        for rules in RuleSet::ALL {
            assert_eq!(why(rules, many), NotInTables::Men(MenError::TooMany(9)));
            assert!(rules.read_game_fen(many).is_ok() && rules.read_game_fen(bia).is_ok());
        }
    }
}
