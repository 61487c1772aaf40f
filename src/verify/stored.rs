//! Decodes the distances of a file into the verifier's order, all at once or one slab at a time.

use super::arrange::{Cells, Meaning};
use super::distances::{DistanceList, Lanes};
use super::grid::{Distance, Grid, NEVER, Wanted};
use crate::board::{Color, Square};
use crate::huge_pages::HugeArray;
use crate::index::{Bia, Component, Layout};
use crate::table::{Code, DecodedCells, Metric, TableError, TableFile};

/// The distances of one metric that a file stores, in the verifier's order.
pub struct StoredDistances {
    /// The verifier's numbering.
    pub grid: Grid,
    /// The side to move in all stored positions.
    pub side: Color,
    /// The distances of White's wins, then those of Black's wins.
    pub distances: [DistanceList; 2],
}

/// A section that has been decoded into memory.
struct StoredSection {
    layout: Layout,
    cells: DecodedCells,
    codes: Vec<Code>,
    side: Color,
}

impl StoredSection {
    /// Decodes the section of a metric: all of it, or the blocks with wanted configurations.
    fn read(
        table: &TableFile,
        metric: Metric,
        wanted: Option<&Wanted>,
    ) -> Result<StoredSection, TableError> {
        // A metric without a section equals its base.
        let section = table
            .section(metric)
            .or_else(|| {
                metric
                    .base(table.material())
                    .and_then(|base| table.section(base))
            })
            .ok_or_else(|| {
                table.damaged("it has no section for a metric that its material needs")
            })?;
        let info = &section.header().info;
        let material = table.material();
        let layout = Layout::from_bytes(material, info.symmetry, &info.order)
            .ok()
            .filter(|layout| layout.cells() == section.header().cells)
            .ok_or_else(|| table.damaged("its order of men does not fit its material"))?;
        let is_wanted = |cells| wanted.is_none_or(|wanted| wanted.is_in(&layout, cells));
        let cells = section.decode_some(&is_wanted, &|_| {})?;
        Ok(StoredSection {
            layout,
            cells,
            codes: info.codes.clone(),
            side: info.side,
        })
    }

    /// Writes the section's distances to a list, in the verifier's order.
    fn arrange(
        &self,
        lanes: (&Grid, Option<&Wanted>),
        meaning: Meaning,
        illegal: Distance,
        list: &mut DistanceList,
    ) {
        match &self.cells {
            DecodedCells::Bytes(codes) => {
                let cells = self.cells(lanes, codes, meaning);
                cells.arrange(self.side, illegal, list);
            }
            DecodedCells::Words(codes) => {
                let cells = self.cells(lanes, codes, meaning);
                cells.arrange(self.side, illegal, list);
            }
        }
    }

    /// Replaces the references to the base section in `list` with distances. `self` must be the
    /// base section.
    fn add_as_base(
        &self,
        lanes: (&Grid, Option<&Wanted>),
        meaning: Meaning,
        list: &mut DistanceList,
    ) {
        match &self.cells {
            DecodedCells::Bytes(codes) => self.cells(lanes, codes, meaning).add_as_base(list),
            DecodedCells::Words(codes) => self.cells(lanes, codes, meaning).add_as_base(list),
        }
    }

    fn cells<'a, C>(
        &'a self,
        (grid, wanted): (&'a Grid, Option<&'a Wanted>),
        codes: &'a [C],
        meaning: Meaning,
    ) -> Cells<'a, C> {
        Cells {
            grid,
            layout: &self.layout,
            first: 0,
            codes,
            meaning,
            wanted,
        }
    }
}

/// Decodes the distances of one metric into the verifier's order. Only the wins of `winners` are
/// decoded; the other side's list stays empty. If only some configurations are `wanted`, the
/// distances of the others are undefined.
pub fn stored(
    table: &TableFile,
    metric: Metric,
    winners: &[Color],
    wanted: Option<&Wanted>,
) -> Result<StoredDistances, TableError> {
    let own = StoredSection::read(table, metric, wanted)?;
    let base = match metric.base(table.material()) {
        Some(base) if own.codes.contains(&Code::Base) => {
            Some(StoredSection::read(table, base, wanted)?)
        }
        _ => None,
    };
    if base.as_ref().is_some_and(|base| base.side != own.side) {
        return Err(table.damaged("a section's base has the other side to move"));
    }
    let side = own.side;
    // The distances of a base section are always in moves.
    let plies = metric.counts_plies(table.material());
    let own_to_plies = plies && table.section(metric).is_none();
    let grid = Grid::new(table.material(), own.layout.symmetry());
    let codes = own.codes.iter().chain(base.iter().flat_map(|b| &b.codes));
    let largest = codes.filter_map(|code| code.win()).map(|(_, moves)| moves);
    let narrow = plies || DistanceList::is_narrow(largest.max().unwrap_or(0));
    let distances = Color::ALL.map(|winner| {
        if !winners.contains(&winner) {
            return DistanceList::default();
        }
        let illegal = if side == winner { 0 } else { NEVER };
        let meaning = |section: &StoredSection, to_plies: bool| {
            Meaning::of(&section.codes, side, winner, to_plies)
        };
        let mut list = DistanceList::zeroed(grid.configs(), narrow);
        let meaning_of_own = meaning(&own, own_to_plies);
        own.arrange((&grid, wanted), meaning_of_own, illegal, &mut list);
        if let Some(base) = &base {
            base.add_as_base((&grid, wanted), meaning(base, plies), &mut list);
        }
        list
    });
    Ok(StoredDistances {
        grid,
        side,
        distances,
    })
}

/// The distances of one metric, in a table whose slabs can be decoded separately. For this, the
/// outermost component must be White's king or, with bia, the placement of the bia. In this module,
/// all cells with the outermost component in one place are a slab.
pub struct StoredSlabs<'a> {
    /// The table.
    pub table: &'a TableFile,
    /// The metric.
    pub metric: Metric,
    /// The verifier's numbering.
    pub grid: Grid,
    own: SlabSection,
    /// The base section, to which some cells may refer.
    base: Option<SlabSection>,
    /// True if the distances are in plies.
    pub plies: bool,
    /// True if the distances fit into bytes.
    narrow: bool,
    /// The number of configurations in a slab.
    pub configs: usize,
}

/// A buffer for the codes of all cells in a slab.
pub type Codes = HugeArray<u8>;

/// A section and its order of cells.
struct SlabSection {
    metric: Metric,
    layout: Layout,
    codes: Vec<Code>,
}

/// The distances of one side's wins in one slab, with White to move.
pub struct Slab {
    /// The number of the slab's first configuration.
    pub first: usize,
    /// The distances of the slab.
    pub list: DistanceList,
}

impl Lanes for Slab {
    #[inline(always)]
    fn find(&self, number: usize) -> (&DistanceList, usize) {
        (&self.list, number - self.first)
    }
}

impl SlabSection {
    /// The section of a metric. `None` if the outermost component does not divide the section into
    /// slabs.
    fn of(table: &TableFile, metric: Metric) -> Option<SlabSection> {
        let header = table.section(metric)?.header();
        let info = &header.info;
        let layout = Layout::from_bytes(table.material(), info.symmetry, &info.order).ok()?;
        let outermost = match table.material().is_pawnless() {
            true => Component::Anchor,
            false => Component::Bia,
        };
        let fits = layout.order()[0] == outermost
            && layout.cells() == header.cells
            && info.side == Color::White
            && info.codes.len() <= usize::from(u8::MAX);
        fits.then(|| SlabSection {
            metric,
            layout,
            codes: info.codes.clone(),
        })
    }

    /// Describes the decoded cells of the slab that begins with configuration `first`.
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
            wanted: None,
        }
    }
}

impl StoredSlabs<'_> {
    /// Prepares to decode a metric of a table. `None` if it cannot be decoded slab by slab.
    pub fn of(table: &TableFile, metric: Metric) -> Option<StoredSlabs<'_>> {
        let material = table.material();
        if material.is_bare() && material.is_pawnless() && metric != Metric::Dtm {
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
            configs: grid.configs() / own.layout.radix(own.layout.order()[0]),
            grid,
            own,
            base,
            plies,
            narrow,
        })
    }

    /// True if the distances fit into bytes.
    pub fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// The number of slabs.
    pub fn slabs(&self) -> usize {
        self.own.layout.radix(self.own.layout.order()[0])
    }

    /// The number of the slab that contains positions with these bia and White's king on `king`, or
    /// their images under symmetry.
    pub fn slab_with(&self, bia: Bia, king: Square) -> usize {
        let placements = self.own.layout.bia_placements();
        match bia.is_empty() {
            true => self.slab_of(king),
            false => placements.number(bia).map_or(0, |(_, number)| number),
        }
    }

    /// The squares to which symmetry brings White's king. Without bia, in the order of the slabs.
    pub fn domain(&self) -> &[Square] {
        self.own.layout.domain()
    }

    /// In an ending without bia: the number of the slab with White's king on `king`, or on its
    /// image under symmetry.
    pub fn slab_of(&self, king: Square) -> usize {
        let layout = &self.own.layout;
        layout.anchor_digit(layout.to_domain(Bia::NONE, king).square(king))
    }

    /// Allocates a list of zeros for the distances of one slab.
    pub fn zeroed_list(&self) -> DistanceList {
        DistanceList::zeroed(self.configs, self.narrow)
    }

    /// True if one side's wins have the same distances as under another metric of the table
    /// (`other`).
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
        let (mut own, mut others) = (self.zeroed_list(), self.zeroed_list());
        for slab in 0..self.domain().len() {
            own = self.read((winner, slab), own, &mut codes)?.list;
            others = other.read((winner, slab), others, &mut codes)?.list;
            if own != others {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads the distances of one side's wins in a slab, with White to move, into `list`. `codes`
    /// is a buffer.
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
        // The distances of a base section are always in moves.
        let own_to_plies = self.plies && self.own.metric != self.metric;
        let illegal = match winner {
            Color::White => 0,
            Color::Black => NEVER,
        };
        self.decode(&self.own, slab, codes)?;
        let meaning =
            |section: &SlabSection, to_plies| Meaning::of(&section.codes, side, winner, to_plies);
        let own = meaning(&self.own, own_to_plies);
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
            .ok_or_else(|| self.table.damaged("it lacks a section that it had before"))?;
        let slab_cells = self.configs * 64;
        if into.len() != slab_cells {
            *into = HugeArray::zeroed(slab_cells);
        }
        section.decode_range((slab * slab_cells) as u64, into)
    }
}
