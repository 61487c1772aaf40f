//! The parts of a written move, read without a board, and how a game writes the moves of bia.

use super::{Lettering, Move, Position, Role, Square, SquareSet, thai};

/// The man that a leading `P` means, if both a bia and a promoted bia could move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LetterP {
    /// P may mean either, so the move is ambiguous.
    #[default]
    Either,
    /// P means the bia.
    Bia,
    /// P means the promoted bia. The game writes the moves of a bia without a letter, so P cannot
    /// mean the bia.
    Promoted,
}

/// A game's notation for the moves of bia and of promoted bia, inferred from its other moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notation {
    /// The meaning of `P`.
    pub p: LetterP,
    /// True if the game writes a promoted bia with a letter of its own, not as a met.
    pub promoted_apart: bool,
}

/// The signs of a capture.
const TAKES: [char; 4] = ['x', 'X', ':', '×'];

/// The parts of a written move, before the move is matched with a legal one.
#[derive(Clone, Copy)]
pub(super) struct WrittenMove {
    man: Man,
    file: Option<u8>,
    rank: Option<u8>,
    takes: bool,
    to: Square,
    pub promotion: Promotes,
}

/// The man that a written move names.
#[derive(Clone, Copy)]
enum Man {
    Role(Role),
    /// `P`: a bia or a promoted bia.
    P,
    Promoted,
    /// A move without a man's letter, but with the whole origin square.
    OnSquare,
}

/// The promotion that a written move names.
#[derive(Clone, Copy)]
pub(super) enum Promotes {
    Omitted,
    /// The promotion is written as `P`: the bia becomes the man that the rules prescribe.
    Prescribed,
    To(Role),
}

impl WrittenMove {
    /// The readings of a text. A later reading counts only if no legal move fits an earlier one.
    /// Empty if the text does not have the form of a move.
    pub fn readings(text: &str) -> Vec<WrittenMove> {
        let read = match thai::is_thai(text) {
            true => thai::latin(text)
                .iter()
                .filter_map(|text| WrittenMove::parse(text))
                .collect(),
            false => Vec::from_iter(WrittenMove::parse(text)),
        };
        let other = |read: &WrittenMove| {
            let man = match (read.man, read.promotion) {
                // Some games write a promoted bia without a letter.
                (Man::Role(Role::Bia), Promotes::Omitted) => Man::Promoted,
                // A FEN may not tell which mets are promoted bia.
                (Man::Promoted, _) => Man::Role(Role::Met),
                _ => return None,
            };
            Some(WrittenMove { man, ..*read })
        };
        let others: Vec<WrittenMove> = read.iter().filter_map(other).collect();
        [read, others].concat()
    }

    fn parse(text: &str) -> Option<WrittenMove> {
        // Removes check marks, annotation signs and draw offers.
        let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let (text, promotion) = split_promotion(text)?;
        let first = text.chars().next()?;
        let (named, rest) = match man(first) {
            Some(man) => (Some(man), &text[first.len_utf8()..]),
            None => (None, text),
        };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let takes = origin.ends_with(TAKES);
        let origin = origin
            .strip_suffix(TAKES)
            .or_else(|| origin.strip_suffix(['-', '–']))
            .unwrap_or(origin);
        let (file, rank) = parse_origin(origin)?;
        let man = match named {
            Some(man) => man,
            None if file.is_some() && rank.is_some() => Man::OnSquare,
            None => Man::Role(Role::Bia),
        };
        Some(WrittenMove {
            man,
            file,
            rank,
            takes,
            to: to.parse().ok()?,
            promotion,
        })
    }

    /// True if the text may mean this legal move.
    pub fn fits(&self, position: &Position, promoted: SquareSet, m: Move) -> bool {
        let man = match self.man {
            Man::Role(role) => position.by_role(role).contains(m.from),
            Man::P => (position.by_role(Role::Bia) | promoted).contains(m.from),
            Man::Promoted => promoted.contains(m.from),
            Man::OnSquare => true,
        };
        let promotion = match self.promotion {
            Promotes::Omitted => true,
            Promotes::Prescribed => m.promotion.is_some(),
            Promotes::To(role) => m.promotion == Some(role),
        };
        man && promotion
            && m.to == self.to
            && self.file.is_none_or(|file| file == m.from.file())
            && self.rank.is_none_or(|rank| rank == m.from.rank())
            && (!self.takes || position.is_capture(m))
    }

    /// Breaks a tie between matching moves: false if the game's notation would write this move
    /// differently. `has_been_bia` is true if the moving man is a promoted bia.
    pub fn prefers(&self, notation: Notation, has_been_bia: bool) -> bool {
        match (&self.man, notation.p) {
            (Man::P, LetterP::Bia) => !has_been_bia,
            (Man::P, LetterP::Promoted) => has_been_bia,
            (Man::Role(Role::Met), _) if notation.promoted_apart => !has_been_bia,
            _ => true,
        }
    }
}

/// The man that a leading letter names.
fn man(letter: char) -> Option<Man> {
    match letter {
        thai::BIA => Some(Man::Role(Role::Bia)),
        thai::PROMOTED => Some(Man::Promoted),
        _ => role(letter).map(|role| match role {
            Role::Bia => Man::P,
            role => Man::Role(role),
        }),
    }
}

/// The role for a letter of either lettering, or for a figurine.
fn role(letter: char) -> Option<Role> {
    match letter {
        'F' | '♕' | '♛' => Some(Role::Met),
        '♔' | '♚' => Some(Role::King),
        '♖' | '♜' => Some(Role::Rook),
        '♘' | '♞' => Some(Role::Knight),
        '♗' | '♝' => Some(Role::Khon),
        '♙' | '♟' => Some(Role::Bia),
        _ => Lettering::Makruk
            .role(letter)
            .or(Lettering::Asean.role(letter)),
    }
}

/// Splits the promotion off the end of a text: `e6=M`, `e6M`, `e6=P`, or UCI's `e5e6m`.
fn split_promotion(text: &str) -> Option<(&str, Promotes)> {
    let last = text.chars().next_back()?;
    if !last.is_ascii_alphabetic() {
        return Some((text, Promotes::Omitted));
    }
    let promotion = match role(last.to_ascii_uppercase())? {
        Role::Bia => Promotes::Prescribed,
        role => Promotes::To(role),
    };
    let text = &text[..text.len() - 1];
    Some((text.strip_suffix('=').unwrap_or(text), promotion))
}

/// Parses the origin in a SAN, the text before the target square: its file and rank, counted from
/// 0, each optional. `None` if the text is not an origin.
fn parse_origin(text: &str) -> Option<(Option<u8>, Option<u8>)> {
    Some(match *text.as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    })
}
