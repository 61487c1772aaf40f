//! The men of one side and of both sides, parsed from a name or counted on a board.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{MAX_MEN, MAX_MEN_WITH_ASEAN_BIA};
use crate::board::{Color, Game, Position, Role};

/// The men of one side besides its king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Army {
    /// The number of men of each role, four bits for each: rooks in the lowest bits, then knights,
    /// khon, mets and bia. At most 15 men in all.
    pub(super) counts: u32,
}

impl Army {
    /// The army of a bare king.
    pub const BARE: Army = Army { counts: 0 };

    /// The number of men of this role; 0 for the king.
    pub fn count(self, role: Role) -> usize {
        match role.index().checked_sub(1) {
            Some(i) => (self.counts >> (4 * i) & 15) as usize,
            None => 0,
        }
    }

    /// The number of men besides the king.
    pub fn len(self) -> usize {
        Role::MEN.into_iter().map(|role| self.count(role)).sum()
    }

    /// True if the king is bare.
    pub fn is_empty(self) -> bool {
        self.counts == 0
    }

    /// True if the army has no bia.
    pub fn is_pawnless(self) -> bool {
        self.count(Role::Bia) == 0
    }

    /// The army with one more man of this role. The army is unchanged if the role is the king, or
    /// if the army already has fifteen men of the role.
    #[must_use]
    pub fn with(mut self, role: Role) -> Army {
        if let Some(i) = role.index().checked_sub(1)
            && self.count(role) < 15
        {
            self.counts += 1 << (4 * i);
        }
        self
    }

    /// The army with one man of this role fewer, if it has one.
    pub fn without(mut self, role: Role) -> Option<Army> {
        let i = role.index().checked_sub(1)?;
        if self.count(role) == 0 {
            return None;
        }
        self.counts -= 1 << (4 * i);
        Some(self)
    }

    /// The men besides the king, in the order R N S M P.
    pub fn men(self) -> impl Iterator<Item = Role> {
        Role::MEN
            .into_iter()
            .flat_map(move |role| std::iter::repeat_n(role, self.count(role)))
    }

    /// The roles with at least one man, each with the number of its men, in the order R N S M P.
    pub fn groups(self) -> impl Iterator<Item = (Role, usize)> {
        Role::MEN
            .into_iter()
            .map(move |role| (role, self.count(role)))
            .filter(|&(_, n)| n > 0)
    }

    /// The sort key of canonical names: more men first, then R before N before S before M before P.
    pub(super) fn rank(self) -> (Reverse<usize>, [Reverse<usize>; 5]) {
        let counts = Role::MEN.map(|role| Reverse(self.count(role)));
        (Reverse(self.len()), counts)
    }
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K")?;
        self.men()
            .try_for_each(|role| write!(f, "{}", role.letter()))
    }
}

/// The reason why a text is not the name of a material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// The name has no `v` between two sides.
    #[error(
        "\"{0}\" is not a material: write both sides with a v between them, for instance KSMvK"
    )]
    NoTwoSides(String),
    /// A side has no king, or more than one.
    #[error("\"{0}\" is not a material: each side needs exactly one K, for instance KSMvK")]
    Kings(String),
    /// The name has a letter other than K R N S M P.
    #[error(
        "\"{name}\" has the letter {letter}, which stands for no man: use K R N S M P (S is the khon, M the met, P the bia)"
    )]
    Letter {
        /// The name as given.
        name: String,
        /// The first unknown letter.
        letter: char,
    },
    /// The name has more men than the program handles.
    #[error(
        "\"{name}\" has {men} men, but sakmak handles 2 to {MAX_MEN}, kings included: remove some"
    )]
    TooMany {
        /// The name as given.
        name: String,
        /// The number of men, both kings included.
        men: usize,
    },
    /// The name has no men besides the two kings, which is always a draw.
    #[error("\"{0}\" has only the two kings, which is always a draw: add at least one man")]
    OnlyKings(String),
    /// No table can have these men.
    #[error(transparent)]
    Men(#[from] MenError),
}

/// The reason why no table contains positions with these men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MenError {
    /// The position has more men than any table.
    #[error("there are {0} men on the board, but tables have at most {MAX_MEN}, kings included")]
    TooMany(usize),
    /// The position has bia of ASEAN chess, and more men than any table with them.
    #[error(
        "there are {0} men on the board, but tables with bia of ASEAN chess have at most \
         {MAX_MEN_WITH_ASEAN_BIA}, kings included"
    )]
    TooManyWithAseanBia(usize),
}

/// The men of both sides, White's first, and the game whose bia they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// White's men besides its king.
    pub white: Army,
    /// Black's men besides its king.
    pub black: Army,
    /// The game. Always makruk without bia, since other men move alike in all games.
    game: Game,
}

impl Material {
    /// Two kings and no other men.
    pub const BARE_KINGS: Material = Material {
        white: Army::BARE,
        black: Army::BARE,
        game: Game::Makruk,
    };

    /// The men of both sides in makruk, White's first.
    pub const fn new([white, black]: [Army; 2]) -> Material {
        Material {
            white,
            black,
            game: Game::Makruk,
        }
    }

    /// The game of these men's bia. Without bia it is makruk, since then all games are the same.
    #[inline]
    pub const fn game(self) -> Game {
        self.game
    }

    /// The same men in a game.
    #[inline]
    #[must_use]
    pub fn in_game(mut self, game: Game) -> Material {
        self.game = match self.is_pawnless() {
            true => Game::Makruk,
            false => game,
        };
        self
    }

    /// The same men with the colours exchanged.
    #[must_use]
    pub const fn exchanged(self) -> Material {
        Material {
            white: self.black,
            black: self.white,
            game: self.game,
        }
    }

    /// The men of one side.
    pub fn army(self, color: Color) -> Army {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The number of men, both kings included.
    pub fn men(self) -> usize {
        2 + self.white.len() + self.black.len()
    }

    /// True if neither side has a bia.
    pub fn is_pawnless(self) -> bool {
        self.bia() == 0
    }

    /// The number of bia of both sides.
    pub fn bia(self) -> usize {
        self.white.count(Role::Bia) + self.black.count(Role::Bia)
    }

    /// Checks that these men are few enough for a table.
    ///
    /// # Errors
    ///
    /// If there are too many men.
    pub fn check_men(self) -> Result<(), MenError> {
        let most = match self.game {
            Game::Makruk => MAX_MEN,
            Game::Asean => MAX_MEN_WITH_ASEAN_BIA,
        };
        match self.men() {
            men if men > MAX_MEN => Err(MenError::TooMany(men)),
            men if men > most => Err(MenError::TooManyWithAseanBia(men)),
            _ => Ok(()),
        }
    }

    /// All men in order: White's king, White's men in R N S M P order, then Black's king and men in
    /// the same order.
    pub fn roles(self) -> impl Iterator<Item = (Color, Role)> {
        Color::ALL.into_iter().flat_map(move |color| {
            std::iter::once(Role::King)
                .chain(self.army(color).men())
                .map(move |role| (color, role))
        })
    }

    /// The material in which one side's army is replaced by `army`.
    #[must_use]
    pub fn with_army(mut self, color: Color, army: Army) -> Material {
        match color {
            Color::White => self.white = army,
            Color::Black => self.black = army,
        }
        self.in_game(self.game)
    }

    /// The materials that one move of either side can lead to, by a capture, the promotion of a
    /// bia, or both. Two bare kings may be among them.
    pub fn after_a_move(self) -> Vec<Material> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let (own, other) = (self.army(color), self.army(!color));
            let roles = self.game.promotions().iter();
            let promoted = roles.filter_map(|&role| Some(own.without(Role::Bia)?.with(role)));
            let promoted: Vec<_> = promoted.map(|own| self.with_army(color, own)).collect();
            found.extend(&promoted);
            for rest in other.groups().filter_map(|(role, _)| other.without(role)) {
                let captured = |&material: &Material| material.with_army(!color, rest);
                found.push(captured(&self));
                found.extend(promoted.iter().map(captured));
            }
        }
        found
    }

    /// The side that has only its king, if there is one; White if both have.
    pub fn bare_side(self) -> Option<Color> {
        let mut colors = Color::ALL.into_iter();
        colors.find(|&color| self.army(color).is_empty())
    }

    /// True if a side has only its king and no bia is left to promote. Then the distance to mate is
    /// the only distance.
    pub fn is_bare_without_bia(self) -> bool {
        self.bare_side().is_some() && self.is_pawnless()
    }
}

impl Position {
    /// The men of both sides, in makruk.
    #[inline]
    pub fn material(&self) -> Material {
        let [_, _, knights, khons, mets, bia] = Role::ALL.map(|role| self.by_role(role).0);
        // The index of a role among R N S M is stored in two bits, which is faster than counting
        // eight sets.
        let (low, high) = (knights | mets, khons | mets);
        let black = self.by_color(Color::Black).0;
        let mut counts = 0u64;
        for square in self.occupied() & !self.by_role(Role::King) & !self.by_role(Role::Bia) {
            let bit = |set: u64| (set >> square.index()) as u32 & 1;
            counts += 1 << (4 * bit(low) + 8 * bit(high) + 32 * bit(black));
        }
        if bia != 0 {
            let count = |color| u64::from((bia & self.by_color(color).0).count_ones());
            counts += count(Color::White) << 16 | count(Color::Black) << 48;
        }
        let army = |counts| Army { counts };
        Material::new([army(counts as u32), army((counts >> 32) as u32)])
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}{}", self.white, self.black, self.game.suffix())
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Parses a name. The letters may be in any order and in either case, and either side may come
    /// first. A name that ends with `-asean` is of ASEAN chess.
    fn from_str(name: &str) -> Result<Material, MaterialError> {
        let shown = || name.to_string();
        let upper = name.to_ascii_uppercase();
        let named = Game::ALL.into_iter().filter(|game| game.is_named());
        let mut named = named.filter_map(|game| {
            let men = upper.strip_suffix(&game.suffix().to_ascii_uppercase())?;
            Some((men, game))
        });
        let (men, game) = named.next().unwrap_or((&upper[..], Game::Makruk));
        let (white, black) = men
            .split_once('V')
            .filter(|(_, black)| !black.contains('V'))
            .ok_or_else(|| MaterialError::NoTwoSides(shown()))?;
        let mut armies = [Army::BARE; 2];
        let mut kings = [0; 2];
        let men = white.chars().count() + black.chars().count();
        for (side, letters) in [white, black].into_iter().enumerate() {
            for letter in letters.chars() {
                match Role::from_letter(letter) {
                    Some(Role::King) => kings[side] += 1,
                    // Once there are too many men, letters are checked but not counted.
                    Some(role) if men <= MAX_MEN => armies[side] = armies[side].with(role),
                    Some(_) => {}
                    None => {
                        return Err(MaterialError::Letter {
                            name: shown(),
                            letter,
                        });
                    }
                }
            }
        }
        if kings != [1, 1] {
            return Err(MaterialError::Kings(shown()));
        }
        if men > MAX_MEN {
            return Err(MaterialError::TooMany { name: shown(), men });
        }
        if men == 2 {
            return Err(MaterialError::OnlyKings(shown()));
        }
        let material = Material::new(armies).in_game(game);
        material.check_men()?;
        Ok(material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faulty_name_is_refused_with_its_reason() {
        use MaterialError as E;
        let error = |name: &str| name.parse::<Material>().unwrap_err();
        assert!(matches!(error("KQvK"), E::Letter { letter: 'Q', .. }));
        assert!(matches!(error("KvK"), E::OnlyKings(_)));
        assert!(matches!(error("KKRvK"), E::Kings(_)));
        assert!(matches!(error("RvK"), E::Kings(_)));
        assert!(matches!(error("KRK"), E::NoTwoSides(_)));
        assert!(matches!(error("KRvKvK"), E::NoTwoSides(_)));
        assert!(matches!(error(""), E::NoTwoSides(_)));
        assert!(matches!(error("KRNSMMMMMvK"), E::TooMany { men: 10, .. }));
        let long = format!("K{}vK", "M".repeat(1000));
        assert!(matches!(error(&long), E::TooMany { men: 1002, .. }));
    }

    #[test]
    fn the_name_of_a_material_tells_the_game_of_its_bia() {
        let material = |name: &str| name.parse::<Material>().unwrap();
        for (name, written) in [
            ("KRPvK-asean", "KRPvK-asean"),
            ("kvkpr-ASEAN", "KvKRP-asean"),
            ("KRvK-asean", "KRvK"),
        ] {
            assert_eq!(material(name).to_string(), written);
        }
        let asean = material("KRPvK-asean");
        assert_ne!(asean, material("KRPvK"));
        assert_eq!(asean.in_game(Game::Makruk), material("KRPvK"));
        let rook = asean.white.without(Role::Bia).unwrap();
        assert_eq!(asean.with_army(Color::White, rook), material("KRvK"));
        let after: Vec<String> = asean
            .canonical()
            .0
            .after_a_move()
            .iter()
            .map(|m| m.to_string())
            .collect();
        assert_eq!(
            after,
            ["KRvK", "KPvK-asean", "KRRvK", "KRNvK", "KRSvK", "KRMvK"]
        );
        for name in ["KRPvK-ouk", "KRPvK-", "KRPvK-asean-asean", "-asean"] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
        let error = "KRRPPvK-asean".parse::<Material>().unwrap_err();
        assert!(error.to_string().contains("at most 5"), "{error}");
    }

    #[test]
    fn a_position_tells_its_material_with_bia() {
        use crate::board::{Fen, Lettering};
        let material = |board: &str| {
            let fen = Fen::parse(&format!("{board} w"), Lettering::Makruk).unwrap();
            fen.position.material()
        };
        let start = material("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR");
        assert_eq!(start.to_string(), "KRRNNSSMPPPPPPPPvKRRNNSSMPPPPPPPP");
        assert_eq!(start.check_men(), Err(MenError::TooMany(32)));
        let few = material("8/8/1p1k4/8/P3P3/3K4/8/7r");
        assert_eq!(few.to_string(), "KPPvKRP");
        assert_eq!((few.bia(), few.check_men()), (3, Ok(())));
    }
}
