//! Other kinds of hosts: behind redirects, and `sakmak serve`.

use tempfile::TempDir;

use crate::host::{Act, Host, Request};
use crate::tables::{assert_has, download, of, run, tables};

#[test]
fn redirects_are_followed() {
    let real = Host::of(tables());
    let url = real.url.clone();
    let elsewhere = move |request: &Request| {
        let to = format!("{url}/{}", request.file);
        Act::Say(302, vec![("Location", to)], vec![])
    };
    let (host, directory) = (Host::new(tables(), elsewhere), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSvK"]).succeeds();
    assert_has(directory.path(), &["KSvK.skm"]);
}

#[test]
fn redirects_in_a_circle_are_left() {
    let round = |request: &Request| {
        let to = format!("/{}x", request.file);
        Act::Say(302, vec![("Location", to)], vec![])
    };
    let (host, directory) = (Host::new(tables(), round), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSvK"]).fails(3, &["redirects too often"]);
}

#[cfg(feature = "serve")]
#[test]
fn a_server_of_the_explorer_is_a_host() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use crate::command::program_with;
    use crate::running::Running;

    let mut command = program_with(tables());
    command.args(["serve", "--bind", "127.0.0.1:0"]);
    let mut serving = Running::start(command.stderr(Stdio::piped()));
    let mut line = String::new();
    BufReader::new(serving.stderr.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let at = line.find("http://").unwrap();
    let url = line[at..].split(char::is_whitespace).next().unwrap();
    let directory = TempDir::new().unwrap();
    run(directory.path(), url, &["KSMvK", "--verdicts"]).succeeds();
    let both = [
        "KMvK.skm",
        "KMvK.skv",
        "KSMvK.skm",
        "KSMvK.skv",
        "KSvK.skm",
        "KSvK.skv",
    ];
    assert_has(directory.path(), &both);
}

/// A name is resolved without a thread, which a limit of processes might refuse.
#[cfg(target_os = "linux")]
#[test]
fn a_host_is_asked_without_a_thread() {
    let host = Host::of(tables());
    let directory = TempDir::new().unwrap();
    let mut command = download(directory.path(), &host.url, &["KRvK", "--plan"]);
    crate::preload::allow_threads(&mut command, 0);
    of(command).succeeds();
    let mut command = download(directory.path(), &host.url, &["KRvK"]);
    crate::preload::allow_threads(&mut command, 0);
    of(command).fails(3, &["the threads cannot be started", "ulimit -u"]);
}
