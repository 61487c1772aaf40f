//! Help, completions and the manual page.

use crate::common::{run, tables};

const COMMANDS: [&str; 7] = [
    "generate",
    "probe",
    "stats",
    "verify",
    "list",
    "completions",
    "man",
];

#[test]
fn every_command_says_what_it_does_with_an_example() {
    let help = run(tables(), ["--help"]);
    assert_eq!(help.code, 0);
    for command in COMMANDS {
        assert!(help.out.contains(command));
        let help = run(tables(), [command, "--help"]);
        assert_eq!(help.code, 0);
        assert!(
            help.out.contains(&format!("sakmak {command}")),
            "{}",
            help.out
        );
        assert!(help.out.contains("Example"), "{}", help.out);
        assert!(help.out.contains("--tables"), "{}", help.out);
    }
}

#[test]
fn completions_come_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(tables(), ["completions", shell]);
        assert_eq!(script.code, 0);
        assert!(script.out.contains("generate"), "{}", script.out);
    }
}

#[test]
fn there_is_a_manual_page_for_the_program_and_for_each_command() {
    let page = run(tables(), ["man"]);
    assert!(
        page.code == 0 && page.out.contains(".TH sakmak"),
        "{}",
        page.out
    );
    for command in COMMANDS {
        let page = run(tables(), ["man", command]);
        assert_eq!(page.code, 0);
        assert!(
            page.out.contains(&format!(".TH sakmak-{command}")),
            "{}",
            page.out
        );
    }
}

#[test]
fn the_version_is_told() {
    let version = run(tables(), ["--version"]);
    assert_eq!(version.code, 0);
    assert_eq!(
        version.out.trim(),
        concat!("sakmak ", env!("CARGO_PKG_VERSION"))
    );
}
