"""How other programs read the rules of the counts. Each reading has a key and a reason. A difference of a program is
explained if the rules with some of its readings give its counters after every move, and its end of the game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from typing import Iterable, Iterator, Optional

from rules import Board, Count, insufficient, limit_of

READINGS = {
    "no-count-in-the-fen": "Without a count in the FEN, the count against a bare king begins after the next move of the stronger side.",
    "clock-from-zero": "A FEN with a count has no field for ASEAN chess's clock. The clock starts at 0, not at the number counted.",
    "own-capture-begins-nothing": "The bare king takes the last bia: the count begins only after the next move of the stronger side.",
    "running-count-goes-on": "A count that runs against a bare king goes on after the last bia's promotion.",
    "makruks-limits": "Ouk has makruk's limits, 8 to 64.",
    "makruks-boards-honor": "Ouk's count with men on both sides begins as in makruk: once no bia is left, up to 64.",
    "queen-needed": "In ASEAN chess a bishop (44) and a knight (64) count only together with a queen.",
    "counts-with-pawns": "In ASEAN chess a count begins while pawns stand.",
    "begins-only-when-bared": "Without a count in the FEN, no count begins against a king that is bare already; in ouk not "
    "even with the last bia.",
    "own-capture-counts-to-64": "The bare king takes the last bia: the limit is 64, since the bare king's own men are counted, "
    "and its capture is not counted.",
    "no-boards-honor": "Ouk has no count with men on both sides.",
    "counts-with-bia": "In ouk a count up to 64 begins against a bare king while bia stand, and goes on after the last one.",
    "no-move-at-the-limit": "The game is drawn when the limit is reached, one move earlier.",
    "material-of-cutechess": "Two mets, or several on squares of one colour, cannot mate, even with the other side's help; "
    "one bia can.",
    "bishops-of-one-color": "In ASEAN chess bishops on squares of one colour cannot mate.",
}

PROGRAMS = {
    "own": ["no-count-in-the-fen"],
    "pyffish": ["no-count-in-the-fen", "clock-from-zero"],
    "uci": [
        "no-count-in-the-fen", "own-capture-begins-nothing", "running-count-goes-on", "makruks-limits",
        "makruks-boards-honor", "queen-needed", "counts-with-pawns", "clock-from-zero",
    ],
    "cutechess": [
        "begins-only-when-bared", "own-capture-counts-to-64", "makruks-limits", "no-boards-honor", "counts-with-bia",
        "no-move-at-the-limit", "material-of-cutechess", "bishops-of-one-color",
    ],
}


@dataclass(frozen=True)
class ReadCount(Count):
    """A count with the readings of a program."""

    readings: frozenset[str] = frozenset()

    def has(self, *keys: str) -> bool:
        return not self.readings.isdisjoint(keys)

    @classmethod
    def start(cls, rules: str, fen: str, honor: str, **others: object) -> Count:
        count = super().start(rules, fen, honor, **others)
        return replace(count, clock=0) if count.has("clock-from-zero") and fen.split()[3] != "-" else count

    def fresh(self, board: Board) -> Count:
        return self if self.has("no-count-in-the-fen", "begins-only-when-bared") else super().fresh(board)

    def limit_of(self, army: str) -> Optional[int]:
        if self.rules == "ouk" and self.has("counts-with-bia") and "p" in army:
            return 64
        if self.rules == "ouk" and self.has("makruks-limits"):
            return limit_of("makruk", army)
        if self.rules == "asean" and self.has("queen-needed") and "r" not in army and "m" not in army:
            return None
        return super().limit_of(army)

    def boards_honor(self, board: Board, side: str) -> Optional[int]:
        if self.rules == "ouk" and self.has("no-boards-honor"):
            return None
        if self.rules == "ouk" and self.has("makruks-boards-honor"):
            return None if board.bia else 64
        return super().boards_honor(board, side)

    def waits(self, board: Board) -> bool:
        counts = {"asean": "counts-with-pawns", "ouk": "counts-with-bia"}.get(self.rules, "")
        return super().waits(board) and not self.has(counts)

    def begins(self, baring: bool, last_bia: bool, ran: bool, by_stronger: bool) -> bool:
        if self.has("begins-only-when-bared") and not baring and (self.rules == "ouk" or not last_bia):
            return False
        if self.has("running-count-goes-on") and ran and not baring:
            return False
        return super().begins(baring, last_bia, ran, by_stronger)

    def after_last_bia_taken(self, count: Count, after: Board, limit: int) -> Count:
        if self.has("own-capture-begins-nothing") or (self.rules == "ouk" and self.has("begins-only-when-bared")):
            return count
        if self.has("own-capture-counts-to-64"):
            return replace(count, limit=128, counted=2 * len(after.men))
        return super().after_last_bia_taken(count, after, limit)

    @property
    def over(self) -> bool:
        reached = self.has("no-move-at-the-limit") and self.limit and self.counted >= self.limit
        return bool(reached) or super().over


    def material_draws(self, board: Board) -> bool:
        """True if the game is drawn by the men on the board."""
        if self.has("bishops-of-one-color") and bishops_of_one_color(board):
            return True
        if self.has("material-of-cutechess"):
            return worth(board) < 7
        return insufficient(board, self.rules)


def colors(board: Board, role: str) -> list[int]:
    """The colours of the squares of the men of a role."""
    return [(square // 8 + square % 8) % 2 for square, _, other in board.men if other == role]


def bishops_of_one_color(board: Board) -> bool:
    """True if there are only bishops besides the kings, on squares of one colour."""
    return len(colors(board, "s")) == len(board.men) - 2 and len(set(colors(board, "s"))) == 1


def worth(board: Board) -> int:
    """The worth of all men but kings: cutechess draws a game below 7."""
    mets = colors(board, "m")
    others = [4 if role == "n" else 9 for _, _, role in board.men if role not in "km"]
    return len(mets) + 2 * len(set(mets)) + sum(others)


def boards(case: dict) -> list[Board]:
    """The positions of a game."""
    return list(accumulate(case["moves"], Board.play, initial=Board.read(case["fen"], case["rules"])))


def read(case: dict, positions: list[Board], readings: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The counters after each move of a game, and whether they or the men end it, under these readings."""
    count = ReadCount.start(case["rules"], case["fen"], case["boards_honor"], readings=frozenset(readings))
    yield count.fields, False
    for before, after in zip(positions, positions[1:]):
        count = count.after(before, after)
        yield count.fields, count.over or count.material_draws(after)


def agrees(theirs: object, ours: object) -> bool:
    """True if a program agrees after one move. It shows nothing if its entry is None, and no clock if it is "-"."""
    return theirs in (None, ours) or (theirs == "-" and str(ours).startswith("- "))


def explanation(case: dict, program: str, fields: list, ended: list) -> Optional[list[str]]:
    """The fewest readings of a program that give its counters and its end of the game: an empty list if the program
    agrees with the suite, None if no readings explain it."""
    positions, theirs = boards(case), list(zip(fields, ended))
    for number in range(6):
        for readings in combinations(PROGRAMS[program], number):
            ours = read(case, positions, readings)
            if all(agrees(field, ours_field) and agrees(end, over) for (field, end), (ours_field, over) in zip(theirs, ours)):
                return list(readings)
    return None
