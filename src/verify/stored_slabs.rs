//! The distances of a table's metric as they are stored, slab by slab.

use rayon::prelude::*;

use super::arrange::Cells;
use super::distances::{DistanceList, Lanes};
use super::grid::{Grid, NEVER};
use super::meaning::Meaning;
use crate::board::{Color, Square};
use crate::huge_pages::HugeArray;
use crate::index::{Bia, Component, Layout};
use crate::table::{Block, Code, Decoder, Metric, TableError, TableFile};

/// A metric of a table whose numbers have White's king outermost, so that each slab can be decoded
/// by itself.
pub struct StoredSlabs<'a> {
    /// The table.
    pub table: &'a TableFile,
    /// The metric.
    pub metric: Metric,
    /// The placings of its men.
    pub grid: Grid,
    own: SlabSection,
    /// What the codes that refer to the metric's base stand for.
    base: Option<SlabSection>,
    /// Whether the distances are in plies.
    pub plies: bool,
    /// Whether they fit bytes.
    narrow: bool,
    /// The configurations of a slab.
    pub configs: usize,
}

/// The codes of a slab's cells.
pub type Codes = HugeArray<u8>;

/// The cells of a section.
struct SlabSection {
    metric: Metric,
    layout: Layout,
    codes: Vec<Code>,
}

/// The distances of one side's wins, White to move, of one slab.
pub struct Slab {
    /// The number of its first configuration.
    pub first: usize,
    /// The distances.
    pub list: DistanceList,
}

impl Lanes for Slab {
    #[inline(always)]
    fn find(&self, number: usize) -> (&DistanceList, usize) {
        (&self.list, number - self.first)
    }
}

impl SlabSection {
    /// The cells of a metric's section, if they can be gone through slab by slab.
    fn of(table: &TableFile, metric: Metric) -> Option<SlabSection> {
        let header = table.section(metric)?.header();
        let info = &header.info;
        let layout = Layout::from_bytes(table.material(), info.symmetry, &info.order).ok()?;
        let fits = layout.order()[0] == Component::Anchor
            && layout.cells() == header.cells
            && info.side == Color::White
            && info.codes.len() <= usize::from(u8::MAX);
        fits.then(|| SlabSection {
            metric,
            layout,
            codes: info.codes.clone(),
        })
    }

    /// The cells of a slab that begins with this configuration.
    fn cells<'a>(
        &'a self,
        grid: &'a Grid,
        first: usize,
        codes: &'a [u8],
        meaning: Meaning,
    ) -> Cells<'a, u8> {
        Cells {
            grid,
            layout: &self.layout,
            first,
            codes,
            meaning,
        }
    }
}

impl StoredSlabs<'_> {
    /// The metric of a table, if it can be decoded slab by slab.
    pub fn of(table: &TableFile, metric: Metric) -> Option<StoredSlabs<'_>> {
        let material = table.material();
        if material.is_bare() && metric != Metric::Dtm {
            return None;
        }
        // A metric without a section is what its base says.
        let base = metric.base(material);
        let own = match table.section(metric) {
            Some(_) => metric,
            None => base?,
        };
        let own = SlabSection::of(table, own)?;
        let base = match base {
            Some(base) if own.codes.contains(&Code::Base) => Some(SlabSection::of(table, base)?),
            _ => None,
        };
        let symmetry = own.layout.symmetry();
        if base
            .as_ref()
            .is_some_and(|base| base.layout.symmetry() != symmetry)
        {
            return None;
        }
        let plies = metric.counts_plies(material);
        let codes = own.codes.iter().chain(base.iter().flat_map(|b| &b.codes));
        let largest = codes.filter_map(|code| code.win()).map(|(_, moves)| moves);
        let narrow = plies || DistanceList::is_narrow(largest.max().unwrap_or(0));
        let grid = Grid::new(material, symmetry);
        Some(StoredSlabs {
            table,
            metric,
            configs: grid.configs() / own.layout.domain().len(),
            grid,
            own,
            base,
            plies,
            narrow,
        })
    }

    /// The squares of White's king that the slabs have, in order.
    pub fn domain(&self) -> &[Square] {
        self.own.layout.domain()
    }

    /// The slab that has the images of the positions with White's king on a square.
    pub fn slab_of(&self, king: Square) -> usize {
        let layout = &self.own.layout;
        layout.anchor_digit(layout.to_domain(Bia::NONE, king).square(king))
    }

    /// An empty list for the distances of a slab.
    pub fn room(&self) -> DistanceList {
        DistanceList::room(self.configs, self.narrow)
    }

    /// Whether one side's wins are those of another metric of the table.
    ///
    /// # Errors
    ///
    /// If the table is damaged.
    pub fn has_distances_of(
        &self,
        other: &StoredSlabs<'_>,
        winner: Color,
    ) -> Result<bool, TableError> {
        let sources = |slabs: &StoredSlabs<'_>| {
            let base = slabs.base.as_ref();
            (slabs.own.metric, base.map(|base| base.metric), slabs.plies)
        };
        if sources(self) == sources(other) {
            return Ok(true);
        }
        let mut codes = Codes::default();
        let (mut own, mut others) = (self.room(), self.room());
        for slab in 0..self.domain().len() {
            own = self.read((winner, slab), own, &mut codes)?.list;
            others = other.read((winner, slab), others, &mut codes)?.list;
            if own != others {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The distances of a side's wins in a slab, White to move, read into a list that has room.
    ///
    /// # Errors
    ///
    /// If the table is damaged.
    pub fn read(
        &self,
        (winner, slab): (Color, usize),
        mut list: DistanceList,
        codes: &mut Codes,
    ) -> Result<Slab, TableError> {
        let (side, first) = (Color::White, slab * self.configs);
        // What is taken from the base is in moves.
        let own_in_moves = self.plies && self.own.metric != self.metric;
        let illegal = match winner {
            Color::White => 0,
            Color::Black => NEVER,
        };
        self.decode(&self.own, slab, codes)?;
        let meaning =
            |section: &SlabSection, in_moves| Meaning::of(&section.codes, side, winner, in_moves);
        let own = meaning(&self.own, own_in_moves);
        let cells = self.own.cells(&self.grid, first, codes, own);
        cells.arrange(side, illegal, &mut list);
        if let Some(base) = &self.base {
            self.decode(base, slab, codes)?;
            let cells = base.cells(&self.grid, first, codes, meaning(base, self.plies));
            cells.add_as_base(&mut list);
        }
        Ok(Slab { first, list })
    }

    /// Decodes the codes of a slab's cells.
    fn decode(
        &self,
        cells: &SlabSection,
        slab: usize,
        into: &mut HugeArray<u8>,
    ) -> Result<(), TableError> {
        let section = self
            .table
            .section(cells.metric)
            .ok_or_else(|| self.table.damaged("lacks a metric that it had"))?;
        let size = section.header().block_cells as usize;
        let slab_cells = self.configs * 64;
        let first = slab * slab_cells;
        if into.len() != slab_cells {
            *into = HugeArray::zeroed(slab_cells);
        }
        // The first piece ends with a block, so that the others are whole blocks.
        let head = (size - first % size) % size;
        let (head, rest) = into.split_at_mut(head.min(slab_cells));
        let mut pieces: Vec<(usize, &mut [u8])> = vec![(first, head)];
        let rest_at = first + pieces[0].1.len();
        let rest = rest.chunks_mut(size).enumerate();
        pieces.extend(rest.map(|(i, piece)| (rest_at + i * size, piece)));
        let room = || (Decoder::new(), Block::new(), vec![0; size]);
        pieces
            .into_par_iter()
            .filter(|(_, piece)| !piece.is_empty())
            .try_for_each_init(room, |(decoder, block, codes), (cell, piece)| {
                let (number, at) = section.block_of(cell as u64);
                section.read_block(number, decoder, block)?;
                let codes = &mut codes[..block.len()];
                block.copy_to(codes);
                for (byte, &code) in piece.iter_mut().zip(&codes[at..]) {
                    *byte = u8::try_from(code).unwrap_or(u8::MAX);
                }
                Ok(())
            })
    }
}
