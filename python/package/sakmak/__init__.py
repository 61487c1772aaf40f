"""The endgame tablebase of makruk (Thai chess), ASEAN chess and ouk.

>>> import sakmak
>>> with sakmak.Tablebase("tables") as tablebase:
...     tablebase.probe("8/8/8/8/8/2k5/8/K6R w")["category"]
'win'

All questions are methods of a Tablebase. Their answers are dictionaries, whose types are in
sakmak.documents: sakmak.Answer, sakmak.Line and so on. All exceptions are subclasses of sakmak.Error;
sakmak.errors has a class for each kind, such as sakmak.FenError and sakmak.MissingTableError.
"""

from ._sakmak import Tablebase, __version__
from .arrays import ArrayAnswers as ArrayAnswers, Boards as Boards, Chunk as Chunk
from .documents import (
    Access as Access,
    AnnotatedPosition as AnnotatedPosition,
    Annotation as Annotation,
    AnnotationError as AnnotationError,
    Answer as Answer,
    CATEGORIES,
    CacheStatistics as CacheStatistics,
    Category as Category,
    Count as Count,
    EndingStatistics as EndingStatistics,
    Found as Found,
    GameCount as GameCount,
    IfCounted as IfCounted,
    JudgedMove as JudgedMove,
    KnownPosition as KnownPosition,
    LastChance as LastChance,
    Lettering as Lettering,
    Line as Line,
    LineMove as LineMove,
    Many as Many,
    Move as Move,
    PlayedMove as PlayedMove,
    Rules as Rules,
    RulesName as RulesName,
    Side as Side,
    SideStatistics as SideStatistics,
    StatisticsInTime as StatisticsInTime,
)
from .errors import (
    ClosedError as ClosedError,
    CountError as CountError,
    DamagedBlockError as DamagedBlockError,
    DamagedHeaderError as DamagedHeaderError,
    DamagedModelError as DamagedModelError,
    DirectoryError as DirectoryError,
    Error,
    FenError as FenError,
    InputError as InputError,
    MissingTableError as MissingTableError,
    NoMemoryError as NoMemoryError,
    NoTablesWarning as NoTablesWarning,
    NotATableError as NotATableError,
    NotInTablesError as NotInTablesError,
    RulesError as RulesError,
    TableError as TableError,
    UnreadableTableError as UnreadableTableError,
    VersionError as VersionError,
    WrongLengthError as WrongLengthError,
    WrongTableError as WrongTableError,
)

# The names that help(sakmak) shows and `from sakmak import *` imports; the types and the errors have pages of their
# own.
__all__ = ["CATEGORIES", "Error", "Tablebase", "__version__"]
