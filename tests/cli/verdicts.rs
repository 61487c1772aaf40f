//! Verdict tables on the command line: made, verified, and damaged.

use tempfile::TempDir;

use crate::common::{assert_fails, run};

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
        verified.out.contains("verdict table OK"),
        "{}",
        verified.out
    );

    // Damaged, cut short, of another format version, and that of another ending: each is told, and the
    // distances go on answering.
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    let mut version = bytes.clone();
    version[8] += 1;
    let remedy = "KRvK.skv and make it again with `sakmak generate --verdicts KRvK";
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

    // Without its distances it cannot be probed from the command line, which says so.
    std::fs::write(&verdicts, &bytes).unwrap();
    std::fs::remove_file(tables.path().join("KRvK.skm")).unwrap();
    assert_fails(
        tables.path(),
        &["probe", MATE],
        1,
        &["there is no table of KRvK"],
    );
}
