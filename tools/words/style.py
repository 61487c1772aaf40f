#!/usr/bin/env python3
"""Finds phrases on the pages that read as translated, and prints better ones.

usage: tools/words/style.py [PAGE...]

The default pages are README.md, CONTRIBUTING.md, python/README.md and docs/. Exits with 1 if it finds any phrase.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# A pattern, and what to write. Pages are read without code, and lines of a paragraph as one.
PATTERNS = [
    (r"\bfor want of\b", "without"),
    (r"\bis such\b|\bare such\b", "say what it is: 'matches', 'is of this kind'"),
    (r"\bno such \w+ (?:is|are)\b", "'there is no …', or 'no matching …'"),
    (r"\b(?:is|are|was) said\b(?! (?:aloud|first|last|with))", "name who says it: 'the program prints', 'the summary names'"),
    (r"\bis told\b|\bare told\b", "'learns', 'gets', or the active voice"),
    (r"\bthat which\b|\bthose which\b", "a noun: 'the part that', 'the file'"),
    (r"(?:^|[.:;] )(?:What|Who) [a-z]+ (?!is\b|are\b|was\b|does\b|do\b|can\b)[^.?]*\.", "begin with a noun"),
    (r"\bwho is to move\b", "'the side to move'"),
    (r"\bas good as it\b|\bhas a say in\b", "'affects', 'depends on'"),
    (r"\bis taken away\b|\btake it away\b", "'removed', 'remove it'"),
    (r"\bhave [\d.,]+ (?:MB|GB)\b", "'take … MB'"),
    (r"\b(?:it|this|that) comes to\b(?! stand)", "'is', 'amounts to'"),
    (r"\bin place of all\b|\bgo by\b(?! \w+ing)", "'use', 'follow'"),
    (r"\bwould rather\b(?! pass)", "'prefers'"),
    (r"\bbeforehand\b", "'before'"),
]


def prose(text: str) -> list[tuple[int, str]]:
    """The paragraphs of a page with their line numbers, without code blocks and text in backquotes."""
    paragraphs: list[tuple[int, str]] = []
    code = False
    begin, lines = 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        if fence:
            code = not code
        if code or fence or not line.strip() or re.match(r"\s*([*|#]|\d+\.)", line):
            if lines:
                paragraphs.append((begin, " ".join(lines)))
            begin, lines = number, []
        if not (code or fence) and line.strip():
            begin = begin if lines else number
            lines.append(re.sub(r"`[^`]*`", "`…`", line.strip()))
    return paragraphs


def main() -> None:
    """Checks the pages."""
    pages = [Path(page) for page in sys.argv[1:]]
    if not pages:
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "python/README.md"]
        pages += sorted((ROOT / "docs").rglob("*.md"))
    found = 0
    for page in pages:
        for number, paragraph in prose(page.read_text(encoding="utf-8")):
            for pattern, instead in PATTERNS:
                for match in re.finditer(pattern, paragraph):
                    print(f"{page}:{number}: “{match[0].strip()}”: {instead}")
                    found += 1
    if found:
        raise SystemExit(1)


main()
