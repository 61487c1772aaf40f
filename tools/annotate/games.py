#!/usr/bin/env python3
"""Makes the table of real games in docs/play/annotate.md from the games of PlayOK and SchemingMind in tests/data.

usage: tools/annotate/games.py TABLES

TABLES has every ending of up to five men: `sakmak generate every-5`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/play/annotate.md"
BEGIN = "| game | result | men at the end | enters the tables | verdict there | changes afterwards |\n"
SITES = [("PlayOK", "tests/data/pgn/playok"), ("SchemingMind", "tests/data")]


def annotated(path, tables):
    """The output of `sakmak annotate --json` for a game."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = os.environ.get("SAKMAK", target / "release/sakmak")
    command = [program, "annotate", "--json", "--tables", tables, path]
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return json.loads(out)


def men_in_words(fen):
    men = [letter for letter in fen.split()[0] if letter.isalpha()]
    bia = sum(letter in "Pp" for letter in men)
    return f"{len(men)}, {bia} of them bia" if bia else f"{len(men)}, no bia"


def material(fen):
    sides = []
    for letters in ("KRNSMP", "krnsmp"):
        men = [letter for letter in fen.split()[0] if letter in letters]
        sides.append("".join(sorted(men, key=letters.index)).upper())
    return "v".join(sides)


def winner(known):
    side = known["for"]
    other = {"white": "black", "black": "white"}[side]
    found = {"win": side, "loss": other}.get(known["category"])
    return f"{found} wins".capitalize() if found else "drawn"


def name_of(move):
    dots = "." if move["for"] == "white" else "..."
    return f"{move['number']}{dots} {move['san']}"


def row(name, game):
    positions = game["positions"]
    cells = [name, game["result"].replace("1/2-1/2", "½–½").replace("-", "–"), men_in_words(positions[-1]["fen"])]
    known = [position for position in positions if position["known"]]
    if not known:
        return [*cells, "–", "–", "–"]
    first = known[0]
    verdict = winner(first["known"])
    changes = []
    last = verdict
    for position in known[1:]:
        now = winner(position["known"])
        if now != last:
            mark = "??" if position["ply"] in game["mistakes"] else ""
            changes.append(f"{name_of(position['move'])}{mark}: {now}")
            last = now
    return [*cells, f"{name_of(first['move'])} ({material(first['fen'])})", verdict, "; ".join(changes) or "none"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = []
    for site, folder in SITES:
        for path in sorted((ROOT / folder).glob("*.pgn")):
            number = path.stem.removeprefix("schemingmind-").removeprefix("mk")
            rows.append(row(f"{site} {number}", annotated(path, sys.argv[1])))
    table = BEGIN + "|---|---|---|---|---|---|\n"
    table += "".join(f"| {' | '.join(cells)} |\n" for cells in rows)
    page = PAGE.read_text(encoding="utf-8")
    start = page.index(BEGIN)
    end = page.index("\n\n", start) + 1
    PAGE.write_text(page[:start] + table + page[end:], encoding="utf-8")
    print(table, end="")


if __name__ == "__main__":
    main()
