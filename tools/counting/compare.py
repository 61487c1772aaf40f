#!/usr/bin/env python3
"""Runs the counting suite through pyffish and through programs that follow a count.

    python3 tools/counting/compare.py pyffish                  where Fairy-Stockfish counts otherwise, and why
    python3 tools/counting/compare.py uci ENGINE [ARGUMENT...] the same of an engine with UCI's command d
    python3 tools/counting/compare.py cutechess CUTECHESS_CLI  the same of cutechess, as the arbiter of games
    python3 tools/counting/compare.py own ENGINE [ARGUMENT...] the same of sakmak uci
    python3 tools/counting/compare.py game PROGRAM TABLES      capi/examples/game.c, built with either library
    python3 tools/counting/compare.py python TABLES            the Python package, by `annotate`
    python3 tools/counting/compare.py wasm PACKAGE TABLES      the npm package, by `/v1/annotate`

Exits with 1 at a difference that the suite does not explain."""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from readings import PROGRAMS, READINGS, explanation

SUITE = Path(__file__).resolve().parents[2] / "tests/data/counting.json"
VARIANTS = {"makruk": "makruk", "asean": "asean", "ouk": "cambodian"}


def counters_of_pyffish(case):
    """Fairy-Stockfish's counters after each move, and whether they end the game. The first position has none: pyffish
    repeats the FEN."""
    import pyffish

    variant, fen, moves = VARIANTS[case["rules"]], case["fen"], case["moves"]
    fields = [" ".join(pyffish.get_fen(variant, fen, moves[:ply]).split()[3:5]) for ply in range(1, len(moves) + 1)]
    ended = [None] * len(case["after"])
    if case["reason"] in ("count", "fifty-moves", "open"):
        ended[-1], _ = pyffish.is_optional_game_end(variant, fen, moves)
    return [None, *fields], ended


class Engine:
    """An engine that prints the FEN on UCI's command d."""

    def __init__(self, *command):
        self.running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, line):
        self.running.stdin.write(f"{line}\n")
        self.running.stdin.flush()

    def fields(self, case, ply):
        self.send(f"setoption name UCI_Variant value {VARIANTS[case['rules']]}")
        self.send(f"position fen {case['fen']} moves {' '.join(case['moves'][:ply])}")
        self.send("d")
        self.send("isready")
        found = None
        while (line := self.running.stdout.readline().strip()) != "readyok":
            if line.lower().startswith("fen: "):
                found = " ".join(line.split()[4:6])
        return found

    def counters(self, case):
        plies = range(1, len(case["after"]))
        return [None, *[self.fields(case, ply) for ply in plies]], [None] * len(case["after"])


class Arbiter:
    """cutechess, with engines that play the moves of a case (scripted.py): it writes the FEN at the end of each game and
    the reason of its end. Only the last count of a case is compared."""

    def __init__(self, cutechess, cases):
        self.found = {}
        for rules, variant in VARIANTS.items():
            # In ASEAN chess cutechess reads no FEN with a count, and writes none.
            chosen = [case for case in cases if case["rules"] == rules and not (rules == "asean" and case["fen"].split()[3] != "-")]
            with tempfile.TemporaryDirectory() as directory:
                played = list(self.play(cutechess, variant, chosen, Path(directory)))
            for number, (case, fen, termination, reason) in enumerate(played, 1):
                _, turn, _, limit, counted, fullmove = fen.split()
                first = case["fen"].split()[1]
                ply = 2 * (int(fullmove) - 1000 * number) + (turn == "b") - (first == "b")
                fields, ended = [None] * len(case["after"]), [False] * len(case["after"])
                if rules != "asean":
                    fields[ply] = "-" if limit == "0" else f"{limit} {counted}"
                over = "mates" in reason or "stalemate" in reason
                ended[ply:] = [None if over else termination != "illegal move"] + [None] * (len(ended) - ply - 1)
                self.found[case["id"]] = fields, ended

    def play(self, cutechess, variant, cases, directory):
        """Each case with the FEN at the end of its game, the PGN's tag Termination and the reason."""
        openings, moves, ends, pgn = (directory / name for name in ("openings.epd", "games.json", "ends.epd", "games.pgn"))
        lines = []
        for number, case in enumerate(cases, 1):
            board, turn, _, limit, counted, _ = case["fen"].split()
            if limit == "-" and variant != "asean":
                limit, counted = "0", "0"
            lines.append(f"{board} {turn} - {limit} hmvc {counted}; fmvn {1000 * number};\n")
        openings.write_text("".join(lines))
        moves.write_text(json.dumps([case["moves"] for case in cases]))
        engine = ["proto=uci", f"cmd={sys.executable}", f"arg={Path(__file__).with_name('scripted.py')}", f"arg={moves}"]
        subprocess.run(
            [cutechess, "-engine", "name=one", *engine, "-engine", "name=other", *engine, "-each", "tc=inf", "-variant", variant,
             "-openings", f"file={openings}", "format=epd", "order=sequential", "-games", "1", "-rounds", str(len(cases)),
             "-epdout", str(ends), "-pgnout", str(pgn)],
            check=True, stdout=subprocess.DEVNULL,
        )
        fens, games = ends.read_text().splitlines(), pgn.read_text().split("[Event ")[1:]
        assert len(fens) == len(games) == len(cases), (len(fens), len(games), len(cases))
        for case, fen, game in zip(cases, fens, games):
            termination = re.search(r'\[Termination "(.*?)"', game)
            comments = re.findall(r"\{([^}]*)\}", game)
            yield case, fen, termination[1] if termination else "", comments[-1] if comments else ""

    def counters(self, case):
        nothing = [None] * len(case["after"])
        return self.found.get(case["id"], (nothing, nothing))


def compared(cases):
    """The games in which the count runs by itself: other programs have no choice whether to count."""
    return [case for case in cases if case["boards_honor"] == "automatic"]


def explain(cases, program, counters):
    """Explains each game in which a program counts otherwise, and prints the readings as rows of a table."""
    failed, games, differing = 0, Counter(), 0
    for case in compared(cases):
        fields, ended = counters(case)
        readings = explanation(case, program, fields, ended)
        if readings is None:
            failed += 1
            print(f"{case['id']} is not explained: {fields}, {ended}, but the suite has "
                  f"{[moment['count'] for moment in case['after']]}", file=sys.stderr)
        elif readings:
            differing += 1
            print(f"{case['id']}: {', '.join(readings)}", file=sys.stderr)
        games.update((reading, case["rules"]) for reading in readings or [])
    if games:
        print("| reading | makruk | ASEAN | ouk | meaning |\n|---|---:|---:|---:|---|")
    for reading in PROGRAMS[program]:
        if any(numbers := [games[reading, rules] for rules in VARIANTS]):
            print(f"| `{reading}` | {' | '.join(map(str, numbers))} | {READINGS[reading]} |")
    print(f"{differing + failed} of {len(compared(cases))} games differ, {failed} of them without an explanation.")
    return int(failed > 0)


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


def compare_annotations(cases, reader, annotate):
    """Compares the FENs of annotated games. An annotation has the counters that an engine would keep."""
    names = {"makruk": "Makruk", "asean": "ASEAN", "ouk": "Cambodian"}
    failed = 0
    for case in compared(cases):
        tags = f'[Variant "{names[case["rules"]]}"]\n[FEN "{case["fen"]}"]\n\n'
        game = annotate(tags + " ".join(case["moves"]) + " *\n")
        theirs = [" ".join(position["fen"].split()[3:5]) for position in game["positions"]]
        ours = [moment["count"] for moment in case["after"]]
        if theirs != ours:
            failed = 1
            print(f"{reader}, {case['id']}: {theirs} instead of {ours}; {game['error']}")
    print(f"{reader}: {len(compared(cases))} games")
    return failed


def compare_python(cases, tables):
    import sakmak

    with sakmak.Tablebase(tables) as tablebase:
        return compare_annotations(cases, "python", lambda pgn: tablebase.annotate(pgn, count_from="first")[0])


def compare_wasm(cases, package, tables):
    script = Path(__file__).with_name("annotate.mjs")
    with subprocess.Popen(["node", script, package, tables], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:

        def annotate(pgn):
            node.stdin.write(json.dumps(pgn) + "\n")
            node.stdin.flush()
            return json.loads(node.stdout.readline())

        return compare_annotations(cases, "wasm", annotate)


def main():
    cases = json.loads(SUITE.read_text())
    command, *arguments = sys.argv[1:] or [None]
    comparisons = {
        "pyffish": lambda cases: explain(cases, "pyffish", counters_of_pyffish),
        "uci": lambda cases, *engine: explain(cases, "uci", Engine(*engine).counters),
        "own": lambda cases, *engine: explain(cases, "own", Engine(*engine).counters),
        "cutechess": lambda cases, program: explain(cases, "cutechess", Arbiter(program, compared(cases)).counters),
        "game": compare_game,
        "python": compare_python,
        "wasm": compare_wasm,
    }
    if command not in comparisons:
        sys.exit(__doc__)
    sys.exit(comparisons[command](cases, *arguments))


if __name__ == "__main__":
    main()
