//! The endings a capture leads to, for the verifier: all their distances, both sides to move.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes, convert};
use super::grid::{Distance, Grid, Men, NEVER};
use crate::board::{Color, Square, attacks};
use crate::index::{Group, Transform};

/// What is left after the capture of a man of each kind.
#[derive(Debug, Default)]
pub struct Smaller {
    /// By the group of the man captured.
    pub(super) endings: Vec<Ending>,
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

/// Distances by side to move and winner, each 0 for White; empty where not asked for.
pub type Lists = [[DistanceList; 2]; 2];

/// All distances of an ending that were asked for, in the colours of the larger one.
#[derive(Debug)]
pub struct Distances {
    grid: Grid,
    /// For each group of the grid the larger ending's of the same men.
    groups: Vec<usize>,
    pub(super) lists: Lists,
}

impl Smaller {
    /// What is left after a man of this group is captured.
    pub fn after(&self, group: usize) -> &Ending {
        &self.endings[group]
    }

    /// A digest of the distances of one side's wins. Where it is the same, so is what follows from
    /// captures.
    pub fn digest(&self, winner: Color) -> blake3::Hash {
        let lists = self.endings.iter().flat_map(|ending| match ending {
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
    /// The distances, in the colours of an ending with these groups of men.
    pub fn new(grid: Grid, lists: Lists, larger: &[Group]) -> Distances {
        let place = |group: &Group| {
            let like = |g: &Group| (g.role, g.color) == (group.role, group.color);
            let place = larger.iter().position(like);
            place.expect("a smaller ending has no man that the larger has not")
        };
        Distances {
            groups: grid.groups().iter().map(place).collect(),
            grid,
            lists,
        }
    }

    /// The number of the configuration with White's king here and the men of the larger ending's
    /// groups there, and the transform to apply to its lane.
    fn number(&self, white_king: Square, men: &Men) -> (usize, Transform) {
        let mut own = Men::default();
        for (own, &group) in own.iter_mut().zip(&self.groups) {
            *own = men[group];
        }
        self.grid.number(white_king, &own)
    }
}

impl DistanceList {
    /// The list of `to` with what this one, of the same men in the other colours, has for the turned
    /// board.
    pub fn of_other_colors(self, from: &Grid, to: &Grid) -> DistanceList {
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
            let men = config.men.map(|men| men.map(turned).collect());
            let numbers = from.numbers(&men);
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
    /// squares. They may be in `room`.
    pub fn lane<'a, E: Element>(
        &'a self,
        (turn, winner): (Color, Color),
        white_king: Square,
        men: &Men,
        room: &'a mut [E; 64],
    ) -> (&'a [E; 64], Transform) {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => {
                for square in Square::all() {
                    room[square.index()] = E::of(of_kings((turn, winner), white_king, square));
                }
                return (room, Transform::IDENTITY);
            }
        };
        let (number, transform) = table.number(white_king, men);
        let list = &table.lists[turn.index()][winner.index()];
        let lane = match E::all(list) {
            Some(_) => list.elements(number),
            None => {
                convert(&list.lane(number), room);
                &*room
            }
        };
        (lane, transform)
    }

    /// The distance with the kings here and the men of the larger ending's groups (whose captured
    /// man is already gone) there. `turn` and `winner` are in the larger ending's colours.
    pub fn distance(
        &self,
        (turn, winner): (Color, Color),
        white_king: Square,
        black_king: Square,
        men: &Men,
    ) -> Distance {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => return of_kings((turn, winner), white_king, black_king),
        };
        let (number, transform) = table.number(white_king, men);
        let position = number * 64 + transform.square(black_king).index();
        table.lists[turn.index()][winner.index()].get(position)
    }
}

/// The distance of the two kings alone: never, but for the mark of an illegal position.
fn of_kings((turn, winner): (Color, Color), white_king: Square, black_king: Square) -> Distance {
    let illegal = attacks::king(white_king).contains(black_king);
    match illegal && turn == winner {
        true => 0,
        false => NEVER,
    }
}
