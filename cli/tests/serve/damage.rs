//! A table that is damaged or removed while it is served affects only its own positions.

use sakmak_explorer::serve::{Limits, Patience};
use tempfile::TempDir;

use crate::client::{Served, tables};

const ROOK: &str = "/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w";
const KHON: &str = "/v1/probe?fen=8/8/8/3k4/8/3K4/2SM4/8_w";

fn copies() -> TempDir {
    let directory = TempDir::new().unwrap();
    for entry in std::fs::read_dir(tables()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "skm") {
            std::fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    directory
}

#[test]
fn a_damaged_table_is_500_for_its_positions() {
    let directory = copies();
    let path = directory.path().join("KRvK.skm");
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in bytes.iter_mut().skip(64) {
        *byte ^= 0x55;
    }
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    std::fs::write(&path, &bytes).unwrap();
    let reply = served.get(ROOK);
    reply.is_error(500, "file");
    assert!(
        !reply
            .text()
            .contains(&directory.path().display().to_string())
    );
    assert_eq!(served.get(KHON).status, 200);
    served
        .get("/v1/explore?fen=8/8/8/8/8/2k5/8/K6R_w")
        .is_error(500, "file");
}

#[test]
fn a_table_that_is_gone_is_404_for_its_positions() {
    let directory = copies();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    std::fs::remove_file(directory.path().join("KRvK.skm")).unwrap();
    served.get(ROOK).is_error(404, "missing-table");
    served
        .get("/tables/KRvK.skm")
        .is_error(404, "missing-table");
    assert_eq!(served.get(KHON).status, 200);
}

#[test]
fn a_table_cut_short_is_500_to_whoever_fetches_it() {
    let directory = copies();
    let served = Served::new(directory.path(), Limits::default(), Patience::default());
    let path = directory.path().join("KRvK.skm");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..100]).unwrap();
    served.get("/tables/KRvK.skm").is_error(500, "file");
    served.get(ROOK).is_error(500, "file");
    assert_eq!(served.get("/tables/KSMvK.skm").status, 200);
}

#[test]
fn a_damaged_table_is_replaced_by_that_of_a_later_directory() {
    let directory = copies();
    std::fs::write(directory.path().join("KRvK.skm"), "no table").unwrap();
    let served = Served::of(
        &[directory.path(), tables()],
        Limits::default(),
        Patience::default(),
    );
    let expected = Served::shared().get(ROOK).json();
    assert_eq!(served.get(ROOK).json(), expected);
    // The file sent is the valid one too.
    let sent = served.get("/tables/KRvK.skm").body;
    assert!(sent == std::fs::read(tables().join("KRvK.skm")).unwrap());
}
