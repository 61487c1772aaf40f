"""What can go wrong, each by its own class. The text is one sentence: what, where, what to do."""

from __future__ import annotations


class Error(Exception):
    """Any error of this package."""


class NoTablesWarning(UserWarning):
    """A tablebase has been opened in which there are no tables."""


class InputError(Error, ValueError):
    """The caller's mistake: what was given cannot be used."""


class FenError(InputError):
    """The text is no FEN of a legal pawnless position in the letters of the rule set."""


class CountError(InputError):
    """The rules count nothing in the position, or the number is no count."""


class RulesError(InputError):
    """The name is no rule set's."""


class ClosedError(InputError):
    """The tablebase has been closed."""


class MissingTableError(Error, LookupError):
    """A table that is needed is in none of the directories. ``material`` names it."""

    def __init__(self, message: str, material: str | None = None) -> None:
        super().__init__(message)
        self.material = material


class NotInTablesError(Error, LookupError):
    """A king or met of ouk may still leap, which no table knows."""


class DirectoryError(Error, OSError):
    """A directory is not there or cannot be read."""


class TableError(Error):
    """A table cannot be used. ``path`` is its file, ``material`` its ending, where they are known."""

    def __init__(
        self, message: str, material: str | None = None, path: str | None = None
    ) -> None:
        super().__init__(message)
        self.material = material
        self.path = path


class UnreadableTableError(TableError, OSError):
    """The system refused to open or to read the file."""


class NotATableError(TableError):
    """The file is something else."""


class VersionError(TableError):
    """The table has another format version or revision of the rules."""


class WrongLengthError(TableError):
    """The file is shorter or longer than it was when written."""


class DamagedHeaderError(TableError):
    """The table's header is not what was written."""


class DamagedModelError(TableError):
    """The model of a section is not what was written."""


class DamagedBlockError(TableError):
    """A block, or its entry in the index, is not what was written."""


class WrongTableError(TableError):
    """The file holds the table of another ending."""


class NoMemoryError(Error, MemoryError):
    """There is not the memory for the cache or for a table."""

    def __init__(
        self, message: str, material: str | None = None, path: str | None = None
    ) -> None:
        super().__init__(message)
        self.material = material
        self.path = path
