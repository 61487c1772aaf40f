//! Colour slices: parts of an ending that no move connects, since a met never changes the colour of
//! its square.
//!
//! In a slice, each side has a fixed number of mets on light squares. The mirror exchanges light
//! and dark squares, so only one of two mirror-image slices has to be solved. If half of each
//! side's mets are on light squares, the slice is its own mirror image.

use super::Group;
use crate::board::{Role, Square, SquareSet};
use crate::material::Material;

/// A colour slice of an ending, given by the number of each side's mets on light squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColorSlice {
    /// For each side with mets, White first: the number of its mets on light squares, and the
    /// number of all its mets.
    mets: Vec<(usize, usize)>,
}

impl ColorSlice {
    /// The slices of an ending that have to be solved. Of two mirror-image slices, only the one
    /// with more of White's mets on light squares is included; if these numbers are equal, the one
    /// with more of Black's. An ending without mets has one slice.
    pub fn all(material: Material) -> Vec<ColorSlice> {
        let mut slices = vec![ColorSlice { mets: Vec::new() }];
        for army in [material.white, material.black] {
            let count = army.count(Role::Met);
            if count == 0 {
                continue;
            }
            slices = slices
                .into_iter()
                .flat_map(|slice| {
                    (0..=count).rev().map(move |light| {
                        let mut mets = slice.mets.clone();
                        mets.push((light, count));
                        ColorSlice { mets }
                    })
                })
                .collect();
        }
        slices.retain(|slice| slice.lights() >= slice.mirrored().lights());
        slices
    }

    /// The slice that is the whole ending, undivided.
    pub fn whole() -> ColorSlice {
        ColorSlice { mets: Vec::new() }
    }

    fn lights(&self) -> Vec<usize> {
        self.mets.iter().map(|&(light, _)| light).collect()
    }

    /// The slice whose positions are the mirror images of this slice's positions.
    #[must_use]
    pub fn mirrored(&self) -> ColorSlice {
        let mirrored = |&(light, count): &(usize, usize)| (count - light, count);
        ColorSlice {
            mets: self.mets.iter().map(mirrored).collect(),
        }
    }

    /// True if the slice is its own mirror image.
    pub fn is_even(&self) -> bool {
        *self == self.mirrored()
    }

    /// True if this slice has these numbers of mets on light squares, given for each side with
    /// mets, White's first.
    pub fn has_lights(&self, lights: impl IntoIterator<Item = usize>) -> bool {
        self.mets.iter().map(|&(light, _)| light).eq(lights)
    }

    /// The groups of men in the slice: those of the ending, but the mets on light squares and the
    /// mets on dark squares are separate groups.
    pub fn groups(&self, groups: &[Group]) -> Vec<Group> {
        let light: SquareSet = Square::all().filter(|s| s.is_light()).collect();
        let mut mets = self.mets.iter();
        let mut divided = Vec::new();
        for &group in groups {
            let &(on_light, count) = match group.role {
                Role::Met => mets.next().expect("a slice of this ending"),
                _ => {
                    divided.push(group);
                    continue;
                }
            };
            for (count, domain) in [(on_light, light), (count - on_light, !light)] {
                if count > 0 {
                    divided.push(Group {
                        count,
                        domain,
                        ..group
                    });
                }
            }
        }
        divided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Layout;
    use crate::material::CanonicalMaterial;

    fn slices(name: &str) -> (CanonicalMaterial, Vec<ColorSlice>) {
        let material: CanonicalMaterial = name.parse().unwrap();
        (material, ColorSlice::all(material.material()))
    }

    #[test]
    fn slices_and_their_mirror_images_are_all_the_ways_to_divide_the_mets() {
        for (name, even, odd) in [
            ("KRNvK", 1, 0),
            ("KMvK", 0, 1),
            ("KMMvK", 1, 1),
            ("KSMMMvK", 0, 2),
            ("KMMMMvK", 1, 2),
            ("KMvKM", 0, 2),
            ("KMMvKM", 0, 3),
            ("KMMvKMM", 1, 4),
        ] {
            let (material, slices) = slices(name);
            let found = slices.iter().filter(|slice| slice.is_even()).count();
            assert_eq!((found, slices.len() - found), (even, odd), "{name}");
            // The slices with their mirror images have every placement exactly once.
            let groups = Layout::groups_of(material);
            let count = |groups: &[Group]| -> usize {
                groups.iter().map(|g| g.placements().len()).product()
            };
            let all: usize = slices
                .iter()
                .map(|slice| {
                    let twins = if slice.is_even() { 1 } else { 2 };
                    twins * count(&slice.groups(&groups))
                })
                .sum();
            assert_eq!(all, count(&groups), "{name}");
        }
    }

    #[test]
    fn a_slice_is_found_by_its_mets_on_light_squares() {
        let (_, slices) = slices("KMMvKM");
        let found = |lights: [usize; 2]| slices.iter().any(|s| s.has_lights(lights));
        assert!(found([2, 1]) && found([2, 0]) && found([1, 1]));
        assert!(!found([0, 1]), "its mirror image is solved");
    }
}
