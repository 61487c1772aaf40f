//! The display of a FEN: in a lettering, with all its fields or fewer.

use std::fmt;

use super::{Color, Fen, Lettering, Square};

impl Fen {
    /// The FEN in the given lettering, with all six fields.
    pub fn display(&self, lettering: Lettering) -> FenDisplay<'_> {
        FenDisplay {
            form: Form::Whole,
            zero_limit: false,
            fen: self,
            lettering,
            marked: false,
        }
    }
}

/// The fields of a FEN that are displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// All six.
    Whole,
    /// The first four, up to the limit.
    Epd,
    /// The board and the side to move.
    Short,
}

/// Displays a FEN in a lettering, with all six fields unless fewer are chosen.
#[derive(Clone, Copy, Debug)]
pub struct FenDisplay<'a> {
    form: Form,
    zero_limit: bool,
    fen: &'a Fen,
    lettering: Lettering,
    marked: bool,
}

impl FenDisplay<'_> {
    /// Leaves out the fields behind the side to move.
    #[must_use]
    pub fn short(mut self) -> Self {
        self.form = Form::Short;
        self
    }

    /// Leaves out the two counters at the end, as EPD does.
    #[must_use]
    pub fn epd(mut self) -> Self {
        self.form = Form::Epd;
        self
    }

    /// Writes 0 for the limit, not a dash, if there is no count. Cutechess reads a dash as a game
    /// without counts.
    #[must_use]
    pub fn with_zero_limit(mut self) -> Self {
        self.zero_limit = true;
        self
    }

    /// Marks each promoted bia with `~`.
    #[must_use]
    pub fn with_promoted(mut self) -> Self {
        self.marked = true;
        self
    }
}

impl fmt::Display for FenDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.fen.position;
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let square = Square::wrapping(rank * 8 + file);
                let Some((color, role)) = position.man_at(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                let letter = self.lettering.letter(role);
                match color {
                    Color::White => write!(f, "{letter}")?,
                    Color::Black => write!(f, "{}", letter.to_ascii_lowercase())?,
                }
                if self.marked && self.fen.promoted.contains(square) {
                    f.write_str("~")?;
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                write!(f, "/")?;
            }
        }
        let turn = match position.turn() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        write!(f, " {turn}")?;
        if self.form == Form::Short {
            return Ok(());
        }
        write!(f, " {}", self.fen.leaps)?;
        let counted = match self.fen.count {
            Some(count) => {
                write!(f, " {}", count.limit())?;
                count.counted()
            }
            None => {
                f.write_str(if self.zero_limit { " 0" } else { " -" })?;
                self.fen.clock
            }
        };
        match self.form {
            Form::Whole => write!(f, " {counted} {}", self.fen.fullmove),
            Form::Epd | Form::Short => Ok(()),
        }
    }
}
