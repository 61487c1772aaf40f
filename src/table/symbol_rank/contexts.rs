//! Contexts: a cell's context is a number that summarizes the surrounding cells decoded before it.
//! Each cell also has a reference, the value with which it is compared.
//!
//! Each cell has four **neighbours** and one **aside**, which is the same cell in the previous
//! plane or in another section ([`Prediction`]). Missing and illegal cells are [`UNKNOWN`]. The
//! **reference** is usually the least of these values. The *level* of a value is its distance above
//! the reference, up to a maximum. The five levels make the context:
//!
//! ```text
//! neighbours 7 8 7 unknown, aside 9     reference 7     levels 0 1 0 unknown, 2
//! ```
//!
//! Contexts are computed for whole lanes at once, in vectors of bytes.

/// The value of a cell that is not decoded yet, or has no legal position.
pub const UNKNOWN: u8 = u8::MAX;

/// A lane: a cell for each square of Black's king.
pub type LaneCells<T> = [T; 64];
/// A lane without known cells.
pub const NOTHING: LaneCells<u8> = [UNKNOWN; 64];

/// The neighbours from which a cell is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextKind {
    /// The four lanes in which White's king is two or four squares away from its square in the
    /// cell's lane.
    Far = 0,
    /// The four cells diagonally next to the cell in its lane. Before these are decoded: the same
    /// cell in another lane, and the two cells two ranks away in the cell's own lane.
    Net = 1,
    /// The four lanes in which White's king is diagonally next to its square in the cell's lane.
    Diagonal = 2,
    /// The four lanes in which White's king is beside, above or below its square in the cell's
    /// lane.
    Beside = 3,
    /// The four cells beside, above and below the cell in its lane.
    InLane = 4,
}

/// The number of kinds of contexts.
pub const KINDS: usize = 5;

/// The *aside*: the cell that predicts a section's cell, besides the cell's four neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// The aside is the same cell in the previous plane.
    Before,
    /// The aside is the same cell in the base section.
    Base,
    /// The aside is the same cell in the base section, plus a correction: the least difference
    /// between a neighbour and the corresponding cell of the base.
    Differences,
}

/// In [`Prediction::Differences`], the byte for a difference of 0. Greater bytes stand for larger
/// differences, and smaller bytes for smaller differences.
const SAME: u8 = 128;
/// In [`Prediction::Differences`], the byte for a neighbour that is a draw, instead of a
/// difference.
const DRAWN: u8 = UNKNOWN - 1;

impl Prediction {
    /// The largest distance from the reference that a neighbour's level distinguishes.
    const fn far(self) -> u8 {
        match self {
            Prediction::Before => 4,
            Prediction::Base => 3,
            Prediction::Differences => 2,
        }
    }

    /// The number of levels that a neighbour can have: one for each distance from 0 to
    /// [`Prediction::far`], one for a draw, and one for an unknown value.
    const fn levels(self) -> usize {
        self.far() as usize + 3
    }

    /// The number of levels that the aside can have. The last level is for an unknown aside.
    const fn asides(self) -> usize {
        match self {
            Prediction::Before => 5,
            Prediction::Base => 10,
            Prediction::Differences => 20,
        }
    }

    /// The number of contexts that share a kind and a level of the aside.
    const fn of_aside(self) -> usize {
        self.levels().pow(4)
    }

    /// The number of contexts of one kind.
    pub const fn contexts_of_kind(self) -> usize {
        self.asides() * self.of_aside()
    }

    /// The number of contexts of all kinds.
    pub const fn contexts(self) -> usize {
        KINDS * self.contexts_of_kind()
    }

    /// The same context with an unknown aside.
    pub fn without_aside(self, context: u16) -> u16 {
        let context = usize::from(context);
        let kind = context / self.contexts_of_kind();
        let within = context % self.of_aside();
        ((kind * self.asides() + self.asides() - 1) * self.of_aside() + within) as u16
    }
}

const _: () = {
    assert!(Prediction::Before.contexts() <= 1 << u16::BITS);
    assert!(Prediction::Base.contexts() <= 1 << u16::BITS);
    assert!(Prediction::Differences.contexts() <= 1 << u16::BITS);
};

/// The contexts and the references of a lane's cells.
#[derive(Clone, Debug)]
pub struct Contexts {
    pub contexts: LaneCells<u16>,
    pub references: LaneCells<u8>,
}

impl Contexts {
    /// Contexts and references that are all zero.
    pub const fn new() -> Contexts {
        Contexts {
            contexts: [0; 64],
            references: [0; 64],
        }
    }

    /// Computes contexts for [`Prediction::Before`]. The reference is the least of the neighbours
    /// and of the cell in the previous plane.
    #[inline(always)]
    pub fn by_plane_before(
        &mut self,
        kind: ContextKind,
        neighbours: [&LaneCells<u8>; 4],
        before: &LaneCells<u8>,
        draw: u8,
    ) {
        const HOW: Prediction = Prediction::Before;
        let unknown = HOW.asides() as u8 - 1;
        let mut levels = Levels::NONE;
        for (i, &before) in before.iter().enumerate() {
            let cells = cells_of(neighbours, i);
            let least = least(cells).min(before);
            let above = before.wrapping_sub(least).min(unknown - 1);
            let aside = if before == UNKNOWN { unknown } else { above };
            levels.set::<{ HOW.far() }>(i, aside, cells, least, draw);
            self.references[i] = least;
        }
        levels.contexts::<{ HOW.levels() }>(kind, HOW, &mut self.contexts);
    }

    /// Computes contexts for [`Prediction::Base`]. The reference is the least of the neighbours or,
    /// if none is known, the base's cell.
    #[inline(always)]
    pub fn by_base(
        &mut self,
        kind: ContextKind,
        neighbours: [&LaneCells<u8>; 4],
        base: &LaneCells<u8>,
        draw: u8,
    ) {
        const HOW: Prediction = Prediction::Base;
        const BELOW: u8 = 2;
        const ABOVE: u8 = 5;
        const OF_DRAW: u8 = BELOW + ABOVE + 1;
        const _: () = assert!(OF_DRAW as usize + 2 == HOW.asides());
        let mut levels = Levels::NONE;
        for (i, &base) in base.iter().enumerate() {
            let cells = cells_of(neighbours, i);
            let least = least(cells);
            let reference = if least == UNKNOWN { base } else { least };
            let distance = distance::<BELOW, ABOVE>(base, reference);
            let aside = if base == draw { OF_DRAW } else { distance };
            levels.set::<{ HOW.far() }>(i, aside, cells, reference, draw);
            self.references[i] = reference;
        }
        levels.contexts::<{ HOW.levels() }>(kind, HOW, &mut self.contexts);
    }

    /// Computes contexts for [`Prediction::Differences`]. The reference is the base's cell plus the
    /// least difference between a neighbour and the corresponding cell of the base, which is in
    /// `base_neighbours`.
    #[inline(always)]
    pub fn by_differences(
        &mut self,
        kind: ContextKind,
        neighbours: [&LaneCells<u8>; 4],
        base_neighbours: [&LaneCells<u8>; 4],
        base: &LaneCells<u8>,
        draw: u8,
    ) {
        const HOW: Prediction = Prediction::Differences;
        /// The number of levels of the least difference: negative, zero and positive.
        const LEAST: u8 = 3;
        const OF_DRAW: u8 = 6 * LEAST;
        const _: () = assert!(OF_DRAW as usize + 2 == HOW.asides());
        let mut levels = Levels::NONE;
        for (i, &base) in base.iter().enumerate() {
            let cells = cells_of(neighbours, i);
            let (a, b, c, d) = cells;
            let (e, f, g, h) = cells_of(base_neighbours, i);
            let differences = (
                difference(a, e, draw),
                difference(b, f, draw),
                difference(c, g, draw),
                difference(d, h, draw),
            );
            let least_difference = least(differences);
            let none = least_difference >= DRAWN;
            let least_difference = if none { SAME } else { least_difference };
            let predicted = base.wrapping_add(least_difference.wrapping_sub(SAME));
            let reference = if base == draw { 0 } else { predicted };
            let least = least(cells);
            let lowest = if least == UNKNOWN { reference } else { least };
            let aside = distance::<2, 3>(lowest, reference) * LEAST
                + distance::<1, 1>(least_difference, SAME);
            let aside = if base == draw { OF_DRAW } else { aside };
            levels.set::<{ HOW.far() }>(i, aside, differences, least_difference, DRAWN);
            self.references[i] = reference;
        }
        levels.contexts::<{ HOW.levels() }>(kind, HOW, &mut self.contexts);
    }
}

/// The cells of four lanes on one square. This is no array, which would be computed as one word of
/// four bytes and not as a vector for each byte.
type Four = (u8, u8, u8, u8);

/// The cells of four lanes on the square with index `i`.
#[inline(always)]
fn cells_of([a, b, c, d]: [&LaneCells<u8>; 4], i: usize) -> Four {
    (a[i], b[i], c[i], d[i])
}

/// The levels that make the contexts of a lane's cells: the aside's and, in pairs, those of the
/// neighbours.
///
/// They are bytes. Only [`Levels::contexts`] computes numbers of two bytes, so that all that comes
/// before it handles twice as many cells at once.
struct Levels {
    asides: LaneCells<u8>,
    pairs: [LaneCells<u8>; 2],
}

impl Levels {
    const NONE: Levels = Levels {
        asides: [0; 64],
        pairs: [[0; 64]; 2],
    };

    /// Sets the levels of the cell with index `i`: `aside`, and those of four values.
    #[inline(always)]
    fn set<const FAR: u8>(
        &mut self,
        i: usize,
        aside: u8,
        (a, b, c, d): Four,
        reference: u8,
        draw: u8,
    ) {
        let level = |value| level::<FAR>(value, reference, draw);
        self.asides[i] = aside;
        self.pairs[0][i] = level(a) * (FAR + 3) + level(b);
        self.pairs[1][i] = level(c) * (FAR + 3) + level(d);
    }

    /// Computes the indices of the contexts with these levels.
    #[inline(always)]
    fn contexts<const LEVELS: usize>(
        &self,
        kind: ContextKind,
        how: Prediction,
        out: &mut LaneCells<u16>,
    ) {
        let pairs = (LEVELS * LEVELS) as u16;
        let head = kind as u16 * how.asides() as u16;
        let [high, low] = &self.pairs;
        let levels = self.asides.iter().zip(high).zip(low);
        for (out, ((&aside, &high), &low)) in out.iter_mut().zip(levels) {
            let aside = head + u16::from(aside);
            *out = (aside * pairs + u16::from(high)) * pairs + u16::from(low);
        }
    }
}

#[inline(always)]
fn least((a, b, c, d): Four) -> u8 {
    a.min(b).min(c.min(d))
}

/// The level of a value: its distance above the reference, at most `FAR`. The next level stands for
/// a draw, and the last for an unknown value.
#[inline(always)]
fn level<const FAR: u8>(value: u8, reference: u8, draw: u8) -> u8 {
    let above = value.wrapping_sub(reference).min(FAR);
    let above = if value == draw { FAR + 1 } else { above };
    if value == UNKNOWN { FAR + 2 } else { above }
}

/// The distance of a value from a reference, limited to the range from −`BELOW` to `ABOVE`. Adding
/// `BELOW` makes it a number from 0 to `BELOW` + `ABOVE`.
#[inline(always)]
fn distance<const BELOW: u8, const ABOVE: u8>(value: u8, reference: u8) -> u8 {
    let above = value.saturating_sub(reference).min(ABOVE);
    let below = reference.saturating_sub(value).min(BELOW);
    BELOW + above - below
}

/// The difference between a cell and the base's cell as a byte. It is [`SAME`] if they are equal,
/// and [`DRAWN`] if the cell is a draw. It is [`UNKNOWN`] if the cell is unknown, if only the
/// base's cell is a draw, if the two have different winners, or if the difference is too large.
#[inline(always)]
fn difference(cell: u8, base: u8, draw: u8) -> u8 {
    let difference = cell.wrapping_sub(base).wrapping_add(SAME);
    let alike = (cell < draw) == (base < draw) && base != draw && difference < DRAWN;
    let difference = if alike { difference } else { UNKNOWN };
    let difference = if cell == draw { DRAWN } else { difference };
    if cell == UNKNOWN { UNKNOWN } else { difference }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs for one cell, from which the test computes the cell's context as
    /// `docs/develop/format.md` describes it.
    struct OneCell {
        kind: i32,
        neighbours: [u8; 4],
        guesses: [u8; 4],
        /// The same cell in the previous plane, or in the base.
        aside: u8,
        draw: u8,
    }

    /// The index of the context with these levels. The aside can have `n` levels, and each
    /// neighbour can have `m` levels.
    fn number(kind: i32, n: i32, aside: i32, m: i32, levels: [i32; 4]) -> i32 {
        let neighbours = levels.iter().fold(0, |sum, level| sum * m + level);
        (kind * n + aside) * m.pow(4) + neighbours
    }

    impl OneCell {
        fn level(&self, value: u8, reference: i32, far: i32) -> i32 {
            match value {
                UNKNOWN => far + 2,
                value if value == self.draw => far + 1,
                value => (i32::from(value) - reference).min(far),
            }
        }

        fn by_plane_before(&self) -> (i32, i32) {
            let all = self.neighbours.into_iter().chain([self.aside]);
            let r = i32::from(all.min().unwrap());
            let aside = match self.aside {
                UNKNOWN => 4,
                value => (i32::from(value) - r).min(3),
            };
            let levels = self.neighbours.map(|value| self.level(value, r, 4));
            (number(self.kind, 5, aside, 7, levels), r)
        }

        fn by_base(&self) -> (i32, i32) {
            let known = self.neighbours.into_iter().filter(|&n| n != UNKNOWN);
            let r = i32::from(known.min().unwrap_or(self.aside));
            let aside = match self.aside {
                guess if guess == self.draw => 8,
                guess => (i32::from(guess) - r + 2).clamp(0, 7),
            };
            let levels = self.neighbours.map(|value| self.level(value, r, 3));
            (number(self.kind, 10, aside, 6, levels), r)
        }

        fn by_differences(&self) -> (i32, i32) {
            let (unknown, drawn) = (255, 254);
            let draw = self.draw;
            let pairs = self.neighbours.into_iter().zip(self.guesses);
            let differences: Vec<i32> = pairs
                .map(|(cell, guess)| {
                    let difference = (128 + i32::from(cell) - i32::from(guess)).rem_euclid(256);
                    match cell {
                        UNKNOWN => unknown,
                        cell if cell == draw => drawn,
                        _ if guess == draw => unknown,
                        cell if (cell < draw) != (guess < draw) => unknown,
                        _ if difference >= drawn => unknown,
                        _ => difference,
                    }
                })
                .collect();
            let measured = differences.iter().copied().filter(|&d| d < drawn);
            let least = measured.min().unwrap_or(128);
            let guess = i32::from(self.aside);
            let r = match self.aside == draw {
                true => 0,
                false => (guess + least - 128).rem_euclid(256),
            };
            let known = self.neighbours.into_iter().filter(|&n| n != UNKNOWN);
            let h = known.min().map_or(r, i32::from);
            let aside = match self.aside == draw {
                true => 18,
                false => 3 * ((h - r).clamp(-2, 3) + 2) + (least - 128).clamp(-1, 1) + 1,
            };
            let levels: Vec<i32> = differences
                .iter()
                .map(|&difference| match difference {
                    255 => 4,
                    254 => 3,
                    difference => (difference - least).min(2),
                })
                .collect();
            let levels = levels.try_into().unwrap();
            (number(self.kind, 20, aside, 5, levels), r)
        }
    }

    #[test]
    fn contexts_of_a_lane_are_those_of_its_cells() {
        const KIND: [ContextKind; KINDS] = [
            ContextKind::Far,
            ContextKind::Net,
            ContextKind::Diagonal,
            ContextKind::Beside,
            ContextKind::InLane,
        ];
        let mut random = fastrand::Rng::with_seed(2);
        let mut seen = [const { Vec::new() }; 3];
        for turn in 0..3000 {
            // Few codes, so that neighbours are often equal; or all codes.
            let codes: u8 = [4, 20, 250][turn % 3];
            let draw = [codes / 2, 254, 0][turn / 3 % 3];
            let mut cell = |unknown: u8| match random.u8(..8) < unknown {
                true => UNKNOWN,
                false => random.u8(..codes),
            };
            let mut lanes = [[[0; 64]; 4]; 2];
            let mut aside = [0; 64];
            for i in 0..64 {
                for (lanes, unknown) in lanes.iter_mut().zip([2, 0]) {
                    for lane in lanes {
                        lane[i] = cell(unknown);
                    }
                }
                aside[i] = cell(0);
            }
            let kind = KIND[turn % KINDS];
            let [own, base] = lanes.each_ref().map(|lanes| lanes.each_ref());
            let mut made = [const { Contexts::new() }; 3];
            let mut before = aside;
            before[..16].fill(UNKNOWN);
            made[0].by_plane_before(kind, own, &before, draw);
            made[1].by_base(kind, own, &aside, draw);
            made[2].by_differences(kind, own, base, &aside, draw);
            for i in 0..64 {
                let one = |aside: u8| OneCell {
                    kind: kind as i32,
                    neighbours: own.map(|lane| lane[i]),
                    guesses: base.map(|lane| lane[i]),
                    aside,
                    draw,
                };
                let expected = [
                    one(before[i]).by_plane_before(),
                    one(aside[i]).by_base(),
                    one(aside[i]).by_differences(),
                ];
                for (way, (context, reference)) in expected.into_iter().enumerate() {
                    let Contexts {
                        contexts,
                        references,
                    } = &made[way];
                    let found = (i32::from(contexts[i]), i32::from(references[i]));
                    assert_eq!(found, (context, reference), "way {way}");
                    seen[way].push(context);
                }
            }
        }
        for seen in &mut seen {
            seen.sort_unstable();
            seen.dedup();
            assert!(seen.len() > 2000, "{} contexts", seen.len());
        }
    }
}
