"""Puts the code of docs/engine/fairy-stockfish.md into the source of Fairy-Stockfish, as the page says.

    integrate.py PAGE.md SRC          all of it
    integrate.py --files PAGE.md DIR  the two new files alone

The first line of a block names its file; a block without such a line continues the file of the block before. If "below"
or "above" follows the name, the block is inserted there, next to the one line that contains the text after that word.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(?:cpp|make)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEW_FILE = re.compile(r"// (sakmak_engine\.\w+)\n")
HOOK = re.compile(r"(?://|#) ([\w. ]+), (below|above) (.+)\n")


def insert(path: Path, where: str, anchor: str, text: str) -> None:
    """Inserts text below or above the one line that contains the anchor."""
    lines = path.read_text().splitlines(keepends=True)
    found = [number for number, line in enumerate(lines) if anchor in line]
    if len(found) != 1:
        raise SystemExit(f"{path}: {len(found)} lines have {anchor}: this is another version of the engine")
    lines.insert(found[0] + (where == "below"), text)
    path.write_text("".join(lines))


def main() -> None:
    """Integrates the code of the page."""
    only_files = sys.argv[1] == "--files"
    page, source = map(Path, sys.argv[1 + only_files :])
    files: dict[str, str] = {}
    hooks = []
    name = ""
    for block in BLOCK.findall(page.read_text()):
        new, hook = NEW_FILE.match(block), HOOK.match(block)
        if hook:
            hooks.append((*hook.groups(), block[hook.end() :]))
            continue
        if new:
            name = new[1]
        files[name] = files.get(name, "") + block
    for name, text in files.items():
        (source / name).write_text(text)
    if only_files:
        return
    for names, where, anchor, text in hooks:
        for name in names.split():
            insert(source / name, where, anchor, text)


main()
