//! The endings a capture leads to, for the verifier: all their distances, both sides to move.

use super::distances::{DistanceList, Lanes};
use super::grid::{Distance, Grid, NEVER};
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::Transform;

/// What is left after the capture of a man of each kind.
#[derive(Debug, Default)]
pub struct Smaller {
    pub(super) endings: Vec<(Role, Color, Ending)>,
    /// Whether the larger ending's distances are in plies. Those here are then 1 with the winner to
    /// move and 0 with the loser where the win stands.
    pub(super) plies: bool,
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
    pub(super) lists: [[DistanceList; 2]; 2],
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

impl Distances {
    /// The men of the larger ending's groups, whose captured man is already gone, as this
    /// ending's own groups.
    fn own_men(&self, grid: &Grid, men: &[SquareSet]) -> [SquareSet; 8] {
        let mut own = [SquareSet::EMPTY; 8];
        for (own, group) in own.iter_mut().zip(self.grid.groups()) {
            let color = self.color(group.color);
            let mut groups = grid.groups().iter();
            let place = groups
                .position(|g| g.role == group.role && g.color == color)
                .expect("a smaller ending has no man that the larger has not");
            *own = men[place].map(|square| self.seen(square)).collect();
        }
        own
    }

    /// A colour of the larger ending as this one has it, and the other way round.
    fn color(&self, color: Color) -> Color {
        if self.swapped { !color } else { color }
    }

    /// A square of the larger ending as this one has it.
    fn seen(&self, square: Square) -> Square {
        match self.swapped {
            true => square.flip_vertical(),
            false => square,
        }
    }

    /// The distances with a side to move and a winner of the larger ending.
    fn list(&self, turn: Color, winner: Color) -> &DistanceList {
        &self.lists[self.color(turn).index()][self.color(winner).index()]
    }
}

impl Ending {
    /// The distances for all squares of Black's king at once, and the transform to apply to the
    /// squares, if they lie together: where the ending has the colours of the larger one.
    pub fn lane(
        &self,
        turn: Color,
        winner: Color,
        white_king: Square,
        grid: &Grid,
        men: &[SquareSet],
    ) -> Option<([Distance; 64], Transform)> {
        let Ending::Table(table) = self else {
            return None;
        };
        if table.swapped {
            return None;
        }
        let own = table.own_men(grid, men);
        let groups = table.grid.groups().len();
        let (number, transform) = table.grid.number(white_king, &own[..groups]);
        Some((table.list(turn, winner).lane(number), transform))
    }

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
        let (king, lane) = match table.swapped {
            true => (table.seen(black_king), table.seen(white_king)),
            false => (white_king, black_king),
        };
        let own = table.own_men(grid, men);
        let groups = table.grid.groups().len();
        let (number, transform) = table.grid.number(king, &own[..groups]);
        let position = number * 64 + transform.square(lane).index();
        table.list(turn, winner).get(position)
    }
}
