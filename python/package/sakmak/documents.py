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
    """How often what was asked for was in a block decoded before, and how often not."""

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
"""The categories by their numbers in :class:`Many`; 4 is where there is an error and no answer."""

class Many(NamedTuple):
    """What ``probe_many`` returns: the same place in each array is the same position.

    ``array.array`` has the buffer protocol: ``numpy.frombuffer(many.dtm, "int16")`` copies nothing.
    """

    categories: array[int]
    """Signed bytes: see :data:`CATEGORIES`."""
    dtm: array[int]
    """Shorts: the moves until mate, as if nothing were counted; -1 where there are none."""
    dth: array[int]
    """Shorts: the moves until honor; -1 where there are none."""
    errors: Dict[int, Error]
    """What went wrong, by place. They are not raised."""

    def __repr__(self) -> str:
        """How many positions have which category: the arrays may be long."""
        numbers = Counter(self.categories)
        parts = [f"{numbers[n]} {CATEGORIES[n]}" for n in (2, 1, 0, -1, -2) if numbers[n]]
        parts += [f"{len(self.errors)} without an answer"] if self.errors else []
        return f"<sakmak.Many of {len(self.categories)} positions: {', '.join(parts) or 'none'}>"

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
    """A legal move and what it is worth to the player who makes it. ``count`` is what the count leaves
    that begins with the move, if the last bia is taken or promoted by it."""

    count: Count

class Answer(TypedDict):
    """What ``sakmak probe --json`` prints, and for each move the FEN after it, with the count.

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

class SideStatistics(TypedDict):
    """The positions of an ending with one side to move: those that each side wins, by its moves until
    mate, and for each of these numbers the squares of the men in one position, where there is one."""

    white_wins: List[int]
    black_wins: List[int]
    draws: int
    white_examples: List[Optional[List[int]]]
    black_examples: List[Optional[List[int]]]

class EndingStatistics(TypedDict):
    """What ``statistics`` returns."""

    white_to_move: SideStatistics
    black_to_move: SideStatistics

class JudgedMove(TypedDict):
    """What a move of a game made of the result. ``keeping`` are the moves that keep it, the best
    first; ``cost`` is the moves by which a win became longer or a loss shorter; ``line`` is how the game could have gone
    on instead, after a mistake."""

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
    """A position of a game with the count that may run there."""

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
    """The mistake, a ply, with which each side gave up for good what it had."""

    white: Optional[int]
    black: Optional[int]

class AnnotationError(TypedDict):
    """Why a game was read no further."""

    kind: Literal["input"]
    ply: int
    line: int
    token: str
    message: str

class Annotation(TypedDict):
    """What ``sakmak annotate --json`` prints of a game. ``mistakes`` are plies, from 1, after which the
    result was worse for the player."""

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
