//! Material with which no mate is possible.

use super::RuleSet;
use crate::board::Role;
use crate::material::Material;

impl RuleSet {
    /// True if neither side could mate with these men, even with the opponent's help and after any
    /// captures and promotions. Besides the kings there is then at most one man: a knight, a met,
    /// or a bia that can become only a met.
    ///
    /// Two men always suffice: an own man or an enemy's man can block the mated king's last square.
    pub fn is_insufficient(self, material: Material) -> bool {
        let mut men = material.white.men().chain(material.black.men());
        match (men.next(), men.next()) {
            (None, _) | (Some(Role::Knight | Role::Met), None) => true,
            (Some(Role::Bia), None) => self.game().promotions() == [Role::Met],
            _ => false,
        }
    }
}
