//! Numbers the placements of a group of identical men, and of bia.
//!
//! Each placement of bia is a slice of an ending. A bia never moves back. So every move of a bia
//! leads to a placement with fewer steps to promotion, or to an ending with fewer bia. Placements
//! are numbered in the order of these steps, fewest first. Of two placements that are mirror images
//! of each other, only the one that compares as smaller has a number. In the index of a position, a
//! mixed-radix number, the placement is the most significant digit.

use std::sync::{Arc, OnceLock};

use super::Transform;
use crate::board::{Color, Game, Position, Role, Square, SquareSet, attacks};
use crate::material::{MAX_MEN, MIN_MEN, Material};

/// The largest number of men in a group. A side has at most six men besides its king.
pub const MAX_GROUP: usize = 6;

/// Binomial coefficients: `CHOOSE[k][n]` for n up to 64. A search for a placement walks along a row,
/// which takes few lines of the processor's cache.
static CHOOSE: [[u32; 65]; MAX_GROUP + 1] = {
    let mut table = [[0; 65]; MAX_GROUP + 1];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_GROUP && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The placements of a number of identical men on a set of squares. They are numbered from 0 in the
/// combinatorial number system.
///
/// If the men are on the squares with the indices a < b < c … in the domain, the number of the
/// placement is C(a, 1) + C(b, 2) + C(c, 3) + …. For example, a1 and c1 have the indices 0 and 2,
/// so the placement of two men on a1 and c1 has the number 0 + 1 = 1. With a single man on the
/// whole board, the number of a placement is the index of the man's square.
#[derive(Clone, Debug)]
pub struct Placements {
    men: usize,
    domain: SquareSet,
}

impl Placements {
    /// The placements of `men` identical men (1 to 6) on the squares of `domain`.
    pub fn new(men: usize, domain: SquareSet) -> Placements {
        assert!((1..=MAX_GROUP).contains(&men));
        Placements { men, domain }
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        CHOOSE[self.men][self.domain.len()] as usize
    }

    /// True if the men do not fit into the domain.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of men in each placement.
    pub fn men(&self) -> usize {
        self.men
    }

    /// The number of the placement on these squares. There must be one square for each man, and all
    /// of them must be in the domain.
    pub fn number(&self, squares: SquareSet) -> usize {
        debug_assert_eq!(squares.len(), self.men);
        debug_assert!((squares & !self.domain).is_empty());
        let mut number = 0;
        for (i, square) in squares.enumerate() {
            let place = if self.domain == SquareSet::ALL {
                square.index()
            } else {
                (self.domain.0 & (square.set().0 - 1)).count_ones() as usize
            };
            number += CHOOSE[i + 1][place];
        }
        number as usize
    }

    /// The squares of the placement with this number, which must be below [`Placements::len`].
    pub fn squares(&self, number: usize) -> SquareSet {
        let mut rest = number as u32;
        let mut places = 0u64;
        let mut below = self.domain.len();
        for k in (2..=self.men).rev() {
            let row = &CHOOSE[k];
            let mut place = below - 1;
            while row[place] > rest {
                place -= 1;
            }
            rest -= row[place];
            places |= 1 << place;
            below = place;
        }
        // C(place, 1) is the place itself.
        places |= 1 << rest;
        if self.domain == SquareSet::ALL {
            return SquareSet(places);
        }
        self.domain
            .enumerate()
            .filter(|&(place, _)| places >> place & 1 != 0)
            .map(|(_, square)| square)
            .collect()
    }

    /// The squares of every placement, in the order of the numbers.
    pub fn table(&self) -> Vec<SquareSet> {
        (0..self.len()).map(|number| self.squares(number)).collect()
    }
}

/// The squares of both sides' bia.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bia {
    /// The squares of each side's bia, White's first.
    squares: [u64; 2],
}

impl Bia {
    /// A placement without bia.
    pub const NONE: Bia = Bia { squares: [0; 2] };

    /// A placement of these bia, White's first.
    pub const fn new([white, black]: [SquareSet; 2]) -> Bia {
        Bia {
            squares: [white.0, black.0],
        }
    }

    /// The squares of one side's bia.
    pub const fn of(self, color: Color) -> SquareSet {
        SquareSet(self.squares[color.index()])
    }

    /// The squares of both sides' bia.
    pub const fn all(self) -> SquareSet {
        SquareSet(self.squares[0] | self.squares[1])
    }

    /// The number of bia of each side, White's first.
    pub fn counts(self) -> [usize; 2] {
        Color::ALL.map(|color| self.of(color).len())
    }

    /// True if there are no bia.
    pub const fn is_empty(self) -> bool {
        self.all().is_empty()
    }

    /// The bia of a position.
    pub fn of_position(position: &Position) -> Bia {
        Bia::new(Color::ALL.map(|color| position.men(color, Role::Bia)))
    }

    /// This placement with one more bia.
    #[must_use]
    pub const fn with(mut self, color: Color, square: Square) -> Bia {
        self.squares[color.index()] |= square.set().0;
        self
    }

    /// This placement after the removal of the bia on `square`, which may be of either side.
    #[must_use]
    pub const fn without(mut self, square: Square) -> Bia {
        self.squares[0] &= !square.set().0;
        self.squares[1] &= !square.set().0;
        self
    }

    /// The mirror image of the placement.
    #[must_use]
    pub fn mirrored(self) -> Bia {
        self.moved(Transform::MIRROR)
    }

    /// The transform that maps this placement to the smaller of the placement and its mirror image.
    /// Only the smaller one is numbered.
    pub fn to_first(self) -> Transform {
        match self.mirrored() < self {
            true => Transform::MIRROR,
            false => Transform::IDENTITY,
        }
    }

    /// The image of the placement under a transform that preserves ranks.
    #[must_use]
    pub fn moved(self, transform: Transform) -> Bia {
        Bia::new(Color::ALL.map(|color| transform.set(self.of(color))))
    }

    /// The squares that a side's bia attack.
    pub fn attacked(self, color: Color) -> SquareSet {
        let attacks = |from| attacks::attacks(Role::Bia, color, from, SquareSet::EMPTY);
        self.of(color).flat_map(attacks).collect()
    }

    /// The total number of steps that all bia need to promote in a game. Bia behind their
    /// promotion rank only.
    pub fn steps_to_go(self, game: Game) -> u32 {
        let steps = |color| {
            self.of(color)
                .map(move |square| game.steps_to_go(color, square))
        };
        Color::ALL.into_iter().flat_map(steps).sum()
    }
}

/// The largest number of bia that a side can have in an ending with a table.
const MOST_BIA: usize = MAX_MEN - MIN_MEN;

/// All placements in a game with given numbers of White's and Black's bia. Of two mirror images,
/// only one is listed.
#[derive(Clone, Debug)]
pub struct BiaPlacements {
    game: Game,
    /// The number of bia of each side, White's first.
    counts: [usize; 2],
    /// For each placement, its number of steps to promotion and the placement itself, in ascending
    /// order.
    all: Arc<[(u32, Bia)]>,
    /// The numbers of placements by [`BiaPlacements::squares_number`]. Empty if there are more than two
    /// bia.
    by_squares: Arc<[u32]>,
}

/// The largest number of bia whose placements are numbered by a table of their squares.
const MOST_BY_SQUARES: usize = 2;

/// In [`BiaPlacements::by_squares`], marks the number of a mirror image.
const MIRRORED: u32 = 1 << 31;

/// In [`BiaPlacements::by_squares`], stands for squares of no placement.
const NO_PLACEMENT: u32 = u32::MAX;

impl BiaPlacements {
    /// The placements in a game with this many bia of each side, White's first.
    pub fn new(game: Game, counts: [usize; 2]) -> BiaPlacements {
        // Three bia on each side have two million placements, so the placements are computed once
        // and kept.
        type Known = OnceLock<BiaPlacements>;
        type ByCounts = [[Known; MOST_BIA + 1]; MOST_BIA + 1];
        static KNOWN: [ByCounts; Game::ALL.len()] =
            [const { [const { [const { Known::new() }; MOST_BIA + 1] }; MOST_BIA + 1] };
                Game::ALL.len()];
        let [white, black] = counts;
        let known = KNOWN[game as usize].get(white);
        match known.and_then(|known| known.get(black)) {
            Some(known) => {
                let found = known.get_or_init(|| BiaPlacements::find(game, counts));
                found.clone()
            }
            None => BiaPlacements::find(game, counts),
        }
    }

    fn find(game: Game, counts: [usize; 2]) -> BiaPlacements {
        let white_and_black = counts.iter().sum();
        let [white, black] =
            Color::ALL.map(|color| subsets(game.bia_home(color), counts[color.index()]));
        let pairs = white
            .iter()
            .flat_map(|&white| black.iter().map(move |&black| (white, black)));
        let apart = pairs.filter(|&(white, black)| (white & black).is_empty());
        let bia = apart.map(|(white, black)| Bia::new([white, black]));
        let mut all: Vec<(u32, Bia)> = bia
            .filter(|&bia| bia <= bia.mirrored())
            .map(|bia| (bia.steps_to_go(game), bia))
            .collect();
        all.sort_unstable();
        let mut placements = BiaPlacements {
            game,
            counts,
            all: all.into(),
            by_squares: [].into(),
        };
        if white_and_black <= MOST_BY_SQUARES {
            placements.by_squares = placements.numbers_by_squares(white_and_black).into();
        }
        placements
    }

    /// The table [`BiaPlacements::by_squares`] of so many bia.
    fn numbers_by_squares(&self, bia: usize) -> Vec<u32> {
        let mut numbers = vec![NO_PLACEMENT; 64usize.pow(bia as u32)];
        for (number, &(_, bia)) in (0..).zip(&*self.all) {
            // The placement itself comes last: its own mirror image, if equal, is not mirrored.
            for (bia, number) in [(bia.mirrored(), number | MIRRORED), (bia, number)] {
                if let Some(squares) = self.squares_number(bia) {
                    numbers[squares] = number;
                }
            }
        }
        numbers
    }

    /// The squares of the bia as the digits of a number with base 64. `None` if the numbers of bia
    /// are others.
    #[inline]
    fn squares_number(&self, bia: Bia) -> Option<usize> {
        let mut number = 0;
        for (color, count) in Color::ALL.into_iter().zip(self.counts) {
            let mut squares = bia.of(color);
            for _ in 0..count {
                number = 64 * number + squares.next()?.index();
            }
            if !squares.is_empty() {
                return None;
            }
        }
        Some(number)
    }

    /// The placements of a material's bia.
    pub fn of(material: Material) -> BiaPlacements {
        let counts = Color::ALL.map(|color| material.army(color).count(Role::Bia));
        BiaPlacements::new(material.game(), counts)
    }

    /// The game of the bia.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True if there is no placement, because the bia do not fit on the board.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The placement with this number.
    pub fn bia(&self, number: usize) -> Bia {
        self.all[number].1
    }

    /// The number that the placement `bia` shares with its mirror image, and the transform that
    /// maps `bia` to the listed placement: the identity, or the mirror if the mirror image is
    /// listed.
    ///
    /// `None` if no listed placement has these squares.
    pub fn number(&self, bia: Bia) -> Option<(Transform, usize)> {
        if self.by_squares.is_empty() {
            return self.search(bia);
        }
        match self.by_squares[self.squares_number(bia)?] {
            NO_PLACEMENT => None,
            found if found & MIRRORED == 0 => Some((Transform::IDENTITY, found as usize)),
            found => Some((Transform::MIRROR, (found ^ MIRRORED) as usize)),
        }
    }

    /// [`BiaPlacements::number`] by a search in the list.
    fn search(&self, bia: Bia) -> Option<(Transform, usize)> {
        let transform = bia.to_first();
        let bia = bia.moved(transform);
        let number = self
            .all
            .binary_search(&(bia.steps_to_go(self.game), bia))
            .ok()?;
        Some((transform, number))
    }

    /// The ranges of placements with the same number of steps to promotion. A move of a bia leads
    /// from a placement to an earlier range, never to one in the same range.
    pub fn runs(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut start = 0;
        self.all.chunk_by(|a, b| a.0 == b.0).map(move |run| {
            let range = start..start + run.len();
            start = range.end;
            range
        })
    }
}

/// All subsets of `squares` that contain `count` squares.
fn subsets(squares: SquareSet, count: usize) -> Vec<SquareSet> {
    if count == 0 {
        return vec![SquareSet::EMPTY];
    }
    let with = |last: Square| {
        let before = squares & SquareSet(last.set().0 - 1);
        subsets(before, count - 1)
            .into_iter()
            .map(move |set| set.with(last))
    };
    squares.flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_squares_are_each_others_inverse() {
        let dark = SquareSet(0xaa55_aa55_aa55_aa55);
        for domain in [SquareSet::ALL, dark, !dark] {
            for men in 1..=3 {
                let placements = Placements::new(men, domain);
                for (number, squares) in placements.table().into_iter().enumerate() {
                    assert_eq!(squares.len(), men);
                    assert!((squares & !domain).is_empty());
                    assert_eq!(placements.number(squares), number);
                }
            }
        }
    }

    #[test]
    fn there_are_as_many_placements_as_combinations() {
        let count = |men| Placements::new(men, SquareSet::ALL).len();
        assert_eq!([count(1), count(2), count(3)], [64, 2016, 41_664]);
        assert_eq!(count(6), 74_974_368);
    }

    #[test]
    fn of_a_placement_and_its_mirror_image_one_has_a_number() {
        // The expected numbers: placements on the whole board, and placements that are their own
        // mirror image.
        for (game, counts, whole, even) in [
            (Game::Makruk, [1, 0], 24, 0),
            (Game::Makruk, [0, 1], 24, 0),
            (Game::Makruk, [2, 0], 276, 12),
            (Game::Makruk, [3, 0], 2024, 0),
            (Game::Makruk, [1, 1], 560, 0),
            (Game::Makruk, [2, 1], 6256, 0),
            (Game::Asean, [1, 0], 40, 0),
            (Game::Asean, [2, 0], 780, 20),
            (Game::Asean, [1, 1], 1568, 0),
        ] {
            let placements = BiaPlacements::new(game, counts);
            let own = |&n: &usize| placements.bia(n) == placements.bia(n).mirrored();
            let found = (0..placements.len()).filter(own).count();
            assert_eq!(found, even, "{counts:?}");
            assert_eq!(2 * placements.len() - found, whole, "{counts:?}");
            for number in 0..placements.len() {
                let bia = placements.bia(number);
                assert_eq!(bia.of(Color::White).len(), counts[0]);
                assert_eq!(bia.of(Color::Black).len(), counts[1]);
                assert_eq!(placements.number(bia), Some((Transform::IDENTITY, number)));
                let (transform, image) = placements.number(bia.mirrored()).unwrap();
                assert_eq!(image, number);
                assert_eq!(transform == Transform::IDENTITY, own(&number));
                for bia in [bia, bia.mirrored()] {
                    assert_eq!(placements.number(bia), placements.search(bia));
                    let one_fewer = bia.without(bia.all().first().unwrap());
                    assert_eq!(placements.number(one_fewer), None);
                    let behind = bia.mirrored().with(Color::White, Square::wrapping(0));
                    assert_eq!(placements.number(behind), None);
                }
            }
        }
    }

    #[test]
    fn placements_are_those_of_the_format_document() {
        let white = BiaPlacements::new(Game::Makruk, [1, 0]);
        let names: Vec<String> = (0..white.len())
            .map(|number| white.bia(number).all().first().unwrap().to_string())
            .collect();
        assert_eq!(names.join(" "), "a5 b5 c5 d5 a4 b4 c4 d4 a3 b3 c3 d3");
        let counts = [[1, 1], [2, 0], [3, 0]];
        let counts = counts.map(|counts| BiaPlacements::new(Game::Makruk, counts).len());
        assert_eq!(counts, [280, 144, 1012]);
    }

    #[test]
    fn what_a_bia_does_leads_to_a_placement_before() {
        for game in Game::ALL {
            check_runs(&BiaPlacements::new(game, [1, 2]));
        }
    }

    /// Asserts that every step of a bia leads to an earlier run.
    fn check_runs(placements: &BiaPlacements) {
        let mut end = 0;
        for run in placements.runs() {
            assert_eq!(run.start, end);
            end = run.end;
            for number in run.clone() {
                let bia = placements.bia(number);
                for color in Color::ALL {
                    for from in bia.of(color) {
                        for to in attacks::bia_step(color, from) & !bia.all() {
                            let moved = bia.without(from).with(color, to);
                            if let Some((_, after)) = placements.number(moved) {
                                assert!(after < run.start);
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(end, placements.len());
    }

    #[test]
    fn a_bia_attacks_the_squares_diagonally_ahead() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let bia = Bia::NONE
            .with(Color::White, square("a3"))
            .with(Color::Black, square("d4"));
        let set = |names: &[&str]| names.iter().map(|name| square(name)).collect::<SquareSet>();
        assert_eq!(bia.attacked(Color::White), set(&["b4"]));
        assert_eq!(bia.attacked(Color::Black), set(&["c3", "e3"]));
        assert_eq!(bia.steps_to_go(Game::Makruk), 3 + 1);
        assert_eq!(bia.steps_to_go(Game::Asean), 5 + 3);
        assert_eq!(bia.mirrored().all(), set(&["h3", "e4"]));
    }
}
