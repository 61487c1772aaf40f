//! Converts Black's wins from the lane order of their own solve to the lane order of White's wins.

use std::ops::Range;

use rayon::prelude::*;

use crate::board::{Square, SquareSet};
use crate::index::Transform;
use crate::simd::{Simd, for_each_level};
use crate::solve::{BitPlanes, LaneLayout, Solution};

use super::cell::Cell;
use crate::parallel::ForkedByOneFunction;

/// Black's wins with White to move, looked up by the lanes of White's layout.
///
/// In White's layout, White's king is the anchor (the king that symmetry restricts to some
/// squares), and a lane is made of the 64 squares of Black's king. In the layout of Black's wins
/// the kings are exchanged: Black's king is the anchor.
pub struct BlackWins<'a> {
    solution: &'a Solution,
    /// The largest stored number: the moves of Black's longest win, plus one.
    pub largest: u16,
    /// The lanes of Black's layout that contain a win, as a set of bits.
    any: Vec<u64>,
    /// For each square of Black's king: the index, in `transforms`, of the transform that brings
    /// the king to an anchor square, and the first lane with the king on the anchor square.
    kings: Vec<(usize, usize)>,
    transforms: Vec<Transform>,
    /// For each transform and each group of White's layout: the numbers that the group's digits add
    /// to the index of a lane in Black's layout.
    images: Vec<Vec<Vec<u32>>>,
    /// The squares of White's king, indexed by the king's digit.
    domain: Vec<Square>,
}

impl<'a> BlackWins<'a> {
    /// Prepares the lookups from White's layout `white`. None if Black has no wins.
    pub fn new(white: &LaneLayout, solution: &'a Solution) -> Option<BlackWins<'a>> {
        let planes = solution.loser_to_move.as_ref()?;
        let lane_layout = &solution.layout;
        let largest = planes.largest();
        if largest == 0 {
            return None;
        }
        assert_eq!(
            white.groups(),
            lane_layout.groups(),
            "both layouts have the same groups"
        );
        let mut any = vec![0u64; planes.lanes().div_ceil(64)];
        any.par_iter_mut()
            .enumerate()
            .erased()
            .for_each(|(i, word)| {
                for lane in i * 64..planes.lanes().min(i * 64 + 64) {
                    *word |= u64::from(planes.any(lane) != 0) << (lane % 64);
                }
            });
        let slab = lane_layout.lanes() / lane_layout.domain().len();
        let mut transforms: Vec<Transform> = Vec::new();
        let mut kings = Vec::new();
        for king in Square::all() {
            let transform = lane_layout.to_domain(king);
            let image = transform.square(king);
            let known = transforms.iter().position(|&t| t == transform);
            let place = known.unwrap_or_else(|| {
                transforms.push(transform);
                transforms.len() - 1
            });
            let digit = lane_layout.domain().iter().position(|&s| s == image)?;
            kings.push((place, digit * slab));
        }
        let strides: Vec<usize> = (0..lane_layout.groups().len())
            .map(|g| {
                (g + 1..lane_layout.groups().len())
                    .map(|h| lane_layout.placements(h).len())
                    .product()
            })
            .collect();
        let images = transforms
            .iter()
            .map(|transform| {
                let group = |g: usize| {
                    let own = white.groups()[g];
                    let place = lane_layout.groups().iter().position(|&f| f == own);
                    let place = place.expect("both lane layouts have the same men");
                    let image = |squares: SquareSet| {
                        let number = lane_layout.placements(place).number(transform.set(squares));
                        (number * strides[place]) as u32
                    };
                    white.placements(g).table().into_iter().map(image).collect()
                };
                (0..white.groups().len()).map(group).collect()
            })
            .collect();
        Some(BlackWins {
            solution,
            largest,
            any,
            kings,
            transforms,
            images,
            domain: white.domain().to_vec(),
        })
    }

    /// Writes the codes of Black's wins into one row of White's layout, replacing draws only. The
    /// codes of Black's wins follow the draw and the `longest` codes of White's wins. `digits` are
    /// the digits of the row's first lane.
    pub fn add<T: Cell>(&self, digits: &[usize], longest: u16, lanes: &mut [[T; 64]]) {
        let (Some(planes), [king, groups @ ..]) = (&self.solution.loser_to_move, digits) else {
            return;
        };
        let king = self.domain[*king];
        // A layout with only kings and bia has no groups, so its row is one lane.
        let outer = &groups[..groups.len().saturating_sub(1)];
        // For each transform: the number that the outer groups add to the index of a lane, and the
        // numbers that the digits of the innermost group add.
        let rows: Vec<(usize, &[u32])> = self
            .images
            .iter()
            .map(|groups| {
                let parts = groups.iter().zip(outer);
                let first = parts.map(|(images, &digit)| images[digit] as usize).sum();
                let inner = groups.get(outer.len());
                (first, inner.map_or(&[0][..], |images| &images[..]))
            })
            .collect();
        let mut numbers = vec![0; lanes.len()];
        let simd = Simd::detect();
        for (square, &(t, slab)) in self.kings.iter().enumerate() {
            let (first, places) = rows[t];
            let row = slab + first..slab + first + lanes.len();
            let any = &self.any[row.start / 64..row.end.div_ceil(64)];
            if any.iter().all(|&any| any == 0) {
                continue;
            }
            // These lanes are adjacent in memory, so they are read together.
            let bit = self.transforms[t].square(king).index();
            numbers.fill(0);
            numbers_of(simd, planes, row, bit, &mut numbers);
            for (lane, &place) in lanes.iter_mut().zip(places) {
                let number = numbers[place as usize];
                if number > 0 && lane[square] == T::of(0) {
                    lane[square] = T::of(longest + number);
                }
            }
        }
    }
}

for_each_level! {
    /// Reads the number at position `bit` of each of these lanes into `numbers`, which must contain
    /// zeros.
    fn numbers_of(
        planes: &BitPlanes,
        lanes: Range<usize>,
        bit: usize,
        numbers: &mut [u16],
    ) = add_numbers;
}

#[inline(always)]
fn add_numbers(planes: &BitPlanes, lanes: Range<usize>, bit: usize, numbers: &mut [u16]) {
    for (j, plane) in planes.words().enumerate() {
        for (number, &word) in numbers.iter_mut().zip(&plane[lanes.clone()]) {
            *number |= ((word >> bit & 1) as u16) << j;
        }
    }
}
