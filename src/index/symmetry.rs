//! Symmetries of an ending: they map positions with equal values to one index.

use super::{Bia, Transform};
use crate::board::{Square, SquareSet};

/// The symmetry of an ending. It determines which of a position's images has an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// The left–right mirror only. The anchor is on files a to d, which have 32 squares.
    Mirror,
    /// All eight reflections and rotations. The anchor is on one of the ten squares of the triangle
    /// a1–d1–d4. If the anchor is on the diagonal a1–d4, a position and its reflection in the
    /// diagonal both have an index.
    Full,
    /// The left–right mirror only. The placement of the bia decides whether it is applied: of two
    /// mirror-image placements, only one has indices. The anchor can be on any square. If a
    /// placement of bia is its own mirror image, a position with this placement and the position's
    /// mirror image both have an index.
    Bia,
}

impl Symmetry {
    /// The squares of the anchor in the order of its digits; those on files a to d come first.
    pub fn domain(self) -> Vec<Square> {
        let left = Square::all().filter(|s| s.file() < 4);
        match self {
            Symmetry::Mirror => left.collect(),
            Symmetry::Full => left.filter(|s| s.rank() <= s.file()).collect(),
            Symmetry::Bia => left
                .chain(Square::all().filter(|s| s.file() >= 4))
                .collect(),
        }
    }

    /// The transform that maps a position with these bia and this anchor to the image that has an
    /// index.
    pub fn to_domain(self, bia: Bia, anchor: Square) -> Transform {
        let flip_files = anchor.file() >= 4;
        match self {
            Symmetry::Bia => bia.to_first(),
            Symmetry::Mirror if flip_files => Transform::MIRROR,
            Symmetry::Mirror => Transform::IDENTITY,
            Symmetry::Full => {
                let flip_ranks = anchor.rank() >= 4;
                let file = if flip_files {
                    7 - anchor.file()
                } else {
                    anchor.file()
                };
                let rank = if flip_ranks {
                    7 - anchor.rank()
                } else {
                    anchor.rank()
                };
                let transpose = rank > file;
                // A transform exchanges files and ranks first, so the two flips change places.
                Transform {
                    transpose,
                    flip_files: if transpose { flip_ranks } else { flip_files },
                    flip_ranks: if transpose { flip_files } else { flip_ranks },
                }
            }
        }
    }

    /// The number of positions on the whole board that share the index of a position with these bia
    /// and this anchor. The anchor must be in the domain.
    pub fn weight(self, bia: Bia, anchor: Square) -> u64 {
        match self {
            Symmetry::Bia => 1 + u64::from(bia != bia.mirrored()),
            Symmetry::Mirror => 2,
            // A square on the diagonal has only four different images.
            Symmetry::Full if anchor.file() == anchor.rank() => 4,
            Symmetry::Full => 8,
        }
    }

    /// The transforms that preserve a position's value.
    pub fn transforms(self) -> Vec<Transform> {
        match self {
            Symmetry::Mirror | Symmetry::Bia => vec![Transform::IDENTITY, Transform::MIRROR],
            Symmetry::Full => Transform::all().collect(),
        }
    }

    /// The squares to which these transforms map a set of squares.
    pub fn images(self, squares: SquareSet) -> SquareSet {
        let transforms = self.transforms().into_iter();
        let images = transforms.map(|transform| transform.set(squares));
        images.fold(SquareSet::EMPTY, |all, image| all | image)
    }

    /// The number of this symmetry in a file.
    pub const fn id(self) -> u8 {
        match self {
            Symmetry::Mirror => 1,
            Symmetry::Full => 2,
            Symmetry::Bia => 3,
        }
    }

    /// The symmetry with this number in a file.
    pub const fn from_id(id: u8) -> Option<Symmetry> {
        match id {
            1 => Some(Symmetry::Mirror),
            2 => Some(Symmetry::Full),
            3 => Some(Symmetry::Bia),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_anchor_comes_into_the_domain_and_the_weights_cover_the_board() {
        for symmetry in [Symmetry::Mirror, Symmetry::Full] {
            let domain = symmetry.domain();
            for anchor in Square::all() {
                let image = symmetry.to_domain(Bia::NONE, anchor).square(anchor);
                assert!(domain.contains(&image), "{symmetry:?} {anchor}");
            }
            for &anchor in &domain {
                assert_eq!(symmetry.to_domain(Bia::NONE, anchor), Transform::IDENTITY);
            }
            let covered: u64 = domain.iter().map(|&a| symmetry.weight(Bia::NONE, a)).sum();
            assert_eq!(covered, 64);
        }
    }
}
