#!/usr/bin/env python3
"""Makes docs/atlas/promotion.md: the text of docs/atlas/promotion-preface.md, then the report of `sakmak study` on
promotion.

usage: tools/atlas/promotion.py TABLES

TABLES are the directories, separated by colons, of all tables of up to five men and their verdict tables: `sakmak
generate every-5 --verdicts`, `sakmak generate bia-5 --verdicts --rules makruk,ouk` and `sakmak generate bia-5 --verdicts
--rules asean`. The results are kept in the first directory.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATLAS = ROOT / "docs/atlas"
# The tables to show of each rule set.
TITLES = {
    "makruk": [
        "Promoting at once",
        "What a bia is worth",
        "Where the bia should stand",
        "The weaker side's last bia",
    ],
    "ouk": ["Promoting at once, ouk"],
    "asean": ["Which man to promote to, ASEAN chess"],
}
FINDINGS = [
    "Do not promote yet.",
    "Do not promote yet in ouk.",
    "Do not promote yet in ASEAN chess.",
    "Which man to promote to.",
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


def report(rules, directories):
    """What `sakmak study` reports on all endings with bia."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = os.environ.get("SAKMAK", target / "release/sakmak")
    command = [program, "study", "bia-5", "--rules", rules, "--format", "md", "--quiet", "--tables", directories]
    return list(parts(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def heading(part):
    """The heading of a part."""
    return part[0].lstrip("# ")


def tables(rules, report):
    """The tables of four and of five men."""
    tables = {title: [] for title in TITLES[rules]}
    for part in report:
        title = heading(part)
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
    reports = {rules: report(rules, sys.argv[1]) for rules in TITLES}
    page = ["## Findings", ""]
    for own in reports.values():
        page.extend(line for part in own if heading(part) == "Findings" for line in findings(part))
    page.append("")
    page.extend(table for rules, own in reports.items() for table in tables(rules, own))
    preface = (ATLAS / "promotion-preface.md").read_text(encoding="utf-8")
    text = preface + "\n".join(page).rstrip() + "\n"
    (ATLAS / "promotion.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
