//! Unusable files and directories: one clear sentence, exit code 3, and nothing lost.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::command::{isolated, program};
use crate::common::{assert_fails, copies, quoted, run, sakmak, tables};

const FEN_KSVK: &str = "k7/8/3S4/K7/8/8/8/8 w";

/// Changes the bytes of a table.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Changes the file to a later format version, as that version would write it.
fn of_the_future(bytes: &mut [u8]) {
    let later = sakmak::table::VERSION + 1;
    bytes[8..12].copy_from_slice(&later.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..12]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn a_missing_table_names_the_command_that_makes_it() {
    let empty = TempDir::new().unwrap();
    let command = format!("`sakmak generate KSvK --tables {}`", quoted(empty.path()));
    assert_fails(empty.path(), &["probe", FEN_KSVK], 1, &["KSvK", &command]);
    assert_fails(empty.path(), &["stats", "KvKS"], 1, &["KSvK", &command]);
    assert_fails(empty.path(), &["verify"], 1, &["sakmak generate"]);
    let none = empty.path().join("none");
    assert_fails(&none, &["probe", FEN_KSVK], 1, &["sakmak generate KSvK"]);
}

#[test]
fn a_missing_smaller_table_names_itself() {
    // The king can take the khon, so the answer depends on K+M v K.
    let directory = copies(&["KSMvK"]);
    let args = ["probe", "8/8/8/3k4/3S4/8/3M4/3K4 b"];
    assert_fails(
        directory.path(),
        &args,
        1,
        &["KMvK", "sakmak generate KMvK"],
    );
}

#[test]
fn a_damaged_table_in_a_first_directory_is_replaced_with_a_note() {
    let damaged = copies(&["KSvK"]);
    let path = damaged.path().join("KSvK.skm");
    change(&path, |bytes| bytes[0] ^= 1);
    let both = std::env::join_paths([damaged.path(), tables()]).unwrap();
    let both = Path::new(&both);
    let whole = tables().join("KSvK.skm");
    let said = format!("note: {} is not a sakmak table", path.display());
    let instead = format!("reading {} instead", whole.display());
    for command in ["probe", "line"] {
        let expected = run(tables(), [command, FEN_KSVK]);
        let answered = run(both, [command, FEN_KSVK]);
        assert_eq!((answered.code, &answered.out), (0, &expected.out));
        assert!(answered.err.contains(&said), "{}", answered.err);
        assert!(answered.err.contains(&instead), "{}", answered.err);
        let quiet = run(both, [command, FEN_KSVK, "--quiet"]);
        assert_eq!((quiet.code, &*quiet.err), (0, ""));
    }
    // Verification still checks the corrupt file.
    let verified = run(both, ["verify", "KSvK"]);
    assert_eq!(verified.code, 3, "{}", verified.err);
    assert!(
        verified.out.contains("is not a sakmak table"),
        "{}",
        verified.out
    );
}

#[test]
fn a_directory_that_cannot_be_written_is_known_before_any_work() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "no directory").unwrap();
    let below = file.join("tables");
    let name = below.display().to_string();
    assert_fails(&below, &["generate", "bare-4"], 3, &[&name]);
    assert_fails(&below, &["probe", FEN_KSVK], 3, &[&name]);
    assert_eq!(fs::read(&file).unwrap(), b"no directory");
}

/// Runs the command between backquotes in a shell, unchanged.
#[cfg(unix)]
fn type_command(text: &str) {
    let command = text.split('`').nth(1).unwrap_or_else(|| panic!("{text}"));
    let program = crate::command::path();
    let path = std::env::join_paths([
        program.parent().unwrap(),
        Path::new("/usr/bin"),
        Path::new("/bin"),
    ]);
    let output = isolated(std::process::Command::new("sh"))
        .args(["-c", command])
        .env("PATH", path.unwrap())
        .current_dir(program.parent().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
}

#[test]
#[cfg(unix)]
fn advised_commands_work_as_typed() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("it's here");
    let missing = assert_fails(
        &directory,
        &["probe", FEN_KSVK],
        1,
        &["sakmak generate KSvK"],
    );
    type_command(&missing.err);
    assert_eq!(run(&directory, ["probe", FEN_KSVK]).code, 0);

    change(&directory.join("KSvK.skm"), |bytes| bytes.truncate(100));
    let listed = run(&directory, ["list"]);
    type_command(&listed.out);
    assert_eq!(run(&directory, ["verify"]).code, 0);
    change(&directory.join("KSvK.skm"), |bytes| bytes.truncate(100));
    type_command(&run(&directory, ["verify", "KSvK"]).err);
    assert_eq!(run(&directory, ["verify"]).code, 0);

    let missing = run(&directory, ["list", "KRvK", "KSvK"]);
    type_command(&missing.out);
    assert_eq!(run(&directory, ["list", "KRvK"]).code, 0);
    let missing = run(&directory, ["study", "KSvK", "KNvK"]);
    type_command(&missing.err);
    assert_eq!(run(&directory, ["study", "KNvK"]).code, 0);
}

#[test]
fn a_table_cut_short_is_noticed_and_made_again() {
    let directory = copies(&["KSvK"]);
    let path = directory.path().join("KSvK.skm");
    let whole = fs::read(&path).unwrap();
    let tables = quoted(directory.path());
    let command = format!("`sakmak generate --force KSvK --tables {tables}`");
    for length in [0, 7, 63, 64, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let says = ["KSvK.skm", "truncated", &command];
        assert_fails(directory.path(), &["probe", FEN_KSVK], 3, &says);
        assert_fails(directory.path(), &["stats", "KSvK"], 3, &says);
        let verified = run(directory.path(), ["verify", "KSvK"]);
        assert_eq!(verified.code, 3, "{}", verified.err);
        assert!(verified.err.contains("truncated"), "{}", verified.err);
        assert!(verified.err.contains(&command), "{}", verified.err);
    }
    let again = run(directory.path(), ["generate", "KSvK"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("truncated"), "{}", again.err);
    assert!(again.err.contains("generating it again"), "{}", again.err);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_flipped_byte_is_noticed_wherever_it_is() {
    let directory = copies(&["KSvK", "KRvK"]);
    for name in ["KSvK", "KRvK"] {
        let path = directory.path().join(format!("{name}.skm"));
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(whole.len() / 23) {
            change(&path, |bytes| bytes[place] ^= 0x10);
            let args = ["verify", name, "--checksums-only"];
            let run = run(directory.path(), args);
            assert_eq!(run.code, 3, "{name} {place}: {}", run.err);
            assert!(run.err.contains(name), "{}", run.err);
            fs::write(&path, &whole).unwrap();
        }
    }
}

#[test]
fn a_damaged_block_is_noticed_when_it_is_read() {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("KRvK.skm");
    // Every block, since the position's block depends on the file.
    change(&path, |bytes| {
        let header = u64::from_le_bytes(bytes[24..32].try_into().unwrap()) as usize;
        for byte in &mut bytes[64..header] {
            *byte ^= 1;
        }
    });
    let args = ["probe", "8/8/8/3k4/8/3K4/3R4/8 w"];
    let says = ["KRvK.skm", "corrupt", "sakmak generate --force KRvK"];
    assert_fails(directory.path(), &args, 3, &says);
    let again = run(directory.path(), ["generate", "--force", "KRvK"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(run(directory.path(), args).code, 0);
}

#[test]
fn list_fails_if_a_table_cannot_be_used() {
    let directory = copies(&["KRvK", "KSvK"]);
    change(&directory.path().join("KRvK.skm"), |bytes| {
        bytes.truncate(99)
    });
    let list = run(directory.path(), ["list"]);
    assert_eq!(list.code, 3);
    assert!(
        list.out.contains("KSvK"),
        "the others are listed: {}",
        list.out
    );
    assert!(list.out.contains("KRvK.skm is truncated"), "{}", list.out);
    let last = "sakmak: 1 table cannot be used\n";
    assert!(list.err.ends_with(last), "{}", list.err);
}

#[test]
fn a_table_of_a_future_version_is_told_from_a_damaged_one_and_kept() {
    let directory = copies(&["KSvK"]);
    let path = directory.path().join("KSvK.skm");
    change(&path, |bytes| of_the_future(bytes));
    let future = fs::read(&path).unwrap();
    let later = format!("version {}", sakmak::table::VERSION + 1);
    let says = ["KSvK.skm", &later, "update sakmak"];
    for args in [
        &["probe", FEN_KSVK][..],
        &["stats", "KSvK"],
        &["generate", "KSvK"],
        &["generate", "KSMvK"],
    ] {
        assert_fails(directory.path(), args, 3, &says);
    }
    assert_eq!(fs::read(&path).unwrap(), future);
    let forced = run(directory.path(), ["generate", "KSvK", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.err);
    assert_ne!(fs::read(&path).unwrap(), future);
}

#[test]
fn the_table_of_another_material_under_this_name_is_refused_and_kept() {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("KSvK.skm");
    fs::rename(directory.path().join("KRvK.skm"), &path).unwrap();
    let other = fs::read(&path).unwrap();
    let says = ["KSvK.skm", "the table of KRvK, not of KSvK"];
    for args in [
        &["probe", FEN_KSVK][..],
        &["stats", "KSvK"],
        &["generate", "KSvK"],
    ] {
        assert_fails(directory.path(), args, 3, &says);
    }
    assert_eq!(fs::read(&path).unwrap(), other);
}

#[test]
fn a_file_that_is_no_table_is_kept() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("KSvK.skm");
    let text = "my notes on khon endings\n".repeat(10);
    fs::write(&path, &text).unwrap();
    let says = ["KSvK.skm", "not a sakmak table"];
    assert_fails(directory.path(), &["probe", FEN_KSVK], 3, &says);
    assert_fails(directory.path(), &["generate", "KSvK"], 3, &says);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_damaged_manifest_is_known_before_any_work() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("manifest.json"), "{").unwrap();
    let says = ["manifest.json is corrupt", "delete "];
    assert_fails(directory.path(), &["generate", "KSvK"], 3, &says);
    assert!(!directory.path().join("KSvK.skm").exists());
}

#[test]
fn several_directories_are_searched_in_turn() {
    let (first, second) = (copies(&["KSvK"]), copies(&["KMvK", "KSMvK"]));
    let both = std::env::join_paths([first.path(), second.path()]).unwrap();
    let probe = |args: &[&str]| {
        let mut command = sakmak(Path::new(&both));
        command.args(args).output().unwrap().status.code()
    };
    assert_eq!(probe(&["probe", "8/8/8/3k4/3S4/8/3M4/3K4 b"]), Some(0));
    // A table in any of the directories is not generated again.
    assert_eq!(probe(&["generate", "KSMvK", "KRvK"]), Some(0));
    assert!(first.path().join("KRvK.skm").exists());
    assert!(!first.path().join("KSMvK.skm").exists());
}

#[test]
fn the_directory_comes_from_the_environment_too() {
    let output = program()
        .env("SAKMAK_TABLES", tables())
        .args(["probe", FEN_KSVK])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}
