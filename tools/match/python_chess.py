"""Drives `sakmak uci` with python-chess' chess.engine, as its users do.

python_chess.py SAKMAK TABLES

python-chess has no board of makruk: the one here only records what is sent, and leaves out the library's own checks of
moves, which are for chess men.
"""

import sys

import chess
import chess.engine

FEN = "8/8/8/8/8/2k5/8/K6R w - - 0 1"
# Promoting begins a count of 16 moves, which leaves enough.
BIA = "8/8/8/3P4/1k6/4K3/2R5/8 w - - 0 1"


class MakrukBoard(chess.Board):
    """A board that knows squares and the FEN of its root, but no rules."""

    uci_variant = "makruk"
    starting_fen = FEN

    def __init__(self, fen: str = FEN) -> None:
        super().__init__(fen.replace("S", "B").replace("M", "Q").replace("s", "b").replace("m", "q"))
        self.text = fen

    def root(self) -> "MakrukBoard":
        return MakrukBoard(self.text)

    def fen(self, **_: object) -> str:
        return self.text

    def copy(self, **_: object) -> "MakrukBoard":
        board = MakrukBoard(self.text)
        board.turn = self.turn
        return board

    def push_uci(self, uci: str) -> chess.Move:
        move = self.parse_uci(uci)
        self.turn = not self.turn
        return move

    def parse_uci(self, uci: str) -> chess.Move:
        # A bia becomes a met, which chess does not have.
        return chess.Move.from_uci(uci.replace("m", "q"))

    def push(self, move: chess.Move) -> None:
        self.turn = not self.turn

    def pop(self) -> chess.Move:
        self.turn = not self.turn
        return chess.Move.null()

    def is_legal(self, move: chess.Move) -> bool:
        return True


def main() -> None:
    sakmak, tables = sys.argv[1:]
    with chess.engine.SimpleEngine.popen_uci([sakmak, "uci", "--tables", tables], timeout=60) as engine:
        assert engine.id["name"].startswith("sakmak "), engine.id
        engine.ping()
        engine.configure({"SakmakCache": 32, "SakmakCount": "auto"})
        board = MakrukBoard()

        lines = engine.analyse(board, chess.engine.Limit(time=5), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3], lines
        assert lines[0]["score"].white() == chess.engine.Mate(14), lines[0]
        assert len(lines[0]["pv"]) == 27, lines[0]

        result = engine.play(board, chess.engine.Limit(time=5), info=chess.engine.INFO_ALL)
        assert result.move == lines[0]["pv"][0] and result.ponder == lines[0]["pv"][1], result

        # With a bia, which promotes.
        line = engine.analyse(MakrukBoard(BIA), chess.engine.Limit(time=5))
        assert line["score"].white() == chess.engine.Mate(8), line
        result = engine.play(MakrukBoard(BIA), chess.engine.Limit(time=5))
        assert result.move == chess.Move.from_uci("d5d6q") == line["pv"][0], result

        # An analysis without end gives its line at once and ends when it is stopped.
        with engine.analysis(board) as analysis:
            info = next(iter(info for info in analysis if "pv" in info))
            assert info["score"].white() == chess.engine.Mate(14), info
            analysis.stop()
            assert analysis.wait().move == lines[0]["pv"][0]

        # The library ponders on the move that it is told to expect.
        result = engine.play(board, chess.engine.Limit(time=5), ponder=True)
        assert result.ponder is not None
        engine.ping()
        print(f"python-chess {chess.__version__} drives {engine.id['name']}: ping, options, several lines, bia, stop, ponder, quit")


main()
