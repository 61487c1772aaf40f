"""The errors, one class for each kind. Each message says what is wrong, where, and what to do."""

from __future__ import annotations


class Error(Exception):
    """Any error of this package."""


class NoTablesWarning(UserWarning):
    """The warning that a tablebase was opened without any table."""


class InputError(Error, ValueError):
    """An invalid argument: a mistake of the caller."""


class FenError(InputError):
    """The text is not a FEN of a legal position in the letters of the rule set."""


class CountError(InputError):
    """Nothing is counted in the position under the rules, or the number is not valid for the count."""


class RulesError(InputError):
    """No rule set has this name."""


class ClosedError(InputError):
    """The tablebase has been closed."""


class MissingTableError(Error, LookupError):
    """No directory contains a required table. ``material`` is the ending of this table."""

    def __init__(self, message: str, material: str | None = None) -> None:
        super().__init__(message)
        self.material = material


class NotInTablesError(Error, LookupError):
    """The position is legal, but no table can have it: it has too many men, a bia on a square where
    tables have none, or a king or met of ouk that may still make its first-move leap."""


class DirectoryError(Error, OSError):
    """A directory does not exist or cannot be read."""


class TableError(Error):
    """A table cannot be used. ``path`` is its file and ``material`` its ending, if they are known."""

    def __init__(
        self, message: str, material: str | None = None, path: str | None = None
    ) -> None:
        super().__init__(message)
        self.material = material
        self.path = path


class UnreadableTableError(TableError, OSError):
    """The system could not open or read the file."""


class NotATableError(TableError):
    """The file is not a table."""


class VersionError(TableError):
    """The table has another format version or another revision of the rules."""


class WrongLengthError(TableError):
    """The file is shorter or longer than its header states."""


class DamagedHeaderError(TableError):
    """The table's header is damaged."""


class DamagedModelError(TableError):
    """The compression model of a section is damaged."""


class DamagedBlockError(TableError):
    """A block or its entry in the index is damaged."""


class WrongTableError(TableError):
    """The file is the table of another ending."""


class NoMemoryError(Error, MemoryError):
    """There is not enough memory for the cache or for a table."""

    def __init__(
        self, message: str, material: str | None = None, path: str | None = None
    ) -> None:
        super().__init__(message)
        self.material = material
        self.path = path
