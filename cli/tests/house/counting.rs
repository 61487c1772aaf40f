//! The examples of the page on counting print what the page shows.

use crate::command::program_with;
use crate::pages::root;

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn counting_examples_print_what_the_page_shows() {
    let page = std::fs::read_to_string(root().join("docs/counting.md")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let run = |args: &[String]| {
        let output = program_with(directory.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let made = page.split("`sakmak generate ").nth(1).unwrap();
    let made = made.split('`').next().unwrap().split(' ').map(String::from);
    run(&["generate".to_string()]
        .into_iter()
        .chain(made)
        .collect::<Vec<_>>());

    let mut examples = 0;
    for block in page.split("```console\n$ sakmak ").skip(1) {
        let block = block.split("```").next().unwrap();
        let (command, shown) = block.split_once('\n').unwrap();
        let printed = run(&shlex::split(command).unwrap());
        let same = printed.starts_with(shown);
        assert!(same, "put this into the page, below {command}:\n{printed}");
        examples += 1;
    }
    assert!(examples >= 10, "{examples}");
}
