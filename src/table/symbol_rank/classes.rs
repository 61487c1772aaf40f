//! Groups the lists of likely values into classes. A cell is stored as the place of its value in a
//! list, and the lists of a class share the probabilities of their places.
//!
//! All arithmetic is in integers, so that every machine makes the same table.

use super::model::{MOST_CLASSES, PART, PARTS, Ranges, SYMBOLS, Widths};
use crate::rans::{BITS, ONE};

/// For each place of a list, the number of cells stored as that place. The last entry counts the
/// escapes: cells whose value is not in the list.
pub type PlaceCounts = [u64; SYMBOLS + 1];

/// The number of rounds in which lists move to cheaper classes. Each round makes a table smaller,
/// but the third only by a thousandth.
const ROUNDS: usize = 3;

/// The number of bits worth spending to save a decoder one search for a place: a tenth of a bit, in
/// units of 2^-16 bit.
const SEARCH_COST: u64 = 6554;

/// Groups lists into classes so that the lists' places take few bits. Returns the ranges of each
/// class and the class of each list. If `whole_parts` is true, the widths of likely places may be
/// rounded to multiples of [`PART`], so that a decoder rarely has to search: see [`rounded`].
pub fn classify(lists: &[PlaceCounts], whole_parts: bool) -> (Vec<Ranges>, Vec<u8>) {
    let mut class_of = by_first_place(lists);
    let costs = costs();
    let mut widths = widths_of(lists, &class_of);
    for _ in 0..ROUNDS {
        let prices: Vec<[u64; SYMBOLS + 1]> = widths
            .iter()
            .map(|widths| widths.map(|width| costs[usize::from(width)]))
            .collect();
        let cheapest = |counts: &PlaceCounts| {
            let price = |prices: &[u64; SYMBOLS + 1]| -> u64 {
                counts.iter().zip(prices).map(|(n, price)| n * price).sum()
            };
            let classes = (0u8..).zip(&prices);
            classes
                .min_by_key(|(_, prices)| price(prices))
                .map_or(0, |(class, _)| class)
        };
        class_of = lists.iter().map(cheapest).collect();
        widths = widths_of(lists, &class_of);
    }
    if whole_parts {
        let sums = sums_of(lists, &class_of);
        widths = sums.iter().map(|counts| rounded(counts, &costs)).collect();
    }
    let ranges = widths
        .iter()
        .map(|widths| Ranges::new(widths).expect("their sum is one"));
    (ranges.collect(), class_of)
}

/// The number of bits that the places of all lists take, in units of 2^-16 bit.
pub fn bits(lists: &[PlaceCounts], classes: &[Ranges], class_of: &[u8]) -> u64 {
    let costs = costs();
    let of_list = |(counts, &class): (&PlaceCounts, &u8)| -> u64 {
        bits_of(counts, &classes[usize::from(class)].widths(), &costs)
    };
    lists.iter().zip(class_of).map(of_list).sum()
}

/// The number of bits that the places of a list take with these widths, in units of 2^-16 bit.
fn bits_of(counts: &PlaceCounts, widths: &Widths, costs: &[u64]) -> u64 {
    let each = counts.iter().zip(widths);
    each.map(|(n, &width)| n * costs[usize::from(width)]).sum()
}

/// Makes the initial classes: sorts lists by the frequency of place 0, and divides them into
/// classes that take about the same number of bits. Returns the class of each list.
fn by_first_place(lists: &[PlaceCounts]) -> Vec<u8> {
    let mut sorted: Vec<(u64, u64, usize)> = lists
        .iter()
        .enumerate()
        .map(|(number, counts)| {
            let all: u64 = counts.iter().sum();
            // Places other than the first take most of the bits.
            let weight = 8 * (all - counts[0]) + all;
            ((counts[0] << 32) / (all + 2), weight, number)
        })
        .collect();
    sorted.sort_unstable();
    let all: u64 = sorted.iter().map(|&(_, weight, _)| weight).sum();
    let mut class_of = vec![0; lists.len()];
    let mut before = 0;
    for (_, weight, number) in sorted {
        let middle = u128::from(before + weight / 2) * MOST_CLASSES as u128;
        let class = middle / u128::from(all.max(1));
        class_of[number] = class.min(MOST_CLASSES as u128 - 1) as u8;
        before += weight;
    }
    class_of
}

/// For each class, the widths of the places, from the counts of the lists in the class.
fn widths_of(lists: &[PlaceCounts], class_of: &[u8]) -> Vec<Widths> {
    let sums = sums_of(lists, class_of);
    sums.iter().map(in_proportion).collect()
}

/// The sum of the counts of the lists in each class.
fn sums_of(lists: &[PlaceCounts], class_of: &[u8]) -> Vec<PlaceCounts> {
    let mut sums = vec![[0; SYMBOLS + 1]; MOST_CLASSES];
    for (counts, &class) in lists.iter().zip(class_of) {
        for (sum, n) in sums[usize::from(class)].iter_mut().zip(counts) {
            *sum += n;
        }
    }
    sums
}

/// Chooses widths in proportion to the counts. No width is 0.
fn in_proportion(counts: &PlaceCounts) -> Widths {
    let mut widths = [0; SYMBOLS + 1];
    divide(counts, ONE, &mut widths);
    widths
}

/// Divides `number` into shares in proportion to the counts. Each share is at least 1.
fn divide(counts: &[u64], number: u32, shares: &mut [u16]) {
    let all: u64 = counts.iter().sum::<u64>().max(1);
    let free = u64::from(number) - counts.len() as u64;
    for (share, &n) in shares.iter_mut().zip(counts) {
        *share = (1 + u128::from(n) * u128::from(free) / u128::from(all)) as u16;
    }
    // The rounding error goes to the most frequent place.
    let rest = number as u16 - shares.iter().sum::<u16>();
    let most = (0..counts.len()).max_by_key(|&place| (counts[place], counts.len() - place));
    shares[most.unwrap_or(0)] += rest;
}

/// Chooses widths roughly in proportion to the counts, so that a search is rarely needed. The
/// widths of likely places are multiples of [`PART`], unless exactly proportional widths are
/// cheaper. All other places share the remaining parts.
fn rounded(counts: &PlaceCounts, costs: &[u64]) -> Widths {
    let plain = in_proportion(counts);
    let candidates = (1..=SYMBOLS).filter_map(|likely| {
        let rest: u64 = counts[likely..].iter().sum();
        let mut shares = [0; SYMBOLS + 1];
        shares[..likely].copy_from_slice(&counts[..likely]);
        shares[likely] = rest;
        let parts = in_parts(&shares[..=likely], costs);
        let mut widths = parts.map(|parts| parts * PART as u16);
        let rest = u32::from(widths[likely]);
        let enough = rest as usize > SYMBOLS - likely;
        enough.then(|| {
            divide(&counts[likely..], rest, &mut widths[likely..]);
            widths
        })
    });
    let all = std::iter::once(plain).chain(candidates);
    let cheapest = all.min_by_key(|widths| {
        bits_of(counts, widths, costs) + SEARCH_COST * searched(counts, widths)
    });
    cheapest.unwrap_or(plain)
}

/// Divides the parts among places with these counts so that the places take the fewest bits. Each
/// place gets at least one part.
fn in_parts(counts: &[u64], costs: &[u64]) -> Widths {
    let mut parts = [0; SYMBOLS + 1];
    parts[..counts.len()].fill(1);
    for _ in counts.len()..PARTS {
        let saved = |&place: &usize| {
            let cost = |parts: u16| costs[usize::from(parts)];
            let saved = u128::from(cost(parts[place]) - cost(parts[place] + 1));
            (u128::from(counts[place]) * saved, counts.len() - place)
        };
        let most = (0..counts.len()).max_by_key(saved);
        parts[most.unwrap_or(0)] += 1;
    }
    parts
}

/// The estimated number of cells for which a decoder must search the ranges, because several ranges
/// share a part.
fn searched(counts: &PlaceCounts, widths: &Widths) -> u64 {
    let mut start = 0;
    let each = counts.iter().zip(widths).map(|(n, &width)| {
        let end = start + u32::from(width);
        let whole = (end / PART).saturating_sub(start.div_ceil(PART)) * PART;
        start = end;
        n * u64::from(u32::from(width) - whole) / u64::from(width)
    });
    each.sum()
}

/// For each width, the number of bits that storing a place of that width takes, in units of 2^-16
/// bit: minus the binary logarithm of width / [`ONE`].
fn costs() -> Vec<u64> {
    (0..=ONE)
        .map(|width| u64::from(BITS) * 65536 - u64::from(logarithm(width.max(1))))
        .collect()
}

/// The binary logarithm of a number, in units of 2^-16, rounded down.
fn logarithm(number: u32) -> u32 {
    let whole = number.ilog2();
    // Squaring a number from 1 to 2 doubles its logarithm, so each squaring gives the next bit
    // after the point.
    let mut rest = u64::from(number) << (31 - whole);
    let mut fraction = 0;
    for _ in 0..16 {
        rest = (rest * rest) >> 31;
        let bit = rest >> 32;
        fraction = fraction << 1 | bit as u32;
        rest >>= bit;
    }
    whole << 16 | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for number in 1..=ONE {
            let expected = f64::from(number).log2() * 65536.0;
            let difference = expected - f64::from(logarithm(number));
            assert!(
                (-0.01..1.01).contains(&difference),
                "{number}: {difference}"
            );
        }
    }

    #[test]
    fn widths_are_whole_and_in_proportion() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..1000 {
            let counts: PlaceCounts =
                std::array::from_fn(|place| random.u64(0..2000 >> place.min(10)));
            let widths = in_proportion(&counts);
            assert!(Ranges::new(&widths).is_some(), "{counts:?}");
            let all: u64 = counts.iter().sum::<u64>().max(1);
            for (&n, &width) in counts.iter().zip(&widths) {
                let share = n as f64 / all as f64 * f64::from(ONE);
                assert!(
                    (share - f64::from(width)).abs() < 33.0,
                    "{counts:?} {widths:?}"
                );
            }
        }
        assert_eq!(
            in_proportion(&[0; SYMBOLS + 1])[0],
            ONE as u16 - SYMBOLS as u16
        );
    }

    #[test]
    fn rounded_widths_take_few_more_bits_and_are_seldom_searched() {
        let mut random = fastrand::Rng::with_seed(7);
        let costs = costs();
        let (mut plain, mut round) = ([0; 2], [0; 2]);
        for i in 0..300 {
            let counts: PlaceCounts = std::array::from_fn(|place| {
                let shift = (place * (1 + i % 5)).min(63);
                random.u64(0..100_000) >> shift
            });
            let widths = [in_proportion(&counts), rounded(&counts, &costs)];
            for (widths, sum) in widths.iter().zip([&mut plain, &mut round]) {
                let ranges = Ranges::new(widths).unwrap();
                sum[0] += bits_of(&counts, widths, &costs);
                sum[1] += searched(&counts, widths);
                // Checks every number: a part has several ranges if its first and its last number
                // are in different ranges.
                let mut slow = [0; SYMBOLS + 1];
                for slot in 0..ONE {
                    let ends = [slot / PART * PART, slot / PART * PART + PART - 1];
                    let [first, last] = ends.map(|slot| ranges.at(slot).place());
                    slow[ranges.at(slot).place()] += u64::from(first != last);
                }
                let places = counts.iter().zip(slow).zip(widths);
                let slow: u64 = places
                    .map(|((n, slow), &width)| n * slow / u64::from(width))
                    .sum();
                assert_eq!(searched(&counts, widths), slow);
            }
        }
        assert!(round[0] * 1000 < plain[0] * 1005, "{round:?} {plain:?}");
        assert!(round[1] * 2 < plain[1], "{round:?} {plain:?}");
    }

    #[test]
    fn many_classes_take_fewer_bits_than_one() {
        let mut random = fastrand::Rng::with_seed(5);
        let lists: Vec<PlaceCounts> = (0..300)
            .map(|i| std::array::from_fn(|place| random.u64(0..1000) >> (place * (i % 7) / 2)))
            .collect();
        let (classes, class_of) = classify(&lists, false);
        let one = widths_of(&lists, &vec![0; lists.len()]);
        let one = [Ranges::new(&one[0]).unwrap()];
        let some = bits(&lists, &classes, &class_of);
        let all = bits(&lists, &one, &vec![0; lists.len()]);
        assert!(some < all * 9 / 10, "{some} of {all}");
    }
}
