//! Endings solved through files equal those solved in memory, wherever a run was interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::making::quick;
use rayon::ThreadPoolBuilder;
use sakmak::board::Color;
use sakmak::generate::{Method, Progress, Slices, SolvedEndings, generate_by_plan};
use sakmak::index::Layout;
use sakmak::internals::plan_by;
use sakmak::material::CanonicalMaterial;
use sakmak::table::{
    Access, Code, DecodedCells, Metric, SectionInfo, TableFile, WriteOptions, file_name,
};

const WHOLE: Method = Method::OutOfCore(Slices::Whole);
const SLICED: Method = Method::OutOfCore(Slices::ByColor);
const SLICED_IN_FILES: Method = Method::InFiles(Slices::ByColor);

fn make(name: &str, method: Method, directory: &Path) -> Vec<u8> {
    make_with(name, method, directory, &quick(name.parse().unwrap()))
}

fn make_with(name: &str, method: Method, directory: &Path, options: &WriteOptions) -> Vec<u8> {
    let material: CanonicalMaterial = name.parse().unwrap();
    let mut solved_endings = SolvedEndings::new();
    generate_by_plan(
        &plan_by(method, material),
        directory,
        &mut solved_endings,
        options,
        &|_| {},
    )
    .unwrap();
    let work = directory.join(format!("{material}.work"));
    assert!(!work.exists(), "{name}: the steps are removed");
    fs::read(directory.join(file_name(material))).unwrap()
}

fn bytes(name: &str, method: Method) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    make(name, method, directory.path())
}

#[test]
fn through_files_the_same_bytes_come_out_as_in_memory() {
    assert_same_bytes(&["KMvK", "KRvK", "KSMvK", "KMMvK", "KRvKM", "KNvKM"]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn through_files_the_same_bytes_come_out_of_more_endings() {
    assert_same_bytes(&["KRNvK", "KSSvK", "KRMvK"]);
}

fn assert_same_bytes(names: &[&str]) {
    for name in names {
        let (memory, files) = (bytes(name, Method::InMemory), bytes(name, WHOLE));
        assert!(memory == files, "{name}");
    }
}

/// The same with the search for the smallest order and packing.
#[test]
fn through_files_the_same_packing_is_found_as_in_memory() {
    for name in ["KRvK", "KMMvK", "KMvKM"] {
        let [memory, files] = [Method::InMemory, WHOLE].map(|method| {
            let directory = tempfile::tempdir().unwrap();
            make_with(name, method, directory.path(), &WriteOptions::default())
        });
        assert!(memory == files, "{name}");
    }
}

#[test]
fn with_arrays_in_files_the_same_bytes_come_out_as_in_memory() {
    for name in ["KRvKM", "KRvK", "KSMvK", "KMMvK"] {
        let method = Method::InFiles(Slices::Whole);
        let (memory, files) = (bytes(name, Method::InMemory), bytes(name, method));
        assert!(memory == files, "{name}");
        let (memory, files) = (bytes(name, SLICED), bytes(name, SLICED_IN_FILES));
        assert!(memory == files, "{name} in slices");
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn five_men_on_both_sides_are_the_same_through_files() {
    let names = [
        "KRMvKM", "KRMvKR", "KSMvKN", "KMMvKM", "KNMvKS", "KNMvKM", "KMMvKR", "KRRvKN", "KSSvKM",
        "KNNvKR",
    ];
    for name in names {
        let (memory, files) = (bytes(name, Method::InMemory), bytes(name, WHOLE));
        println!("{name}: {} bytes", files.len());
        assert!(memory == files, "{name}");
    }
}

/// The contents of a section: every code by its position's index in one order, and the counts.
type Contents = (Vec<Option<Code>>, [[Vec<u64>; 2]; 2], [u64; 2]);

/// The sections of a table.
fn contents(bytes: &[u8], name: &str) -> BTreeMap<String, Contents> {
    let material: CanonicalMaterial = name.parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(file_name(material));
    fs::write(&path, bytes).unwrap();
    let table = TableFile::open_as(&path, material, Access::Whole).unwrap();
    let sections = Metric::all_of(material, table.rule_sets()).filter_map(|metric| {
        let section = table.section(metric)?;
        let cells = section.decode_all(&|_| {}).unwrap();
        let contents = section_contents(material, &section.header().info, &cells);
        Some((format!("{metric:?}"), contents))
    });
    sections.collect()
}

fn section_contents(
    material: CanonicalMaterial,
    info: &SectionInfo,
    cells: &DecodedCells,
) -> Contents {
    let layout = Layout::from_bytes(material, info.symmetry, &info.order).unwrap();
    let mut order: Vec<u8> = info.order.clone();
    order.sort();
    let plain = Layout::from_bytes(material, info.symmetry, &order).unwrap();
    let mut codes = vec![None; layout.cells() as usize];
    for number in 0..plain.cells() {
        let components = plain.order().iter();
        let there: u64 = components
            .map(|&c| plain.digit(number, c) as u64 * layout.stride(c))
            .sum();
        let example = plain.example(number);
        let squares = example.squares();
        let mut apart = squares.to_vec();
        apart.sort();
        apart.dedup();
        if apart.len() == squares.len() {
            let code = cells.get(there as usize).unwrap();
            codes[number as usize] = Some(info.codes[usize::from(code)]);
        }
    }
    let statistics = &info.statistics;
    let turns = Color::ALL.map(|turn| statistics.to_move(turn));
    (
        codes,
        turns.map(|counts| [counts.white_wins.clone(), counts.black_wins.clone()]),
        turns.map(|counts| counts.draws),
    )
}

#[test]
fn in_slices_the_same_positions_have_the_same_values() {
    assert_same_values(&["KMvK", "KSMvK", "KMMvK", "KRvKM", "KMvKM", "KNvKM"]);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn in_slices_more_endings_have_the_same_values() {
    assert_same_values(&["KRMvK", "KNSvK", "KRMvKM", "KMMvKM", "KNMvKS"]);
}

fn assert_same_values(names: &[&str]) {
    for name in names {
        let memory = contents(&bytes(name, Method::InMemory), name);
        let slices = contents(&bytes(name, SLICED), name);
        let metrics = |contents: &BTreeMap<String, Contents>| -> Vec<String> {
            contents.keys().cloned().collect()
        };
        assert_eq!(metrics(&memory), metrics(&slices), "{name}");
        // Cells of illegal positions may hold any code.
        let legal = legal_cells(name);
        for (metric, memory) in memory {
            let slices = &slices[&metric];
            assert_eq!(memory.1, slices.1, "{name} {metric}");
            assert_eq!(memory.2, slices.2, "{name} {metric}");
            for (i, (a, b)) in memory.0.iter().zip(&slices.0).enumerate() {
                let same = a == b || !legal(i as u64);
                assert!(same, "{name} {metric}, {i}: {a:?} {b:?}");
            }
        }
    }
}

/// True for indices in the plain order of legal positions with White to move.
fn legal_cells(name: &str) -> impl Fn(u64) -> bool {
    let material: CanonicalMaterial = name.parse().unwrap();
    let symmetry = Layout::symmetry_of(material);
    let groups = Layout::groups_of(material).len() as u8;
    let order: Vec<u8> = (0..groups + 2).collect();
    let plain = Layout::from_bytes(material, symmetry.id(), &order).unwrap();
    move |number| {
        let example = plain.example(number);
        example.position(material, Color::White).is_some()
    }
}

#[test]
fn one_thread_and_two_write_the_same_bytes_in_slices() {
    for method in [WHOLE, SLICED] {
        let made = [1, 2].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| bytes("KSMvK", method))
        });
        assert!(made[0] == made[1], "{method:?}");
    }
}

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// The files of a directory.
fn files(directory: &Path) -> Files {
    let entries = fs::read_dir(directory).unwrap();
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// Generates an ending in slices, and stops by a panic when `stop` returns true. Returns whether it
/// did.
fn make_until(name: &str, directory: &Path, stop: impl Fn(Progress) -> bool + Sync) -> bool {
    make_by_until(SLICED, name, directory, stop)
}

fn make_by_until(
    method: Method,
    name: &str,
    directory: &Path,
    stop: impl Fn(Progress) -> bool + Sync,
) -> bool {
    let material: CanonicalMaterial = name.parse().unwrap();
    let run = std::panic::AssertUnwindSafe(|| {
        let options = quick(material);
        let watch = |progress: Progress| {
            if stop(progress) {
                std::panic::resume_unwind(Box::new("stopped"));
            }
        };
        let mut solved_endings = SolvedEndings::new();
        generate_by_plan(
            &plan_by(method, material),
            directory,
            &mut solved_endings,
            &options,
            &watch,
        )
        .unwrap();
    });
    std::panic::catch_unwind(run).is_err()
}

#[test]
fn stopped_after_any_step_a_run_goes_on_to_the_same_bytes() {
    let name = "KSMvK";
    let whole = bytes(name, SLICED);
    let (in_memory, in_files) = (SLICED, SLICED_IN_FILES);
    for (last, first, then) in [
        (0, in_memory, in_memory),
        (2, in_files, in_files),
        (20, in_memory, in_files),
        (57, in_files, in_memory),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let stopped = make_by_until(
            first,
            name,
            directory.path(),
            |p| matches!(p, Progress::Solved(moves) if moves == last),
        );
        assert!(stopped, "{last}");
        assert!(directory.path().join("KSMvK.work").exists());
        assert!(make(name, then, directory.path()) == whole, "{last}");
    }
}

#[test]
fn stopped_anywhere_a_run_with_men_on_both_sides_goes_on_to_the_same_bytes() {
    assert_resumes("KRvKM", [3, 9, 30, 61, 100]);
}

/// With five men, where a rule set counts plies.
#[test]
#[ignore = "slow: run with --ignored"]
fn stopped_anywhere_a_run_by_plies_goes_on_to_the_same_bytes() {
    assert_resumes("KMMvKM", [3, 40, 90, 150, 210]);
}

/// Asserts that a run interrupted after these numbers of reports continues to the same bytes.
fn assert_resumes(name: &str, reports: [usize; 5]) {
    let whole = bytes(name, SLICED);
    let directory = tempfile::tempdir().unwrap();
    for last in reports {
        let count = AtomicUsize::new(0);
        let stopped = make_until(name, directory.path(), |_| {
            count.fetch_add(1, Ordering::Relaxed) == last
        });
        assert!(stopped, "{last}");
        assert!(directory.path().join(format!("{name}.work")).exists());
    }
    assert!(make(name, SLICED, directory.path()) == whole);
}

#[test]
fn stopped_while_writing_a_run_goes_on_from_the_steps() {
    let whole = bytes("KMMvK", SLICED);
    let directory = tempfile::tempdir().unwrap();
    assert!(make_until("KMMvK", directory.path(), |p| matches!(
        p,
        Progress::Choosing
    )));
    let material: CanonicalMaterial = "KMMvK".parse().unwrap();
    let solved = std::sync::atomic::AtomicBool::new(false);
    let watch = |p: Progress| {
        if matches!(p, Progress::Solved(_)) {
            solved.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let (options, mut solved_endings) = (quick(material), SolvedEndings::new());
    let method = SLICED;
    generate_by_plan(
        &plan_by(method, material),
        directory.path(),
        &mut solved_endings,
        &options,
        &watch,
    )
    .unwrap();
    assert!(!solved.into_inner(), "no slice is solved again");
    assert!(files(directory.path())["KMMvK.skm"] == whole);
}

#[test]
fn damaged_and_foreign_steps_are_never_trusted() {
    let whole = bytes("KSMvK", SLICED);
    let stopped = tempfile::tempdir().unwrap();
    let stop = |p| matches!(p, Progress::Solved(9));
    assert!(make_until("KSMvK", stopped.path(), stop));
    let work = |directory: &Path| directory.join("KSMvK.work");
    let steps = files(&work(stopped.path()));
    assert!(steps.len() >= 8, "{:?}", steps.keys());
    // A step under another slice's name, one of no slice, one cut short, and one with a changed
    // byte at its end.
    let spoil: [fn(&mut Files); 5] = [
        |steps| {
            let foreign = steps["slice-0.step-003"].clone();
            steps.insert("slice-0.step-005".into(), foreign);
        },
        |steps| {
            steps.insert("slice-0.step-002".into(), vec![0; 1000]);
        },
        |steps| {
            let step = steps.get_mut("slice-0.step-004").unwrap();
            step.truncate(step.len() / 2);
        },
        |steps| {
            let step = steps.get_mut("slice-0.step-006").unwrap();
            let last = step.len() - 1;
            step[last] ^= 1;
        },
        |steps| {
            let step = steps.get_mut("slice-0.step-001").unwrap();
            let version = b"\"version\":2";
            let found = step
                .windows(version.len())
                .position(|w| w == version)
                .unwrap();
            step[found + version.len() - 1] = b'9';
        },
    ];
    for (case, spoil) in spoil.iter().enumerate() {
        let directory = tempfile::tempdir().unwrap();
        let mut spoilt = steps.clone();
        spoil(&mut spoilt);
        fs::create_dir_all(work(directory.path())).unwrap();
        for (name, bytes) in &spoilt {
            fs::write(work(directory.path()).join(name), bytes).unwrap();
        }
        let told = std::sync::atomic::AtomicBool::new(false);
        let material: CanonicalMaterial = "KSMvK".parse().unwrap();
        let watch = |p: Progress| {
            if matches!(p, Progress::Discarded) {
                told.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let (options, mut solved_endings) = (quick(material), SolvedEndings::new());
        let method = SLICED;
        generate_by_plan(
            &plan_by(method, material),
            directory.path(),
            &mut solved_endings,
            &options,
            &watch,
        )
        .unwrap();
        assert!(told.into_inner(), "case {case}");
        assert!(files(directory.path())["KSMvK.skm"] == whole, "case {case}");
    }
}

#[test]
fn a_step_damaged_within_is_named_and_the_next_run_makes_it_again() {
    let whole = bytes("KSMvK", SLICED);
    let directory = tempfile::tempdir().unwrap();
    assert!(make_until("KSMvK", directory.path(), |p| matches!(
        p,
        Progress::Solved(9)
    )));
    let step = directory.path().join("KSMvK.work/slice-0.step-003");
    let mut bytes = fs::read(&step).unwrap();
    bytes[100] ^= 1;
    fs::write(&step, bytes).unwrap();
    let material: CanonicalMaterial = "KSMvK".parse().unwrap();
    let (options, method) = (quick(material), SLICED);
    let mut solved_endings = SolvedEndings::new();
    let again = generate_by_plan(
        &plan_by(method, material),
        directory.path(),
        &mut solved_endings,
        &options,
        &|_| {},
    );
    let error = again.unwrap_err().to_string();
    assert!(
        error.contains("slice-0.step-003") && error.contains("corrupt"),
        "{error}"
    );
    assert!(make("KSMvK", method, directory.path()) == whole);
}

#[test]
fn what_is_not_ours_stays() {
    let directory = tempfile::tempdir().unwrap();
    let work = directory.path().join("KRvK.work");
    fs::create_dir(&work).unwrap();
    fs::write(work.join("notes.txt"), "mine").unwrap();
    fs::write(work.join("slice-0.step-001.part"), "half a step").unwrap();
    let material: CanonicalMaterial = "KRvK".parse().unwrap();
    let (options, mut solved_endings) = (quick(material), SolvedEndings::new());
    let method = WHOLE;
    generate_by_plan(
        &plan_by(method, material),
        directory.path(),
        &mut solved_endings,
        &options,
        &|_| {},
    )
    .unwrap();
    assert_eq!(files(&work).keys().collect::<Vec<_>>(), ["notes.txt"]);
}
