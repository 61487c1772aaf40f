//! From a position to the table it is in.

use crate::board::{Color, Position, Role};
use crate::material::{CanonicalMaterial, Material};

/// The men of both sides as a number: four bits for how many there are of each role, White's in the
/// lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MenKey(u32);

impl MenKey {
    /// The men of a position.
    #[inline]
    pub fn of(position: &Position) -> MenKey {
        let [_, _, knights, khons, mets] = Role::ALL.map(|role| position.by_role(role));
        let men = position.occupied() & !position.by_role(Role::King);
        // The place of a role among R N S M, in two bits.
        let (low, high) = ((knights | mets).0, (khons | mets).0);
        let black = position.by_color(Color::Black).0;
        let mut key = 0;
        for square in men {
            let bit = |set: u64| (set >> square.index()) as u32 & 1;
            key += 1 << (bit(low) * 4 + bit(high) * 8 + bit(black) * 16);
        }
        MenKey(key)
    }

    /// The men of a material.
    fn of_material(material: Material) -> MenKey {
        let mut key = 0;
        for (side, color) in Color::ALL.into_iter().enumerate() {
            for (place, role) in Role::MEN.into_iter().enumerate() {
                let count = material.army(color).count(role) as u32;
                key |= count << (16 * side + 4 * place);
            }
        }
        MenKey(key)
    }

    /// True if there are only the kings.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if both sides have the same men.
    #[inline]
    pub fn is_even(self) -> bool {
        self.0 >> 16 == self.0 & 0xffff
    }

    /// True if one side, or each, has only its king.
    #[inline]
    pub fn has_bare_king(self) -> bool {
        self.0 >> 16 == 0 || self.0 & 0xffff == 0
    }
}

/// Where a table is, and whether the colours must change places to find a position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The number it was added with.
    pub table: usize,
    /// True if Black has the men that the table calls White's.
    pub swapped: bool,
}

/// The numbers of tables by the men: a hash table that is looked up in a few steps.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// As many as a power of two, at most a quarter of them filled.
    entries: Vec<Option<(MenKey, Found)>>,
    materials: Vec<CanonicalMaterial>,
}

impl Catalog {
    /// Adds the next table.
    pub fn push(&mut self, material: CanonicalMaterial) {
        self.materials.push(material);
        if self.materials.len() * 8 > self.entries.len() {
            self.entries = vec![None; (self.materials.len() * 16).next_power_of_two()];
            for table in 0..self.materials.len() {
                self.enter(table);
            }
        } else {
            self.enter(self.materials.len() - 1);
        }
    }

    fn enter(&mut self, table: usize) {
        let Material { white, black } = self.materials[table].material();
        let straight = (Material { white, black }, false);
        let turned = Material {
            white: black,
            black: white,
        };
        for (material, swapped) in [straight, (turned, true)] {
            let key = MenKey::of_material(material);
            let mut at = self.start(key);
            while let Some(Some((other, _))) = self.entries.get(at) {
                if *other == key {
                    break;
                }
                at = (at + 1) % self.entries.len();
            }
            // Where both sides have the same men, the first of the two stays.
            if let Some(entry @ None) = self.entries.get_mut(at) {
                *entry = Some((key, Found { table, swapped }));
            }
        }
    }

    #[inline]
    fn start(&self, key: MenKey) -> usize {
        let hash = key.0.wrapping_mul(0x9e37_79b1) >> 8;
        hash as usize & self.entries.len().saturating_sub(1)
    }

    /// The table of these men.
    #[inline]
    pub fn find(&self, key: MenKey) -> Option<Found> {
        let mut at = self.start(key);
        loop {
            match self.entries.get(at)? {
                Some((other, found)) if *other == key => return Some(*found),
                Some(_) => at = (at + 1) & (self.entries.len() - 1),
                None => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Fen, Lettering};
    use crate::material::materials_of;

    #[test]
    fn every_material_is_found_from_either_side() {
        let mut catalog = Catalog::default();
        let mut all = Vec::new();
        for men in 3..=6 {
            all.extend(materials_of(men));
        }
        for &material in &all {
            let key = MenKey::of_material(material.material());
            assert_eq!(catalog.find(key), None, "{material}");
            catalog.push(material);
        }
        for (table, material) in all.iter().enumerate() {
            let Material { white, black } = material.material();
            let find = |white, black| catalog.find(MenKey::of_material(Material { white, black }));
            let found = |swapped| Some(Found { table, swapped });
            assert_eq!(find(white, black), found(false), "{material}");
            assert_eq!(find(black, white), found(white != black), "{material}");
        }
    }

    #[test]
    fn a_position_has_the_key_of_its_material() {
        for fen in [
            "8/8/8/3k4/8/3K4/8/8 w",
            "8/2r5/8/3k4/8/3K4/2SM4/8 w",
            "8/8/1n6/3k2m1/8/3K4/NN1R4/8 b",
            "8/8/ssm5/3k4/8/3K4/6MM/8 w",
            "8/8/sm6/3k4/8/3K4/6SM/8 w",
        ] {
            let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
            let key = MenKey::of(&position);
            let material = position.material();
            assert_eq!(key, MenKey::of_material(material), "{fen}");
            assert_eq!(key.is_empty(), material.men() == 2);
            assert_eq!(key.is_even(), material.white == material.black);
            assert_eq!(key.has_bare_king(), material.bare_side().is_some());
        }
    }
}
