//! The letters for the men, in FENs and in moves.

use std::fmt;

use super::{Game, Role};

/// The letters for the men, in FENs and in moves. The rule set determines the lettering; it is
/// never guessed from the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lettering {
    /// K R N S M P: makruk and ouk.
    Makruk,
    /// K R N B Q P: ASEAN chess.
    Asean,
}

impl Lettering {
    /// The other lettering.
    pub const fn other(self) -> Lettering {
        match self {
            Lettering::Makruk => Lettering::Asean,
            Lettering::Asean => Lettering::Makruk,
        }
    }

    /// The upper-case letter of a man.
    pub const fn letter(self, role: Role) -> char {
        match (self, role) {
            (Lettering::Asean, Role::Khon) => 'B',
            (Lettering::Asean, Role::Met) => 'Q',
            _ => role.letter(),
        }
    }

    /// The role with this upper-case letter.
    pub fn role(self, letter: char) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|&role| self.letter(role) == letter)
    }

    /// The game with this lettering.
    pub const fn game(self) -> Game {
        match self {
            Lettering::Makruk => Game::Makruk,
            Lettering::Asean => Game::Asean,
        }
    }

    /// All six letters, for messages.
    pub const fn letters(self) -> &'static str {
        match self {
            Lettering::Makruk => "K R N S M P",
            Lettering::Asean => "K R N B Q P",
        }
    }

    /// The name of the rule set with these letters, as in `--rules`.
    pub const fn rules(self) -> &'static str {
        match self {
            Lettering::Makruk => "makruk",
            Lettering::Asean => "asean",
        }
    }
}

impl Game {
    /// The letters of the men.
    pub const fn lettering(self) -> Lettering {
        match self {
            Game::Makruk => Lettering::Makruk,
            Game::Asean => Lettering::Asean,
        }
    }
}

impl fmt::Display for Lettering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lettering::Makruk => "makruk",
            Lettering::Asean => "ASEAN",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_listed_are_those_read_and_written() {
        for lettering in [Lettering::Makruk, Lettering::Asean] {
            let written = Role::ALL.map(|role| lettering.letter(role).to_string());
            assert_eq!(written.join(" "), lettering.letters());
            for role in Role::ALL {
                assert_eq!(lettering.role(lettering.letter(role)), Some(role));
            }
        }
        assert_eq!(Lettering::Makruk.role('Q'), None);
        assert_eq!(Lettering::Asean.role('M'), None);
    }
}
