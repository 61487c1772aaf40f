//! Standard algebraic notation: `Mf4`, `Rxe5+`, `Nc1#`, `e4`, `dxe5`, `e6=M`.
//!
//! Moves are written as Fairy-Stockfish writes them. First comes the man's letter, which is omitted
//! for a bia. If another man of the same role can reach the target square, the file of origin
//! follows; if the file is not enough, the rank, or both. A capture by a bia always has the file.
//! Then come `x` for a capture, the target square, the promotion, and `+` for check or `#` for
//! mate. Ouk's first leaps are disambiguated like other moves.
//!
//! Both letterings are accepted: `Q` and `F` mean the met in makruk too, and `B` the khon, as on
//! SchemingMind and ouk sites. A letter never stands for one man in makruk and for another in ASEAN
//! chess. The `x`, check marks, annotation signs and draw offers (`=`) are optional. The origin may
//! be more precise than necessary, but not less precise. A move with the whole origin square, as in
//! UCI, needs no letter. The promotion may be omitted, or be `P` as on PlayOK, if the rules leave
//! the bia no choice. A move without a letter that no bia can make is that of a promoted bia.
//! Thailand's letters are read too, by [`thai`].

use thiserror::Error;

use super::written_move::{Notation, Promotes, WrittenMove};
use super::{Lettering, Move, Position, Role, SquareSet, thai};

/// The number of characters of a text that an error quotes, more than any move has.
const LONGEST_QUOTED: usize = 60;

/// The error for a text that is not a legal move in the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text does not have the form of a move.
    #[error(
        "{text:?} is not a move: write the man ({letters}; optional for a bia), the square, and ={met} for a promotion, for instance Nd4, exd5 or e6={met}",
        letters = .lettering.letters(), met = .lettering.letter(Role::Met)
    )]
    Form {
        /// The text.
        text: String,
        /// The letters of the game.
        lettering: Lettering,
    },
    /// No legal move is written in this way.
    #[error("{0:?} is not a legal move here: choose one of the legal moves")]
    NotLegal(String),
    /// The bia promotes to a man that the game does not allow.
    #[error("{text:?} is not one of this game's promotions: write {promotions}")]
    Promotion {
        /// The text.
        text: String,
        /// The legal promotions in algebraic notation, joined by "or".
        promotions: String,
    },
    /// The text could mean several legal moves.
    #[error("ambiguous move {text:?}: {one} or {other}; add the origin square or the promotion")]
    Ambiguous {
        /// The text.
        text: String,
        /// A legal move that the text could mean.
        one: String,
        /// Another legal move that the text could mean.
        other: String,
    },
}

impl Position {
    /// A legal move in algebraic notation with the given letters.
    ///
    /// For an illegal move the text is meaningless.
    pub fn san(&self, m: Move, lettering: Lettering) -> String {
        let game = lettering.game();
        let next = self.play(m);
        let mark = next.is_check().then(|| next.is_stuck());
        self.write_san(m, lettering, mark, |m| self.is_legal_in(game, m))
    }

    /// Writes a move of a game in algebraic notation. `mate` is `None` if the move gives no check,
    /// `Some(true)` if the check is mate, and otherwise `Some(false)`. `is_legal` returns whether a
    /// move is legal.
    pub(crate) fn write_san(
        &self,
        m: Move,
        lettering: Lettering,
        mate: Option<bool>,
        is_legal: impl Fn(Move) -> bool,
    ) -> String {
        let role = self.man_at(m.from).map_or(Role::King, |(_, role)| role);
        let capture = self.is_capture(m);
        let mut san = match role {
            Role::Bia if capture => m.from.to_string()[..1].to_string(),
            Role::Bia => String::new(),
            _ => lettering.letter(role).to_string() + &self.origin(m, role, is_legal),
        };
        if capture {
            san.push('x');
        }
        san += &m.to.to_string();
        if let Some(role) = m.promotion {
            san.push('=');
            san.push(lettering.letter(role));
        }
        san.extend(mate.map(|mate| if mate { '#' } else { '+' }));
        san
    }

    /// The part of the origin square that distinguishes a move from moves to the same square by
    /// other men of the role.
    fn origin(&self, m: Move, role: Role, is_legal: impl Fn(Move) -> bool) -> String {
        let mut others = self
            .men(self.turn(), role)
            .without(m.from)
            .filter(|&from| is_legal(Move::new(from, m.to)));
        let Some(first) = others.next() else {
            return String::new();
        };
        let (mut same_file, mut same_rank) = (false, false);
        for other in std::iter::once(first).chain(others) {
            same_file |= other.file() == m.from.file();
            same_rank |= other.rank() == m.from.rank();
        }
        let square = m.from.to_string();
        match (same_file, same_rank) {
            (false, _) => square[..1].to_string(),
            (true, false) => square[1..].to_string(),
            (true, true) => square,
        }
    }

    /// Parses a legal move of the game with this lettering.
    ///
    /// # Errors
    ///
    /// If the text means no legal move, or could mean several.
    pub fn parse_san(&self, text: &str, lettering: Lettering) -> Result<Move, SanError> {
        let moves = self.legal_moves_in(lettering.game());
        self.read_san(
            text,
            lettering,
            &moves,
            SquareSet::EMPTY,
            Notation::default(),
        )
    }

    /// Finds the legal move of a game that the text means. `promoted` are the squares of promoted
    /// bia.
    pub(crate) fn read_san(
        &self,
        text: &str,
        lettering: Lettering,
        moves: &[Move],
        promoted: SquareSet,
        notation: Notation,
    ) -> Result<Move, SanError> {
        let readings = WrittenMove::readings(text);
        let Some(&first) = readings.first() else {
            return Err(SanError::Form {
                text: excerpt(text),
                lettering,
            });
        };
        let notation = Notation {
            promoted_apart: notation.promoted_apart || thai::is_thai(text),
            ..notation
        };
        let fitting = readings.iter().map(|read| {
            let fits = |m: &Move| read.fits(self, promoted, *m);
            (read, moves.iter().copied().filter(fits).collect())
        });
        let mut fitting = fitting.filter(|(_, meant): &(_, Vec<Move>)| !meant.is_empty());
        let Some((read, meant)) = fitting.next() else {
            return Err(self.no_such_move(text, lettering, moves, promoted, first));
        };
        let mut preferred = meant
            .iter()
            .filter(|m| read.prefers(notation, promoted.contains(m.from)));
        match (&meant[..], preferred.next(), preferred.next()) {
            (&[m], _, _) | (_, Some(&m), None) => Ok(m),
            (meant, _, _) => Err(SanError::Ambiguous {
                text: excerpt(text),
                one: meant[0].uci(lettering).to_string(),
                other: meant[1].uci(lettering).to_string(),
            }),
        }
    }

    /// The error for a text that does not match any legal move.
    fn no_such_move(
        &self,
        text: &str,
        lettering: Lettering,
        moves: &[Move],
        promoted: SquareSet,
        mut san: WrittenMove,
    ) -> SanError {
        let text = excerpt(text);
        if !matches!(san.promotion, Promotes::To(_)) {
            return SanError::NotLegal(text);
        }
        san.promotion = Promotes::Prescribed;
        let promotions: Vec<String> = moves
            .iter()
            .filter(|&&m| san.fits(self, promoted, m))
            .map(|&m| self.write_san(m, lettering, None, |m| moves.contains(&m)))
            .collect();
        match promotions.is_empty() {
            true => SanError::NotLegal(text),
            false => SanError::Promotion {
                text,
                promotions: promotions.join(" or "),
            },
        }
    }
}

/// The text of a move for an error: cut, if it is longer than any move.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Fen, arbitrary};
    use super::*;
    use proptest::prelude::*;

    fn position(fen: &str) -> Position {
        Fen::parse(fen, Lettering::Makruk).unwrap().position
    }

    fn san(fen: &str, m: &str) -> String {
        position(fen).san(m.parse().unwrap(), Lettering::Makruk)
    }

    #[test]
    fn a_move_names_its_man_capture_check_and_mate() {
        assert_eq!(san("7k/8/8/8/8/4M3/8/K7 w", "e3f4"), "Mf4");
        assert_eq!(san("4k3/8/8/4r3/8/4R3/8/K7 w", "e3e5"), "Rxe5+");
        assert_eq!(san("1k6/8/1K6/8/8/8/8/7R w", "h1h8"), "Rh8#");
    }

    #[test]
    fn a_bia_has_no_letter_and_names_what_it_becomes() {
        let board = "k7/8/5p2/2P1P3/8/3K4/8/8 w";
        assert_eq!(san(board, "c5c6m"), "c6=M");
        assert_eq!(san(board, "e5f6m"), "exf6=M");
        assert_eq!(san("k7/8/8/8/2P5/3K4/8/8 w", "c4c5"), "c5");
        let asean = Fen::parse("k7/2P5/8/8/8/3K4/8/8 w", Lettering::Asean).unwrap();
        let rook = asean.position.parse_san("c8=R", Lettering::Asean).unwrap();
        assert_eq!(asean.position.san(rook, Lettering::Asean), "c8=R+");
    }

    #[test]
    fn a_move_names_no_more_of_its_square_than_it_needs() {
        assert_eq!(san("7k/8/8/8/8/8/8/KN3N2 w", "b1d2"), "Nbd2");
        assert_eq!(san("7k/8/8/8/8/1N6/8/KN6 w", "b1d2"), "N1d2");
        assert_eq!(san("7k/8/8/8/8/1N3N2/8/KN6 w", "b3d2"), "Nb3d2");
        // The other knight is pinned, so no disambiguation is needed.
        assert_eq!(san("7k/8/8/8/8/8/8/1N2rN1K w", "b1d2"), "Nd2");
    }

    #[test]
    fn either_lettering_and_other_ways_of_writing_are_read() {
        let makruk = position("k7/8/8/2P1P3/8/3KM3/5S2/8 w");
        for (text, uci) in [
            ("Mf4", "e3f4"),
            ("Qf4", "e3f4"),
            ("Mf4=", "e3f4"),
            ("Me3-f4", "e3f4"),
            ("Bg3!?", "f2g3"),
            ("Sf3(=)", "f2f3"),
            ("e6", "e5e6m"),
            ("e6=M~", "e5e6m"),
            ("e6Q", "e5e6m"),
            ("e5e6m", "e5e6m"),
            ("Pe6", "e5e6m"),
            ("e6=P", "e5e6m"),
            ("e6=F", "e5e6m"),
            ("e5e6f", "e5e6m"),
            ("Ff4", "e3f4"),
            ("e3f4", "e3f4"),
            ("d3d4", "d3d4"),
            ("e3–f4", "e3f4"),
            ("♔d4⩲", "d3d4"),
            ("Kd4+/=", "d3d4"),
            ("e6=P+-", "e5e6m"),
            // Nothing is taken, and ม is the ma.
            ("Me3Xf4", ""),
            ("มจ3-ฉ4", ""),
            ("ม็จ3-ฉ4", "e3f4"),
            ("ม็จ๓-ฉ๔", "e3f4"),
            ("ม็ จ๓-ฉ๔", "e3f4"),
            ("ม็ฉ4", "e3f4"),
            ("งฉ4", "e3f4"),
            ("คฉ2-ช3", "f2g3"),
            ("ข-ง๔", "d3d4"),
            ("ขง4", "d3d4"),
            ("บจ5-จ6=ง", "e5e6m"),
            ("บจ6=ม็", "e5e6m"),
            ("จ๖=M", "e5e6m"),
            ("จ6ง+", "e5e6m"),
        ] {
            let m = makruk.parse_san(text, Lettering::Makruk).ok();
            assert_eq!(m.map_or(String::new(), |m| m.to_string()), uci, "{text}");
        }
        assert_eq!(makruk.san("f2f3".parse().unwrap(), Lettering::Asean), "Bf3");
    }

    #[test]
    fn the_notation_of_the_federation_is_read_long_and_short_with_either_digits() {
        let read = |fen: &str, text: &str| {
            let m = position(fen).parse_san(text, Lettering::Makruk);
            m.map_or_else(|error| error.to_string(), |m| m.to_string())
        };
        let knight = "7k/8/8/8/8/8/8/KN3N2 w";
        for text in ["มข1-ง2", "มข๑-ง๒", "ม ข๑-ง๒", "มข-ง2", "มขง๒"]
        {
            assert_eq!(read(knight, text), "b1d2", "{text}");
        }
        let rook = "7k/8/8/8/R2n4/8/8/K7 w";
        for text in ["รก4Xง4", "รก๔xง๔", "รXง4", "รxง๔", "ร×ง4", "รง๔"]
        {
            assert_eq!(read(rook, text), "a4d4", "{text}");
        }
        // M is the met, never the ma, and ม the ma, never the met.
        assert!(read("7k/8/8/8/8/8/8/KN6 w", "Md2").contains("not a legal move"));
        assert!(read("7k/8/8/8/8/8/8/KM6 w", "มค2").contains("not a legal move"));
        // The man that a letter names comes before the file that it may name.
        let both = "7k/8/8/3p4/2P5/3S4/8/K7 w";
        assert_eq!(read(both, "บคxง5"), "c4d5");
        assert_eq!(read(both, "คxง5"), "c4d5", "the khon cannot go there");
        assert_eq!(read("7k/8/8/3p4/2PS4/8/8/K7 w", "คxง5"), "d4d5");
    }

    #[test]
    fn a_text_that_is_no_move_is_refused_with_its_reason() {
        let fen = Fen::parse("8/2P5/8/3k4/8/3K1N2/8/1N6 w", Lettering::Asean).unwrap();
        let error = |text: &str| fen.position.parse_san(text, Lettering::Asean).unwrap_err();
        for text in [
            "", "+", "N", "O-O", "Zd4", "Nd9", "Nzd2", "Nb1xxd2", "nbd2", "é4", "Né2", "Nd2x", "--",
        ] {
            assert!(matches!(error(text), SanError::Form { .. }), "{text:?}");
        }
        for text in ["Rd4", "Nxd2", "e4", "e8=Q"] {
            assert_eq!(error(text), SanError::NotLegal(text.to_string()));
        }
        let king = error("c8=K").to_string();
        let all = ["c8=N", "c8=B", "c8=R", "c8=Q"];
        assert!(all.iter().all(|text| king.contains(text)), "{king}");
        for text in ["Nd2", "c8", "c8=P"] {
            assert!(matches!(error(text), SanError::Ambiguous { .. }), "{text}");
        }
        assert!(fen.position.parse_san("Nb1d2!?", Lettering::Asean).is_ok());
    }

    #[test]
    fn a_promotion_that_the_game_lacks_is_told_with_those_that_it_has() {
        let makruk = position("k7/8/3n4/2P1P3/8/3KM3/5S2/8 w");
        let error = |text: &str| makruk.parse_san(text, Lettering::Makruk).unwrap_err();
        for (text, promotion) in [
            ("e6=N", "e6=M"),
            ("e6=R", "e6=M"),
            ("e6=K", "e6=M"),
            ("e5e6r", "e6=M"),
            ("exd6=S", "exd6=M"),
        ] {
            let says = format!("{text:?} is not one of this game's promotions: write {promotion}");
            assert_eq!(error(text).to_string(), says);
        }
        let both = error("d6=N").to_string();
        assert!(both.ends_with("write cxd6=M or exd6=M"), "{both}");
        for text in ["e7=M", "e5=M", "d4=M", "Nd4=M"] {
            assert_eq!(error(text), SanError::NotLegal(text.to_string()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_legal_move_is_read_back_from_what_is_written(position in arbitrary::position()) {
            for lettering in [Lettering::Makruk, Lettering::Asean] {
                for m in position.legal_moves_in(lettering.game()) {
                    let text = position.san(m, lettering);
                    prop_assert_eq!(position.parse_san(&text, lettering), Ok(m), "{}", text);
                }
            }
        }
    }
}
