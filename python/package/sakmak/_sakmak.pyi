"""The module written in Rust."""

from os import PathLike
from types import TracebackType
from typing import Iterator, List, Optional, Sequence, Tuple, TypeVar, Union, final, overload

from typing_extensions import Self

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
    Rules,
)

_T = TypeVar("_T")

__all__ = ["__version__", "Find", "Tablebase"]

__version__: str

@final
class Find(Iterator[Found]):
    """The iterator of positions that :meth:`Tablebase.find` returns."""

    def __next__(self) -> Found: ...

@final
class Tablebase:
    """The tables of some directories. Any number of threads may use it.

    ``cache_bytes`` is the memory for decoded blocks, 64 MiB by default. ``most_open`` is the most
    files open at once, by default any number. ``access`` is how files are read: ``"blocks"`` (the
    default) reads a block when it is needed, and a file that is cut or overwritten meanwhile gives
    an error; ``"map"`` maps files into memory, which is a little faster, but ends the process if a
    file is cut during a read; ``"whole"`` reads each file into memory. None of this changes an
    answer.
    """

    def __new__(
        cls,
        *directories: Union[str, PathLike[str]],
        cache_bytes: Optional[int] = None,
        most_open: Optional[int] = None,
        access: Optional[Access] = None,
    ) -> Self: ...
    def add_directory(self, directory: Union[str, PathLike[str]]) -> int:
        """Adds the tables of a directory and returns how many are new."""

    def probe(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Answer:
        """Probes a position and ranks its moves.

        A running count is in the FEN, in plies, or given here, in moves: ``count`` is the number
        counted and ``limit`` its limit, unless that is the limit of the men on the board.
        ``lettering`` is the set of letters of the FEN: ``"makruk"`` (K R N S M P), ``"asean"`` (K R
        N B Q P) or ``"any"``; by default those of the rules.
        """

    @overload
    def get(
        self,
        fen: str,
        default: None = None,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Optional[Answer]:
        """Like ``probe``, but returns ``default`` if a table is missing."""

    @overload
    def get(
        self,
        fen: str,
        default: _T,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Union[Answer, _T]:
        """Like ``probe``, but returns ``default`` if a table is missing."""

    def category(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Category:
        """Only the category of ``probe``, which is much faster."""

    def category_cached(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Optional[Category]:
        """Like ``category``, but only from decoded blocks: None if another block would be needed.
        """

    def category_bounds(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Tuple[Category, Category]:
        """The least and the greatest possible category of a position, from its verdict table alone.
        """

    def probe_many(
        self,
        fens: Sequence[str],
        rules: Union[Rules, str] = "makruk",
        *,
        lettering: Optional[Lettering] = None,
    ) -> Many:
        """Probes a list of FENs, each with its own count, with several threads."""

    def is_stored(
        self, fen: str, rules: Union[Rules, str] = "makruk", *, lettering: Optional[Lettering] = None
    ) -> bool:
        """True if the table stores this side to move, which makes a probe cheap."""

    def line(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Line:
        """Best play by both sides to the end."""

    def annotate(
        self, pgn: str, rules: Union[Rules, str] = "makruk", *, count_from: Optional[str] = None
    ) -> List[Annotation]:
        """The annotations of the games of a PGN: the documents of ``sakmak annotate --json``.

        ``rules`` are for games without a Variant tag; ``count_from`` is the move with which board's
        honor began: ``"41"``, ``"41w"`` or ``"41b"``, ``"first"`` or ``"never"``.
        """

    def annotate_pgn(
        self, pgn: str, rules: Union[Rules, str] = "makruk", *, count_from: Optional[str] = None
    ) -> str:
        """The games of a PGN with the tables' results in comments: the text of ``sakmak annotate``.
        """

    def statistics(self, ending: str) -> EndingStatistics:
        """The statistics of an ending by distance to mate: for each side to move the positions that
        each side wins, by moves, the draws, and examples as lists of squares.
        """

    def find(
        self,
        ending: str,
        rules: Union[Rules, str] = "makruk",
        *,
        turn: str = "w",
        verdict: Optional[Category] = None,
        dtm: Optional[Tuple[int, int]] = None,
        margin: Optional[int] = None,
        only_move: bool = False,
        capture: Optional[str] = None,
        promotion: Optional[str] = None,
        zugzwang: bool = False,
        first_move: Optional[str] = None,
        men: Optional[Sequence[str]] = None,
        seed: int = 1,
    ) -> Find:
        """Positions of an ending with the given properties, as found by ``sakmak find``. The
        iterator ends when there are no more.
        """

    def cache_statistics(self) -> CacheStatistics:
        """The number of lookups whose block was decoded before, and of the others."""

    @property
    def materials(self) -> list[str]:
        """The endings with tables, smaller ones first."""

    @property
    def most_men(self) -> int:
        """The most men of a table, kings included; 0 if there are no tables."""

    @property
    def closed(self) -> bool:
        """True after closing."""

    def close(self) -> None:
        """Closes the files. Closing twice does nothing."""

    def __len__(self) -> int: ...
    def __contains__(self, material: str, /) -> bool:
        """True if the material, such as ``"KSMvK"``, has a table."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...
