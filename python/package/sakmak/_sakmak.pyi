"""The part written in Rust."""

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
    """The positions that :meth:`Tablebase.find` finds, one after the other."""

    def __next__(self) -> Found: ...

@final
class Tablebase:
    """The tables of some directories. It may be asked from any number of threads.

    ``cache_bytes`` is the memory for decoded blocks, 64 MiB by default; ``most_open`` is the most
    files open at once, any number by default; ``access`` is how files are read: ``"blocks"`` (the
    default) reads a block when it is needed, and a file that is cut or overwritten meanwhile is an
    error; ``"map"`` maps files into memory, which is a little faster, but ends the process if a
    file is cut; ``"whole"`` reads each file into memory. None of it changes an answer.
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

        A count that runs is in the FEN, in plies, or given here, in moves: the number it has come
        to and, if it is not that of the men on the board, its limit. ``lettering`` says which
        letters the FEN is in: ``"makruk"`` (K R N S M), ``"asean"`` (K R N B Q) or ``"any"``; by
        default those of the rules.
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
        """As ``probe``, but returns ``default`` if a table that it needs is missing."""

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
        """As ``probe``, but returns ``default`` if a table that it needs is missing."""

    def category(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Category:
        """The category of ``probe`` and nothing else, which is much faster."""

    def category_cached(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Optional[Category]:
        """As ``category``, but only from decoded blocks: None if one that it needs is not."""

    def category_bounds(
        self,
        fen: str,
        rules: Union[Rules, str] = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
        *,
        lettering: Optional[Lettering] = None,
    ) -> Tuple[Category, Category]:
        """The least and the most that a position can be worth, by its verdict table alone."""

    def probe_many(
        self,
        fens: Sequence[str],
        rules: Union[Rules, str] = "makruk",
        *,
        lettering: Optional[Lettering] = None,
    ) -> Many:
        """Probes a list of FENs, each with its own count, by several threads."""

    def is_stored(
        self, fen: str, rules: Union[Rules, str] = "makruk", *, lettering: Optional[Lettering] = None
    ) -> bool:
        """True if the position's table has this side to move, which makes a probe cheap."""

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
        """What the tables say of the games of a PGN: the documents of ``sakmak annotate --json``.

        ``rules`` are those of games without a Variant tag. ``count_from`` is the move from which
        board's honor was counted: ``"41"``, ``"41w"`` or ``"41b"``, ``"first"`` or ``"never"``.
        """

    def annotate_pgn(
        self, pgn: str, rules: Union[Rules, str] = "makruk", *, count_from: Optional[str] = None
    ) -> str:
        """The games of a PGN again, with what the tables say of them in comments."""

    def statistics(self, ending: str) -> EndingStatistics:
        """The statistics of an ending by distance to mate: for each side to move the positions that
        each side wins, by moves, the draws, and examples as lists of squares."""

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
        """Positions of an ending by what they are, as ``sakmak find`` finds them, one after the
        other until there are no more."""

    def cache_statistics(self) -> CacheStatistics:
        """How often what was asked for was in a block decoded before, and how often not."""

    @property
    def materials(self) -> list[str]:
        """The endings there are tables of, the smaller ones first."""

    @property
    def most_men(self) -> int:
        """The most men of a table, kings included; 0 if there are no tables."""

    @property
    def closed(self) -> bool:
        """True once it has been closed."""

    def close(self) -> None:
        """Closes the files. Closing twice does nothing."""

    def __len__(self) -> int: ...
    def __contains__(self, material: str, /) -> bool:
        """True if there is a table of this material, such as ``"KSMvK"``."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...
