"""The endgame tablebase of makruk (Thai chess), ASEAN chess and ouk.

>>> import sakmak
>>> with sakmak.Tablebase("tables") as tablebase:
...     tablebase.probe("8/8/8/8/8/2k5/8/K6R w")["category"]
'win'
"""

from ._sakmak import Tablebase, __version__
from .documents import (
    CATEGORIES,
    Access,
    Answer,
    CacheStatistics,
    Category,
    Count,
    Found,
    Lettering,
    Line,
    LineMove,
    Many,
    Move,
    Rules,
    Side,
)
from .errors import (
    ClosedError,
    CountError,
    DamagedBlockError,
    DamagedModelError,
    DamagedHeaderError,
    DirectoryError,
    Error,
    FenError,
    InputError,
    MissingTableError,
    NoMemoryError,
    NotATableError,
    NotInTablesError,
    RulesError,
    TableError,
    UnreadableTableError,
    VersionError,
    WrongLengthError,
    WrongTableError,
)

__all__ = [
    "CATEGORIES",
    "Access",
    "Answer",
    "CacheStatistics",
    "Category",
    "Count",
    "Found",
    "Lettering",
    "Line",
    "LineMove",
    "Many",
    "Move",
    "Rules",
    "Side",
    "ClosedError",
    "CountError",
    "DamagedBlockError",
    "DamagedModelError",
    "DamagedHeaderError",
    "DirectoryError",
    "Error",
    "FenError",
    "InputError",
    "MissingTableError",
    "NoMemoryError",
    "NotATableError",
    "NotInTablesError",
    "RulesError",
    "TableError",
    "Tablebase",
    "UnreadableTableError",
    "VersionError",
    "WrongLengthError",
    "WrongTableError",
    "__version__",
]
