//! The moves of a position by their categories alone, where verdict tables have no distances.

use std::cmp::Reverse;

use super::error::ProbeError;
use super::lookup::Lookup;
use super::tablebase::{Tablebase, validate};
use crate::board::{Move, Position};
use crate::rules::{Category, Count, RuleSet};

/// A legal move and the bounds of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedMove {
    /// The move.
    pub m: Move,
    /// The least and the most that it can be worth to the player who makes it. They differ only in whether a
    /// win, of either player, is inside the count.
    pub bounds: [Category; 2],
    /// What it would be worth if the count began after it.
    pub fresh: Category,
}

impl Tablebase {
    /// The legal moves by what [`Tablebase::category_bounds`] tells of the positions after them, the best
    /// first: by the least that they are worth, then by the most, then by what they are worth with a count
    /// that begins after them. No distances are needed.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::category`], of the position and of that after each move.
    pub fn moves_by_category(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Vec<BoundedMove>, ProbeError> {
        validate(position, rules, count)?;
        let mut lookup = Lookup::under(self.store(), rules);
        let [least, most] = lookup.category_bounds(position, rules, count)?;
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let next = position.play(m);
            let [fresh, _] = lookup.category_bounds(&next, rules, &Count::Fresh)?;
            let after = count_after(count, rules, position, &next, fresh);
            let [worst, best] = lookup.category_bounds(&next, rules, &after)?;
            moves.push(BoundedMove {
                m,
                // No move is worth more than the position.
                bounds: [(-best).min(most), (-worst).min(most)],
                fresh: -fresh,
            });
        }
        moves.sort_by_key(|found| Reverse((found.bounds, found.fresh)));
        // The best is worth as much as the position. If only one can be, it is that one.
        if let [first, others @ ..] = &mut moves[..]
            && others.iter().all(|other| other.bounds[1] < least)
        {
            first.bounds[0] = first.bounds[0].max(least);
        }
        Ok(moves)
    }
}

/// The count after a move, as one that begins with `next` where it does. `fresh` is what that position is
/// worth with it.
fn count_after(
    count: &Count,
    rules: RuleSet,
    position: &Position,
    next: &Position,
    fresh: Category,
) -> Count {
    let turn = position.turn();
    let winner = match fresh {
        Category::Win | Category::CursedWin => !turn,
        Category::Draw | Category::BlessedLoss | Category::Loss => turn,
    };
    let after = count.after(rules, position, next, winner);
    let begins = match (position.material().bare_side(), next.material().bare_side()) {
        // No count runs while a bia stands.
        _ if !position.is_pawnless() => true,
        (None, Some(_)) => true,
        // The stronger side's move comes before the first that is counted.
        (Some(bare), _) => *count == Count::Fresh && turn != bare && after.running().is_some(),
        (None, None) => false,
    };
    if begins { Count::Fresh } else { after }
}
