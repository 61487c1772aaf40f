"""Positions in NumPy arrays."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import List, get_type_hints

import numpy
import pytest

import sakmak

ENDINGS = ["KRvK", "KSMvK", "KRvKN"]


def fen_of(ending: str, squares: List[int], turn: str) -> str:
    at = {}
    white, black = ending.split("v")
    for letter, square in zip(white + black.lower(), squares):
        at[square] = letter
    rows = []
    for rank in range(7, -1, -1):
        rows.append("".join(at.get(8 * rank + file, "1") for file in range(8)))
    return f"{'/'.join(rows)} {turn[0]}"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("rules", ["makruk", "asean", "ouk"])
def test_arrays_have_the_answers_of_fens(tables: Path, ending: str, rules: sakmak.Rules) -> None:
    random = numpy.random.default_rng(1)
    squares = numpy.array([random.choice(64, len(ending) - 1, replace=False) for _ in range(300)])
    turns = random.integers(0, 2, 300)
    fens = [fen_of(ending, list(row), "wb"[turn]) for row, turn in zip(squares.tolist(), turns)]
    with sakmak.Tablebase(tables) as tablebase:
        by_fen = tablebase.probe_many(fens, rules, lettering="makruk")
        boards = sakmak.Boards.from_squares(ending, squares, turns)
        answers = tablebase.probe_many(boards, rules)
        assert answers.categories.tolist() == list(by_fen.categories)
        assert answers.dtm.tolist() == list(by_fen.dtm) and answers.dth.tolist() == list(by_fen.dth)
        assert answers.errors.keys() == by_fen.errors.keys() and 0 < len(answers.errors) < 300
        legal = numpy.flatnonzero(answers.categories != 4)
        some = sakmak.Boards.from_squares(ending, squares[legal], turns[legal])
        assert tablebase.category_many(some, rules).tolist() == answers.categories[legal].tolist()
        with pytest.raises(sakmak.Error, match="position "):
            tablebase.category_many(boards, rules)


def test_bitboards_and_counts_are_used(tables: Path) -> None:
    boards = sakmak.Boards(
        white=[0x81, 0x81], black=1 << 18, kings=1 | 1 << 18, rooks=1 << 7, turn="black", counts=([0, 32], [0, 8])
    )
    with sakmak.Tablebase(tables) as tablebase:
        found = [sakmak.CATEGORIES[number] for number in tablebase.category_many(boards).tolist()]
        fens = [f"8/8/8/8/8/2k5/8/K6R b - {count} 1" for count in ("- 0", "32 8")]
        assert found == [tablebase.category(fen) for fen in fens]
        with pytest.raises(sakmak.InputError, match="sakmak.Boards"):
            tablebase.category_many(fens)  # type: ignore[arg-type]
        with pytest.raises(sakmak.InputError, match="list of FENs"):
            tablebase.probe_many(fens[0])
        with pytest.raises(ValueError, match="columns"):
            sakmak.Boards.from_squares("KRvK", [[1, 2]])
        with pytest.raises(ValueError, match="63"):
            sakmak.Boards.from_squares("KRvK", [[1, 2, 64]])
        with pytest.raises(ValueError, match="ending"):
            sakmak.Boards.from_squares("KQvK", [[1, 2, 3]])
        with pytest.raises(ValueError, match="side"):
            sakmak.Boards.from_squares("KRvK", [[1, 2, 3]], "whit")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("rules", ["makruk", "asean", "ouk"])
def test_the_positions_of_an_ending_add_up_to_its_statistics(tables: Path, ending: str, rules: sakmak.Rules) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        distances = tablebase.statistics(ending)
        statistics = tablebase.statistics_in_time(ending, rules)
        names = get_type_hints(sakmak.StatisticsInTime)
        assert set(statistics) == set(names) - ({"dth"} if ending != "KRvKN" else set())
        for turn, side, results in (
            ("white", distances["white_to_move"], statistics["white_to_move"]),
            ("black", distances["black_to_move"], statistics["black_to_move"]),
        ):
            dtm = numpy.zeros(200, numpy.int64)
            draws = 0
            numbers = numpy.zeros(5, numpy.int64)
            for chunk in tablebase.positions(ending, rules, turn="white" if turn == "white" else "black", chunk=10_000):
                assert chunk.turn == turn and len(chunk.squares) == len(chunk.dtm) <= 10_000
                draws += int((chunk.dtm == -1).sum())
                dtm += numpy.bincount(chunk.dtm[chunk.dtm >= 0], minlength=200)
                numbers += numpy.bincount(chunk.categories + 2, minlength=5)
            assert draws == side["draws"]
            wins = [side["white_wins"], side["black_wins"]]
            for moves in range(200):
                assert dtm[moves] == sum(won[moves] for won in wins if moves < len(won))
            assert [results["loss"], results["blessed_loss"], results["draw"]] == numbers[:3].tolist()
            assert [results["cursed_win"], results["win"]] == numbers[3:].tolist()
        longest = statistics["longest_inside_count"]
        assert longest is not None
        assert tablebase.category(longest["fen"], rules) in ("win", "loss")
        with pytest.raises(sakmak.RulesError):
            tablebase.statistics_in_time(ending, "mkrk")  # type: ignore[arg-type]
        with pytest.raises(sakmak.MissingTableError):
            tablebase.statistics_in_time("KRRvK", rules)


def test_the_squares_of_a_chunk_are_those_of_its_answers(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        chunk = next(tablebase.positions("KSMvK", "ouk", turn="black", chunk=5000))
        again = tablebase.probe_many(sakmak.Boards.from_squares("KSMvK", chunk.squares, chunk.turn), "ouk")
        assert not again.errors
        assert (again.categories == chunk.categories).all() and (again.dtm == chunk.dtm).all()
        with pytest.raises(sakmak.InputError):
            tablebase.positions("KSMvK", turn="green")  # type: ignore[arg-type]
        with pytest.raises(sakmak.MissingTableError):
            next(tablebase.positions("KRRvK"))


def test_the_distance_to_mate_alone_has_a_sign(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        assert tablebase.dtm("8/8/8/8/8/2k5/8/K6R w") == 14
        assert tablebase.dtm("8/8/8/8/8/2k5/8/K6R b - 32 8 1") == -15
        assert tablebase.dtm("8/8/8/8/8/2k5/8/K6N w") is None
        assert tablebase.dtm("R6k/8/7K/8/8/8/8/8 b") == 0


def test_a_tablebase_is_pickled_by_its_paths(tables: Path) -> None:
    with sakmak.Tablebase(tables, cache_bytes=1 << 20, most_open=3, access="whole") as tablebase:
        with pickle.loads(pickle.dumps(tablebase)) as other:
            assert other.materials == tablebase.materials
            assert other.__getnewargs_ex__() == tablebase.__getnewargs_ex__()
    with pytest.raises(sakmak.ClosedError):
        pickle.dumps(tablebase)


def test_a_type_checker_refuses_a_rule_set_that_does_not_exist(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text('import sakmak\nsakmak.Tablebase("tables").category("8/8/8/8/8/2k5/8/K6R w", "mkrk")\n')
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(script)],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 1 and "Literal['mkrk']" in checked.stdout, checked.stdout
