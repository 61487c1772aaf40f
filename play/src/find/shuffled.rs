//! Iterates over numbers in random order.

use sakmak::random::Numbers;

/// Returns all numbers below `length` in random order, each once, without storing them.
pub fn shuffled(length: usize, numbers: &mut Numbers) -> impl Iterator<Item = usize> {
    let end = length.max(1) as u64;
    let mut step = numbers.below(end).max(1);
    while greatest_common_divisor(step, end) != 1 {
        step = step % end + 1;
    }
    let mut at = numbers.below(end);
    std::iter::repeat_with(move || {
        let here = at;
        at += step;
        if at >= end {
            at -= end;
        }
        here as usize
    })
    .take(length)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => greatest_common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        let mut numbers = Numbers::new(3);
        for length in [0, 1, 2, 7, 64, 1000, 4096] {
            let mut all: Vec<usize> = shuffled(length, &mut numbers).collect();
            all.sort_unstable();
            assert_eq!(all, (0..length).collect::<Vec<_>>());
        }
    }
}
