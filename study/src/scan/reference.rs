//! Tests of the scan against a slow reference implementation, which uses legal moves and a probe
//! for each position.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::black::black_to_move;
use super::captures::{LastMan, LastManCounts, RoleCaptures, add_bare_captures};
use super::count::available;
use super::ending::{DecodedSection, EndingInMemory, example};
use super::lanes::{Lane, Plane, Timed};
use super::placing::LaneResults;
use super::*;
use sakmak::board::Position;
use sakmak::generate::{SolvedEndings, generate_by_plan, plan_with_verdicts};
use sakmak::material::{closure, parse_set};
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::Count;
use sakmak::table::{Code, Metric, WriteOptions};

/// Endings with different properties: with full symmetry or only the mirror; with or without a bare
/// king; with captures that exchange the colours; with mets on both sides.
const ENDINGS: [&str; 9] = [
    "KRvK", "KRRvK", "KSSvK", "KNSvK", "KMMvK", "KRvKN", "KRvKS", "KSvKS", "KMvKM",
];

fn directory() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    TABLES.get_or_init(|| tables(&ENDINGS)).path()
}

/// Makes the tables and verdict tables of these endings and their subendings.
fn tables(names: &[&str]) -> TempDir {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    let mut solved_endings = SolvedEndings::new();
    let endings = names.iter().flat_map(|name| parse_set(name).unwrap());
    for material in closure(endings) {
        let options = WriteOptions::default();
        let plan = plan_with_verdicts(material, None);
        let made = generate_by_plan(&plan, path, &mut solved_endings, &options, &|_| {}).unwrap();
        made.won_sets.unwrap().write(path, &[]).unwrap();
    }
    directory
}

fn tablebase() -> Tablebase {
    opened(directory())
}

fn opened(directory: &Path) -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

/// Returns reproducible random numbers below a bound.
fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
    (*seed >> 33) as usize % below
}

/// Returns a selection of an ending's placings with their indices, or all placings if there are
/// few.
fn placings(ending: &EndingInMemory) -> Vec<(usize, Placing)> {
    let numbering = &ending.numbering;
    let mut seed = 7;
    let numbers = (0..150).map(|i| match numbering.len() {
        n if n <= 150 => i % n,
        n => random(&mut seed, n),
    });
    let placed = numbers.filter_map(|number| Some((number, numbering.placed(number)?)));
    placed.collect()
}

fn lane(placed: &Placing, white_to_move: Timed, black_to_move: LaneResults) -> [Lane; 1] {
    [Lane {
        king: placed.king,
        weight: 1,
        white_to_move,
        black_to_move,
    }]
}

fn plane<'a>(placed: &Placing, lanes: &'a [Lane]) -> Plane<'a> {
    Plane {
        men: placed.men,
        lanes,
    }
}

fn position(
    material: CanonicalMaterial,
    placed: &Placing,
    king: Square,
    turn: Color,
) -> Option<Position> {
    let taken = placed.occupied().contains(king);
    (!taken).then(|| example(material, placed, king).position(material, turn))?
}

/// Finds the results of a lane by probing each of its positions.
fn probed(
    tablebase: &Tablebase,
    material: CanonicalMaterial,
    placed: &Placing,
    turn: Color,
) -> LaneResults {
    let mut words = LaneResults::default();
    for king in Square::all() {
        let Some(position) = position(material, placed, king, turn) else {
            continue;
        };
        let winner = tablebase.dtm(&position).unwrap().winner(turn);
        match winner {
            Some(Color::White) => words.white |= king.set(),
            Some(Color::Black) => words.black |= king.set(),
            None => words.drawn |= king.set(),
        }
    }
    words
}

#[test]
fn a_lane_agrees_with_probes_of_its_positions() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    for name in ENDINGS {
        let material: CanonicalMaterial = name.parse().unwrap();
        let ending =
            EndingInMemory::read(&tablebase.inventory().table(material).unwrap(), None).unwrap();
        let subendings = reader
            .after_captures_of_white(material.material(), None)
            .unwrap();
        for (number, placed) in placings(&ending) {
            let white = probed(&tablebase, material, &placed, Color::White);
            assert_eq!(ending.lanes[number], white, "{name} {placed:?}");
            let black = probed(&tablebase, material, &placed, Color::Black);
            let found = black_to_move(&ending, &subendings, number, &placed);
            assert_eq!(found, black, "{name} {placed:?}");
        }
    }
}

/// Wherever White's king stands, the lane of a placement must equal that of its image in the
/// domain.
#[test]
fn a_lane_is_found_from_anywhere_on_the_board() {
    let tablebase = tablebase();
    for name in ["KRvKN", "KRvKS", "KSSvK"] {
        let material: CanonicalMaterial = name.parse().unwrap();
        let ending =
            EndingInMemory::read(&tablebase.inventory().table(material).unwrap(), None).unwrap();
        for (number, placed) in placings(&ending) {
            for symmetry in Layout::symmetry_of(material).transforms() {
                let mut image = Placing::new(symmetry.square(placed.king));
                image.men = placed.men.map(|men| symmetry.set(men));
                let expected = ending.lanes[number].map(|set| symmetry.set(set));
                assert_eq!(ending.lane(&image), expected, "{name} {placed:?}");
            }
        }
    }
}

#[test]
fn captures_of_the_last_man_agree_with_probes() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    let mut thrown = 0;
    for name in ["KRvKN", "KRvKS", "KMvKM"] {
        let material: CanonicalMaterial = name.parse().unwrap();
        let table = tablebase.inventory().table(material).unwrap();
        let ending = EndingInMemory::read(&table, None).unwrap();
        let decoded = DecodedSection::read(&table, Metric::Dth(RULES)).unwrap();
        let bared = reader.bared(material).unwrap();
        let groups = decoded.numbering().groups();
        let available = available(material.material(), Color::White, Color::White);
        let answers = decoded.ask([
            &|code| matches!(code, Code::WhiteWins(moves) if moves <= available),
            &|_| false,
        ]);
        for (number, placed) in placings(&ending) {
            let words = ending.lane(&placed);
            let (other, _) = decoded.numbering().number(&placed);
            assert_eq!(decoded.numbering().placed(other).unwrap().men, placed.men);
            let timed = Timed {
                on_board: words,
                in_time: answers.lane(other)[0] & words.legal(),
                lost_in_time: SquareSet::EMPTY,
            };
            let mut found = LastMan::default();
            let lane = lane(&placed, timed, LaneResults::default());
            found.add(&bared, groups, &plane(&placed, &lane));
            let mut expected = LastManCounts::default();
            for king in words.legal() {
                let position = position(material, &placed, king, Color::White).unwrap();
                count_last_man(&tablebase, &position, &mut expected);
            }
            assert_eq!(found.counts, expected, "{name} {number} {placed:?}");
            thrown += expected.throws_away_too_late;
        }
    }
    assert!(thrown > 0, "no position tests this case");
}

fn count_last_man(tablebase: &Tablebase, position: &Position, counts: &mut LastManCounts) {
    let ranked = tablebase
        .best_moves(position, RULES, &Count::Fresh)
        .unwrap();
    let captures: Vec<_> = ranked.iter().filter(|m| m.capture).collect();
    let Some(best) = captures.first() else {
        return;
    };
    let mates = captures.iter().any(|m| matches!(m.dtm, Distance::Win(_)));
    let wins = |category| category == sakmak::rules::Category::Win;
    let won = wins(ranked[0].category);
    counts.possible += 1;
    match wins(best.category) {
        true => counts.wins += 1,
        false if mates => counts.too_late += 1,
        false => counts.draws += 1,
    }
    if won && !wins(best.category) {
        counts.throws_away += 1;
        counts.throws_away_too_late += u64::from(mates);
    }
}

#[test]
fn captures_by_the_bare_king_agree_with_probes() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    let mut late = 0;
    for name in ["KRvK", "KRRvK", "KSSvK", "KNSvK"] {
        let material: CanonicalMaterial = name.parse().unwrap();
        let men = material.material();
        let ending =
            EndingInMemory::read(&tablebase.inventory().table(material).unwrap(), None).unwrap();
        let limit = available(men, Color::White, Color::Black);
        let all = reader.after_captures_of_white(men, None).unwrap();
        let in_time = reader.after_captures_of_white(men, Some(limit)).unwrap();
        let groups = ending.groups();
        for (number, placed) in placings(&ending) {
            let black = black_to_move(&ending, &all, number, &placed);
            let legal = black.legal();
            let mut found = RoleCaptures::default();
            let lane = lane(&placed, Timed::default(), black);
            let plane = plane(&placed, &lane);
            add_bare_captures(&mut found, (&all, &in_time), groups, &plane);
            let mut expected = RoleCaptures::default();
            for king in legal {
                let position = position(material, &placed, king, Color::Black).unwrap();
                for role in Role::PAWNLESS {
                    let counts = &mut expected[role.index()];
                    let captures = position.legal_moves();
                    let after: Vec<Distance> = captures
                        .iter()
                        .filter(|&&m| position.man_at(m.to).is_some_and(|man| man.1 == role))
                        .map(|&m| tablebase.dtm(&position.play(m)).unwrap())
                        .collect();
                    counts.possible += u64::from(!after.is_empty());
                    let draws = after.contains(&Distance::Draw);
                    counts.draws += u64::from(draws);
                    let too_late =
                        |d: &Distance| matches!(d, Distance::Win(Moves(m)) if *m > limit);
                    counts.too_late += u64::from(!draws && after.iter().any(too_late));
                }
            }
            assert_eq!(found, expected, "{name} {placed:?}");
            late += expected.iter().map(|counts| counts.too_late).sum::<u64>();
        }
    }
    assert!(late > 0, "no position tests this case");
}

/// The results of a scan must equal those of probing each position, in an ending of three men.
#[test]
fn a_scan_agrees_with_probes_of_every_position() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    let material: CanonicalMaterial = "KSvK".parse().unwrap();
    let found = scan(material, &reader, &|_| {}).unwrap().unwrap();
    let mut kings = vec![Tally::default(); 64];
    let mut ranks = [Tally::default(); 8];
    let mut zugzwangs = 0;
    for king in Square::all() {
        for khon in Square::all().filter(|&s| s != king) {
            let placed = Placing::new(king).with(0, khon.set());
            let words = Color::ALL.map(|turn| probed(&tablebase, material, &placed, turn));
            let lanes = words[0];
            zugzwangs += (lanes.drawn & words[1].white).len() as u64;
            for square in lanes.legal() {
                let position = position(material, &placed, square, Color::White).unwrap();
                let value = tablebase.probe(&position, RULES, &Count::Fresh);
                let category = value.unwrap().category;
                let one = Tally {
                    legal: 1,
                    won: u64::from(lanes.white.contains(square)),
                    in_time: u64::from(category == sakmak::rules::Category::Win),
                    ..Tally::default()
                };
                kings[square.index()].add(&one, 1);
                ranks[usize::from(khon.rank())].add(&one, 1);
            }
        }
    }
    assert_eq!(found.black_king, kings);
    let by_rank: Vec<Tally> = found.khon.iter().map(|rank| rank.tally).collect();
    assert_eq!(by_rank, ranks);
    assert_eq!(found.zugzwangs.white, zugzwangs);
    assert_eq!((found.zugzwangs.black, found.zugzwangs.both), (0, 0));
}

/// The counts by the colours of the mets' squares must equal counts over all placings, made without
/// the symmetry.
#[test]
fn the_colours_of_the_met_are_counted_with_their_mirror_images() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    for name in ["KMMvK", "KMvKM"] {
        let material: CanonicalMaterial = name.parse().unwrap();
        let found = scan(material, &reader, &|_| {}).unwrap().unwrap();
        let ending =
            EndingInMemory::read(&tablebase.inventory().table(material).unwrap(), None).unwrap();
        let mut same = [0, 0];
        for white_king in Square::all() {
            for a in Square::all() {
                for b in Square::all() {
                    let mut placed = Placing::new(white_king);
                    match material.is_bare() {
                        true if a < b => placed.men[0] = a.set() | b.set(),
                        true => continue,
                        false => (placed.men[0], placed.men[1]) = (a.set(), b.set()),
                    }
                    if placed.apart().is_some() {
                        let legal = ending.lane(&placed).legal().len() as u64;
                        same[usize::from(a.is_light() == b.is_light())] += legal;
                    }
                }
            }
        }
        let counted = |same: bool| {
            let of = |colours: &&MetColors| {
                let one = colours.white_one + colours.black_one;
                (one == 2) == same
            };
            found
                .met
                .iter()
                .filter(of)
                .map(|m| m.tally.legal)
                .sum::<u64>()
        };
        assert_eq!([counted(false), counted(true)], same, "{name}");
    }
}

#[test]
fn a_scan_fails_if_the_header_does_not_match_the_positions() {
    let tablebase = tablebase();
    let reader = Reader::new(&tablebase);
    let material: CanonicalMaterial = "KSvK".parse().unwrap();
    let table = tablebase.inventory().table(material).unwrap();
    let scanner = Scanner::new(material, &reader).unwrap();
    let mut sums = from_distances::sums(&table, &scanner, &reader, &|_| {}).unwrap();
    assert!(check_statistics(&table, &reader, &sums).is_ok());
    sums.white.all.in_time -= 1;
    assert!(check_statistics(&table, &reader, &sums).is_err());
}

#[test]
fn scans_of_verdicts_and_of_distances_agree() {
    let by_verdicts = compare_scans(&tablebase());
    assert!(by_verdicts > 10, "{by_verdicts}");
}

/// White has two like men, both of which can take Black's last man.
#[test]
#[cfg_attr(debug_assertions, ignore = "too slow in a debug build")]
fn scans_of_two_men_against_one_agree() {
    let directory = tables(&["KMMvKM"]);
    assert!(compare_scans(&opened(directory.path())) > 0);
}

/// A scan of the verdict table and a scan of the distance table must have the same results. Returns
/// the number of endings compared.
fn compare_scans(tablebase: &Tablebase) -> usize {
    let reader = Reader::new(tablebase);
    let mut by_verdicts = 0;
    for material in tablebase.inventory().materials() {
        let table = tablebase.inventory().table(material).unwrap();
        let scanner = Scanner::new(material, &reader).unwrap();
        let slow = from_distances::sums(&table, &scanner, &reader, &|_| {}).unwrap();
        let verdicts = reader.verdicts(material, RULES).unwrap();
        let Some(fast) = from_verdicts::sums(&verdicts, &scanner, &|_| {}).unwrap() else {
            assert_eq!(slow.white.all.won, 0, "{material}");
            continue;
        };
        let [slow, fast] = [slow, fast].map(|sums| summary(material, &sums));
        assert_eq!(fast, slow, "{material}");
        by_verdicts += 1;
    }
    by_verdicts
}

/// A verdict table that is corrupt, or that was made from another distance table, must not change
/// the results.
#[test]
fn a_scan_ignores_an_unusable_verdict_table() {
    let material: CanonicalMaterial = "KRvKN".parse().unwrap();
    let (table, verdicts) = ("KRvKN.skm", "KRvKN.skv");
    let others = TempDir::new().unwrap();
    for name in [table, "KRvK.skm", "KNvK.skm"] {
        std::fs::copy(directory().join(name), others.path().join(name)).unwrap();
    }
    let scanned = || scan(material, &Reader::new(&opened(others.path())), &|_| {}).unwrap();
    let expected = scanned();
    let good = std::fs::read(directory().join(verdicts)).unwrap();
    for place in [3, good.len() / 2, good.len() - 9] {
        let mut bytes = good.clone();
        bytes[place] ^= 0x40;
        std::fs::write(others.path().join(verdicts), bytes).unwrap();
        assert_eq!(scanned(), expected, "{place}");
    }
}
