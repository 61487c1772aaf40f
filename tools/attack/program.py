"""The program under attack, the tables for it, and the checks after each run."""

import contextlib
import filecmp
import json
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

# What a run may end with: done, no, wrong input, and the machine's fault.
ENDINGS = {0, 1, 2, 3}
# So long that only a run that hangs takes it, however busy the machine is.
TIMEOUT_S = 600
# The tables that the other attacks copy, and whose bytes a mended directory must have.
SETS = ["KSMvK", "KRvKN", "KNNvK", "KNSvK", "KMMvK", "bare-3"]
QUESTIONS = [
    "8/8/8/8/8/2k5/8/K6R w", "8/8/8/8/8/2k5/8/K6R b", "8/8/8/3k4/8/3K4/2S5/8 w",
    "8/8/8/3k4/8/3K4/2SM4/8 w", "8/8/8/3k4/8/3K4/2SM4/8 b - 88 20 1", "8/3k4/8/8/8/8/1nK5/2R5 w",
    "8/3k4/8/8/8/8/1nK5/2R5 b", "k7/8/1K6/8/8/8/8/7R w", "7k/8/5K2/8/8/8/8/R7 b",
]
ASKED = ["KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN"]


class Lab:
    """The program, a seeded source of random numbers, and a directory for all files of the attacks."""

    def __init__(self, program, seed):
        self.program = str(Path(program).resolve())
        self.random = random.Random(seed)
        self.work = Path(tempfile.mkdtemp(prefix="sakmak-attack-"))
        self.failures = 0
        self.copied = {}
        self.reference = self.work / "reference"
        self.reference.mkdir()
        made = self.run("generate", *SETS, "--quiet", tables=self.reference, timeout=1800)
        if made.returncode != 0:
            raise SystemExit(f"the reference tables were not made: {made.stderr.decode()}")

    def command(self, words, tables):
        return [self.program, *(["--tables", str(tables)] if tables else []), *map(str, words)]

    def run(self, *words, tables=None, timeout=TIMEOUT_S, before=(), **options):
        """Runs the program to its end. A run that hangs is killed and has no exit code."""
        command = [*before, *self.command(words, tables)]
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        try:
            return subprocess.run(command, timeout=timeout, **options)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, None, b"", b"it hung")

    def start(self, *words, tables, **options):
        for stream in ["stdin", "stdout", "stderr"]:
            options.setdefault(stream, subprocess.DEVNULL)
        return subprocess.Popen(self.command(words, tables), **options)

    @contextlib.contextmanager
    def tables(self, *names):
        """A directory with copies of these tables, kept if a check fails."""
        failed = self.failures
        path = Path(tempfile.mkdtemp(dir=self.work)) / "tables"
        path.mkdir()
        for name in names:
            shutil.copy(self.reference / f"{name}.skm", path)
        self.copied[path] = names
        yield path
        if self.failures == failed and not list(path.glob("*.wrong-*")):
            # Which, unlike shutil.rmtree, goes down any number of directories.
            subprocess.run(["rm", "-rf", path.parent], check=False)

    def less_memory(self, ending):
        """The greatest memory with which the ending is still solved through files."""
        with self.tables() as below:
            done = self.run("generate", ending, "--plan", "--json", "--memory", "1TiB", tables=below)
        return max(planned["memory_bytes"] for planned in json.loads(done.stdout)["to_be_made"]) - 1

    def is_whole(self, tables):
        """The faults of the tables that the run has left under their names."""
        bad = [path.name for path in tables.glob("*.skm")
               if not filecmp.cmp(path, self.reference / path.name, shallow=False)]
        return f"{tables}: not whole: {bad}" if bad else None

    def mended(self, tables, endings, *options):
        """The faults left after the same command is run again."""
        done = self.run("generate", *endings, "--quiet", *options, tables=tables)
        if done.returncode != 0:
            return f"{tables}: the next run ended with {done.returncode}: {said(done)}"
        for ending in endings:
            if not (tables / f"{ending}.skm").exists() and "-" not in ending:
                return f"{tables}: the next run made no {ending}"
        listed = json.loads((tables / "manifest.json").read_text())["tables"]
        made = {path.stem for path in tables.glob("*.skm")} - {*self.copied.get(tables, ())}
        missing = [name for name in made if name not in listed]
        if missing:
            return f"{tables}: not in the manifest: {missing}"
        return self.is_whole(tables) or left_behind(tables)

    def answers(self, tables, questions=None):
        lines = "\n".join(questions or QUESTIONS).encode()
        done = self.run("probe", "--json", "-", tables=tables, input=lines)
        return done, done.stdout.decode().splitlines()


def said(done):
    return (done.stderr or b"").decode(errors="replace")[-300:]


def fault(done, endings=ENDINGS):
    """The fault in how a run ended, or None."""
    words = (done.stderr or b"").decode(errors="replace")
    if done.returncode not in endings:
        what = f"ended with {done.returncode}"
    elif "panicked" in words or "RUST_BACKTRACE" in words or "please report" in words:
        what = "panicked"
    else:
        return None
    command = [str(word) for word in done.args]
    program = next((at for at, word in enumerate(command) if word.endswith("/sakmak")), 0)
    return f"{' '.join(command[program:])} {what}: {words[-300:].strip()}"


def left_behind(tables):
    """Files that a run should have removed."""
    ours = {"manifest.json", "generate.lock", "study.json"}
    left = [path.name for path in tables.iterdir() if path.suffix != ".skm" and path.name not in ours]
    return f"{tables}: left behind: {left}" if left else None


def wrong_answer(done, got, right):
    """The faults of a set of answers: each may be an error, but not a different answer."""
    if problem := fault(done):
        return problem
    if len(got) != len(right):
        return f"{len(got)} answers to {len(right)} questions"
    for mine, other in zip(got, right):
        if mine != other and '"error"' not in mine:
            return f"a wrong answer: {mine[:200]}"
    return None


def spread(places, short):
    """The places to try: all, or `short` of them at even distances."""
    if short is None or short >= len(places):
        return places
    return [places[i * len(places) // short] for i in range(short)]


def may_mount():
    """True if root may mount file systems: a container may forbid it."""
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", directory], capture_output=True).returncode:
            return False
        subprocess.run(["umount", directory], check=True)
        return True
