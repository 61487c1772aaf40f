"""Starts test binaries under each condition. Reads the messages of `cargo test --no-run`, which name the binaries, on
standard input.
"""

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_S = 300
IGNORED = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE]
ODD = "with blanks ไทย "
# Tests that compute for long and compare figures. Others start the same commands, so nothing is lost without these.
FIGURES = [
    "bia_under_rules::positions_with_bia_are_found_under_every_rule_set_as_probe_answers",
    "find::promotions_are_found_as_probe_answers",
    "published::small_tables_are_the_same_tables_in_fewer_bytes",
    "published::the_published_packing_is_the_one_that_a_search_finds",
    "rule_sets::makruk_alone_is_made_and_the_others_are_added_when_they_are_asked_for",
]


def background(environment):
    """As a script's background job: signals ignored, standard input closed, no terminal, a strict umask."""
    for name in ("HOME", "USER", "LANG", "TERM"):
        environment.pop(name, None)
    environment |= {"LC_ALL": "C", "TZ": "Asia/Bangkok"}

    def prepare():
        os.umask(0o077)
        os.close(0)
        for number in IGNORED:
            signal.signal(number, signal.SIG_IGN)

    return prepare


def terminal(environment):
    """From a narrow terminal, with settings in the environment and a umask that forbids nothing."""
    environment |= {
        "LC_ALL": "th_TH.UTF-8", "TZ": "America/St_Johns", "TERM": "dumb", "COLUMNS": "20",
        "CLICOLOR_FORCE": "1", "NO_COLOR": "1", "HOME": "/nowhere", "SAKMAK_TABLES": "/nowhere",
        "SLURM_MEM_PER_NODE": "1", "RUST_BACKTRACE": "full",
    }

    def prepare():
        os.umask(0)

    return prepare


def executables(messages):
    for line in messages:
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            yield message["target"]["name"], message["executable"], Path(message["manifest_path"]).parent


def run(executable, directory, condition):
    """The exit status of a run and its output; None if it took too long."""
    environment = dict(os.environ)
    prepare = condition(environment)
    with tempfile.TemporaryDirectory() as parent, tempfile.TemporaryFile() as printed:
        temporary = Path(parent) / ODD
        temporary.mkdir()
        environment["TMPDIR"] = str(temporary)
        theirs = None
        if condition is terminal:
            ours, theirs = pty.openpty()
        command = [executable]
        for test in FIGURES:
            command += ["--skip", test]
        process = subprocess.Popen(
            command, cwd=directory, env=environment, preexec_fn=prepare, start_new_session=True,
            stdin=theirs, stdout=printed, stderr=printed)
        try:
            status = process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if theirs is not None:
            os.close(theirs)
            os.close(ours)
        printed.seek(0)
        return status, printed.read().decode(errors="replace")


def main():
    failed = False
    found = list(executables(sys.stdin))
    if not found:
        sys.exit("no tests were built")
    for condition in (background, terminal):
        for name, executable, directory in found:
            started = time.monotonic()
            status, printed = run(executable, directory, condition)
            took = f"{condition.__name__}: {name}, {time.monotonic() - started:.0f} s"
            if status == 0:
                print(took)
                continue
            failed = True
            print(f"{took}: {'took too long' if status is None else f'failed ({status})'}\n{printed}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
