"""Asks sakmak about random positions with bia of ASEAN chess, and plays the moves in Fairy-Stockfish (pyffish).

One ply deep: the legal moves, their notation, and each category, which must be that of the best move by the counters that
Fairy-Stockfish keeps. Tight games: best play from the last clock at which a position is decided, which must end in mate
before Fairy-Stockfish lets a side claim a draw, and from the clock one ply later, where it must not.
"""

import json
import random
import re
import subprocess
import sys

import pyffish

VARIANT = "asean"
ENDINGS = ["KPvK", "KRPvK", "KSPvK", "KPvKP", "KRvKP", "KSvKP", "KNvKP", "KMvKP"]
LETTERS = {"S": "B", "M": "Q"}
CATEGORIES = ["loss", "blessed-loss", "draw", "cursed-win", "win"]
FIFTY_MOVES = 100


def opposite(category):
    return CATEGORIES[-1 - CATEGORIES.index(category)]


class Checker:
    def __init__(self, sakmak, tables, seed):
        self.command = [sakmak, "--tables", tables]
        self.random = random.Random(seed)
        self.differences = 0

    def differ(self, *what):
        self.differences += 1
        print(*what, file=sys.stderr)

    def ask(self, fens):
        """The answers for positions, in order."""
        args = [*self.command, "probe", "--rules", VARIANT, "--json", "-"]
        done = subprocess.run(args, input="".join(f"{fen}\n" for fen in fens), text=True, capture_output=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(fens):
            raise SystemExit(f"{len(answers)} answers to {len(fens)} questions: {done.stderr}")
        return answers

    def ask_legal(self, fens):
        """The answers for legal positions whose tables are there."""
        answers = self.ask(fens)
        for fen, answer in zip(fens, answers):
            if "error" in answer:
                raise SystemExit(f"{fen}: {answer['error']['message']}")
        return answers

    def board(self):
        """The board and the side to move of a position, which may be illegal."""
        sides = self.random.choice(ENDINGS).split("v")
        self.random.shuffle(sides)
        men = {}
        for side, letters in enumerate(sides):
            for letter in letters:
                ranks = range(8) if letter != "P" else range(2, 7) if side == 0 else range(1, 6)
                free = [(file, rank) for file in range(8) for rank in ranks if (file, rank) not in men]
                letter = LETTERS.get(letter, letter)
                men[self.random.choice(free)] = letter.lower() if side else letter
        rows = ["".join(men.get((file, rank), ".") for file in range(8)) for rank in reversed(range(8))]
        # Fairy-Stockfish would read 11 as eleven empty squares.
        rows = [re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows]
        return f"{'/'.join(rows)} {self.random.choice('wb')} - -"

    def one_ply(self, wanted):
        fens = []
        while len(fens) < wanted:
            boards = [self.board() for _ in range(wanted)]
            clocks = [self.random.choice([0, self.random.randrange(70), self.random.randrange(70, 100)]) for _ in boards]
            asked = [f"{board} {clock} 1" for board, clock in zip(boards, clocks)]
            fens += [fen for fen, answer in zip(asked, self.ask(asked)) if "error" not in answer]
        fens = fens[:wanted]
        played = []
        answers = self.ask_legal(fens)
        for fen, answer in zip(fens, answers):
            ours = {move["uci"]: move for move in answer["moves"]}
            theirs = pyffish.legal_moves(VARIANT, fen, [])
            if sorted(ours) != sorted(theirs):
                self.differ(fen, "moves:", sorted(ours), "here,", sorted(theirs), "there")
            for uci in ours.keys() & set(theirs):
                san = pyffish.get_san(VARIANT, fen, uci)
                if ours[uci]["san"] != san:
                    self.differ(fen, uci, "is", ours[uci]["san"], "here,", san, "there")
                played.append((fen, uci, ours[uci]["category"]))
        best = {}
        after = self.ask_legal([pyffish.get_fen(VARIANT, fen, [uci]) for fen, uci, _ in played])
        for (fen, uci, category), answer in zip(played, after):
            expected = opposite(answer["category"])
            if category != expected:
                self.differ(fen, uci, "is", category, "here,", expected, "a ply later")
            best[fen] = max(best.get(fen, 0), CATEGORIES.index(expected))
        for fen, answer in zip(fens, answers):
            if fen in best and answer["category"] != CATEGORIES[best[fen]]:
                self.differ(fen, "is", answer["category"], "here,", CATEGORIES[best[fen]], "by its moves")
        print(f"{len(fens)} positions, {len(played)} moves: {self.differences} differences")

    def plays_to_mate(self, fen):
        """True if the line from a position mates before a side may claim a draw."""
        args = [*self.command, "line", "--rules", VARIANT, "--json", fen]
        line = json.loads(subprocess.run(args, text=True, capture_output=True, check=True).stdout)
        moves = []
        for move in line["moves"]:
            if move["uci"] not in pyffish.legal_moves(VARIANT, fen, moves):
                self.differ(fen, *moves, move["uci"], "is illegal there")
                return False
            moves.append(move["uci"])
            is_mate = not pyffish.legal_moves(VARIANT, fen, moves)
            if not is_mate and pyffish.is_optional_game_end(VARIANT, fen, moves)[0]:
                return False
        return line["end"] == "checkmate"

    def tight_games(self, wanted):
        found = {True: 0, False: 0}
        while min(found.values()) < wanted:
            boards = [self.board() for _ in range(50)]
            answers = self.ask([f"{board} {clock} 1" for board in boards for clock in range(FIFTY_MOVES)])
            for number, board in enumerate(boards):
                of_board = answers[number * FIFTY_MOVES :][:FIFTY_MOVES]
                decided = [clock for clock, answer in enumerate(of_board) if answer.get("category") in ("win", "loss")]
                for clock, mates in [(decided[-1], True), (decided[-1] + 1, False)] if decided else []:
                    if clock == FIFTY_MOVES or found[mates] == wanted:
                        continue
                    found[mates] += 1
                    fen = f"{board} {clock} 1"
                    if self.plays_to_mate(fen) != mates:
                        self.differ(fen, "is mate here" if mates else "is drawn here", "and otherwise there")
        print(f"{found[True]} won and {found[False]} drawn games: {self.differences} differences")


def main():
    sakmak, tables, positions, games, seed = sys.argv[1:]
    checker = Checker(sakmak, tables, int(seed))
    checker.one_ply(int(positions))
    checker.tight_games(int(games))
    return 1 if checker.differences else 0


if __name__ == "__main__":
    sys.exit(main())
