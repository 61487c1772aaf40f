"""Plays the games of PGN files by their UCI moves with capi/examples/game.c, and compares every position with
`sakmak annotate`: the count, the category, the distance to mate, and the moves that the count leaves.

    python3 tools/bindings/games.py SAKMAK TABLES GAME_PROGRAM... -- PGN...

Exits with 1 at any difference."""

import json
import subprocess
import sys

# How annotate and the C library choose whether board's honor is counted.
CHOICES = {"first": "automatic", "never": "not-counted"}


def annotated(sakmak, tables, pgn, rules, count_from):
    command = [sakmak, "annotate", "--json", "--tables", tables, "--count-from", count_from, pgn]
    if rules:
        command += ["--rules", rules]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def uci_of(game):
    """The game as UCI's command `position`, without that word."""
    tags = dict(game["tags"])
    fen = tags.get("FEN", "?")
    start = "startpos" if fen in ("", "?") else f"fen {fen}"
    moves = [position["move"]["uci"] for position in game["positions"][1:]]
    return " ".join([start, "moves", *moves])


def expected(position, choice):
    """What the C program prints after a move, as far as annotate says it: where it does not ask the tables, it states the
    counters that an engine would keep, whoever counts."""
    limit, counted = position["fen"].split()[3:5]
    if limit == "-":
        limit = counted = "0"
    known = position["known"]
    if not known:
        return (limit, counted) if choice == "automatic" else None, None
    left = known["count"]["moves_available"] if known["count"] else 0
    return (limit, counted), [known["category"], str(known["dtm"] or 0), str(left)]


def compare(game, choice, printed, name):
    differences = 0
    if len(printed) != len(game["positions"]):
        print(f"{name}: {len(printed)} positions instead of {len(game['positions'])}")
        return 1
    for position, line in zip(game["positions"], printed):
        words = line.split()
        count, answer = expected(position, choice)
        if (count and count != tuple(words[1:3])) or (answer and answer != words[6:]):
            print(f"{name}, ply {position['ply']}: {line}, but annotate has {count} {answer}")
            differences += 1
    return differences


def main():
    sakmak, tables, *rest = sys.argv[1:]
    programs, files = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    games = positions = known = differences = 0
    for pgn in files:
        for count_from, choice in CHOICES.items():
            documents = annotated(sakmak, tables, pgn, None, count_from)
            for program in programs:
                for number, game in enumerate(documents, 1):
                    done = subprocess.run(
                        [program, tables, game["rules"], choice], input=uci_of(game) + "\n", capture_output=True, text=True
                    )
                    if done.returncode:
                        sys.exit(f"{program}, {pgn}: {done.stderr}")
                    differences += compare(game, choice, done.stdout.splitlines(), f"{program}, {pgn}, game {number}, {choice}")
            if choice == "automatic":
                games += len(documents)
                positions += sum(len(game["positions"]) for game in documents)
                known += sum(position["known"] is not None for game in documents for position in game["positions"])
    print(f"{games} games, {positions} positions, {known} in the tables: {differences} differences")
    sys.exit(differences > 0 or known == 0)


main()
