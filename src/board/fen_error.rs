//! Faults of FENs, with their messages.

use thiserror::Error;

use super::{Lettering, PositionError, Role};
use crate::remedy::Remedy;

/// The error for an impossible count in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenCountError {
    /// The count's limit is 0.
    #[error("a limit of 0 plies means no count: leave the count out")]
    LimitZero,
}

/// The reason why a text is not the FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is blank.
    #[error(
        "the FEN is empty: write a board and a side to move, for instance 8/8/8/3k4/8/3K4/3R4/8 w"
    )]
    Empty,
    /// The board does not have eight ranks.
    #[error("the board of the FEN has {0} ranks, not 8: separate eight ranks with seven slashes")]
    Ranks(usize),
    /// A rank does not describe eight squares.
    #[error(
        "rank {rank} of the FEN, {text:?}, has {width} squares, not 8: make its men and empty squares add up to 8"
    )]
    RankWidth {
        /// The number of the rank: 8 for the first rank in the text.
        rank: usize,
        /// The text of the rank.
        text: String,
        /// The number of squares that it describes.
        width: usize,
    },
    /// A rank has a character that is neither a man's letter nor a digit.
    #[error(
        "rank {rank} of the FEN has the character {letter:?}, which is not a man in {lettering} letters: use {letters}, lower case for Black, and digits for empty squares",
        letters = .lettering.letters()
    )]
    Letter {
        /// The number of the rank.
        rank: usize,
        /// The character that was found.
        letter: char,
        /// The lettering of the FEN.
        lettering: Lettering,
    },
    /// A rank has a letter that only the other lettering uses.
    #[error(
        "rank {rank} of the FEN has the letter {letter}, which is {other}'s, but the FEN is read in {lettering} letters: {letters}",
        other = .lettering.other(), letters = .lettering.letters()
    )]
    OtherLettering {
        /// The number of the rank.
        rank: usize,
        /// The letter that was found.
        letter: char,
        /// The lettering of the FEN.
        lettering: Lettering,
    },
    /// A `~` does not follow a man that a bia can become by promotion.
    #[error(
        "rank {rank} of the FEN has a ~ that does not follow a promoted bia: write it after the promoted man, as in {met}~, or leave it out",
        met = .lettering.letter(Role::Met)
    )]
    PromotionMark {
        /// The number of the rank.
        rank: usize,
        /// The lettering of the FEN.
        lettering: Lettering,
    },
    /// The text describes a board, but the position on it is illegal.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The side to move is missing.
    #[error("the FEN ends after the board: add the side to move, w or b")]
    NoTurn,
    /// The side to move is neither White nor Black.
    #[error("the FEN has {0:?} as the side to move: write w for White or b for Black")]
    Turn(String),
    /// The third field is neither castling rights nor a number.
    #[error(
        "the FEN has {0:?} as its third field: write - there, or in ouk the kings and mets that have not moved, for instance DEde"
    )]
    Castling(String),
    /// The limit of the count is neither `-` nor a number.
    #[error(
        "the FEN has {0:?} as the limit of the count: write - if no count runs, or the limit in plies, for instance 128"
    )]
    Limit(String),
    /// There is a limit, but the number of counted plies is missing.
    #[error(
        "the FEN gives a limit of {0} plies but not how many are counted so far: add that number after the limit, or write - if no count runs"
    )]
    NotCounted(u32),
    /// The fifth field, which holds the counted plies or the clock, is not a number.
    #[error(
        "the FEN has {0:?} in its fifth field: write the number of counted plies there, for instance 0"
    )]
    Counted(String),
    /// The fullmove number is not a number.
    #[error("the FEN has {0:?} as the number of the move: write a number, or leave it out")]
    Fullmove(String),
    /// There is a count, although the rules count nothing in this position.
    #[error(
        "the FEN has a limit of {limit} plies, but makruk counts nothing while a bia (pawn) is on the board: write - in the fourth field"
    )]
    CountWithBia {
        /// The limit of the count, in plies.
        limit: u32,
    },
    /// There is text after the last field.
    #[error("unexpected {word:?} after field {fields} of the FEN: remove it")]
    Trailing {
        /// The first extra word.
        word: String,
        /// The number of fields before the extra word.
        fields: usize,
    },
}

impl FenError {
    /// The remedy to show to the user, for errors whose message does not include it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            FenError::OtherLettering { lettering, .. } => Some(Remedy::ChooseRules {
                rules: lettering.other().rules(),
            }),
            _ => None,
        }
    }
}
