//! A search finds the same positions as a scan of every position.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use sakmak::board::{Color, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Options, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};
use sakmak_play::find::{Capture, Criteria, Cursor, Finder, FirstMove, Found};

use crate::common::{tablebase, tables};

/// The facts about a position. Endings of four men have millions, so they are kept small.
#[derive(Clone, Copy, Debug)]
struct Facts {
    turn: Color,
    category: Category,
    dtm: Option<u16>,
    margin: Option<i16>,
    zugzwang: bool,
    /// The result of the best move.
    best: i8,
    /// The number of moves that keep it, and of those that are captures, checks, or neither.
    keeping: u8,
    captures: u8,
    checks: u8,
    quiet: u8,
    legal: u8,
    capture_fails: bool,
    bare: bool,
}

fn result(category: Category) -> i8 {
    match category {
        Category::Win => 1,
        Category::CursedWin | Category::Draw | Category::BlessedLoss => 0,
        Category::Loss => -1,
    }
}

/// Every placement of the men on the 64 squares.
fn every_position(material: CanonicalMaterial, turn: Color, mut visit: impl FnMut(Position)) {
    let men: Vec<(Color, Role)> = material.material().roles().collect();
    let mut squares = vec![0usize; men.len()];
    loop {
        let placed = men.iter().zip(&squares);
        let placed =
            placed.map(|(&(color, role), &square)| (Square::wrapping(square), color, role));
        if let Ok(position) = Position::from_men(placed, turn) {
            visit(position);
        }
        let Some(next) = squares.iter().rposition(|&square| square < 63) else {
            return;
        };
        squares[next] += 1;
        squares[next + 1..].fill(0);
    }
}

/// A position of an ending as a number: its side to move and the squares of its men, sorted for
/// each kind.
type Key = u32;

/// The key of an image of a position. Each bit reverses the files, reverses the ranks, or exchanges
/// files and ranks.
fn key(position: &Position, bits: u8) -> Key {
    let move_square = |square: Square| {
        let (mut file, mut rank) = (square.file(), square.rank());
        if bits & 1 != 0 {
            file = 7 - file;
        }
        if bits & 2 != 0 {
            rank = 7 - rank;
        }
        if bits & 4 != 0 {
            (file, rank) = (rank, file);
        }
        rank * 8 + file
    };
    let mut key = position.turn() as Key;
    for color in Color::ALL {
        for role in Role::ALL {
            let mut men = [64; 4];
            let all = position.men(color, role);
            let count = all.len();
            for (place, square) in men.iter_mut().zip(all) {
                *place = move_square(square);
            }
            men.sort_unstable();
            for &square in &men[..count] {
                key = key << 6 | Key::from(square);
            }
        }
    }
    key
}

/// The smallest key of a position's images.
fn family(position: &Position, material: CanonicalMaterial) -> Key {
    let images = match material.has_khon() {
        true => 0..2,
        false => 0..8,
    };
    images.map(|bits| key(position, bits)).min().unwrap()
}

fn facts(tablebase: &Tablebase, rules: RuleSet, position: &Position) -> Facts {
    let value = tablebase.probe(position, rules, &Count::Fresh).unwrap();
    let moves = tablebase
        .best_moves(position, rules, &Count::Fresh)
        .unwrap();
    let results: Vec<i8> = moves.iter().map(|m| result(m.category)).collect();
    let best = results.iter().copied().max().unwrap_or(0);
    let keeping: Vec<(bool, bool)> = moves
        .iter()
        .zip(&results)
        .filter(|&(_, &result)| result == best)
        .map(|(m, _)| (m.capture, position.play(m.m).is_check()))
        .collect();
    let number = |is: fn(&(bool, bool)) -> bool| keeping.iter().filter(|m| is(m)).count() as u8;
    let distance = match value.dth {
        Some(dth) => dth,
        None => value.dtm,
    };
    let men = Color::ALL.map(|color| position.by_color(color));
    let roles = Role::ALL.map(|role| position.by_role(role));
    let passed = Position::new(men, roles, !position.turn()).ok();
    let sign = |distance: Distance| match distance {
        Distance::Win(_) => 1,
        Distance::Draw => 0,
        Distance::Loss(_) => -1,
    };
    let zugzwang = passed.is_some_and(|passed| {
        let other = sign(tablebase.dtm(&passed).unwrap());
        sign(value.dtm) < -other
    });
    let captures = moves.iter().zip(&results).filter(|(m, _)| m.capture);
    Facts {
        turn: position.turn(),
        category: value.category,
        dtm: value.dtm.moves().map(|moves| moves.0),
        margin: value
            .allowance
            .zip(distance.moves())
            .map(|(allowance, moves)| allowance.moves_available as i16 - moves.0 as i16),
        zugzwang,
        best,
        keeping: keeping.len() as u8,
        captures: number(|&(capture, _)| capture),
        checks: number(|&(_, check)| check),
        quiet: number(|&(capture, check)| !capture && !check),
        legal: moves.len() as u8,
        capture_fails: captures.into_iter().any(|(_, &result)| result < best),
        bare: position.by_color(position.turn()).len() == 1,
    }
}

/// The condition of an option.
type Asked = Box<dyn Fn(&Facts) -> bool>;

/// Every option with its condition.
fn options(rules: RuleSet) -> Vec<(Criteria, Asked)> {
    let plain = || Criteria {
        turn: None,
        ..Criteria::new(rules)
    };
    let mut all: Vec<(Criteria, Asked)> = vec![(plain(), Box::new(|_| true))];
    let mut add = |wanted: Criteria, is: Asked| all.push((wanted, is));
    for turn in Color::ALL {
        let turned = Criteria {
            turn: Some(turn),
            ..plain()
        };
        add(turned, Box::new(move |facts| facts.turn == turn));
    }
    for category in Category::ALL {
        let wanted = Criteria {
            category: Some(category),
            ..plain()
        };
        add(wanted, Box::new(move |facts| facts.category == category));
        let only = Criteria {
            category: Some(category),
            turn: Some(Color::White),
            ..plain()
        };
        add(
            only,
            Box::new(move |facts| facts.category == category && facts.turn == Color::White),
        );
    }
    for margin in [-3, -1, 0, 1, 5] {
        let wanted = Criteria {
            margin: Some(margin),
            ..plain()
        };
        let margin = margin as i16;
        add(wanted, Box::new(move |facts| facts.margin == Some(margin)));
    }
    let dtm = Criteria {
        dtm: Some(3..=5),
        ..plain()
    };
    add(
        dtm,
        Box::new(|facts| facts.dtm.is_some_and(|dtm| (3..=5).contains(&dtm))),
    );
    let mated = Criteria {
        dtm: Some(0..=0),
        ..plain()
    };
    add(mated, Box::new(|facts| facts.dtm == Some(0)));
    let only_move = Criteria {
        only_move: true,
        ..plain()
    };
    add(
        only_move,
        Box::new(|f| f.best >= 0 && f.legal > 1 && f.keeping == 1),
    );
    let throws = Criteria {
        capture: Some(Capture::ThrowsWin),
        ..plain()
    };
    add(throws, Box::new(|f| f.best == 1 && f.capture_fails));
    let saves = Criteria {
        capture: Some(Capture::SavesKing),
        ..plain()
    };
    add(
        saves,
        Box::new(|f| f.bare && f.best == 0 && f.legal > f.keeping && f.captures == f.keeping),
    );
    let zugzwang = Criteria {
        zugzwang: true,
        ..plain()
    };
    add(zugzwang, Box::new(|f| f.zugzwang));
    for first in [FirstMove::Quiet, FirstMove::Check, FirstMove::Capture] {
        let such = move |facts: &Facts| match first {
            FirstMove::Quiet => facts.quiet,
            FirstMove::Check => facts.checks,
            FirstMove::Capture => facts.captures,
            // There is no bia here.
            FirstMove::Promotion => 0,
        };
        let wanted = Criteria {
            first_move: Some(first),
            ..plain()
        };
        add(
            wanted,
            Box::new(move |f| f.best >= 0 && f.legal > 0 && such(f) == f.keeping),
        );
    }
    let together = Criteria {
        margin: Some(0),
        only_move: true,
        first_move: Some(FirstMove::Quiet),
        turn: Some(Color::White),
        ..plain()
    };
    add(
        together,
        Box::new(|f| {
            f.turn == Color::White
                && f.margin == Some(0)
                && f.best >= 0
                && f.legal > 1
                && (f.keeping, f.quiet) == (1, 1)
        }),
    );
    all
}

/// Two options combined; none if they set the same thing to two values.
fn together(first: &Criteria, second: &Criteria) -> Option<Criteria> {
    fn one<T: Clone + PartialEq>(first: &Option<T>, second: &Option<T>) -> Option<Option<T>> {
        match (first, second) {
            (Some(first), Some(second)) if first != second => None,
            _ => Some(first.clone().or(second.clone())),
        }
    }
    Some(Criteria {
        rules: first.rules,
        turn: one(&first.turn, &second.turn)?,
        category: one(&first.category, &second.category)?,
        dtm: one(&first.dtm, &second.dtm)?,
        margin: one(&first.margin, &second.margin)?,
        only_move: first.only_move || second.only_move,
        capture: one(&first.capture, &second.capture)?,
        promotion: one(&first.promotion, &second.promotion)?,
        zugzwang: first.zugzwang || second.zugzwang,
        first_move: one(&first.first_move, &second.first_move)?,
        men: Vec::new(),
    })
}

/// The positions of an ending, one of each family, found by a scan.
struct Every<'a> {
    tablebase: &'a Tablebase,
    material: CanonicalMaterial,
    families: Vec<(Key, Facts)>,
}

impl Every<'_> {
    fn of<'a>(tablebase: &'a Tablebase, name: &str, rules: RuleSet) -> Every<'a> {
        let material: CanonicalMaterial = name.parse().unwrap();
        let mut families: Vec<(Key, Facts)> = Vec::new();
        for turn in Color::ALL {
            every_position(material, turn, |position| {
                let family = family(&position, material);
                if key(&position, 0) == family {
                    families.push((family, facts(tablebase, rules, &position)));
                }
            });
        }
        // Like men may exchange places.
        families.sort_unstable_by_key(|&(key, _)| key);
        families.dedup_by_key(|&mut (key, _)| key);
        Every {
            tablebase,
            material,
            families,
        }
    }

    fn such(&self, wanted: &Criteria, is: impl Fn(&Facts) -> bool) -> Vec<Key> {
        let material = self.material;
        let even = material.army(Color::White) == material.army(Color::Black);
        // Where the sides can be exchanged, each position is one with White to move.
        let is_asked =
            |facts: &Facts| !(even && wanted.turn.is_none()) || facts.turn == Color::White;
        let such = self.families.iter();
        such.filter(|(_, facts)| is_asked(facts) && is(facts))
            .map(|&(key, _)| key)
            .collect()
    }

    /// Compares a search with a scan for the positions that satisfy `is`.
    fn compare(&self, wanted: &Criteria, is: impl Fn(&Facts) -> bool) {
        let name = format!("{} {wanted:?}", self.material);
        let expected = self.such(wanted, is);
        let found = match Finder::new(self.tablebase, self.material, wanted, 5) {
            Ok(finder) => finder.all(),
            Err(error) => panic!("{name}: {error}"),
        };
        let found = found.map(|found| family(&found.unwrap().position, self.material));
        let mut found: Vec<Key> = found.collect();
        found.sort_unstable();
        let twice = found.windows(2).find(|two| two[0] == two[1]);
        assert_eq!(twice, None, "{name}");
        assert_eq!(found.len(), expected.len(), "{name}");
        assert!(found == expected, "{name}");
    }
}

/// Compares a search by one option with a scan.
fn compare(tablebase: &Tablebase, name: &str, rules: RuleSet) {
    let every = Every::of(tablebase, name, rules);
    for (wanted, is) in options(rules) {
        every.compare(&wanted, is);
    }
}

/// Compares searches by two options with a scan. Pairs refused as contradictory must have no
/// positions.
fn compare_pairs(tablebase: &Tablebase, name: &str, rules: RuleSet) {
    let every = Every::of(tablebase, name, rules);
    let options = options(rules);
    let mut refused = 0;
    for (i, (first, is_first)) in options.iter().enumerate() {
        for (second, is_second) in &options[i + 1..] {
            let Some(wanted) = together(first, second) else {
                continue;
            };
            let is = |facts: &Facts| is_first(facts) && is_second(facts);
            match wanted.check() {
                Ok(()) => every.compare(&wanted, is),
                Err(error) => {
                    refused += 1;
                    let such = every.such(&wanted, is);
                    assert!(such.is_empty(), "{name} {wanted:?}: {error}");
                }
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn every_option_finds_what_a_look_at_every_position_finds() {
    let tablebase = tablebase(tables(), &Options::default());
    for (name, rules) in ["KRvK", "KSvK", "KMvK"].into_iter().zip(RuleSet::ALL) {
        compare(&tablebase, name, rules);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_option_finds_the_same_with_three_men_under_every_rule_set() {
    let tablebase = tablebase(tables(), &Options::default());
    for rules in RuleSet::ALL {
        for name in ["KRvK", "KNvK", "KSvK", "KMvK"] {
            compare(&tablebase, name, rules);
        }
    }
}

#[test]
fn two_options_find_what_both_ask_for() {
    let tablebase = tablebase(tables(), &Options::default());
    compare_pairs(&tablebase, "KRvK", RuleSet::Makruk);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_options_find_the_same_with_men_on_both_sides() {
    let tablebase = tablebase(tables(), &Options::default());
    compare_pairs(&tablebase, "KRvKN", RuleSet::Makruk);
    compare_pairs(&tablebase, "KRvKN", RuleSet::Asean);
}

/// The same for four men: `SAKMAK_ENDINGS` names the endings, and `SAKMAK_TABLES` their directory.
#[test]
#[ignore = "slow: run with --ignored"]
fn every_option_finds_the_same_with_four_men() {
    let directory = std::env::var_os("SAKMAK_TABLES");
    let directory = directory
        .as_ref()
        .map_or(tables(), |path| std::path::Path::new(path));
    let tablebase = tablebase(directory, &Options::default());
    let names = std::env::var("SAKMAK_ENDINGS").unwrap_or("KNMvK KRvKN KNvKN KSvKM".to_string());
    for name in names.split(' ') {
        let start = std::time::Instant::now();
        compare(&tablebase, name, RuleSet::Makruk);
        println!("{name} is the same: {:.0?}", start.elapsed());
    }
}

#[test]
fn men_stand_where_they_are_wanted() {
    let tablebase = tablebase(tables(), &Options::default());
    let wanted = Criteria {
        men: vec!["K@g-h7-8".parse().unwrap(), "k@e4".parse().unwrap()],
        ..Criteria::new(RuleSet::Makruk)
    };
    let mut every = BTreeSet::new();
    let material = "KRvK".parse().unwrap();
    every_position(material, Color::White, |position| {
        if position.king(Color::White).file() >= 6
            && position.king(Color::White).rank() >= 6
            && position.king(Color::Black) == "e4".parse().unwrap()
        {
            every.insert(family(&position, material));
        }
    });
    let finder = Finder::new(&tablebase, material, &wanted, 1).unwrap();
    let mut found = BTreeSet::new();
    for each in finder {
        let position = each.unwrap().position;
        assert!(wanted.men.iter().all(|region| region.holds(&position)));
        found.insert(family(&position, material));
    }
    assert_eq!(found, every);
}

#[test]
fn a_search_stops_inside_a_block() {
    let tablebase = tablebase(tables(), &Options::default());
    let material = "KSMvK".parse().unwrap();
    // Nothing matches, which takes a probe of every position to find out.
    let wanted = Criteria {
        category: Some(Category::Win),
        turn: Some(Color::Black),
        ..Criteria::new(RuleSet::Makruk)
    };
    let asked = AtomicU64::new(0);
    let go_on = || asked.fetch_add(1, Ordering::Relaxed) < 100;
    let mut cursor = Cursor::new(&tablebase, material, &wanted, 1).unwrap();
    assert!(cursor.next_while(&tablebase, go_on).is_none());
    assert!(cursor.was_stopped());
    // Each block of the batch may ask once more.
    assert!(asked.into_inner() < 200);
    assert!(cursor.next(&tablebase).is_none());

    // The positions found until then are returned.
    let plain = Criteria::new(RuleSet::Makruk);
    let mut cursor = Cursor::new(&tablebase, material, &plain, 1).unwrap();
    let asked = AtomicU64::new(0);
    let go_on = || asked.fetch_add(1, Ordering::Relaxed) < 10;
    let found = std::iter::from_fn(|| cursor.next_while(&tablebase, go_on)).count();
    assert!((1..10).contains(&found), "{found}");
    assert!(cursor.was_stopped());
}

#[test]
fn a_seed_gives_the_same_positions_and_another_others() {
    let tablebase = tablebase(tables(), &Options::default());
    let wanted = Criteria {
        category: Some(Category::Win),
        ..Criteria::new(RuleSet::Makruk)
    };
    let first = |seed| -> Vec<Found> {
        let finder = Finder::new(&tablebase, "KSMvK".parse().unwrap(), &wanted, seed).unwrap();
        finder.take(50).map(Result::unwrap).collect()
    };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
    // In rounds or at once, all are found.
    let all = |finder: Finder| {
        let positions = finder.map(|found| format!("{:?}", found.unwrap().position));
        positions.collect::<BTreeSet<_>>()
    };
    let finder = || Finder::new(&tablebase, "KRvK".parse().unwrap(), &wanted, 3).unwrap();
    assert_eq!(all(finder()), all(finder().all()));
    assert_eq!(all(finder()).len(), finder().count());
}
