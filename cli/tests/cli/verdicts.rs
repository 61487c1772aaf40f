//! Verdict tables on the command line: generated, verified and damaged.

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{assert_fails, bia_tables, json, run};

/// White mates in one.
const MATE: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

#[test]
fn verdict_tables_are_made_once_and_verified() {
    let tables = TempDir::new().unwrap();
    let verdicts = tables.path().join("KRvK.skv");
    let made = run(tables.path(), ["generate", "KRvK", "--verdicts"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let bytes = std::fs::read(&verdicts).unwrap();
    let when = std::fs::metadata(&verdicts).unwrap().modified().unwrap();
    run(tables.path(), ["generate", "KRvK", "--verdicts"]);
    let again = std::fs::metadata(&verdicts).unwrap().modified().unwrap();
    assert_eq!(again, when);
    let verified = run(tables.path(), ["verify", "KRvK"]);
    assert!(
        verified.out.contains("verdict table OK, as published"),
        "{}",
        verified.out
    );

    // Damaged, truncated, of another format version, and of another ending: each is reported, and
    // the distances still answer.
    let mut damaged = bytes.clone();
    // The index comes before the header and is checked with each block.
    let header = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    damaged[header as usize - 1] ^= 1;
    let mut version = bytes.clone();
    version[8] = 255;
    let remedy = "make it again with `sakmak generate --verdicts KRvK";
    for (file, says) in [
        (&damaged[..], "is corrupt in block"),
        (&bytes[..bytes.len() - 9], "KRvK.skv"),
        (&version[..], "KRvK.skv"),
        (b"no table at all".as_slice(), "KRvK.skv"),
    ] {
        std::fs::write(&verdicts, file).unwrap();
        let verified = run(tables.path(), ["verify", "KRvK"]);
        assert_ne!(verified.code, 0, "{}", verified.out);
        for part in [says, remedy] {
            assert!(verified.err.contains(part), "{}", verified.err);
        }
        let probed = run(tables.path(), ["probe", MATE]);
        assert_eq!(probed.code, 0, "{}", probed.err);
    }

    // Listed with its checksum, from the manifest or from the file.
    std::fs::write(&verdicts, "no table at all").unwrap();
    let listed = run(tables.path(), ["list"]);
    assert_eq!(listed.code, 3, "{}", listed.out);
    assert!(listed.out.contains(remedy), "{}", listed.out);
    std::fs::write(&verdicts, &bytes).unwrap();
    let list: Json = json(tables.path(), ["list", "KRvK", "--json"]);
    let listed = &list["verdict_tables"][0];
    assert_eq!(listed["material"], "KRvK");
    assert_eq!(listed["bytes"], bytes.len());
    assert_eq!(listed["blake3"], blake3::hash(&bytes).to_hex().as_str());
    let listed = run(tables.path(), ["list"]).out;
    assert!(listed.contains("\n1 verdict table, "), "{listed}");

    // Without its distances it answers by category, and the missing table is named.
    std::fs::remove_file(tables.path().join("KRvK.skm")).unwrap();
    let listed = run(tables.path(), ["list"]).out;
    assert!(
        listed.starts_with("no distance tables\n1 verdict table, "),
        "{listed}"
    );
    assert!(
        listed.ends_with("verdicts without distances: KRvK\n"),
        "{listed}"
    );
    let probed = run(tables.path(), ["probe", MATE]);
    assert_eq!(probed.code, 0, "{}", probed.err);
    let command = "make it with `sakmak generate KRvK";
    for part in [
        "no distances: there is no table of KRvK in",
        command,
        "win: White mates in time",
    ] {
        assert!(probed.out.contains(part), "{}", probed.out);
    }
    assert_fails(
        tables.path(),
        &["line", MATE],
        1,
        &["there is no table of KRvK"],
    );
}

#[test]
fn probe_answers_from_verdict_tables_alone() {
    let full = bia_tables();
    let verdicts = TempDir::new().unwrap();
    for file in std::fs::read_dir(full).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "skv") {
            std::fs::copy(&path, verdicts.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    for fen in [
        "8/8/8/2P5/1k6/8/2K5/R7 w",
        "8/2k5/8/2P5/8/8/2K5/R7 b",
        "4k3/8/8/2P1K3/8/8/R7/8 w",
        "8/8/4k3/2P5/2S5/8/8/K7 w",
        "8/8/8/3k4/8/3K4/2SM4/8 w",
        "7k/8/6K1/8/8/8/8/R7 b - 32 10 1",
    ] {
        let [ours, theirs] =
            [verdicts.path(), full].map(|tables| json(tables, ["probe", "--json", fen]));
        for field in ["category", "count", "checkmate", "insufficient_material"] {
            if field != "category" || ours["at_most"].is_null() {
                assert_eq!(ours[field], theirs[field], "{field} of {fen}");
            }
        }
        assert!(ours["missing_distances"].is_string() && theirs["missing_distances"].is_null());
        let of = |document: &Json, uci: &Json| {
            let mut moves = document["moves"].as_array().unwrap().iter();
            moves.find(|found| &found["uci"] == uci).unwrap().clone()
        };
        for found in ours["moves"].as_array().unwrap() {
            let known = of(&theirs, &found["uci"]);
            assert_eq!(found["count"], known["count"], "{found}");
            if found["at_most"].is_null() {
                assert_eq!(found["category"], known["category"], "{fen}: {found}");
            }
        }
        // In words, and one of many.
        let text = run(verdicts.path(), ["probe", fen]);
        assert_eq!(text.code, 0, "{}", text.err);
        assert!(text.out.contains("no distances: there is no table of "));
    }
}

#[test]
fn only_a_damaged_verdict_table_is_replaced() {
    let tables = TempDir::new().unwrap();
    let verdicts = tables.path().join("KRvK.skv");
    let generate = ["generate", "KRvK", "--verdicts"];
    assert_eq!(run(tables.path(), generate).code, 0);
    let bytes = std::fs::read(&verdicts).unwrap();

    // One of a later version, one that is no table, and one of another ending.
    let mut later = bytes.clone();
    later[8] = 255;
    let crc = crc32c::crc32c(&later[..12]);
    later[12..16].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(
        run(tables.path(), ["generate", "KSvK", "--verdicts"]).code,
        0
    );
    let other = std::fs::read(tables.path().join("KSvK.skv")).unwrap();
    for (file, says) in [
        (&later[..], "update sakmak, or delete it"),
        (b"my notes", "move it away"),
        (&other, "rename it to KSvK.skv if that name is free"),
    ] {
        std::fs::write(&verdicts, file).unwrap();
        for args in [&generate[..], &["generate", "--only", "KRvK", "--verdicts"]] {
            assert_fails(tables.path(), args, 3, &["KRvK.skv", says]);
            assert!(std::fs::read(&verdicts).unwrap() == file, "{says}");
        }
    }

    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    for damaged in [&damaged[..], &bytes[..bytes.len() / 2], &[]] {
        std::fs::write(&verdicts, damaged).unwrap();
        let again = run(tables.path(), generate);
        assert_eq!(again.code, 0, "{}", again.err);
        assert!(again.err.contains("generating it again"), "{}", again.err);
        assert!(std::fs::read(&verdicts).unwrap() == bytes);
    }
}

#[test]
fn the_manifest_counts_positions_by_category() {
    let tables = TempDir::new().unwrap();
    let manifest = || -> Json {
        let text = std::fs::read(tables.path().join("manifest.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    };
    let made = run(tables.path(), ["generate", "KSvKM", "--verdicts"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let first = manifest();
    let entry = &first["verdict_tables"]["KSvKM"];
    let file = std::fs::read(tables.path().join("KSvKM.skv")).unwrap();
    assert_eq!(entry["bytes"], file.len());
    assert_eq!(entry["blake3"], blake3::hash(&file).to_hex().as_str());
    // A win in any number of moves is a win under each rule set, in time or not.
    let statistics = &first["tables"]["KSvKM"]["statistics"][0];
    let sum = |wins: &Json| -> u64 {
        wins.as_array()
            .unwrap()
            .iter()
            .filter_map(Json::as_u64)
            .sum()
    };
    for rules in entry["categories"].as_array().unwrap() {
        for (turn, own, other) in [
            ("white_to_move", "white_wins", "black_wins"),
            ("black_to_move", "black_wins", "white_wins"),
        ] {
            let (found, counts) = (&rules[turn], &statistics[turn]);
            let two = |a: &str, b: &str| found[a].as_u64().unwrap() + found[b].as_u64().unwrap();
            assert_eq!(found["draw"], counts["draws"], "{rules}");
            assert_eq!(two("win", "cursed_win"), sum(&counts[own]), "{rules}");
            assert_eq!(two("loss", "blessed_loss"), sum(&counts[other]), "{rules}");
        }
    }

    std::fs::remove_file(tables.path().join("manifest.json")).unwrap();
    let gathered = run(tables.path(), ["manifest"]);
    assert!(
        gathered.out.contains("3 verdict tables"),
        "{}",
        gathered.out
    );
    assert_eq!(
        manifest()["verdict_tables"]["KSvKM"]["categories"],
        entry["categories"]
    );

    // A damaged file is reported, and the others are in the manifest.
    std::fs::write(tables.path().join("KSvK.skv"), b"no table").unwrap();
    let damaged = run(tables.path(), ["manifest"]);
    assert_eq!(damaged.code, 3, "{}", damaged.err);
    assert!(damaged.err.contains("KSvK.skv"), "{}", damaged.err);
    assert!(manifest()["verdict_tables"]["KSvKM"].is_object());
    assert!(manifest()["verdict_tables"]["KSvK"].is_null());
}
