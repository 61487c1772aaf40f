#!/usr/bin/env python3
"""Runs the counting suite through pyffish and through programs that follow a count.

    python3 tools/counting/compare.py pyffish                  where Fairy-Stockfish counts otherwise, and why
    python3 tools/counting/compare.py uci ENGINE               the same of an engine with UCI's command d, without reasons
    python3 tools/counting/compare.py game PROGRAM TABLES      capi/examples/game.c, built with either library
    python3 tools/counting/compare.py python TABLES            the Python package, by `annotate`

Exits with 1 at a difference that the suite does not explain."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

SUITE = Path(__file__).resolve().parents[2] / "tests/data/counting.json"
VARIANTS = {"makruk": "makruk", "asean": "asean", "ouk": "cambodian"}


def differences_of_pyffish(case):
    """How Fairy-Stockfish's counters and its end of the game differ. It has no choice whether board's honor is counted,
    so it has an opinion only where it is counted by itself."""
    import pyffish

    if case["boards_honor"] != "automatic":
        return []
    variant, fen, moves = VARIANTS[case["rules"]], case["fen"], case["moves"]
    found = []
    for ply, moment in enumerate(case["after"]):
        theirs = " ".join(pyffish.get_fen(variant, fen, moves[:ply]).split()[3:5])
        if ply and theirs != moment["count"]:
            found.append(f"after {moves[ply - 1]}: {theirs} instead of {moment['count']}")
    if case["reason"] in ("count", "fifty-moves", "open"):
        ended, _ = pyffish.is_optional_game_end(variant, fen, moves)
        if ended != (case["reason"] != "open"):
            found.append(f"at the end: {'a draw' if ended else 'no draw'}")
    return found


def compare_pyffish(cases):
    failed, explained = 0, Counter()
    for case in cases:
        found = differences_of_pyffish(case)
        written = case.get("fairy_stockfish", {"differs": [], "because": None})
        if found != written["differs"] or (found and not written["because"]):
            failed = 1
            print(f"{case['id']}: {found}, but the suite has {written}")
        elif found:
            explained[case["theme"], written["because"]] += 1
    for (theme, because), number in explained.items():
        print(f"{number} of {theme}: {because}")
    print(f"{len(cases)} cases, {sum(case['boards_honor'] == 'automatic' for case in cases)} compared with pyffish, "
          f"{sum(explained.values())} differ with a reason")
    return failed


def compare_uci(cases, engine):
    """Lists the themes in which an engine's FEN has other counters after a move."""
    running = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(line):
        running.stdin.write(f"{line}\n")
        running.stdin.flush()

    def fields(case, ply):
        send(f"setoption name UCI_Variant value {VARIANTS[case['rules']]}")
        send(f"position fen {case['fen']} moves {' '.join(case['moves'][:ply])}")
        send("d")
        send("isready")
        found = None
        while (line := running.stdout.readline().strip()) != "readyok":
            if line.startswith("Fen: "):
                found = " ".join(line.split()[4:6])
        return found

    compared = [case for case in cases if case["boards_honor"] == "automatic"]
    differing = Counter()
    for case in compared:
        counts = enumerate(moment["count"] for moment in case["after"])
        if any(fields(case, ply) != count for ply, count in counts if ply):
            differing[case["rules"], case["theme"]] += 1
    send("quit")
    for (rules, theme), number in sorted(differing.items()):
        print(f"{rules}: {number} of {theme}")
    print(f"{len(compared)} cases compared, {sum(differing.values())} differ")
    return 0


def compare_game(cases, program, tables):
    failed = 0
    for rules in VARIANTS:
        for choice in ("automatic", "not-counted", "white", "black"):
            chosen = [case for case in cases if (case["rules"], case["boards_honor"]) == (rules, choice)]
            games = "".join(f"fen {case['fen']} moves {' '.join(case['moves'])}\n" for case in chosen)
            done = subprocess.run([program, tables, rules, choice], input=games, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{program}: {done.stderr}")
            lines = iter(done.stdout.splitlines())
            for case in chosen:
                for moment in case["after"]:
                    limit, counted = moment["count"].split()
                    count = ["0", "0"] if limit == "-" else [limit, counted]
                    expected = [*count, str(moment["clock"]), str(moment["number"] or 0), str(int(moment["over"]))]
                    if (words := next(lines).split())[1:6] != expected:
                        failed = 1
                        print(f"{program}, {case['id']}: {words} instead of {expected}")
    print(f"{program}: {len(cases)} cases")
    return failed


def compare_python(cases, tables):
    import sakmak

    failed = compared = 0
    names = {"makruk": "Makruk", "asean": "ASEAN", "ouk": "Cambodian"}
    with sakmak.Tablebase(tables) as tablebase:
        for case in cases:
            # annotate has the counters that an engine would keep.
            if case["boards_honor"] != "automatic" or case["theme"] == "boards-honor":
                continue
            tags = f'[Variant "{names[case["rules"]]}"]\n[FEN "{case["fen"]}"]\n\n'
            [game] = tablebase.annotate(tags + " ".join(case["moves"]) + " *\n", count_from="first")
            compared += 1
            for moment, position in zip(case["after"], game["positions"]):
                if position["fen"].split()[3:5] != moment["count"].split():
                    failed = 1
                    print(f"python, {case['id']}: {position['fen']} instead of {moment['count']}")
            if len(game["positions"]) != len(case["after"]):
                failed = 1
                print(f"python, {case['id']}: {game['error']}")
    print(f"python: {compared} cases")
    return failed


def main():
    cases = json.loads(SUITE.read_text())
    command, *arguments = sys.argv[1:] or [None]
    comparisons = {"pyffish": compare_pyffish, "uci": compare_uci, "game": compare_game, "python": compare_python}
    if command not in comparisons:
        sys.exit(__doc__)
    sys.exit(comparisons[command](cases, *arguments))


if __name__ == "__main__":
    main()
