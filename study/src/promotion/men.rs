//! The men of a position without the kings, by side and role.

use sakmak::board::{Color, Position, Role, Square, SquareSet};
use sakmak::index::Bia;
use sakmak::material::Material;

/// All men except the kings, by side and role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Men([[u64; Role::ALL.len()]; 2]);

impl Men {
    /// Makes the set from the squares of each group.
    pub fn new(men: &[(Color, Role, SquareSet)]) -> Men {
        let mut all = Men::default();
        for &(color, role, squares) in men {
            all.0[color.index()][role.index()] |= squares.0;
        }
        all
    }

    /// The squares of one side's men of one role.
    pub fn of(&self, color: Color, role: Role) -> SquareSet {
        SquareSet(self.0[color.index()][role.index()])
    }

    /// The bia of both sides.
    pub fn bia(&self) -> Bia {
        Bia::new(Color::ALL.map(|color| self.of(color, Role::Bia)))
    }

    /// All men of a side.
    pub fn by_color(&self, color: Color) -> SquareSet {
        SquareSet(self.0[color.index()].iter().fold(0, |all, men| all | men))
    }

    /// The squares of all these men.
    pub fn occupied(&self) -> SquareSet {
        self.by_color(Color::White) | self.by_color(Color::Black)
    }

    /// The role of a side's man on a square.
    pub fn role_at(&self, color: Color, square: Square) -> Option<Role> {
        let mut roles = Role::ALL.into_iter();
        roles.find(|&role| self.of(color, role).contains(square))
    }

    /// A copy with this man added on the square or, if it already stands there, removed.
    #[must_use]
    pub fn toggled(mut self, color: Color, role: Role, square: Square) -> Men {
        self.0[color.index()][role.index()] ^= square.set().0;
        self
    }

    /// The men with colours exchanged and ranks reversed.
    #[must_use]
    pub fn swapped(&self) -> Men {
        let [white, black] = self.0.map(|men| men.map(u64::swap_bytes));
        Men([black, white])
    }

    /// The groups with at least one man.
    pub fn groups(&self) -> Vec<(Color, Role, SquareSet)> {
        let all = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| (color, role, self.of(color, role))));
        all.filter(|(.., men)| men.0 != 0).collect()
    }

    /// The material of these men and two kings.
    pub fn material(&self) -> Material {
        let mut material = Material::BARE_KINGS;
        for (color, role, squares) in self.groups() {
            for _ in squares {
                let army = material.army(color).with(role);
                material = material.with_army(color, army);
            }
        }
        material
    }

    /// The position with these men and these kings, the winner's king first. None if it is illegal.
    pub fn position(&self, winner: Color, kings: [Square; 2], turn: Color) -> Option<Position> {
        let men = self.groups().into_iter();
        let men = men.flat_map(|(color, role, men)| men.map(move |square| (square, color, role)));
        let kings = [
            (kings[0], winner, Role::King),
            (kings[1], !winner, Role::King),
        ];
        Position::from_men(men.chain(kings), turn).ok()
    }
}
