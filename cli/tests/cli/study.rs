//! The promises of `sakmak study`.

use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

use crate::common::{assert_fails, copies, json, run, tables};

/// Endings of every kind, small enough to be scanned in every test.
const NAMES: [&str; 6] = ["KRvK", "KNvK", "KSvK", "KRvKN", "KNMvK", "KMvK"];

/// All endings of up to four men against a bare king.
const BARE: [&str; 14] = [
    "KRvK", "KNvK", "KSvK", "KMvK", "KRRvK", "KRNvK", "KRSvK", "KRMvK", "KNNvK", "KNSvK", "KNMvK",
    "KSSvK", "KSMvK", "KMMvK",
];

fn directory() -> TempDir {
    copies(&NAMES)
}

#[test]
fn the_figures_are_those_of_the_statistics() {
    let directory = directory();
    let report = json(directory.path(), ["study", "--format", "json"]);
    let endings = report["endings"].as_array().unwrap();
    assert_eq!(endings.len(), NAMES.len());
    for ending in endings {
        let stats = json(
            tables(),
            ["stats", ending["material"].as_str().unwrap(), "--json"],
        );
        let rows = ending["rows"].as_array().unwrap();
        let overlays = stats["rules"].as_array().unwrap();
        for row in rows {
            let overlay = overlays.iter().find(|o| o["rules"] == row["rules"]);
            assert_row(row, overlay.unwrap(), &stats);
        }
        for rules in ["makruk", "asean", "ouk"] {
            let of_rules = |row: &&Json| row["rules"] == rules;
            assert!(rows.iter().filter(of_rules).count() >= 2);
        }
        assert_scan(ending, &stats);
    }
}

/// Checks the figures of one side's wins with one side to move.
#[track_caller]
fn assert_row(row: &Json, overlay: &Json, stats: &Json) {
    let own = row["winner_to_move"].as_bool().unwrap();
    let mover = if (row["winner"] == "white") == own {
        "white_to_move"
    } else {
        "black_to_move"
    };
    let (wins, draws) = match own {
        true => ("win", "cursed_win"),
        false => ("loss", "blessed_loss"),
    };
    let results = &overlay[mover];
    let n = |json: &Json| json.as_u64().unwrap_or(0);
    assert_eq!(row["limit"], overlay["limit"]);
    assert_eq!(row["in_time"], results[wins], "{row}");
    assert_eq!(row["count_draws"], results[draws]);
    let won = [wins, draws].map(|field| n(&results[field]));
    assert_eq!(n(&row["won"]), won.iter().sum::<u64>());
    assert_eq!(row["drawn"], results["draw"]);
    assert_eq!(row["legal"], stats[mover]["legal"]);
    let fields = ["won", "drawn", "lost"].map(|field| n(&row[field]));
    assert_eq!(fields.iter().sum::<u64>(), n(&row["legal"]));
    let available = if own {
        "white_to_move"
    } else {
        "black_to_move"
    };
    assert_eq!(
        row["moves_available"],
        overlay["moves_available"][available]
    );
}

/// Asserts that the results of a scan add up to the statistics.
#[track_caller]
fn assert_scan(ending: &Json, stats: &Json) {
    let scan = &ending["scan"];
    let makruk = &stats["rules"][0]["white_to_move"];
    let sum = |field: &str| -> u64 {
        let squares = scan["black_king"].as_array().unwrap().iter();
        squares.map(|square| square[field].as_u64().unwrap()).sum()
    };
    assert_eq!(stats["white_to_move"]["legal"], sum("legal"), "{ending}");
    assert_eq!(makruk["win"], sum("in_time"));
    assert_eq!(makruk["loss"], sum("lost_in_time"));
    for ranks in scan["khon"].as_array().unwrap().chunks(8) {
        let one = ending["material"] == "KSvK";
        let all: u64 = ranks
            .iter()
            .map(|rank| rank["legal"].as_u64().unwrap())
            .sum();
        assert!(!one || stats["white_to_move"]["legal"] == all);
    }
}

#[test]
fn every_form_is_printed_or_written_and_is_the_same() {
    let directory = directory();
    for format in ["text", "md", "csv", "json", "html"] {
        let printed = run(directory.path(), ["study", "--format", format]);
        assert_eq!(printed.code, 0, "{}", printed.err);
        let file = directory.path().join("report");
        std::fs::write(&file, "x".repeat(1 << 20)).unwrap();
        let path = file.to_str().unwrap();
        let written = run(
            directory.path(),
            ["study", "--format", format, "--out", path],
        );
        assert_eq!(
            (written.code, written.out.as_str()),
            (0, ""),
            "{}",
            written.err
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), printed.out);
        assert!(printed.out.contains("KNMvK"), "{format}");
    }
}

#[test]
fn the_tables_fit_a_terminal_of_100_columns() {
    let directory = directory();
    for args in [&["study"][..], &["study", "KRvKN"], &["study", "--no-scan"]] {
        let run = run(directory.path(), args.iter().copied());
        for line in run.out.lines() {
            // Marks above and below Thai letters have no width.
            assert!(line.width() <= 100, "{line}");
        }
    }
}

#[test]
fn findings_are_true_of_the_figures() {
    let directory = copies(&BARE);
    let text = run(directory.path(), ["study", "bare-4", "--format", "md"]).out;
    let (above, _) = text.split_once("## How to read").unwrap();
    let beats = above.split("\n* ").nth(1).unwrap();
    // Every ending is named once under each rule set.
    let document = json(directory.path(), ["study", "bare-4", "--json"]);
    let endings = document["endings"].as_array().unwrap();
    for name in BARE {
        let named = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()) == name;
        assert_eq!(
            beats.split(' ').filter(|word| named(word)).count(),
            3,
            "{name}"
        );
    }
    assert!(
        beats.contains("Of 14 endings against a bare king"),
        "{beats}"
    );
    // K+N+M v K wins 3.96 % of its positions, all in time, so it is never too slow.
    let row = |name: &str| {
        let ending = endings.iter().find(|e| e["material"] == name).unwrap();
        ending["rows"][0].clone()
    };
    assert_eq!(row("KNMvK")["standing"], "beats");
    assert_eq!(row("KSvK")["standing"], "no-win");
    assert!(!above.contains("too slow"));
    for finding in document["findings"].as_array().unwrap() {
        assert!(above.contains(finding["text"].as_str().unwrap()));
        for command in finding["commands"].as_array().unwrap() {
            let command = command.as_str().unwrap();
            assert!(command.starts_with("sakmak ") && above.contains(&format!("`{command}`")));
        }
        for fen in finding["positions"].as_array().unwrap() {
            assert_eq!(run(tables(), ["probe", fen.as_str().unwrap()]).code, 0);
        }
    }
}

#[test]
fn one_thing_is_written_in_the_singular() {
    let directory = copies(&BARE);
    for format in ["text", "md", "html"] {
        let text = run(directory.path(), ["study", "bare-4", "--format", format]).out;
        for plural in ["moves", "positions", "endings", "tables"] {
            for before in [" ", ">", "(", "\n"] {
                let wrong = format!("{before}1 {plural}");
                assert!(!text.contains(&wrong), "{format}: {wrong}");
            }
        }
    }
}

#[test]
fn the_csv_has_as_many_cells_in_every_line() {
    let directory = directory();
    let run = run(
        directory.path(),
        ["study", "KNMvK", "--format", "csv", "--rules", "makruk"],
    );
    let mut lines = run
        .out
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let headings = lines.next().unwrap();
    let lines: Vec<_> = lines.collect();
    assert!(lines.iter().all(|line| line.len() == headings.len()));
    let column = |name| {
        headings
            .iter()
            .position(|heading| *heading == name)
            .unwrap()
    };
    let line = lines.iter().find(|line| line[0] == "KNMvK").unwrap();
    assert_eq!(line[column("won")], "472900");
    assert_eq!(line[column("legal")], "11930016");
    assert!(lines.iter().all(|line| line[column("rules")] == "makruk"));
}

#[test]
fn the_form_follows_from_the_name_of_the_file() {
    let directory = directory();
    for (name, format) in [
        ("x.html", "html"),
        ("x.MD", "md"),
        ("x.csv", "csv"),
        ("x.json", "json"),
        ("x", "text"),
    ] {
        let path = directory.path().join(name);
        let path = path.to_str().unwrap();
        let done = run(directory.path(), ["study", "KRvK", "--out", path]);
        assert_eq!(done.code, 0, "{}", done.err);
        let printed = run(directory.path(), ["study", "KRvK", "--format", format]).out;
        assert_eq!(std::fs::read_to_string(path).unwrap(), printed, "{name}");
    }
}

#[test]
fn forms_that_contradict_are_wrong_usage() {
    let unknown = run(tables(), ["study", "KRvK", "--format", "pdf"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("text, md, csv, json, html"),
        "{}",
        unknown.err
    );
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("x.html");
    let path = path.to_str().unwrap();
    for (args, says) in [
        (
            &["study", "--format", "csv", "--out", path][..],
            "--format csv",
        ),
        (&["study", "--json", "--out", path], "--format json"),
        (
            &["study", "--explorer", "http://localhost"],
            "--format html",
        ),
    ] {
        assert_fails(directory.path(), args, 2, &[says]);
    }
    assert!(!directory.path().join("x.html").exists());
}

#[test]
fn boards_link_to_the_explorer_if_asked() {
    let directory = copies(&["KRvK"]);
    let args = ["study", "KRvK", "--format", "html"];
    assert!(!run(directory.path(), args).out.contains("?fen="));
    let address = ["--explorer", "https://example.org/makruk/"];
    let page = run(directory.path(), args.into_iter().chain(address)).out;
    let link = page
        .split("href=\"https://example.org/makruk/?fen=")
        .nth(1)
        .unwrap();
    let (fen, rest) = link.split_once("&amp;rules=makruk\"").unwrap();
    assert!(rest.starts_with(">explore<"));
    assert_eq!(run(tables(), ["probe", &fen.replace('_', " ")]).code, 0);
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_work() {
    let directory = directory();
    let nowhere = directory.path().join("nowhere/report.html");
    let path = nowhere.to_str().unwrap();
    for name in ["KRvK.skm", "KRvK.skv", "manifest.json", "study.json"] {
        let path = tables().join(name);
        let before = std::fs::read(&path).ok();
        let args = ["study", "KRvK", "--pgn", path.to_str().unwrap()];
        assert_fails(tables(), &args, 2, &["reserves this file name"]);
        assert!(std::fs::read(&path).ok() == before);
    }
    #[cfg(unix)]
    {
        let link = directory.path().join("link.md");
        let table = directory.path().join("KRvK.skm");
        std::fs::write(&table, "a table").unwrap();
        std::os::unix::fs::symlink(&table, &link).unwrap();
        let args = ["study", "KRvK", "--out", link.to_str().unwrap()];
        assert_fails(tables(), &args, 2, &["reserves this file name"]);
        assert_eq!(std::fs::read_to_string(&table).unwrap(), "a table");
        std::fs::remove_file(&table).unwrap();
    }
    let same = ["study", "KRvK", "--out", "a.md", "--pgn", "a.md"];
    assert_fails(tables(), &same, 2, &["name the same file"]);
    assert!(!Path::new("a.md").exists());
    let report = directory.path().join("a.md");
    std::fs::write(&report, "kept").unwrap();
    let dotted = directory.path().join("./a.md");
    let [out, pgn] = [&report, &dotted].map(|path| path.to_str().unwrap());
    let same = ["study", "KRvK", "--out", out, "--pgn", pgn];
    assert_fails(tables(), &same, 2, &["name the same file"]);
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "kept");
    for option in ["--out", "--pgn"] {
        assert_fails(
            directory.path(),
            &["study", option, path],
            3,
            &[path, "cannot be written"],
        );
    }
    assert!(
        !directory.path().join("study.json").exists(),
        "nothing was looked at"
    );
}

#[test]
fn a_report_that_fails_leaves_no_empty_file() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("report.html");
    let args = ["study", "--out", path.to_str().unwrap()];
    assert_fails(
        directory.path(),
        &args,
        1,
        &["no tables to study", "sakmak generate"],
    );
    assert!(!path.exists());
}

#[test]
fn missing_tables_are_named_beside_the_rest() {
    let directory = copies(&["KRvK"]);
    for format in ["text", "md", "html"] {
        let run = run(directory.path(), ["study", "KRNvK", "--format", format]);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(
            run.err.contains("`sakmak generate KNvK KRNvK --tables "),
            "{}",
            run.err
        );
        for name in ["KRNvK", "KNvK"] {
            assert!(
                run.out.contains(&format!("{name} is left out")),
                "{}",
                run.out
            );
        }
        assert!(run.out.contains("96.48"), "{}", run.out);
    }
    let report = |directory: &TempDir, name| {
        let run = run(directory.path(), ["study", name, "--json"]);
        assert_eq!(run.code, 1, "{}", run.err);
        serde_json::from_str::<Json>(&run.out).unwrap()
    };
    let document = report(&directory, "KRNvK");
    assert_eq!(document["missing"].as_array().unwrap().len(), 2);
    // The table of an ending without that of an ending its captures lead to.
    let directory = copies(&["KRvKN"]);
    let document = report(&directory, "KRvKN");
    assert_eq!(document["endings"][0]["scan"], Json::Null);
    assert_fails(directory.path(), &["study", "KNSvK"], 1, &["no table of"]);
}

#[test]
fn a_table_that_cannot_be_used_is_one_sentence_and_the_rest_is_reported() {
    let directory = copies(&["KRvK", "KSvK"]);
    let path = directory.path().join("KSvK.skm");
    let whole = std::fs::read(&path).unwrap();
    let mut old = whole.clone();
    // The version and the checksum after it, as in docs/develop/format.md.
    old[8..12].copy_from_slice(&0u32.to_le_bytes());
    let checksum = crc32c::crc32c(&old[..12]);
    old[12..16].copy_from_slice(&checksum.to_le_bytes());
    for (bytes, says) in [
        (&old[..], "version 0"),
        (&whole[..whole.len() - 9], "truncated"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let run = run(directory.path(), ["study"]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(
            run.err.contains("KSvK.skm") && run.err.contains(says),
            "{}",
            run.err
        );
        assert!(run.out.contains("96.48") && run.out.contains("KSvK is left out"));
    }
}

#[test]
fn what_a_look_has_told_is_kept_for_that_very_table() {
    let directory = copies(&["KRvK", "KSvK"]);
    let kept = directory.path().join("study.json");
    let shown = |args: &[&str]| run(directory.path(), args.iter().copied()).out;
    let first = shown(&["study", "KSvK", "--json"]);
    assert!(first.contains("black_king"));
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(text.contains("\"white\":12"), "the zugzwangs of KSvK");

    // The kept findings are used without another scan.
    std::fs::write(&kept, text.replace("\"white\":12", "\"white\":13")).unwrap();
    assert!(shown(&["study", "KSvK", "--json", "--no-scan"]).contains("\"white\": 13"));

    // Findings under the hash of another table are ignored.
    let mut document: Json =
        serde_json::from_str(&text.replace("\"white\":12", "\"white\":13")).unwrap();
    let entries = document["tables"].as_object_mut().unwrap();
    let (hash, entry) = entries
        .iter()
        .find(|(_, e)| e["material"] == "KSvK")
        .unwrap();
    let (hash, entry) = (hash.clone(), entry.clone());
    entries.remove(&hash);
    entries.insert(hash.chars().rev().collect(), entry);
    std::fs::write(&kept, document.to_string()).unwrap();
    assert!(!shown(&["study", "KSvK", "--json", "--no-scan"]).contains("black_king"));
    assert_eq!(shown(&["study", "KSvK", "--json"]), first);

    // A damaged file is reported and made again.
    std::fs::write(&kept, "{").unwrap();
    let again = run(directory.path(), ["study", "KSvK", "--json"]);
    assert!(again.err.contains("study.json is corrupt"), "{}", again.err);
    assert_eq!((again.code, again.out.as_str()), (0, first.as_str()));
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), text);
}

#[test]
fn the_records_are_lines_with_the_count_in_comments() {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("records.pgn");
    let done = run(
        directory.path(),
        ["study", "KRvK", "--pgn", path.to_str().unwrap()],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let pgn = std::fs::read_to_string(&path).unwrap();
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 2);
    // The first move counted is announced with the number after that of the men.
    assert!(games[0].starts_with("\"KRvK: hardest win\"]") && games[0].contains("{4}"));
    assert!(games[0].contains("[Result \"1-0\"]") && games[0].contains("{16} 14. "));
    assert!(games[1].contains("[Result \"1/2-1/2\"]") && games[1].contains("drawn by the count"));
    // The same line is played from that position.
    let fen = games[0]
        .split("[FEN \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let line = run(directory.path(), ["line", fen, "--pgn"]).out;
    let moves = |pgn: &str| pgn.split("\n\n").nth(1).unwrap().trim().to_string();
    assert_eq!(moves(games[0]), moves(&line));
}

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let directory = directory();
    let page = run(directory.path(), ["study", "--format", "html"]).out;
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for forbidden in ["src=", "http://", "https://", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    for element in [
        "svg", "g", "table", "tr", "article", "details", "figure", "section", "ul", "li", "symbol",
    ] {
        let count = |pattern: String| page.matches(&pattern).count();
        let opened = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(opened, count(format!("</{element}>")), "{element}");
        assert!(opened > 0, "{element}");
    }
    // Every link within the page has a target.
    for link in page.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

/// A translation of words that the page no longer has is an error.
#[test]
fn translated_words_are_on_the_page() {
    let directory = copies(&["KRvK", "KNvK", "KSvK", "KMvK", "KRvKN", "KNMvK", "KMMvK"]);
    let args = ["study", "--format", "html", "--explorer", "http://x"];
    let page = run(directory.path(), args).out;
    let pairs = include_str!("../../../study/src/report/export/html/thai.txt").lines();
    for english in pairs.map(|pair| pair.split('\t').next().unwrap()) {
        let escaped = english.replace('&', "&amp;");
        assert!(page.contains(&format!(">{escaped}<")), "{english}");
    }
}
