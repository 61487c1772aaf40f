"""Answers positions from standard input, one a line, as ``sakmak probe --json -`` does.

    answers.py DIRECTORY RULES < positions.txt
"""

import json
import sys
from typing import cast

import sakmak


def kind(error: sakmak.Error) -> str:
    """The word for an error in a document."""
    if isinstance(error, sakmak.InputError):
        return "input"
    return "missing-table" if isinstance(error, sakmak.MissingTableError) else "file"


def main() -> None:
    """Answers all of them."""
    directory, rules = sys.argv[1], cast(sakmak.Rules, sys.argv[2])
    with sakmak.Tablebase(directory) as tablebase:
        for line in map(str.strip, sys.stdin):
            document: object
            try:
                document = tablebase.probe(line, rules)
            except sakmak.Error as error:
                document = {"fen": line, "error": {"kind": kind(error), "message": str(error)}}
            print(json.dumps(document, separators=(",", ":"), ensure_ascii=False))


main()
