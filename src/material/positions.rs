//! All positions of an ending.

use super::Material;
use crate::board::{Color, Game, Position, Role, Square, SquareSet, attacks};

/// The legal positions of some men with one side to move, on the whole board: see
/// [`Material::positions`].
#[derive(Clone, Debug)]
pub struct Positions {
    /// The men in the order in which they are placed.
    men: Vec<Placed>,
    /// For each man that is placed or about to be placed, the squares that are left to try.
    left: Vec<SquareSet>,
    /// The squares of the men that are placed.
    squares: Vec<Square>,
    turn: Color,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    color: Color,
    role: Role,
    /// The squares on which the man can stand.
    home: SquareSet,
    /// True if the man before it is of the same side and role. It then stands on a later square.
    is_like_the_last: bool,
}

impl Material {
    /// All legal positions with these men and this side to move, each once. They are those of the
    /// whole board: mirror images are different positions, exchanged men of the same side and role
    /// are not. Bia are on the squares that they can reach in the game.
    ///
    /// Bia are placed first, then the kings, so that successive positions are near each other in a
    /// table.
    ///
    /// ```
    /// use sakmak::Color;
    /// use sakmak::board::Game;
    /// use sakmak::material::Material;
    ///
    /// let rook: Material = "KRvK".parse()?;
    /// assert_eq!(rook.positions(Game::Makruk, Color::White).count(), 175_168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(self, game: Game, turn: Color) -> Positions {
        let mut men: Vec<(Color, Role)> = self.roles().collect();
        // The sort is stable, so like men stay together.
        men.sort_by_key(|&(_, role)| match role {
            Role::Bia => 0,
            Role::King => 1,
            _ => 2,
        });
        let mut last = None;
        let men: Vec<Placed> = men
            .into_iter()
            .map(|(color, role)| Placed {
                color,
                role,
                home: match role {
                    Role::Bia => game.bia_home(color),
                    _ => SquareSet::ALL,
                },
                is_like_the_last: last.replace((color, role)) == Some((color, role)),
            })
            .collect();
        let mut left = vec![SquareSet::EMPTY; men.len()];
        left[0] = men[0].home;
        Positions {
            squares: Vec::with_capacity(men.len()),
            men,
            left,
            turn,
        }
    }
}

impl Positions {
    /// The squares on which the next man may be placed.
    fn free(&self) -> SquareSet {
        let depth = self.squares.len();
        let man = self.men[depth];
        let taken: SquareSet = self.squares.iter().copied().collect();
        let mut free = man.home & !taken;
        if man.is_like_the_last {
            let last = self.squares[depth - 1].index();
            free &= SquareSet(u64::MAX.checked_shl(last as u32 + 1).unwrap_or(0));
        }
        if man.role == Role::King && depth > 0 && self.men[depth - 1].role == Role::King {
            // Kings never touch.
            free &= !attacks::king(self.squares[depth - 1]);
        }
        free
    }
}

impl Iterator for Positions {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        loop {
            let depth = self.squares.len();
            if depth == self.men.len() {
                let placed = self.men.iter().zip(&self.squares);
                let placed = placed.map(|(man, &square)| (square, man.color, man.role));
                let position = Position::from_men(placed, self.turn);
                self.squares.pop();
                match position {
                    Ok(position) => return Some(position),
                    Err(_) => continue,
                }
            }
            match self.left[depth].next() {
                Some(square) => {
                    self.squares.push(square);
                    if depth + 1 < self.men.len() {
                        self.left[depth + 1] = self.free();
                    }
                }
                // All squares of the first man have been tried.
                None if depth == 0 => return None,
                None => {
                    self.squares.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// All positions of three men, found by trying every placement.
    fn all_placements(roles: [(Color, Role); 3], game: Game, turn: Color) -> HashSet<Position> {
        let mut found = HashSet::new();
        for index in 0..64 * 64 * 64 {
            let squares = [index / 4096, index / 64 % 64, index % 64].map(Square::wrapping);
            let men = [0, 1, 2].map(|i| (squares[i], roles[i].0, roles[i].1));
            let at_home = |&(square, color, role): &(Square, Color, Role)| {
                role != Role::Bia || game.bia_home(color).contains(square)
            };
            if men.iter().all(at_home)
                && let Ok(position) = Position::from_men(men, turn)
            {
                found.insert(position);
            }
        }
        found
    }

    #[test]
    fn the_positions_are_all_legal_placements_each_once() {
        for name in ["KRvK", "KSvK", "KvKN", "KPvK", "KvKP"] {
            let material: Material = name.parse().unwrap();
            let roles: Vec<_> = material.roles().collect();
            for (game, turn) in [
                (Game::Makruk, Color::White),
                (Game::Makruk, Color::Black),
                (Game::Asean, Color::White),
            ] {
                let found: Vec<_> = material.positions(game, turn).collect();
                let distinct: HashSet<_> = found.iter().copied().collect();
                assert_eq!(found.len(), distinct.len(), "{name} {game:?} {turn}");
                let roles = roles.clone().try_into().unwrap();
                assert_eq!(distinct, all_placements(roles, game, turn), "{name}");
            }
        }
    }

    #[test]
    fn like_men_are_exchanged_without_a_new_position() {
        let mets: Material = "KMMvK".parse().unwrap();
        let found: Vec<_> = mets.positions(Game::Makruk, Color::Black).collect();
        let distinct: HashSet<_> = found.iter().copied().collect();
        assert_eq!(found.len(), distinct.len());
    }
}
