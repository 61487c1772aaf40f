//! The themes of puzzles about promotion.

use super::criteria::{Criteria, Promotion, can_promote};
use sakmak::board::{Color, Game, Position, Role, attacks};
use sakmak::material::CanonicalMaterial;

/// The theme of a puzzle about promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// The solver can promote at once, and has only one winning move: a promotion or another move.
    PromoteOrWait,
    /// The solver has to draw against a bia that is one step from promotion.
    StopPromotion,
}

impl Theme {
    /// Both themes.
    pub const ALL: [Theme; 2] = [Theme::PromoteOrWait, Theme::StopPromotion];

    /// The name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::PromoteOrWait => "promote-or-wait",
            Theme::StopPromotion => "stop-promotion",
        }
    }

    /// The theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The theme of a position, if it has one. `wins` is true if the side to move has to win, false
    /// if it has to draw.
    pub(super) fn of(position: &Position, wins: bool) -> Option<Theme> {
        match wins {
            true => can_promote(position).then_some(Theme::PromoteOrWait),
            false => is_threatened(position).then_some(Theme::StopPromotion),
        }
    }

    /// The criteria for an ending's puzzles of this theme: those in `wanted` combined with the
    /// theme's own. Returns one element for each search. For each side with bia,
    /// [`Theme::PromoteOrWait`] needs two searches: one for positions in which promotion is the
    /// solution, and one for those in which it is not.
    pub(super) fn wanted(self, ending: CanonicalMaterial, wanted: &Criteria) -> Vec<Criteria> {
        let has_bia = |side: &Color| !ending.army(*side).is_pawnless();
        let mut all = Vec::new();
        for side in Color::ALL.into_iter().filter(has_bia) {
            let turn = match self {
                Theme::PromoteOrWait => side,
                Theme::StopPromotion => !side,
            };
            let answers: &[Option<Promotion>] = match self {
                Theme::PromoteOrWait => &[Some(Promotion::ThrowsWin), Some(Promotion::Only)],
                Theme::StopPromotion => &[None],
            };
            all.extend(answers.iter().map(|&promotion| Criteria {
                turn: Some(turn),
                promotion,
                only_move: true,
                ..wanted.clone()
            }));
        }
        all
    }
}

/// True if the side that is not to move has a bia one step from promotion.
fn is_threatened(position: &Position) -> bool {
    let other = !position.turn();
    let mut bia = position.men(other, Role::Bia);
    bia.any(|from| {
        let mut steps = attacks::bia_step(other, from);
        steps.any(|to| Game::Makruk.promotes(other, to))
    })
}
