"""Runs the attacks of tools/attack/run and prints a line for each: the number of trials and of failures."""

import argparse
import shutil
import subprocess
import sys
import time

import company
import damage
import files
import inputs
import kills
from program import Lab


def in_the_library(lab, trials):
    """Random bits for positions and counts, and children of a process with threads, in C."""
    with lab.tables("KRvK", "KSvK", "KMvK", "KNvK", "KSMvK", "KRvKN") as tables:
        forks = max(2, trials // 4500)
        command = [lab.programs["library"], tables, str(trials), str(forks), str(lab.random.randrange(1 << 30))]
        done = subprocess.run(command, capture_output=True, text=True)
        yield trials, None if done.returncode == 0 else f"ended with {done.returncode}: {done.stdout} {done.stderr}"
        yield forks, None
        return f"{int(done.stdout.split()[0]):,} positions answered" if done.returncode == 0 else ""


# The trials of a short and of a long run: the number that an attack is given (None: every place there is), of
# which it may make several.
ATTACKS = [
    (kills.killed_at_random, 2, 80),
    (kills.killed_studies, 2, 40),
    (kills.killed_out_of_core, 3, 20),
    (kills.killed_at_system_calls, 8, None),
    (kills.failing_system_calls, 8, None),
    (kills.stopped_by_signals, 1, 12),
    (kills.ignored_signals, 2, 6),
    (damage.damaged_in_the_library, 2, None),
    (damage.flipped_and_cut, 20, None),
    (damage.questions_to_damaged_tables, 40, 1000),
    (damage.repaired_by_generate, 6, 180),
    (damage.forged_checksums, 6, 230),
    (damage.forged_for_libraries, 40, 2000),
    (damage.forged_for_the_program, 4, 400),
    (damage.forged_for_the_server, 4, 400),
    (damage.damaged_steps, 6, 90),
    (damage.damaged_documents, 2, 10),
    (damage.grown_to_gigabytes, 1, 3),
    (files.odd_files, 2, 10),
    (files.followed_links, 1, 3),
    (files.unusable_directories, 3, 14),
    (files.vanishing_directories, 2, 24),
    (files.full_disks, 1, 18),
    (files.read_only_disks, 3, 8),
    (files.file_size_limits, 2, 18),
    (company.several_at_once, 1, 9),
    (company.studies_at_once, 1, 6),
    (company.readers_beside_writers, 4, 70),
    (company.changed_under_a_reader, 8, 64),
    (company.cut_under_a_command, 3, 36),
    (inputs.random_lines, 1000, 12_000),
    (inputs.random_arguments, 30, 1500),
    (inputs.closed_streams, 12, None),
    (inputs.odd_input, 5, 7),
    (inputs.little_memory, 2, 12),
    (inputs.memory_refused, 1, 5),
    (in_the_library, 20_000, 2_000_000),
]


def trials_of(attack, lab, number):
    """The trials, the failures, and the closing remark of an attack."""
    trials, failures = 0, []
    running = attack(lab, number)
    while True:
        try:
            tried = next(running)
        except StopIteration as end:
            return trials, failures, end.value or ""
        count, problem = tried if isinstance(tried, tuple) else (1, tried)
        trials += count
        if problem:
            failures.append(problem)
            lab.failures += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", help="the folder of sakmak and of the programs in C")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("attacks", nargs="*")
    args = parser.parse_intermixed_args()
    known = [attack.__name__ for attack, _, _ in ATTACKS]
    if unknown := set(args.attacks) - set(known):
        parser.error(f"no attack is named {', '.join(unknown)}; there are {', '.join(known)}")
    lab = Lab(f"{args.programs}/sakmak", args.seed)
    lab.programs = {name: f"{args.programs}/{name}" for name in ["damage", "forged", "forged-single", "library"]}
    line = "| {} | {} | {} | {} |" if args.markdown else "{:<32} {:>9} {:>9} {:>6}"
    print(line.format("attack", "trials", "failures", "s"))
    if args.markdown:
        print("|---|---:|---:|---:|")
    began, all_trials = time.monotonic(), 0
    for attack, short, long in ATTACKS:
        if args.attacks and attack.__name__ not in args.attacks:
            continue
        attack_began = time.monotonic()
        trials, failures, note = trials_of(attack, lab, long if args.long else short)
        all_trials += trials
        name = attack.__name__.replace("_", " ") + (f" ({note})" if note else "")
        seconds = f"{time.monotonic() - attack_began:.0f}"
        print(line.format(name, f"{trials:,}", len(failures), seconds), flush=True)
        for problem in failures[:5]:
            print(f"    {problem}", file=sys.stderr, flush=True)
    print(line.format("all", f"{all_trials:,}", lab.failures, f"{time.monotonic() - began:.0f}"))
    if lab.failures:
        sys.exit(f"{lab.failures} failures; their files are in {lab.work}")
    shutil.rmtree(lab.work, ignore_errors=True)


main()
