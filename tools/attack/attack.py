"""The attacks of tools/attack/run: each a function that tries something a number of times and
returns how often, and what failed."""

import filecmp
import itertools
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAKMAK = str(Path(sys.argv[1]).resolve())
SCALE = int(sys.argv[2])
RANDOM = random.Random(int(sys.argv[3]))
WORK = Path(tempfile.mkdtemp(prefix="sakmak-attack-"))
REFERENCE = WORK / "reference"

# What a run may end with: done, no, wrong input, and the machine's fault.
ENDINGS = {0, 1, 2, 3}
TIMEOUT_S = 60
FENS = [
    "8/8/8/8/8/2k5/8/K6R w", "8/8/8/8/8/2k5/8/K6R b", "8/8/8/3k4/8/3K4/2S5/8 w",
    "8/8/8/3k4/8/3K4/2SM4/8 w", "8/8/8/3k4/8/3K4/2SM4/8 b - 88 20 1", "8/3k4/8/8/8/8/1nK5/2R5 w",
    "8/3k4/8/8/8/8/1nK5/2R5 b", "k7/8/1K6/8/8/8/8/7R w", "7k/8/5K2/8/8/8/8/R7 b",
]


def run(*words, tables=None, timeout=TIMEOUT_S, **options):
    """Runs the program to its end. A run that hangs is killed and has no exit code."""
    command = [SAKMAK, *(["--tables", str(tables)] if tables else []), *map(str, words)]
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    try:
        return subprocess.run(command, timeout=timeout, **options)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, None, b"", b"it hung")


def start(*words, tables, **options):
    command = [SAKMAK, "--tables", str(tables), *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def fresh(name="tables"):
    path = Path(tempfile.mkdtemp(dir=WORK)) / name
    path.mkdir()
    return path


def copy_of(*names):
    path = fresh()
    for name in names:
        shutil.copy(REFERENCE / f"{name}.skm", path)
    return path


def fault(done, endings=ENDINGS):
    """What is wrong with how a run ended, or None."""
    said = (done.stderr or b"").decode(errors="replace")
    if done.returncode not in endings:
        return f"{done.args[1:]} ended with {done.returncode}: {said[-300:]}"
    if "panicked" in said or "RUST_BACKTRACE" in said:
        return f"{done.args[1:]} panicked: {said[-300:]}"
    return None


def mended(tables, endings):
    """What is wrong after the same command is run again: the tables are to be the right ones."""
    done = run("generate", *endings, "--quiet", tables=tables)
    if done.returncode != 0:
        return f"{tables}: the second run ended with {done.returncode}: {done.stderr[-300:]}"
    for path in tables.glob("*.skm"):
        if not filecmp.cmp(path, REFERENCE / path.name, shallow=False):
            return f"{path} has other bytes"
    known = {path.name for path in tables.glob("*.skm")} | {"manifest.json", "generate.lock", "study.json"}
    left = [path.name for path in tables.iterdir() if path.name not in known]
    return f"{tables}: left behind: {left}" if left else None


def is_whole(tables):
    """What is wrong with tables that appeared under their names."""
    present = [path.stem for path in tables.glob("*.skm")]
    bad = [name for name in present if not filecmp.cmp(tables / f"{name}.skm", REFERENCE / f"{name}.skm", shallow=False)]
    return f"{tables}: not whole: {bad}" if bad else None


def killed_at_random():
    for _ in range(5 * SCALE):
        tables = fresh()
        process = start("generate", "KSMvK", "KRvKN", tables=tables)
        time.sleep(RANDOM.random() * 3)
        process.kill()
        process.wait()
        yield is_whole(tables) or mended(tables, ["KSMvK", "KRvKN"])
        shutil.rmtree(tables.parent, ignore_errors=True)


WRITING = "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,openat,mkdir,flock,ftruncate,unlink,unlinkat,link,linkat"


def traced(inject, tables, endings):
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=none", "-e", f"inject={WRITING}:{inject}",
               SAKMAK, "--tables", str(tables), "generate", *endings, "--threads", "1", "--quiet"]
    try:
        return subprocess.run(command, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, None, b"", b"it hung")


def killed_at_system_calls():
    every = max(1, 12 // SCALE)
    for n in itertools.count(1 + RANDOM.randrange(every), every):
        tables = fresh()
        done = traced(f"signal=KILL:when={n}", tables, ["KNNvK"])
        if done.returncode == 0:
            break
        yield is_whole(tables) or mended(tables, ["KNNvK"])
        shutil.rmtree(tables.parent, ignore_errors=True)


def system_calls_that_fail():
    every = max(1, 24 // SCALE)
    for error in ["ENOSPC", "EIO", "EACCES", "EMFILE", "EROFS"]:
        untouched = 0
        for n in itertools.count(1 + RANDOM.randrange(every), every):
            tables = fresh()
            done = traced(f"error={error}:when={n}", tables, ["KNNvK"])
            # Behind the last call that can fail nothing changes any more.
            untouched = untouched + 1 if done.returncode == 0 else 0
            # Before the program's own first line, the loader of libraries ends with 127.
            yield fault(done, ENDINGS | {127}) or is_whole(tables) or mended(tables, ["KNNvK"])
            shutil.rmtree(tables.parent, ignore_errors=True)
            if untouched >= 12 or n > 400:
                break


def stopped_by_signals():
    for number, name in [(130, signal.SIGINT), (143, signal.SIGTERM), (129, signal.SIGHUP)]:
        for stderr in ["/dev/null", "/dev/full"]:
            for _ in range(SCALE):
                tables = fresh()
                with open(stderr, "wb") as closed:
                    process = subprocess.Popen([SAKMAK, "--tables", str(tables), "generate", "KNSvK", "KRvKN"],
                                               stdout=subprocess.DEVNULL, stderr=closed)
                    time.sleep(0.3 + RANDOM.random())
                    process.send_signal(name)
                    try:
                        code = process.wait(20)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        code = None
                left = list(tables.glob(".*part*"))
                yield None if code in (number, 0) and not left else f"{name.name} with stderr {stderr}: {code}, left {left}"
                shutil.rmtree(tables.parent, ignore_errors=True)
    # Under nohup the signal is ignored from the start, and stays so.
    tables = fresh()
    process = subprocess.Popen([SAKMAK, "--tables", str(tables), "generate", "KNSvK"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.4)
    process.send_signal(signal.SIGHUP)
    code = process.wait()
    yield None if code == 0 else f"an ignored SIGHUP ended the run with {code}"


def answers(tables):
    done = run("probe", "--json", "-", tables=tables, input="\n".join(FENS).encode())
    return done, done.stdout.decode().splitlines()


def wrong_answer(done, got, right):
    if problem := fault(done):
        return problem
    if len(got) != len(right):
        return f"{len(got)} answers to {len(right)} questions"
    for mine, other in zip(got, right):
        if mine != other and '"error"' not in mine:
            return f"a wrong answer: {mine[:200]}"
    return None


def flipped_bytes():
    names = ["KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN"]
    tables = copy_of(*names)
    _, right = answers(tables)
    for name in ["KRvK", "KSvK", "KRvKN"]:
        path = tables / f"{name}.skm"
        whole = path.read_bytes()
        for _ in range(25 * SCALE):
            corrupt = bytearray(whole)
            place = RANDOM.choice([RANDOM.randrange(len(whole)), RANDOM.randrange(64), len(whole) - 1 - RANDOM.randrange(400)])
            corrupt[place] ^= 1 << RANDOM.randrange(8)
            path.write_bytes(corrupt)
            problem = wrong_answer(*answers(tables), right)
            checked = run("verify", name, "--checksums-only", tables=tables)
            if not problem and checked.returncode != 3:
                problem = f"{name}: byte {place} flipped, verify ended with {checked.returncode}"
            yield problem
        path.write_bytes(whole)


def cut_and_grown_files():
    tables = copy_of("KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN")
    _, right = answers(tables)
    for name in ["KRvK", "KSvK"]:
        path = tables / f"{name}.skm"
        whole = path.read_bytes()
        for _ in range(15 * SCALE):
            length = RANDOM.choice([0, RANDOM.randrange(len(whole)), len(whole) + 1 + RANDOM.randrange(100)])
            path.write_bytes(whole[:length].ljust(length, b"\0"))
            problem = wrong_answer(*answers(tables), right)
            done = run("generate", name, "--quiet", tables=tables)
            if not problem and (done.returncode != 0 or path.read_bytes() != whole):
                problem = f"{name} of {length} bytes was not mended: {done.returncode}, {done.stderr[-200:]}"
            yield problem
            path.write_bytes(whole)


def odd_files():
    def fifo(path):
        os.mkfifo(path)

    makers = {
        "fifo": fifo,
        "directory": lambda path: path.mkdir(),
        "loop": lambda path: path.symlink_to(path.name),
        "dangling": lambda path: path.symlink_to("nowhere"),
        "zero": lambda path: path.symlink_to("/dev/zero"),
        "full": lambda path: path.symlink_to("/dev/full"),
        "empty": lambda path: path.write_bytes(b""),
        "garbage": lambda path: path.write_bytes(b"\xff{[" * 40),
    }
    commands = [["list"], ["verify", "KRvK"], ["generate", "KRvK", "--quiet"], ["probe", FENS[0]],
                ["study", "KRvK", "--quiet"], ["stats", "KRvK"]]
    for kind, make in makers.items():
        for name in ["KRvK.skm", "manifest.json", "study.json", "generate.lock"]:
            for command in commands:
                tables = copy_of("KRvK")
                target = tables / name
                if target.exists():
                    target.unlink()
                make(target)
                done = run(*command, tables=tables, timeout=30)
                yield fault(done) and f"{name} is a {kind}: {fault(done)}"
                shutil.rmtree(tables.parent, ignore_errors=True)


def several_at_once():
    for _ in range(SCALE):
        tables = fresh()
        runs = [start("generate", "bare-3", "KNNvK", tables=tables) for _ in range(4)]
        codes = [process.wait() for process in runs]
        problem = None if codes == [0] * 4 else f"four at once ended with {codes}"
        manifest = json.loads((tables / "manifest.json").read_text())
        listed = json.dumps(manifest)
        for path in tables.glob("*.skm"):
            if path.stem not in listed:
                problem = f"{path.stem} is missing from the manifest"
        yield problem or mended(tables, ["bare-3", "KNNvK"])


def readers_beside_a_writer():
    tables = copy_of("KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN")
    _, right = answers(tables)
    writer = start("generate", "KRvK", "KSvK", "KSMvK", "--force", tables=tables)
    for _ in range(10 * SCALE):
        done, got = answers(tables)
        yield fault(done) or (None if got == right else "an answer differs while tables are made again")
    writer.wait()


def random_lines():
    alphabet = "kKrRnNsSmMbBqQ/12345678 wb-_~0 DEde\t\"\\{}\u0e01\U0001f600"
    lines = []
    for _ in range(1000 * SCALE):
        line = list(RANDOM.choice(FENS))
        for _ in range(RANDOM.randrange(6)):
            place = RANDOM.randrange(len(line) + 1)
            line[place:place + RANDOM.randrange(3)] = RANDOM.choice(alphabet)
        lines.append("".join(line))
    tables = copy_of("KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN")
    for rules in ["makruk", "asean", "ouk"]:
        done = run("probe", "--json", "-", "--rules", rules, tables=tables, input="\n".join(lines).encode())
        documents = done.stdout.decode().splitlines()
        asked = [line for line in lines if line.strip()]
        if problem := fault(done) or (None if len(documents) == len(asked) else f"{len(documents)} answers to {len(asked)}"):
            yield problem
        for document in documents:
            try:
                json.loads(document)
                yield None
            except ValueError:
                yield f"no JSON: {document[:200]}"


def random_arguments():
    commands = ["generate", "probe", "line", "stats", "study", "verify", "list", "completions", "man", "nonsense"]
    words = ["KRvK", "KvK", "kspvk", "bare-3", "all-99", "bare-0", "--json", "--rules", "ouk", "Cambodian", "--threads", "0",
             "--count", "-1", "99999999999", "--limit", "x", "--memory", "1KiB", "--plan", "--quiet", "--", "-", "", "é",
             "--sample", "5", "--format", "md", "--out", "/dev/full", "--checksums-only", FENS[0], FENS[4], "\t", "--help"]
    tables = copy_of("KRvK", "KSvK")
    for _ in range(40 * SCALE):
        chosen = [RANDOM.choice(words) for _ in range(RANDOM.randrange(5))]
        done = run(RANDOM.choice(commands), *chosen, tables=tables, stdin=subprocess.DEVNULL)
        yield fault(done)


def closed_streams():
    tables = copy_of("KRvK", "KSvK")
    commands = ["list", "verify KRvK", "generate KNvK", f"probe '{FENS[0]}'", f"line '{FENS[0]}'", "stats KRvK", "study KRvK",
                "probe nonsense", "generate --plan bare-3", "--help", "man", "completions bash"]
    endings = [">/dev/full", "2>/dev/full", ">/dev/full 2>&1", ">&-", "2>&-", ">&- 2>&-", "2>&1 | true", "| head -c 1 >/dev/null"]
    for command, ending in itertools.product(commands, endings):
        line = f"set -o pipefail; '{SAKMAK}' --tables '{tables}' {command} {ending}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
        yield fault(done)


def little_memory():
    tables = copy_of("KRvK", "KSvK", "KNvK", "KSMvK", "KMvK", "KRvKN")
    for megabytes in [12, 20, 30, 40, 60, 90, 140, 220, 400]:
        for command in [["generate", "KNSvK"], ["probe", FENS[3]], ["verify", "KRvK"], ["study", "KRvK"]]:
            limit = megabytes << 20
            into = copy_of("KRvK", "KSvK", "KNvK") if command[0] == "generate" else tables
            done = run(*command, tables=into, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            # Below what the program's own pages take, the system does not start it.
            yield fault(done, ENDINGS | {127, -11, -9} if megabytes < 20 else ENDINGS)


ATTACKS = [killed_at_random, killed_at_system_calls, system_calls_that_fail, stopped_by_signals, flipped_bytes,
           cut_and_grown_files, odd_files, several_at_once, readers_beside_a_writer, random_lines, random_arguments,
           closed_streams, little_memory]


def main():
    run("generate", "KSMvK", "KRvKN", "KNNvK", "KNSvK", "bare-3", "--quiet", tables=REFERENCE)
    failed = 0
    chosen = sys.argv[4:]
    print(f"{'attack':<26} {'trials':>7} {'failures':>9} {'s':>6}")
    for attack in ATTACKS:
        if chosen and attack.__name__ not in chosen:
            continue
        began, trials, failures = time.monotonic(), 0, []
        for problem in attack():
            trials += 1
            if problem:
                failures.append(problem)
        name = attack.__name__.replace("_", " ")
        print(f"{name:<26} {trials:>7} {len(failures):>9} {time.monotonic() - began:>6.0f}", flush=True)
        for problem in failures[:5]:
            print(f"    {problem}", flush=True)
        failed += len(failures)
    if failed:
        sys.exit(f"{failed} failures; their files are in {WORK}")
    shutil.rmtree(WORK, ignore_errors=True)


main()
