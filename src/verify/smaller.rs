//! The endings a capture leads to, for the verifier: all their distances, both sides to move.

use rayon::prelude::*;

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

/// All distances of an ending that were asked for, in the colours of the larger one.
#[derive(Debug)]
pub struct Distances {
    pub(super) grid: Grid,
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

    /// A digest of the distances of one side's wins. Where it is the same, so is what follows from
    /// captures.
    pub fn digest(&self, winner: Color) -> blake3::Hash {
        let lists = self.endings.iter().flat_map(|(_, _, ending)| match ending {
            Ending::Kings => Vec::new(),
            Ending::Table(table) => {
                let of_winner = |lists: &'_ [DistanceList; 2]| lists[winner.index()].digest();
                table.lists.par_iter().map(of_winner).collect()
            }
        });
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[self.plies.into()]);
        for digest in lists {
            hasher.update(digest.as_bytes());
        }
        hasher.finalize()
    }
}

impl Distances {
    /// The men of the larger ending's groups, whose captured man is already gone, as this
    /// ending's own groups.
    fn own_men(&self, grid: &Grid, men: &[SquareSet]) -> [SquareSet; 8] {
        let mut own = [SquareSet::EMPTY; 8];
        for (own, group) in own.iter_mut().zip(self.grid.groups()) {
            let mut groups = grid.groups().iter();
            let place = groups
                .position(|g| g.role == group.role && g.color == group.color)
                .expect("a smaller ending has no man that the larger has not");
            *own = men[place];
        }
        own
    }

    /// The same with the colours exchanged and the board turned over: what was White's is Black's, and
    /// its lanes are those of the other king. The larger ending then asks for whole lanes.
    pub(super) fn of_other_colors(self) -> Distances {
        let grid = self.grid.of_other_colors();
        let [[a, b], [c, d]] = self.lists;
        // In the order of the new colours: Black's move and win were White's.
        let lists = [[d, c], [b, a]];
        let turned = |list: DistanceList| list.of_other_colors(&self.grid, &grid);
        Distances {
            lists: lists.map(|lists| lists.map(turned)),
            grid,
        }
    }
}

impl DistanceList {
    /// The list of `to` with what this one, of the same men in the other colours, has for the turned
    /// board.
    fn of_other_colors(self, from: &Grid, to: &Grid) -> DistanceList {
        if self.configs() == 0 {
            return self;
        }
        let narrow = matches!(self, DistanceList::Bytes(_));
        let room = || to.room();
        DistanceList::collect(to.configs(), narrow, room, |config, number, lane| {
            // Nobody asks where men share a square.
            if !to.config(number, config) {
                return;
            }
            let turned = |square: Square| square.flip_vertical();
            for men in &mut config.men {
                *men = men.map(turned).collect();
            }
            let numbers = from.numbers(&config.men);
            for square in Square::all() {
                let (number, transform) = numbers[turned(square).index()];
                let place = transform.square(turned(config.king));
                lane[square.index()] = self.get(number * 64 + place.index());
            }
        })
    }
}

impl Ending {
    /// The distances for all squares of Black's king at once, and the transform to apply to the
    /// squares. None of the kings alone.
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
        let own = table.own_men(grid, men);
        let groups = table.grid.groups().len();
        let (number, transform) = table.grid.number(white_king, &own[..groups]);
        let list = &table.lists[turn.index()][winner.index()];
        Some((list.lane(number), transform))
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
        let own = table.own_men(grid, men);
        let groups = table.grid.groups().len();
        let (number, transform) = table.grid.number(white_king, &own[..groups]);
        let position = number * 64 + transform.square(black_king).index();
        table.lists[turn.index()][winner.index()].get(position)
    }
}
