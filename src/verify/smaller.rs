//! Subendings for the verifier: all their distances, with both sides to move.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes, convert};
use super::grid::{Distance, Grid, Men, NEVER};
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Bia, Group, Transform};

/// The subendings after the capture of each kind of man, and after each change of the bia.
#[derive(Debug, Default)]
pub struct Smaller {
    /// By the group of the captured man.
    pub(super) endings: Vec<Ending>,
    /// By the change of the bia.
    pub(super) by_bia: Vec<(BiaChange, Ending)>,
    /// True if the larger ending's distances are in plies. The distances of a subending then only
    /// tell whether the win stands: if so they are 1 with the winner to move, and 0 with the loser
    /// to move.
    pub(super) plies: bool,
}

/// A change of the bia by a move: a promotion, a capture of a bia, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BiaChange {
    /// The side whose bia becomes a met.
    pub promoted: Option<Color>,
    /// The captured man.
    pub taken: Option<(Color, Role)>,
}

/// The men, except Black's king, that a move into another ending leaves.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a> {
    /// The bia.
    pub bia: Bia,
    /// White's king.
    pub king: Square,
    /// The men of the larger ending's groups. A captured man is already removed.
    pub men: &'a Men,
    /// The new met.
    pub met: Option<(Color, Square)>,
}

/// A subending.
#[derive(Debug)]
pub enum Ending {
    /// The two kings alone.
    Kings,
    /// An ending with a table.
    Table(Box<Distances>),
    /// The positions after promotions only.
    Promoted(Box<Promoted>),
}

/// The positions after White's promotions against a bare king, with Black to move. For the
/// remaining bia and the square of the new met, they have the distances of all configurations of
/// the placement before the promotion.
#[derive(Debug)]
pub struct Promoted {
    /// The grid of the larger ending.
    pub grid: Grid,
    /// The distances.
    pub lists: Vec<((Bia, Square), DistanceList)>,
    /// As [`Distances::judged`].
    pub judged: bool,
}

impl Promoted {
    /// The list for the positions after a promotion, and the configuration's index in it.
    fn find(&self, left: Left<'_>) -> (&DistanceList, usize) {
        let wanted = left.met.map(|(_, square)| (left.bia, square));
        let found = self.lists.iter().find(|(of, _)| Some(*of) == wanted);
        let (_, list) = found.expect("a promotion that is possible");
        (list, self.grid.number_with_bia(left.king, left.men))
    }
}

/// Lists of distances by side to move and by winner, White first in both. A list that is not needed
/// is empty.
pub type Lists = [[DistanceList; 2]; 2];

/// Those distances of an ending that are needed, in the colours of the larger ending.
#[derive(Debug)]
pub struct Distances {
    grid: Grid,
    /// For each group of the grid, the group of the larger ending that has the same men; none for a
    /// new met.
    groups: Vec<Option<usize>>,
    pub(super) lists: Lists,
    /// True if the last bia is gone, so that the count has decided the wins. Distances then only
    /// tell that a win stands: they are 1 with the winner to move, and 0 with the loser to move.
    pub(super) judged: bool,
}

impl Smaller {
    /// The subending after the capture of a man of this group.
    pub fn after(&self, group: usize) -> &Ending {
        &self.endings[group]
    }

    /// The subending after a change of the bia.
    pub fn after_bia(&self, change: BiaChange) -> &Ending {
        let found = self.by_bia.iter().find(|(of, _)| *of == change);
        let (_, ending) = found.expect("every ending that the bia lead to has been read");
        ending
    }

    /// A digest of the distances of one side's wins. If two digests are equal, the captures have
    /// equal results.
    pub fn digest(&self, winner: Color) -> blake3::Hash {
        let by_bia = self.by_bia.iter().map(|(_, ending)| ending);
        let lists = self
            .endings
            .iter()
            .chain(by_bia)
            .flat_map(|ending| match ending {
                Ending::Kings => Vec::new(),
                Ending::Promoted(promoted) => promoted
                    .lists
                    .iter()
                    .map(|(_, list)| list.digest())
                    .collect(),
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
    /// The distances in the colours of a larger ending, which has these groups.
    pub fn new(grid: Grid, lists: Lists, larger: &[Group], judged: bool) -> Distances {
        let place = |group: &Group| {
            let like = |g: &Group| (g.role, g.color) == (group.role, group.color);
            larger.iter().position(like)
        };
        Distances {
            groups: grid.groups().iter().map(place).collect(),
            grid,
            lists,
            judged,
        }
    }

    /// The number of the configuration after a move, and the transform to apply to its lane.
    fn number(&self, left: Left<'_>) -> (usize, Transform) {
        let mut own = Men::default();
        for ((own, &place), group) in own.iter_mut().zip(&self.groups).zip(self.grid.groups()) {
            *own = place.map_or(SquareSet::EMPTY, |place| left.men[place]);
            if let Some((color, square)) = left.met
                && (color, Role::Met) == (group.color, group.role)
            {
                *own = own.with(square);
            }
        }
        self.grid.number(left.bia, left.king, &own)
    }
}

impl DistanceList {
    /// Converts a list of the ending with exchanged colours to the grid `to`, by turning the board.
    pub fn of_other_colors(self, from: &Grid, to: &Grid) -> DistanceList {
        if self.configs() == 0 {
            return self;
        }
        let narrow = matches!(self, DistanceList::Bytes(_));
        let room = || to.room();
        DistanceList::collect(to.configs(), narrow, room, |config, number, lane| {
            // Men that share a square are never looked up.
            if !to.config(number, config) {
                return;
            }
            let turned = |square: Square| square.flip_vertical();
            let men = config.men.map(|men| men.map(turned).collect());
            let turned_bia = |color: Color| config.bia.of(!color).map(turned).collect();
            let bia = Bia::new(Color::ALL.map(turned_bia));
            let numbers = from.numbers(bia, &men);
            for square in Square::all() {
                let (number, transform) = numbers[turned(square).index()];
                let place = transform.square(turned(config.king));
                lane[square.index()] = self.get(number * 64 + place.index());
            }
        })
    }
}

impl Ending {
    /// Whether the count has decided the wins.
    pub fn is_judged(&self) -> bool {
        match self {
            Ending::Kings => false,
            Ending::Table(table) => table.judged,
            Ending::Promoted(promoted) => promoted.judged,
        }
    }

    /// The distances for all squares of Black's king, and the transform to apply to the squares.
    /// `room` may be used as a buffer.
    pub fn lane<'a, E: Element>(
        &'a self,
        (turn, winner): (Color, Color),
        left: Left<'_>,
        room: &'a mut [E; 64],
    ) -> (&'a [E; 64], Transform) {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => {
                for square in Square::all() {
                    room[square.index()] = E::of(of_kings((turn, winner), left.king, square));
                }
                return (room, Transform::IDENTITY);
            }
            Ending::Promoted(promoted) => {
                let (list, number) = promoted.find(left);
                return (list.elements(number), Transform::IDENTITY);
            }
        };
        let (number, transform) = table.number(left);
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

    /// The distance with Black's king on a square. `turn` and `winner` are in the colours of the
    /// larger ending.
    pub fn distance(
        &self,
        (turn, winner): (Color, Color),
        left: Left<'_>,
        black_king: Square,
    ) -> Distance {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => return of_kings((turn, winner), left.king, black_king),
            Ending::Promoted(promoted) => {
                let (list, number) = promoted.find(left);
                return list.get(number * 64 + black_king.index());
            }
        };
        let (number, transform) = table.number(left);
        let position = number * 64 + transform.square(black_king).index();
        table.lists[turn.index()][winner.index()].get(position)
    }
}

/// The distance with only the two kings: never, or the value that marks an illegal position.
fn of_kings((turn, winner): (Color, Color), white_king: Square, black_king: Square) -> Distance {
    let illegal = attacks::king(white_king).contains(black_king);
    match illegal && turn == winner {
        true => 0,
        false => NEVER,
    }
}
