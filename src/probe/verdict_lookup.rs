//! Looks up positions in verdict tables, in cached blocks or by decoding a word of a block.

use std::cell::RefCell;

use super::error::ProbeError;
use super::probe_header::{BitPlace, BlockPages, Side, VerdictContents};
use super::store::Store;
use super::tables_of::Found;
use crate::board::{Color, Position};
use crate::material::Material;
use crate::rules::{Category, RuleSet};
use crate::table::TableKind;
use crate::verdict::{Turn, VerdictBlock, WordPlace, is_decoded, word_number};

thread_local! {
    static VERDICT_SCRATCH: RefCell<VerdictBlock> = RefCell::default();
}

/// A lookup in a verdict table: does one side win a position?
#[derive(Clone, Copy)]
struct Query {
    slot: usize,
    winner: Color,
    rules: RuleSet,
    turn: Turn,
    place: BitPlace,
    /// True to fail if a block is not cached, instead of decoding it.
    only_cached: bool,
}

impl Store {
    /// The category for the side to move with a fresh count. `None` if there is no verdict table
    /// for these men. Fails if the table has no results for the rule set.
    pub fn verdict(
        &self,
        position: &Position,
        rules: RuleSet,
        only_cached: bool,
    ) -> Result<Option<Category>, ProbeError> {
        let men = position.material().in_game(rules.game());
        if men == Material::BARE_KINGS {
            return Ok(Some(Category::Draw));
        }
        loop {
            match self.verdict_of(men, position, rules, only_cached) {
                Err(error) => self.set_aside(error)?,
                category => return category,
            }
        }
    }

    /// The category as in [`Store::verdict`], from the first verdict table for these men.
    fn verdict_of(
        &self,
        men: Material,
        position: &Position,
        rules: RuleSet,
        only_cached: bool,
    ) -> Result<Option<Category>, ProbeError> {
        let Some(found) = self.verdicts.find(men) else {
            return Ok(None);
        };
        let known = self.verdicts.known_contents(found.slot);
        let (Found { slot, swapped }, contents) = match known {
            Some(contents) if contents.rules().contains(rules) => (found, contents),
            _ => self.verdicts_under(men, found, rules, only_cached)?,
        };
        let flipped;
        let position = match swapped {
            true => {
                flipped = position.flipped();
                &flipped
            }
            false => position,
        };
        for winner in Color::ALL {
            // With equal armies, Black's wins are White's with exchanged colours.
            let twin;
            let (position, winner) = if winner == Color::Black && men.white == men.black {
                twin = position.flipped();
                (&twin, Color::White)
            } else {
                (position, winner)
            };
            let Some(side) = contents.side(winner) else {
                continue;
            };
            let turn = match position.turn() == winner {
                true => Turn::Winner,
                false => Turn::Loser,
            };
            let query = Query {
                slot,
                winner,
                rules,
                turn,
                place: side.place(position),
                only_cached,
            };
            let category = match self.won(query, side)? {
                [false, _] => continue,
                [true, false] => Category::CursedWin,
                [true, true] => Category::Win,
            };
            return Ok(Some(match turn {
                Turn::Winner => category,
                Turn::Loser => -category,
            }));
        }
        Ok(Some(Category::Draw))
    }

    /// Finds a verdict table for these men with results for the rule set. Called if the first
    /// directory's table has no results for it or has not been opened yet.
    #[cold]
    fn verdicts_under(
        &self,
        men: Material,
        found: Found,
        rules: RuleSet,
        only_cached: bool,
    ) -> Result<(Found, &VerdictContents), ProbeError> {
        let usable = match only_cached {
            true => self.verdicts.known_under(found, rules),
            false => self.verdicts.usable_under(men, rules, &self.files)?,
        };
        match usable {
            Some((found, contents)) if contents.rules().contains(rules) => Ok((found, contents)),
            Some((_, contents)) => {
                let kind = TableKind::Verdicts;
                Err(self.missing_rules(kind, men, contents.rules(), rules))
            }
            None => Err(ProbeError::NotDecoded),
        }
    }

    /// Returns whether a position is won on the board, and whether it is won inside the count.
    #[inline]
    fn won(&self, query: Query, side: &Side) -> Result<[bool; 2], ProbeError> {
        let BitPlace {
            block,
            lane,
            lanes,
            bit,
            own,
        } = query.place;
        let pages = side.pages(block, &self.cache);
        let number = word_number(query.turn, lane, lanes);
        let has = |set: usize| {
            let found = match self.cache.get(pages.key(set), number) {
                Some(found) if is_decoded(found, own) => found,
                _ if query.only_cached => return Err(ProbeError::NotDecoded),
                _ => self.decode_word(query, set, &pages)?,
            };
            Ok(found >> bit & 1 != 0)
        };
        if !has(side.board)? {
            return Ok([false; 2]);
        }
        match side.in_time[usize::from(query.rules.id())] {
            None => Ok([true, false]),
            Some(set) if set == side.board => Ok([true; 2]),
            Some(set) => Ok([true, has(set)?]),
        }
    }

    #[cold]
    fn decode_word(
        &self,
        query: Query,
        set: usize,
        pages: &BlockPages<'_>,
    ) -> Result<u64, ProbeError> {
        let file = self.verdicts.file(query.slot, &self.files)?;
        let word = WordPlace {
            winner: query.winner,
            set,
            turn: query.turn,
            block: query.place.block,
            lane: query.place.lane,
        };
        VERDICT_SCRATCH.with_borrow_mut(|scratch| {
            let word = file.read_word(word, pages, scratch)?;
            Ok(word)
        })
    }
}
