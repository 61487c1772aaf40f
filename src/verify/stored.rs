//! The distances of a file, decoded into the verifier's own arrangement.

use super::distances::DistanceList;
use super::grid::{Config, Distance, Grid, NEVER};
use crate::board::{Color, Square};
use crate::index::Layout;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::{Code, DecodedCells, Metric, TableError, TableFile};

/// The distances that a file stores.
pub struct StoredDistances {
    /// The placings of its men.
    pub grid: Grid,
    /// The side to move.
    pub side: Color,
    /// The distances of White's wins and of Black's.
    pub distances: [DistanceList; 2],
}

/// A section of a file, decoded.
struct StoredSection {
    layout: Layout,
    cells: DecodedCells,
    codes: Vec<Code>,
    side: Color,
}

impl StoredSection {
    fn read(table: &TableFile, metric: Metric) -> Result<StoredSection, TableError> {
        // A metric without a section is what its base says.
        let section = table
            .section(metric)
            .or_else(|| {
                metric
                    .base(table.material())
                    .and_then(|base| table.section(base))
            })
            .ok_or_else(|| table.damaged("lacks a metric that its material has"))?;
        let info = &section.header().info;
        let material = table.material();
        let layout = Layout::from_bytes(material, info.symmetry, &info.order)
            .ok()
            .filter(|layout| layout.cells() == section.header().cells)
            .ok_or_else(|| table.damaged("has an order of men that is not its material's"))?;
        Ok(StoredSection {
            layout,
            cells: section.decode_all(&|_| {})?,
            codes: info.codes.clone(),
            side: info.side,
        })
    }

    /// The codes' places of a configuration, by the square of Black's king.
    fn lane(&self, grid: &Grid, config: &Config) -> impl Fn(Square) -> u16 {
        let (base, stride) = grid.cells(&self.layout, config);
        move |square| self.cells.get(base + square.index() * stride).unwrap_or(0)
    }
}

/// Decodes the distances of a file into the verifier's order: the wins of these sides, the other
/// list stays empty.
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
        return Err(table.damaged("has a section based on one of the other side to move"));
    }
    let side = own.side;
    // What is taken from the base is in moves.
    let plies = metric.counts_plies(table.material());
    let own_in_moves = plies && table.section(metric).is_none();
    let grid = Grid::new(table.material(), own.layout.symmetry());
    let codes = own.codes.iter().chain(base.iter().flat_map(|b| &b.codes));
    let largest = codes.filter_map(|code| code.win()).map(|(_, moves)| moves);
    let narrow = plies || DistanceList::is_narrow(largest.max().unwrap_or(0));
    let distances = Color::ALL.map(|winner| {
        if !winners.contains(&winner) {
            return DistanceList::default();
        }
        let illegal = if side == winner { 0 } else { NEVER };
        let own_meaning = Meaning::of(&own.codes, side, winner, own_in_moves);
        let base_meaning = base
            .as_ref()
            .map(|base| Meaning::of(&base.codes, side, winner, plies));
        let room = || grid.room();
        DistanceList::collect(grid.configs(), narrow, room, |config, number, lane| {
            *lane = [illegal; 64];
            if !grid.config(number, config) {
                return;
            }
            let codes = own.lane(&grid, config);
            let based = base.as_ref().map(|base| base.lane(&grid, config));
            let based = based.zip(base_meaning.as_ref());
            for square in grid.legal(config, side) {
                lane[square.index()] = match (own_meaning.get(codes(square)), &based) {
                    (None, Some((codes, meaning))) => meaning.get(codes(square)).unwrap_or(NEVER),
                    (distance, _) => distance.unwrap_or(NEVER),
                };
            }
        })
    });
    Ok(StoredDistances {
        grid,
        side,
        distances,
    })
}

/// What the codes of a section stand for: the distances of one side's wins.
pub struct Meaning {
    distances: Vec<Distance>,
    /// The place of [`Code::Base`], if it is among them.
    base: Option<u16>,
}

impl Meaning {
    /// What these codes stand for. `to_plies`: they are in moves, and the distances are to be in plies.
    pub fn of(codes: &[Code], side: Color, winner: Color, to_plies: bool) -> Meaning {
        let distance = |&code: &Code| distance(code, side, winner, to_plies);
        let base = codes.iter().position(|&code| code == Code::Base);
        Meaning {
            distances: codes.iter().map(distance).collect(),
            base: base.map(|base| base as u16),
        }
    }

    /// The distance of the code with this place; none if the section's base says it. A code that there
    /// is not is a draw.
    #[inline(always)]
    pub fn get(&self, place: u16) -> Option<Distance> {
        let distance = self.distances.get(usize::from(place)).copied();
        (self.base != Some(place)).then_some(distance.unwrap_or(NEVER))
    }
}

/// The distance of a winner's wins that a code with a side to move stands for. `to_plies`: the code is
/// in moves, and the distance is to be in plies.
fn distance(code: Code, side: Color, winner: Color, to_plies: bool) -> Distance {
    let moves = match code.win() {
        Some((wins, moves)) if wins == winner => moves,
        _ => return NEVER,
    };
    if !to_plies {
        return moves;
    }
    let plies = moves
        .saturating_mul(2)
        .saturating_sub(u16::from(winner == side));
    match u32::from(plies) <= FIFTY_MOVES_PLIES {
        true => plies,
        false => NEVER,
    }
}
