//! The verifier's own numbering of an ending's positions: by configuration of all men but Black's
//! king, then by the square of that king.

use std::ops::Range;

use crate::board::{Color, Game, Role, Square, SquareSet, attacks};
use crate::index::{Bia, BiaPlacements, Component, Group, Layout, Placements, Symmetry, Transform};
use crate::material::CanonicalMaterial;

/// The number of moves or plies that a side needs to win, or [`NEVER`].
///
/// With the winner to move, 0 marks an illegal position (a legal win takes at least one move). With
/// the loser to move, illegal positions are [`NEVER`], so that the winner never moves to one.
pub type Distance = u16;

/// The mark of a position without a win.
pub const NEVER: Distance = Distance::MAX;

/// The largest number of groups in an ending: four roles for each side.
const MAX_GROUPS: usize = 8;

/// The squares of each group of men. Indices beyond the grid's groups have empty sets.
pub type Men = [SquareSet; MAX_GROUPS];

/// A configuration: the squares of all men but Black's king.
#[derive(Clone, Debug)]
pub struct Config {
    /// The square of White's king.
    pub king: Square,
    /// The squares of each group.
    pub men: Men,
    /// The squares of the bia.
    pub bia: Bia,
    /// The number of the configuration in its grid.
    number: usize,
    /// The digits of `number`: one for each group, then one for White's king, then one for the bia.
    digits: [usize; MAX_GROUPS + 2],
}

impl Config {
    /// The squares of the bia and of the men of all groups. `None` if two of them share a square.
    pub fn men_apart(&self) -> Option<SquareSet> {
        self.bia.all().disjoint_union(self.men.iter().copied())
    }
}

/// The configurations with a man of one group on one of these squares.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The group, as an index into [`Grid::groups`].
    pub group: usize,
    /// The squares.
    pub squares: SquareSet,
}

impl Wanted {
    /// True if a configuration is wanted.
    pub fn contains(&self, config: &Config) -> bool {
        !(config.men[self.group] & self.squares).is_empty()
    }

    /// True if some of these cells of a layout belong to wanted configurations.
    pub fn is_in(&self, layout: &Layout, cells: Range<u64>) -> bool {
        let component = Component::Group(self.group);
        let stride = layout.stride(component);
        let placements = layout.placements(self.group);
        let radix = placements.len() as u64;
        let (first, last) = (cells.start / stride, cells.end.saturating_sub(1) / stride);
        let mut digits = first..=last.min(first + radix - 1);
        digits.any(|digit| self.has_placement(layout, (digit % radix) as usize))
    }

    /// True if configurations with this placement of the group are wanted.
    pub fn has_placement(&self, layout: &Layout, placement: usize) -> bool {
        let men = layout.placements(self.group).squares(placement);
        !(men & self.squares).is_empty()
    }

    /// The same configurations after an exchange of the colours, which reverses the ranks.
    pub fn of_other_colors(&self) -> Wanted {
        let reversed = self.squares.map(|square| square.flip_vertical());
        Wanted {
            group: self.group,
            squares: reversed.collect(),
        }
    }
}

/// The configurations of an ending, and their numbers.
#[derive(Clone, Debug)]
pub struct Grid {
    symmetry: Symmetry,
    /// The squares to which symmetry brings White's king.
    domain: Vec<Square>,
    /// The digit of White's king for each square of the domain.
    digits: [usize; 64],
    groups: Vec<Group>,
    placements: Vec<Placements>,
    /// For each group, the squares of each placement.
    squares: Vec<Vec<SquareSet>>,
    /// The placements of the bia. The index of a placement is the outermost digit.
    bia: BiaPlacements,
    /// The strides of the digits: one for each group, then one for White's king, then one for the
    /// bia.
    strides: Vec<usize>,
}

impl Grid {
    /// The grid of a material, with the symmetry of its table.
    pub fn new(material: CanonicalMaterial, symmetry: Symmetry) -> Grid {
        let groups = Layout::groups_of(material);
        let placements: Vec<Placements> = groups
            .iter()
            .map(|g| Placements::new(g.count, SquareSet::ALL))
            .collect();
        let domain = symmetry.domain();
        let mut digits = [0; 64];
        for (digit, square) in domain.iter().enumerate() {
            digits[square.index()] = digit;
        }
        let mut strides = vec![1; groups.len() + 1];
        for g in (0..groups.len()).rev() {
            strides[g] = strides[g + 1] * placements[g].len();
        }
        strides.rotate_left(1);
        strides.push(strides[groups.len()] * domain.len());
        Grid {
            symmetry,
            domain,
            digits,
            strides,
            bia: BiaPlacements::of(material.material()),
            squares: placements.iter().map(Placements::table).collect(),
            placements,
            groups,
        }
    }

    /// The grid of the same ending with exchanged colours.
    pub fn of_other_colors(&self) -> Grid {
        let mut grid = self.clone();
        for group in &mut grid.groups {
            group.color = !group.color;
        }
        let [white, black] = self.bia.bia(0).counts();
        grid.bia = BiaPlacements::new(self.bia.game(), [black, white]);
        grid
    }

    /// The game of the ending's bia; makruk if it has none.
    pub fn game(&self) -> Game {
        self.bia.game()
    }

    /// The groups, in the order of their digits.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The squares of White's king, in the order of its digit.
    pub fn kings(&self) -> &[Square] {
        &self.domain
    }

    /// The number of configurations.
    pub fn configs(&self) -> usize {
        self.bia.len() * self.configs_of_bia()
    }

    /// The number of configurations that have the bia on the same squares.
    fn configs_of_bia(&self) -> usize {
        self.strides[self.groups.len() + 1]
    }

    /// The number of positions on the whole board that symmetry makes equal to one position of a
    /// configuration, itself included.
    pub fn weight(&self, config: &Config) -> u64 {
        self.symmetry.weight(config.bia, config.king)
    }

    /// Writes the configuration with this number to `config`. Returns false if two of its men share
    /// a square. Fastest if `config` contains the configuration with the previous number.
    pub fn config(&self, number: usize, config: &mut Config) -> bool {
        match number == config.number.wrapping_add(1) {
            true => self.advance(config),
            false => self.divide(number, config),
        }
        config.number = number;
        let occupied = config.men_apart();
        occupied.is_some_and(|occupied| !occupied.contains(config.king))
    }

    /// Divides a number into its digits.
    fn divide(&self, mut number: usize, config: &mut Config) {
        for (g, squares) in self.squares.iter().enumerate().rev() {
            config.digits[g] = number % squares.len();
            config.men[g] = squares[config.digits[g]];
            number /= squares.len();
        }
        let kings = self.domain.len();
        config.digits[self.squares.len()] = number % kings;
        config.king = self.domain[number % kings];
        config.digits[self.squares.len() + 1] = number / kings;
        config.bia = self.bia.bia(number / kings);
    }

    /// Advances a configuration to the next number.
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
        if *digit == self.domain.len() {
            *digit = 0;
        }
        config.king = self.domain[*digit];
        if *digit != 0 {
            return;
        }
        let digit = &mut config.digits[self.squares.len() + 1];
        *digit += 1;
        config.bia = self.bia.bia(*digit);
    }

    /// A buffer for [`Grid::config`].
    pub fn scratch(&self) -> Config {
        Config {
            king: self.domain[0],
            men: Men::default(),
            bia: Bia::NONE,
            // No configuration has the next number.
            number: usize::MAX - 1,
            digits: [0; MAX_GROUPS + 2],
        }
    }

    /// The number of a configuration with White's king on any square of the board, and the
    /// transform to apply to its lane.
    pub fn number(&self, bia: Bia, king: Square, men: &[SquareSet]) -> (usize, Transform) {
        let transform = self.symmetry.to_domain(bia, king);
        let others = self.of_bia(bia) + self.of_men(transform, men);
        (others + self.of_king(transform, king), transform)
    }

    /// The number of a configuration among those with the same bia. The placement of the bia must
    /// be one with a number of its own, not a mirror image.
    pub fn number_with_bia(&self, king: Square, men: &[SquareSet]) -> usize {
        let identity = Transform::IDENTITY;
        self.of_king(identity, king) + self.of_men(identity, men)
    }

    /// The number that White's king adds to a configuration's number, under a transform.
    fn of_king(&self, transform: Transform, king: Square) -> usize {
        self.digits[transform.square(king).index()] * self.configs_of_king()
    }

    /// The number that the bia, or their mirror image, add to a configuration's number.
    fn of_bia(&self, bia: Bia) -> usize {
        if bia.is_empty() {
            return 0;
        }
        let (_, digit) = self
            .bia
            .number(bia)
            .expect("the bia are on ranks that bia can reach");
        digit * self.configs_of_bia()
    }

    /// The number of configurations with White's king on one square, which is the stride of that
    /// king's digit.
    pub fn configs_of_king(&self) -> usize {
        self.strides[self.groups.len()]
    }

    /// The stride of a component's digit. It is 0 for the lane: a configuration contains a whole
    /// lane, so the lane has no digit.
    pub fn stride(&self, component: Component) -> usize {
        match component {
            Component::Anchor => self.configs_of_king(),
            Component::Group(group) => self.strides[group],
            Component::Bia => self.configs_of_bia(),
            Component::Lane => 0,
        }
    }

    /// The number that the men of all groups add to a configuration's number, under a transform.
    fn of_men(&self, transform: Transform, men: &[SquareSet]) -> usize {
        let groups = 0..self.groups.len();
        groups
            .map(|group| self.of_group(group, transform.set(men[group])))
            .sum()
    }

    /// The number that the men of one group add to a configuration's number.
    pub fn of_group(&self, group: usize, squares: SquareSet) -> usize {
        self.placements[group].number(squares) * self.strides[group]
    }

    /// For each square of White's king on the board: the number of the configuration with these bia
    /// and men, and the transform to apply to its lane.
    pub fn numbers(&self, bia: Bia, men: &[SquareSet]) -> [(usize, Transform); 64] {
        let of_bia = self.of_bia(bia);
        // The men's share of the number, computed once for each transform.
        let mut known: Vec<(Transform, usize)> = Vec::with_capacity(8);
        std::array::from_fn(|square| {
            let king = Square::wrapping(square);
            let transform = self.symmetry.to_domain(bia, king);
            let found = known.iter().find(|(of, _)| *of == transform);
            let of_men = found.map(|&(_, of_men)| of_men).unwrap_or_else(|| {
                let of_men = self.of_men(transform, men);
                known.push((transform, of_men));
                of_men
            });
            (of_bia + self.of_king(transform, king) + of_men, transform)
        })
    }

    /// The squares of all men in a configuration.
    pub fn occupied(config: &Config) -> SquareSet {
        config
            .men
            .iter()
            .fold(config.bia.all().with(config.king), |all, &men| all | men)
    }

    /// The squares attacked by one side's men except its king. Black's king does not block them.
    pub fn attacked(&self, config: &Config, attacker: Color) -> SquareSet {
        let occupied = Grid::occupied(config);
        let mut attacked = config.bia.attacked(attacker);
        for (group, &men) in self.groups.iter().zip(&config.men) {
            if group.color == attacker {
                for square in men {
                    attacked |= attacks::attacks(group.role, attacker, square, occupied);
                }
            }
        }
        attacked
    }

    /// The legal squares of Black's king with this side to move.
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
        if config.bia.attacked(Color::Black).contains(config.king) {
            return SquareSet::ALL;
        }
        let mut checked = SquareSet::EMPTY;
        for (group, &men) in self.groups.iter().zip(&config.men) {
            if group.color == Color::White {
                continue;
            }
            for from in men {
                let reached = attacks::attacks(group.role, Color::Black, from, occupied);
                if reached.contains(config.king) {
                    // Black's king can block a rook's check, so the squares between the rook and
                    // White's king are left out.
                    checked |= match group.role {
                        Role::Rook => !attacks::between(from, config.king),
                        _ => SquareSet::ALL,
                    };
                }
            }
        }
        checked
    }

    /// The place of a configuration's cells in the layout of a table: the index of the cell with
    /// Black's king on a1, and the stride from one square's cell to the next.
    pub fn cells(&self, layout: &Layout, config: &Config) -> (usize, usize) {
        let (transform, base) = layout.lane_base(config.bia, config.king, |g| config.men[g]);
        debug_assert_eq!(transform, Transform::IDENTITY);
        (base as usize, layout.stride(Component::Lane) as usize)
    }
}
