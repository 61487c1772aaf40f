//! Rearranges a table's cells into the verifier's order, in which the 64 cells of a lane (one for
//! each square of Black's king) are adjacent, and translates the codes in them to distances.

use rayon::prelude::*;

use super::distances::{DistanceList, Element};
use super::grid::{Config, Distance, Grid, NEVER, Wanted};
use crate::board::Color;
use crate::index::{Component, Layout};
use crate::parallel::ForkedByOneFunction;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::Code;

/// The number of lanes that are assembled together: as many as a cache line has bytes.
const TILE: usize = 64;

/// The largest number of lanes in a run: see [`Cells::for_each_in_piece`]. A parallel task
/// processes one piece.
const TASK_CONFIGS: usize = 64;

/// The code of a cell: an index into its section's list of codes.
pub trait CellCode: Copy + Default + Into<usize> + Sync {}

impl CellCode for u8 {}
impl CellCode for u16 {}

/// A range of a section's cells, with the meaning of their codes.
pub struct Cells<'a, C> {
    /// The verifier's numbering of configurations (all men but Black's king).
    pub grid: &'a Grid,
    /// The order of the section's cells.
    pub layout: &'a Layout,
    /// The number of the first configuration in the range.
    pub first: usize,
    /// The codes of the cells in the range.
    pub codes: &'a [C],
    /// The distance for each code.
    pub meaning: Meaning,
    /// The configurations to arrange, if not all. The lanes of the others stay as they are.
    pub wanted: Option<&'a Wanted>,
}

impl<C: CellCode> Cells<'_, C> {
    /// Writes the distances of the cells to `list`, in the verifier's order. Positions that are
    /// illegal with `turn` to move get `illegal`. Unknown codes are read as draws. Cells that refer
    /// to the base section get a mark that [`Cells::add_as_base`] replaces.
    pub fn arrange(&self, turn: Color, illegal: Distance, list: &mut DistanceList) {
        match list {
            DistanceList::Bytes(bytes) => self.arrange_elements(turn, illegal, bytes),
            DistanceList::Words(words) => self.arrange_elements(turn, illegal, words),
        }
    }

    /// Replaces each reference to the base section in `list` with the distance in these cells.
    /// `self` must contain the cells of the base section.
    pub fn add_as_base(&self, list: &mut DistanceList) {
        match list {
            DistanceList::Bytes(bytes) => self.add_elements(bytes),
            DistanceList::Words(words) => self.add_elements(words),
        }
    }

    fn arrange_elements<E: Element>(&self, turn: Color, illegal: Distance, list: &mut [E]) {
        let distances: Vec<E> = self.meaning.elements();
        let illegal = E::of(illegal);
        self.for_each_lane(list, |config, codes, lane| {
            let Some(config) = config else {
                *lane = [illegal; 64];
                return;
            };
            *lane = codes.map(|code| distances.get(code.into()).copied().unwrap_or(E::NEVER));
            for square in !self.grid.legal(config, turn) {
                lane[square.index()] = illegal;
            }
        });
    }

    fn add_elements<E: Element>(&self, list: &mut [E]) {
        let distances: Vec<E> = self.meaning.elements();
        self.for_each_lane(list, |_, codes, lane| {
            for (distance, &code) in lane.iter_mut().zip(codes) {
                if *distance != E::FROM_BASE {
                    continue;
                }
                let found = distances.get(code.into()).copied();
                // A base section never refers to another base.
                let found = found.filter(|&found| found != E::FROM_BASE);
                *distance = found.unwrap_or(E::NEVER);
            }
        });
    }

    /// Calls `put` for each wanted lane of `list`, with the lane's configuration, the codes of its
    /// 64 cells and the lane itself. The configuration is `None` if two men share a square.
    ///
    /// If the layout's innermost component is not the lane, the codes of a lane are far apart, and
    /// adjacent codes belong to different lanes. Therefore 64 lanes are assembled at a time, from
    /// whole cache lines.
    fn for_each_lane<E: Element>(
        &self,
        list: &mut [E],
        put: impl Fn(Option<&Config>, &[C; 64], &mut [E; 64]) + Sync,
    ) {
        let innermost = self.layout.order().last().copied();
        let (step, radix) = match innermost {
            None | Some(Component::Lane) => (list.len() / 64, 1),
            Some(component) => (self.grid.stride(component), self.layout.radix(component)),
        };
        let blocks = list.par_chunks_mut(radix * step * 64).enumerate().erased();
        blocks.for_each(|(block, list)| {
            // For each digit of the innermost component, the lanes with that digit, cut into runs
            // of `TASK_CONFIGS` lanes.
            let mut rows: Vec<_> = list
                .chunks_mut(step * 64)
                .map(|row| row.chunks_mut(TASK_CONFIGS * 64))
                .collect();
            let pieces: Vec<(usize, Vec<&mut [E]>)> = (0..step)
                .step_by(TASK_CONFIGS)
                .map(|at| (at, rows.iter_mut().filter_map(Iterator::next).collect()))
                .collect();
            let first = self.first + block * radix * step;
            let scratch = || self.grid.scratch();
            pieces
                .into_par_iter()
                .erased()
                .for_each_init(scratch, |config, (at, rows)| {
                    self.for_each_in_piece((first + at, step), config, rows, &put);
                });
        });
    }

    /// Calls `put` for each wanted lane of a piece. A piece consists of one run of lanes for each
    /// digit of the innermost component. The first run begins with lane `first`, and each further
    /// run begins `step` lanes after the beginning of the previous one.
    fn for_each_in_piece<E: Element>(
        &self,
        (first, step): (usize, usize),
        config: &mut Config,
        mut rows: Vec<&mut [E]>,
        put: impl Fn(Option<&Config>, &[C; 64], &mut [E; 64]),
    ) {
        let mut tile = [[C::default(); 64]; TILE];
        let innermost = self.layout.order().last();
        let is_innermost = |all: &&Wanted| innermost == Some(&Component::Group(all.group));
        let by_row = self.wanted.filter(is_innermost);
        let by_piece = self.wanted.filter(|all| !is_innermost(all));
        for at in 0..rows[0].len() / 64 {
            self.grid.config(first + at, config);
            if by_piece.is_some_and(|all| !all.contains(config)) {
                continue;
            }
            let (base, stride) = self.grid.cells(self.layout, config);
            let base = base - self.first * 64;
            for (digits, rows) in rows.chunks_mut(TILE).enumerate() {
                let digit = digits * TILE;
                if let Some(wanted) = by_row {
                    for (i, row) in rows.iter_mut().enumerate() {
                        if wanted.has_placement(self.layout, digit + i) {
                            let code = |square| self.codes[base + square * stride + digit + i];
                            let codes = std::array::from_fn(code);
                            let number = first + at + (digit + i) * step;
                            let apart = self.grid.config(number, config);
                            let lane = row[at * 64..].first_chunk_mut().expect("64 distances");
                            put(apart.then_some(&*config), &codes, lane);
                        }
                    }
                    continue;
                }
                for square in 0..64 {
                    let line = &self.codes[base + square * stride + digit..][..rows.len()];
                    for (codes, &code) in tile.iter_mut().zip(line) {
                        codes[square] = code;
                    }
                }
                for (i, (row, codes)) in rows.iter_mut().zip(&tile).enumerate() {
                    let apart = self.grid.config(first + at + (digit + i) * step, config);
                    let lane = row[at * 64..].first_chunk_mut().expect("64 distances");
                    put(apart.then_some(&*config), codes, lane);
                }
            }
        }
    }
}

/// The distance of one side's win for each code of a section.
pub struct Meaning {
    /// The distances, indexed by code; [`NEVER`] if the code is not a win of that side.
    distances: Vec<Distance>,
    /// The index of [`Code::Base`] among the codes. `None` if the section does not refer to a base.
    base: Option<usize>,
}

impl Meaning {
    /// The distances of `winner`'s wins for these codes, with `side` to move. If `to_plies` is
    /// true, moves are converted to plies.
    pub fn of(codes: &[Code], side: Color, winner: Color, to_plies: bool) -> Meaning {
        let distance = |&code: &Code| distance(code, side, winner, to_plies);
        let base = codes.iter().position(|&code| code == Code::Base);
        Meaning {
            distances: codes.iter().map(distance).collect(),
            base,
        }
    }

    /// The distances as elements of a list, indexed by code.
    pub fn elements<E: Element>(&self) -> Vec<E> {
        let mut elements: Vec<E> = self.distances.iter().map(|&d| E::of(d)).collect();
        if let Some(base) = self.base {
            elements[base] = E::FROM_BASE;
        }
        elements
    }
}

/// The distance of `winner`'s win for a code, with `side` to move; [`NEVER`] if the code is not a
/// win of that side. If `to_plies` is true, moves are converted to plies, and a win beyond the
/// limit of the fifty-move rule becomes [`NEVER`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use crate::index::Symmetry;
    use crate::material::CanonicalMaterial;
    use crate::random::Numbers;

    /// All permutations of the components.
    fn orders(components: &[Component]) -> Vec<Vec<Component>> {
        if components.is_empty() {
            return vec![Vec::new()];
        }
        let first = |&first: &Component| {
            let rest: Vec<_> = components.iter().copied().filter(|&c| c != first).collect();
            let mut orders = orders(&rest);
            orders.iter_mut().for_each(|order| order.insert(0, first));
            orders
        };
        components.iter().flat_map(first).collect()
    }

    /// Visits the lanes of a list, and compares the codes of each lane with the cells of its
    /// positions.
    fn assert_lanes(
        (grid, wanted): (&Grid, Option<&Wanted>),
        layout: &Layout,
        codes: &[u8],
        first: usize,
    ) {
        let cells = Cells {
            grid,
            layout,
            first,
            codes,
            meaning: Meaning::of(&[], Color::White, Color::White, false),
            wanted,
        };
        let mut list = vec![0u8; codes.len()];
        cells.for_each_lane(&mut list, |config, codes, lane| {
            lane[0] += 1;
            let Some(config) = config else {
                return;
            };
            let (base, stride) = grid.cells(layout, config);
            let cell = |square| cells.codes[base + square * stride - first * 64];
            assert_eq!(*codes, std::array::from_fn(cell), "{:?}", layout.order());
            lane[1] = 1;
        });
        let mut config = grid.scratch();
        for (at, lane) in list.as_chunks::<64>().0.iter().enumerate() {
            let apart = grid.config(first + at, &mut config);
            let expected = match wanted.is_none_or(|wanted| wanted.contains(&config)) {
                true => [1, apart.into()],
                false => [0, 0],
            };
            assert_eq!(lane[..2], expected, "{:?}", layout.order());
        }
    }

    /// Compares the blocks that have wanted cells with the cells of the wanted configurations.
    fn assert_blocks(grid: &Grid, layout: &Layout, wanted: &Wanted) {
        const BLOCK: u64 = 96;
        let mut has_wanted = vec![false; layout.cells().div_ceil(BLOCK) as usize];
        let mut config = grid.scratch();
        for number in 0..grid.configs() {
            grid.config(number, &mut config);
            if wanted.contains(&config) {
                let (base, stride) = grid.cells(layout, &config);
                for square in 0..64 {
                    has_wanted[(base + square * stride) / BLOCK as usize] = true;
                }
            }
        }
        for (block, has_wanted) in (0..).zip(has_wanted) {
            let cells = block * BLOCK..((block + 1) * BLOCK).min(layout.cells());
            let order = layout.order();
            assert_eq!(wanted.is_in(layout, cells), has_wanted, "{order:?} {block}");
        }
    }

    #[test]
    fn lanes_are_assembled_from_any_order_of_the_cells() {
        let mut random = Numbers::new(3);
        for name in ["KRvK", "KSvK", "KMMvK", "KRvKM"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let symmetry = Layout::symmetry_of(material);
            let grid = Grid::new(material, symmetry);
            let mut components = vec![Component::Anchor, Component::Lane];
            components.extend((0..grid.groups().len()).map(Component::Group));
            let codes: Vec<u8> = (0..grid.configs() * 64)
                .map(|_| random.below(256) as u8)
                .collect();
            for order in orders(&components) {
                let layout = Layout::new(material, symmetry, &order).unwrap();
                assert_lanes((&grid, None), &layout, &codes, 0);
                for group in 0..grid.groups().len() {
                    let squares = Game::Asean.promotion_squares(Color::White);
                    let wanted = Wanted { group, squares };
                    assert_lanes((&grid, Some(&wanted)), &layout, &codes, 0);
                    assert_blocks(&grid, &layout, &wanted);
                }
                if symmetry == Symmetry::Mirror && order[0] == Component::Anchor {
                    // The codes of one slab only.
                    let configs = grid.configs_of_king();
                    let slab = &codes[..configs * 64];
                    assert_lanes((&grid, None), &layout, slab, 3 * configs);
                }
            }
        }
    }
}
