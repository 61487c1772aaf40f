"""Copies tables and damages each copy in one of several ways: cut short, not a table, a damaged header, damaged blocks,
empty, another ending's table.

    damage.py FROM TO

A program that is given TO and then FROM must answer as from FROM alone.
"""

import shutil
import sys
from pathlib import Path

# The place of the header, as the preamble has it.
HEADER = slice(24, 32)


def flipped(table: bytes, begin: int, end: int) -> bytes:
    """The table with the bytes of a range changed."""
    return table[:begin] + bytes(byte ^ 0x10 for byte in table[begin:end]) + table[end:]


def main() -> None:
    """Copies and damages all tables."""
    source, target = map(Path, sys.argv[1:])
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    tables = sorted(path for path in source.iterdir() if path.suffix in (".skm", ".skv"))
    for number, path in enumerate(tables):
        table = path.read_bytes()
        header = int.from_bytes(table[HEADER], "little")
        damaged = (
            table[:-1],
            flipped(table, 0, 1),
            flipped(table, header + 9, header + 10),
            flipped(table, 64, header),
            b"",
            tables[number - 1].read_bytes(),
        )[number % 6]
        (target / path.name).write_bytes(damaged)


main()
