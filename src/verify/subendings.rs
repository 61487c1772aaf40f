//! The distances of the subendings, which the verifier looks up after captures and promotions.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes, convert};
use super::grid::{Distance, Grid, Men, NEVER, Wanted};
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Bia, Group, Transform};
use crate::parallel::ForkedByOneFunction;

/// The subendings that the captures of men and the changes of the bia lead to.
#[derive(Debug, Default)]
pub struct Subendings {
    /// The subendings after captures of men other than bia, by the group of the captured man.
    /// `None` if the capture is not among the moves of interest.
    pub(super) endings: Vec<Option<Ending>>,
    /// The subendings after moves of interest that change the bia.
    pub(super) by_bia: Vec<(BiaChange, Ending)>,
    /// True if the larger ending's distances are in plies. Then a subending's distance only marks a
    /// win in time: 1 with the winner to move, 0 with the loser to move. In an ending against a
    /// bare king, it is the number of plies that the fifty-move rule must leave before the king's
    /// capture.
    pub(super) plies: bool,
}

/// A change of the bia by a move: a promotion, which may also capture, or a capture of a bia.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BiaChange {
    /// The side whose bia is promoted, and the man that it becomes.
    pub promoted: Option<(Color, Role)>,
    /// The man that the move captures, if any.
    pub taken: Option<(Color, Role)>,
}

/// The men on the board after a move that leads to another ending, except Black's king.
#[derive(Clone, Copy, Debug)]
pub struct Remaining<'a> {
    /// The remaining bia.
    pub bia: Bia,
    /// The square of White's king.
    pub king: Square,
    /// The men in the larger ending's groups, without the captured man.
    pub men: &'a Men,
    /// The new man, if a bia promoted.
    pub promoted: Option<(Color, Role, Square)>,
}

/// The distances of a subending.
#[derive(Debug)]
pub enum Ending {
    /// The two kings alone.
    Kings,
    /// An ending with a table.
    Table(Box<Distances>),
    /// An ending of which only the positions just after a promotion are in memory.
    Promoted(Box<Promoted>),
}

/// The positions just after White's promotions against a bare king, with Black to move.
#[derive(Debug)]
pub struct Promoted {
    /// The grid of the larger ending.
    pub grid: Grid,
    /// A list for each pair of remaining bia and square of the new met. It contains the distances
    /// just after that promotion, for all configurations of the placement before it.
    pub lists: Vec<((Bia, Square), DistanceList)>,
    /// True if the distances only mark wins in time: see [`Distances::in_time_only`].
    pub in_time_only: bool,
}

impl Promoted {
    /// The list for the positions after a promotion, and the configuration's index in the list.
    fn find(&self, remaining: Remaining<'_>) -> (&DistanceList, usize) {
        let wanted = remaining
            .promoted
            .map(|(.., square)| (remaining.bia, square));
        let found = self.lists.iter().find(|(of, _)| Some(*of) == wanted);
        let (_, list) = found.expect("a promotion that is possible");
        (
            list,
            self.grid.number_with_bia(remaining.king, remaining.men),
        )
    }
}

/// Lists of distances by side to move and by winner, White first in both. Lists that are never
/// looked up are empty.
pub type Lists = [[DistanceList; 2]; 2];

/// The distances of a subending that the larger ending looks up, in the colours of the larger
/// ending.
#[derive(Debug)]
pub struct Distances {
    grid: Grid,
    /// For each group of the grid, the group of the larger ending with the same men. `None` for a
    /// man that a promotion has just made.
    groups: Vec<Option<usize>>,
    pub(super) lists: Lists,
    /// True if the distances only mark wins in time, because the last bia is gone and a count has
    /// begun. The distance of a win in time is 1 with the winner to move and 0 with the loser to
    /// move; every other distance is [`NEVER`] or marks an illegal position.
    pub(super) in_time_only: bool,
}

impl Subendings {
    /// The subending after the capture of a man of this group.
    pub fn after(&self, group: usize) -> &Ending {
        self.endings[group]
            .as_ref()
            .expect("every ending that a capture leads to has been read")
    }

    /// The subending after this change of the bia.
    pub fn after_bia(&self, change: BiaChange) -> &Ending {
        let found = self.by_bia.iter().find(|(of, _)| *of == change);
        let (_, ending) = found.expect("every ending that a bia's move leads to has been read");
        ending
    }

    /// A hash of the distances of one side's wins in all subendings. If two hashes are equal, moves
    /// to subendings lead to the same distances.
    pub fn digest(&self, winner: Color) -> blake3::Hash {
        let by_bia = self.by_bia.iter().map(|(_, ending)| ending);
        let lists = self
            .endings
            .iter()
            .flatten()
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
                    table.lists.par_iter().erased().map(of_winner).collect()
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
    /// Prepares the distances of a subending, in the colours of the larger ending. `larger`
    /// contains the larger ending's groups.
    pub fn new(grid: Grid, lists: Lists, larger: &[Group], in_time_only: bool) -> Distances {
        let place = |group: &Group| {
            let like = |g: &Group| (g.role, g.color) == (group.role, group.color);
            larger.iter().position(like)
        };
        Distances {
            groups: grid.groups().iter().map(place).collect(),
            grid,
            lists,
            in_time_only,
        }
    }

    /// The number of the configuration after a move, and the transform to apply to its lane.
    fn number(&self, remaining: Remaining<'_>) -> (usize, Transform) {
        let mut own = Men::default();
        for ((own, &place), group) in own.iter_mut().zip(&self.groups).zip(self.grid.groups()) {
            *own = place.map_or(SquareSet::EMPTY, |place| remaining.men[place]);
            if let Some((color, role, square)) = remaining.promoted
                && (color, role) == (group.color, group.role)
            {
                *own = own.with(square);
            }
        }
        self.grid.number(remaining.bia, remaining.king, &own)
    }
}

impl DistanceList {
    /// Converts a list of the ending with exchanged colours to the numbering of `to`, by reversing
    /// the ranks. Lists of configurations that have two men on one square, which are never looked
    /// up, contain only [`NEVER`]. If only some configurations are `wanted`, the distances of the
    /// others are undefined.
    pub fn of_other_colors(self, from: &Grid, to: &Grid, wanted: Option<&Wanted>) -> DistanceList {
        if self.configs() == 0 {
            return self;
        }
        let mut list = DistanceList::zeroed(to.configs(), matches!(self, DistanceList::Bytes(_)));
        match (&self, &mut list) {
            (DistanceList::Bytes(own), DistanceList::Bytes(list)) => {
                turn(own, list, (from, to), wanted)
            }
            (DistanceList::Words(own), DistanceList::Words(list)) => {
                turn(own, list, (from, to), wanted)
            }
            _ => unreachable!("both lists have elements of one type"),
        }
        list
    }
}

/// The number of lanes of each king's square that a task of [`turn`] fills.
const TURNED_LANES: usize = 256;

/// Converts distances as [`DistanceList::of_other_colors`] does. Exchanging the colours exchanges
/// the kings, so a configuration of the other men is a square matrix of distances, by the squares
/// of the two kings, which is transposed as a whole.
fn turn<E: Element>(
    own: &[E],
    list: &mut [E],
    (from, to): (&Grid, &Grid),
    wanted: Option<&Wanted>,
) {
    let of_king = to.configs_of_king();
    let of_bia = of_king * to.kings().len();
    let mut tasks: Vec<(usize, Vec<&mut [E]>)> = Vec::new();
    for (slab, lanes) in list.chunks_mut(of_bia * 64).enumerate() {
        let first = tasks.len();
        for lanes in lanes.chunks_mut(of_king * 64) {
            for (i, part) in lanes.chunks_mut(TURNED_LANES * 64).enumerate() {
                if tasks.len() == first + i {
                    tasks.push((slab * of_bia + i * TURNED_LANES, Vec::new()));
                }
                tasks[first + i].1.push(part);
            }
        }
    }
    let turned = |square: Square| square.flip_vertical();
    let scratch = || to.scratch();
    let tasks = tasks.into_par_iter().erased();
    tasks.for_each_init(scratch, |config, (first, mut parts)| {
        for at in 0..parts[0].len() / 64 {
            to.config(first + at, config);
            if wanted.is_some_and(|wanted| !wanted.contains(config)) {
                continue;
            }
            let men = config.men.map(|men| men.map(turned).collect());
            let turned_bia = |color: Color| config.bia.of(!color).map(turned).collect();
            let bia = Bia::new(Color::ALL.map(turned_bia));
            let occupied = config.men_apart();
            let numbers = occupied.map(|_| from.numbers(bia, &men));
            for (&king, part) in to.kings().iter().zip(&mut parts) {
                let lane = &mut part[at * 64..][..64];
                match (&numbers, occupied) {
                    (Some(numbers), Some(occupied)) if !occupied.contains(king) => {
                        for (square, element) in Square::all().zip(lane) {
                            let (number, transform) = numbers[turned(square).index()];
                            let place = transform.square(turned(king));
                            *element = own[number * 64 + place.index()];
                        }
                    }
                    _ => lane.fill(E::NEVER),
                }
            }
        }
    });
}

impl Ending {
    /// True if the distances only mark wins in time: see [`Distances::in_time_only`].
    pub fn is_in_time_only(&self) -> bool {
        match self {
            Ending::Kings => false,
            Ending::Table(table) => table.in_time_only,
            Ending::Promoted(promoted) => promoted.in_time_only,
        }
    }

    /// The distances after a move, for all squares of Black's king, and the transform to apply to
    /// these squares. `turn` and `winner` are in the colours of the larger ending. `scratch` is a
    /// buffer for distances that have to be computed or converted.
    pub fn lane<'a, E: Element>(
        &'a self,
        (turn, winner): (Color, Color),
        remaining: Remaining<'_>,
        scratch: &'a mut [E; 64],
    ) -> (&'a [E; 64], Transform) {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => {
                for square in Square::all() {
                    scratch[square.index()] =
                        E::of(of_kings((turn, winner), remaining.king, square));
                }
                return (scratch, Transform::IDENTITY);
            }
            Ending::Promoted(promoted) => {
                let (list, number) = promoted.find(remaining);
                return (list.elements(number), Transform::IDENTITY);
            }
        };
        let (number, transform) = table.number(remaining);
        let list = &table.lists[turn.index()][winner.index()];
        let lane = match E::elements_of(list) {
            Some(_) => list.elements(number),
            None => {
                convert(&list.lane(number), scratch);
                &*scratch
            }
        };
        (lane, transform)
    }

    /// The distance after a move, with Black's king on `black_king`. `turn` and `winner` are in the
    /// colours of the larger ending.
    pub fn distance(
        &self,
        (turn, winner): (Color, Color),
        remaining: Remaining<'_>,
        black_king: Square,
    ) -> Distance {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => return of_kings((turn, winner), remaining.king, black_king),
            Ending::Promoted(promoted) => {
                let (list, number) = promoted.find(remaining);
                return list.get(number * 64 + black_king.index());
            }
        };
        let (number, transform) = table.number(remaining);
        let position = number * 64 + transform.square(black_king).index();
        table.lists[turn.index()][winner.index()].get(position)
    }
}

/// The distance with only the two kings on the board: [`NEVER`] or, if the position is illegal and
/// the winner is to move, 0.
fn of_kings((turn, winner): (Color, Color), white_king: Square, black_king: Square) -> Distance {
    let illegal = attacks::king(white_king).contains(black_king);
    match illegal && turn == winner {
        true => 0,
        false => NEVER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use crate::index::Layout;
    use crate::material::CanonicalMaterial;
    use crate::random::Numbers;

    fn copy(list: &DistanceList) -> DistanceList {
        let is_narrow = matches!(list, DistanceList::Bytes(_));
        let mut copy = DistanceList::zeroed(list.configs(), is_narrow);
        match (list, &mut copy) {
            (DistanceList::Bytes(own), DistanceList::Bytes(copy)) => copy.copy_from_slice(own),
            (DistanceList::Words(own), DistanceList::Words(copy)) => copy.copy_from_slice(own),
            _ => unreachable!(),
        }
        copy
    }

    /// A position of the exchanged colours has the distance of the position that it comes from.
    #[test]
    fn lists_of_exchanged_colours_hold_the_distances_of_the_turned_positions() {
        for name in ["KRvKM", "KSSvKN", "KSvKP", "KPvKP-asean"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let from = Grid::new(material, Layout::symmetry_of(material));
            let to = from.of_other_colors();
            for narrow in [true, false] {
                let mut list = DistanceList::zeroed(from.configs(), narrow);
                let mut numbers = Numbers::new(7);
                let value = |numbers: &mut Numbers| numbers.below(250) as Distance;
                match &mut list {
                    DistanceList::Bytes(bytes) => bytes
                        .iter_mut()
                        .for_each(|byte| *byte = u8::of(value(&mut numbers))),
                    DistanceList::Words(words) => words
                        .iter_mut()
                        .for_each(|word| *word = value(&mut numbers)),
                }
                let wanted = Wanted {
                    group: 0,
                    squares: Game::Asean.promotion_squares(Color::White),
                };
                let found = copy(&list).of_other_colors(&from, &to, None);
                let some = copy(&list).of_other_colors(&from, &to, Some(&wanted));
                let turned = |square: Square| square.flip_vertical();
                let mut config = to.scratch();
                // A prime, so that all digits vary.
                for number in (0..to.configs()).step_by(61) {
                    let apart = to.config(number, &mut config);
                    let men = config.men.map(|men| men.map(turned).collect());
                    let bia = Color::ALL.map(|color| config.bia.of(!color).map(turned).collect());
                    for black_king in Square::all() {
                        let expected = match apart {
                            false => NEVER,
                            true => {
                                let king = turned(black_king);
                                let (own, transform) = from.number(Bia::new(bia), king, &men);
                                let place = transform.square(turned(config.king));
                                list.get(own * 64 + place.index())
                            }
                        };
                        let at = number * 64 + black_king.index();
                        assert_eq!(found.get(at), expected, "{name} {config:?} {black_king}");
                        if wanted.contains(&config) {
                            assert_eq!(some.get(at), expected, "{name} {config:?} {black_king}");
                        }
                    }
                }
            }
        }
    }
}
