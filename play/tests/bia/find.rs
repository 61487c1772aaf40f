//! A search for positions with bia finds the same as a scan of every position.

use std::collections::BTreeSet;

use sakmak::board::{Color, Lettering, Position, Role, Square};
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, Count, RuleSet};
use sakmak_play::find::{Criteria, CriteriaError, Finder, FirstMove, Promotion};

use crate::common::{material, shared_tables, tables};
use crate::making::make_all;

use RuleSet::{Asean, Makruk};

/// A position and its mirror image as one text.
fn family(position: &Position) -> String {
    let text = |position: &Position| {
        let men = Square::all().filter_map(|square| {
            let (color, role) = position.man_at(square)?;
            Some(format!(
                "{color}{}{square} ",
                Lettering::Makruk.letter(role)
            ))
        });
        men.collect::<String>() + &position.turn().to_string()
    };
    text(position).min(text(&position.mirrored()))
}

/// The legal positions of an ending with the men that `stands` allows on their squares.
fn every_position(
    name: &str,
    stands: &dyn Fn(Color, Role, Square) -> bool,
    visit: &mut dyn FnMut(Position),
) {
    let game = material(name).game();
    let men: Vec<(Color, Role)> = material(name).roles().collect();
    let squares: Vec<Vec<Square>> = men
        .iter()
        .map(|&(color, role)| {
            let home =
                |square: &Square| role != Role::Bia || game.bia_home(color).contains(*square);
            let all = Square::all().filter(home);
            all.filter(|&square| stands(color, role, square)).collect()
        })
        .collect();
    let mut at = vec![0; men.len()];
    loop {
        let placed = men.iter().zip(&squares).zip(&at);
        let placed: Vec<_> = placed
            .map(|((&(color, role), squares), &i)| (squares[i], color, role))
            .collect();
        for turn in Color::ALL {
            if let Ok(position) = Position::from_men(placed.iter().copied(), turn) {
                visit(position);
            }
        }
        let Some(next) = (0..at.len()).rev().find(|&i| at[i] + 1 < squares[i].len()) else {
            return;
        };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
}

/// The results of a position by the rules and the values after each move.
struct Facts {
    turn: Color,
    category: Category,
    dtm: Option<u16>,
    /// For each legal move whether it promotes, and its result.
    moves: Vec<(bool, i8)>,
}

impl Facts {
    fn of(tablebase: &Tablebase, rules: RuleSet, position: &Position) -> Facts {
        let value = tablebase.probe(position, rules, &Count::Fresh).unwrap();
        let moves = position.legal_moves_in(rules.game());
        let moves = moves.iter().map(|&m| {
            let next = position.play(m);
            let after = tablebase.probe(&next, rules, &Count::Fresh).unwrap();
            (m.promotion.is_some(), -after.category.points())
        });
        Facts {
            turn: position.turn(),
            category: value.category,
            dtm: value.dtm.moves().map(|moves| moves.0),
            moves: moves.collect(),
        }
    }

    fn best(&self) -> Option<i8> {
        self.moves.iter().map(|m| m.1).max()
    }

    /// The number of moves that keep the result, and of those that promote.
    fn keeping(&self) -> (usize, usize) {
        let keeping = self.moves.iter().filter(|m| Some(m.1) == self.best());
        (keeping.clone().count(), keeping.filter(|m| m.0).count())
    }

    fn promotes_to(&self, promotion: Promotion) -> bool {
        let (keeping, promoting) = self.keeping();
        self.category == Category::Win
            && match promotion {
                Promotion::ThrowsWin => self.moves.iter().any(|&(is, points)| is && points < 1),
                Promotion::Wins => promoting > 0,
                Promotion::Only => keeping == promoting && keeping < self.moves.len(),
            }
    }
}

type Asked = Box<dyn Fn(&Facts) -> bool>;

fn promotions(rules: RuleSet) -> Vec<(Criteria, Asked)> {
    let all = Promotion::ALL.into_iter().map(|promotion| {
        let wanted = Criteria {
            promotion: Some(promotion),
            turn: None,
            ..Criteria::new(rules)
        };
        let asked = move |facts: &Facts| facts.promotes_to(promotion);
        (wanted, Box::new(asked) as Asked)
    });
    all.collect()
}

fn options(rules: RuleSet) -> Vec<(Criteria, Asked)> {
    let plain = || Criteria {
        turn: None,
        ..Criteria::new(rules)
    };
    let mut all = promotions(rules);
    all.push((plain(), Box::new(|_| true)));
    for category in Category::ALL {
        let wanted = Criteria {
            category: Some(category),
            ..plain()
        };
        all.push((wanted, Box::new(move |facts| facts.category == category)));
    }
    let dtm = Criteria {
        dtm: Some(5..=9),
        ..plain()
    };
    let in_range = |facts: &Facts| facts.dtm.is_some_and(|dtm| (5..=9).contains(&dtm));
    all.push((dtm, Box::new(in_range)));
    let only = Criteria {
        only_move: true,
        ..plain()
    };
    let is_only = |facts: &Facts| {
        facts.best().is_some_and(|best| best >= 0)
            && facts.keeping().0 == 1
            && facts.moves.len() > 1
    };
    all.push((only, Box::new(is_only)));
    let first = Criteria {
        first_move: Some(FirstMove::Promotion),
        ..plain()
    };
    let promotes = |facts: &Facts| {
        let (keeping, promoting) = facts.keeping();
        facts.best().is_some_and(|best| best >= 0) && keeping == promoting
    };
    all.push((first, Box::new(promotes)));
    let both = Criteria {
        promotion: Some(Promotion::ThrowsWin),
        only_move: true,
        turn: Some(Color::White),
        ..plain()
    };
    let is_both = move |facts: &Facts| {
        facts.turn == Color::White && facts.promotes_to(Promotion::ThrowsWin) && is_only(facts)
    };
    all.push((both, Box::new(is_both)));
    all
}

/// Compares every search with a scan, for men restricted to these squares.
fn compare(
    tablebase: &Tablebase,
    rules: RuleSet,
    name: &str,
    men: &[&str],
    options: Vec<(Criteria, Asked)>,
) {
    let regions: Vec<sakmak_play::find::Region> =
        men.iter().map(|man| man.parse().unwrap()).collect();
    let stands = |color, role, square| {
        let mut regions = regions.iter();
        regions.all(|r| (r.color, r.role) != (color, role) || r.squares.contains(square))
    };
    let mut expected = vec![BTreeSet::new(); options.len()];
    every_position(name, &stands, &mut |position| {
        let facts = Facts::of(tablebase, rules, &position);
        for (found, (_, is)) in expected.iter_mut().zip(&options) {
            if is(&facts) {
                found.insert(family(&position));
            }
        }
    });
    for ((wanted, _), expected) in options.into_iter().zip(expected) {
        let wanted = Criteria {
            men: regions.clone(),
            ..wanted
        };
        let finder = Finder::new(tablebase, material(name).canonical().0, &wanted, 3).unwrap();
        let mut found = BTreeSet::new();
        for position in finder.all().map(|found| found.unwrap().position) {
            assert!(found.insert(family(&position)), "{name} {position:?} twice");
        }
        println!("{name} {:?}: {} families", wanted.promotion, found.len());
        assert!(found == expected, "{name} {wanted:?}");
    }
}

#[test]
fn options_find_what_a_look_at_positions_with_bia_finds() {
    let tablebase = shared_tables();
    compare(
        tablebase,
        Makruk,
        "KSPvK",
        &["K@d3", "P@c-d5"],
        options(Makruk),
    );
    compare(
        tablebase,
        Makruk,
        "KRvKP",
        &["K@e3", "p@b4"],
        options(Makruk),
    );
}

#[test]
#[ignore = "slow: run with --ignored"]
fn promotions_are_found_as_a_filter_over_all_positions_finds_them() {
    let tablebase = shared_tables();
    for name in ["KSPvK", "KRPvK"] {
        compare(tablebase, Makruk, name, &[], promotions(Makruk));
    }
}

#[test]
fn nothing_is_found_of_promotions_that_cannot_be() {
    let (_directory, tablebase) = tables(&["KMvK"]);
    let ending = "KMvK".parse().unwrap();
    for rules in RuleSet::ALL {
        let wanted = Criteria {
            promotion: Some(Promotion::Wins),
            ..Criteria::new(rules)
        };
        assert_eq!(wanted.check_endings(&[ending]), Err(CriteriaError::NoBia));
        let mut found = Finder::new(&tablebase, ending, &wanted, 1).unwrap();
        assert!(found.next().is_none());
    }
}

#[test]
fn promotions_are_found_in_asean_chess() {
    let directory = tempfile::tempdir().unwrap();
    let name = "KSPvK-asean";
    let tablebase = make_all(&[name], directory.path());
    compare(&tablebase, Asean, name, &["K@d6", "P@c-d7"], options(Asean));
    let far = Criteria {
        men: vec!["P@c7".parse().unwrap()],
        ..Criteria::new(Makruk)
    };
    assert!(matches!(far.check(), Err(CriteriaError::BiaSquares(..))));
}
