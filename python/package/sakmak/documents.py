"""The types of the documents: dictionaries with the fields of the command line's JSON."""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict

Rules = Literal["makruk", "asean", "ouk"]
Side = Literal["white", "black"]
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class _CountNote(TypedDict, total=False):
    note: str

class Count(_CountNote):
    """What the count leaves, in moves. ``note`` says what is odd about it, if no play leads to it."""

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
    """What ``sakmak probe --json`` prints."""

    fen: str
    rules: Rules
    side_to_move: Side
    category: Optional[Category]
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
