//! Endings are solved slice by slice, with the positions after promotions read from files. The
//! results must equal those solved in memory, wherever a run was interrupted.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use sakmak::generate::{Method, Progress, SolvedEndings, generate_by_plan};
use sakmak::index::{Component, Layout};
use sakmak::internals::{plan_by, verify_by_placement};
use sakmak::material::CanonicalMaterial;
use sakmak::table::{
    Access, Code, SectionInfo, TableError, TableFile, TableWriter, WriteOptions, file_name,
};
use sakmak::verify::{Verification, verify_table};

use crate::making::{make, quick};

fn generate(name: &str, method: Method, directory: &Path, progress: &(dyn Fn(Progress) + Sync)) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let mut solved_endings = SolvedEndings::with_tables(vec![directory.to_path_buf()]);
    let (plan, options) = (plan_by(method, material), quick(material));
    generate_by_plan(&plan, directory, &mut solved_endings, &options, progress).unwrap();
}

fn table(name: &str, directory: &Path) -> Vec<u8> {
    fs::read(directory.join(file_name(name.parse().unwrap()))).unwrap()
}

/// Asserts that an ending has the same bytes slice by slice; `after` is the ending its promotions
/// lead to.
fn assert_same_bytes(name: &str, after: &str) {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    make(after, directory);
    generate(name, Method::InMemory, directory, &|_| {});
    let in_memory = table(name, directory);
    generate(name, Method::ByBia, directory, &|_| {});
    assert!(in_memory == table(name, directory), "{name}");
    assert!(!directory.join(format!("{name}.work")).exists(), "{name}");
}

#[test]
fn slice_by_slice_the_same_bytes_come_out_as_in_memory() {
    assert_same_bytes("KRPvK", "KRMvK");
    assert_same_bytes("KMPvK", "KMMvK");
    assert_same_bytes("KPPvK", "KMPvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn slice_by_slice_the_same_bytes_come_out_of_five_men() {
    for (name, after) in [
        ("KPPPvK", "KMPPvK"),
        ("KMPPvK", "KMMPvK"),
        ("KSPPvK", "KSMPvK"),
        ("KRMPvK", "KRMMvK"),
    ] {
        assert_same_bytes(name, after);
    }
}

/// A run interrupted when it begins its n-th slice continues, for every n.
#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    make("KMPvK", directory);
    generate("KPPvK", Method::InMemory, directory, &|_| {});
    let in_memory = table("KPPvK", directory);
    let mut slices = Vec::new();
    for stop in [1, 40, 80, usize::MAX] {
        let begun = AtomicUsize::new(0);
        let progress = |progress: Progress| {
            if let Progress::Slice(..) = progress
                && begun.fetch_add(1, Ordering::Relaxed) + 1 == stop
            {
                panic!("stopped");
            }
        };
        let run = || generate("KPPvK", Method::ByBia, directory, &progress);
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        assert_eq!(ended.is_ok(), stop == usize::MAX);
        slices.push(begun.into_inner());
    }
    assert!(in_memory == table("KPPvK", directory));
    // Each slice is solved once under either goal, except those in progress at an interruption.
    assert_eq!(slices.iter().sum::<usize>(), 2 * 144 + 3, "{slices:?}");
}

/// Opens the tables of a directory.
fn source(directory: &Path) -> impl Fn(CanonicalMaterial) -> Result<TableFile, TableError> + Sync {
    move |material| {
        let path = directory.join(file_name(material));
        TableFile::open_as(&path, material, Access::Whole)
    }
}

fn verdicts(name: &str, directory: &Path) -> [Verification; 2] {
    let material: CanonicalMaterial = name.parse().unwrap();
    let source = source(directory);
    let by_placement = verify_by_placement(material, &source).unwrap();
    [
        verify_table(material, &source).unwrap(),
        by_placement.expect("a table with its bia outermost"),
    ]
}

#[test]
fn placement_by_placement_every_position_is_verified() {
    for name in ["KRPvK", "KMPvK", "KPPvK"] {
        let directory = tempfile::tempdir().unwrap();
        make(name, directory.path());
        let [whole, by_placement] = verdicts(name, directory.path());
        assert!(whole.is_right(), "{name}: {whole:?}");
        assert!(by_placement.is_right(), "{name}: {by_placement:?}");
        assert_eq!(whole.positions, by_placement.positions, "{name}");
    }
}

/// One cell is wrong in a table that promotions lead to, and one in the table itself.
#[test]
fn placement_by_placement_wrong_cells_are_found() {
    for wrong in ["KMPvK", "KPPvK"] {
        let directory = tempfile::tempdir().unwrap();
        make("KPPvK", directory.path());
        rewrite(wrong, directory.path(), with_wrong_cells);
        let [whole, by_placement] = verdicts("KPPvK", directory.path());
        assert!(by_placement.differences > 0, "{wrong}");
        assert_eq!(whole.differences, by_placement.differences, "{wrong}");
    }
}

/// A promotion leads to a table in an order that has no slabs, as that of K+M+M+M+M v K.
#[test]
fn placement_by_placement_an_ending_is_verified_whatever_the_order_of_the_next() {
    let directory = tempfile::tempdir().unwrap();
    make("KMPvK", directory.path());
    rewrite("KMMvK", directory.path(), with_the_anchor_inside);
    let [whole, by_placement] = verdicts("KMPvK", directory.path());
    assert!(whole.is_right(), "{whole:?}");
    assert!(by_placement.is_right(), "{by_placement:?}");
    rewrite("KMMvK", directory.path(), with_wrong_cells);
    let [whole, by_placement] = verdicts("KMPvK", directory.path());
    assert!(by_placement.differences > 0);
    assert_eq!(whole.differences, by_placement.differences);
}

/// The table after a promotion has a distance too large for a byte, first with slabs, then without.
#[test]
fn placement_by_placement_wide_distances_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    make("KMPvK", directory.path());
    let refused = || {
        let material: CanonicalMaterial = "KMPvK".parse().unwrap();
        let error = verify_by_placement(material, &source(directory.path())).unwrap_err();
        assert!(
            error.to_string().contains("distances do not fit"),
            "{error}"
        );
    };
    rewrite("KMMvK", directory.path(), with_a_wide_distance);
    refused();
    rewrite("KMMvK", directory.path(), with_the_anchor_inside);
    refused();
}

/// Writes a table again with changed cells.
fn rewrite(
    name: &str,
    directory: &Path,
    change: impl Fn(CanonicalMaterial, &mut SectionInfo, Vec<u16>) -> Vec<u16>,
) {
    let material: CanonicalMaterial = name.parse().unwrap();
    let path = directory.join(file_name(material));
    let table = TableFile::open_as(&path, material, Access::Whole).unwrap();
    let options = WriteOptions::of(material);
    let mut writer = TableWriter::create(&path, material, options).unwrap();
    for section in table.sections() {
        let mut info = section.header().info.clone();
        let cells = section.decode_all(&|_| {}).unwrap();
        let cells = (0..cells.len()).map(|i| cells.get(i).unwrap()).collect();
        let cells = change(material, &mut info, cells);
        writer.add_section(info, &cells, &|_| {}).unwrap();
    }
    writer.finish().unwrap();
}

/// Changes every seventh cell.
fn with_wrong_cells(_: CanonicalMaterial, info: &mut SectionInfo, mut cells: Vec<u16>) -> Vec<u16> {
    for cell in cells.iter_mut().step_by(7) {
        *cell = (*cell + 1) % info.codes.len() as u16;
    }
    cells
}

/// Makes the longest wins 300 moves longer, in the codes and in the statistics.
fn with_a_wide_distance(_: CanonicalMaterial, info: &mut SectionInfo, cells: Vec<u16>) -> Vec<u16> {
    let counts = &mut info.statistics.white_to_move;
    let longest = counts.white_wins.len() as u16 - 1;
    let code = info
        .codes
        .iter_mut()
        .find(|code| **code == Code::WhiteWins(longest));
    *code.expect("the longest win has a code") = Code::WhiteWins(longest + 300);
    let wins = counts.white_wins.pop().expect("the ending has wins");
    counts.white_wins.resize(usize::from(longest) + 300, 0);
    counts.white_wins.push(wins);
    cells
}

/// Moves the outermost component inwards, up to the lane.
fn with_the_anchor_inside(
    material: CanonicalMaterial,
    info: &mut SectionInfo,
    cells: Vec<u16>,
) -> Vec<u16> {
    let old = Layout::from_bytes(material, info.symmetry, &info.order).unwrap();
    let mut order = old.order().to_vec();
    assert_eq!(order[0], Component::Anchor, "the order has slabs before");
    let lane = order.len() - 1;
    order[..lane].rotate_left(1);
    let new = Layout::new(material, old.symmetry(), &order).unwrap();
    info.order = new.order_bytes();
    let old_number = |number: u64| -> u64 {
        let digits = order
            .iter()
            .map(|&one| new.digit(number, one) as u64 * old.stride(one));
        digits.sum()
    };
    (0..new.cells())
        .map(|number| cells[old_number(number) as usize])
        .collect()
}
