//! The canonical form of a material, and its subendings.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::MIN_MEN;
use super::men::{Army, Material, MaterialError};
use crate::board::{Color, Game, Role};

/// A material in canonical form: White is the side with more men. If both have the same number,
/// White is the side that comes first in R N S M P order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CanonicalMaterial(Material);

impl Material {
    /// The canonical material, and whether White and Black were exchanged.
    ///
    /// If they were exchanged, transform the positions too: exchange the colours and reverse the
    /// ranks. The ranks matter because the khon and the bia have a direction.
    pub fn canonical(self) -> (CanonicalMaterial, bool) {
        let swap = self.black.rank() < self.white.rank();
        let material = if swap { self.exchanged() } else { self };
        (CanonicalMaterial(material), swap)
    }
}

impl CanonicalMaterial {
    /// The men of both sides; White is the side named first.
    pub fn material(self) -> Material {
        self.0
    }

    /// The game of the ending's bia; makruk if it has none.
    pub fn game(self) -> Game {
        self.0.game()
    }

    /// The same ending in a game.
    #[must_use]
    pub fn in_game(self, game: Game) -> CanonicalMaterial {
        CanonicalMaterial(self.0.in_game(game))
    }

    /// The same ending in a game, unless its name already says its game: `KRPvK` is `KRPvK-asean`
    /// in ASEAN chess, and `KRPvK-asean` stays what it is.
    #[must_use]
    pub fn in_game_unless_named(self, game: Game) -> CanonicalMaterial {
        match self.game().is_named() {
            true => self,
            false => self.in_game(game),
        }
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

    /// True if either side has a khon. Then only the left–right mirror is a symmetry, not all eight
    /// reflections and rotations.
    pub fn has_khon(self) -> bool {
        Color::ALL
            .iter()
            .any(|&color| self.army(color).count(Role::Khon) > 0)
    }

    /// The materials that one move can lead to, by a capture, the promotion of a bia, or both. They
    /// are canonical and sorted, without duplicates and without K v K.
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

impl Ord for CanonicalMaterial {
    /// Sorts endings: first by the number of men, then by the number of bia, then bare-king endings
    /// before others, then by name in R N S M P order, then makruk before ASEAN chess. So every
    /// subending precedes its ending.
    fn cmp(&self, other: &CanonicalMaterial) -> Ordering {
        let key = |m: &CanonicalMaterial| {
            let [white, black] = Color::ALL.map(|color| m.army(color));
            let ranks = (white.rank(), black.rank());
            (m.men(), m.bia(), black.len(), ranks, m.game())
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

/// The given materials and all their subendings, each once, in the order of [`CanonicalMaterial`]:
/// subendings first.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The ending with this name, even if no table can have so many men.
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
    fn a_move_may_take_a_man_promote_a_bia_or_both() {
        let after = |name: &str| format!("{:?}", ending(name).after_a_move());
        assert_eq!(after("KRPvK"), "[KRvK, KPvK, KRMvK]");
        assert_eq!(after("KPvKN"), "[KNvK, KMvK, KPvK, KNvKM]");
        assert_eq!(after("KRMvKN"), "[KRMvK, KRvKN, KNvKM]");
        let closure = format!("{:?}", ending("KRPvK").closure());
        assert_eq!(closure, "[KRvK, KMvK, KPvK, KRMvK, KRPvK]");
    }
}
