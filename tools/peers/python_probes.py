"""Times probes of sakmak's Python package and of python-chess' Syzygy reader, in turns.

python_probes.py TABLES SYZYGY [--positions N] [--peers N] [--rounds N]

All tables are warm: each round asks the same positions, and the first round is not counted. Both are asked with FENs,
since that is what a program has; python-chess is also timed with boards made beforehand. CPU and clock seconds are
medians of the rounds.
"""

import argparse
import random
import statistics
import time

import chess
import chess.syzygy
import sakmak

# An ending of makruk, and one of chess with as many men.
PAIRS = [("KRvK", "KRvK"), ("KSMvK", "KBNvK"), ("KRvKN", "KRvKN")]


def placed(ending, number):
    """FENs of random placements with either side to move; not all of them are legal."""
    white, black = ending.split("v")
    men = white + black.lower()
    for _ in range(number):
        squares = random.sample(range(64), len(men))
        board = dict(zip(squares, men))
        ranks = ["".join(board.get(8 * rank + file, "1") for file in range(8)) for rank in range(8)]
        yield f"{'/'.join(ranks)} {random.choice('wb')} - - 0 1"


def chess_positions(number):
    found = []
    while len(found) < number:
        for _, ending in PAIRS:
            fens = [plain(fen) for fen in placed(ending, 1000)]
            found += [fen for fen in fens if chess.Board(fen).is_valid()]
    return found[:number]


def makruk_positions(tablebase, number):
    found = []
    while len(found) < number:
        for ending, _ in PAIRS:
            fens = [plain(fen) for fen in placed(ending, 20000)]
            errors = tablebase.probe_many(fens).errors
            found += [fen for i, fen in enumerate(fens) if i not in errors]
    return found[:number]


def plain(fen):
    """A FEN with its runs of empty squares merged."""
    board, rest = fen.split(" ", 1)
    text, gap = "", 0
    for character in board + "/":
        if character.isdigit():
            gap += int(character)
            continue
        text += (str(gap) if gap else "") + character
        gap = 0
    return f"{text[:-1]} {rest}"


def timed(work):
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables")
    parser.add_argument("syzygy")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--peers", type=int, default=50_000, help="positions for what takes long")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    random.seed(1)
    tablebase = sakmak.Tablebase(args.tables)
    syzygy = chess.syzygy.open_tablebase(args.syzygy)
    makruk = makruk_positions(tablebase, args.positions)
    chess_fens = chess_positions(args.peers)
    boards = [chess.Board(fen) for fen in chess_fens]
    few = makruk[: args.peers]
    works = [
        ("sakmak `probe_many`: category, dtm, dth", len(makruk), lambda: tablebase.probe_many(makruk)),
        ("sakmak `category`, one by one", len(few), lambda: [tablebase.category(fen) for fen in few]),
        ("sakmak `probe`, one by one: all moves ranked", len(few), lambda: [tablebase.probe(fen) for fen in few]),
        ("python-chess `probe_wdl`", len(boards), lambda: [syzygy.probe_wdl(chess.Board(fen)) for fen in chess_fens]),
        ("python-chess `probe_wdl`, boards made before", len(boards), lambda: [syzygy.probe_wdl(board) for board in boards]),
        ("python-chess `probe_dtz`", len(boards), lambda: [syzygy.probe_dtz(chess.Board(fen)) for fen in chess_fens]),
    ]
    times = {name: [] for name, _, _ in works}
    for number in range(args.rounds + 1):
        for name, _, work in works:
            taken = timed(work)
            if number:
                times[name].append(taken)
    print("| | positions | seconds | CPU seconds | CPU µs a position |")
    print("|---|---:|---:|---:|---:|")
    for name, positions, _ in works:
        clock, cpu = (statistics.median(taken) for taken in zip(*times[name]))
        print(f"| {name} | {positions:,} | {clock:.2f} | {cpu:.2f} | {1e6 * cpu / positions:.2f} |")


main()
