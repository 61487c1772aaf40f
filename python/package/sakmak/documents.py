"""The types of the documents: dictionaries with the fields of the command line's JSON."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Dict, List, Literal, NamedTuple, Optional, Tuple, TypedDict

from .errors import Error

Rules = Literal["makruk", "asean", "ouk"]
Lettering = Literal["makruk", "asean", "any"]
Access = Literal["blocks", "map", "whole"]
Side = Literal["white", "black"]
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class CacheStatistics(TypedDict):
    """The number of lookups whose block was decoded before (``hits``), and of the others
    (``misses``).
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
    """Signed bytes: see :data:`CATEGORIES`."""
    dtm: array[int]
    """Shorts: the moves to mate, ignoring the count; -1 where there are none."""
    dth: array[int]
    """Shorts: the moves to honor; -1 where there are none."""
    errors: Dict[int, Error]
    """The errors by index. They are returned, not raised."""

    def __repr__(self) -> str:
        """The number of positions by category, since the arrays may be long."""
        numbers = Counter(self.categories)
        parts = [f"{numbers[n]} {CATEGORIES[n]}" for n in (2, 1, 0, -1, -2) if numbers[n]]
        parts += [f"{len(self.errors)} without an answer"] if self.errors else []
        return f"<sakmak.Many of {len(self.categories)} positions: {', '.join(parts) or 'none'}>"

class Found(TypedDict):
    """A position found by ``find``. ``margin`` is the moves that the count leaves minus the moves
    that the winner needs.
    """

    fen: str
    rules: Rules
    category: Category
    dtm: Optional[int]
    dth: Optional[int]
    moves_available: Optional[int]
    margin: Optional[int]

class _CountNote(TypedDict, total=False):
    note: str

class Count(_CountNote):
    """The moves that the count leaves. ``counted`` is the number reached or, if the count has not
    ``started``, the number before its first. ``note`` says what is odd about a count that no play
    leads to.
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
    """A legal move with its value for the player who makes it. ``count`` is the count that the move
    begins, if it takes or promotes the last bia. ``at_most``: see :class:`Answer`.
    """

    count: Count
    at_most: Category

class _WithoutDistances(TypedDict, total=False):
    missing_distances: str
    at_most: Category

class Answer(_WithoutDistances):
    """The document of ``sakmak probe --json``; each move also has the FEN after it, with the count.

    ``dtm`` is the moves of the winning side to mate, ignoring the count: None in a draw. ``dth`` is
    its moves to honor, where both sides have men: to mate, or to a capture of the last man into an
    ending that can be won within its count; in ASEAN chess, to any capture after which the win
    stands. ``category`` is the result with the count. ``count`` is None if no rule ends the game.

    With verdict tables alone ``missing_distances`` names the ending whose distance table is missing,
    and ``dtm`` and ``dth`` are None. If only distances decide whether a win is in time, ``category``
    is the least possible one and ``at_most`` the greatest.
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
    """The document of ``sakmak line --json``."""

    fen: str
    rules: Rules
    unit: Literal["moves"]
    moves: List[LineMove]
    last_fen: str
    end: Literal["checkmate", "stalemate", "count", "draw"]
    result: Literal["1-0", "0-1", "1/2-1/2"]

class SideStatistics(TypedDict):
    """The positions of an ending with one side to move: the numbers that each side wins, by its
    moves to mate, and for each number of moves the squares of the men in one position, if there is
    one.
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

class JudgedMove(TypedDict):
    """The effect of a move of a game on the result. ``keeping`` are the moves that keep the result,
    best first; ``cost`` is the moves by which a win became longer or a loss shorter; ``line`` is
    how the game could have gone on after a mistake.
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

# "move" is the one that led to the position, and "known" what the tables say of it.
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
    """A count that began in a game. ``certain`` is False for board's honor that may have been counted."""

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
    """The plies of the mistakes with which each side gave up its result for good."""

    white: Optional[int]
    black: Optional[int]

class AnnotationError(TypedDict):
    """The reason why a game was read no further."""

    kind: Literal["input"]
    ply: int
    line: int
    token: str
    message: str

class Annotation(TypedDict):
    """The document of ``sakmak annotate --json`` for one game. ``mistakes`` are the plies, from 1,
    that made the result worse for the player.
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
