//! Probes that return categories without distances, from verdict tables.

use std::cmp::Reverse;

use super::error::ProbeError;
use super::lookup::Lookup;
use super::store::Store;
use super::value::validate;
use crate::board::{Move, Position};
use crate::rules::{Category, Count, RuleSet, begins_afresh};

/// A legal move, with the least and the greatest category that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedMove {
    /// The move.
    pub m: Move,
    /// The least and the greatest possible category for the player who makes the move. They differ
    /// only if a side wins and the tables cannot tell whether the win is inside the count.
    pub bounds: [Category; 2],
    /// The category that the move would have if the count began right after the move.
    pub fresh: Category,
}

/// The moves of a position of which some tables may be missing.
#[derive(Debug)]
pub struct KnownMoves {
    /// The moves whose categories the tables have, best first.
    pub known: Vec<BoundedMove>,
    /// The other moves, each with its error.
    pub unknown: Vec<(Move, ProbeError)>,
}

/// Probes that return categories without distances, from
/// [`Tablebase::by_category`](super::Tablebase::by_category). One lookup in a verdict table yields
/// the category with a fresh count, which begins with the next move of the side that counts.
#[derive(Clone, Copy, Debug)]
pub struct ByCategory<'a> {
    store: &'a Store,
}

impl<'a> ByCategory<'a> {
    pub(super) fn new(store: &'a Store) -> ByCategory<'a> {
        ByCategory { store }
    }

    /// The category with a fresh count, from the verdict table alone. `None` if the position's
    /// ending has no verdict table.
    ///
    /// # Errors
    ///
    /// If the verdict table cannot be used.
    pub fn verdict(
        self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Option<Category>, ProbeError> {
        Lookup::under(self.store, rules).verdict(position, rules)
    }

    /// The least and the greatest possible category for the side to move, from one lookup in a
    /// verdict table. They differ only if a running count allows the winner fewer moves than a
    /// fresh count would. Then the table does not show whether the win is in time. Without a
    /// verdict table, both bounds equal the [category](super::Tablebase::category).
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::category`](super::Tablebase::category).
    pub fn bounds(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<[Category; 2], ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(self.store, rules).category_bounds(position, rules, count)
    }

    /// The legal moves, best first. They are sorted by the lower [bound](ByCategory::bounds) of
    /// their category, then by the upper bound, then by the category that they would have with a
    /// fresh count.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::category`](super::Tablebase::category), for the position and for every
    /// position after a move.
    pub fn moves(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Vec<BoundedMove>, ProbeError> {
        validate(position, rules, count)?;
        let mut lookup = Lookup::under(self.store, rules);
        let [least, most] = lookup.category_bounds(position, rules, count)?;
        let mut moves = Vec::new();
        for m in position.legal_moves_in(rules.game()) {
            moves.push(bounded(&mut lookup, position, rules, count, m, most)?);
        }
        moves.sort_by_key(|found| Reverse((found.bounds, found.fresh)));
        // The best move has the position's category. If only one move can have it, that move does.
        if let [first, others @ ..] = &mut moves[..]
            && others.iter().all(|other| other.bounds[1] < least)
        {
            first.bounds[0] = first.bounds[0].max(least);
        }
        Ok(moves)
    }

    /// The legal moves whose categories the tables have, sorted as by [`moves`](ByCategory::moves),
    /// and the other moves. A missing or corrupt table concerns only the moves that need it.
    ///
    /// # Errors
    ///
    /// If the position cannot have this count.
    pub fn known_moves(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<KnownMoves, ProbeError> {
        validate(position, rules, count)?;
        let mut lookup = Lookup::under(self.store, rules);
        let bounds = lookup.category_bounds(position, rules, count);
        let most = bounds.map_or(Category::Win, |[_, most]| most);
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for m in position.legal_moves_in(rules.game()) {
            match bounded(&mut lookup, position, rules, count, m, most) {
                Ok(found) => known.push(found),
                Err(error) => unknown.push((m, error)),
            }
        }
        known.sort_by_key(|found| Reverse((found.bounds, found.fresh)));
        Ok(KnownMoves { known, unknown })
    }
}

/// The bounds of a move's category. `most` is the greatest possible category of the position, which
/// no move exceeds.
fn bounded(
    lookup: &mut Lookup<'_>,
    position: &Position,
    rules: RuleSet,
    count: &Count,
    m: Move,
    most: Category,
) -> Result<BoundedMove, ProbeError> {
    let next = position.play(m);
    let [fresh, _] = lookup.category_bounds(&next, rules, &Count::Fresh)?;
    let after = count_after(count, rules, position, &next, fresh);
    let [worst, best] = lookup.category_bounds(&next, rules, &after)?;
    let mut bounds = [(-best).min(most), (-worst).min(most)];
    if count.is_clock_over(rules) {
        // The fifty-move rule has ended the game already.
        bounds = bounds.map(|category| match category {
            Category::Win => Category::CursedWin,
            Category::Loss => Category::BlessedLoss,
            category => category,
        });
    }
    Ok(BoundedMove {
        m,
        bounds,
        fresh: -fresh,
    })
}

/// The count after a move that leads to the position `next`: [`Count::Fresh`] if the move begins a
/// count. `fresh` is the category of the position `next` with a fresh count.
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
        _ if !position.is_pawnless() => begins_afresh(rules, position.material(), next.material()),
        (None, Some(_)) => true,
        // The first counted move is the bare king's, so this move of the stronger side precedes it.
        (Some(bare), _) => *count == Count::Fresh && turn != bare && after.running().is_some(),
        (None, None) => false,
    };
    if begins { Count::Fresh } else { after }
}
