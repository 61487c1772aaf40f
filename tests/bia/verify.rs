//! The verifier, which reads files and does not know slices or exits, accepts correct tables with
//! bia and finds errors in wrong ones.

use std::path::Path;

use sakmak::index::Layout;
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;
use sakmak::table::{Access, Metric, TableFile, TableWriter, WriteOptions, file_name};
use sakmak::verify::{Verification, verify_sample, verify_table};

use crate::making::make;

fn open(directory: &Path, material: CanonicalMaterial) -> TableFile {
    let path = directory.join(file_name(material));
    TableFile::open_as(&path, material, Access::Whole).unwrap()
}

fn verify(directory: &Path, material: CanonicalMaterial) -> Verification {
    let source = |material: CanonicalMaterial| Ok(open(directory, material));
    verify_table(material, &source).unwrap()
}

fn assert_right(set: &str) {
    let directory = tempfile::tempdir().unwrap();
    make(set, directory.path());
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    for material in parse_set(set).unwrap() {
        let verdict = verify(directory.path(), material);
        assert!(verdict.is_right(), "{material}: {verdict:?}");
        println!("{material}: {} positions", verdict.positions);
        let sample = verify_sample(material, &tablebase, 500).unwrap();
        assert!(sample.is_right(), "{material}: {sample:?}");
    }
}

#[test]
fn tables_with_a_bia_are_right() {
    for set in ["KRPvK", "KPPvK", "KPvKP", "KSvKP"] {
        assert_right(set);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn all_tables_of_four_men_and_some_of_five_are_right() {
    for set in ["every-4", "KRPvKS", "KMPvKP", "KPPvKP", "KSPPvK"] {
        assert_right(set);
    }
}

#[test]
fn a_wrong_cell_is_found_wherever_it_is() {
    let material: CanonicalMaterial = "KRvKP".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    make("KRvKP", directory.path());
    let table = open(directory.path(), material);
    let path = directory.path().join(file_name(material));
    for metric in [Metric::Dtm, Metric::Dth(RuleSet::Makruk)] {
        for part in [1, 3, 5] {
            let options = WriteOptions::of(material);
            let mut writer = TableWriter::create(&path, material, options).unwrap();
            for section in table.sections() {
                let info = section.header().info.clone();
                let cells = section.decode_all(&|_| {}).unwrap();
                let cells = (0..cells.len()).filter_map(|i| cells.get(i));
                let mut cells: Vec<u16> = cells.collect();
                if info.metric == metric {
                    // Change the first win at a legal position from here on.
                    let layout = Layout::from_bytes(material, info.symmetry, &info.order);
                    let layout = layout.unwrap();
                    let win = |code: u16| info.codes[usize::from(code)].win().is_some();
                    let is_win = |&at: &usize| {
                        let example = layout.example(at as u64);
                        win(cells[at]) && example.position(material, info.side).is_some()
                    };
                    let at = (cells.len() / 7 * part..cells.len()).find(is_win).unwrap();
                    let others = (0..info.codes.len() as u16).rev();
                    let other = others.clone().find(|&code| code != cells[at] && win(code));
                    cells[at] = other.unwrap();
                }
                writer.add_section(info, &cells, &|_| {}).unwrap();
            }
            writer.finish().unwrap();
            let verdict = verify(directory.path(), material);
            assert!(verdict.differences > 0, "{metric:?} {part}");
        }
    }
}
