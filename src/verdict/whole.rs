//! Checks that a header describes a whole verdict table: that it stores the wins of every side that
//! can win, and that its sets agree with the numbers of positions in each category.
//!
//! A checksum shows that a header has not changed since it was written, not that its content makes
//! sense: anybody can write a header with a good checksum. A probe relies on the facts checked here.

use super::header::{CodedSet, Header, Set, Side, resolve, version};
use crate::board::Color;
use crate::container::bytes::Parsed;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSet;

/// Fails unless the header is that of a whole verdict table of this material, in a file of this
/// format version.
pub(super) fn check(header: &Header, found: u32, material: CanonicalMaterial) -> Parsed<()> {
    if found != version(material, header.rules) {
        return Err("its format version is not that of tables with these rule sets");
    }
    let men = material.material();
    let twins = men.white == men.black;
    let can_win = |winner: &Color| {
        let by_exchange = *winner == Color::Black && twins;
        !material.army(*winner).is_empty() && !by_exchange
    };
    let winners = Color::ALL.into_iter().filter(can_win);
    if !winners.eq(header.sides.iter().map(|side| side.winner)) {
        return Err("it does not store the wins of each side that can win");
    }
    check_numbers(header, twins)?;
    let mut sides = header.sides.iter();
    sides.try_for_each(|side| check_sets(header, side))
}

/// The numbers of a side's wins under a rule set with White and with Black to move: first those
/// inside the count, then those outside it.
fn wins(header: &Header, winner: Color, rules: RuleSet) -> [[u64; 2]; 2] {
    let counts = &header.counts[usize::from(rules.id())];
    let to_move = |turn: Color| {
        let [win, cursed, _, blessed, loss] = counts[turn.index()];
        match turn == winner {
            true => [win, cursed],
            false => [loss, blessed],
        }
    };
    let [white, black] = Color::ALL.map(to_move);
    [[white[0], black[0]], [white[1], black[1]]]
}

/// Checks that the numbers of positions agree: under every rule set there are as many positions,
/// and as many of them are won if nothing is counted. Numbers of missing rule sets are 0.
fn check_numbers(header: &Header, twins: bool) -> Parsed<()> {
    // Symmetry maps at most eight positions of the board to one bit.
    let planes = header.sides.iter().map(|side| side.planes).max();
    let most = planes.unwrap_or(0).saturating_mul(8 * 64 * 64);
    let mut missing = header.rules.missing();
    let of = |rules: RuleSet| &header.counts[usize::from(rules.id())];
    if missing.any(|rules| of(rules).iter().flatten().any(|&number| number > 0)) {
        return Err("it counts positions under a rule set that the header does not list");
    }
    let mut expected = None;
    for rules in header.rules.iter() {
        let mut totals = [0u64; 2];
        for (total, numbers) in totals.iter_mut().zip(of(rules)) {
            let sum = numbers.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
            *total = sum
                .filter(|&sum| sum <= most)
                .ok_or("it counts more positions than there are")?;
        }
        let on_board = Color::ALL.map(|winner| {
            let [inside, outside] = wins(header, winner, rules);
            [inside[0] + outside[0], inside[1] + outside[1]]
        });
        let found = (totals, on_board);
        if *expected.get_or_insert(found) != found {
            return Err("its numbers of positions differ between rule sets");
        }
        let [white, black] = of(rules);
        if twins && white != black {
            return Err("its numbers of positions differ between equal sides");
        }
        let stored = |winner: Color| header.sides.iter().any(|side| side.winner == winner);
        let none = |winner: &Color| !stored(*winner) && !twins;
        let won = |winner: Color| on_board[winner.index()] != [0; 2];
        if Color::ALL.into_iter().filter(none).any(won) {
            return Err("it counts wins of a side whose wins it does not store");
        }
    }
    Ok(())
}

/// Checks that a side's sets are empty or equal where the numbers of its wins say so.
fn check_sets(header: &Header, side: &Side) -> Parsed<()> {
    let stored = |set: Set| resolve(&side.sets, set.place());
    let board = stored(Set::Board);
    let numbers = |rules| wins(header, side.winner, rules);
    let mut seen: Vec<(Option<usize>, [u64; 2])> = Vec::new();
    for rules in header.rules.iter() {
        let [inside, outside] = numbers(rules);
        let on_board = [inside[0] + outside[0], inside[1] + outside[1]];
        seen.push((board, on_board));
        seen.push((stored(Set::InTime(rules)), inside));
    }
    let agree = seen.iter().all(|&(set, number)| {
        let is_empty = number == [0; 2];
        let same = |&(other, others): &(Option<usize>, [u64; 2])| other != set || others == number;
        is_empty == set.is_none() && seen.iter().all(same)
    });
    if !agree {
        return Err("its sets do not match its numbers of positions");
    }
    // A side that wins inside a count also wins on the board. So every other set has a parent, and
    // no more wins than it.
    let within = |&(place, set): &(usize, &CodedSet)| {
        let of = |place| seen.iter().find(|&&(other, _)| other == Some(place));
        let parent = set.parent.and_then(|parent| resolve(&side.sets, parent));
        match (of(place), parent.and_then(of)) {
            (Some((_, own)), Some((_, parent))) => own[0] <= parent[0] && own[1] <= parent[1],
            _ => place == Set::Board.place(),
        }
    };
    match side.coded().all(|set| within(&set)) {
        true => Ok(()),
        false => Err("the parent of a set does not contain it"),
    }
}
