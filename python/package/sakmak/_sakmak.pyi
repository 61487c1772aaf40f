"""The part written in Rust."""

from os import PathLike
from types import TracebackType
from typing import Optional, Union

from typing_extensions import Self

from .documents import Answer, Line, Rules

__version__: str

class Tablebase:
    """The tables of some directories. It may be asked from any number of threads.

    ``cache_bytes`` are for decoded blocks, 64 MiB unless said otherwise; ``most_open`` is the
    most files open at once, any number unless said otherwise. Neither changes an answer.
    """

    def __new__(
        cls,
        *directories: Union[str, PathLike[str]],
        cache_bytes: Optional[int] = None,
        most_open: Optional[int] = None,
    ) -> Self: ...
    def add_directory(self, directory: Union[str, PathLike[str]]) -> int:
        """Adds the tables of a directory and tells how many are new."""

    def probe(
        self,
        fen: str,
        rules: Rules = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Answer:
        """What becomes of a position, and its moves from the best to the worst.

        A count that runs is in the FEN, in plies, or given here, in moves: the number it has come
        to and, if it is not that of the men on the board, its limit.
        """

    def line(
        self,
        fen: str,
        rules: Rules = "makruk",
        count: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Line:
        """Best play by both sides to the end."""

    @property
    def materials(self) -> list[str]:
        """The endings there are tables of, the smaller ones first."""

    @property
    def closed(self) -> bool:
        """True once it has been closed."""

    def close(self) -> None:
        """Closes the files. Closing twice does nothing."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...
