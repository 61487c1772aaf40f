//! The explorer as static files, and the errors of `sakmak site`.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::client::{Served, tables};
use crate::command::program_with;

/// The smallest substitute for the reader: a WebAssembly module that exports the functions called
/// by the page.
pub const WASM: &[u8] = b"\0asm\x01\0\0\0\x07\x3e\x07\x06memory\0\0\x05input\0\0\x06output\0\0\
    \x0doutput_length\0\0\x03add\0\0\x04give\0\0\x03ask\0\0";
/// The beginning of every module.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";

fn site(tables: &Path, arguments: &[&str], directory: &Path) -> Output {
    let mut command = program_with(tables);
    command.current_dir(directory).arg("site").args(arguments);
    command.output().unwrap()
}

/// The site includes a verdict table that lies beside its distances.
#[test]
fn site_has_verdict_tables() {
    let directory = TempDir::new().unwrap();
    let of_both = directory.path().join("tables");
    let mut solved_endings = sakmak::generate::SolvedEndings::new();
    let material = "KRvK".parse().unwrap();
    fs::create_dir(&of_both).unwrap();
    fs::copy(tables().join("KRvK.skm"), of_both.join("KRvK.skm")).unwrap();
    sakmak::generate::generate_verdicts(
        material,
        sakmak::rules::RuleSets::ALL,
        &of_both,
        &mut solved_endings,
        &[],
    )
    .unwrap();
    fs::write(directory.path().join("reader"), WASM).unwrap();
    let arguments = ["KRvK", "--out", "out", "--reader", "reader"];
    let out = site(&of_both, &arguments, directory.path());
    assert!(out.status.success(), "{out:?}");
    let read = |name: &str| fs::read(directory.path().join("out").join(name)).unwrap();
    let bytes = read("tables/KRvK.skv");
    assert_eq!(bytes, fs::read(of_both.join("KRvK.skv")).unwrap());
    let manifest: Json = serde_json::from_slice(&read("v1/manifest.json")).unwrap();
    let entry = &manifest["verdict_tables"]["KRvK"];
    assert_eq!(entry["bytes"], bytes.len());
    assert!(
        entry["url"]
            .as_str()
            .unwrap()
            .starts_with("tables/KRvK.skv?"),
        "{entry}"
    );
    // Alone it is enough for the reader, which then answers by category.
    fs::remove_file(of_both.join("KRvK.skm")).unwrap();
    let arguments = ["KRvK", "--out", "alone", "--reader", "reader"];
    let out = site(&of_both, &arguments, directory.path());
    assert!(out.status.success(), "{out:?}");
    let read = |name: &str| fs::read(directory.path().join("alone").join(name)).unwrap();
    assert_eq!(read("tables/KRvK.skv"), bytes);
    let manifest: Json = serde_json::from_slice(&read("v1/manifest.json")).unwrap();
    assert_eq!(&manifest["verdict_tables"]["KRvK"], entry);
    assert!(manifest["tables"].as_object().unwrap().is_empty());
}

#[test]
fn site_has_page_reader_and_tables() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("reader"), WASM).unwrap();
    fs::create_dir(path("out")).unwrap();
    fs::write(path("out/robots.txt"), "mine").unwrap();
    fs::write(path("out/sakmak.wasm"), "old").unwrap();
    let arguments = ["KRvKN", "KSMvK", "--out", "out", "--reader", "reader"];
    for _ in 0..2 {
        let out = site(tables(), &arguments, directory.path());
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.success() && said.contains("6 tables"), "{said}");
    }
    let read = |name: &str| fs::read(path("out").join(name)).unwrap();
    assert_eq!(read("robots.txt"), b"mine");
    assert_eq!(read("sakmak.wasm"), WASM);
    // Only the page and its script differ from the server's.
    for (name, text) in sakmak_explorer::serve::page_files() {
        assert_eq!(
            read(&name[1..]) == text.as_bytes(),
            name != "/page.js",
            "{name}"
        );
    }
    // The first answer is embedded in the page.
    let page = String::from_utf8(read("index.html")).unwrap();
    assert!(page.contains("/v1/explore?fen=8/8/8/3k4/8/3K4/2SM4/8_w_-_-_0_1&rules=makruk"));
    let worker = String::from_utf8(read("sw.js")).unwrap();
    assert!(!worker.contains("development"));
    let manifest: Json = serde_json::from_slice(&read("v1/manifest.json")).unwrap();
    let listed = manifest["tables"].as_object().unwrap();
    assert_eq!(listed.len(), 6);
    let served = Served::shared();
    for (name, table) in listed {
        let bytes = read(&format!("tables/{name}.skm"));
        assert_eq!(table["bytes"], bytes.len());
        assert_eq!(bytes, served.get(&format!("/tables/{name}.skm")).body);
        let figures = read(&format!("v1/endings/{name}.json"));
        assert_eq!(figures, served.get(&format!("/v1/endings/{name}")).body);
        for rules in ["makruk", "asean", "ouk"] {
            let puzzles = read(&format!("v1/puzzles/{name}.{rules}.json"));
            let path = format!("/v1/puzzles?ending={name}&rules={rules}&turn=any&limit=40&seed=1");
            let reply = served.get(&path);
            match puzzles.is_empty() {
                true => reply.is_error(404, "not-found"),
                false => assert_eq!(puzzles, reply.body, "{path}"),
            }
        }
        let (file, hash) = table["url"].as_str().unwrap().split_once('?').unwrap();
        assert_eq!((file, hash.len()), (&*format!("tables/{name}.skm"), 8));
    }
    let endings: Json = serde_json::from_slice(&read("v1/endings.json")).unwrap();
    assert_eq!(endings["endings"].as_array().unwrap().len(), 6);
    // No unfinished file is left.
    let names = fs::read_dir(path("out/tables")).unwrap();
    assert_eq!(names.count(), 6);
}

#[test]
fn site_says_what_is_missing_before_it_writes() {
    let directory = TempDir::new().unwrap();
    let failed = |arguments: &[&str], code: i32, sentence: &str| {
        let out = site(tables(), arguments, directory.path());
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(code), "{said}");
        assert!(said.contains(sentence), "{said}");
    };
    failed(
        &["--out", "out"],
        2,
        "`explorer/web/wasm/build` in sakmak's repository",
    );
    for other in [b"text".as_slice(), HEADER, &WASM[..WASM.len() - 1]] {
        fs::write(directory.path().join("text"), other).unwrap();
        let text = ["KRvKN", "--out", "out", "--reader", "text"];
        failed(&text, 2, "text is not the reader");
    }
    assert!(!directory.path().join("out").exists());
    fs::write(directory.path().join("wasm"), WASM).unwrap();
    failed(
        &["KRvKR", "--out", "out", "--reader", "wasm"],
        1,
        "generate KRvKR",
    );
    assert!(!directory.path().join("out").exists());
    failed(
        &["KRvKN", "--out", "text", "--reader", "wasm"],
        3,
        "cannot be written",
    );
}

/// The page's script includes every module, and the static one the module that replaces the server.
#[test]
fn every_module_is_in_the_script_of_the_page() {
    let page_files: Vec<_> = sakmak_explorer::serve::page_files().collect();
    let (_, script) = page_files
        .iter()
        .find(|(path, _)| *path == "/page.js")
        .unwrap();
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../explorer/web/js");
    let mut modules = 0;
    for directory in [web.clone(), web.join("words")] {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let module = path.strip_prefix(&web).unwrap().with_extension("");
            let variable = module.to_str().unwrap().replace(['/', '\\'], "_");
            assert!(
                script.contains(&format!("const ${variable} = (() => {{")),
                "{variable}"
            );
            modules += 1;
        }
    }
    let is_module = |line: &&str| line.starts_with("const $") && line.ends_with(" = (() => {");
    assert_eq!(script.lines().filter(is_module).count(), modules);
}
