//! Random positions of given men.

use sakmak::board::{Color, Game, Position, Role, Square};
use sakmak::material::CanonicalMaterial;

use crate::Random;

/// One attempt at a legal position of these men: each is put where `square` says, which is given
/// a random number below 64, a bia on one of the squares where those of the game stand.
pub fn place(
    random: &mut Random,
    game: Game,
    men: &[(Color, Role)],
    turn: Color,
    square: impl Fn(usize) -> usize,
) -> Option<Position> {
    let mut put = |&(color, role)| {
        let place = match role {
            Role::Bia => {
                let home = game.bia_home(color);
                home.into_iter().nth(random.below(home.len()))
            }
            _ => Some(Square::wrapping(square(random.below(64)))),
        };
        (place.unwrap_or(Square::wrapping(0)), color, role)
    };
    let men: Vec<_> = men.iter().map(&mut put).collect();
    Position::from_men(men, turn).ok()
}

/// One attempt at a legal position of an ending, `first` having the men that are White's in its name.
pub fn place_ending(
    random: &mut Random,
    ending: CanonicalMaterial,
    first: Color,
    turn: Color,
) -> Option<Position> {
    let army = |of, color| {
        let men = ending.army(of).men().collect::<Vec<_>>();
        let roles = [Role::King].into_iter().chain(men);
        roles.map(move |role| (color, role))
    };
    let men = army(Color::White, first).chain(army(Color::Black, !first));
    let men: Vec<_> = men.collect();
    place(random, Game::Makruk, &men, turn, |anywhere| anywhere)
}
