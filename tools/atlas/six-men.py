#!/usr/bin/env python3
"""Makes docs/atlas/six-men.md from docs/atlas/six-men.csv, the figures of tables that need not be present.

usage: tools/atlas/six-men.py FIVE.csv

FIVE.csv has the figures of the endings of five men against a bare king, for comparison: `sakmak study bare-5 --format
csv --out FIVE.csv`.
"""

import csv
import sys
from pathlib import Path

ATLAS = Path(__file__).resolve().parents[2] / "docs/atlas"
RULES = {"makruk": "Makruk", "asean": "ASEAN chess", "ouk": "Ouk"}
STANDINGS = ["beats", "usually", "rarely", "never", "no-win"]
COLUMNS = ["ending", "turn", "moves", "longest", "fits", "misses", "won", "in time", "count", "drawn", "verdict"]
TWO_SIDED = ["ending", "wins", "turn", "moves", "to honor", *COLUMNS[4:10], "lost", "verdict"]
# The title of each kind of ending.
BARE, BIA, BOTH = "against a bare king", "with bia against a bare king", "both sides have men"
# How many examples a finding has.
EXAMPLES = 8


def read(path):
    """The rows of a CSV of `sakmak study`."""
    with open(path, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def percent(row, column):
    return 100 * int(row[column]) / max(int(row["legal"]), 1)


def share(row, column):
    """The share of the legal positions in hundredths of a percent, as `sakmak study` prints it."""
    value = percent(row, column)
    if 0 < value < 0.01:
        return "<0.01"
    return f"{min(value, 99.99) if value < 100 else value:.2f}"


def kind(row):
    if not row["material"].endswith("vK"):
        return BOTH
    return BIA if "P" in row["material"] else BARE


def to_move(row):
    """The side to move."""
    other = {"white": "black", "black": "white"}[row["winner"]]
    return row["winner"] if row["winner_to_move"] == "true" else other


def army(row):
    return row["material"].split("v")[row["winner"] == "black"]


def names(rows):
    listed = [row["material"] for row in rows]
    return f"{', '.join(listed[:-1])} and {listed[-1]}" if len(listed) > 1 else listed[0]


def table(headings, words, rows):
    """A table whose first columns hold words and whose other columns hold numbers."""
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join(['---'] * words + ['---:'] * (len(headings) - words))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def winners(rows, rules, of_kind):
    """The rows with the winner to move, those that beat the count first."""
    own = [r for r in rows if r["rules"] == rules and kind(r) == of_kind and r["winner_to_move"] == "true"]
    key = lambda r: (STANDINGS.index(r["standing"]), -percent(r, "in_time"), r["material"])
    return sorted(own, key=key)


def overview(rows, rules, of_kind):
    other = {(r["material"], r["winner"]): r for r in rows if r["rules"] == rules and r["winner_to_move"] == "false"}
    for own in winners(rows, rules, of_kind):
        for row in (own, other[own["material"], own["winner"]]):
            numbers = [row[c] or "-" for c in ("moves_available", "longest", "longest_in_time", "shortest_too_long")]
            shares = [share(row, c) for c in ("won", "in_time", "count_draws", "drawn")]
            verdict = row["standing"].replace("-", " ") if row is own else ""
            if of_kind != BOTH:
                yield [row["material"], to_move(row), *numbers, *shares, verdict]
            else:
                yield [row["material"], army(row), to_move(row), *numbers, *shares, share(row, "lost"), verdict]


def standings(rows):
    count = len(winners(rows, "makruk", BARE))
    yield f"* **Which endings beat the count.** Of the {count} endings against a bare king here:"
    for rules, name in RULES.items():
        own = winners(rows, rules, BARE)
        lists = []
        for standing in STANDINGS:
            found = [row for row in own if row["standing"] == standing]
            if found:
                lists.append(f"{standing.replace('-', ' ')} {len(found)} ({names(found)})")
        yield f"  {name}: {'; '.join(lists)}."


def one_man_more(rows, fewer):
    """The pairs of endings in which one man more wins less often in time."""
    by_name = {row["material"]: row for row in fewer if row["rules"] == "makruk" and row["winner_to_move"] == "true"}
    falls = []
    for more in winners(rows, "makruk", BARE):
        men = more["material"][1:-2]
        for man in sorted(set(men)):
            less = by_name[f"K{men.replace(man, '', 1)}vK"]
            falls.append((percent(less, "in_time") - percent(more, "in_time"), less, more))
    falls = sorted((f for f in falls if f[0] > 0), key=lambda f: -f[0])
    said = "; ".join(
        f"{less['material']} wins {share(less, 'in_time')} % in time, {more['material']} {share(more, 'in_time')} %"
        for _, less, more in falls[:EXAMPLES]
    )
    yield (
        "* **One man more can win less.** With more men the limit of the count is lower, and the count begins at a "
        f"higher number. In makruk, with the stronger side to move: {said}. Such pairs: {len(falls)}."
    )


def longest(rows):
    mates = sorted(winners(rows, "makruk", BARE), key=lambda r: -int(r["longest"]))[:3]
    said = "; ".join(f"{row['material']} in {row['longest']} moves" for row in mates)
    yield f"* **The longest mates, nothing counted.** With the stronger side to move: {said}."


def records(rows):
    for row in sorted(winners(rows, "makruk", BARE), key=lambda r: r["material"]):
        for what, moves in (("hardest win", "longest_in_time"), ("nearest miss", "shortest_too_long")):
            if row[moves]:
                fen = row[f"{moves}_fen"].removesuffix(" - - 0 1")
                yield [row["material"], what, f"`{fen}`", row[moves]]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows, fewer = read(ATLAS / "six-men.csv"), read(sys.argv[1])
    lines = [(ATLAS / "six-men-preface.md").read_text(encoding="utf-8"), "## Findings", ""]
    lines += [*standings(rows), *one_man_more(rows, fewer), *longest(rows), ""]
    for rules, name in RULES.items():
        for of_kind in (BARE, BIA, BOTH):
            found = list(overview(rows, rules, of_kind))
            if found:
                headings, words = (TWO_SIDED, 3) if of_kind == BOTH else (COLUMNS, 2)
                lines += [f"## {name}: {of_kind}", "", *table(headings, words, found)]
    lines += [
        "## Record positions",
        "",
        "Makruk, with White to move: the longest of the wins inside the count, and the shortest of those that are too "
        "long.",
        "",
        *table(["ending", "record", "position", "moves"], 3, records(rows)),
    ]
    (ATLAS / "six-men.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


main()
