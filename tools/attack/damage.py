"""Tables, steps and manifests with bytes that differ from those written."""

import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from forge import forged, forged_headers, reseal
from kills import traced
from program import ASKED, QUESTIONS, fault, left_behind, spread, wrong_answer

FORGED_ADDRESS_SPACE = 3 << 30


def damaged_in_the_library(lab, trials):
    """Every byte flipped, every length, runs of zeros and of other tables; each file is asked for all positions."""
    files = answers = 0
    kinds = [("KRvK", "flip"), ("KSvK", "flip"), ("KSvK", "bit"), ("KRvK", "cut"), ("KSvK", "cut"), ("KRvK", "zero"),
             ("KRvK", "splice"), ("KRvK", "splice", "KNNvK"), ("KSvK", "splice", "KRvK")]

    # A part for about as many answers as any other.
    parts_of = {("KRvK", "flip"): 8, ("KSvK", "flip"): 2}
    parts = [(kind, part, parts_of.get(kind, 1), lab.random.randrange(1 << 30))
             for kind in kinds for part in range(parts_of.get(kind, 1))]

    def ask(kind, part, number, seed):
        ending, how, *other = kind
        with lab.tables(ending) as tables:
            command = [lab.programs["damage"], tables, ending, how, str(trials or 0), str(part), str(number), str(seed),
                       *(lab.reference / f"{name}.skm" for name in other)]
            return tables, subprocess.run(command, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (kind, *_), (tables, done) in zip(parts, pool.map(lambda part: ask(*part), parts)):
            if done.returncode not in (0, 1) or not done.stdout:
                yield f"{kind}: ended with {done.returncode}: {done.stderr[-300:]}"
                continue
            counted = [int(word) for word in done.stdout.split()]
            files, answers = files + counted[0], answers + counted[1]
            yield counted[0], f"{kind}: {counted[4]} wrong answers: {tables}" if counted[4] else None
    return f"{answers / 1e6:.1f} M answers"


def flipped_and_cut(lab, trials):
    """The program on damaged tables: `verify` must find each."""
    for name in ["KRvK", "KSvK"]:
        with lab.tables(name) as tables:
            path = tables / f"{name}.skm"
            whole = path.read_bytes()
            for at in spread(range(len(whole)), trials):
                flipped = bytearray(whole)
                flipped[at] ^= lab.random.randrange(1, 256)
                for data, what in [(flipped, f"byte {at} flipped"), (whole[:at], f"cut at {at}")]:
                    path.write_bytes(data)
                    done = lab.run("verify", name, "--checksums-only", tables=tables)
                    yield None if done.returncode == 3 else f"{name}, {what}: verify ended with {done.returncode}"
            path.write_bytes(whole)


def questions_to_damaged_tables(lab, trials):
    with lab.tables(*ASKED) as tables:
        _, right = lab.answers(tables)
        for trial in range(trials):
            path = tables / f"{lab.random.choice(ASKED)}.skm"
            whole = path.read_bytes()
            data = bytearray(whole)
            at = lab.random.choice([lab.random.randrange(len(whole)), lab.random.randrange(64), -1 - lab.random.randrange(200)])
            data[at] ^= 1 << lab.random.randrange(8)
            path.write_bytes(data)
            yield wrong_answer(*lab.answers(tables), right)
            path.write_bytes(whole)


def repaired_by_generate(lab, trials):
    """Cut or grown tables are generated again; files that are not tables are kept."""
    for trial in range(trials):
        name = ["KRvK", "KSvK"][trial % 2]
        with lab.tables("KRvK", "KSvK") as tables:
            path = tables / f"{name}.skm"
            whole = path.read_bytes()
            if trial % 3 == 2:
                foreign = lab.random.randbytes(1 + lab.random.randrange(9000))
                path.write_bytes(foreign)
                done = lab.run("generate", name, "--quiet", tables=tables)
                yield fault(done, {3}) or (None if path.read_bytes() == foreign else f"{path}: a foreign file is gone")
                continue
            length = lab.random.choice([64 + lab.random.randrange(len(whole) - 64), len(whole) + 1 + lab.random.randrange(100)])
            path.write_bytes(whole[:length].ljust(length, b"\0"))
            yield lab.mended(tables, [name])


def forged_checksums(lab, trials):
    """Any content with correct checksums: an answer or an error, in bounded time and memory."""
    commands = [["probe", QUESTIONS[0]], ["line", QUESTIONS[0]], ["stats", "KRvK"], ["list"], ["verify", "KRvK"],
                ["verify", "KRvK", "--checksums-only"], ["study", "KRvK", "--quiet"], ["generate", "KRvK", "--quiet"]]
    limit = (FORGED_ADDRESS_SPACE, FORGED_ADDRESS_SPACE)
    whole = (lab.reference / "KRvK.skm").read_bytes()
    resealed = bytearray(whole)
    reseal(resealed)
    yield None if resealed == whole else "the forger does not know the format"
    for _ in range(trials):
        data = forged(whole, lab.random)
        for command in commands:
            with lab.tables() as tables:
                (tables / "KRvK.skm").write_bytes(data)
                done = lab.run(*command, tables=tables,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
                problem = fault(done)
                yield problem and f"{tables}: {problem}"


# Tables of each kind, version and packing, with bia and without, and what makes them: a plain one, one by symbol
# ranking, one over a base, and verdicts; then those without all rule sets.
FORGED = [
    (["KRvK", "KRRvK", "KRvKR", "KMvKM", "KPvKP", "KMPvK", "--verdicts"],
     ["KRvK.skm", "KRRvK.skm", "KRvKR.skm", "KMvKM.skm", "KPvKP.skm", "KMPvK.skm", "KRvK.skv", "KRvKR.skv", "KPvKP.skv",
      "KMPvK.skv"]),
    (["KNvKM", "--verdicts", "--rules", "makruk"], ["KNvKM.skm", "KNvKM.skv"]),
]
# The ending whose table lies beside the forged one, whole.
BESIDE = "KNvK"
BESIDE_QUESTION = "8/8/8/3k4/8/3K4/3N4/8 w"
BOARDS = {
    "KRvK": ["8/8/8/8/8/2k5/8/K6R", "7k/8/5K2/8/8/8/8/R7"], "KRRvK": ["8/8/8/3k4/8/3K4/2RR4/8"],
    "KRvKR": ["8/2r5/8/3k4/3R4/3K4/8/8", "8/1k6/8/8/2r5/8/1R6/K7"], "KMvKM": ["8/2m5/8/3k4/3M4/3K4/8/8", "k7/m7/1K6/1M6/8/8/8/8"],
    "KPvKP": ["8/8/8/p2k4/3P4/3K4/8/8", "8/8/p7/3k4/3K3P/8/8/8"], "KMPvK": ["8/8/8/3k4/2P5/3K4/3M4/8", "k7/2M5/K1P5/8/8/8/8/8"],
    "KNvKM": ["8/2m5/8/3k4/3N4/3K4/8/8"],
}
# What a reader may use for a forged table.
FORGED_MEMORY = 256 << 20


def questions_of(file):
    return [f"{board} {side}" for board in BOARDS[file.split(".")[0]] for side in "wb"]


def whole_tables_to_forge(lab):
    """The directories of whole tables, each with the files to forge."""
    for words, files in FORGED:
        directory = lab.work / f"to-forge-{len(words)}"
        if not directory.exists():
            directory.mkdir()
            made = lab.run("generate", *words, BESIDE, "--quiet", tables=directory, timeout=1800)
            if made.returncode != 0:
                raise RuntimeError(f"the tables to forge were not made: {made.stderr.decode()}")
        yield directory, files


def forgeries_on_disk(lab, trials):
    """Directories with whole tables, a file to forge in each, and its forgeries, spread over all, each with whether
    it states other values. A directory of verdicts has no distances of the same ending."""
    for whole, files in whole_tables_to_forge(lab):
        for file in files:
            forged_files = list(spread(list(forged_headers((whole / file).read_bytes())), trials))
            with lab.tables() as tables:
                for path in whole.glob("*.sk?"):
                    if path.name == file or (path.suffix == ".skm" and path.stem != file.split(".")[0]):
                        shutil.copy(path, tables)
                made = tables.parent / "forged"
                made.mkdir()
                listed = []
                for number, forgery in enumerate(forged_files):
                    path = made / str(number)
                    path.write_bytes(forgery.data())
                    listed.append((path, forgery))
                yield tables, file, listed


def forged_for_libraries(lab, trials):
    """Forged headers, with good checksums, for the C library and the single C file: right answers or errors, and
    the table beside them answers."""
    counted = {}
    for tables, file, listed in forgeries_on_disk(lab, trials):
        lines = "".join(f"{'!' if forgery.states_other_values else ''}{path}\n" for path, forgery in listed)
        whole = (tables / file).read_bytes()
        for reader in ["forged", "forged-single"]:
            (tables / file).write_bytes(whole)
            done = subprocess.run([lab.programs[reader], tables, file, BESIDE], input=lines, capture_output=True, text=True)
            if done.returncode not in (0, 1) or not done.stdout:
                yield f"{reader}, {file}: ended with {done.returncode}: {done.stderr[-300:]}"
                continue
            files, _, right, refused, wrong, kib, bad = (int(word) for word in done.stdout.split())
            tables_read, answers, errors, memory = counted.get(reader, (0, 0, 0, 0))
            counted[reader] = tables_read + files, answers + right, errors + refused, max(memory, kib)
            for line in done.stderr.splitlines() if bad else ():
                number = line.split(" ")[0].rsplit("/", 1)[-1]
                what = listed[int(number)][1].what if number.isdigit() else ""
                yield 0, f"{reader}, {file}: {what}: {line}"
            yield files, f"{reader}, {file}: {bad} of {files} files, {wrong} wrong answers" if bad else None
            if kib << 10 > FORGED_MEMORY:
                yield 0, f"{reader}, {file}: took {kib} KiB"
    return "; ".join(f"{reader}: {files:,} files, {right:,} right, {errors:,} refused, at most {kib >> 10} MiB"
                     for reader, (files, right, errors, kib) in counted.items())


def forged_for_the_program(lab, trials):
    """The same for the commands, with 256 MiB of memory."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (FORGED_MEMORY, FORGED_MEMORY))

    trusted = refused = 0
    for tables, file, listed in forgeries_on_disk(lab, trials):
        ending, questions = file.split(".")[0], [*questions_of(file), BESIDE_QUESTION]
        ask = ["probe", "--json", "-"] if file.endswith("m") else None
        _, right = lab.answers(tables, questions)
        for path, forgery in listed:
            (tables / file).unlink()
            shutil.copy(path, tables / file)
            if ask:
                done = lab.run(*ask, tables=tables, input="\n".join(questions).encode(), preexec_fn=limited)
                found = done.stdout.decode().splitlines()
                problem = fault(done) if forgery.states_other_values else wrong_answer(done, found, right)
                if not problem and found[-1] != right[-1]:
                    problem = "it hid another table"
                yield problem and f"{file}, {forgery.what}: {problem}"
            opened = None
            for command in [["list"], ["stats", ending], ["verify", ending, "--checksums-only"]]:
                done = lab.run(*command, tables=tables, preexec_fn=limited)
                problem = fault(done)
                if command == ["list"]:
                    opened = done.returncode == 0
                yield 0, problem and f"{file}, {forgery.what}: {problem}"
            trusted, refused = trusted + opened, refused + (not opened)
    return f"{trusted:,} listed, {refused:,} refused"


class Server:
    """The server of a directory."""

    def __init__(self, lab, tables):
        command = lab.command(["serve", "--bind", "127.0.0.1:0", "--no-log"], tables)
        self.process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = []
        for line in self.process.stdout:
            said.append(line)
            if "http://" in line:
                break
        else:
            raise RuntimeError(f"the server did not start: {''.join(said)}")
        self.address = re.search(r"http://[^/\s]+", line)[0]

    def probe(self, fen):
        """The status and the body of an answer."""
        url = f"{self.address}/v1/probe?fen={urllib.parse.quote(fen)}"
        try:
            with urllib.request.urlopen(url, timeout=60) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def stop(self):
        """The exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def forged_for_the_server(lab, trials):
    """The same for the server: it answers, or says what is wrong, and stays up."""
    requests = 0
    for tables, file, listed in forgeries_on_disk(lab, trials):
        questions = questions_of(file)
        server = Server(lab, tables)
        right = {fen: server.probe(fen) for fen in [*questions, BESIDE_QUESTION]}
        server.stop()
        server = None
        for path, forgery in listed:
            # A table that opens stays open, but one that is refused is read again.
            server = server or Server(lab, tables)
            fresh = tables / f"{file}.new"
            shutil.copy(path, fresh)
            fresh.rename(tables / file)
            problem, opened = None, False
            try:
                for fen in questions:
                    status, body = server.probe(fen)
                    requests, opened = requests + 1, opened or status == 200
                    if status == 200 and not forgery.states_other_values and (status, body) != right[fen]:
                        problem = f"a wrong answer to {fen}: {body[:200]}"
                if server.probe(BESIDE_QUESTION) != right[BESIDE_QUESTION]:
                    problem = "it hid another table"
            except OSError as error:
                problem, opened = f"the server is gone: {error}", True
            if opened:
                ended, server = server.stop(), None
                problem = problem or (None if ended == 0 else f"the server ended with {ended}")
            yield problem and f"{file}, {forgery.what}: {problem}"
        if server:
            server.stop()
    return f"{requests:,} requests"


def keep_steps(lab, tables, memory):
    """Starts a run through files and kills it when it has kept most of its steps."""
    traced(lab, ["generate", "KRvK", "--memory", memory], tables, "fdatasync:signal=KILL", "KRvK.job/KRvK.work/slice-0.step-013.part")
    kept = [path for path in tables.glob("KRvK.job/KRvK.work/*") if path.is_file()]
    if (tables / "KRvK.skm").exists() or len(kept) < 12:
        raise RuntimeError(f"the run was not killed at its 13th step: {tables}")


def damaged_steps(lab, trials):
    """A damaged step is made again, by the same run or by the next."""
    memory = str(lab.less_memory("KRvK"))
    with lab.tables() as kept:
        keep_steps(lab, kept, memory)
        for trial in range(trials):
            with lab.tables() as tables:
                shutil.copytree(kept, tables, dirs_exist_ok=True)
                steps = sorted(path for path in tables.glob("KRvK.job/KRvK.work/*") if path.is_file())
                path, other = lab.random.choice(steps), lab.random.choice(steps)
                data = path.read_bytes()
                kind = ["flip", "cut", "grow", "swap", "remove", "empty"][trial % 6]
                if kind == "flip" and data:
                    at = lab.random.randrange(len(data))
                    path.write_bytes(data[:at] + bytes([data[at] ^ 1 << lab.random.randrange(8)]) + data[at + 1:])
                elif kind == "cut":
                    path.write_bytes(data[:lab.random.randrange(len(data) + 1)])
                elif kind == "grow":
                    path.write_bytes(data + lab.random.randbytes(9))
                elif kind == "swap":
                    path.write_bytes(other.read_bytes())
                    other.write_bytes(data)
                elif kind == "remove":
                    path.unlink()
                else:
                    path.write_bytes(b"")
                done = lab.run("generate", "KRvK", "--quiet", "--memory", memory, tables=tables)
                problem = fault(done, {0, 3}) or lab.is_whole(tables)
                yield problem or lab.mended(tables, ["KRvK"], "--memory", memory)


MANIFESTS = {
    "gone": lambda text: None,
    "empty": lambda text: "",
    "garbage": lambda text: "\x00\x01{[" * 30,
    "half": lambda text: text[:len(text) // 2],
    "a list": lambda text: "[1, 2]",
    "a later version": lambda text: text.replace('"version"', '"was"', 1).replace("{", '{"version": 99,', 1),
    "wrong hashes": lambda text: text.replace("a", "b"),
    "wrong sizes": lambda text: text.replace("1", "2"),
    "deep": lambda text: "[" * 1_000_000,
    "many": lambda text: json.dumps({"version": 1, "tables": {f"K{n}": {} for n in range(150_000)}}),
}


def damaged_documents(lab, trials):
    """Damaged manifest.json and study.json: nothing false is printed about a table, and no table is harmed."""
    commands = [["list"], ["verify", "KRvK"], ["generate", "KRvK", "--quiet"], ["generate", "KNvK", "--quiet"],
                ["study", "KRvK", "--quiet"], ["stats", "KRvK"]]
    for name in ["manifest.json", "study.json"]:
        for kind, damage in list(MANIFESTS.items())[:trials]:
            for command in commands:
                with lab.tables() as tables:
                    lab.run("generate", "KRvK", "--quiet", tables=tables)
                    lab.run("study", "KRvK", "--quiet", tables=tables)
                    path = tables / name
                    text = damage(path.read_text())
                    path.unlink()
                    if text is not None:
                        path.write_text(text)
                    done = lab.run(*command, tables=tables)
                    problem = fault(done) or lab.is_whole(tables) or left_behind(tables)
                    yield problem and f"{name}, {kind}, {command}: {problem}"


def grown_to_gigabytes(lab, trials):
    """A sparse file of ten gigabytes under the name of a table, a manifest or the findings of a study."""
    commands = [["list"], ["verify", "KRvK"], ["probe", QUESTIONS[0]], ["study", "KRvK", "--quiet"],
                ["generate", "KRvK", "--quiet"]]
    for name in ["KRvK.skm", "manifest.json", "study.json"][:trials]:
        for command in commands:
            with lab.tables("KRvK") as tables:
                with open(tables / name, "ab") as file:
                    os.ftruncate(file.fileno(), 10 << 30)
                done = lab.run(*command, tables=tables)
                problem = fault(done)
                yield problem and f"{name} of 10 GB: {problem}"
