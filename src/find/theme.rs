//! Puzzles about promotion.

use super::criteria::{Criteria, Promotion, can_promote};
use crate::board::{Color, Position, PromotionRule, Role, attacks};
use crate::material::CanonicalMaterial;

/// The theme of a puzzle with bia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// The solver could promote at once: either only promotion wins, or only another move does.
    PromoteOrWait,
    /// The solver has to hold a draw against a bia one step from its promotion.
    StopPromotion,
}

impl Theme {
    /// Both themes.
    pub const ALL: [Theme; 2] = [Theme::PromoteOrWait, Theme::StopPromotion];

    /// Its name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::PromoteOrWait => "promote-or-wait",
            Theme::StopPromotion => "stop-promotion",
        }
    }

    /// The theme of a name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The theme of a position that the side to move must win, or, if `wins` is false, hold.
    pub(super) fn of(position: &Position, wins: bool) -> Option<Theme> {
        match wins {
            true => can_promote(position).then_some(Theme::PromoteOrWait),
            false => is_threatened(position).then_some(Theme::StopPromotion),
        }
    }

    /// Adds the criteria of a theme's puzzles in an ending to the caller's. For the question
    /// whether to promote there are two searches: one for positions in which promotion is the
    /// answer, one for those in which it is not.
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

/// True if a bia of the side not to move is one step from promotion.
fn is_threatened(position: &Position) -> bool {
    let other = !position.turn();
    let mut bia = position.men(other, Role::Bia);
    bia.any(|from| {
        let mut steps = attacks::bia_step(other, from);
        steps.any(|to| PromotionRule::Met.is_due(other, to))
    })
}
