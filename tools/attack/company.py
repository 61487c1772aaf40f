"""Several runs at once, and readers whose tables are changed under them."""

import json
import os
import subprocess
import time

from program import ASKED, QUESTIONS, TIMEOUT_S, fault, wrong_answer


def several_at_once(lab, trials):
    """Two and four runs, of which one may be killed: the others must complete the tables and the manifest."""
    endings = ["bare-3", "KNNvK", "KSMvK"]
    for trial in range(trials):
        with lab.tables() as tables:
            runs = [lab.start("generate", *endings, tables=tables) for _ in range(2 + trial % 2 * 2)]
            killed = None
            if trial % 3 == 2:
                time.sleep(lab.random.random() * 2)
                killed = lab.random.choice(runs)
                killed.kill()
            codes = [process.wait() for process in runs if process is not killed]
            yield (None if set(codes) == {0} else f"several at once ended with {codes}") or lab.mended(tables, endings)


def studies_at_once(lab, trials):
    names = ["KRvK", "KSvK", "KMvK", "KSMvK"]
    for _ in range(trials):
        with lab.tables(*names) as tables:
            codes = [process.wait() for process in [lab.start("study", name, tables=tables) for name in names]]
            kept = json.loads((tables / "study.json").read_text())["tables"]
            yield None if set(codes) == {0} and len(kept) == len(names) else f"{codes}, {len(kept)} findings kept"


def positions(lab, number):
    """Random placements of the men of the tables, legal or not."""
    found = []
    for _ in range(number):
        men = lab.random.choice(["Kkr", "KkR", "KkS", "KkSM", "KkRn", "KkN"])
        board = dict(zip(lab.random.sample(range(64), len(men)), men))
        ranks = []
        for rank in range(8):
            text = "".join(board.get(rank * 8 + file, "1") for file in range(8))
            ranks.append(text)
        found.append("/".join(ranks) + lab.random.choice([" w", " b"]))
    return found


def readers_beside_writers(lab, trials):
    """No answer may differ while the tables are generated again with the same bytes."""
    asked = positions(lab, 20_000 if trials > 20 else 2_000)
    with lab.tables(*ASKED) as tables:
        _, right = lab.answers(tables, asked)
        writer = None
        for _ in range(trials):
            if writer is None or writer.poll() is not None:
                writer = lab.start("generate", "KRvK", "KSvK", "KSMvK", "KRvKN", "--force", tables=tables)
            done, got = lab.answers(tables, asked)
            yield fault(done) or (None if got == right else "an answer differs while the tables are made again")
        writer.kill()
        writer.wait()


def changed_under_a_reader(lab, trials):
    """Tables are overwritten in place, cut, deleted or replaced: each answer must be right or an error, without a
    signal.
    """
    asked = positions(lab, 400)
    hows = ["zeros", "random", "byte", "cut", "empty", "delete", "replace", "grow"]
    for trial in range(trials):
        how = hows[trial % len(hows)]
        with lab.tables(*ASKED) as tables:
            _, right = lab.answers(tables, asked)
            path = tables / f"{['KRvK', 'KSMvK', 'KRvKN'][trial % 3]}.skm"
            process = lab.start("probe", "--json", "-", tables=tables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
            got = []
            for asked_so_far, question in enumerate(asked):
                process.stdin.write(question.encode() + b"\n")
                process.stdin.flush()
                got.append(process.stdout.readline().decode().strip())
                if asked_so_far % 100 == 20:
                    change(lab, path, how)
                if not got[-1]:
                    break
            _, err = process.communicate(timeout=TIMEOUT_S)
            done = subprocess.CompletedProcess(["probe", "of a table changed by", how], process.returncode, b"", err)
            yield wrong_answer(done, got, right)


def change(lab, path, how):
    if not path.exists():
        return
    size = path.stat().st_size
    if how == "cut":
        os.truncate(path, lab.random.randrange(size + 1))
    elif how == "empty":
        os.truncate(path, 0)
    elif how == "grow":
        os.truncate(path, size + 5000)
    elif how == "delete":
        path.unlink()
    elif how == "replace":
        other = path.parent / "other"
        other.write_bytes(lab.random.randbytes(size))
        other.rename(path)
    else:
        with open(path, "r+b") as file:
            at = lab.random.randrange(max(1, size))
            count = max(0, size - at) if how != "byte" else min(1, size)
            file.seek(at)
            file.write(bytes(count) if how == "zeros" else lab.random.randbytes(count))


def cut_under_a_command(lab, trials):
    """`study` and `verify` of a table that is cut meanwhile must end with a sentence, never by SIGBUS."""
    for trial in range(trials):
        words = [["study", "KRvKN", "--quiet"], ["verify", "KRvKN"], ["line", QUESTIONS[5]]][trial % 3]
        with lab.tables(*ASKED) as tables:
            process = lab.start(*words, tables=tables, stderr=subprocess.PIPE)
            time.sleep(lab.random.random() * lab.random.choice([0.03, 0.3, 1]))
            os.truncate(tables / "KRvKN.skm", lab.random.choice([0, 100, 40_000]))
            _, err = process.communicate(timeout=TIMEOUT_S)
            yield fault(subprocess.CompletedProcess([*words, "of a table that is cut"], process.returncode, b"", err))
