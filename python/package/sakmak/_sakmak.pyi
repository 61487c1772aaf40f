"""The part of the package that is written in Rust."""

from os import PathLike
from types import TracebackType
from typing import Dict, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union, final, overload

import numpy
from numpy.typing import NDArray
from typing_extensions import Self

from .arrays import ArrayAnswers, Boards, Chunk
from .documents import (
    Access,
    Annotation,
    Answer,
    CacheStatistics,
    Category,
    EndingStatistics,
    Found,
    Lettering,
    Line,
    Many,
    RulesName,
    Side,
    StatisticsInTime,
)

_T = TypeVar("_T")

__all__ = ["__version__", "Chunks", "Find", "Tablebase"]

__version__: str

@final
class Chunks(Iterator[Chunk]):
    """The iterator of chunks that :meth:`Tablebase.positions` returns."""

    def __next__(self) -> Chunk: ...

@final
class Find(Iterator[Found]):
    """The iterator of positions that :meth:`Tablebase.find` returns."""

    def __next__(self) -> Found: ...

@final
class Tablebase:
    """The tables of some directories. Any number of threads may use the object at once.

    ``cache_bytes`` is the memory for decoded blocks, 64 MiB by default. ``most_open`` is the
    largest number of files open at once; by default there is no limit. ``access`` is the way to
    read files. ``"blocks"``, the default, reads each block only when a probe needs it; if a file is
    truncated or overwritten while the tablebase is open, probes of its table raise an error.
    ``"map"`` maps files into memory, which is a little faster, but ends the process if a file is
    truncated during a read. ``"whole"`` reads each file into memory. None of these options changes
    an answer.
    """

    def __new__(
        cls,
        *directories: Union[str, PathLike[str]],
        cache_bytes: Optional[int] = None,
        most_open: Optional[int] = None,
        access: Optional[Access] = None,
    ) -> Self: ...
    def add_directory(self, directory: Union[str, PathLike[str]]) -> int:
        """Adds the tables of a directory. Returns the number of endings that had no table before."""

    def probe(
        self,
        fen: str,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Answer:
        """Probes a position and ranks its moves.

        A running count is given either in the FEN, in plies, or by ``count`` and ``limit``, in
        moves. ``count`` is the number that the count has reached. ``limit`` is the limit of the count,
        which is only needed if the men on the board do not determine it. ``lettering`` is the
        lettering of the FEN: ``"makruk"`` (K R N S M P), ``"asean"`` (K R N B Q P) or ``"any"``.
        The default is the lettering of the rules.
        """

    @overload
    def get(
        self,
        fen: str,
        default: None = None,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Optional[Answer]:
        """Like ``probe``, but returns ``default`` if the tables do not have the position."""

    @overload
    def get(
        self,
        fen: str,
        default: _T,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Union[Answer, _T]:
        """Like ``probe``, but returns ``default`` if the tables do not have the position."""

    def category(
        self,
        fen: str,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Category:
        """Returns only the category that ``probe`` would give, which is much faster."""

    def category_cached(
        self,
        fen: str,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Optional[Category]:
        """Like ``category``, but uses only blocks that are already decoded. Returns None if any other
        block is needed. It never reads a file and never waits.
        """

    def category_bounds(
        self,
        fen: str,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Tuple[Category, Category]:
        """Returns the least and the greatest possible category of a position, from one lookup in
        the verdict table of its ending. The two differ only if the table does not show whether a
        win is in time for a running count. Without a verdict table both are the result of
        ``category``.
        """

    @overload
    def probe_many(
        self,
        positions: Sequence[str],
        rules: RulesName = "makruk",
        *,
        lettering: Optional[Lettering] = None,
    ) -> Many:
        """Probes a list of FENs, each with its own count, with several threads. Returns a ``Many``:
        arrays of categories, distances to mate and distances to honor, and a dictionary of errors.
        """

    @overload
    def probe_many(
        self,
        positions: Boards,
        rules: RulesName = "makruk",
        *,
        lettering: Optional[Lettering] = None,
    ) -> ArrayAnswers:
        """Probes positions in NumPy arrays, with several threads. Returns the answers in arrays."""

    def category_many(self, boards: Boards, rules: RulesName = "makruk") -> NDArray[numpy.int8]:
        """Returns the categories of the positions of a ``Boards`` as an array: see
        ``sakmak.CATEGORIES``. The position whose index is smallest among those with an error raises
        it.
        """

    def dtm(self, fen: str, rules: RulesName = "makruk", *, lettering: Optional[Lettering] = None) -> Optional[int]:
        """Returns the distance to mate of the side to move, with nothing counted: n if it mates in n
        moves, -n if it is mated in n, 0 if it is mated already, None in a draw. No other probe is
        cheaper.
        """

    def positions(
        self, ending: str, rules: RulesName = "makruk", *, turn: Side = "white", chunk: Optional[int] = None
    ) -> Chunks:
        """Iterates over all legal positions of an ending with one side to move, whichever side the
        table stores, in chunks of NumPy arrays: the squares of the men, in the order of the ending's
        name, and the positions' values under a fresh count. ``chunk`` is the number of positions in a
        chunk, 65,536 by default.
        """

    def is_stored(
        self, fen: str, rules: RulesName = "makruk", *, lettering: Optional[Lettering] = None
    ) -> bool:
        """True if the table stores the position with this side to move, so that a probe is cheap."""

    def line(
        self,
        fen: str,
        rules: RulesName = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Line:
        """Returns best play by both sides to the end of the game."""

    def annotate(
        self, pgn: str, rules: RulesName = "makruk", *, count_from: Optional[str] = None
    ) -> List[Annotation]:
        """Annotates the games of a PGN. Returns a list with one dictionary per game, which has the
        fields of ``sakmak annotate --json``. ``rules`` is the rule set of games without a Variant
        tag. ``count_from`` is the move with which board's honor began: ``"41"``, ``"41w"``,
        ``"41b"``, ``"first"`` or ``"never"``.
        """

    def annotate_pgn(
        self, pgn: str, rules: RulesName = "makruk", *, count_from: Optional[str] = None
    ) -> str:
        """Returns the games of a PGN with the tables' results in comments, like ``sakmak annotate``.
        """

    def statistics(self, ending: str) -> EndingStatistics:
        """Returns the statistics of an ending by distance to mate, from its table's header. For
        each side to move, they contain the number of positions that each side wins in each number
        of moves, the number of draws, and examples as lists of squares.
        """

    def statistics_in_time(self, ending: str, rules: RulesName = "makruk") -> StatisticsInTime:
        """Returns the statistics of an ending under a rule set with a fresh count, from its table's
        header: for each side to move the number of positions by category, the moves that the count
        leaves, and the longest wins.
        """

    def find(
        self,
        ending: str,
        rules: RulesName = "makruk",
        *,
        turn: str = "w",
        verdict: Optional[Category] = None,
        dtm: Union[int, Tuple[int, int], None] = None,
        margin: Optional[int] = None,
        only_move: bool = False,
        capture: Optional[str] = None,
        promotion: Optional[str] = None,
        zugzwang: bool = False,
        first_move: Optional[str] = None,
        men: Optional[Sequence[str]] = None,
        seed: int = 1,
    ) -> Find:
        """Finds positions of an ending with the given properties, like ``sakmak find``. Returns an
        iterator of dictionaries, which ends when there are no more positions. ``turn`` is the side to
        move: ``"white"`` or ``"w"``, ``"black"`` or ``"b"``, or ``"any"``. ``dtm`` is the number of
        moves to mate, or the least and the greatest number.
        """

    def cache_statistics(self) -> CacheStatistics:
        """Returns the number of lookups whose block was already decoded ("hits"), and the number of
        all other lookups ("misses").
        """

    @property
    def materials(self) -> list[str]:
        """The endings with distance tables, smaller ones first."""

    @property
    def most_men(self) -> int:
        """The largest number of men in a table, kings included; 0 if there are no tables."""

    @property
    def closed(self) -> bool:
        """True once the tablebase is closed."""

    def __getnewargs_ex__(self) -> Tuple[Tuple[str, ...], Dict[str, Union[int, str, None]]]:
        """A tablebase is pickled as its directories and options, and opened again."""

    def close(self) -> None:
        """Closes the files. Closing them again does nothing."""

    def __len__(self) -> int: ...
    def __contains__(self, material: str, /) -> bool:
        """True if the material, such as ``"KSMvK"``, has a distance table."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...
