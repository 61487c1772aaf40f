//! The stored distances of a table's metric, slab by slab.

use rayon::prelude::*;

use super::arrange::Cells;
use super::distances::{DistanceList, Lanes};
use super::grid::{Grid, NEVER};
use super::meaning::Meaning;
use crate::board::{Color, Square};
use crate::huge_pages::HugeArray;
use crate::index::{Bia, Component, Layout};
use crate::table::{Block, Code, Decoder, Metric, TableError, TableFile};

/// A table's metric with White's king outermost, so that each slab can be decoded separately.
pub struct StoredSlabs<'a> {
    /// The table.
    pub table: &'a TableFile,
    /// The metric.
    pub metric: Metric,
    /// The verifier's numbering.
    pub grid: Grid,
    own: SlabSection,
    /// The base section, for codes that refer to it.
    base: Option<SlabSection>,
    /// Whether the distances are in plies.
    pub plies: bool,
    /// Whether they fit into bytes.
    narrow: bool,
    /// Configurations of a slab.
    pub configs: usize,
}

/// The codes of a slab's cells.
pub type Codes = HugeArray<u8>;

/// A section and its numbering.
struct SlabSection {
    metric: Metric,
    layout: Layout,
    codes: Vec<Code>,
}

/// The distances of one side's wins in a slab, White to move.
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
    /// The section of a metric, if its order has slabs.
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

    /// The cells of the slab that begins with configuration `first`.
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
    /// A table's metric, if it can be decoded slab by slab.
    pub fn of(table: &TableFile, metric: Metric) -> Option<StoredSlabs<'_>> {
        let material = table.material();
        if material.is_bare() && metric != Metric::Dtm {
            return None;
        }
        // A metric without a section equals its base.
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

    /// The squares of White's king, in the order of slabs.
    pub fn domain(&self) -> &[Square] {
        self.own.layout.domain()
    }

    /// The slab with the images of the positions with White's king on a square.
    pub fn slab_of(&self, king: Square) -> usize {
        let layout = &self.own.layout;
        layout.anchor_digit(layout.to_domain(Bia::NONE, king).square(king))
    }

    /// An empty list for the distances of a slab.
    pub fn room(&self) -> DistanceList {
        DistanceList::room(self.configs, self.narrow)
    }

    /// True if one side's wins equal those of another metric of the table.
    ///
    /// # Errors
    ///
    /// If the table is corrupt.
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

    /// Reads the distances of a side's wins in a slab, White to move, into a list.
    ///
    /// # Errors
    ///
    /// If the table is corrupt.
    pub fn read(
        &self,
        (winner, slab): (Color, usize),
        mut list: DistanceList,
        codes: &mut Codes,
    ) -> Result<Slab, TableError> {
        let (side, first) = (Color::White, slab * self.configs);
        // Distances from the base are in moves.
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
