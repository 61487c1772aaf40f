//! From the order in which cells lie in memory to that of a table.

use crate::index::{Component, Layout};

/// Reads cells in the order of a table's components out of an array that has them in another.
#[derive(Debug)]
pub struct Walk {
    /// For each component, the outermost first: its digits, and what one step of it adds to the
    /// place in the array.
    components: Vec<(usize, usize)>,
}

impl Walk {
    /// A walk in the order of these components, the outermost first, over an array in the order of
    /// `array`.
    pub fn new(components: &[Component], array: &Layout) -> Walk {
        let step = |&c: &Component| (array.radix(c), array.stride(c) as usize);
        Walk {
            components: components.iter().map(step).collect(),
        }
    }

    /// Fills `out` with the cells from the number `start` on; `get` knows the array's.
    #[inline(always)]
    pub fn read(&self, start: usize, out: &mut [u16], get: impl Fn(usize) -> u16) {
        let n = self.components.len();
        let (radix, stride) = self.components[n - 1];
        let mut digits = [0; 10];
        let mut rest = start;
        for (digit, &(radix, _)) in digits.iter_mut().zip(&self.components).rev() {
            *digit = rest % radix;
            rest /= radix;
        }
        let mut done = 0;
        while done < out.len() {
            // The innermost component runs, the others stand.
            let base: usize = digits[..n - 1]
                .iter()
                .zip(&self.components)
                .map(|(digit, &(_, stride))| digit * stride)
                .sum();
            let first = digits[n - 1];
            let run = (radix - first).min(out.len() - done);
            for (i, cell) in out[done..done + run].iter_mut().enumerate() {
                *cell = get(base + (first + i) * stride);
            }
            done += run;
            digits[n - 1] = 0;
            for i in (0..n - 1).rev() {
                digits[i] += 1;
                if digits[i] < self.components[i].0 {
                    break;
                }
                digits[i] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::material::CanonicalMaterial;

    #[test]
    fn each_cell_is_the_one_with_the_same_digits() {
        let material: CanonicalMaterial = "KRvK".parse().unwrap();
        let symmetry = Layout::symmetry_of(material);
        let [a, l, g] = [Component::Anchor, Component::Lane, Component::Group(0)];
        let layout =
            |order: &[Component]| Layout::new(material, Color::White, symmetry, order).unwrap();
        let (array, table) = (layout(&[a, g, l]), layout(&[l, a, g]));
        let walk = Walk::new(table.order(), &array);
        for start in [0, 1, 63, 700, 40_000] {
            let mut out = [0; 900];
            walk.read(start, &mut out, |place| place as u16);
            for (i, &place) in out.iter().enumerate() {
                for component in [a, l, g] {
                    let digit = table.digit((start + i) as u64, component);
                    assert_eq!(array.digit(place.into(), component), digit);
                }
            }
        }
    }
}
