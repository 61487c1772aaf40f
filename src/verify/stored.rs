//! Decodes the distances of a file into the verifier's order.

use super::arrange::Cells;
use super::distances::DistanceList;
use super::grid::{Distance, Grid, NEVER};
use super::meaning::Meaning;
use crate::board::Color;
use crate::index::Layout;
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
    /// Decodes the section of a metric.
    fn read(table: &TableFile, metric: Metric) -> Result<StoredSection, TableError> {
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
        Ok(StoredSection {
            layout,
            cells: section.decode_all(&|_| {})?,
            codes: info.codes.clone(),
            side: info.side,
        })
    }

    /// Writes the section's distances to a list, in the verifier's order.
    fn arrange(&self, grid: &Grid, meaning: Meaning, illegal: Distance, list: &mut DistanceList) {
        match &self.cells {
            DecodedCells::Bytes(codes) => {
                let cells = self.cells(grid, codes, meaning);
                cells.arrange(self.side, illegal, list);
            }
            DecodedCells::Words(codes) => {
                let cells = self.cells(grid, codes, meaning);
                cells.arrange(self.side, illegal, list);
            }
        }
    }

    /// Replaces the references to the base section in `list` with distances. `self` must be the
    /// base section.
    fn add_as_base(&self, grid: &Grid, meaning: Meaning, list: &mut DistanceList) {
        match &self.cells {
            DecodedCells::Bytes(codes) => self.cells(grid, codes, meaning).add_as_base(list),
            DecodedCells::Words(codes) => self.cells(grid, codes, meaning).add_as_base(list),
        }
    }

    fn cells<'a, C>(&'a self, grid: &'a Grid, codes: &'a [C], meaning: Meaning) -> Cells<'a, C> {
        Cells {
            grid,
            layout: &self.layout,
            first: 0,
            codes,
            meaning,
        }
    }
}

/// Decodes the distances of one metric into the verifier's order. Only the wins of `winners` are
/// decoded; the other side's list stays empty.
pub fn stored(
    table: &TableFile,
    metric: Metric,
    winners: &[Color],
) -> Result<StoredDistances, TableError> {
    let own = StoredSection::read(table, metric)?;
    let base = match metric.base(table.material()) {
        Some(base) if own.codes.contains(&Code::Base) => Some(StoredSection::read(table, base)?),
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
        own.arrange(&grid, meaning(&own, own_to_plies), illegal, &mut list);
        if let Some(base) = &base {
            base.add_as_base(&grid, meaning(base, plies), &mut list);
        }
        list
    });
    Ok(StoredDistances {
        grid,
        side,
        distances,
    })
}
