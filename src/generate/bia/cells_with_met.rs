//! Reads from a table the cells of all positions with a met on a given square, and converts their
//! distances to bit planes.

use rayon::prelude::*;

use crate::board::{Color, Role, Square, SquareSet};
use crate::generate::goal::Goal;
use crate::huge_pages::HugeArray;
use crate::index::{Bia, Component, Layout, Odometer};
use crate::parallel::ForkedByOneFunction;
use crate::solve::LaneLayout;
use crate::table::{Metric, TableError, TableFile};

/// A callback that receives one slab of a layout. Its arguments are the index of the layout in the
/// list given to [`CellsWithMet::read`], the index of the slab, and the slab's bit planes one after
/// another.
pub type TakeSlab<'a> = dyn Fn(usize, usize, &[u64]) + Sync + 'a;

/// Reads the cells of a section part by part. Depending on the section's order, a part has the
/// anchor on one square or the bia in one placement, or is the whole section.
pub struct CellsWithMet<'a> {
    table: &'a TableFile,
    metric: Metric,
    layout: Layout,
    /// For each code, the moves of White's win; 0 for all other results.
    moves: Vec<u8>,
    planes: usize,
    /// The decoded cells of the current part.
    part: HugeArray<u8>,
}

impl CellsWithMet<'_> {
    /// Prepares to read the table of an ending against a bare king. `goal` selects the distances:
    /// to mate, or to honor (mate in time under the count).
    ///
    /// # Errors
    ///
    /// If the table is corrupt, or contains wins of more than 255 moves.
    pub fn new(table: &TableFile, goal: Goal) -> Result<CellsWithMet<'_>, TableError> {
        let metric = match goal {
            Goal::Honor(rules) => Metric::Dth(rules),
            _ => Metric::Dtm,
        };
        let material = table.material();
        let section = table
            .section(metric)
            .or_else(|| table.section(metric.base(material)?))
            .ok_or_else(|| table.damaged("has no section for a metric that its material needs"))?;
        let info = &section.header().info;
        let layout = Layout::from_bytes(material, info.symmetry, &info.order)
            .ok()
            .filter(|layout| layout.cells() == section.header().cells)
            .ok_or_else(|| table.damaged("has an order of men that does not fit its material"))?;
        let moves = info.codes.iter().map(|code| match code.win() {
            Some((Color::White, moves)) => u8::try_from(moves).ok(),
            _ => Some(0),
        });
        let moves: Option<Vec<u8>> = moves.collect();
        let moves = moves.filter(|moves| moves.len() <= usize::from(u8::MAX));
        let moves = moves.ok_or_else(|| table.damaged("has wins of more than 255 moves"))?;
        let longest = moves.iter().max().copied().unwrap_or(0);
        Ok(CellsWithMet {
            table,
            metric: info.metric,
            layout,
            planes: (u8::BITS - longest.leading_zeros()) as usize,
            moves,
            part: HugeArray::default(),
        })
    }

    /// The number of bit planes that store the distances.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Reads the cells with the bia on these squares. For each layout, passes to `take`, slab by
    /// slab, the distances of the cells with a met on the layout's fixed square.
    ///
    /// # Errors
    ///
    /// If a block is corrupt.
    pub fn read(
        &mut self,
        bia: Bia,
        layouts: &[LaneLayout],
        take: &TakeSlab<'_>,
    ) -> Result<(), TableError> {
        let outermost = self.layout.order()[0];
        let parts = match outermost {
            Component::Anchor | Component::Bia => self.layout.radix(outermost),
            // With any other outermost component the whole section is one part.
            _ => 1,
        };
        let part_of = |king: Square| match outermost {
            Component::Anchor => {
                let image = self.layout.to_domain(bia, king).square(king);
                self.layout.anchor_digit(image)
            }
            Component::Bia => {
                let placements = self.layout.bia_placements();
                placements.number(bia).map_or(0, |(_, number)| number)
            }
            _ => 0,
        };
        let Some(kings) = layouts.first().map(LaneLayout::domain) else {
            return Ok(());
        };
        let of_kings: Vec<usize> = kings.iter().map(|&king| part_of(king)).collect();
        let cells = (self.layout.cells() / parts as u64) as usize;
        for part in (0..parts).filter(|part| of_kings.contains(part)) {
            if self.part.len() != cells {
                self.part = HugeArray::zeroed(cells);
            }
            let section = self.table.section(self.metric);
            let section = section.ok_or_else(|| {
                self.table
                    .damaged("no longer has a section that was read before")
            })?;
            let first = part * cells;
            section.decode_range(first as u64, &mut self.part)?;
            let slabs = (0..kings.len()).filter(|&slab| of_kings[slab] == part);
            let pairs: Vec<(usize, usize)> = slabs
                .flat_map(|slab| (0..layouts.len()).map(move |layout| (layout, slab)))
                .collect();
            pairs.into_par_iter().erased().for_each(|(number, slab)| {
                let words = self.slab(bia, &layouts[number], kings[slab], first);
                take(number, slab, &words);
            });
        }
        Ok(())
    }

    /// Returns the distances of one slab of the `target` layout, bit plane by bit plane. `king` is
    /// the square of the winner's king in the slab, and `first` is the index of the first decoded
    /// cell.
    fn slab(&self, bia: Bia, target: &LaneLayout, king: Square, first: usize) -> Vec<u64> {
        let layout = &self.layout;
        let winner = target.winner();
        let transform = layout.to_domain(bia, king);
        let back = transform.inverse();
        let anchor = layout.anchor_digit(transform.square(king)) as u64;
        let of_bia = layout.of_bia(bia).expect("bia of this ending");
        let mut base = anchor * layout.stride(Component::Anchor) + of_bia;
        // For each digit of the target's groups: the number that the digit adds to the index of a
        // cell. None if the digit puts a man on the fixed met's square.
        let mut adds: Vec<Vec<Option<u64>>> = Vec::new();
        let mets = target.fixed_mets();
        let kind_has_met = |color, role| (color, role) == (winner, Role::Met);
        let place = |color, role| {
            let mut groups = layout.groups().iter();
            groups.position(|g| (g.color, g.role) == (color, role))
        };
        let add = |group: usize, men: SquareSet| {
            let digit = layout.placements(group).number(transform.set(men)) as u64;
            digit * layout.stride(Component::Group(group))
        };
        let mut met_is_counted = false;
        for (number, group) in target.groups().iter().enumerate() {
            let own = place(group.color, group.role).expect("the same men");
            let joined = match kind_has_met(group.color, group.role) {
                true => mets,
                false => SquareSet::EMPTY,
            };
            met_is_counted |= !joined.is_empty();
            let of_digit = |men: SquareSet| {
                let is_free = (men & target.fixed()).is_empty();
                is_free.then(|| add(own, men | joined))
            };
            let table = target.placements(number).table().into_iter();
            adds.push(table.map(of_digit).collect());
        }
        if !met_is_counted {
            base += add(place(winner, Role::Met).expect("the new met"), mets);
        }
        let lanes = target.lanes() / target.domain().len();
        let mut words = vec![0; lanes * self.planes];
        if target.fixed().contains(king) {
            return words;
        }
        let stride = layout.stride(Component::Lane) as usize;
        let free = !target.fixed().0;
        let digits = Odometer::new(adds.iter().map(Vec::len));
        let mut odometer = digits.at(0);
        for lane in 0..lanes {
            let mut digits = odometer.digits().iter().zip(&adds);
            let sum = digits.try_fold(base, |sum, (&digit, adds)| Some(sum + adds[digit]?));
            if let Some(number) = sum {
                let cells = &self.part[number as usize - first..];
                let mut numbers = [0u8; 64];
                for (number, &code) in numbers.iter_mut().zip(cells.iter().step_by(stride)) {
                    *number = self.moves.get(usize::from(code)).copied().unwrap_or(0);
                }
                for plane in 0..self.planes {
                    let word = back.set(SquareSet(bits(&numbers, plane))).0;
                    words[plane * lanes + lane] = word & free;
                }
            }
            odometer.advance();
        }
        words
    }
}

/// Collects one bit of each of 64 numbers into a word.
#[inline(always)]
fn bits(numbers: &[u8; 64], bit: usize) -> u64 {
    let mut word = [0u8; 8];
    for (byte, eight) in word.iter_mut().zip(numbers.as_chunks::<8>().0) {
        let ones = u64::from_le_bytes(*eight) >> bit & 0x0101_0101_0101_0101;
        *byte = (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    }
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_each_number_makes_a_word() {
        let numbers: [u8; 64] = std::array::from_fn(|i| (i * 37 % 256) as u8);
        for bit in 0..8 {
            let word = bits(&numbers, bit);
            for (i, number) in numbers.iter().enumerate() {
                assert_eq!(word >> i & 1, u64::from(number >> bit & 1), "{i} {bit}");
            }
        }
    }
}
