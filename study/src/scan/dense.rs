//! Arrays of the results of all lanes of an ending, used for the subendings after captures.

use std::sync::Arc;

use rayon::prelude::*;

use super::placing::{LaneResults, MAX_GROUPS, Placing};
use sakmak::board::{Role, Square, SquareSet};
use sakmak::index::{Group, Placements};
use sakmak::internals::ForkedByOneFunction;
use sakmak::material::Material;

/// The results of a whole ending with one side to move. There is one lane for each placing (all men
/// but Black's king), with White's king on any square of the board.
#[derive(Debug)]
pub struct Dense {
    groups: Vec<Group>,
    placements: Vec<Placements>,
    lanes: Vec<LaneResults>,
}

impl Dense {
    /// Computes the lanes of all placings. Placings with two men on one square get empty lanes.
    pub fn new(material: Material, lane: impl Fn(&Placing) -> LaneResults + Sync) -> Dense {
        let groups = Group::all_of(material);
        let placements: Vec<Placements> = groups.iter().map(|group| group.placements()).collect();
        let squares: Vec<Vec<SquareSet>> = placements.iter().map(Placements::table).collect();
        let number = placements.iter().fold(64, |n, p| n * p.len());
        let placed = |number: usize| {
            let mut placed = Placing::new(Square::wrapping(number));
            let mut number = number / 64;
            for (men, squares) in placed.men.iter_mut().zip(&squares) {
                *men = squares[number % squares.len()];
                number /= squares.len();
            }
            placed
        };
        let lanes = (0..number).into_par_iter().erased().map(|number| {
            let placed = placed(number);
            match placed.apart() {
                Some(_) => lane(&placed),
                None => LaneResults::default(),
            }
        });
        Dense {
            lanes: lanes.collect(),
            groups,
            placements,
        }
    }

    /// The index of the first lane of a plane: the lanes that differ only in White's king. `men` are
    /// the men of a larger ending without the captured man, and `groups` its groups. The index is
    /// the same in all arrays of one material.
    pub fn plane(&self, men: &[SquareSet; MAX_GROUPS], groups: &[Group]) -> usize {
        let (mut number, mut radix) = (0, 64);
        for (own, placements) in self.groups.iter().zip(&self.placements) {
            let mut larger = groups.iter().zip(men);
            let found = larger.find(|(g, _)| (g.role, g.color) == (own.role, own.color));
            let men = found.map_or(SquareSet::EMPTY, |(_, &men)| men);
            number += placements.number(men) * radix;
            radix *= placements.len();
        }
        number
    }

    /// The lane of a plane with White's king on a square.
    pub fn at(&self, plane: usize, king: Square) -> LaneResults {
        self.lanes[plane + king.index()]
    }

    /// The lane of a placing: see [`Dense::plane`].
    pub fn lane(&self, placed: &Placing, groups: &[Group]) -> LaneResults {
        self.at(self.plane(&placed.men, groups), placed.king)
    }
}

/// The subendings that captures of one side's men lead to, by the role of the captured man.
#[derive(Debug, Default)]
pub struct AfterCaptures {
    endings: Vec<(Role, Arc<Dense>)>,
}

impl AfterCaptures {
    /// Wraps the subendings. Each is paired with the role of the captured man.
    pub fn new(endings: Vec<(Role, Arc<Dense>)>) -> AfterCaptures {
        AfterCaptures { endings }
    }

    /// The subending after the capture of a man of this role. The larger ending must have such a
    /// man.
    pub fn after(&self, role: Role) -> &Dense {
        let found = self.endings.iter().find(|(r, _)| *r == role);
        &found.expect("a captured man belongs to the ending").1
    }
}
