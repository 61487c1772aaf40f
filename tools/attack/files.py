"""Unusual files under the program's names, unusable directories, and full disks."""

import os
import resource
import shutil
import signal
import subprocess
import time

from program import QUESTIONS, TIMEOUT_S, fault, left_behind, may_mount, said

KINDS = {
    "fifo": os.mkfifo,
    "directory": os.mkdir,
    "loop": lambda path: os.symlink(path.name, path),
    "dangling": lambda path: os.symlink("nowhere", path),
    "zero": lambda path: os.symlink("/dev/zero", path),
    "null": lambda path: os.symlink("/dev/null", path),
    "full": lambda path: os.symlink("/dev/full", path),
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"\xff{[" * 40),
    "another table": lambda path: shutil.copy(path.parent / "KSvK.skm", path),
}
COMMANDS = [["list"], ["verify", "KRvK"], ["generate", "KRvK", "--quiet"], ["generate", "KRvK", "--force", "--quiet"],
            ["probe", QUESTIONS[0]], ["line", QUESTIONS[0]], ["study", "KRvK", "--quiet"], ["stats", "KRvK"]]


def odd_files(lab, trials):
    """No command may hang on them, follow them to another user's file, or end without a message."""
    for kind in list(KINDS)[:trials]:
        for name in ["KRvK.skm", "manifest.json", "study.json", "generate.lock"]:
            for command in COMMANDS:
                with lab.tables("KRvK", "KSvK") as tables:
                    target = tables / name
                    target.unlink(missing_ok=True)
                    KINDS[kind](target)
                    done = lab.run(*command, tables=tables)
                    problem = fault(done)
                    yield problem and f"{name} is a {kind}: {problem}"


def followed_links(lab, trials):
    """A link under the name of the lock or of an unfinished file must not change the file it points to."""
    for name in ["generate.lock", "manifest.json", "study.json"][:trials]:
        for command in [["generate", "KNvK", "--quiet"], ["study", "KRvK", "--quiet"]]:
            with lab.tables("KRvK") as tables:
                precious = tables.parent / "precious.txt"
                precious.write_text("precious")
                (tables / name).symlink_to(precious)
                done = lab.run(*command, tables=tables)
                kept = precious.read_text() == "precious"
                yield fault(done) or (None if kept else f"{tables}: {command} wrote to where {name} leads")


def unusable_directories(lab, trials):
    commands = [["generate", "KNvK"], ["list"], ["verify"], ["probe", QUESTIONS[0]], ["study"], ["stats", "KRvK"],
                ["generate", "KNvK", "--plan"]]
    names = {
        "missing": "none", "a file": "file", "below a file": "file/below", "long": "x" * 300, "deep": "d/" * 2000,
        "dangling": "link", "loop": "loop", "odd bytes": os.fsdecode(b"\xff\xfe"), "newline": "a\nb", "empty": "",
        "device": "/dev/null", "proc": "/proc/self", "two": "none:file", "spaces": "  ",
    }
    for kind, name in list(names.items())[:trials]:
        for command in commands:
            with lab.tables() as tables:
                (tables / "file").write_text("")
                (tables / "link").symlink_to("nowhere")
                (tables / "loop").symlink_to("loop")
                done = subprocess.run([lab.program, "--tables", name, *command], cwd=tables, capture_output=True,
                                      stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)
                problem = fault(done)
                yield problem and f"a directory that is {kind}: {problem}"


def vanishing_directories(lab, trials):
    """Directories removed, moved away or replaced while a run writes in them."""
    for trial in range(trials):
        with lab.tables() as tables:
            process = lab.start("generate", "KNNvK", "KSMvK", tables=tables, stderr=subprocess.PIPE)
            time.sleep(lab.random.random())
            if trial % 3 == 0:
                shutil.rmtree(tables, ignore_errors=True)
            else:
                tables.rename(tables.parent / "moved")
            if trial % 3 == 2:
                tables.write_text("a file")
            _, err = process.communicate(timeout=TIMEOUT_S)
            done = subprocess.CompletedProcess(["generate", "in a directory that goes"], process.returncode, b"", err)
            moved = tables.parent / "moved"
            yield fault(done, {0, 3}) or (lab.is_whole(moved) if moved.exists() else None)


def mount(tables, options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", tables], check=True)


def full_disks(lab, trials):
    """Too small a disk gives an error that names the file; with a larger disk the same command succeeds."""
    if not may_mount():
        return "needs leave to mount"
    sizes = [4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072]
    memories = ["1TiB", str(lab.less_memory("KSMvK"))]
    for trial, kib in enumerate(lab.random.sample(sizes, min(trials, len(sizes)))):
        for memory in memories[trial % 2:] if trials < len(sizes) else memories:
            with lab.tables() as tables:
                mount(tables, f"size={kib}k")
                try:
                    done = lab.run("generate", "KSMvK", "--quiet", "--memory", memory, tables=tables)
                    problem = fault(done, {0, 3}) or lab.is_whole(tables)
                    if not problem and done.returncode == 3 and str(tables) not in said(done):
                        problem = f"no file is named: {said(done)}"
                    subprocess.run(["mount", "-o", "remount,size=64m", tables], check=True)
                    yield problem or lab.mended(tables, ["KSMvK"], "--memory", memory)
                finally:
                    subprocess.run(["umount", tables], check=True)


def read_only_disks(lab, trials):
    if not may_mount():
        return "needs leave to mount"
    for command in COMMANDS[:trials]:
        with lab.tables("KRvK") as tables:
            mount(tables, "size=1m")
            try:
                shutil.copy(lab.reference / "KRvK.skm", tables)
                subprocess.run(["mount", "-o", "remount,ro", tables], check=True)
                done = lab.run(*command, tables=tables)
                yield fault(done)
            finally:
                subprocess.run(["umount", tables], check=True)


def file_size_limits(lab, trials):
    """A limit on the size of files gives an error, whether SIGXFSZ is ignored at the start or not."""
    for trial in range(trials):
        limit = lab.random.choice([0, 500, 4096, 30_000, 100_000, 400_000])

        def limited():
            signal.signal(signal.SIGXFSZ, [signal.SIG_DFL, signal.SIG_IGN][trial % 2])
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with lab.tables() as tables:
            done = lab.run("generate", "KSMvK", "--quiet", tables=tables, preexec_fn=limited)
            yield fault(done, {3}) or lab.is_whole(tables) or left_behind(tables) or lab.mended(tables, ["KSMvK"])
