//! The men of one side.

use std::cmp::Reverse;
use std::fmt;

use crate::board::Role;

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
