//! Material: the men of an ending, its name, and sets of endings.
//!
//! A [`Material`] is the input of a user or the men of a board; its first side may be the weaker
//! one. A [`CanonicalMaterial`] is the key of a table. They are separate types, so that a lookup
//! under the wrong key does not compile.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Color, Position, Role};

/// The fewest men of a material, kings included.
pub const MIN_MEN: usize = 2;

/// The most men of a table, kings included.
pub const MAX_MEN: usize = 8;

/// The men of one side besides its king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Army {
    /// Four bits for each role's number of men, in the order R N S M P, rooks lowest. At most 15
    /// men in all.
    counts: u32,
}

impl Army {
    /// A bare king.
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

    /// True if there is no bia.
    pub fn is_pawnless(self) -> bool {
        self.count(Role::Bia) == 0
    }

    /// The army with one more man of this role. Adding a king has no effect, and 15 men of a role
    /// are the most.
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

    /// The roles with at least one man and their numbers, in the order R N S M P.
    pub fn groups(self) -> impl Iterator<Item = (Role, usize)> {
        Role::MEN
            .into_iter()
            .map(move |role| (role, self.count(role)))
            .filter(|&(_, n)| n > 0)
    }

    /// The sort key of canonical names: more men first, then R before N before S before M before P.
    fn rank(self) -> (Reverse<usize>, [Reverse<usize>; 5]) {
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

/// The fault in the name of a material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// There is no `v` between two sides.
    #[error(
        "\"{0}\" is not a material: write both sides with a v between them, for instance KSMvK"
    )]
    NoTwoSides(String),
    /// A side has no king, or more than one.
    #[error("\"{0}\" is not a material: each side needs exactly one K, for instance KSMvK")]
    Kings(String),
    /// A letter other than K R N S M P.
    #[error(
        "\"{name}\" has the letter {letter}, which is no man here: use K R N S M P (S is the khon, M the met, P the bia)"
    )]
    Letter {
        /// The name as it was given.
        name: String,
        /// The first unknown letter.
        letter: char,
    },
    /// More men than the program handles.
    #[error(
        "\"{name}\" has {men} men, but sakmak handles 2 to {MAX_MEN}, kings included: remove some"
    )]
    TooMany {
        /// The name as it was given.
        name: String,
        /// The number of men, both kings included.
        men: usize,
    },
    /// Two bare kings: there is nothing to solve.
    #[error("\"{0}\" has only the two kings, which is always a draw: name at least one man more")]
    OnlyKings(String),
    /// There are no tables with these men.
    #[error(transparent)]
    Men(#[from] MenError),
}

/// The reason why no table has the men of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MenError {
    /// More men than a table has.
    #[error(
        "there are {0} men on the board, but sakmak handles 2 to {MAX_MEN}, kings included: remove some"
    )]
    TooMany(usize),
}

/// The men of both sides, White's first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// White's men besides its king.
    pub white: Army,
    /// Black's men besides its king.
    pub black: Army,
}

impl Material {
    /// Two kings and nothing else.
    pub const BARE_KINGS: Material = Material {
        white: Army::BARE,
        black: Army::BARE,
    };

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

    /// Checks that a table with these men is possible.
    ///
    /// # Errors
    ///
    /// If there are too many men.
    pub fn check_men(self) -> Result<(), MenError> {
        match self.men() {
            men if men > MAX_MEN => Err(MenError::TooMany(men)),
            _ => Ok(()),
        }
    }

    /// All men in order: White's king, White's men in R N S M P order, then Black's in the same way.
    pub fn roles(self) -> impl Iterator<Item = (Color, Role)> {
        Color::ALL.into_iter().flat_map(move |color| {
            std::iter::once(Role::King)
                .chain(self.army(color).men())
                .map(move |role| (color, role))
        })
    }

    /// The material with another army for one side.
    #[must_use]
    pub fn with_army(mut self, color: Color, army: Army) -> Material {
        match color {
            Color::White => self.white = army,
            Color::Black => self.black = army,
        }
        self
    }

    /// The materials after one move of either side that captures, promotes a bia, or both. May
    /// include two bare kings.
    pub fn after_a_move(self) -> Vec<Material> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let (own, other) = (self.army(color), self.army(!color));
            let promoted = own.without(Role::Bia).map(|rest| rest.with(Role::Met));
            let promoted = promoted.map(|own| self.with_army(color, own));
            found.extend(promoted);
            for rest in other.groups().filter_map(|(role, _)| other.without(role)) {
                let captured = |material: Material| material.with_army(!color, rest);
                found.push(captured(self));
                found.extend(promoted.map(captured));
            }
        }
        found
    }

    /// The side that has only its king, if there is one; White if both have.
    pub fn bare_side(self) -> Option<Color> {
        let mut colors = Color::ALL.into_iter();
        colors.find(|&color| self.army(color).is_empty())
    }

    /// True if a side has only its king and no bia is left to promote, so that distance to mate is
    /// the only distance.
    pub fn is_bare_without_bia(self) -> bool {
        self.bare_side().is_some() && self.is_pawnless()
    }

    /// The canonical material, and whether the sides changed places.
    ///
    /// If so, positions change with it: exchange the colours and reverse the ranks, since the khon
    /// and the bia have a direction.
    pub fn canonical(self) -> (CanonicalMaterial, bool) {
        let swap = self.black.rank() < self.white.rank();
        let material = if swap {
            Material {
                white: self.black,
                black: self.white,
            }
        } else {
            self
        };
        (CanonicalMaterial(material), swap)
    }
}

impl Position {
    /// The men of both sides.
    #[inline]
    pub fn material(&self) -> Material {
        let [_, _, knights, khons, mets, bia] = Role::ALL.map(|role| self.by_role(role).0);
        // A role's index among R N S M, in two bits: faster than counting eight sets.
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
        Material {
            white: army(counts as u32),
            black: army((counts >> 32) as u32),
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.white, self.black)
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads a name in any order of letters, either side first, in lower or upper case.
    fn from_str(name: &str) -> Result<Material, MaterialError> {
        let shown = || name.to_string();
        let upper = name.to_ascii_uppercase();
        let (white, black) = upper
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
                    // Beyond the limit, letters are checked but not counted.
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
        Ok(Material {
            white: armies[0],
            black: armies[1],
        })
    }
}

/// A material in canonical form: White is the side with more men or, if equal, the side that comes
/// first in R N S M P order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CanonicalMaterial(Material);

impl CanonicalMaterial {
    /// The men of both sides; White is the side named first.
    pub fn material(self) -> Material {
        self.0
    }

    /// The men of one side.
    pub fn army(self, color: Color) -> Army {
        self.0.army(color)
    }

    /// The number of men, both kings included.
    pub fn men(self) -> usize {
        self.0.men()
    }

    /// True if Black has only its king.
    pub fn is_bare(self) -> bool {
        self.0.black.is_empty()
    }

    /// True if neither side has a bia.
    pub fn is_pawnless(self) -> bool {
        self.0.is_pawnless()
    }

    /// The number of bia of both sides.
    pub fn bia(self) -> usize {
        self.0.bia()
    }

    /// True if either side has a khon: then only the left–right mirror is a symmetry, not all
    /// eight.
    pub fn has_khon(self) -> bool {
        Color::ALL
            .iter()
            .any(|&color| self.army(color).count(Role::Khon) > 0)
    }

    /// The materials after one move that captures, promotes a bia, or both: canonical, sorted,
    /// without duplicates and without K v K.
    pub fn after_a_move(self) -> Vec<CanonicalMaterial> {
        let found = self.0.after_a_move().into_iter();
        let endings = found.filter(|material| material.men() > MIN_MEN);
        let found: BTreeSet<_> = endings.map(|material| material.canonical().0).collect();
        found.into_iter().collect()
    }

    /// This material and all its subendings, direct and indirect, sorted by number of men and then
    /// of bia.
    pub fn closure(self) -> Vec<CanonicalMaterial> {
        closure([self])
    }
}

/// The given materials and all their subendings, without duplicates, in the order of
/// [`CanonicalMaterial`]: subendings first.
pub fn closure(materials: impl IntoIterator<Item = CanonicalMaterial>) -> Vec<CanonicalMaterial> {
    let mut found = BTreeSet::new();
    let mut open: Vec<_> = materials.into_iter().collect();
    while let Some(material) = open.pop() {
        if found.insert(material) {
            open.extend(material.after_a_move());
        }
    }
    found.into_iter().collect()
}

impl Ord for CanonicalMaterial {
    /// Fewer men first; then fewer bia, then bare-king endings, then by name in R N S M P order. So
    /// subendings come before an ending.
    fn cmp(&self, other: &CanonicalMaterial) -> Ordering {
        let key = |m: &CanonicalMaterial| {
            let Material { white, black } = m.0;
            (m.men(), m.bia(), black.len(), white.rank(), black.rank())
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for CanonicalMaterial {
    fn partial_cmp(&self, other: &CanonicalMaterial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for CanonicalMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for CanonicalMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for CanonicalMaterial {
    type Err = MaterialError;

    /// Parses the name of an ending in any form and makes it canonical.
    fn from_str(name: &str) -> Result<CanonicalMaterial, MaterialError> {
        Ok(name.parse::<Material>()?.canonical().0)
    }
}

/// All armies of this many men besides the king, with these roles, in R N S M P order.
fn armies(men: usize, roles: &[Role]) -> Vec<Army> {
    fn extend(army: Army, roles: &[Role], men: usize, found: &mut Vec<Army>) {
        if men == 0 {
            found.push(army);
            return;
        }
        for (i, &role) in roles.iter().enumerate() {
            extend(army.with(role), &roles[i..], men - 1, found);
        }
    }
    let mut found = Vec::new();
    extend(Army::BARE, roles, men, &mut found);
    found
}

/// Every pawnless material of exactly this many men, kings included, each once and sorted.
pub fn materials_of(men: usize) -> Vec<CanonicalMaterial> {
    of_roles(men, &Role::PAWNLESS).into_iter().collect()
}

/// Every material of exactly this many men, kings included, with at least one bia, each once and
/// sorted.
pub fn materials_with_bia_of(men: usize) -> Vec<CanonicalMaterial> {
    let mut found = of_roles(men, &Role::MEN);
    found.retain(|material| !material.is_pawnless());
    found.into_iter().collect()
}

/// Every material of exactly this many men, kings included, with these roles for the others.
fn of_roles(men: usize, roles: &[Role]) -> BTreeSet<CanonicalMaterial> {
    let others = men.saturating_sub(2);
    let mut found = BTreeSet::new();
    for white in (1..=others).filter(|white| 2 * white >= others) {
        for &white_army in &armies(white, roles) {
            for &black_army in &armies(others - white, roles) {
                let material = Material {
                    white: white_army,
                    black: black_army,
                };
                found.insert(material.canonical().0);
            }
        }
    }
    found
}

/// The fault in a word for a set of materials.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// The word looks like a material, but is none.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// `bare-` or the like without a valid number of men.
    #[error(
        "\"{0}\" is not a set: write bare-N, all-N, bia-N or every-N with N from 3 to {MAX_MEN}, or a material such as KSMvK"
    )]
    Men(String),
}

/// The materials named by a word, subendings first.
///
/// The word is a material's name, which includes its subendings; or `bare-N` (every pawnless
/// bare-king ending up to N men), `all-N` (every pawnless ending up to N men), `bia-N` (every
/// ending up to N men with at least one bia) or `every-N` (both).
///
/// # Errors
///
/// If the word is none of these, or names an ending that has no table.
pub fn parse_set(word: &str) -> Result<Vec<CanonicalMaterial>, SetError> {
    let lower = word.to_ascii_lowercase();
    let of_bare = |men| {
        let mut found = of_roles(men, &Role::PAWNLESS);
        found.retain(|material| material.is_bare());
        found.into_iter().collect()
    };
    let every = |men| of_roles(men, &Role::MEN).into_iter().collect();
    let (of, men): (&dyn Fn(usize) -> Vec<CanonicalMaterial>, &str) = match lower.split_once('-') {
        Some(("bare", men)) => (&of_bare, men),
        Some(("all", men)) => (&materials_of, men),
        Some(("bia", men)) => (&materials_with_bia_of, men),
        Some(("every", men)) => (&every, men),
        _ => return Ok(word.parse::<CanonicalMaterial>()?.closure()),
    };
    let men = match men.parse::<usize>() {
        Ok(men) if (3..=MAX_MEN).contains(&men) => men,
        _ => return Err(SetError::Men(word.to_string())),
    };
    Ok((3..=men).flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ending of a name, even if it has no table.
    fn ending(name: &str) -> CanonicalMaterial {
        name.parse::<Material>().unwrap().canonical().0
    }

    fn canonical(name: &str) -> String {
        ending(name).to_string()
    }

    #[test]
    fn a_name_is_read_in_any_order_of_letters_sides_and_case() {
        assert_eq!(canonical("kmsvk"), "KSMvK");
        assert_eq!(canonical("KvSMK"), "KSMvK");
        assert_eq!(canonical("KNVKR"), "KRvKN");
        assert_eq!(canonical("kmvkrm"), "KRMvKM");
        assert_eq!(canonical("KNNvKRM"), "KRMvKNN");
        assert_eq!(canonical("kpsvk"), "KSPvK");
        assert_eq!(canonical("KPvKM"), "KMvKP");
        assert_eq!(canonical("KNvKPM"), "KMPvKN");
    }

    #[test]
    fn what_is_no_material_is_refused_with_its_reason() {
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
    fn there_are_as_many_materials_as_combinations() {
        // Multisets of m of four roles: C(m + 3, 3). Two-sided ones are unordered pairs.
        let armies = |m: usize| (m + 3) * (m + 2) * (m + 1) / 6;
        for men in 3..=MAX_MEN {
            let others = men - 2;
            let mut expected = 0;
            for black in 0..=others / 2 {
                let white = others - black;
                expected += if white == black {
                    armies(white) * (armies(white) + 1) / 2
                } else {
                    armies(white) * armies(black)
                };
            }
            assert_eq!(materials_of(men).len(), expected, "{men} men");
        }
        assert_eq!(parse_set("bare-5").unwrap().len(), 34);
        assert_eq!(parse_set("all-5").unwrap().len(), 84);
    }

    #[test]
    fn endings_with_bia_have_names_and_sets() {
        let of = |men| materials_with_bia_of(men).len();
        assert_eq!([3, 4, 5].map(of), [1, 10, 50]);
        let count = |word: &str| parse_set(word).unwrap().len();
        assert_eq!(
            ["bia-4", "bia-5", "all-5", "every-5"].map(count),
            [11, 61, 84, 145]
        );
        assert_eq!(
            format!("{:?}", parse_set("kspvk").unwrap()),
            "[KSvK, KMvK, KPvK, KSMvK, KSPvK]"
        );
        for (name, men) in [
            ("KPPPPPPPPPvK", 11),
            ("KRRRRPPvKPPP", 11),
            ("KPPPPvKPPPP", 10),
        ] {
            let error = name.parse::<CanonicalMaterial>().unwrap_err();
            assert_eq!(
                error,
                MaterialError::TooMany {
                    name: name.to_string(),
                    men
                }
            );
        }
        assert_eq!(ending("KPPPvKPPP").men(), MAX_MEN);
    }

    #[test]
    fn a_move_may_take_a_man_promote_a_bia_or_both() {
        let after = |name: &str| format!("{:?}", ending(name).after_a_move());
        assert_eq!(after("KRPvK"), "[KRvK, KPvK, KRMvK]");
        assert_eq!(after("KPvKN"), "[KNvK, KMvK, KPvK, KNvKM]");
        assert_eq!(after("KRMvKN"), "[KRMvK, KRvKN, KNvKM]");
        let closure = format!("{:?}", ending("KRPvK").closure());
        assert_eq!(closure, "[KRvK, KMvK, KPvK, KRMvK, KRPvK]");
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

    #[test]
    fn smaller_endings_come_before_those_that_need_them() {
        let every_5 = closure((3..=5).flat_map(materials_with_bia_of));
        let sets = ["all-6", "KRSMvKNM"].map(|word| parse_set(word).unwrap());
        for set in sets.into_iter().chain([every_5]) {
            for (i, material) in set.iter().enumerate() {
                for smaller in material.after_a_move() {
                    assert!(set[..i].contains(&smaller), "{material} needs {smaller}");
                }
            }
        }
        assert_eq!(
            format!("{:?}", parse_set("KSMvK").unwrap()),
            "[KSvK, KMvK, KSMvK]"
        );
    }

    #[test]
    fn a_set_needs_a_number_of_men_that_can_be_had() {
        for word in ["bare-2", "bare-9", "all-", "all-x", "bare--4"] {
            assert!(matches!(parse_set(word), Err(SetError::Men(_))), "{word}");
        }
    }
}
