//! Draws a position as a board in a terminal.

use std::io::{self, IsTerminal};

use clap::ValueEnum;
use sakmak::board::{Color, Lettering, Position, Role, Square};

use super::Failure;

/// The style in which a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardStyle {
    /// Letters on a terminal, otherwise no board
    Auto,
    /// Letters: capitals for White
    Letters,
    /// Figures of western chess: a bishop for a khon, a queen for a met
    Figures,
    /// No board
    Never,
}

/// The options for drawing a board.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// Draw the board
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = BoardStyle::Auto, conflicts_with = "json")]
    board: BoardStyle,
    /// Draw the board from Black's side
    #[arg(long, conflicts_with = "json")]
    flip: bool,
}

impl BoardArgs {
    /// Fails if a board is requested for a list of positions.
    pub fn refuse_many(&self) -> Result<(), Failure> {
        let asked = matches!(self.board, BoardStyle::Letters | BoardStyle::Figures);
        if asked || self.flip {
            return Err(
                Failure::input("--board and --flip draw the board of one position")
                    .help("leave them out, or give a FEN in place of -"),
            );
        }
        Ok(())
    }

    /// The board as text, followed by an empty line. An empty text if no board is drawn.
    pub fn draw(&self, position: &Position, lettering: Lettering) -> String {
        match self.board {
            BoardStyle::Never => String::new(),
            BoardStyle::Auto if !io::stdout().is_terminal() => String::new(),
            BoardStyle::Auto | BoardStyle::Letters => {
                drawn(position, self.flip, |color, role| match color {
                    Color::White => lettering.letter(role),
                    Color::Black => lettering.letter(role).to_ascii_lowercase(),
                })
            }
            BoardStyle::Figures => drawn(position, self.flip, figure),
        }
    }
}

fn drawn(position: &Position, flip: bool, man: impl Fn(Color, Role) -> char) -> String {
    // The viewer's first rank is at the bottom. For Black the h-file is on the left.
    let order = |near: usize| match flip {
        true => near,
        false => 7 - near,
    };
    let mut text = String::new();
    for rank in (0..8).map(order) {
        text += &format!("{}", rank + 1);
        for file in (0..8).map(|file| 7 - order(file)) {
            let found = position.man_at(Square::wrapping(rank * 8 + file));
            text += &format!(" {}", found.map_or('.', |(color, role)| man(color, role)));
        }
        text.push('\n');
    }
    text.push(' ');
    for file in (0..8).map(|file| 7 - order(file)) {
        text += &format!(" {}", char::from(b'a' + file as u8));
    }
    text + "\n\n"
}

fn figure(color: Color, role: Role) -> char {
    let [white, black] = match role {
        Role::King => ['♔', '♚'],
        Role::Rook => ['♖', '♜'],
        Role::Knight => ['♘', '♞'],
        Role::Khon => ['♗', '♝'],
        Role::Met => ['♕', '♛'],
        Role::Bia => ['♙', '♟'],
    };
    match color {
        Color::White => white,
        Color::Black => black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak::board::Fen;

    fn draw(board: BoardStyle, flip: bool) -> Vec<String> {
        let fen = Fen::parse("8/8/7R/8/8/6k1/8/3K3m w", Lettering::Makruk).unwrap();
        let args = BoardArgs { board, flip };
        let text = args.draw(&fen.position, Lettering::Makruk);
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn a_board_is_drawn_from_either_side() {
        let board = draw(BoardStyle::Letters, false);
        assert_eq!(board.len(), 10);
        assert_eq!(board[0], "8 . . . . . . . .");
        assert_eq!(board[2], "6 . . . . . . . R");
        assert_eq!(board[7], "1 . . . K . . . m");
        assert_eq!(board[8], "  a b c d e f g h");
        let flipped = draw(BoardStyle::Letters, true);
        for (row, other) in board.iter().zip(flipped[..8].iter().rev()).take(8) {
            let [row, mut other] = [row, other].map(|row| row.split(' ').collect::<Vec<_>>());
            other[1..].reverse();
            assert_eq!(row, other);
        }
        assert_eq!(flipped[8], "  h g f e d c b a");
    }

    #[test]
    fn figures_are_white_and_black() {
        let board = draw(BoardStyle::Figures, false);
        assert_eq!(board[5], "3 . . . . . . ♚ .");
        assert_eq!(board[7], "1 . . . ♔ . . . ♛");
        assert!(draw(BoardStyle::Never, false).is_empty());
    }
}
