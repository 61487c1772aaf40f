//! `sakmak bench`. Its figures depend on the machine, so only their relations are tested.

use tempfile::TempDir;

use crate::common::{assert_fails, json, run};

#[test]
fn a_solve_is_told_with_its_cells_its_rate_and_its_share_of_a_copy() {
    let directory = TempDir::new().unwrap();
    let document = json(
        directory.path(),
        [
            "bench",
            "KSMvK",
            "KRvKM",
            "--runs",
            "2",
            "--threads",
            "2",
            "--json",
        ],
    );
    assert_eq!(document["threads"], 2);
    let copy = &document["copy"]["all_threads_bytes_per_second"];
    assert!(copy.as_f64().unwrap() > 0.0);
    // The king on half of the board or on ten squares, two men, the other king, and two sides to
    // move; if both sides have men, both sides' wins.
    for (solve, cells) in document["solves"]
        .as_array()
        .unwrap()
        .iter()
        .zip([32u64 * 64 * 64 * 64 * 2, 10 * 64 * 64 * 64 * 2 * 2])
    {
        assert_eq!(solve["cells"], cells);
        let float = |name: &str| solve[name].as_f64().unwrap();
        let rate = cells as f64 / float("cpu_seconds");
        assert!((float("cells_per_cpu_second") / rate - 1.0).abs() < 1e-6);
        // Every array is written at the start, and the distances once: one word for 64 cells.
        assert!(solve["bytes_moved"].as_u64().unwrap() > cells / 8);
        let share = float("bytes_per_second") / copy.as_f64().unwrap();
        assert!((float("share_of_copy") / share - 1.0).abs() < 1e-6);
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn the_same_bytes_are_moved_whatever_the_threads() {
    let directory = TempDir::new().unwrap();
    let moved = |threads: &str| {
        let args = [
            "bench",
            "KSMvK",
            "--runs",
            "1",
            "--threads",
            threads,
            "--json",
        ];
        json(directory.path(), args)["solves"][0]["bytes_moved"].clone()
    };
    assert_eq!(moved("1"), moved("2"));
}

#[test]
fn what_is_too_large_for_a_measurement_or_no_ending_is_refused() {
    let directory = TempDir::new().unwrap();
    let fails = |args: &[&str], says: &[&str]| {
        assert_fails(directory.path(), args, 2, says);
    };
    fails(&["bench", "KNSMMvK"], &["KNSMMvK", "6 men", "smaller"]);
    fails(&["bench", "KQvK"], &["KQvK"]);
    assert_eq!(
        run(directory.path(), ["bench", "KSvK", "--runs", "0"]).code,
        2
    );
}
