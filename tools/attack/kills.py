"""Runs that are killed, at random and at each system call, whose system calls fail, or that receive signals. No table
may be left half made, and the same command must then succeed.
"""

import collections
import filecmp
import os
import re
import signal
import subprocess
import tempfile
import time

from program import TIMEOUT_S, fault, left_behind, spread

WRITING = ("write,pwrite64,fsync,fdatasync,?rename,renameat,renameat2,?open,openat,?mkdir,mkdirat,flock,ftruncate,"
           "lseek,getdents64,?unlink,unlinkat,?rmdir,?link,linkat")
READING = WRITING + ",read,pread64"
ERRORS = ["ENOSPC", "EIO", "EACCES", "EMFILE", "EROFS", "ENOLCK"]


def killed_at_random(lab, trials):
    """Kills at random times of three kinds of run, more often in the first moments."""
    for trial in range(trials):
        endings, seconds = [(["KSMvK", "KNNvK"], 3), (["bare-3", "KRvKN"], 4), (["KMMvK", "KNNvK"], 0.5)][trial % 3]
        with lab.tables() as tables:
            process = lab.start("generate", *endings, tables=tables)
            time.sleep(lab.random.random() * seconds * lab.random.choice([0.05, 1]))
            process.kill()
            process.wait()
            yield lab.is_whole(tables) or lab.mended(tables, endings)


def killed_studies(lab, trials):
    for _ in range(trials):
        with lab.tables("KRvK", "KSvK", "KMvK", "KSMvK") as tables:
            process = lab.start("study", "KSMvK", "KRvK", tables=tables)
            time.sleep(lab.random.random() * 0.6)
            process.kill()
            process.wait()
            done = lab.run("study", "KSMvK", "KRvK", tables=tables)
            again = lab.run("study", "KSMvK", "KRvK", tables=tables)
            yield (fault(done, {0}) or left_behind(tables) or
                   (None if done.stdout == again.stdout else f"{tables}: a study after a kill tells something else"))


def killed_out_of_core(lab, trials):
    """One run through files, killed again and again, must give the bytes of a run in memory."""
    ending = "KNMvK" if trials < 10 else "KSMvK"
    memory = str(lab.less_memory(ending))
    with lab.tables() as whole, lab.tables() as tables:
        done = lab.run("generate", ending, "--quiet", tables=whole, timeout=3600)
        if problem := fault(done, {0}):
            yield problem
            return
        began = time.monotonic()
        lab.run("generate", ending, "--quiet", "--memory", memory, tables=tables, timeout=3600)
        seconds = time.monotonic() - began
        for path in tables.iterdir():
            path.unlink()
        for _ in range(trials):
            process = lab.start("generate", ending, "--memory", memory, tables=tables)
            time.sleep(lab.random.random() * 2 * seconds / trials)
            process.kill()
            process.wait()
            bad = [path.name for path in tables.glob("*.skm")
                   if not filecmp.cmp(path, whole / path.name, shallow=False)]
            yield f"{tables}: not whole: {bad}" if bad else None
        done = lab.run("generate", ending, "--quiet", "--memory", memory, tables=tables, timeout=3600)
        same = done.returncode == 0 and filecmp.cmp(tables / f"{ending}.skm", whole / f"{ending}.skm", shallow=False)
        checked = lab.run("verify", ending, "--sample", "200000", tables=tables, timeout=3600)
        yield (fault(done, {0}) or (None if same else f"{tables}: {ending} has other bytes than in memory") or
               fault(checked, {0}) or left_behind(tables))


def workload(lab, name):
    """The arguments of a run, the tables it begins with, and a function that restores its directory."""
    if name == "study":
        return ["study", "KSvK"], ["KSvK"], None
    ending, options = "KNNvK", []
    if name == "out of core":
        # An ending of a tenth of a second and 16 steps.
        ending, options = "KRvK", ["--memory", str(lab.less_memory("KRvK"))]
    return ["generate", ending, "--quiet", *options], [], options


def one_thread(words):
    return [] if words[0] == "study" else ["--threads", "1"]


def traced(lab, words, tables, inject, path=None):
    """A run with one thread under strace, which injects faults into its system calls, or into those on a path."""
    calls = inject.split(":")[0]
    before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={inject}"]
    return lab.run(*words, *one_thread(words), tables=tables, before=[*before, *(["-P", str(tables / path)] if path else [])])


def places(lab, words, names, calls):
    """Each call of that kind in a run, by the number that strace gives it: strace counts by thread. Calls of the main
    thread are counted together, and so are those of a thread that writes one file, by the name of the file.
    """
    with lab.tables(*names) as tables, tempfile.NamedTemporaryFile() as log:
        before = ["strace", "-f", "-y", "-qq", "-o", log.name, "-e", f"trace={calls}"]
        lab.run(*words, *one_thread(words), tables=tables, before=before)
        lines = [line.split(None, 1) for line in log.read().decode(errors="replace").splitlines()]
        main = lines[0][0]
        named = [re.search(re.escape(f"{tables}/") + r"([^\s<>\"]+)", line) for thread, line in lines if thread != main]
    of_main = [(n, None) for n in range(sum(thread == main for thread, _ in lines))]
    by_file = collections.Counter(found[1] for found in named if found)
    return of_main + [(n, path) for path, count in by_file.items() for n in range(count)]


def checked(lab, words, tables, options):
    if words[0] == "generate":
        return lab.is_whole(tables) or lab.mended(tables, [words[1]], *options)
    done = lab.run("study", "KSvK", tables=tables)
    return fault(done, {0}) or left_behind(tables)


def killed_at_system_calls(lab, trials):
    """Some calls of each kind, at even distances, or all."""
    for name, calls in [("in memory", WRITING), ("out of core", READING), ("study", READING)]:
        words, names, options = workload(lab, name)
        for n, path in spread(places(lab, words, names, calls), trials):
            with lab.tables(*names) as tables:
                traced(lab, words, tables, f"{calls}:signal=KILL:when={n + 1}", path)
                yield checked(lab, words, tables, options)


def failing_system_calls(lab, trials):
    for name in ["in memory", "out of core", "study"]:
        words, names, options = workload(lab, name)
        for n, path in spread(places(lab, words, names, WRITING), trials):
            error = lab.random.choice(ERRORS)
            with lab.tables(*names) as tables:
                done = traced(lab, words, tables, f"{WRITING}:error={error}:when={n + 1}", path)
                # Before the program's own first line, the loader of libraries ends with 127.
                problem = fault(done, {0, 3, 127}) or checked(lab, words, tables, options)
                yield problem and f"{error} at call {n + 1} of {path or 'all'}, {name}: {problem}"


def stopped_by_signals(lab, trials):
    """A run ends with the code of its signal, handled or not, and leaves nothing half made."""
    for code, number in [(130, signal.SIGINT), (143, signal.SIGTERM), (129, signal.SIGHUP)]:
        for stderr in ["/dev/null", "/dev/full", "closed pipe"]:
            for trial in range(trials):
                with lab.tables() as tables:
                    if stderr == "closed pipe":
                        reader, heard = os.pipe()
                        os.close(reader)
                    else:
                        heard = os.open(stderr, os.O_WRONLY)
                    process = lab.start("generate", "KNSvK", "KRvKN", "--threads", "1", tables=tables, stderr=heard)
                    os.close(heard)
                    time.sleep(lab.random.random() * (1 if trial % 2 else 0.1))
                    for _ in range(1 + trial % 2):
                        process.send_signal(number)
                    try:
                        ended = process.wait(TIMEOUT_S)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        ended = None
                    # Before the program has said what it does with a signal, the signal ends it.
                    fine = ended in (code, -number, 0)
                    yield (None if fine else f"{number.name} with standard error at {stderr}: ended with {ended}") or \
                        lab.is_whole(tables) or [*tables.rglob(".*.part")] and f"{tables}: half a table is left" or None


def ignored_signals(lab, trials):
    """Under nohup a signal is ignored from the start, and must stay ignored."""
    for trial in range(trials):
        number = [signal.SIGHUP, signal.SIGINT][trial % 2]
        with lab.tables() as tables:
            process = lab.start("generate", "KNMvK", tables=tables,
                                preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
            time.sleep(0.1 + lab.random.random() * 0.3)
            process.send_signal(number)
            code = process.wait(TIMEOUT_S)
            yield None if code == 0 else f"an ignored {number.name} ended the run with {code}"
