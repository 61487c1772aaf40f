"""Tables, steps and manifests with bytes that differ from those written."""

import concurrent.futures
import json
import os
import resource
import shutil
import subprocess

from forge import forged, reseal
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
