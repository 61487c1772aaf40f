//! The verifier's own arrangement of an ending: every placing of all men but Black's king, and
//! for each the 64 squares of that king.
//!
//! It is laid out anew from the rules, on purpose: nothing of the solver is used here.

use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Bia, Component, Group, Layout, Placements, Symmetry, Transform};
use crate::material::CanonicalMaterial;

/// How far a side is from winning: moves, or never.
///
/// With the winner to move 0 marks an illegal position (a legal one takes at least a move); with
/// the loser to move illegal positions are [`NEVER`], which no winner picks.
pub type Distance = u16;

/// The distance of what is not won.
pub const NEVER: Distance = Distance::MAX;

/// The most groups of men: four kinds a side.
const MAX_GROUPS: usize = 8;

/// The squares of each group of a grid; none for those it does not have.
pub type Men = [SquareSet; MAX_GROUPS];

/// White's king and both sides' men; Black's king is the lane.
#[derive(Clone, Debug)]
pub struct Config {
    /// The square of White's king.
    pub king: Square,
    /// The squares of the men.
    pub men: Men,
    /// The number.
    number: usize,
    /// The digits of its groups, and last of White's king.
    digits: [usize; MAX_GROUPS + 1],
}

/// The placings of an ending.
#[derive(Clone, Debug)]
pub struct Grid {
    symmetry: Symmetry,
    domain: Vec<Square>,
    /// The digit of White's king for each square, brought into the domain.
    digits: [usize; 64],
    groups: Vec<Group>,
    placements: Vec<Placements>,
    squares: Vec<Vec<SquareSet>>,
    /// What a step of each group's digit adds to a number, and last of White's king's.
    strides: Vec<usize>,
}

impl Grid {
    /// The grid of a material with the symmetry that its file uses.
    pub fn new(material: CanonicalMaterial, symmetry: Symmetry) -> Grid {
        let groups = Layout::groups_of(material);
        let placements: Vec<Placements> = groups
            .iter()
            .map(|g| Placements::new(g.count, SquareSet::ALL))
            .collect();
        let domain = symmetry.domain();
        let mut digits = [0; 64];
        for square in Square::all() {
            let image = symmetry.to_domain(Bia::NONE, square).square(square);
            let digit = domain.iter().position(|&s| s == image);
            digits[square.index()] = digit.expect("symmetry leads into the domain");
        }
        let mut strides = vec![1; groups.len() + 1];
        for g in (0..groups.len()).rev() {
            strides[g] = strides[g + 1] * placements[g].len();
        }
        strides.rotate_left(1);
        Grid {
            symmetry,
            domain,
            digits,
            strides,
            squares: placements.iter().map(Placements::table).collect(),
            placements,
            groups,
        }
    }

    /// The same with the men's colours exchanged.
    pub fn of_other_colors(&self) -> Grid {
        let mut grid = self.clone();
        for group in &mut grid.groups {
            group.color = !group.color;
        }
        grid
    }

    /// The groups of men.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of configurations.
    pub fn configs(&self) -> usize {
        self.squares
            .iter()
            .fold(self.domain.len(), |n, squares| n * squares.len())
    }

    /// The positions of the whole board that each position of a configuration stands for.
    pub fn weight(&self, config: &Config) -> u64 {
        self.symmetry.weight(Bia::NONE, config.king)
    }

    /// The configuration with this number; false if two of its men share a square. Those after one
    /// another are found fastest.
    pub fn config(&self, number: usize, config: &mut Config) -> bool {
        match number == config.number.wrapping_add(1) {
            true => self.advance(config),
            false => self.divide(number, config),
        }
        config.number = number;
        let mut occupied = config.king.set();
        config.men.iter().all(|&men| {
            let free = (occupied & men).is_empty();
            occupied |= men;
            free
        })
    }

    /// Finds the digits of a number.
    fn divide(&self, mut number: usize, config: &mut Config) {
        for (g, squares) in self.squares.iter().enumerate().rev() {
            config.digits[g] = number % squares.len();
            config.men[g] = squares[config.digits[g]];
            number /= squares.len();
        }
        config.digits[self.squares.len()] = number;
        config.king = self.domain[number];
    }

    /// Goes on to the next number.
    fn advance(&self, config: &mut Config) {
        for (g, squares) in self.squares.iter().enumerate().rev() {
            let digit = &mut config.digits[g];
            *digit += 1;
            if *digit == squares.len() {
                *digit = 0;
            }
            config.men[g] = squares[*digit];
            if *digit != 0 {
                return;
            }
        }
        let digit = &mut config.digits[self.squares.len()];
        *digit += 1;
        config.king = self.domain[*digit];
    }

    /// Room for a configuration.
    pub fn room(&self) -> Config {
        Config {
            king: self.domain[0],
            men: Men::default(),
            // No number follows it.
            number: usize::MAX - 1,
            digits: [0; MAX_GROUPS + 1],
        }
    }

    /// The number of a configuration anywhere on the board, and the transform to apply to the
    /// lane.
    pub fn number(&self, king: Square, men: &[SquareSet]) -> (usize, Transform) {
        let transform = self.symmetry.to_domain(Bia::NONE, king);
        let of_king = self.digits[king.index()] * self.configs_of_king();
        (of_king + self.of_men(transform, men), transform)
    }

    /// The configurations with White's king on one square of the domain: what its step adds to a number.
    pub fn configs_of_king(&self) -> usize {
        self.strides[self.groups.len()]
    }

    /// What a step of a component adds to a number. A lane has one number.
    pub fn step(&self, component: Component) -> usize {
        match component {
            Component::Anchor => self.configs_of_king(),
            Component::Group(group) => self.strides[group],
            Component::Lane | Component::Bia => 0,
        }
    }

    /// What men add to a number, brought there by a transform.
    fn of_men(&self, transform: Transform, men: &[SquareSet]) -> usize {
        let groups = 0..self.groups.len();
        groups
            .map(|group| self.of_group(group, transform.set(men[group])))
            .sum()
    }

    /// What the men of a group on these squares add to the number of a configuration.
    pub fn of_group(&self, group: usize, squares: SquareSet) -> usize {
        self.placements[group].number(squares) * self.strides[group]
    }

    /// The numbers of the configurations of these men with White's king on each square, and the
    /// transforms to apply to their lanes.
    pub fn numbers(&self, men: &[SquareSet]) -> [(usize, Transform); 64] {
        // Of the men, once for each transform.
        let mut known: Vec<(Transform, usize)> = Vec::with_capacity(8);
        std::array::from_fn(|square| {
            let king = Square::wrapping(square);
            let transform = self.symmetry.to_domain(Bia::NONE, king);
            let found = known.iter().find(|(of, _)| *of == transform);
            let of_men = found.map(|&(_, of_men)| of_men).unwrap_or_else(|| {
                let of_men = self.of_men(transform, men);
                known.push((transform, of_men));
                of_men
            });
            (
                self.digits[square] * self.configs_of_king() + of_men,
                transform,
            )
        })
    }

    /// The squares of all men of a configuration.
    pub fn occupied(config: &Config) -> SquareSet {
        config
            .men
            .iter()
            .fold(config.king.set(), |all, &men| all | men)
    }

    /// The squares that the men of one colour attack, without their king; Black's king is in
    /// nobody's way.
    pub fn attacked(&self, config: &Config, by: Color) -> SquareSet {
        let occupied = Grid::occupied(config);
        let mut attacked = SquareSet::EMPTY;
        for (group, &men) in self.groups.iter().zip(&config.men) {
            if group.color == by {
                for square in men {
                    attacked |= attacks::attacks(group.role, by, square, occupied);
                }
            }
        }
        attacked
    }

    /// The squares of Black's king for which the position is legal with this side to move.
    pub fn legal(&self, config: &Config, turn: Color) -> SquareSet {
        let free = !Grid::occupied(config) & !attacks::king(config.king);
        match turn {
            Color::White => free & !self.attacked(config, Color::White),
            Color::Black => free & !self.checked(config),
        }
    }

    /// The squares of Black's king for which White's king is in check.
    pub fn checked(&self, config: &Config) -> SquareSet {
        let occupied = Grid::occupied(config);
        let mut checked = SquareSet::EMPTY;
        for (group, &men) in self.groups.iter().zip(&config.men) {
            if group.color == Color::White {
                continue;
            }
            for from in men {
                let reached = attacks::attacks(group.role, Color::Black, from, occupied);
                if reached.contains(config.king) {
                    // A rook's check is off where the king itself stands between.
                    checked |= match group.role {
                        Role::Rook => !attacks::between(from, config.king),
                        _ => SquareSet::ALL,
                    };
                }
            }
        }
        checked
    }

    /// For a file's layout: the number of the cell with a configuration's lane on a1, and what a
    /// lane's step adds.
    pub fn cells(&self, layout: &Layout, config: &Config) -> (usize, usize) {
        let (transform, base) = layout.lane_base(Bia::NONE, config.king, |g| config.men[g]);
        debug_assert_eq!(transform, Transform::IDENTITY);
        (base as usize, layout.stride(Component::Lane) as usize)
    }
}
