"""Random input from people and programs, closed streams, and little memory."""

import itertools
import json
import resource
import subprocess

from program import ASKED, QUESTIONS, TIMEOUT_S, fault

ALPHABET = "kKrRnNsSmMbBqQ/12345678 wb-_~0 DEde\t\"\\{}\u0e01\U0001f600"


def random_lines(lab, trials):
    """Each line given to `probe --json -` gets exactly one document."""
    lines = []
    for _ in range(trials):
        line = list(lab.random.choice(QUESTIONS))
        for _ in range(lab.random.randrange(6)):
            place = lab.random.randrange(len(line) + 1)
            line[place:place + lab.random.randrange(3)] = lab.random.choice(ALPHABET)
        lines.append("".join(line).encode())
    lines[0] = b"8" * 1_000_000
    lines[1:4] = [b"\xff\xfe\x00k", lines[1] + b"\r", b"\xef\xbb\xbf" + QUESTIONS[0].encode()]
    asked = [line for line in lines if line.decode(errors="replace").strip()]
    with lab.tables(*ASKED) as tables:
        for rules in ["makruk", "asean", "ouk"]:
            done = lab.run("probe", "--json", "-", "--rules", rules, tables=tables, input=b"\n".join(lines))
            documents = done.stdout.splitlines()
            if problem := fault(done) or (None if len(documents) == len(asked) else f"{len(documents)} of {len(asked)}"):
                yield problem
            for document in documents:
                try:
                    json.loads(document)
                    yield None
                except ValueError:
                    yield f"no JSON: {document[:200]}"


def random_arguments(lab, trials):
    commands = ["generate", "probe", "line", "stats", "study", "verify", "list", "completions", "man", "nonsense"]
    words = ["KRvK", "KvK", "kspvk", "bare-3", "all-99", "bare-0", "--json", "--rules", "ouk", "Cambodian", "--threads", "0",
             "--count", "-1", "99999999999", "--limit", "x", "--memory", "1KiB", "--plan", "--quiet", "--", "-", "", "é",
             "--sample", "5", "--format", "md", "--out", "/dev/full", "--checksums-only", QUESTIONS[0], QUESTIONS[4], "\t",
             "--help", "--force", "--small", "K" * 5000]
    with lab.tables("KRvK", "KSvK") as tables:
        for _ in range(trials):
            chosen = [lab.random.choice(words) for _ in range(lab.random.randrange(5))]
            done = lab.run(lab.random.choice(commands), *chosen, tables=tables)
            yield fault(done)


def closed_streams(lab, trials):
    commands = ["list", "verify KRvK", "generate KNvK", f"probe '{QUESTIONS[0]}'", f"line '{QUESTIONS[0]}'", "stats KRvK",
                "study KRvK", "probe nonsense", "generate --plan bare-3", "--help", "man", "completions bash"]
    ends = [">/dev/full", "2>/dev/full", ">/dev/full 2>&1", ">&-", "2>&-", ">&- 2>&-", "2>&1 | true",
            "| head -c 1 >/dev/null", "<&-"]
    combined = list(itertools.product(commands, ends))
    with lab.tables("KRvK", "KSvK") as tables:
        for command, end in combined if trials is None else lab.random.sample(combined, trials):
            line = f"set -o pipefail; '{lab.program}' --tables '{tables}' {command} {end}"
            try:
                done = subprocess.run(["bash", "-c", line], capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                done = subprocess.CompletedProcess([line], None, b"", b"it hung")
            yield fault(done)


def odd_input(lab, trials):
    """Zeros, byte order marks and other encodings on standard input, in bounded memory."""
    texts = [bytes(100 << 20), b"\xef\xbb\xbf" + QUESTIONS[0].encode(), QUESTIONS[0].encode("utf-16"), b"\xff" * 9999, b"",
             b"\n" * 100_000, b"\r\n".join(question.encode() for question in QUESTIONS)]
    limit = 1 << 30
    with lab.tables("KRvK", "KSvK") as tables:
        for text in texts[-trials:]:
            yield fault(lab.run("probe", "--json", "-", tables=tables, input=text,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))))


def little_memory(lab, trials):
    """With a limit on the address space, each command does its work or reports that it cannot."""
    sizes = [12, 20, 30, 40, 50, 60, 70, 90, 140, 220, 300, 400]
    commands = [["generate", "KNMvK", "--quiet"], ["probe", QUESTIONS[3]], ["verify", "KSMvK"], ["study", "KSMvK", "--quiet"],
                ["list"]]
    for megabytes in lab.random.sample(sizes, min(trials, len(sizes))):
        limit = megabytes << 20
        for command in commands:
            with lab.tables("KRvK", "KSvK", "KNvK", "KMvK", "KSMvK") as tables:
                done = lab.run(*command, tables=tables,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                # Below what the program's own pages take, the system does not start it.
                yield fault(done, {0, 3} | ({127, -11, -9} if megabytes < 50 else set()))


def memory_refused(lab, trials):
    """--memory below the need of an ending is refused at once, with the bytes that it needs."""
    for ending in ["KRNSMMvK", "KRNSMMMvK", "KRRRRRvK", "KNSMvKRS", "KRNSvKRN"][:trials]:
        with lab.tables() as tables:
            done = lab.run("generate", ending, "--memory", "45MiB", tables=tables)
            words = done.stderr.decode()
            yield fault(done, {3}) or (None if "iB" in words else f"{ending}: no bytes are named: {words}")
