#!/usr/bin/env python3
"""A UCI engine that plays the moves of a file, for compare.py.

    python3 tools/counting/scripted.py GAMES

GAMES is a JSON list of games, each a list of moves. The fullmove number of the first position, divided by 1000, is the
number of the game, from 1. After the last move of a game the engine resigns with a move that does not exist."""

import json
import sys
from pathlib import Path


def main():
    games = json.loads(Path(sys.argv[1]).read_text())
    left = []
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("option name UCI_Variant type combo default makruk var makruk var asean var cambodian\nuciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "fen"]:
            left = games[int(words[7]) // 1000 - 1][len(words[9:]):]
        elif words[:1] == ["go"]:
            print(f"bestmove {left[0] if left else '0000'}", flush=True)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
