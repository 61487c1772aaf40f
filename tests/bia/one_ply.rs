//! Each value follows from the values one ply later.

use sakmak::board::{Color, Fen, Game, Lettering, Position, Role, SquareSet};
use sakmak::internals::Goal;

use crate::common::{HONOR, Libraries, material};

impl Libraries {
    /// The same, computed from the positions after each legal move.
    fn moves_by_one_ply(&mut self, winner: Color, goal: Goal, position: &Position) -> Option<u32> {
        if position.material().army(winner).is_empty() {
            return None;
        }
        let moves = position.legal_moves().into_iter();
        let after = moves.map(|m| self.moves(winner, goal, &position.play(m)));
        let after: Vec<Option<u32>> = after.collect();
        match position.turn() == winner {
            true => after.into_iter().flatten().min().map(|moves| moves + 1),
            false if after.is_empty() => position.is_check().then_some(0),
            false => after
                .into_iter()
                .try_fold(0, |most, moves| Some(most.max(moves?))),
        }
    }

    /// Asserts that a position's values follow from those one ply later.
    pub fn assert_one_ply(&mut self, position: &Position, what: &str) {
        for winner in Color::ALL {
            for goal in [Goal::Mate, HONOR] {
                let found = self.moves(winner, goal, position);
                let expected = self.moves_by_one_ply(winner, goal, position);
                let fen = Fen::new(*position).display(Lettering::Makruk).to_string();
                assert_eq!(found, expected, "{what}: {fen}, {winner} wins, {goal:?}");
            }
        }
    }

    /// Asserts this for a number of random positions.
    fn assert_one_ply_by_chance(&mut self, name: &str, positions: usize) {
        let mut chance = fastrand::Rng::with_seed(45);
        let mut looked_at = 0;
        while looked_at < positions {
            let men = material(name).roles().map(|(color, role)| {
                let squares = match role {
                    Role::Bia => Game::Makruk.bia_home(color),
                    _ => SquareSet::ALL,
                };
                let square = squares.into_iter().nth(chance.usize(0..squares.len()));
                (square.unwrap(), color, role)
            });
            let men: Vec<_> = men.collect();
            for turn in Color::ALL {
                if let Ok(position) = Position::from_men(men.iter().copied(), turn) {
                    self.assert_one_ply(&position, name);
                    looked_at += 1;
                }
            }
        }
    }
}

#[test]
fn values_are_those_of_one_ply() {
    let mut libraries = Libraries::default();
    for name in ["KRPvK", "KSPvK", "KPPvK", "KPvKP", "KRvKP", "KMvKP"] {
        libraries.assert_one_ply_by_chance(name, 4000);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn values_of_five_men_are_those_of_one_ply() {
    for name in [
        "KMPvKP", "KPPvKP", "KRPvKP", "KRPvKS", "KSPPvK", "KNPvKM", "KPPPvK", "KPPvKM",
    ] {
        Libraries::default().assert_one_ply_by_chance(name, 20_000);
    }
}
