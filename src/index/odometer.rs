//! An odometer: iterates over mixed-radix numbers digit by digit.

use std::array;

use crate::material::MAX_MEN;

/// The digits of a mixed-radix number, the most significant first. The next number is computed
/// without a division.
///
/// There are at most [`MAX_MEN`] digits: one for each king and each group of men.
#[derive(Clone, Copy, Debug)]
pub struct Odometer {
    radices: [usize; MAX_MEN],
    digits: [usize; MAX_MEN],
    len: usize,
}

impl Odometer {
    /// An odometer at 0. Each digit stays below its radix.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_MEN`] radices.
    pub fn new(radices: impl ExactSizeIterator<Item = usize>) -> Odometer {
        let len = radices.len();
        assert!(len <= MAX_MEN, "an odometer has at most {MAX_MEN} digits");
        let mut radices = radices;
        Odometer {
            radices: array::from_fn(|_| radices.next().unwrap_or(1)),
            digits: [0; MAX_MEN],
            len,
        }
    }

    /// Returns an odometer with the same radices, set to `number`.
    #[inline(always)]
    pub fn at(&self, number: usize) -> Odometer {
        let mut odometer = *self;
        let mut rest = number;
        let digits = odometer.digits[..self.len].iter_mut();
        for (digit, radix) in digits.zip(&self.radices[..self.len]).rev() {
            *digit = rest % radix;
            rest /= radix;
        }
        odometer
    }

    /// Advances to the next number. After the last number, starts again from 0.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.advance_from(self.len);
    }

    /// Sets all digits from index `end` on to 0, and advances the number that the digits before
    /// `end` form.
    #[inline(always)]
    pub fn advance_from(&mut self, end: usize) {
        let digits = self.digits[..self.len].iter_mut();
        for (place, (digit, radix)) in digits.zip(&self.radices).enumerate().rev() {
            if place >= end {
                *digit = 0;
                continue;
            }
            *digit += 1;
            if *digit < *radix {
                return;
            }
            *digit = 0;
        }
    }

    /// The digits, outermost first.
    #[inline(always)]
    pub fn digits(&self) -> &[usize] {
        &self.digits[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_count_up_and_wrap() {
        let radices = [2usize, 3, 1, 5];
        let odometer = Odometer::new(radices.into_iter());
        let all: usize = radices.iter().product();
        let mut counted = odometer;
        for number in 0..2 * all {
            assert_eq!(counted.digits(), odometer.at(number % all).digits());
            let digits = counted.digits().iter().zip(radices);
            let value = digits.fold(0, |value, (digit, radix)| value * radix + digit);
            assert_eq!(value, number % all);
            counted.advance();
        }
        assert!(Odometer::new([].into_iter()).at(0).digits().is_empty());
    }

    #[test]
    fn inner_digits_are_skipped() {
        let odometer = Odometer::new([2, 3, 5, 2].into_iter());
        let mut skipping = odometer.at(0);
        for number in 0..6 {
            assert_eq!(skipping.digits(), odometer.at(number * 10).digits());
            skipping.advance_from(2);
        }
        let mut within = odometer.at(17);
        within.advance_from(2);
        assert_eq!(within.digits(), odometer.at(20).digits());
    }
}
