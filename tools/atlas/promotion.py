#!/usr/bin/env python3
"""Makes docs/atlas/promotion.md: the text of docs/atlas/promotion-preface.md, then the report of `sakmak study` on
promotion.

usage: tools/atlas/promotion.py TABLES

TABLES has every ending with bia of up to five men and its verdict table: `sakmak generate bia-5 --verdicts`.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATLAS = ROOT / "docs/atlas"
TITLES = ["Promoting at once", "What a bia is worth", "Where the bia should stand", "The weaker side's last bia"]
FINDINGS = [
    "Do not promote yet.",
    "On the board alone.",
    "A bia can be worth more than the met it becomes.",
    "How long to wait.",
    "Where the bia should stand.",
    "Which man should escort it.",
    "Whom the last bia saves.",
]
# The beginning of a part of a report.
PARTS = ("## ", "### ")


def parts(report):
    """The parts of a report, each with its heading."""
    part = []
    for line in report.splitlines():
        if line.startswith(PARTS) and part:
            yield part
            part = []
        part.append(line)
    yield part


def findings(part):
    """The findings on promotion, with their commands."""
    wanted = False
    for line in part[1:]:
        if line.startswith("* "):
            wanted = any(line.startswith(f"* **{title}**") for title in FINDINGS)
        if wanted and line:
            yield line


def chosen(report):
    """The findings on promotion and the tables of four and of five men."""
    tables = {title: [] for title in TITLES}
    for part in parts(report):
        title = part[0].lstrip("# ")
        if title == "Findings":
            yield "## Findings\n"
            yield from findings(part)
            yield ""
        if title in tables:
            own = tables[title]
            rows = [line for line in part if line.startswith("| ")][1:]
            own.extend(rows if own else [line for line in part if line])
    for title, lines in tables.items():
        if lines:
            words = [line for line in lines[1:] if not line.startswith("|")]
            rows = [line for line in lines[1:] if line.startswith("|")]
            yield "\n".join([f"## {title}", "", *words, "", *rows, ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = os.environ.get("SAKMAK", target / "release/sakmak")
    command = [program, "study", "bia-5", "--rules", "makruk", "--format", "md", "--quiet", "--tables", sys.argv[1]]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    preface = (ATLAS / "promotion-preface.md").read_text(encoding="utf-8")
    text = preface + "\n".join(chosen(report)).rstrip() + "\n"
    (ATLAS / "promotion.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
