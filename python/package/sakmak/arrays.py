"""Positions in NumPy arrays, without FENs. NumPy must be installed to use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Tuple, Union

from .errors import Error

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

    from .documents import Rules, Side

    _Sets = NDArray[numpy.uint64]

__all__ = ["ArrayAnswers", "Boards", "Chunk"]

_ROLES = "KRNSMP"

class ArrayAnswers(NamedTuple):
    """The answers about the positions of a :class:`Boards`: index i of each array belongs to position
    i.
    """

    categories: NDArray[numpy.int8]
    """The categories by number: see ``sakmak.CATEGORIES``; 4 without an answer."""
    dtm: NDArray[numpy.int16]
    """The moves to mate, ignoring the count; -1 without a distance."""
    dth: NDArray[numpy.int16]
    """The moves to honor; -1 without a distance."""
    errors: Dict[int, Error]
    """The errors by the index of the position. They are returned, not raised."""

class Chunk(NamedTuple):
    """Positions of an ending that ``Tablebase.positions`` returns together, with their values."""

    squares: NDArray[numpy.uint8]
    """A row for each position: the squares of the men, in the order of the ending's name."""
    turn: Side
    """The side to move."""
    categories: NDArray[numpy.int8]
    """The categories by number: see ``sakmak.CATEGORIES``."""
    dtm: NDArray[numpy.int16]
    """The moves to mate, ignoring the count; -1 without a distance."""
    dth: NDArray[numpy.int16]
    """The moves to honor; -1 without a distance."""

class Boards:
    """Positions as bitboards in arrays of ``uint64``: bit 0 is a1, bit 1 is b1, bit 63 is h8. ``white``
    and ``black`` are the men of the sides; the others are the men of a role, of both sides.

    ``turn`` is the side to move in all positions, or an array with 0 for White and 1 for Black.
    ``counts`` are the counts that run, in plies as in a Fairy-Stockfish FEN: an array of limits and an
    array of numbers counted. Without them each position has a fresh count.
    """

    def __init__(
        self,
        *,
        white: ArrayLike,
        black: ArrayLike,
        kings: ArrayLike,
        rooks: ArrayLike = 0,
        knights: ArrayLike = 0,
        khons: ArrayLike = 0,
        mets: ArrayLike = 0,
        bia: ArrayLike = 0,
        turn: Union[Side, ArrayLike] = "white",
        counts: Optional[Tuple[ArrayLike, ArrayLike]] = None,
    ) -> None:
        import numpy

        sets = [white, black, kings, rooks, knights, khons, mets, bia]
        arrays = numpy.broadcast_arrays(*[numpy.asarray(one, numpy.uint64) for one in sets])
        packed = numpy.stack([numpy.atleast_1d(one) for one in arrays])
        number = packed.shape[1]
        if isinstance(turn, str):
            if turn not in ("white", "w", "black", "b"):
                raise ValueError(f"{turn!r} is not a side: pass 'white', 'black' or an array of 0 and 1")
            turn = int(turn in ("black", "b"))
        turns = numpy.broadcast_to(numpy.asarray(turn, numpy.uint8), number)
        limits_and_numbers: Optional[bytes] = None
        if counts is not None:
            both = [numpy.broadcast_to(numpy.asarray(one, numpy.uint32), number) for one in counts]
            limits_and_numbers = numpy.stack(both).tobytes()
        # As the extension reads them: copied once, however many questions follow.
        self._packed = packed.tobytes(), turns.tobytes(), limits_and_numbers

    @classmethod
    def from_squares(
        cls,
        ending: str,
        squares: ArrayLike,
        turn: Union[Side, ArrayLike] = "white",
        counts: Optional[Tuple[ArrayLike, ArrayLike]] = None,
    ) -> Boards:
        """Positions of an ending such as ``"KRvK"``. ``squares`` has a row for each position: the
        squares of the men (a1 is 0, b1 is 1, h8 is 63) in the order of the ending's name. The side that
        the name mentions first is White.
        """
        import numpy

        sides = ending.split("v")
        men = [(side, letter) for side, letters in enumerate(sides) for letter in letters]
        places = numpy.asarray(squares)
        if len(sides) != 2 or any(letter not in _ROLES for _, letter in men):
            raise ValueError(f"{ending!r} is not an ending: pass one such as 'KSMvK'")
        if places.ndim != 2 or places.shape[1] != len(men):
            raise ValueError(f"the squares of {ending} need {len(men)} columns, one for each man")
        if places.size and (places.max() > 63 or places.min() < 0):
            raise ValueError("a square is not from 0 to 63: a1 is 0 and h8 is 63")
        bit_of = numpy.left_shift(numpy.uint64(1), numpy.arange(64, dtype=numpy.uint64))
        nothing = numpy.zeros(1, numpy.uint64)
        of_side: List[_Sets] = [nothing, nothing]
        of_role: Dict[str, _Sets] = {letter: nothing for letter in _ROLES}
        for column, (side, letter) in enumerate(men):
            bits = bit_of[places[:, column]]
            of_side[side] = of_side[side] | bits
            of_role[letter] = of_role[letter] | bits
        kings, rooks, knights, khons, mets, bia = (of_role[letter] for letter in _ROLES)
        return cls(
            white=of_side[0], black=of_side[1], kings=kings, rooks=rooks, knights=knights, khons=khons, mets=mets,
            bia=bia, turn=turn, counts=counts,
        )

    def __len__(self) -> int:
        return len(self._packed[1])

    def __repr__(self) -> str:
        return f"<sakmak.Boards of {len(self)} positions>"

def _at(index: int, error: Error) -> Error:
    return type(error)(f"position {index}: {error}", *error.args[1:])

def _categories(numbers: bytes) -> NDArray[numpy.int8]:
    import numpy

    return numpy.frombuffer(numbers, numpy.int8)

def _answers(categories: bytes, dtm: bytes, dth: bytes, errors: Dict[int, Error]) -> ArrayAnswers:
    import numpy

    return ArrayAnswers(
        numpy.frombuffer(categories, numpy.int8), numpy.frombuffer(dtm, numpy.int16),
        numpy.frombuffer(dth, numpy.int16), errors,
    )

def _chunk(squares: bytes, turn: Side, answers: ArrayAnswers) -> Chunk:
    import numpy

    rows = len(answers.categories)
    places = numpy.frombuffer(squares, numpy.uint8).reshape(rows, -1)
    return Chunk(places, turn, answers.categories, answers.dtm, answers.dth)
