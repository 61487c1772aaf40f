//! Chooses positions that test a reader of tables in different ways.

use std::collections::BTreeMap;

use sakmak::board::{Fen, Position};
use sakmak::probe::{Distance, DistanceAnswer, Moves, Tablebase};
use sakmak::rules::{Category, Count, LimitKind, RuleSet, moves_available};

use super::Golden;

/// Situations of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Mated,
    Stalemated,
    /// The side to move is forced to end the last bia, and loses by that.
    Lost,
    Promotes,
    Captures,
    Moves,
}

/// How far a count has got between its beginning and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Counted {
    Fresh,
    /// The winner has exactly the moves that it needs.
    Enough,
    /// One move short.
    Late,
    Over,
}

/// How many answers to choose.
pub struct Most {
    pub lines: usize,
    /// The number of positions that have the same category and the same state of the count.
    pub alike: usize,
}

/// Answers some of these positions under a rule set. They have every category, every state of the
/// count, every kind of move, and either side to move.
pub fn choose(
    tablebase: &Tablebase,
    positions: &[Position],
    rules: RuleSet,
    most: &Most,
) -> Vec<Golden> {
    let mut found: BTreeMap<(Category, Counted), BTreeMap<(Kind, usize), Golden>> = BTreeMap::new();
    // White's answers first, or Black's, by the ending.
    let men = positions.first().map(|position| position.material());
    let roles = men.iter().flat_map(|men| men.roles());
    let first_turn = roles.map(|(_, role)| role.index()).sum::<usize>();
    for (i, &position) in positions.iter().enumerate() {
        let answer = |fen: &Fen| tablebase.answer(fen, rules)?.with_distances();
        let Ok(fresh) = answer(&Fen::new(position)) else {
            continue;
        };
        let mut answers = vec![(Counted::Fresh, fresh)];
        if i % 8 == 0 {
            for (counted, fen) in counts(&answers[0].1) {
                answers.extend(answer(&fen).ok().map(|answer| (counted, answer)));
            }
        }
        for (counted, answer) in answers {
            let alike = found.entry((answer.value.category, counted)).or_default();
            let key = (kind(&answer), (position.turn().index() + first_turn) % 2);
            alike.entry(key).or_insert_with(|| Golden::new(&answer));
        }
    }
    // One of each in turn, beginning with another under each rule set, until there are enough.
    let mut rest: Vec<_> = found
        .into_values()
        .map(|alike| alike.into_values().take(most.alike))
        .collect();
    let first = 4 * usize::from(rules.id()) % rest.len().max(1);
    rest.rotate_left(first);
    let mut chosen = Vec::new();
    while chosen.len() < most.lines && !rest.is_empty() {
        rest.retain_mut(|alike| {
            let next = alike.next().filter(|_| chosen.len() < most.lines);
            chosen.extend(next.clone());
            next.is_some()
        });
    }
    chosen
}

fn kind(answer: &DistanceAnswer) -> Kind {
    match answer.moves.first() {
        None if answer.checkmate() => Kind::Mated,
        None => Kind::Stalemated,
        Some(_) if answer.value.dth == Some(Distance::Loss(Moves(0))) => Kind::Lost,
        Some(best) if best.m.promotion.is_some() => Kind::Promotes,
        Some(best) if best.capture => Kind::Captures,
        Some(_) => Kind::Moves,
    }
}

/// The position with three counts: one that just leaves the winner enough moves, the same with one
/// more move counted, and one that is over.
fn counts(fresh: &DistanceAnswer) -> Vec<(Counted, Fen)> {
    let (value, position) = (&fresh.value, fresh.fen.position);
    let needed = value.dth.and_then(Distance::moves).or(value.dtm.moves());
    let (Some(needed), Some(allowance)) = (needed, value.allowance) else {
        return Vec::new();
    };
    let Some(winner) = value.dtm.winner(position.turn()) else {
        return Vec::new();
    };
    let needed = u32::from(needed.0);
    let count = |plies: u32| match allowance.kind {
        LimitKind::FiftyMoves => Count::of_plies(0, plies),
        _ => Count::of_plies(2 * allowance.limit, plies),
    };
    let left = |count: &Count| {
        let men = position.material();
        moves_available(fresh.rules, men, winner, position.turn(), count)
    };
    let all = (1..2 * allowance.limit + 3).map(count);
    let all: Vec<(Count, Option<u32>)> = all.map(|count| (count, left(&count))).collect();
    let enough = all.iter().rfind(|(_, left)| *left == Some(needed));
    let late = all.iter().find(|(_, left)| *left == needed.checked_sub(1));
    let places = [
        (Counted::Enough, enough),
        (Counted::Late, late),
        (Counted::Over, all.last()),
    ];
    places
        .into_iter()
        .filter_map(|(place, found)| Some((place, found?.0.to_fen(position, 60))))
        .collect()
}
