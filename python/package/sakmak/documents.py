"""The types of the documents: dictionaries with the fields of the command line's JSON."""

from __future__ import annotations

from array import array
from typing import Dict, List, Literal, NamedTuple, Optional, TypedDict

from .errors import Error

Rules = Literal["makruk", "asean", "ouk"]
Lettering = Literal["makruk", "asean", "any"]
Access = Literal["blocks", "map", "whole"]
Side = Literal["white", "black"]
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class CacheStatistics(TypedDict):
    """How often what was asked for was in a block decoded before, and how often not."""

    hits: int
    misses: int

CATEGORIES: Dict[int, Optional[Category]] = {
    -2: "loss",
    -1: "blessed-loss",
    0: "draw",
    1: "cursed-win",
    2: "win",
}
"""The categories by their numbers in :class:`Many`. None: the tables do not decide it."""

class Many(NamedTuple):
    """What ``probe_many`` returns: the same place in each array is the same position.

    ``array.array`` has the buffer protocol: ``numpy.frombuffer(many.dtm, "int16")`` copies nothing.
    """

    categories: array[int]
    """Signed bytes: see :data:`CATEGORIES`; 4 where there is no answer, but an error."""
    dtm: array[int]
    """Shorts: the moves until mate, as if nothing were counted; -1 where there are none."""
    dth: array[int]
    """Shorts: the moves until honor; -1 where there are none."""
    errors: Dict[int, Error]
    """What went wrong, by place. They are not raised."""

class Found(TypedDict):
    """A position that ``find`` has found. ``margin`` is what the count leaves less what the winner
    needs, in moves."""

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
    """What the count leaves, in moves. ``counted`` is the number it has come to or, if it has not
    ``started``, the one that it begins after. ``note`` says what is odd about it, if no play leads
    to it."""

    kind: Literal["pieces-honor", "boards-honor", "fifty-moves"]
    limit: int
    counted: int
    started: bool
    moves_available: int

# "for" is the player who makes the move, and no name that Python allows for a field.
Move = TypedDict(
    "Move",
    {
        "uci": str,
        "san": str,
        "for": Side,
        "category": Optional[Category],
        "dtm": Optional[int],
        "dth": Optional[int],
        "capture": bool,
        "checkmate": bool,
    },
)

class Answer(TypedDict):
    """What ``sakmak probe --json`` prints.

    ``dtm`` is the moves of the winning side until mate, as if nothing were counted: None in a draw.
    ``dth`` is the same until honor, where both sides have men: mate, or a capture of the last man into
    an ending that the count lets one win. ``category`` is what that is worth with the count. In
    ASEAN chess any capture after which the win stands ends ``dth``. ``count`` is None if no rule ends
    the game.
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
    """What ``sakmak line --json`` prints."""

    fen: str
    rules: Rules
    unit: Literal["moves"]
    moves: List[LineMove]
    last_fen: str
    end: Literal["checkmate", "stalemate", "count", "draw"]
    result: Literal["1-0", "0-1", "1/2-1/2"]
