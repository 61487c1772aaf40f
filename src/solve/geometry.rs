//! Geometry: data for the steps of a solve, computed in advance from a layout.

use super::graph::{Graph, open_moves};
use super::lane_layout::LaneLayout;
use crate::board::{Role, Square, SquareSet, attacks};
use crate::index::{Group, Transform};

/// The number of zero lanes added before and after a row, so that reading a shifted row stays
/// inside the buffer.
pub const MARGIN: usize = 24;

/// A step of the innermost man, made in all lanes of a row at once.
#[derive(Debug)]
pub struct Shift {
    /// The index of the lane after the step minus the index of the lane before it.
    pub offset: isize,
    /// For each lane of a row: all ones if the man can make this step, otherwise zero.
    pub mask: [u64; 64],
}

/// The moves of the innermost group, which stay within a row.
#[derive(Debug)]
pub enum Inner {
    /// The group is a single leaper. Each of its steps shifts the row.
    Shifts(Vec<Shift>),
    /// The group has several men, or a slider. Its moves are followed lane by lane, as listed in
    /// its graph.
    Edges,
    /// There is no group, so nothing moves inside a row.
    Still,
}

/// A move of a man of the innermost group, listed by its target square.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The lane before the move.
    pub lane: u32,
    /// The placement after the move.
    pub to: u32,
    /// The squares that the man passes over.
    pub between: u64,
}

/// A square of the winner's king one step outside the domain (the squares to which symmetry maps
/// the king). The ghost's lanes are images of lanes with the king in the domain.
#[derive(Debug)]
pub struct Ghost {
    /// The slab of the domain whose image is this ghost.
    pub source: usize,
    /// The transform that maps a lane's bits from the domain to this ghost.
    pub back: Transform,
    /// For each group, the image in the domain of each of its placements.
    pub images: Vec<Vec<u32>>,
    /// For each group, the group to which the images of its placements belong. In a colour slice,
    /// this can be another group if the transform exchanges light and dark squares.
    pub partners: Vec<usize>,
}

/// The location of a row.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The index of the slab (all lanes with the winner's king on one square). It is also the
    /// king's digit in a position's index.
    pub slab: usize,
    /// The row's index in its slab.
    pub slab_row: usize,
    /// The row's index among all rows.
    pub row: usize,
    /// The digits (placement indices) of the outer groups.
    pub digits: &'a [usize],
    /// The squares of the winner's king, the outer groups and the fixed men.
    pub occupied: u64,
}

/// A layout with the data computed from it.
#[derive(Debug)]
pub struct Geometry {
    /// The layout of the lanes.
    pub layout: LaneLayout,
    /// The graph of the placements of each group, the outermost group first.
    pub graphs: Vec<Graph>,
    /// For each outer group, the stride of its digit (placement index), in rows.
    pub row_strides: Vec<usize>,
    /// The number of lanes in a row.
    pub row_lanes: usize,
    /// The number of rows in a slab (all lanes with the winner's king on one square).
    pub slab_rows: usize,
    /// The number of rows in a task: see [`LaneLayout::chunk_rows`].
    pub chunk_rows: usize,
    /// The squares of the innermost group in each lane of a row.
    pub inner_squares: Vec<u64>,
    /// For each square, the lanes of a row with a man of the innermost group on that square.
    pub lanes_on: Vec<Vec<u32>>,
    /// For each square, the captures on it by men of the innermost group. Empty against a bare
    /// king.
    pub arrivals: Vec<Vec<Arrival>>,
    /// The moves of the innermost group.
    pub inner: Inner,
    /// For each slab of the domain, the slabs that a step of the winner's king leads to. The
    /// ghosts' indices follow those of the domain's slabs.
    pub king_moves: Vec<Vec<usize>>,
    /// As `king_moves`, but with the target square of each step.
    pub king_targets: Vec<Vec<(u8, usize)>>,
    /// The slabs outside the domain. A layout after a capture has no ghosts, because its men do not
    /// move.
    pub ghosts: Vec<Ghost>,
    /// The squares that the winner's fixed men attack, and the squares that the loser's fixed men
    /// attack.
    pub fixed_attacks: [SquareSet; 2],
}

impl Geometry {
    /// Precomputes the geometry of a layout.
    pub fn new(layout: LaneLayout) -> Geometry {
        let graphs: Vec<Graph> = layout.groups().iter().map(|&g| Graph::new(g)).collect();
        let outer = graphs.len().saturating_sub(1);
        let mut row_strides = vec![1; outer];
        for group in (1..outer).rev() {
            row_strides[group - 1] = row_strides[group] * graphs[group].len();
        }
        let slab_rows = layout.slab_rows();
        let inner_squares: Vec<u64> = match graphs.last() {
            Some(graph) => (0..graph.len()).map(|p| graph.squares(p).0).collect(),
            None => vec![0],
        };
        let lanes_on = Square::all()
            .map(|square| {
                let lanes = 0..inner_squares.len() as u32;
                lanes
                    .filter(|&lane| inner_squares[lane as usize] >> square.index() & 1 != 0)
                    .collect()
            })
            .collect();
        let ghost_squares = layout.ghosts();
        let slab_of = |square: Square| {
            let inside = layout.domain().iter().position(|&s| s == square);
            inside.unwrap_or_else(|| {
                let ghost = ghost_squares.iter().position(|&(s, _)| s == square);
                layout.domain().len()
                    + ghost.expect("a king's step from the domain ends in the domain or on a square next to it")
            })
        };
        let king_targets: Vec<Vec<(u8, usize)>> = layout
            .domain()
            .iter()
            .map(|&king| {
                let targets = attacks::king(king);
                targets.map(|s| (s.index() as u8, slab_of(s))).collect()
            })
            .collect();
        let king_moves = king_targets
            .iter()
            .map(|targets| targets.iter().map(|&(_, slab)| slab).collect())
            .collect();
        let ghosts = ghost_squares
            .iter()
            .filter(|_| !layout.is_remainder())
            .map(|&(square, transform)| {
                let partners: Vec<usize> = (0..graphs.len())
                    .map(|g| layout.partner(g, transform))
                    .collect();
                Ghost {
                    source: slab_of(transform.square(square)),
                    back: transform.inverse(),
                    images: (0..graphs.len())
                        .map(|g| images(&graphs[g], &layout, partners[g], transform))
                        .collect(),
                    partners,
                }
            })
            .collect();
        Geometry {
            inner: inner(&layout),
            arrivals: match graphs.last() {
                Some(graph) if !layout.is_bare() => arrivals(graph),
                _ => Vec::new(),
            },
            chunk_rows: layout.chunk_rows(),
            row_lanes: layout.row_lanes(),
            slab_rows,
            graphs,
            row_strides,
            inner_squares,
            lanes_on,
            king_moves,
            king_targets,
            ghosts,
            fixed_attacks: fixed_attacks(&layout),
            layout,
        }
    }

    /// Estimates the size of a layout's geometry, in bytes.
    pub fn bytes(layout: &LaneLayout) -> u64 {
        let groups = layout.groups();
        let ghosts = layout.ghosts().len();
        let group_bytes = |(place, group): (usize, &Group)| {
            let placements = layout.placements(place).len();
            // The arrivals of a single man are few enough to ignore.
            let innermost = place + 1 == groups.len() && group.count > 1;
            let arrivals = if innermost && !layout.is_bare() {
                group.count * open_moves(group.role, group.color) * size_of::<Arrival>()
            } else {
                0
            };
            let images = ghosts * size_of::<u32>();
            Graph::bytes(group) + (placements * (arrivals + images)) as u64
        };
        groups.iter().enumerate().map(group_bytes).sum()
    }

    /// The number of slabs in the domain.
    pub fn slabs(&self) -> usize {
        self.layout.domain().len()
    }

    /// Writes the digits (placement indices) of the outer groups in a row of a slab to `digits`.
    #[inline(always)]
    pub fn digits(&self, slab_row: usize, digits: &mut [usize]) {
        let mut rest = slab_row;
        for (digit, &stride) in digits.iter_mut().zip(&self.row_strides) {
            *digit = rest / stride;
            rest %= stride;
        }
    }

    /// Locates a row, and writes the digits (placement indices) of its outer groups to `digits`.
    /// Returns `None` if two men share a square.
    #[inline(always)]
    pub fn place<'a>(
        &self,
        slab: usize,
        slab_row: usize,
        digits: &'a mut [usize],
    ) -> Option<Place<'a>> {
        self.digits(slab_row, digits);
        let occupied = self.occupied(slab, digits)?.0;
        Some(Place {
            slab,
            slab_row,
            row: slab * self.slab_rows + slab_row,
            digits,
            occupied,
        })
    }

    /// The squares of the winner's king, the outer groups and the fixed men. `None` if two men
    /// share a square.
    #[inline(always)]
    pub fn occupied(&self, slab: usize, digits: &[usize]) -> Option<SquareSet> {
        let (king, fixed) = (self.layout.domain()[slab].set(), self.layout.fixed());
        if !(king & fixed).is_empty() {
            return None;
        }
        let mut occupied = king | fixed;
        for (&digit, graph) in digits.iter().zip(&self.graphs) {
            let men = graph.squares(digit);
            if !(occupied & men).is_empty() {
                return None;
            }
            occupied |= men;
        }
        Some(occupied)
    }
}

/// The squares that the winner's fixed men attack, and the squares that the loser's fixed men
/// attack.
pub fn fixed_attacks(layout: &LaneLayout) -> [SquareSet; 2] {
    let winner = layout.winner();
    let attacks = |from| attacks::attacks(Role::Met, winner, from, SquareSet::EMPTY);
    let of_mets: SquareSet = layout.fixed_mets().flat_map(attacks).collect();
    [
        layout.bia().attacked(winner) | of_mets,
        layout.bia().attacked(!winner),
    ]
}

/// The moves of the innermost group of a layout.
fn inner(layout: &LaneLayout) -> Inner {
    let Some(group) = layout.groups().last() else {
        return Inner::Still;
    };
    if group.role == Role::Rook || group.count > 1 || group.domain != SquareSet::ALL {
        return Inner::Edges;
    }
    let shift = |&(files, ranks): &(i8, i8)| {
        let mut mask = [0; 64];
        for square in Square::all() {
            if square.offset(files, ranks).is_some() {
                mask[square.index()] = !0;
            }
        }
        let offset = isize::from(ranks) * 8 + isize::from(files);
        debug_assert!(offset.unsigned_abs() <= MARGIN);
        Shift { offset, mask }
    };
    let steps = attacks::steps(group.role, group.color);
    Inner::Shifts(steps.iter().map(shift).collect())
}

/// For each square, the moves to it by men of a group.
fn arrivals(graph: &Graph) -> Vec<Vec<Arrival>> {
    let mut arrivals = vec![Vec::new(); 64];
    for lane in 0..graph.len() {
        for ray in graph.rays(lane) {
            let mut between = 0;
            for step in ray {
                arrivals[step.square as usize].push(Arrival {
                    lane: lane as u32,
                    to: step.to,
                    between,
                });
                between |= 1 << step.square;
            }
        }
    }
    arrivals
}

/// The index of each placement's image among the placements of `group`.
fn images(graph: &Graph, layout: &LaneLayout, group: usize, transform: Transform) -> Vec<u32> {
    (0..graph.len())
        .map(|p| {
            layout
                .placements(group)
                .number(transform.set(graph.squares(p))) as u32
        })
        .collect()
}
