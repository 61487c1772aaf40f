//! The endings a capture leads to, for the verifier: all their distances, both sides to move.

use super::grid::{Distance, Grid, NEVER};
use crate::board::{Color, Role, Square, SquareSet, attacks};

/// What is left after the capture of a man of each kind.
#[derive(Debug, Default)]
pub struct Smaller {
    pub(super) endings: Vec<(Role, Color, Ending)>,
}

/// One smaller ending.
#[derive(Debug)]
pub enum Ending {
    /// The two kings alone.
    Kings,
    /// One with a table.
    Table(Box<Distances>),
}

/// All distances of an ending that were asked for.
#[derive(Debug)]
pub struct Distances {
    pub(super) grid: Grid,
    /// Whether its White is the larger ending's Black.
    pub(super) swapped: bool,
    /// By side to move and winner, each 0 for White; empty where not asked for.
    pub(super) lists: [[Vec<Distance>; 2]; 2],
}

impl Smaller {
    /// What is left after a man of this kind is captured.
    pub fn after(&self, role: Role, color: Color) -> &Ending {
        let found = self
            .endings
            .iter()
            .find(|(r, c, _)| (*r, *c) == (role, color));
        &found.expect("every man can be captured").2
    }
}

impl Ending {
    /// The distance with the kings here and the men of the larger ending's groups (whose captured
    /// man is already gone) there. `turn` and `winner` are in the larger ending's colours.
    pub fn distance(
        &self,
        turn: Color,
        winner: Color,
        white_king: Square,
        black_king: Square,
        grid: &Grid,
        men: &[SquareSet],
    ) -> Distance {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => {
                let legal = !attacks::king(white_king).contains(black_king);
                return if turn != winner || legal { NEVER } else { 0 };
            }
        };
        let seen = |square: Square| match table.swapped {
            true => square.flip_vertical(),
            false => square,
        };
        let color = |color: Color| if table.swapped { !color } else { color };
        let (king, lane) = match table.swapped {
            true => (seen(black_king), seen(white_king)),
            false => (white_king, black_king),
        };
        let mut own = [SquareSet::EMPTY; 8];
        let groups = table.grid.groups();
        for (own, group) in own.iter_mut().zip(groups) {
            let place = grid
                .groups()
                .iter()
                .position(|g| g.role == group.role && g.color == color(group.color))
                .expect("a smaller ending has no man that the larger has not");
            *own = men[place].map(seen).collect();
        }
        let (number, transform) = table.grid.number(king, &own[..groups.len()]);
        let list = &table.lists[color(turn).index()][color(winner).index()];
        list[number * 64 + transform.square(lane).index()]
    }
}
