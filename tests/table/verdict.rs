//! Verdict tables against the distance tables of the same endings.

use std::path::Path;

use crate::making::{make, quick};
use sakmak::board::{Color, Position, Square, SquareSet};
use sakmak::generate::{Library, generate_by_plan, generate_verdicts, plan_with_verdicts};
use sakmak::index::Layout;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Options, ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet, RuleSets};
use sakmak::table::{Access, FileBytes, Metric, TableError, TableErrorKind, TableFile, file_name};
use sakmak::verdict::{
    Coding, Set, Ties, Turn, VerdictBlock, VerdictFile, VerdictWriter, Verdicts,
};

/// The words of a set, with the winner and with the loser to move.
type Words = [Vec<u64>; 2];
use sakmak::verify::verify_verdicts;

/// Endings of every kind: bare and two-sided, with both symmetries, with pairs, alike on both sides.
const ENDINGS: [&str; 5] = ["KRvK", "KNMvK", "KMMvK", "KRvKN", "KMvKM"];
const MORE_ENDINGS: [&str; 4] = ["KSMvK", "KRvKR", "KSvKM", "KNvKM"];

/// The verdict table of an ending, as bytes.
fn verdicts(name: &str) -> Vec<u8> {
    verdicts_as(name, &[])
}

/// The same, with the sides' wins coded like this.
fn verdicts_as(name: &str, known: &[Coding]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = name.parse().unwrap();
    let bytes = generate_verdicts(
        material,
        RuleSets::ALL,
        directory.path(),
        &mut Library::new(),
        known,
    )
    .unwrap();
    let file = std::fs::read(directory.path().join(format!("{name}.skv"))).unwrap();
    assert_eq!(file.len() as u64, bytes);
    file
}

/// Makes both tables of some endings from the same solves, and compares them with those made by themselves.
fn assert_the_same_from_one_solve(names: &[&str]) {
    let [both, distances] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for name in names {
        make(name, distances.path());
        let material: CanonicalMaterial = name.parse().unwrap();
        let options = quick(material);
        let mut library = Library::new();
        let plan = plan_with_verdicts(material, None);
        let made = generate_by_plan(&plan, both.path(), &mut library, &options, &|_| {}).unwrap();
        made.won_sets.unwrap().write(both.path(), &[]).unwrap();
        let read = |file: String| std::fs::read(both.path().join(file)).unwrap();
        assert_eq!(read(format!("{name}.skv")), verdicts(name), "{name}");
        let table = std::fs::read(distances.path().join(file_name(material))).unwrap();
        assert_eq!(read(file_name(material)), table, "{name}");
    }
}

#[test]
fn the_solves_of_the_distances_give_the_same_verdict_table() {
    // Against a bare king, alike on both sides, and where the rule sets share wins or do not.
    assert_the_same_from_one_solve(&["KNMvK", "KMMvK", "KRvKR", "KRvKN", "KSvKM"]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn the_solves_of_five_men_give_the_same_verdict_table() {
    // By plies too, with late captures among them.
    assert_the_same_from_one_solve(&["KNNMvK", "KRMvKM", "KNNvKN"]);
}

/// A known coding spares the search, and changes nothing; unless it is another, of the same wins.
#[test]
fn a_known_coding_gives_the_table_that_a_search_does() {
    let open = |file: &[u8]| VerdictFile::new(FileBytes::Memory(file.to_vec().into())).unwrap();
    for name in ["KMMvK", "KRvKN", "KSvKM"] {
        let searched = verdicts(name);
        let table = open(&searched);
        let found = table.codings().unwrap();
        assert_eq!(found.len(), table.winners().count());
        assert_eq!(verdicts_as(name, &found), searched, "{name}");

        let changed = |change: fn(&mut Coding)| {
            let mut known = found.clone();
            known.iter_mut().for_each(change);
            known
        };
        let misfits = [
            changed(|coding| coding.block_planes = 0),
            changed(|coding| coding.block_planes = 256),
            changed(|coding| coding.sets = [None; Set::COUNT]),
            changed(|coding| coding.sets = [Some(Ties::default()); Set::COUNT]),
            changed(|coding| {
                coding.sets[0]
                    .iter_mut()
                    .for_each(|ties| ties.like = Some(0))
            }),
            changed(|coding| {
                coding.sets[0]
                    .iter_mut()
                    .for_each(|ties| ties.outsiders = true)
            }),
        ];
        for misfit in misfits {
            assert_eq!(verdicts_as(name, &misfit), searched, "{name}: {misfit:?}");
        }

        let mut other = changed(|coding| coding.block_planes = 3);
        for ties in other.iter_mut().flat_map(|coding| &mut coding.sets) {
            *ties = ties.map(|_| Ties::default());
        }
        let file = verdicts_as(name, &other);
        let table = open(&file);
        assert_eq!(table.codings().unwrap(), other);
        table.check().unwrap();
        let [ours, theirs] = [file, searched].map(|file| with([file]));
        for position in positions(name, |number| number % 101 == 0) {
            for rules in RuleSet::ALL {
                let [ours, theirs] =
                    [&ours, &theirs].map(|t| t.category(&position, rules, &Count::Fresh).unwrap());
                assert_eq!(ours, theirs, "{rules}: {position:?}");
            }
        }
    }
}

fn with(files: impl IntoIterator<Item = Vec<u8>>) -> Tablebase {
    let mut tables = Tablebase::new();
    for file in files {
        tables.add_bytes(file).unwrap();
    }
    tables
}

fn distances(set: &str, directory: &Path) -> Tablebase {
    make(set, directory);
    let mut tables = Tablebase::new();
    tables.add_directory(directory).unwrap();
    tables
}

/// Legal positions of an ending: all for which `take` says yes to their number.
fn positions(name: &str, take: impl Fn(u64) -> bool) -> impl Iterator<Item = Position> {
    let material: CanonicalMaterial = name.parse().unwrap();
    let men: Vec<_> = material.material().roles().collect();
    let all = 1u64 << (6 * men.len());
    (0..2 * all)
        .filter(move |&number| take(number))
        .filter_map(move |number| {
            let turn = Color::ALL[(number / all) as usize];
            let square = |i: usize| Square::wrapping((number >> (6 * i)) as usize);
            let placed = men.iter().enumerate();
            let placed = placed.map(|(i, &(color, role))| (square(i), color, role));
            let squares: SquareSet = placed.clone().map(|(square, ..)| square).collect();
            (squares.len() == men.len()).then(|| Position::from_men(placed, turn).ok())?
        })
}

#[test]
fn every_verdict_is_that_of_the_distances() {
    assert_verdicts_agree(&ENDINGS);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn every_verdict_of_more_endings_is_that_of_the_distances() {
    assert_verdicts_agree(&MORE_ENDINGS);
}

/// A position won by each side at each distance to mate: some endings have hardly any.
fn won(table: &TableFile) -> Vec<Position> {
    let statistics = &table.section(Metric::Dtm).unwrap().header().info.statistics;
    let mut won = Vec::new();
    for (turn, winner) in Color::ALL
        .into_iter()
        .flat_map(|a| Color::ALL.map(|b| (a, b)))
    {
        let examples = statistics.to_move(turn).examples(winner).iter().flatten();
        won.extend(examples.filter_map(|example| example.position(table.material(), turn)));
    }
    won
}

/// Asks both for positions one by one, then verifies the verdict table as a whole.
fn assert_verdicts_agree(endings: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    for &name in endings {
        let by_distance = distances(name, directory.path());
        let file = verdicts(name);
        let by_verdict = with([file.clone()]);
        // Of four men one in a few hundred, by a step that meets all squares.
        let step = if name.len() > 4 { 293 } else { 1 };
        let (mut asked, mut found) = (0, [0; 5]);
        let table = open(directory.path(), name.parse().unwrap()).unwrap();
        for position in positions(name, |number| number % step == 0).chain(won(&table)) {
            asked += 1;
            for rules in RuleSet::ALL {
                let expected = by_distance
                    .category(&position, rules, &Count::Fresh)
                    .unwrap();
                let verdict = by_verdict.verdict(&position, rules).unwrap();
                assert_eq!(verdict, Some(expected), "{name} {rules}: {position:?}");
                let place = Category::ALL.iter().position(|&c| Some(c) == verdict);
                found[place.unwrap()] += 1;
                // With the colours exchanged it is the same.
                let flipped = by_verdict.verdict(&position.flipped(), rules).unwrap();
                assert_eq!(flipped, verdict);
            }
        }
        assert!(asked > 10_000, "{name}: {asked}");
        let table = VerdictFile::new(FileBytes::Memory(file.into())).unwrap();
        let check = verify_verdicts(&table, &|m| open(directory.path(), m)).unwrap();
        assert!(check.is_right(), "{name}: {check:?}");
        assert!(check.positions > 100_000, "{name}: {check:?}");
        assert!(
            found.iter().filter(|&&n| n > 0).count() > 1,
            "{name}: {found:?}"
        );
    }
}

/// Every verdict is held against the distances, for an ending in which a capture by the bare king gains
/// time in ASEAN chess.
#[test]
#[ignore = "slow: run with --ignored"]
fn every_verdict_with_late_captures_is_that_of_the_distances() {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = "KMMMvK".parse().unwrap();
    let tables = distances("KMMMvK", directory.path());
    let bytes = FileBytes::Memory(verdicts("KMMMvK").into());
    let file = VerdictFile::new(bytes).unwrap();
    let check = verify_verdicts(&file, &|m| open(directory.path(), m)).unwrap();
    assert!(check.is_right(), "{check:?}");
    let table = tables.table(material).unwrap();
    assert!(table.section(Metric::Dth(RuleSet::Asean)).is_some());
}

#[test]
fn categories_are_counted_on_the_whole_board() {
    for name in ["KRvK", "KMvK", "KRvKR", "KRvKS"] {
        let file = verdicts(name);
        let table = Verdicts::new(&file[..]).unwrap();
        let counts = *table.counts();
        let tables = with([file.clone()]);
        if name.len() > 4 {
            // Too many to be asked for one by one: the sides' totals must agree with each other.
            for [white, black] in counts {
                assert!(white.iter().sum::<u64>() > 1 << 22, "{name}");
                assert!(black.iter().sum::<u64>() > 1 << 22, "{name}");
                assert_eq!(white == black, name == "KRvKR");
            }
            continue;
        }
        let mut found = [[[0; 5]; 2]; 3];
        for position in positions(name, |_| true) {
            for rules in RuleSet::ALL {
                let verdict = tables.verdict(&position, rules).unwrap();
                let place = Category::ALL.iter().position(|&c| Some(c) == verdict);
                let by_turn = &mut found[usize::from(rules.id())];
                by_turn[position.turn().index()][place.unwrap()] += 1;
            }
        }
        assert_eq!(counts, found, "{name}");
    }
}

#[test]
fn verdicts_alone_answer_a_search() {
    let tables = with([verdicts("KRvKS")]);
    let position = positions("KRvKS", |number| number % 1_000_003 == 0)
        .next()
        .unwrap();
    let fresh = tables.category(&position, RuleSet::Makruk, &Count::Fresh);
    let verdict = tables.verdict(&position, RuleSet::Makruk).unwrap();
    assert_eq!(Some(fresh.unwrap()), verdict);
    assert!(matches!(
        tables.dtm(&position),
        Err(ProbeError::Missing { .. })
    ));
}

/// A limit on open files holds for tables of both kinds together.
#[test]
fn few_files_of_either_kind_are_open_at_once() {
    let directory = tempfile::tempdir().unwrap();
    for set in ["KRvKN", "KMvKM"] {
        make(set, directory.path());
    }
    let mut plain = Tablebase::new();
    plain.add_directory(directory.path()).unwrap();
    let materials: Vec<_> = plain.materials().collect();
    for &material in &materials {
        generate_verdicts(
            material,
            RuleSets::ALL,
            directory.path(),
            &mut Library::new(),
            &[],
        )
        .unwrap();
    }
    for access in [Access::Blocks, Access::Map, Access::Whole] {
        let options = Options {
            cache_bytes: 0,
            access,
            most_open: Some(2),
        };
        let mut few = Tablebase::with_options(&options).unwrap();
        let added = few.add_directory(directory.path()).unwrap();
        assert_eq!(added, materials.len());
        few.open_all().unwrap();
        for name in ["KRvKN", "KMvKM", "KRvK", "KNvK"] {
            for position in positions(name, |number| number % 200_003 == 0) {
                let rules = RuleSet::Makruk;
                let expected = plain.probe(&position, rules, &Count::Fresh).unwrap();
                let verdict = few.verdict(&position, rules).unwrap();
                assert_eq!(verdict, Some(expected.category), "{position:?}");
                let value = few.probe(&position, rules, &Count::Fresh).unwrap();
                assert_eq!(value, expected);
                assert!((1..=2).contains(&few.open_files()), "{}", few.open_files());
            }
        }
    }
}

/// Bytes that come later, as a page fetches them.
#[test]
fn verdicts_of_a_source_are_read_when_they_are_needed() {
    let material: CanonicalMaterial = "KRvK".parse().unwrap();
    let mut tables = Tablebase::new();
    tables.add_verdict_source(material, verdicts("KRvK"));
    assert!(!tables.is_empty() && tables.materials().next().is_none());
    assert!(tables.verdict_materials().eq([material]));
    let by_bytes = with([verdicts("KRvK")]);
    for position in positions("KRvK", |number| number % 997 == 0) {
        let [ours, theirs] =
            [&tables, &by_bytes].map(|t| t.verdict(&position, RuleSet::Makruk).unwrap());
        assert_eq!(ours, theirs);
    }
    // Of another ending than it should be.
    let mut wrong = Tablebase::new();
    wrong.add_verdict_source("KSvK".parse().unwrap(), verdicts("KRvK"));
    let position = positions("KSvK", |number| number % 997 == 0)
        .next()
        .unwrap();
    let error = wrong.verdict(&position, RuleSet::Makruk).unwrap_err();
    assert!(
        error.to_string().contains("is the table of KRvK"),
        "{error}"
    );
}

/// Verdicts alone rank moves so that none of the best is worse than the others, under any count: each
/// move's bounds hold what the distances say of it.
#[test]
fn moves_by_category_hold_what_distances_say_of_each() {
    let directory = tempfile::tempdir().unwrap();
    make("KSMvK", directory.path());
    let by_distance = distances("KRvKN", directory.path());
    let mut by_verdict = Tablebase::new();
    for material in by_distance.materials() {
        by_verdict
            .add_bytes(verdicts(&material.to_string()))
            .unwrap();
    }
    let (mut exact, mut open) = (0, 0);
    for (name, step) in [("KRvKN", 99_991), ("KSMvK", 199_999)] {
        for position in positions(name, |number| number % step == 0) {
            for rules in RuleSet::ALL {
                for count in [
                    Count::Fresh,
                    Count::of_plies(0, 60),
                    Count::of_plies(128, 70),
                ] {
                    let Ok(ranked) = by_distance.best_moves(&position, rules, &count) else {
                        // Nothing is counted there.
                        continue;
                    };
                    let bounded = by_verdict.moves_by_category(&position, rules, &count);
                    let bounded = bounded.unwrap();
                    assert_eq!(bounded.len(), ranked.len());
                    for found in &bounded {
                        let ranked = ranked.iter().find(|ranked| ranked.m == found.m).unwrap();
                        let [least, most] = found.bounds;
                        let category = ranked.category;
                        assert!(
                            least <= category && category <= most,
                            "{rules} {count:?} {}: {category} in {least} to {most}: {position:?}",
                            found.m
                        );
                        if least == most {
                            exact += 1;
                        } else {
                            open += 1;
                        }
                    }
                    // Where the winner moves and the count begins with the other, nothing is open.
                    let settled = bounded
                        .first()
                        .is_none_or(|best| best.bounds[0] == best.bounds[1]);
                    let wins = ranked
                        .first()
                        .is_some_and(|best| best.category == Category::Win);
                    assert!(settled || !wins || rules == RuleSet::Asean || count != Count::Fresh);
                }
            }
        }
    }
    assert!(exact > 10_000 && open > 1_000, "{exact}, {open}");
}

/// With a verdict table probes answer as without it, and those of draws decode no distances.
#[test]
fn verdicts_spare_probes_of_draws_the_distances() {
    let directory = tempfile::tempdir().unwrap();
    let material: CanonicalMaterial = "KRvKN".parse().unwrap();
    let plain = distances("KRvKN", directory.path());
    generate_verdicts(
        material,
        RuleSets::ALL,
        directory.path(),
        &mut Library::new(),
        &[],
    )
    .unwrap();
    let mut both = Tablebase::new();
    both.add_directory(directory.path()).unwrap();
    let running = Count::of_plies(128, 90);
    let mut found = [0; 2];
    for position in positions("KRvKN", |number| number % 293 == 0) {
        let before = both.cache_statistics().misses;
        let mut is_drawn = true;
        for rules in RuleSet::ALL {
            for count in [Count::Fresh, running] {
                let expected = plain.probe(&position, rules, &count);
                let value = both.probe(&position, rules, &count);
                // ASEAN chess has no such count.
                let value = value.ok();
                is_drawn &= value.is_none_or(|value| value.dtm == Distance::Draw);
                assert_eq!(value, expected.ok(), "{rules} {count:?}: {position:?}");
            }
        }
        let misses = both.cache_statistics().misses - before;
        assert!(!is_drawn || misses == 0, "{position:?}");
        found[usize::from(is_drawn)] += 1;
    }
    assert!(found.iter().all(|&n| n > 1000), "{found:?}");
}

/// The bounds by a verdict table alone hold what the distances say under any count, and leave no more
/// open than whether a win is in time.
#[test]
fn bounds_hold_the_category_under_every_count() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KNMvK", "KRvKN"] {
        let by_distance = distances(name, directory.path());
        let by_verdict = with([verdicts(name)]);
        let (mut exact, mut open) = (0, 0);
        for position in positions(name, |number| number % 1009 == 0) {
            for rules in RuleSet::ALL {
                for counted in [0, 30, 90, 127] {
                    let count = Count::of_plies(128, counted);
                    let Ok(category) = by_distance.category(&position, rules, &count) else {
                        // Nothing is counted there.
                        continue;
                    };
                    let bounds = by_verdict.category_bounds(&position, rules, &count);
                    let [least, most] = bounds.unwrap();
                    assert!(least <= category && category <= most, "{position:?}");
                    match (least, most) {
                        (Category::CursedWin, Category::Win)
                        | (Category::Loss, Category::BlessedLoss) => open += 1,
                        _ => {
                            assert_eq!(least, most);
                            exact += 1;
                        }
                    }
                }
                let fresh = by_distance.category(&position, rules, &Count::Fresh);
                let bounds = by_verdict.category_bounds(&position, rules, &Count::Fresh);
                assert_eq!(bounds.unwrap(), [fresh.unwrap(); 2]);
            }
        }
        assert!(exact > 100 && open > 100, "{name}: {exact}, {open}");
    }
}

#[test]
fn corrupt_byte_is_an_error_and_never_another_verdict() {
    assert_corrupt_bytes_are_found(|place| &CHANGES[place % 3..][..1]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn byte_corrupt_in_any_way_is_never_another_verdict() {
    assert_corrupt_bytes_are_found(|_| &CHANGES);
}

/// The words of White's sets of an ending, as read from a file that they were written to.
fn written_and_read(name: &str, sets: &[Words]) -> (Vec<Words>, usize) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.skv"));
    let material: CanonicalMaterial = name.parse().unwrap();
    let order: Vec<u8> = (0..Layout::groups_of(material).len() as u8).collect();
    let mut writer = VerdictWriter::create(&path, material, RuleSets::ALL).unwrap();
    writer
        .add_side(Color::White, &order, sets.to_vec(), None)
        .unwrap();
    let bytes = writer.finish().unwrap();
    let table = VerdictFile::open_as(&path, material, Access::Blocks).unwrap();
    let names: Vec<Set> = Set::all().collect();
    let whole: Vec<(Set, Turn)> = Set::all().map(|set| (set, Turn::Loser)).collect();
    let mut found = vec![Words::default(); names.len()];
    let mut block = VerdictBlock::default();
    for number in 0..table.blocks(Color::White).unwrap().1 {
        table
            .read_block(Color::White, &whole, number, &mut block)
            .unwrap();
        for (found, &set) in found.iter_mut().zip(&names) {
            found[0].extend(block.words(set, Turn::Winner));
            found[1].extend(block.words(set, Turn::Loser));
        }
    }
    (found, bytes as usize)
}

/// Sets of every relation to each other, with words that no game gives: what is legal of them comes back.
#[test]
fn whatever_is_written_is_read() {
    let name = "KMvK";
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state ^ state >> 29
    };
    let lanes = 64 * 10;
    let all: Words = [vec![!0; lanes], vec![!0; lanes]];
    let empty: Words = [vec![0; lanes], vec![0; lanes]];
    let (legal, _) = written_and_read(
        name,
        &[all.clone(), all.clone(), empty.clone(), all.clone()],
    );
    assert_eq!(legal[0], legal[3]);
    assert_eq!(legal[2], empty);
    let mut some = |one_in: u32| -> Words {
        let mut word = || (0..one_in).fold(!0, |word, _| word & random());
        [0, 1].map(|_| (0..lanes).map(|_| word()).collect())
    };
    let with = |a: &Words, b: &Words, f: fn(u64, u64) -> u64| -> Words {
        [0, 1].map(|turn: usize| {
            let both = a[turn].iter().zip(&b[turn]);
            both.map(|(&a, &b)| f(a, b)).collect()
        })
    };
    let (board, makruk) = (some(1), some(2));
    let a_part = with(&board, &makruk, |a, b| a & b);
    let nearly = with(&makruk, &some(7), |a, b| a ^ b);
    let (_, apart) = written_and_read(
        name,
        &[board.clone(), makruk.clone(), some(2), empty.clone()],
    );
    for sets in [
        [
            board.clone(),
            makruk.clone(),
            nearly.clone(),
            a_part.clone(),
        ],
        [all.clone(), a_part.clone(), nearly.clone(), board.clone()],
        [board.clone(), board.clone(), empty.clone(), a_part.clone()],
        [
            empty.clone(),
            makruk.clone(),
            makruk.clone(),
            nearly.clone(),
        ],
    ] {
        let (found, bytes) = written_and_read(name, &sets);
        for (found, set) in found.iter().zip(&sets) {
            assert_eq!(*found, with(set, &legal[0], |a, b| a & b));
        }
        // What is nearly the same as another set takes a fraction of what chance takes.
        assert!(sets[1] != makruk || sets[2] != nearly || bytes < apart);
    }
}

/// What a byte is changed by.
const CHANGES: [u8; 3] = [0x01, 0x80, 0xff];

/// Changes every byte of a verdict table, one at a time.
fn assert_corrupt_bytes_are_found(changes: impl Fn(usize) -> &'static [u8]) {
    let good = verdicts("KMvKM");
    let asked: Vec<Position> = positions("KMvKM", |number| number % 200_003 == 0).collect();
    let tables = with([good.clone()]);
    let rules = RuleSet::Makruk;
    let expected: Vec<_> = asked
        .iter()
        .map(|p| tables.verdict(p, rules).unwrap())
        .collect();
    assert!(asked.len() > 50);
    for place in 0..good.len() {
        for change in changes(place) {
            let mut bad = good.clone();
            bad[place] ^= change;
            let mut tables = Tablebase::new();
            if tables.add_bytes(bad).is_err() {
                continue;
            }
            for (position, expected) in asked.iter().zip(&expected) {
                if let Ok(verdict) = tables.verdict(position, rules) {
                    assert_eq!(verdict, *expected, "byte {place}");
                }
            }
        }
    }
}

#[test]
fn cut_file_and_other_files_are_told_apart() {
    let good = verdicts("KMvK");
    for length in 0..good.len() {
        let kind = |error: sakmak::table::TableError| format!("{:?}", error.kind());
        let found = Verdicts::new(&good[..length])
            .map(|_| ())
            .map_err(kind)
            .unwrap_err();
        assert!(found.starts_with("Truncated"), "{length}: {found}");
    }
    let mut long = good.clone();
    long.push(0);
    let error = Verdicts::new(&long[..]).unwrap_err();
    assert!(matches!(error.kind(), TableErrorKind::TooLong { .. }));
    let error = Verdicts::new(&b"\x89SKM\r\n\x1a\n0000"[..]).unwrap_err();
    assert!(matches!(error.kind(), TableErrorKind::NotATable));
}

#[test]
fn corrupt_verdicts_leave_the_distances_to_answer() {
    assert_distances_answer("KRMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn corrupt_verdicts_of_two_sides_leave_the_distances_to_answer() {
    assert_distances_answer("KRvKS");
}

/// Asks an ending's tables for categories, of which the verdict table is corrupt.
fn assert_distances_answer(name: &str) {
    let directory = tempfile::tempdir().unwrap();
    make(name, directory.path());
    let material = name.parse().unwrap();
    let mut plain = Tablebase::new();
    plain.add_directory(directory.path()).unwrap();
    generate_verdicts(
        material,
        RuleSets::ALL,
        directory.path(),
        &mut Library::new(),
        &[],
    )
    .unwrap();
    let path = directory.path().join(format!("{name}.skv"));
    let mut bytes = std::fs::read(&path).unwrap();
    // Everything between the preamble and the header.
    let end = bytes.len() - 600;
    fastrand::Rng::with_seed(1).fill(&mut bytes[64..end]);
    std::fs::write(&path, bytes).unwrap();
    let mut tables = Tablebase::new();
    tables.add_directory(directory.path()).unwrap();
    let mut asked = 0;
    for position in positions(name, |number| number % 100_003 == 0) {
        asked += 1;
        let expected = plain
            .probe(&position, RuleSet::Makruk, &Count::Fresh)
            .unwrap();
        let category = tables.category(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(category.unwrap(), expected.category);
        let probed = tables.probe(&position, RuleSet::Makruk, &Count::Fresh);
        assert_eq!(probed.unwrap(), expected);
    }
    assert!(asked > 100, "{asked}");
}

#[test]
fn same_bytes_for_any_number_of_threads() {
    let made = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| verdicts("KRvKN"))
    };
    assert_eq!(made(1), made(3));
}

fn open(directory: &Path, material: CanonicalMaterial) -> Result<TableFile, TableError> {
    let path = directory.join(file_name(material));
    TableFile::open_as(&path, material, Access::Blocks)
}

/// All words of one side's wins, by set.
fn words(table: &VerdictFile, winner: Color) -> Vec<Words> {
    let (_, blocks) = table.blocks(winner).unwrap();
    let mut block = VerdictBlock::default();
    let sets = Set::all().map(|set| {
        let mut words = Words::default();
        for number in 0..blocks {
            table
                .read_block(winner, &[(set, Turn::Loser)], number, &mut block)
                .unwrap();
            for turn in [Turn::Winner, Turn::Loser] {
                words[turn as usize].extend_from_slice(block.words(set, turn));
            }
        }
        words
    });
    sets.collect()
}

#[test]
fn one_wrong_verdict_is_found_and_shown() {
    // Some wins of two khons are too long for every count.
    assert_wrong_verdicts_are_found("KSSvK", &[(0, Turn::Winner), (2, Turn::Loser)]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn one_wrong_verdict_of_two_sides_is_found_and_shown() {
    let sets = [1, 2, 3].map(|place| [(place, Turn::Winner), (place, Turn::Loser)]);
    assert_wrong_verdicts_are_found("KRvKN", sets.as_flattened());
}

/// Makes one win none in a set, with a side to move, and verifies that.
fn assert_wrong_verdicts_are_found(name: &str, sets: &[(usize, Turn)]) {
    let directory = tempfile::tempdir().unwrap();
    make(name, directory.path());
    let material: CanonicalMaterial = name.parse().unwrap();
    let right = VerdictFile::new(FileBytes::Memory(verdicts(name).into())).unwrap();
    let path = directory.path().join("wrong.skv");
    for &(place, turn) in sets {
        let mut writer = VerdictWriter::create(&path, material, RuleSets::ALL).unwrap();
        for winner in right.winners() {
            let mut sets = words(&right, winner);
            if winner == Color::White {
                // A win that is none any more, in no set that is a part of this one.
                let parts: Vec<u64> = match place {
                    0 => sets[1..]
                        .iter()
                        .fold(vec![0; sets[0][0].len()], |all, set| {
                            all.iter()
                                .zip(&set[turn as usize])
                                .map(|(a, b)| a | b)
                                .collect()
                        }),
                    _ => vec![0; sets[0][0].len()],
                };
                let own = sets[place][turn as usize].iter_mut().zip(parts);
                let (word, parts) = own
                    .rev()
                    .find(|(word, parts)| **word & !parts != 0)
                    .unwrap();
                let free = *word & !parts;
                *word &= !(free & free.wrapping_neg());
            }
            let groups: Vec<u8> = order(&right, winner);
            writer.add_side(winner, &groups, sets, None).unwrap();
        }
        writer.finish().unwrap();
        let wrong = VerdictFile::open_as(&path, material, Access::Blocks).unwrap();
        let check = verify_verdicts(&wrong, &|m| open(directory.path(), m)).unwrap();
        assert_eq!(check.differences, 1, "{check:?}");
        let first = check.first.unwrap();
        assert_eq!((first.winner, first.found), (Color::White, false));
        assert_eq!(first.turn == Color::White, turn == Turn::Winner);
        assert!(first.position.position(material, first.turn).is_some());
    }
}

/// The groups of a side's layout, as a writer takes them.
fn order(table: &VerdictFile, winner: Color) -> Vec<u8> {
    let all = Layout::groups_of(table.material());
    let groups = table.layout(winner).unwrap().groups().iter();
    let place = |group| all.iter().position(|g| g == group).unwrap() as u8;
    groups.map(place).collect()
}
