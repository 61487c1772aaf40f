"""The types of the package's dictionaries, which have the fields of the command line's JSON."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Dict, List, Literal, NamedTuple, Optional, Tuple, TypedDict

from .errors import Error

Rules = Literal["makruk", "asean", "ouk"]
RulesName = Literal["makruk", "asean", "ouk", "cambodian"]
"""A rule set as an argument: ouk has a second name."""
Lettering = Literal["makruk", "asean", "any"]
Access = Literal["blocks", "map", "whole"]
Side = Literal["white", "black"]
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class CacheStatistics(TypedDict):
    """The number of lookups whose block was already decoded (``hits``), and the number of all other
    lookups (``misses``).
    """

    hits: int
    misses: int

CATEGORIES: Dict[int, Optional[Category]] = {
    -2: "loss",
    -1: "blessed-loss",
    0: "draw",
    1: "cursed-win",
    2: "win",
    4: None,
}
"""The categories by their numbers in :class:`Many`; number 4 marks a position with an error."""

class Many(NamedTuple):
    """The result of ``probe_many``: index i of each array belongs to position i.

    ``array.array`` has the buffer protocol, so ``numpy.frombuffer(many.dtm, "int16")`` copies
    nothing.
    """

    categories: array[int]
    """The categories, as signed bytes: see :data:`CATEGORIES`."""
    dtm: array[int]
    """The moves to mate, ignoring the count, as 16-bit numbers; -1 without a distance."""
    dth: array[int]
    """The moves to honor, as 16-bit numbers; -1 without a distance."""
    errors: Dict[int, Error]
    """The errors by the index of the position. They are returned, not raised."""

    def __repr__(self) -> str:
        """Shows the number of positions by category, since the arrays may be long."""
        numbers = Counter(self.categories)
        parts = [f"{numbers[n]} {CATEGORIES[n]}" for n in (2, 1, 0, -1, -2) if numbers[n]]
        parts += [f"{len(self.errors)} without an answer"] if self.errors else []
        return f"<sakmak.Many of {len(self.categories)} positions: {', '.join(parts) or 'none'}>"

class Found(TypedDict):
    """A position found by ``find``, with the fields of ``sakmak find --json``. ``margin`` is the number
    of moves that the count leaves the winner, minus the number of moves that the winner needs.
    ``keeping`` has the moves that keep the result in SAN, the best first; it is empty if all moves lose.
    """

    ending: str
    fen: str
    rules: Rules
    side_to_move: Side
    category: Category
    dtm: Optional[int]
    dth: Optional[int]
    unit: Literal["moves"]
    moves_available: Optional[int]
    margin: Optional[int]
    keeping: List[str]

class _CountNote(TypedDict, total=False):
    note: str

class Count(_CountNote):
    """A count and the moves that it leaves the winner. ``counted`` is the number reached or, if the
    count has not ``started``, the number from which it will start. ``note`` explains a count that no
    game leads to, or that has no effect.
    """

    kind: Literal["pieces-honor", "boards-honor", "fifty-moves"]
    limit: int
    counted: int
    started: bool
    moves_available: int

# "for" is the player who makes the move; Python does not allow it as the name of a field.
_RankedMove = TypedDict(
    "_RankedMove",
    {
        "uci": str,
        "san": str,
        "for": Side,
        "category": Optional[Category],
        "dtm": Optional[int],
        "dth": Optional[int],
        "capture": bool,
        "checkmate": bool,
        "fen": str,
    },
)


class Move(_RankedMove, total=False):
    """A legal move with its value for the player who makes it. ``count`` is the count that begins if
    the move captures or promotes the last bia. For ``at_most`` see :class:`Answer`.
    """

    count: Count
    at_most: Category

class _WithoutDistances(TypedDict, total=False):
    missing_distances: str
    at_most: Category

class Answer(_WithoutDistances):
    """The answer about a position, with the fields that ``sakmak probe --json`` prints. In addition,
    each move contains the FEN after the move, with the count.

    ``dtm`` is the number of the winner's moves to mate, ignoring the count, and None in a draw. If
    both sides have men, ``dth`` is the number of the winner's moves to honor: to mate, or to a
    capture of the last enemy man after which mate can be forced inside the new count. In ASEAN
    chess it is to mate, or to any capture after which the winner still wins in time. ``category``
    is the result with the count. ``count`` is None if no rule ends the game.

    If only verdict tables have an answer, ``missing_distances`` names the ending whose distance
    table is missing, and ``dtm`` and ``dth`` are None. If a distance is needed to decide whether a
    win is in time, ``category`` is the least possible category and ``at_most`` the greatest.
    """

    fen: str
    rules: Rules
    side_to_move: Side
    category: Category
    dtm: Optional[int]
    dth: Optional[int]
    unit: Literal["moves"]
    checkmate: bool
    stalemate: bool
    insufficient_material: bool
    count: Optional[Count]
    moves: List[Move]

LineMove = TypedDict(
    "LineMove",
    {
        "uci": str,
        "san": str,
        "for": Side,
        "category": Optional[Category],
        "dtm": Optional[int],
        "counted": Optional[int],
        "fen": str,
    },
)

class Line(TypedDict):
    """A line of play, with the fields that ``sakmak line --json`` prints."""

    fen: str
    rules: Rules
    unit: Literal["moves"]
    moves: List[LineMove]
    last_fen: str
    end: Literal["checkmate", "stalemate", "count", "draw"]
    result: Literal["1-0", "0-1", "1/2-1/2"]

class SideStatistics(TypedDict):
    """The positions of an ending with one side to move. ``white_wins`` and ``black_wins`` are the
    numbers of positions that a side wins, indexed by its moves to mate. The examples are the squares
    of the men in one of these positions, or None.
    """

    white_wins: List[int]
    black_wins: List[int]
    draws: int
    white_examples: List[Optional[List[int]]]
    black_examples: List[Optional[List[int]]]

class EndingStatistics(TypedDict):
    """The result of ``statistics``."""

    white_to_move: SideStatistics
    black_to_move: SideStatistics

class Results(TypedDict):
    """The numbers of positions by category, for the side to move."""

    win: int
    cursed_win: int
    draw: int
    blessed_loss: int
    loss: int

class MovesAvailable(TypedDict):
    """The moves that a fresh count leaves White as the winner, with either side to move; None if no rule
    ends the game. Black as the winner has those of the other side to move.
    """

    white_to_move: Optional[int]
    black_to_move: Optional[int]

class Longest(TypedDict):
    """A position with the longest win, and the winner's moves."""

    fen: str
    moves: int

class HonorWins(TypedDict):
    """The numbers of positions that a side wins, indexed by its moves to honor."""

    white_wins: List[int]
    black_wins: List[int]

class HonorLists(TypedDict):
    """The wins by distance to honor."""

    white_to_move: HonorWins
    black_to_move: HonorWins

class _WithHonor(TypedDict, total=False):
    dth: HonorLists

class StatisticsInTime(_WithHonor):
    """The result of ``statistics_in_time``, with the fields of a rule set in ``sakmak stats --json``.
    ``kind`` and ``limit`` are the rule that limits the winner, or None. The longest wins are counted in
    moves to mate or, as ``metric`` says, to honor. ``dth`` is absent against a bare king without bia.
    """

    rules: Rules
    metric: Literal["dtm", "dth"]
    kind: Optional[Literal["pieces-honor", "boards-honor", "fifty-moves"]]
    limit: Optional[int]
    moves_available: MovesAvailable
    white_to_move: Results
    black_to_move: Results
    longest: Optional[Longest]
    longest_inside_count: Optional[Longest]

class JudgedMove(TypedDict):
    """The effect of a move of a game on the result. ``keeping`` are the moves that keep the result,
    best first. ``cost`` is the number of moves by which a win became longer or a loss shorter.
    ``line`` is a possible continuation of the game after a mistake.
    """

    mistake: bool
    category: Category
    best_category: Category
    keeping: List[str]
    legal_moves: int
    cost: int
    line: Optional[List[str]]

PlayedMove = TypedDict(
    "PlayedMove",
    {
        "number": int,
        "for": Side,
        "san": str,
        "uci": str,
        "judged": Optional[JudgedMove],
        "judged_if_counted": Optional[JudgedMove],
    },
)

class IfCounted(TypedDict):
    """A position of a game, with the count that may run in it."""

    fen: str
    category: Category
    count: Optional[Count]

KnownPosition = TypedDict(
    "KnownPosition",
    {
        "for": Side,
        "category": Category,
        "dtm": Optional[int],
        "dth": Optional[int],
        "count": Optional[Count],
        "if_counted": Optional[IfCounted],
    },
)

# "move" is the move that led to the position, and "known" the answer of the tables.
AnnotatedPosition = TypedDict(
    "AnnotatedPosition",
    {
        "ply": int,
        "move": Optional[PlayedMove],
        "fen": str,
        "known": Optional[KnownPosition],
    },
)

class GameCount(TypedDict):
    """A count that began in a game. ``certain`` is False for board's honor that was perhaps never
    counted.
    """

    ply: int
    kind: Literal["pieces-honor", "boards-honor", "fifty-moves"]
    side: Optional[Side]
    limit: int
    in_place_of: Optional[int]
    first_number: int
    moves_available: Optional[int]
    moves_needed: Optional[int]
    certain: bool

class LastChance(TypedDict):
    """For each side, the ply of the last mistake that gave up a win or a draw for good."""

    white: Optional[int]
    black: Optional[int]

class AnnotationError(TypedDict):
    """The error at which reading a game stopped."""

    kind: Literal["input"]
    ply: int
    line: int
    token: str
    message: str

class Annotation(TypedDict):
    """The annotation of a game, with the fields that ``sakmak annotate --json`` prints. ``mistakes``
    are the plies, counted from 1, that made the result worse for the player.
    """

    line: int
    tags: List[Tuple[str, str]]
    rules: Rules
    result: str
    unit: Literal["moves"]
    positions: List[AnnotatedPosition]
    counts: List[GameCount]
    mistakes: List[int]
    last_chance: LastChance
    end: Literal[
        "white-mates",
        "black-mates",
        "stalemate",
        "insufficient-material",
        "count",
        "repetition",
        "open",
    ]
    draw_since_ply: Optional[int]
    repetition_ply: Optional[int]
    summary: List[str]
    error: Optional[AnnotationError]
