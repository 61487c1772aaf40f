#!/usr/bin/env python3
"""Makes tests/data/counting.json, the counting suite that docs/engine/counting-suite.md describes.

    python3 tools/counting/make.py > tests/data/counting.json

Themes are chosen by hand, positions at random from a fixed seed. Legal moves are pyffish's; the counts are those of
rules.py, which shares no code with the library. Then every case is compared with Fairy-Stockfish through pyffish: a case
that differs must be explained by one of its readings (readings.py), or this program fails."""

import json
import random
import sys
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Iterator, Optional

import pyffish

from compare import counters_of_pyffish
from readings import explanation
from rules import LETTERS, ROLES, Board, Count, insufficient, limit_of, other

VARIANTS = {"makruk": "makruk", "asean": "asean", "ouk": "cambodian"}
FILES = "abcdefgh"
DATA = Path(__file__).resolve().parents[2] / "tests/data"

# The authorities of the themes, and the readings where they differ: see docs/engine/counting-suite.md.
THAILAND = "thailand-2569-5.3"
GUIDES = {"makruk": "pychess-makruk", "asean": "pychess-asean", "ouk": "pychess-cambodian"}
BROCHURE = "makruk-brochure"
ENGINE = "fairy-stockfish"
AUTHORITIES = {
    "makruk": [THAILAND, BROCHURE, GUIDES["makruk"], ENGINE],
    "asean": [GUIDES["asean"], ENGINE],
    "ouk": [GUIDES["ouk"], ENGINE],
}

READINGS = {
    "two-knights-and-khon": [
        {"authority": "fairy-stockfish", "reading": "two knights and a khon: 32, the smaller limit"},
        {"authority": "makruk-brochure", "reading": "32"},
        {"authority": "pychess-makruk", "reading": "44 if the lines are read one after the other; the newer text takes the minimum, 32"},
    ],
    "bia-on-the-board": [
        {"authority": "thailand-2569-5.3", "reading": "nothing is counted while a bia stands"},
        {"authority": "fairy-stockfish", "reading": "nothing is counted while a bia stands"},
        {"authority": "schemingmind", "reading": "an example counts against a side that still has a pawn"},
        {"authority": "cutechess", "reading": "nothing is counted in makruk while a bia stands; in ouk the bare king counts to 64"},
    ],
    "last-move": [
        {"authority": "thailand-2569-5.3", "reading": "when the limit is said, the stronger side has one more move"},
        {"authority": "fairy-stockfish", "reading": "drawn when the plies counted exceed the limit"},
        {"authority": "cutechess", "reading": "drawn when the plies counted reach the limit: no last move"},
    ],
    "no-count-in-the-fen": [
        {"authority": "sakmak", "reading": "the count begins with the next move of the bare king"},
        {"authority": "fairy-stockfish", "reading": "the count begins after the next move of the stronger side"},
        {"authority": "cutechess", "reading": "the count begins only with a limit in the FEN"},
    ],
    "asean-limits": [
        {"authority": "fairy-stockfish", "reading": "rook 16, bishop 44, knight 64, queens alone none"},
        {"authority": "cutechess", "reading": "44 needs a bishop and a queen, 64 a knight and a queen"},
    ],
    "ouk-bare-with-bia": [
        {"authority": "fairy-stockfish", "reading": "a count that runs goes on; none begins"},
        {"authority": "pychess-cambodian", "reading": "any side of three men or fewer may begin to count, also a bare king"},
    ],
    "count-by-hand": [
        {"authority": "thailand-2569-5.3", "reading": "a side chooses when it begins to count"},
        {"authority": "fairy-stockfish", "reading": "the count runs from the first moment at which a side may count"},
    ],
}


@dataclass
class Case:
    theme: str
    rules: str
    fen: str
    moves: list[str]
    honor: str = "automatic"
    readings: list[str] = field(default_factory=list)
    authority: Optional[list[str]] = None


def fen_of(men: list[tuple[int, str, str]], turn: str, rules: str, count: str = "- 0") -> str:
    rows = []
    at = {square: (color, role) for square, color, role in men}
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for file in range(8):
            if (man := at.get(8 * rank + file)) is None:
                empty += 1
                continue
            letter = LETTERS[rules][ROLES.index(man[1])]
            row += (str(empty) if empty else "") + (letter.upper() if man[0] == "w" else letter)
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {turn} - {count} 60"


def legal(case_rules: str, fen: str, moves: list[str] = ()) -> list[str]:
    return pyffish.legal_moves(VARIANTS[case_rules], fen, list(moves))


class Maker:
    def __init__(self) -> None:
        self.random = random.Random(2569)
        self.cases: list[Case] = []

    def bia_squares(self, rules: str, side: str) -> range:
        last = 7 if rules == "asean" else 5
        ranks = range(2, last) if side == "w" else range(8 - last, 6)
        return range(8 * ranks[0], 8 * ranks[-1] + 8)

    def place(self, rules: str, white: str, black: str, turn: str, count: str = "- 0", near: bool = False) -> str:
        """A random legal position of these men, in which the side to move is not in check and has a move."""
        while True:
            men, taken = [], set()
            for side, army in (("w", "k" + white), ("b", "k" + black)):
                for role in army:
                    squares = self.bia_squares(rules, side) if role == "p" else range(64)
                    square = self.random.choice(squares)
                    if role == "p" and near:
                        # One step from promotion.
                        rank = {"w": squares[-1] // 8, "b": squares[0] // 8}[side]
                        square = 8 * rank + square % 8
                    if square in taken:
                        break
                    taken.add(square)
                    men.append((square, side, role))
            if len(men) != 2 + len(white) + len(black):
                continue
            kings = [square for square, _, role in men if role == "k"]
            if max(abs(kings[0] % 8 - kings[1] % 8), abs(kings[0] // 8 - kings[1] // 8)) < 2:
                continue
            fen = fen_of(men, turn, rules, count)
            variant = VARIANTS[rules]
            swapped = fen.replace(f" {turn} ", f" {other(turn)} ")
            if pyffish.gives_check(variant, fen, []) or pyffish.gives_check(variant, swapped, []):
                continue
            if legal(rules, fen):
                return fen

    def quiet(self, rules: str, fen: str, moves: list[str], wanted: int) -> Optional[list[str]]:
        """The moves, and `wanted` more that neither capture, promote nor mate."""
        line = list(moves)
        board = reduce(Board.play, moves, Board.read(fen, rules))
        for _ in range(wanted):
            found = [
                m for m in legal(rules, fen, line)
                if not board.captured(m) and len(m) == 4 and legal(rules, fen, line + [m])
            ]
            if not found:
                return None
            line.append(self.random.choice(found))
            board = board.play(line[-1])
        return line

    def add(self, theme, rules, fen, moves, **more) -> None:
        self.cases.append(Case(theme, rules, fen, moves, **more))

    def with_first(self, rules, white, black, turn, first, quiet, count="- 0", near=False):
        """A position with a first move that satisfies `first`, followed by quiet moves."""
        while True:
            fen = self.place(rules, white, black, turn, count, near)
            found = [m for m in legal(rules, fen) if first(fen, m)]
            if not found:
                continue
            m = self.random.choice(found)
            if not legal(rules, fen, [m]):
                continue
            line = self.quiet(rules, fen, [m], quiet)
            if line:
                return fen, line

    def capture(self, rules, role=None, by=None):
        def of(fen, m):
            board = Board.read(fen, rules)
            captured, moved = board.captured(m), board.at(m[:2])
            return captured is not None and role in (None, captured) and by in (None, moved)

        return of

    # Themes.

    def baring(self) -> None:
        armies = ["r", "rr", "rn", "rs", "rm", "s", "ss", "sn", "sm", "nns", "n", "nn", "nm", "m", "mm", "rrn"]
        for rules in VARIANTS:
            for i, army in enumerate(armies):
                victim = "rnsm"[i % 4]
                readings = ["two-knights-and-khon"] if army == "nns" and rules != "asean" else []
                readings += ["asean-limits"] if rules == "asean" else []
                sides = (army, victim, "w") if i % 2 == 0 else (victim, army, "b")
                fen, line = self.with_first(rules, *sides, self.capture(rules, victim), 3)
                self.add("baring", rules, fen, line, readings=readings)
                count = {"makruk": "128 101", "ouk": "126 99", "asean": "- 41"}[rules]
                fen, line = self.with_first(rules, *sides, self.capture(rules, victim), 2, count)
                self.add("baring", rules, fen, line, readings=readings)

    def last_promotion(self) -> None:
        for rules in VARIANTS:
            promotes = lambda fen, m: len(m) == 5
            for i, army in enumerate(["", "r", "s", "n", "m", "ms", "nn", "rr"]):
                sides = (army + "p", "", "w") if i % 2 == 0 else ("", army + "p", "b")
                fen, line = self.with_first(rules, *sides, promotes, 3, near=True)
                self.add("last-promotion", rules, fen, line)
            for letter in "rnbq" if rules == "asean" else "":
                becomes = lambda fen, m, letter=letter: m.endswith(letter) and len(m) == 5
                fen, line = self.with_first(rules, "np", "", "w", becomes, 3, near=True)
                self.add("last-promotion", rules, fen, line)
            for army in ["r", "s", ""]:
                fen, line = self.with_first(rules, army + "pp", "", "w", promotes, 3, near=True)
                self.add("one-of-two-promotes", rules, fen, line, readings=["bia-on-the-board"])
            for white, black, turn in [("rp", "n", "w"), ("r", "mp", "b"), ("sp", "s", "w"), ("n", "np", "b")]:
                fen, line = self.with_first(rules, white, black, turn, promotes, 3, near=True)
                self.add("last-promotion-two-sided", rules, fen, line)

    def last_bia_taken(self) -> None:
        for rules in VARIANTS:
            for i, army in enumerate(["r", "s", "n", "m", "rr", "ss", "nn", "mm"]):
                sides = (army + "p", "", "b") if i % 2 == 0 else ("", army + "p", "w")
                fen, line = self.with_first(rules, *sides, self.capture(rules, "p", "k"), 4)
                self.add("bare-king-takes-last-bia", rules, fen, line)
            for army, black in [("r", "np"), ("s", "mp"), ("n", "sp"), ("rs", "rp")]:
                fen, line = self.with_first(rules, army, black, "w", self.capture(rules, "p"), 3)
                self.add("last-bia-taken-two-sided", rules, fen, line)
            for army in ["r", "s", "n", "mm"]:
                fen, line = self.with_first(rules, army, "p", "w", self.capture(rules, "p"), 3)
                self.add("last-man-is-the-last-bia", rules, fen, line)
            for army in ["rp", "sp", "np"]:
                fen, line = self.with_first(rules, army, "n", "w", self.capture(rules, "n"), 3)
                self.add("bared-while-bia-stand", rules, fen, line,
                         readings=["ouk-bare-with-bia" if rules == "ouk" else "bia-on-the-board"])

    def captures_after_the_start(self) -> None:
        for rules in VARIANTS:
            for i, army in enumerate(["mr", "rr", "ms", "ss", "nn", "mn", "mm", "ns"]):
                limit = limit_of(rules, "".join(sorted(army)))
                if not limit:
                    continue
                counted = (0 if rules == "asean" else 8) + 4
                sides = (army, "", "b") if i % 2 == 0 else ("", army, "w")
                fen, line = self.with_first(rules, *sides, self.capture(rules), 3, f"{2 * limit} {counted}")
                self.add("bare-king-captures", rules, fen, line)

    def parity(self) -> None:
        for rules in VARIANTS:
            for i, army in enumerate(["r", "s", "n", "mm"]):
                for turn in "wb":
                    sides = (army, "", turn) if i % 2 == 0 else ("", army, turn)
                    fen = self.place(rules, *sides)
                    line = None
                    while line is None:
                        fen = self.place(rules, *sides)
                        line = self.quiet(rules, fen, [], 3)
                    self.add("no-count-in-the-fen", rules, fen, line, readings=["no-count-in-the-fen"])
            limit = {"makruk": 32, "ouk": 30, "asean": 32}[rules]
            for counted in (6, 7, 8, 9) if rules != "asean" else (0, 1, 2, 3):
                for turn in "wb":
                    line = None
                    while line is None:
                        fen = self.place(rules, "r", "", turn, f"{limit} {counted}")
                        line = self.quiet(rules, fen, [], 3)
                    self.add("either-parity", rules, fen, line)

    def limits(self) -> None:
        """The last moves of each limit: drawn, mate with the last move, mate one move too late."""
        armies = {8: "rr", 16: "r", 22: "ss", 32: "nn", 44: "ms", 64: "mmn"}
        for rules in VARIANTS:
            for makruk_limit, army in armies.items():
                limit = limit_of(rules, "".join(sorted(army)))
                if not limit or (rules == "asean" and makruk_limit not in (16, 44)):
                    continue
                plies = 2 * limit
                line = None
                while line is None:
                    fen = self.place(rules, army, "", "b", f"{plies} {plies - 2}")
                    line = self.quiet(rules, fen, [], 3)
                self.add("limit-reached", rules, fen, line, readings=["last-move"] if rules != "ouk" else [])
                for counted, theme in ((plies, "mate-with-the-last-move"), (plies - 1, "mate-before-the-last-move"),
                                       (plies + 1, "mate-too-late")):
                    fen, mate = self.mate_in_one(rules, army, f"{plies} {counted}")
                    self.add(theme, rules, fen, [mate], readings=["last-move"] if rules != "ouk" else [])

    def cornered(self, rules: str, army: str, count: str, more: str = "") -> str:
        """A random position with White to move, in which the kings are close together at the edge."""
        while True:
            black = self.random.choice([s for s in range(64) if s % 8 in (0, 7) or s // 8 in (0, 7)])
            steps = [(f, r) for f in range(-2, 3) for r in range(-2, 3) if max(abs(f), abs(r)) == 2]
            file, rank = self.random.choice(steps)
            file, rank = black % 8 + file, black // 8 + rank
            if not (0 <= file < 8 and 0 <= rank < 8):
                continue
            white = 8 * rank + file
            free = [s for s in range(64) if s not in (black, white)]
            # Rooks mate from afar, other men only nearby.
            near = [s for s in free if max(abs(s % 8 - black % 8), abs(s // 8 - black // 8)) <= 3]
            squares = []
            for role in army:
                squares.append(self.random.choice([s for s in (free if role == "r" else near) if s not in squares]))
            far = [s for s in free if s not in squares and s not in near]
            men = [(white, "w", "k"), (black, "b", "k"), *((s, "w", role) for s, role in zip(squares, army))]
            men += [(s, "b", role) for s, role in zip(self.random.sample(far, len(more)), more)]
            fen = fen_of(men, "w", rules, count)
            if not pyffish.gives_check(VARIANTS[rules], fen.replace(" w ", " b "), []) and not pyffish.gives_check(
                VARIANTS[rules], fen, []
            ):
                return fen

    def mate_in_one(self, rules: str, army: str, count: str, more: str = "") -> tuple[str, str]:
        while True:
            fen = self.cornered(rules, army, count, more)
            for m in legal(rules, fen):
                if pyffish.gives_check(VARIANTS[rules], fen, [m]) and not legal(rules, fen, [m]):
                    return fen, m

    def board_honor(self) -> None:
        for rules in ("makruk", "ouk"):
            hand = ["count-by-hand"]
            for white, black in [("r", "n"), ("rs", "n"), ("s", "sm"), ("nm", "r")]:
                for honor in ("automatic", "not-counted", "white", "black"):
                    line = None
                    while line is None:
                        fen = self.place(rules, white, black, self.random.choice("wb"))
                        line = self.quiet(rules, fen, [], 5)
                    self.add("boards-honor", rules, fen, line, honor=honor, readings=hand)
            for i in range(6):
                line = None
                while line is None:
                    fen = self.place(rules, "r", "n", "w")
                    line = self.quiet(rules, fen, [], 8)
                begin, stop = 1 + i % 3, 4 + i % 2
                line = line[:begin] + ["begin"] + line[begin:stop] + ["stop"] + line[stop:6] + ["begin"] + line[6:]
                self.add("boards-honor-begun-and-broken-off", rules, fen, line, honor="not-counted", readings=hand)
            limit = {"makruk": 128, "ouk": 126}[rules]
            for white, black, victim in [("rs", "nm", "m"), ("rn", "sm", "s"), ("ss", "rn", "n")]:
                fen, line = self.with_first(rules, white, black, "w", self.capture(rules, victim), 3, f"{limit} 41")
                self.add("capture-during-boards-honor", rules, fen, line)
            for white, black in [("r", "n"), ("s", "m"), ("nn", "r"), ("rr", "s")]:
                fen, line = self.with_first(rules, white, black, "w", self.capture(rules, black), 3, f"{limit} 121")
                self.add("boards-honor-ends-with-the-last-man", rules, fen, line)
            for counted in (limit - 2, limit - 1, limit):
                line = None
                while line is None:
                    fen = self.place(rules, "r", "n", "b", f"{limit} {counted}")
                    line = self.quiet(rules, fen, [], 3)
                self.add("boards-honor-runs-out", rules, fen, line, readings=["last-move"] if rules == "makruk" else [])
        for white, black in [("r", "n"), ("rs", "n"), ("n", "rm")]:
            line = None
            while line is None:
                fen = self.place("asean", white, black, "w")
                line = self.quiet("asean", fen, [], 3)
            self.add("no-boards-honor", "asean", fen, line)

    def asean_clock(self) -> None:
        for white, black in [("r", "n"), ("ss", "m"), ("nm", "r"), ("mm", "n")]:
            for clock in (96, 98):
                line = None
                while line is None:
                    fen = self.place("asean", white, black, "w", f"- {clock}")
                    line = self.quiet("asean", fen, [], 5)
                self.add("asean-clock", "asean", fen, line)
            victim = black[0]
            fen, line = self.with_first("asean", white, black + "m", "w", self.capture("asean"), 3, "- 97")
            self.add("asean-clock-restarts", "asean", fen, line)
        for sides in [("rp", "n", "w"), ("n", "rp", "b"), ("sp", "", "w")]:
            fen, line = self.with_first("asean", *sides, lambda fen, m: m[0] == m[2] and self.is_bia("asean", fen, m), 3, "- 95")
            self.add("asean-clock-restarts", "asean", fen, line)
        for army in ("nn", "mn", "mnn"):
            for counted in (97, 98, 99):
                line = None
                while line is None:
                    fen = self.place("asean", army, "", "b" if counted % 2 == 0 else "w", f"128 {counted}")
                    line = self.quiet("asean", fen, [], 3)
                self.add("asean-clock-ends-a-longer-count", "asean", fen, line)
            fen, line = self.with_first("asean", army, "", "b", self.capture("asean"), 3, "128 60")
            self.add("bare-king-restarts-the-clock", "asean", fen, line)
        for army in ("rr", "r"):
            for clock, theme in ((99, "asean-mate-with-the-last-ply"), (100, "asean-mate-too-late")):
                fen, mate = self.mate_in_one("asean", army, f"- {clock}", "n")
                self.add(theme, "asean", fen, [mate])

    def is_bia(self, rules: str, fen: str, m: str) -> bool:
        square = FILES.index(m[0]) + 8 * (int(m[1]) - 1)
        return any(at == square and role == "p" for at, _, role in Board.read(fen, rules).men) and len(m) == 4

    def ouk_running(self) -> None:
        rules = "ouk"
        for white, black, victim in [("rnsp", "rnp", "n"), ("rrnp", "smp", "s"), ("nnsp", "rmp", "m")]:
            fen, line = self.with_first(rules, white, black, "w", self.capture(rules, victim), 3)
            self.add("ouk-begins-with-three-men", rules, fen, line)
            fen, line = self.with_first(rules, white, black + "m", "w", self.capture(rules, victim), 3)
            self.add("ouk-four-men-do-not-count", rules, fen, line)
        for sides in [("rp", "np", "w"), ("sp", "mp", "w"), ("np", "rp", "b")]:
            promotes = lambda fen, m: len(m) == 5
            fen, line = self.with_first(rules, *sides, promotes, 3, "126 31", near=True)
            self.add("ouk-promotion-goes-on", rules, fen, line)
            fen, line = self.with_first(rules, *sides, self.capture(rules, "p"), 3, "126 44")
            self.add("ouk-bia-capture-goes-on", rules, fen, line)
        for white, black in [("rp", "n"), ("sp", "m"), ("np", "r")]:
            fen, line = self.with_first(rules, white, black, "w", self.capture(rules, black), 3, "126 50")
            self.add("ouk-bared-with-a-running-count", rules, fen, line, readings=["ouk-bare-with-bia"])
            fen, line = self.with_first(rules, white, black, "w", self.capture(rules, black), 3)
            self.add("ouk-bared-without-a-count", rules, fen, line, honor="not-counted", readings=["ouk-bare-with-bia"])
        for army in ("rp", "sp"):
            promotes = lambda fen, m: len(m) == 5
            fen, line = self.with_first(rules, army, "", "w", promotes, 3, "126 60", near=True)
            self.add("ouk-last-promotion-after-a-running-count", rules, fen, line, readings=["ouk-bare-with-bia"])

    def ends(self) -> None:
        for rules in VARIANTS:
            for army, victim in [("n", "m"), ("m", "n"), ("", "r"), ("m", "m")]:
                fen, line = self.with_first(rules, army, victim, "w", self.capture(rules, victim), 0)
                self.add("no-mate-is-possible", rules, fen, line)
            for army in ("r", "ss"):
                plies = 2 * limit_of(rules, army)
                stalemate = None
                while stalemate is None:
                    fen = self.cornered(rules, army, f"{plies} {plies - 9}")
                    stalemate = next(
                        (m for m in legal(rules, fen)
                         if not pyffish.gives_check(VARIANTS[rules], fen, [m]) and not legal(rules, fen, [m])), None)
                self.add("stalemate", rules, fen, [stalemate])
            fen, line = self.with_first(rules, "rp", "np", "w", lambda fen, m: len(m) == 4, 3)
            self.add("bia-on-both-sides", rules, fen, line, readings=["bia-on-the-board"] if rules == "makruk" else [])

    def real_games(self) -> None:
        games = json.loads((DATA / "counting-games.json").read_text())
        for game in games:
            self.add("real-game", "makruk", game["fen"], game["moves"], authority=[game["source"], THAILAND, ENGINE])


def outcome(case: Case, board: Board, count: Count, moves: list[str]) -> tuple[str, str]:
    variant = VARIANTS[case.rules]
    if not legal(case.rules, case.fen, moves):
        if pyffish.gives_check(variant, case.fen, moves):
            return ("0-1" if board.turn == "w" else "1-0"), "checkmate"
        return "1/2-1/2", "stalemate"
    if insufficient(board, case.rules):
        return "1/2-1/2", "insufficient-material"
    if count.limit and count.counted > count.limit:
        return "1/2-1/2", "count"
    if count.over:
        return "1/2-1/2", "fifty-moves"
    return "*", "open"


def document(case: Case, number: int) -> dict:
    """The case as it is written."""
    variant = VARIANTS[case.rules]
    count = Count.start(case.rules, case.fen, case.honor)
    board = Board.read(case.fen, case.rules)
    after, played = [], []

    def note() -> None:
        after.append({
            "count": count.fields,
            "clock": count.clock,
            "number": count.number,
            "moves_left": count.moves_left(board),
            "over": count.over,
        })

    note()
    for m in case.moves:
        if m == "begin":
            count = count.begin(board)
        elif m == "stop":
            count = count.stop(board)
        else:
            played.append(m)
            next_board = Board.read(pyffish.get_fen(variant, case.fen, played), case.rules)
            count = count.after(board, next_board)
            board = next_board
        note()
    result, reason = outcome(case, board, count, played)
    written = {
        "id": f"{number:03}-{case.theme}-{case.rules}",
        "theme": case.theme,
        "rules": case.rules,
        "fen": case.fen,
        "boards_honor": case.honor,
        "moves": case.moves,
        "after": after,
        "result": result,
        "reason": reason,
        "authority": case.authority or AUTHORITIES[case.rules],
        "readings": [reading for theme in case.readings for reading in READINGS[theme]],
    }
    if case.honor == "automatic":
        fields, ended = counters_of_pyffish(written)
        readings = explanation(written, "pyffish", fields, ended)
        if readings != []:
            written["fairy_stockfish"] = {"counts": fields[1:], "because": readings}
    return written


def main() -> None:
    maker = Maker()
    for theme in (maker.baring, maker.last_promotion, maker.last_bia_taken, maker.captures_after_the_start, maker.parity,
                  maker.limits, maker.board_honor, maker.asean_clock, maker.ouk_running, maker.ends, maker.real_games):
        theme()
    cases = [document(case, number) for number, case in enumerate(maker.cases, 1)]
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
    unexplained = [case for case in cases if case.get("fairy_stockfish", {"because": []})["because"] is None]
    for case in unexplained:
        print(case["id"], case["fen"], case["moves"], case["fairy_stockfish"]["counts"], file=sys.stderr)
    print(len(cases), "cases", file=sys.stderr)
    sys.exit(len(unexplained) > 0)


if __name__ == "__main__":
    main()
