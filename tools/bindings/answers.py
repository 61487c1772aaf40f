"""Answers positions from standard input, one per line, as ``sakmak probe --json -`` does.

    answers.py DIRECTORIES RULES < positions.txt
"""

import json
import os
import sys
from typing import cast

import sakmak


def kind(error: sakmak.Error) -> str:
    """The name of an error in a document."""
    if isinstance(error, sakmak.InputError):
        return "input"
    if isinstance(error, sakmak.NotInTablesError):
        return "not-in-tables"
    return "missing-table" if isinstance(error, sakmak.MissingTableError) else "file"


def without_fen(move: sakmak.Move) -> dict[str, object]:
    """A move as the command line prints it."""
    return {name: value for name, value in move.items() if name != "fen"}


def main() -> None:
    """Answers every position."""
    directories, rules = sys.argv[1], cast(sakmak.Rules, sys.argv[2])
    with sakmak.Tablebase(*directories.split(os.pathsep)) as tablebase:
        for line in map(str.strip, sys.stdin):
            document: object
            try:
                answer = tablebase.probe(line, rules)
                # Python alone has the position after a move.
                document = {**answer, "moves": [without_fen(move) for move in answer["moves"]]}
            except sakmak.Error as error:
                document = {"fen": line, "error": {"kind": kind(error), "message": str(error)}}
            print(json.dumps(document, separators=(",", ":"), ensure_ascii=False))


main()
