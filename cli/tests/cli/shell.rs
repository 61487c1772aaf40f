//! Help, completions and the manual page.

use crate::common::{assert_fails, run, tables};

/// The commands that the program lists.
pub fn commands() -> Vec<String> {
    let help = run(tables(), ["--help"]);
    assert_eq!(help.code, 0);
    let listed = help.out.split("Commands:\n").nth(1).unwrap();
    let lines = listed.lines().take_while(|line| !line.is_empty());
    // Two spaces come before a command's name, more between the name and its description.
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    let names: Vec<String> = names.map(str::to_string).collect();
    assert!(names.len() >= 10, "{names:?}");
    names
}

#[test]
fn every_help_has_an_example() {
    for command in commands() {
        let help = run(tables(), [&*command, "--help"]);
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
fn commands_of_other_builds_say_how_to_build_them() {
    let (serve, download) = (cfg!(feature = "serve"), cfg!(feature = "download"));
    let all = [
        ("serve", "serve", serve),
        ("site", "serve", serve),
        ("download", "download", download),
    ];
    for (command, feature, _) in all.into_iter().filter(|(_, _, is_built)| !is_built) {
        assert!(!commands().iter().any(|listed| listed == command));
        for args in [&[][..], &["--help"], &["--out", "public", "bare-4"]] {
            let args = [&[command][..], args].concat();
            let option = format!("--features {feature}");
            assert_fails(
                tables(),
                &args,
                2,
                &["without", &option, "in its repository"],
            );
        }
    }
}

#[test]
fn completions_come_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(tables(), ["completions", shell]);
        assert_eq!(script.code, 0);
        for command in commands() {
            assert!(script.out.contains(&command), "{command} {}", script.out);
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = run(tables(), ["man"]);
    assert!(
        page.code == 0 && page.out.contains(".TH sakmak"),
        "{}",
        page.out
    );
    for command in commands() {
        let page = run(tables(), ["man", &*command]);
        assert_eq!(page.code, 0);
        assert!(
            page.out.contains(&format!(".TH sakmak-{command}")),
            "{}",
            page.out
        );
    }
}

#[test]
fn version_is_printed() {
    let version = run(tables(), ["--version"]);
    assert_eq!(version.code, 0);
    assert_eq!(
        version.out.trim(),
        concat!("sakmak ", env!("CARGO_PKG_VERSION"))
    );
}
