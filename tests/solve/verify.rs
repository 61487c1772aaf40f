//! The verifier accepts correct tables, and finds the errors in wrong ones.

use std::path::Path;

use crate::making::{make, make_as_published, quick_in_blocks};
use sakmak::board::{Color, Square};
use sakmak::generate::{Method, Slices, SolvedEndings, generate_by_plan};
use sakmak::index::{Bia, Layout};
use sakmak::internals::plan_by;
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::rules::RuleSet;
use sakmak::statistics::Example;
use sakmak::table::{
    Access, Code, Metric, SectionInfo, TableError, TableErrorKind, TableFile, TableWriter,
    WriteOptions, file_name,
};
use sakmak::verify::{Difference, Verification, VerifyError, verify_table};

const SLICED: Method = Method::OutOfCore(Slices::ByColor);

fn open(directory: &Path, material: CanonicalMaterial) -> Result<TableFile, TableError> {
    TableFile::open_as(
        &directory.join(file_name(material)),
        material,
        Access::Whole,
    )
}

fn verify(directory: &Path, name: &str) -> Result<Verification, VerifyError> {
    let source = |material: CanonicalMaterial| open(directory, material);
    verify_table(name.parse().unwrap(), &source)
}

fn assert_right(directory: &Path, material: CanonicalMaterial) {
    let verdict = verify(directory, &material.to_string()).unwrap();
    assert!(verdict.is_right(), "{material}: {verdict:?}");
    assert!(verdict.positions > 0, "{material}");
}

/// Writes a table again with one changed section.
fn doctor(
    directory: &Path,
    name: &str,
    metric: Metric,
    change: impl Fn(&mut SectionInfo, &mut Vec<u16>),
) {
    let material = name.parse().unwrap();
    let table = open(directory, material).unwrap();
    let path = directory.join(file_name(material));
    let mut writer = TableWriter::create(&path, material, WriteOptions::default()).unwrap();
    for section in table.sections() {
        let mut info = section.header().info.clone();
        let cells = section.decode_all(&|_| {}).unwrap();
        let mut cells = (0..cells.len()).filter_map(|i| cells.get(i)).collect();
        if info.metric == metric {
            change(&mut info, &mut cells);
        }
        writer.add_section(info, &cells, &|_| {}).unwrap();
    }
    writer.finish().unwrap();
}

/// The index of the cell of a position with White's king and a man against a bare king or against
/// another man.
fn cell(material: CanonicalMaterial, info: &SectionInfo, example: &Example) -> usize {
    let layout = Layout::from_bytes(material, info.symmetry, &info.order).unwrap();
    let square = |man: usize| Square::wrapping(example.squares()[man].into());
    // White's king and man come first, then Black's king.
    let group = |group: usize| square([1, 3][group]).set();
    layout.number(Bia::NONE, [square(0), square(2)], group) as usize
}

/// Makes one of White's longest wins one move shorter. No other position changes, since no longer
/// win could go through it. Returns the position and its distance.
fn shorten_a_longest_win(directory: &Path, name: &str, metric: Metric) -> (Example, u16) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let table = open(directory, material).unwrap();
    let info = &table.section(metric).unwrap().header().info;
    let examples = &info.statistics.to_move(info.side).white_examples;
    let longest = examples.len() as u16 - 1;
    let example = examples.last().unwrap().clone().unwrap();
    doctor(directory, name, metric, |info, cells| {
        let code = |wanted| info.codes.iter().position(|&code| code == wanted).unwrap();
        let cell = cell(material, info, &example);
        assert_eq!(cells[cell], code(Code::WhiteWins(longest)) as u16);
        cells[cell] = code(Code::WhiteWins(longest - 1)) as u16;
    });
    (example, longest)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn nothing_is_wrong_with_the_bare_king_endings_of_up_to_four_men() {
    let directory = tempfile::tempdir().unwrap();
    make_as_published("bare-4", directory.path());
    let materials = parse_set("bare-4").unwrap();
    assert_eq!(materials.len(), 14);
    for material in materials {
        assert_right(directory.path(), material);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn nothing_is_wrong_with_endings_in_which_both_sides_have_men() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KRvKM", "KSvKS"] {
        make_as_published(name, directory.path());
        assert_right(directory.path(), name.parse().unwrap());
    }
}

/// Generates a table again with White's king outermost, in blocks that do not end where slabs do.
fn make_in_slabs(directory: &Path, name: &str) {
    let material = name.parse().unwrap();
    let options = quick_in_blocks(material, 5000);
    let mut solved_endings = SolvedEndings::new();
    let method = SLICED;
    generate_by_plan(
        &plan_by(method, material),
        directory,
        &mut solved_endings,
        &options,
        &|_| {},
    )
    .unwrap();
    let table = open(directory, material).unwrap();
    let order = &table.section(Metric::Dtm).unwrap().header().info.order;
    assert_eq!(order[0], 0, "the anchor is outermost");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn slab_by_slab_the_same_is_found_as_at_once() {
    for name in ["KRvK", "KMMvK", "KSMvK", "KRNvK", "KRvKM"] {
        let directory = tempfile::tempdir().unwrap();
        make(name, directory.path());
        let at_once = verify(directory.path(), name).unwrap();
        assert!(at_once.is_right(), "{name}");
        make_in_slabs(directory.path(), name);
        let by_slabs = verify(directory.path(), name).unwrap();
        assert!(by_slabs.is_right(), "{name}: {by_slabs:?}");
        assert_eq!(by_slabs.positions, at_once.positions, "{name}");
    }
    for name in ["KRvK", "KRvKM"] {
        let directory = tempfile::tempdir().unwrap();
        make(name, directory.path());
        make_in_slabs(directory.path(), name);
        let (position, _) = shorten_a_longest_win(directory.path(), name, Metric::Dtm);
        let verdict = verify(directory.path(), name).unwrap();
        assert_eq!(verdict.differences, 1);
        assert!(!verdict.statistics_agree);
        // The position or an image of it.
        let material = name.parse().unwrap();
        let table = open(directory.path(), material).unwrap();
        let info = &table.section(Metric::Dtm).unwrap().header().info;
        let found = verdict.first.unwrap().position;
        assert_eq!(
            cell(material, info, &found),
            cell(material, info, &position)
        );
    }
}

/// Black's few wins are the same under both metrics, and are verified once; a wrong one under
/// either metric must still be found.
#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn what_was_right_under_one_metric_is_not_taken_for_right_under_another() {
    for metric in [Metric::Dtm, Metric::Dth(RuleSet::Makruk)] {
        let directory = tempfile::tempdir().unwrap();
        make("KRvKN", directory.path());
        make_in_slabs(directory.path(), "KRvKN");
        let material = "KRvKN".parse().unwrap();
        doctor(directory.path(), "KRvKN", metric, |info, cells| {
            let mated = &info.statistics.white_to_move.black_examples[0];
            let cell = cell(material, info, mated.as_ref().unwrap());
            let code = |wanted| info.codes.iter().position(|&code| code == wanted).unwrap();
            assert_eq!(cells[cell], code(Code::BlackWins(0)) as u16);
            cells[cell] = code(Code::Draw) as u16;
        });
        let verdict = verify(directory.path(), "KRvKN").unwrap();
        let first = verdict.first.unwrap();
        assert_eq!((first.metric, first.winner), (metric, Color::Black));
        assert!(!verdict.statistics_agree);
    }
}

#[test]
fn one_wrong_distance_is_found_and_shown() {
    let directory = tempfile::tempdir().unwrap();
    make("KRvK", directory.path());
    let (position, longest) = shorten_a_longest_win(directory.path(), "KRvK", Metric::Dtm);
    assert_eq!(longest, 16);
    let verdict = verify(directory.path(), "KRvK").unwrap();
    assert_eq!(verdict.differences, 1);
    assert!(
        !verdict.statistics_agree,
        "there is one longest win too few"
    );
    let difference = Difference {
        metric: Metric::Dtm,
        position,
        turn: Color::White,
        winner: Color::White,
        found: Some(15),
        expected: Some(16),
    };
    assert_eq!(verdict.first, Some(difference));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn one_wrong_distance_to_honor_is_found_and_shown() {
    let directory = tempfile::tempdir().unwrap();
    make("KRvKM", directory.path());
    let metric = Metric::Dth(RuleSet::Makruk);
    let (position, longest) = shorten_a_longest_win(directory.path(), "KRvKM", metric);
    let verdict = verify(directory.path(), "KRvKM").unwrap();
    assert!(
        verdict.differences >= 1,
        "under this rule set, and those based on it"
    );
    let difference = verdict.first.unwrap();
    assert_eq!(difference.metric, metric);
    assert_eq!(difference.position, position);
    assert_eq!(difference.found, Some(longest - 1));
    assert_eq!(difference.expected, Some(longest));
}

#[test]
fn a_win_passed_off_as_a_draw_is_found() {
    let directory = tempfile::tempdir().unwrap();
    make("KRvK", directory.path());
    let material = "KRvK".parse().unwrap();
    doctor(directory.path(), "KRvK", Metric::Dtm, |info, cells| {
        let examples = &info.statistics.white_to_move.white_examples;
        let cell = cell(material, info, examples[5].as_ref().unwrap());
        let draw = info.codes.iter().position(|&code| code == Code::Draw);
        cells[cell] = draw.unwrap() as u16;
    });
    let verdict = verify(directory.path(), "KRvK").unwrap();
    // Other positions differ too: those that led to it now seem to take longer, or for ever.
    assert!(verdict.differences >= 1);
    assert!(!verdict.is_right());
}

#[test]
fn wrong_statistics_are_found_over_right_distances() {
    for turn in Color::ALL {
        let directory = tempfile::tempdir().unwrap();
        make("KRvK", directory.path());
        doctor(directory.path(), "KRvK", Metric::Dtm, |info, _| {
            // As many wins and positions as before, but one of them at another distance.
            let wins = &mut info.statistics.to_move_mut(turn).white_wins;
            wins[3] -= 1;
            wins[4] += 1;
        });
        let verdict = verify(directory.path(), "KRvK").unwrap();
        assert_eq!(verdict.differences, 0);
        assert_eq!(verdict.first, None);
        assert!(!verdict.statistics_agree, "{turn:?} to move");
        assert!(!verdict.is_right());
    }
}

#[test]
fn a_wrong_number_of_draws_is_found() {
    let directory = tempfile::tempdir().unwrap();
    make("KRvK", directory.path());
    doctor(directory.path(), "KRvK", Metric::Dtm, |info, _| {
        info.statistics.black_to_move.draws += 1;
    });
    let verdict = verify(directory.path(), "KRvK").unwrap();
    assert_eq!(verdict.differences, 0);
    assert!(!verdict.statistics_agree);
}

#[test]
fn a_table_is_not_verified_without_those_of_the_smaller_endings() {
    let directory = tempfile::tempdir().unwrap();
    make("KRSvK", directory.path());
    let smaller: CanonicalMaterial = "KSvK".parse().unwrap();
    std::fs::remove_file(directory.path().join(file_name(smaller))).unwrap();
    let Err(VerifyError::Table(error)) = verify(directory.path(), "KRSvK") else {
        panic!("verified");
    };
    assert!(matches!(error.kind(), TableErrorKind::Io { .. }));
    assert!(error.to_string().contains("KSvK.skm"), "{error}");
}
