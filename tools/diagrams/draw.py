#!/usr/bin/env python3
"""Draws the diagrams of the pages: docs/develop/*.svg and docs/play/*.svg, readable on light and dark pages.

usage: tools/diagrams/draw.py [DIRECTORY]

Writes to the folders of DIRECTORY, docs unless named.
"""

import sys
from html import escape
from pathlib import Path

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .small { font-size: 11px; fill: #57606a; }
  .head { font-weight: 600; }
  .box { fill: #f3f6fa; stroke: #57606a; }
  .data { fill: #fff4d6; stroke: #9a6700; }
  .file { fill: #dff2e3; stroke: #1a7f37; }
  .line { fill: none; stroke: #57606a; stroke-width: 1.5; }
  .tip { fill: #57606a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9da7b3; }
    .box { fill: #1c2330; stroke: #8b949e; }
    .data { fill: #3a2f12; stroke: #d4a72c; }
    .file { fill: #12301b; stroke: #3fb950; }
    .line { stroke: #9da7b3; }
    .tip { fill: #9da7b3; }
  }
"""


class Drawing:
    """Boxes and arrows."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
        ]

    def box(self, x: int, y: int, width: int, height: int, head: str, *lines: str, kind: str = "box") -> None:
        """A box with a heading and smaller lines, all centred."""
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>')
        top = y + (height - 16 * len(lines)) // 2 + 5
        for number, text in enumerate((head, *lines)):
            style = "small" if number else "head"
            self.text(x + width // 2, top + 16 * number, text, style)

    def text(self, x: int, y: int, text: str, style: str = "small", anchor: str = "middle") -> None:
        """A line of text."""
        self.parts.append(f'<text class="{style}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>')

    def passage(self, event: str, before: list[str], after: str) -> None:
        """A passage between states as data for a test; an arrow or a text shows it."""
        self.parts.append(f'<metadata data-event="{event}" data-from="{" ".join(before)}" data-to="{after}"/>')

    def arrow(self, *points: tuple[int, int]) -> None:
        """A line through these points, with an arrowhead."""
        path = " ".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'<polyline class="line" points="{path}" marker-end="url(#tip)"/>')

    def line(self, *points: tuple[int, int]) -> None:
        """A line through these points."""
        path = " ".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'<polyline class="line" points="{path}"/>')

    def write(self, path: Path) -> None:
        """Writes the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*self.parts, "</svg>"]) + "\n", encoding="utf-8")


def answer() -> Drawing:
    """How a position is answered."""
    d = Drawing(860, 330, "The way of a position to its answer")
    d.box(10, 20, 150, 56, "FEN", "position and count", kind="data")
    d.box(200, 20, 160, 56, "material", "KSMvK: which table?")
    d.box(400, 20, 190, 56, "number of the position", "symmetry, then digits")
    d.box(630, 20, 220, 56, "block of this cell", "cell number / cells of a block")
    d.arrow((160, 48), (200, 48))
    d.arrow((360, 48), (400, 48))
    d.arrow((590, 48), (630, 48))
    d.box(630, 120, 220, 56, "cache of decoded blocks", "shared by all threads")
    d.box(400, 120, 190, 56, "read, decode, check", "only if it is not there")
    d.box(200, 120, 160, 56, "KSMvK.skm", "one file an ending", kind="file")
    d.arrow((740, 76), (740, 120))
    d.arrow((630, 138), (590, 138))
    d.arrow((590, 160), (630, 160))
    d.arrow((360, 148), (400, 148))
    d.box(630, 220, 220, 56, "distance", "White mates in 26", kind="data")
    d.arrow((740, 176), (740, 220))
    d.box(400, 220, 190, 56, "rules and count", "the count leaves 41 moves")
    d.arrow((630, 248), (590, 248))
    d.box(10, 220, 350, 56, "answer", "win: mate in 26, and the count leaves 41", kind="data")
    d.arrow((400, 248), (360, 248))
    d.line((85, 76), (85, 200), (495, 200))
    d.arrow((495, 200), (495, 220))
    d.text(95, 194, "the count of the FEN", anchor="start")
    d.text(430, 308, "Is the side to move not stored? The same for the position after each legal move; the best one decides.")
    return d


def ending() -> Drawing:
    """How an ending is generated."""
    d = Drawing(860, 300, "The way of an ending to its file")
    d.box(10, 20, 150, 56, "KNSMvK", "the ending", kind="data")
    d.box(200, 20, 180, 56, "subendings", "KSMvK, KNMvK, KNSvK")
    d.box(420, 20, 190, 56, "leaves", "what each capture is worth")
    d.box(650, 20, 200, 56, "steps", "64 positions a word;", "mate in 1, 2, 3 …")
    d.arrow((160, 48), (200, 48))
    d.arrow((380, 48), (420, 48))
    d.arrow((610, 48), (650, 48))
    d.box(650, 120, 200, 56, "bit planes", "distances in binary")
    d.box(420, 120, 190, 56, "codes", "small numbers in the order", "that compresses best")
    d.box(200, 120, 180, 56, "blocks", "predicted, coded, checksums")
    d.box(10, 120, 150, 56, "KNSMvK.skm", "renamed once whole", kind="file")
    d.arrow((750, 76), (750, 120))
    d.arrow((650, 148), (610, 148))
    d.arrow((420, 148), (380, 148))
    d.arrow((200, 148), (160, 148))
    d.box(10, 220, 370, 56, "verify", "every position of the file against those one move on", kind="data")
    d.arrow((85, 176), (85, 220))
    d.text(420, 244, "Large endings go slice by slice, with each step in a file", anchor="start")
    d.text(420, 262, "of KNSMvK.job: a killed run resumes.", anchor="start")
    return d


def layout() -> Drawing:
    """The layout of a table file."""
    d = Drawing(860, 330, "The layout of a table file")
    d.text(10, 24, "KRvKN.skm", "head", "start")
    d.box(10, 36, 110, 56, "preamble", "64 bytes", kind="file")
    d.box(124, 36, 230, 56, "section 0", "distances to mate")
    d.box(358, 36, 230, 56, "section 1", "distances to honor, makruk")
    d.box(592, 36, 70, 56, "…")
    d.box(666, 36, 184, 56, "header", "names, sections, statistics", kind="file")
    d.text(140, 24, "preamble: magic, version, place of the header", anchor="start")
    d.text(850, 112, "sets, order, codes and place of each section", anchor="end")
    d.line((124, 92), (60, 146))
    d.line((354, 92), (800, 146))
    d.box(60, 146, 150, 50, "model", "lists and probabilities", kind="data")
    for number in range(3):
        d.box(214 + 110 * number, 146, 106, 50, f"block {number}")
    d.box(544, 146, 70, 50, "…")
    d.box(618, 146, 182, 50, "index", "length of each block", kind="data")
    d.line((324, 196), (120, 250))
    d.line((430, 196), (740, 250))
    for number, name in enumerate(["cell 2560", "cell 2561", "cell 2562", "cell 2563", "…"]):
        d.box(120 + 124 * number, 250, 120, 40, name, kind="data" if number < 4 else "box")
    d.text(430, 312, "A cell is one position: the code of its distance. Every block carries the checksum of its cells.")
    return d


def modes() -> Drawing:
    """The modes of the explorer's page. The test of the page reads the passages from the drawing."""
    d = Drawing(860, 440, "The modes of the explorer and the passages between them")
    names = ["explore", "practice", "setup", "puzzles", "games", "lesson"]
    titles = ["Explore", "Practise", "Set up", "Puzzles", "Games", "The count"]
    played = ["practice", "puzzles"]
    states = names + [f"{name}-{stage}" for name in played for stage in ("game", "over")]
    d.box(10, 16, 840, 34, "any state", kind="data")
    places = {}
    for number, (name, title) in enumerate(zip(names, titles, strict=True)):
        x = 10 + 142 * number
        places[name] = x
        lines = ["choose a task"] if name in played else ["or a file opened"] if name == "games" else []
        d.box(x, 100, 130, 50, title, *lines, kind="file")
        d.passage(name, states, name)
        d.arrow((x + 65, 50), (x + 65, 100))
        d.text(x + 71, 80, "chosen", anchor="start")
    d.passage("file", states, "games")
    for name in played:
        x = places[name]
        again = "once more" if name == "practice" else "next puzzle"
        d.box(x, 210, 130, 40, "the game")
        d.box(x, 320, 130, 40, "its end")
        game, over = f"{name}-game", f"{name}-over"
        d.arrow((x + 30, 150), (x + 30, 210))
        d.text(x + 36, 182, "start", anchor="start")
        d.passage("start", [name, over] if name == "practice" else [name, game, over], game)
        d.arrow((x + 100, 210), (x + 100, 150))
        d.text(x + 94, 200, "leave", anchor="end")
        d.passage("end", [game, over], name)
        d.arrow((x + 30, 250), (x + 30, 320))
        d.text(x + 24, 288, "mate, count,", anchor="end")
        d.text(x + 24, 302, "given up", anchor="end")
        d.passage("finish", [game], over)
        d.arrow((x + 100, 320), (x + 100, 250))
        d.text(x + 94, 281, again, anchor="end")
        d.text(x + 94, 295, "try again" if name == "practice" else "", anchor="end")
    d.passage("retry", ["practice-over"], "practice-game")
    d.passage("retry", ["puzzles-game"], "puzzles-game")
    d.text(places["puzzles"] + 137, 228, "again after a", anchor="start")
    d.text(places["puzzles"] + 137, 242, "wrong move", anchor="start")
    for event, leaves in [("open", ["games", "lesson"]), ("change", ["lesson"])]:
        for state in states:
            d.passage(event, [state], "explore" if state in leaves else state.split("-")[0])
    d.text(10, 396, "Another position is opened: from Games and The count the page goes to Explore, from a game or its end to the choice of a task;", anchor="start")
    d.text(10, 412, "other states stay. The position is changed, or an earlier one restored: the same, but Games stays. Going back in the browser", anchor="start")
    d.text(10, 428, "leads to the state before, during a game to the turn of the user before. Loading the page again leads to the same state.", anchor="start")
    return d


def main() -> None:
    """Draws every diagram."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "docs"
    drawings = {"develop/answer": answer, "develop/ending": ending, "develop/layout": layout, "play/modes": modes}
    for name, draw in drawings.items():
        draw().write(directory / f"{name}.svg")


main()
