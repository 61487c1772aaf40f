//! FEN: a position with its counters in one line of text.
//!
//! The fields are those of Fairy-Stockfish:
//!
//! ```text
//! 8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78
//! board                 turn - LIMIT COUNTED FULLMOVE
//! ```
//!
//! In chess the third field holds castling rights, which are ignored here. In ouk it lists the
//! kings and mets that have not moved ([`LeapRights`]). LIMIT and COUNTED belong to a running
//! count, both in plies. Without a count, LIMIT is `-` or 0, and the next field is the usual clock
//! of plies since the last capture. Fields may be omitted from the right, as long as the board and
//! the side to move remain. `_` is read as a blank, for URLs. Some programs (xboard, cutechess)
//! omit the third and fourth fields: if the third field is a number, it is the clock, and the
//! fullmove number follows.

use super::fen_error::{FenCountError, FenError};
use super::leap::LeapRights;
use super::{Color, Lettering, Position, Role, Square, SquareSet};

/// Counters must be smaller than this number: a larger one is surely a mistake.
const COUNTER_END: u32 = 1_000_000;

/// A position with its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// The men and the side to move.
    pub position: Position,
    /// The running count, if any.
    pub count: Option<FenCount>,
    /// The plies since the last capture. If there is a count, the clock is 0, because the FEN then
    /// uses the clock's field for the counted plies.
    pub clock: u32,
    /// The fullmove number, from 1.
    pub fullmove: u32,
    /// The kings and mets that have not moved, from the third field of the FEN. Only ouk uses them.
    pub leaps: LeapRights,
    /// The squares of the promoted bia that the FEN marks with `~`.
    pub promoted: SquareSet,
}

/// The running count in a FEN, in plies. The limit is never 0. If more plies than the limit are
/// counted, the count is over. The module [`rules`](crate::rules) checks whether the count fits the
/// men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FenCount {
    limit: u32,
    counted: u32,
}

impl FenCount {
    /// Makes a count from its limit and the number of plies counted. The limit is in plies too.
    ///
    /// # Errors
    ///
    /// If the limit is 0, which stands for no count.
    pub fn new(limit: u32, counted: u32) -> Result<FenCount, FenCountError> {
        match limit {
            0 => Err(FenCountError::LimitZero),
            _ => Ok(FenCount { limit, counted }),
        }
    }

    /// The limit, in plies.
    pub const fn limit(self) -> u32 {
        self.limit
    }

    /// The plies counted so far.
    pub const fn counted(self) -> u32 {
        self.counted
    }
}

impl Fen {
    /// The position without a count, at move 1.
    pub const fn new(position: Position) -> Fen {
        Fen {
            position,
            count: None,
            clock: 0,
            fullmove: 1,
            leaps: LeapRights::NONE,
            promoted: SquareSet::EMPTY,
        }
    }

    /// Parses a FEN of 2 to 6 fields, with the men in this lettering.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position. Mistakes are never corrected.
    pub fn parse(text: &str, lettering: Lettering) -> Result<Fen, FenError> {
        let blank = |letter: char| letter.is_whitespace() || letter == '_';
        let mut fields = text.split(blank).filter(|field| !field.is_empty());
        let board = fields.next().ok_or(FenError::Empty)?;
        let Men { men, promoted } = Men::parse(board, lettering)?;
        let turn = match fields.next() {
            None => return Err(FenError::NoTurn),
            Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(FenError::Turn(other.to_string())),
        };
        let mut fen = Fen {
            promoted,
            ..Fen::new(Position::from_men(men, turn)?)
        };
        let counters = fen.read_counters(&mut fields, lettering)?;
        match fields.next() {
            None => Ok(fen),
            Some(word) => Err(FenError::Trailing {
                word: word.to_string(),
                fields: counters + 2,
            }),
        }
    }

    /// Parses the fields after the side to move. Returns the number of these fields in a complete
    /// FEN: 4, or 2 if the third field is the clock.
    fn read_counters<'a>(
        &mut self,
        fields: &mut impl Iterator<Item = &'a str>,
        lettering: Lettering,
    ) -> Result<usize, FenError> {
        let third = fields.next();
        if let Some(clock) = third.and_then(counter) {
            self.clock = clock;
            self.fullmove = fullmove(fields.next())?;
            return Ok(2);
        }
        let castling = |word: &str| FenError::Castling(word.to_string());
        self.leaps = match third {
            None | Some("-") => LeapRights::NONE,
            Some(word) => {
                let leaps = LeapRights::read(word).ok_or_else(|| castling(word))?;
                match lettering {
                    Lettering::Makruk => leaps,
                    Lettering::Asean => LeapRights::NONE,
                }
            }
        };
        let limit = match fields.next() {
            None | Some("-") => 0,
            Some(word) => counter(word).ok_or_else(|| FenError::Limit(word.to_string()))?,
        };
        match (limit, fields.next()) {
            (0, None) => {}
            (limit, None) => return Err(FenError::NotCounted(limit)),
            (limit, Some(word)) => {
                let counted = counter(word).ok_or_else(|| FenError::Counted(word.to_string()))?;
                self.count = FenCount::new(limit, counted).ok();
                self.clock = if self.count.is_none() { counted } else { 0 };
            }
        }
        self.fullmove = fullmove(fields.next())?;
        Ok(4)
    }

    /// The squares of men that may still make their first leap: kings and mets at home that the
    /// third field lists. Only ouk has leaps.
    pub fn leapers(&self) -> SquareSet {
        self.leaps.leapers(&self.position)
    }
}

/// Parses the last field, the fullmove number. If the field is omitted, the number is 1. A 0 is
/// read as 1 too, because many programs write 0 for the first move.
fn fullmove(word: Option<&str>) -> Result<u32, FenError> {
    match word {
        None => Ok(1),
        Some(word) => match counter(word) {
            Some(number) => Ok(number.max(1)),
            None => Err(FenError::Fullmove(word.to_string())),
        },
    }
}

/// Parses a number below [`COUNTER_END`], written with digits only. `None` for any other text.
fn counter(word: &str) -> Option<u32> {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    word.parse().ok().filter(|&number| number < COUNTER_END)
}

/// The men in the first field of a FEN.
#[derive(Default)]
struct Men {
    men: Vec<(Square, Color, Role)>,
    promoted: SquareSet,
}

impl Men {
    fn parse(board: &str, lettering: Lettering) -> Result<Men, FenError> {
        let ranks = board.split('/').count();
        let mut all = Men::default();
        for (i, text) in board.split('/').take(8).enumerate() {
            let rank = 8 - i;
            let width = all.parse_rank(text, rank, lettering)?;
            if width != 8 {
                return Err(FenError::RankWidth {
                    rank,
                    text: text.to_string(),
                    width,
                });
            }
        }
        match ranks {
            8 => Ok(all),
            _ => Err(FenError::Ranks(ranks)),
        }
    }

    /// Parses a rank and adds its men. Returns the number of squares that the rank describes.
    fn parse_rank(
        &mut self,
        text: &str,
        rank: usize,
        lettering: Lettering,
    ) -> Result<usize, FenError> {
        let mut file = 0;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let role = man(letter, rank, lettering)?;
            let may_be_promoted = lettering.game().promotions().contains(&role);
            let promoted = may_be_promoted && letters.next_if_eq(&'~').is_some();
            let color = match letter.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            // A man beyond the h-file is not placed. The width of the rank is reported as an error
            // anyway.
            if let Some(square) = Square::at(file.min(8) as u8, rank as u8 - 1) {
                self.men.push((square, color, role));
                if promoted {
                    self.promoted = self.promoted.with(square);
                }
            }
            file += 1;
        }
        Ok(file)
    }
}

/// The role that a letter stands for, or the error to report if it stands for no role.
fn man(letter: char, rank: usize, lettering: Lettering) -> Result<Role, FenError> {
    let upper = letter.to_ascii_uppercase();
    match lettering.role(upper) {
        Some(role) => Ok(role),
        None if letter == '~' => Err(FenError::PromotionMark { rank, lettering }),
        None if lettering.other().role(upper).is_some() => Err(FenError::OtherLettering {
            rank,
            letter,
            lettering,
        }),
        None => Err(FenError::Letter {
            rank,
            letter,
            lettering,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PositionError, arbitrary};
    use super::*;
    use crate::remedy::Remedy;
    use proptest::prelude::*;

    fn makruk(text: &str) -> Result<Fen, FenError> {
        Fen::parse(text, Lettering::Makruk)
    }

    fn error(text: &str) -> FenError {
        makruk(text).unwrap_err()
    }

    #[test]
    fn a_fen_with_a_count_is_read_as_it_is_written() {
        let text = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78";
        let fen = makruk(text).unwrap();
        assert_eq!(fen.position.turn(), Color::Black);
        assert_eq!(fen.position.material().to_string(), "KNMMvK");
        assert_eq!(fen.count, FenCount::new(128, 10).ok());
        assert_eq!((fen.clock, fen.fullmove), (0, 78));
        assert_eq!(fen.display(Lettering::Makruk).to_string(), text);
        assert_eq!(
            fen.display(Lettering::Asean).to_string(),
            "8/1K6/2QN4/k1Q5/8/8/8/8 b - 128 10 78"
        );
    }

    #[test]
    fn a_fen_is_written_without_the_fields_that_are_not_wanted() {
        for (text, epd, zero) in [
            (
                "8/8/8/3k4/8/3K4/3R4/8 w - - 31 90",
                "8/8/8/3k4/8/3K4/3R4/8 w - -",
                "8/8/8/3k4/8/3K4/3R4/8 w - 0 31 90",
            ),
            (
                "8/8/8/3k4/8/3K4/3R4/8 b Dd 32 6 9",
                "8/8/8/3k4/8/3K4/3R4/8 b - 32",
                "8/8/8/3k4/8/3K4/3R4/8 b - 32 6 9",
            ),
        ] {
            let fen = Fen {
                leaps: LeapRights::NONE,
                ..makruk(text).unwrap()
            };
            let display = fen.display(Lettering::Makruk);
            assert!(text.starts_with(&display.short().to_string()), "{text}");
            assert_eq!(
                display.short().to_string().len(),
                text.find(" w").or(text.find(" b")).unwrap() + 2
            );
            assert_eq!(display.epd().to_string(), epd);
            assert_eq!(display.with_zero_limit().to_string(), zero);
        }
    }

    #[test]
    fn a_dash_for_the_limit_leaves_an_ordinary_clock() {
        let fen = makruk("8/8/8/3k4/8/3K4/3R4/8 w - - 31 90").unwrap();
        assert_eq!((fen.count, fen.clock, fen.fullmove), (None, 31, 90));
    }

    #[test]
    fn a_limit_of_0_is_no_count() {
        // The form of FEN that cutechess writes.
        let fen = makruk("8/8/8/3k4/8/3K4/3R4/8 w - 0 7 1").unwrap();
        assert_eq!((fen.count, fen.clock), (None, 7));
        assert_eq!(makruk("8/8/8/3k4/8/3K4/3R4/8 w - 0").unwrap().count, None);
        assert!(FenCount::new(0, 7).is_err());
    }

    #[test]
    fn the_men_of_ouk_that_have_not_moved_are_read() {
        let text = "3mk3/8/8/8/8/8/8/3KM3 w DEde - 0 1";
        let fen = makruk(text).unwrap();
        let squares: Vec<String> = fen.leapers().map(|square| square.to_string()).collect();
        assert_eq!(squares, ["d1", "e1", "d8", "e8"]);
        assert_eq!(fen.display(Lettering::Makruk).to_string(), text);
        // A letter is ignored unless its man is at home.
        let fen = makruk("8/3mk3/8/8/8/8/8/3KN3 w DEde - 0 1").unwrap();
        let squares: Vec<String> = fen.leapers().map(|square| square.to_string()).collect();
        assert_eq!(squares, ["d1"]);
        let asean = Fen::parse("3qk3/8/8/8/8/8/8/3KQ3 w DEde", Lettering::Asean).unwrap();
        assert!(asean.leaps.is_empty());
    }

    #[test]
    fn a_count_beyond_its_limit_is_read() {
        let text = "8/8/8/3k4/8/3K4/3R4/8 w - 32 33 1";
        let fen = makruk(text).unwrap();
        assert_eq!(fen.count, FenCount::new(32, 33).ok());
        assert_eq!(fen.display(Lettering::Makruk).to_string(), text);
    }

    #[test]
    fn a_number_in_third_place_is_the_clock() {
        let board = "8/8/8/3k4/8/3K4/2SM4/8 w";
        let fen = makruk(&format!("{board} 16 34")).unwrap();
        assert_eq!((fen.count, fen.clock, fen.fullmove), (None, 16, 34));
        assert_eq!(makruk(&format!("{board} 0 0")), makruk(board));
        assert_eq!(makruk(&format!("{board} 16")).unwrap().clock, 16);
    }

    #[test]
    fn castling_rights_are_ignored() {
        let board = "8/8/8/3k4/8/3K4/2SM4/8 w";
        for letters in ["KQkq", "Kq", "HAha", "DD"] {
            let fen = makruk(&format!("{board} {letters} - 0 1")).unwrap();
            assert!(fen.leapers().is_empty() && fen.count.is_none());
        }
    }

    #[test]
    fn a_move_number_of_0_is_the_first_move() {
        let text = "8/8/8/3k4/8/3K4/3R4/8 w - 32 8";
        assert_eq!(makruk(&format!("{text} 0")), makruk(&format!("{text} 1")));
    }

    #[test]
    fn fields_may_be_left_out_from_the_right() {
        let full = makruk("8/8/8/3k4/8/3K4/3R4/8 w - - 0 1").unwrap();
        for short in ["w", "w -", "w - -", "w - - 0", "  w   -", "_w_-_-_0_1"] {
            let text = format!(" 8/8/8/3k4/8/3K4/3R4/8 {short}\n");
            assert_eq!(makruk(&text), Ok(full), "{text:?}");
        }
        let counted = makruk("8/8/8/3k4/8/3K4/3R4/8 w - 32 7").unwrap();
        assert_eq!(counted.count, FenCount::new(32, 7).ok());
    }

    #[test]
    fn a_promoted_bia_is_a_met() {
        let plain = makruk("8/8/8/3k4/8/3K4/3Mm3/8 w").unwrap();
        let text = "8/8/8/3k4/8/3K4/3M~m~3/8 w - - 0 1";
        let marked = makruk(text).unwrap();
        assert_eq!(marked.position, plain.position);
        assert_eq!(marked.promoted.len(), 2);
        let display = marked.display(Lettering::Makruk);
        assert_eq!(display.with_promoted().to_string(), text);
        assert_eq!(display.to_string(), text.replace('~', ""));
        let rank = 2;
        let lettering = Lettering::Makruk;
        for wrong in ["3M~~m3", "3~Mm3", "3Mm1~2", "~3Mm3"] {
            let text = format!("8/8/8/3k4/8/3K4/{wrong}/8 w");
            assert_eq!(error(&text), FenError::PromotionMark { rank, lettering });
        }
        // In ASEAN chess the player chooses the man that a bia becomes.
        let asean = |text| Fen::parse(text, Lettering::Asean);
        assert!(asean("8/8/8/3k4/8/3K4/3R~b~3/8 w").is_ok());
        assert!(asean("8/8/8/3k~4/8/3K4/3Rb3/8 w").is_err());
        assert!(makruk("8/8/8/3k4/8/3K4/3R~s3/8 w").is_err());
    }

    #[test]
    fn a_board_that_is_badly_written_is_refused() {
        use FenError as E;
        assert_eq!(error(""), E::Empty);
        assert_eq!(error(" \t "), E::Empty);
        assert_eq!(error("8/8/8/3k4/8/3K4/8/8/8 w"), E::Ranks(9));
        assert_eq!(error("8/8/8/3k4/8/3K4/8 w"), E::Ranks(7));
        let width = |text: &str, rank, width| E::RankWidth {
            rank,
            text: text.to_string(),
            width,
        };
        assert_eq!(error("8/8/8/3k5/8/3K4/8/8 w"), width("3k5", 5, 9));
        assert_eq!(error("8/8/8/3k4/8/3K3/8/8 w"), width("3K3", 3, 7));
        assert_eq!(error("8//8/3k4/8/3K4/8/8 w"), width("", 7, 0));
        assert_eq!(error("8/8/8/88888K/8/3K4/8/8 w"), width("88888K", 5, 41));
        for letter in ['X', '9', '0', 'é', '[', 'ม', '\u{1b}'] {
            let text = format!("8/8/8/3k4/8/3K{letter}3/8/8 w");
            assert!(
                matches!(error(&text), E::Letter { letter: found, rank: 3, .. } if found == letter)
            );
        }
        let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        assert_eq!(makruk(start).unwrap().position.by_role(Role::Bia).len(), 16);
    }

    #[test]
    fn letters_of_the_other_rule_set_name_it() {
        let wrong = error("8/8/8/3k4/8/3K4/3b4/8 w");
        assert_eq!(
            wrong.to_string(),
            "rank 2 of the FEN has the letter b, which is ASEAN's, but the FEN is read in makruk \
             letters: K R N S M P"
        );
        assert_eq!(wrong.remedy(), Some(Remedy::ChooseRules { rules: "asean" }));
        let wrong = Fen::parse("8/8/8/3k4/8/3K4/3S4/8 w", Lettering::Asean).unwrap_err();
        assert_eq!(
            wrong.remedy(),
            Some(Remedy::ChooseRules { rules: "makruk" })
        );
    }

    #[test]
    fn a_position_that_is_not_legal_is_refused() {
        use PositionError as P;
        let position = |text: &str| match error(text) {
            FenError::Position(error) => error,
            other => panic!("{other}"),
        };
        let count = |text: &str| match position(text) {
            P::Kings { color, count } => (color, count),
            other => panic!("{other}"),
        };
        assert_eq!(count("8/8/8/3k4/8/3R4/8/8 w"), (Color::White, 0));
        assert_eq!(count("8/8/k7/3k4/7k/3K4/8/8 w"), (Color::Black, 3));
        assert!(matches!(
            position("8/8/8/3k4/4K3/8/8/8 w"),
            P::KingsTouch { .. }
        ));
        assert!(matches!(
            position("8/8/8/3k3R/8/3K4/8/8 w"),
            P::OpponentInCheck(Color::Black, _)
        ));
        let (color, men) = (Color::White, 17);
        let many = "8/8/8/3k4/8/3K4/MMMMMMMM/MMMMMMMM w";
        assert_eq!(position(many), P::TooMany { color, men });
        assert!(matches!(
            position("3P4/8/8/3k4/8/3K4/8/8 w"),
            P::LastRank(Color::White, _)
        ));
    }

    #[test]
    fn fields_after_the_board_that_are_wrong_are_refused() {
        use FenError as E;
        let after = |fields: &str| error(&format!("8/8/8/3k4/8/3K4/3R4/8{fields}"));
        let s = String::from;
        assert_eq!(after(""), E::NoTurn);
        assert_eq!(after(" W"), E::Turn(s("W")));
        assert_eq!(after(" -"), E::Turn(s("-")));
        assert_eq!(after(" w x"), E::Castling(s("x")));
        assert_eq!(after(" w KQ? - 0 1"), E::Castling(s("KQ?")));
        assert_eq!(after(" w -1 0"), E::Castling(s("-1")));
        assert_eq!(after(" w - e3 0 1"), E::Limit(s("e3")));
        assert_eq!(after(" w - -2 0 1"), E::Limit(s("-2")));
        assert_eq!(after(" w - +2 0 1"), E::Limit(s("+2")));
        assert_eq!(after(" w - 1000000 0 1"), E::Limit(s("1000000")));
        assert_eq!(
            after(" w - 99999999999999999999 0 1"),
            E::Limit(s("99999999999999999999"))
        );
        assert_eq!(after(" w - 32"), E::NotCounted(32));
        assert_eq!(after(" w - 32 x 1"), E::Counted(s("x")));
        assert_eq!(after(" w - - x 1"), E::Counted(s("x")));
        assert_eq!(after(" w - - - 1"), E::Counted(s("-")));
        assert_eq!(after(" w - 32 8 x"), E::Fullmove(s("x")));
        assert_eq!(after(" w 16 x"), E::Fullmove(s("x")));
        let trailing = |word: &str, fields| E::Trailing {
            word: word.to_string(),
            fields,
        };
        assert_eq!(after(" w - 32 8 20 x"), trailing("x", 6));
        assert_eq!(after(" w 16 34 1"), trailing("1", 4));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_the_same(
            position in arbitrary::position(),
            count in proptest::option::of((1..1000u32, 0..1000u32)),
            clock in 0..200u32,
            fullmove in 1..500u32,
        ) {
            let count = count.and_then(|(limit, counted)| FenCount::new(limit, counted).ok());
            let clock = if count.is_some() { 0 } else { clock };
            let fen = Fen { count, clock, fullmove, ..Fen::new(position) };
            for lettering in [Lettering::Makruk, Lettering::Asean] {
                let text = fen.display(lettering).to_string();
                prop_assert_eq!(Fen::parse(&text, lettering), Ok(fen));
            }
        }

        #[test]
        fn any_text_is_read_or_refused_in_one_sentence(
            text in "([KRNSMkrnsmp1-8/~]{0,20}( w| b)?( -)?( [0-9-]{1,4}){0,4})|.{0,40}"
        ) {
            for lettering in [Lettering::Makruk, Lettering::Asean] {
                if let Err(error) = Fen::parse(&text, lettering) {
                    let sentence = error.to_string();
                    prop_assert!(sentence.contains(": ") && !sentence.contains('\n'));
                }
            }
        }
    }
}
