"""The counts of makruk, ASEAN chess and ouk, written from the texts of the rules: shares no code with the library.

`Board` reads a FEN and plays moves, `Count` follows a game. docs/engine/counting-suite.md names the authorities of each rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

LETTERS = {"makruk": "krnsmp", "ouk": "krnsmp", "asean": "krnbqp"}
ROLES = "krnsmp"  # Roles by makruk's letters, whatever the letters of the game are.
FIFTY_MOVES = 100  # Plies.


@dataclass(frozen=True)
class Board:
    men: tuple[tuple[int, str, str], ...]  # Square, "w" or "b", role.
    turn: str

    @staticmethod
    def read(fen: str, rules: str) -> "Board":
        places, turn = fen.split()[:2]
        men = []
        for row, rank in enumerate(places.split("/")):
            file = 0
            for letter in rank.replace("~", ""):
                if letter.isdigit():
                    file += int(letter)
                    continue
                role = ROLES[LETTERS[rules].index(letter.lower())]
                men.append((8 * (7 - row) + file, "w" if letter.isupper() else "b", role))
                file += 1
        return Board(tuple(sorted(men)), turn)

    def at(self, square: str) -> Optional[str]:
        """The role of the man on a square such as "e4"."""
        return next((role for number, _, role in self.men if number == number_of(square)), None)

    def captured(self, move: str) -> Optional[str]:
        """The role of the man that a move in UCI notation captures."""
        return self.at(move[2:4])

    def play(self, move: str) -> "Board":
        """The board after a move in UCI notation, in makruk's or ASEAN chess's letters."""
        start, end = number_of(move[:2]), number_of(move[2:4])
        role = self.at(move[:2])
        if promotion := move[4:]:
            role = ROLES[LETTERS["asean" if promotion in "bq" else "makruk"].index(promotion)]
        others = [man for man in self.men if man[0] not in (start, end)]
        return Board(tuple(sorted([*others, (end, self.turn, role)])), other(self.turn))

    def army(self, side: str) -> str:
        """The roles of a side besides its king."""
        return "".join(sorted(role for _, color, role in self.men if color == side and role != "k"))

    @property
    def bia(self) -> int:
        return sum(role == "p" for _, _, role in self.men)


def number_of(square: str) -> int:
    """The number of a square: a1 is 0, h8 is 63."""
    return ord(square[0]) - ord("a") + 8 * (int(square[1]) - 1)


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def limit_of(rules: str, army: str) -> Optional[int]:
    """The number with which the count against a bare king ends, for these men of the stronger side."""
    if rules == "asean":
        return next((limit for role, limit in (("r", 16), ("s", 44), ("n", 64)) if role in army), None)
    rooks, khons, knights = (army.count(role) for role in "rsn")
    limit = 64
    if khons >= 1:
        limit = 44
    if knights >= 2:
        limit = 32
    if khons >= 2:
        limit = 22
    if rooks:
        limit = 8 if rooks >= 2 else 16
    return limit - (rules == "ouk")


def boards_honor(rules: str, board: Board, side: str) -> Optional[int]:
    """The limit of the count that a side may begin while both sides have men."""
    if rules == "makruk":
        return None if board.bia else 64
    return 63 if rules == "ouk" and len(board.army(side)) <= 2 else None


@dataclass(frozen=True)
class Count:
    """The counters of a game, in plies, and who counts board's honor."""

    rules: str
    limit: int = 0
    counted: int = 0
    clock: int = 0
    honor: str = "automatic"  # Or not-counted, white, black.

    @classmethod
    def start(cls, rules: str, fen: str, honor: str, **others: object) -> "Count":
        board, fields = Board.read(fen, rules), fen.split()
        limit = 0 if fields[3] == "-" else int(fields[3])
        number = int(fields[4])
        count = cls(rules, honor=honor, **others)
        if limit:
            clock = number if rules == "asean" else 0
            count = replace(count, limit=limit, counted=number, clock=clock)
        else:
            count = replace(count, clock=number)
        two_sided = board.army("w") and board.army("b")
        if two_sided and limit:
            return replace(count, honor="automatic") if honor == "not-counted" else count
        if two_sided:
            return count.by_choice(board)
        if not limit:
            count = count.fresh(board)
        return count

    def fresh(self, board: Board) -> "Count":
        """No count is given against a bare king: it begins with that king's next move."""
        for bare in "wb":
            stronger = board.army(other(bare))
            if board.army(bare) or not stronger or board.bia or not (limit := self.limit_of(stronger)):
                continue
            if self.rules == "asean":
                if board.turn == bare and not self.clock:
                    return replace(self, limit=2 * limit, counted=0)
                continue
            return replace(self, limit=2 * limit, counted=2 * len(board.men) - (board.turn != bare))
        return self

    def by_choice(self, board: Board) -> "Count":
        """Board's honor begins only if the side that counts is to move."""
        side = {"white": "w", "black": "b"}.get(self.honor)
        if side == board.turn and (limit := self.boards_honor(board, side)):
            return replace(self, limit=2 * limit, counted=0)
        return self if self.honor == "automatic" else replace(self, limit=0, counted=0)

    def begin(self, board: Board) -> "Count":
        limit = self.boards_honor(board, board.turn)
        assert limit and board.army("w") and board.army("b")
        return replace(self, limit=2 * limit, counted=0, honor={"w": "white", "b": "black"}[board.turn])

    def stop(self, board: Board) -> "Count":
        stopped = replace(self, honor="not-counted")
        return replace(stopped, limit=0, counted=0) if board.army("w") and board.army("b") else stopped

    def after(self, before: Board, after: Board) -> "Count":
        mover, waiting = before.turn, other(before.turn)
        taken = len(before.army(waiting)) > len(after.army(waiting))
        own = lambda board: [(square, role) for square, color, role in board.men if color == mover and role == "p"]
        bia_moved = own(before) != own(after)
        promoted = len(own(before)) > len(own(after))
        ran = self.limit > 0
        count = replace(
            self, counted=self.counted + ran, clock=0 if taken or bia_moved else self.clock + 1
        )
        men = len(after.men)
        bare, baring = [side for side in "wb" if not after.army(side)], taken and not after.army(waiting)
        if len(bare) == 2 or (len(bare) == 1 and self.waits(after)):
            return count  # Nobody can win, or a bia stands: no count against a bare king begins.
        if len(bare) == 1:
            side = bare[0]
            limit = self.limit_of(after.army(other(side)))
            last_bia = before.bia > 0 and not after.bia
            if last_bia and side == mover and self.rules != "asean":
                # The bare king took the last bia, with a move that counts.
                return self.after_last_bia_taken(count, after, limit)
            if not limit or not self.begins(baring, last_bia, ran, side == waiting):
                return count
            return replace(count, limit=2 * limit, counted=0 if self.rules == "asean" else 2 * men)
        if ran:
            return count
        if self.honor == "automatic":
            # It begins once the side to move may count.
            limit = self.boards_honor(after, after.turn)
            return replace(count, limit=2 * limit, counted=0) if limit else count
        return count.by_choice(after)

    # The readings of other programs (readings.py) replace these.

    def limit_of(self, army: str) -> Optional[int]:
        return limit_of(self.rules, army)

    def boards_honor(self, board: Board, side: str) -> Optional[int]:
        return boards_honor(self.rules, board, side)

    def waits(self, board: Board) -> bool:
        """True if no count against a bare king begins yet."""
        return board.bia > 0

    def begins(self, baring: bool, last_bia: bool, ran: bool, by_stronger: bool) -> bool:
        """Whether a move begins a count against a bare king: with the last man or the last bia, otherwise only if
        none has begun; by a move of the stronger side."""
        return baring or (last_bia and by_stronger) or (not ran and by_stronger)

    def after_last_bia_taken(self, count: "Count", after: Board, limit: int) -> "Count":
        return replace(count, limit=2 * limit, counted=2 * len(after.men) - 1)

    @property
    def fields(self) -> str:
        return f"{self.limit} {self.counted}" if self.limit else f"- {self.clock}"

    @property
    def number(self) -> Optional[int]:
        return (self.counted + 1) // 2 if self.limit else None

    @property
    def over(self) -> bool:
        return bool(self.limit and self.counted > self.limit) or (self.rules == "asean" and self.clock >= FIFTY_MOVES)

    def moves_left(self, board: Board) -> dict[str, Optional[int]]:
        """The moves that each side may still make to mate; None if it has no men or nothing limits it."""
        left = {}
        for side, name in (("w", "white"), ("b", "black")):
            ends = []
            if self.limit:
                ends.append(self.limit + 1 - self.counted)
            if self.rules == "asean":
                ends.append(FIFTY_MOVES - self.clock)
            plies = max(0, min(ends)) if ends else None
            if plies is None or not board.army(side):
                left[name] = None
            else:
                left[name] = (plies + 1) // 2 if board.turn == side else plies // 2
        return left


def insufficient(board: Board, rules: str) -> bool:
    """True if no mate is possible, even with the opponent's help."""
    men = board.army("w") + board.army("b")
    return not men or men in ("n", "m") or (men == "p" and rules != "asean")
