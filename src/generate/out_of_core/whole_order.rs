//! Copies the distances of a slice's slab to their places in the whole lane layout.
//!
//! The slice's layout and the whole layout may have different innermost groups. Lanes that are
//! adjacent in one layout are then a multiple of a large power of two apart in the other, and
//! compete for the same cache lines. So both innermost groups are traversed together, in tiles.

/// The number of placements of each innermost group in a tile.
const TILE: usize = 64;

/// The numbers that a placement adds to the index of a lane in a slab, in both layouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The number that the placement adds to the lane's index in the slice's layout.
    pub slice: u32,
    /// The number that the placement adds to the lane's index in the whole lane layout.
    pub whole: u32,
}

impl Step {
    fn and(self, other: Step) -> Step {
        Step {
            slice: self.slice + other.slice,
            whole: self.whole + other.whole,
        }
    }
}

/// Copies the distances of a slice's slab into the order of the whole lane layout. `groups`
/// contains, for each group of the whole layout, the steps of the placements that occur in the
/// slice; the outermost group is first. `near` is the index of the slice's innermost group.
pub fn put_in_whole_order(slice: &[u8], groups: &[Vec<Step>], near: usize, whole: &mut [u8]) {
    let Some((inner, outer)) = groups.split_last() else {
        return;
    };
    if near >= outer.len() {
        return for_each_sum(outer, Step::default(), &mut |first| {
            for &step in inner {
                let Step {
                    slice: from,
                    whole: to,
                } = first.and(step);
                whole[to as usize] = slice[from as usize];
            }
        });
    }
    let (before, after) = outer.split_at(near);
    let (near, after) = (&after[0], &after[1..]);
    let mut tile = [[0; TILE]; TILE];
    for_each_sum(before, Step::default(), &mut |first| {
        for_each_sum(after, first, &mut |first| {
            for near in near.chunks(TILE) {
                for inner in inner.chunks(TILE) {
                    for (column, &inner) in inner.iter().enumerate() {
                        let first = (first.slice + inner.slice) as usize;
                        for (row, near) in tile.iter_mut().zip(near) {
                            row[column] = slice[first + near.slice as usize];
                        }
                    }
                    for (row, near) in tile.iter().zip(near) {
                        let first = (first.whole + near.whole) as usize;
                        for (&number, inner) in row.iter().zip(inner) {
                            whole[first + inner.whole as usize] = number;
                        }
                    }
                }
            }
        });
    });
}

/// Calls `each` for every combination of one step from each group, with the sum of the steps. The
/// step of the last group changes fastest.
fn for_each_sum(groups: &[Vec<Step>], sum: Step, each: &mut dyn FnMut(Step)) {
    match groups {
        [] => each(sum),
        [group, groups @ ..] => {
            for &step in group {
                for_each_sum(groups, sum.and(step), each);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the steps of three groups with these numbers of placements. `order` is the order of
    /// the groups in the slice, outermost first.
    fn groups(counts: [u32; 3], order: [usize; 3]) -> Vec<Vec<Step>> {
        let stride = |order: &[usize], group: usize| -> u32 {
            let after = order.iter().skip_while(|&&g| g != group).skip(1);
            after.map(|&g| counts[g]).product()
        };
        let of_group = |g: usize| {
            let (slice, whole) = (stride(&order, g), stride(&[0, 1, 2], g));
            // The slice has the placements in reverse order, as after a reflection.
            let step = |i: u32| Step {
                slice: (counts[g] - 1 - i) * slice,
                whole: i * whole,
            };
            (0..counts[g]).map(step).collect()
        };
        (0..3).map(of_group).collect()
    }

    #[test]
    fn every_number_comes_to_its_place() {
        let counts = [70, 3, 65];
        let lanes = (70 * 3 * 65) as usize;
        let slice: Vec<u8> = (0..lanes).map(|lane| (lane * 7 % 251) as u8).collect();
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1]] {
            let groups = groups(counts, order);
            let mut whole = vec![0; lanes];
            put_in_whole_order(&slice, &groups, order[2], &mut whole);
            let mut expected = vec![0; lanes];
            for_each_sum(&groups, Step::default(), &mut |step| {
                expected[step.whole as usize] = slice[step.slice as usize];
            });
            assert!(whole == expected, "{order:?}");
        }
    }
}
