"""The package's promises for valid input."""

import doctest
import gc
import inspect
import os
import pickle
import pydoc
import subprocess
import sys
import threading
from pathlib import Path
from typing import Optional, cast, get_args, get_type_hints

import pytest

import sakmak

KRVK = "8/8/8/8/8/2k5/8/K6R w"


def test_the_readme_and_the_docstrings_show_what_happens(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tables").symlink_to(tables)
    monkeypatch.chdir(tmp_path)
    readme = Path(__file__).parent.parent / "README.md"
    shown = doctest.testfile(str(readme), module_relative=False)
    assert shown.failed == 0 and shown.attempted > 10
    shown = doctest.testmod(sakmak)
    assert shown.failed == 0 and shown.attempted > 1


def test_help_names_every_option() -> None:
    for option in ("cache_bytes", "most_open", "access"):
        assert option in (sakmak.Tablebase.__doc__ or "")
    # The help is short enough to be read to its end.
    assert len(pydoc.plain(pydoc.render_doc(sakmak)).splitlines()) < 400


def test_the_readme_passes_a_strict_type_checker(tmp_path: Path) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    code = "".join(example.source for example in doctest.DocTestParser().get_examples(readme))
    code += """
for rules in ("makruk", "asean", "cambodian"):
    many = tablebase.probe_many(["8/8/8/8/8/2k5/8/K6R w"], rules)
    names = [sakmak.CATEGORIES[number] for number in many.categories]
    longest = max(many.dtm)
for game in tablebase.annotate(rook):
    for position in game["positions"]:
        if position["known"] and position["move"] and position["move"]["judged"]:
            print(position["known"]["category"], position["move"]["judged"]["keeping"][0])
"""
    script = tmp_path / "readme.py"
    script.write_text(code)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(script)],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


def test_each_move_has_the_position_after_it(tables: Path) -> None:
    other = {"win": "loss", "cursed-win": "blessed-loss", "draw": "draw"}
    other |= {loss: win for win, loss in other.items()}
    fens = [KRVK, "8/8/8/8/8/2k5/8/K6R w - 32 8 41", "8/8/8/8/8/2k5/8/K6R b - 32 8 41"]
    fens += ["8/3k4/8/8/8/8/1nK5/2R5 w", "8/3k4/8/8/8/8/1nK5/2R5 w - 128 9 7"]
    with sakmak.Tablebase(tables) as tablebase:
        for fen in fens:
            for move in tablebase.probe(fen)["moves"]:
                after = tablebase.probe(move["fen"])
                assert after["category"] == other[move["category"] or ""], (fen, move)
                assert after["checkmate"] == move["checkmate"]
                assert after["side_to_move"] != move["for"]


def test_an_answer_has_the_fields_that_its_type_says(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        answer = tablebase.probe(KRVK)
        line = tablebase.line(KRVK)
    # These come where distances are missing.
    without = ("missing_distances", "at_most")
    assert list(answer) == [name for name in get_type_hints(sakmak.Answer) if name not in without]
    assert answer["count"] is not None
    # A note is present only if the count is unusual.
    named = [name for name in get_type_hints(sakmak.Count) if name != "note"]
    assert list(answer["count"]) == named
    # A count is present only if the move begins one.
    named = [name for name in get_type_hints(sakmak.Move) if name not in ("count", *without)]
    assert list(answer["moves"][0]) == named
    assert list(line) == list(get_type_hints(sakmak.Line))
    assert list(line["moves"][0]) == list(get_type_hints(sakmak.LineMove))


def test_category_is_cached_once_its_block_is_decoded(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        assert tablebase.category_cached(KRVK) is None
        assert tablebase.category(KRVK) == "win"
        assert tablebase.category_cached(KRVK) == "win"
        assert tablebase.category_bounds(KRVK) == ("win", "win")
        assert tablebase.is_stored(KRVK)
        assert not tablebase.is_stored("8/8/8/8/8/2k5/8/K6R b")


def test_a_count_beside_the_fen_is_that_of_the_fen(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        beside = tablebase.probe("8/8/8/8/8/2k5/8/K6R b", count=9)
        inside = tablebase.probe("8/8/8/8/8/2k5/8/K6R b - 32 18 1")
        assert beside == inside
        assert tablebase.probe("8/8/8/8/8/2k5/8/K6R b", count=9, limit=8 * 2) == inside
        with pytest.raises(sakmak.CountError, match="leave one of them out"):
            tablebase.probe("8/8/8/8/8/2k5/8/K6R b - 32 18 1", count=9)
        with pytest.raises(sakmak.CountError):
            tablebase.probe(KRVK, limit=16)
        for number in (-1, 2**80):
            with pytest.raises(sakmak.CountError, match="whole number of moves"):
                tablebase.probe(KRVK, count=number)


def test_what_is_asked_by_other_names_is_the_same(tables: Path) -> None:
    fens = [KRVK, "8/8/8/8/8/2k5/8/K6R b - 32 8 1", "8/8/8/3k4/8/3K4/2SM4/8 b"]
    with sakmak.Tablebase(tables) as tablebase:
        for rules in get_args(sakmak.Rules):
            for fen in fens[::2] if rules == "ouk" else fens:
                answer = tablebase.probe(fen, rules, lettering="any")
                assert tablebase.category(fen, rules, lettering="any") == answer["category"]
                assert tablebase.get(fen, None, rules, lettering="any") == answer
        assert tablebase.get("8/8/8/3k4/8/3K4/1RRR4/8 w") is None
        assert tablebase.get("8/8/8/3k4/8/3K4/1RRR4/8 w", 7) == 7
        with pytest.raises(sakmak.FenError):
            tablebase.get("8/8 w", 7)
        assert "KRvK" in tablebase and "kvrk" in tablebase
        assert "KRRRvK" not in tablebase and "nothing" not in tablebase
        assert len(tablebase) == len(tablebase.materials) and tablebase.most_men == 4
        assert tablebase.is_stored(KRVK) and not tablebase.is_stored(KRVK[:-1] + "b")
        statistics = tablebase.cache_statistics()
        assert statistics["hits"] > 0 and statistics["misses"] > 0


def test_either_lettering_is_read(tables: Path) -> None:
    makruk, asean = "8/8/8/3k4/8/3K4/2SM4/8 w", "8/8/8/3k4/8/3K4/2BQ4/8 w"
    with sakmak.Tablebase(tables) as tablebase:
        expected = tablebase.probe(makruk)
        for fen, lettering in ((makruk, "any"), (asean, "any"), (asean, "asean")):
            assert tablebase.probe(fen, lettering=cast(sakmak.Lettering, lettering)) == expected
        for fen, wrong in ((makruk, "asean"), (asean, None), (asean, "makruk")):
            with pytest.raises(sakmak.FenError):
                tablebase.probe(fen, lettering=cast(Optional[sakmak.Lettering], wrong))


def test_many_positions_are_those_one_by_one(tables: Path) -> None:
    squares = [f"{'' if i == 0 else i}R{'' if i == 7 else 7 - i}" for i in range(8)]
    fens = [
        f"8/8/8/8/{king}/8/{rook}/K7 {side}{count}"
        for king in ("3k4", "k7", "6k1")
        for rook in squares
        for side in "wb"
        for count in ("", " - 32 8 1", " - 32 7 1", " - 32 28 1", " - 32 29 1", " - 31 1 1")
    ]
    fens += ["8/8/8/3k4/8/3K4/1RRR4/8 w", "nonsense", "8/1n6/8/3k4/8/3K4/1R6/8 b"]
    fens *= 40
    for rules in get_args(sakmak.Rules):
        with sakmak.Tablebase(tables) as tablebase:
            many = tablebase.probe_many(fens, rules)
            assert len(many.categories) == len(many.dtm) == len(many.dth) == len(fens)
            for place, fen in enumerate(fens[:400]):
                try:
                    answer = tablebase.probe(fen, rules)
                except sakmak.Error as error:
                    assert type(many.errors[place]) is type(error)
                    assert str(many.errors[place]) == str(error)
                    assert many.categories[place] == 4
                    assert sakmak.CATEGORIES[many.categories[place]] is None
                    continue
                assert place not in many.errors
                assert sakmak.CATEGORIES[many.categories[place]] == answer["category"], fen
                for distances, name in ((many.dtm, answer["dtm"]), (many.dth, answer["dth"])):
                    assert distances[place] == (-1 if name is None else name), fen
            assert memoryview(many.dtm).format == "h"
            # The text that a notebook shows is one line.
            assert repr(many).startswith(f"<sakmak.Many of {len(fens)} positions: ")
            assert len(repr(many)) < 200
            assert len(many.errors) % 40 == 0 and many.errors


def test_several_directories_are_one_tablebase(copies: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (copies / "KRvK.skm").rename(other / "KRvK.skm")
    tablebase = sakmak.Tablebase(copies)
    before = tablebase.materials
    assert "KRvK" not in before
    assert tablebase.add_directory(str(other)) == 1
    assert tablebase.materials[0] == "KRvK" or "KRvK" in tablebase.materials
    assert sakmak.Tablebase(copies, str(other)).materials == tablebase.materials
    assert repr(tablebase) == f"<sakmak.Tablebase of {len(before) + 1} tables>"


def test_how_the_machine_is_used_changes_no_answer(tables: Path) -> None:
    with sakmak.Tablebase(tables) as usual:
        for access in get_args(sakmak.Access):
            with sakmak.Tablebase(tables, cache_bytes=0, most_open=1, access=access) as small:
                assert small.line(KRVK) == usual.line(KRVK)


def test_threads_get_the_same_answers(tables: Path) -> None:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    fens = [f"8/8/8/8/8/2k5/8/K6R {side}" for side in "wb"] * len(squares)
    with sakmak.Tablebase(tables) as tablebase:
        expected = [tablebase.probe(fen) for fen in fens[:2]]
        wrong: list[object] = []

        def ask() -> None:
            for i, fen in enumerate(fens):
                if tablebase.probe(fen) != expected[i % 2]:
                    wrong.append(fen)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_a_closed_tablebase_says_so(tables: Path) -> None:
    tablebase = sakmak.Tablebase(tables)
    with tablebase as entered:
        assert entered is tablebase and not tablebase.closed
    assert tablebase.closed and repr(tablebase) == "<sakmak.Tablebase, closed>"
    tablebase.close()
    for call in (
        lambda: tablebase.probe(KRVK),
        lambda: tablebase.line(KRVK),
        lambda: tablebase.materials,
        lambda: tablebase.probe_many([KRVK]),
        lambda: tablebase.category(KRVK),
        lambda: len(tablebase),
        lambda: tablebase.cache_statistics(),
        lambda: tablebase.add_directory(tables),
        tablebase.__enter__,
    ):
        with pytest.raises(sakmak.ClosedError, match="open it again"):
            call()
    gc.collect()


def test_errors_are_what_they_say() -> None:
    assert sakmak.__version__
    for name, value in inspect.getmembers(sakmak.errors, inspect.isclass):
        assert getattr(sakmak, name) is value and value.__doc__
        if not issubclass(value, Warning):
            assert issubclass(value, sakmak.Error)
            assert str(pickle.loads(pickle.dumps(value("a sentence")))) == "a sentence"


GAME = """[Variant "Makruk"]
[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1"]

1. Ra2 Ke5 2. Re2+ Kd5 3. Re5+ Kxe5 1/2-1/2
"""


def test_a_game_is_annotated_as_it_is_probed(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        (game,) = tablebase.annotate(GAME)
        assert list(game) == list(get_type_hints(sakmak.Annotation))
        for position in game["positions"]:
            assert list(position) == list(get_type_hints(sakmak.AnnotatedPosition))
            answer = tablebase.probe(position["fen"])
            assert position["known"] is not None
            assert list(position["known"]) == list(get_type_hints(sakmak.KnownPosition))
            assert position["known"]["category"] == answer["category"]
            assert position["known"]["count"] == answer["count"]
        played = game["positions"][5]["move"]
        assert played is not None and played["judged"] is not None
        assert list(played) == list(get_type_hints(sakmak.PlayedMove))
        assert list(played["judged"]) == list(get_type_hints(sakmak.JudgedMove))
        assert all(list(count) == list(get_type_hints(sakmak.GameCount)) for count in game["counts"])
        assert list(game["last_chance"]) == list(get_type_hints(sakmak.LastChance))
        assert game["tags"][0] == ("Variant", "Makruk")
        assert game["mistakes"] == [5]
        assert "3. Re5+??" in tablebase.annotate_pgn(GAME)
        assert tablebase.annotate("") == []
        with pytest.raises(sakmak.InputError, match="Chess"):
            tablebase.annotate(GAME.replace("Makruk", "Chess"))
        with pytest.raises(sakmak.InputError, match="when the count begins"):
            tablebase.annotate(GAME, count_from="soon")


def test_positions_are_found_one_after_the_other(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        found = tablebase.find("KRvK", margin=0, only_move=True, men=["k@a-d1-8"])
        some = [next(found) for _ in range(3)]
        assert [position["margin"] for position in some] == [0, 0, 0]
        for position in some:
            assert list(position) == list(get_type_hints(sakmak.Found))
            answer = tablebase.probe(position["fen"])
            assert (answer["category"], answer["dtm"]) == ("win", 14)
        assert len(list(tablebase.find("KRvK", dtm=(17, 40)))) == 0
        one, pair = next(tablebase.find("KRvK", dtm=14)), next(tablebase.find("KRvK", turn="white", dtm=(14, 14)))
        assert one == pair and one["dtm"] == 14
        with pytest.raises(TypeError, match="a pair of numbers"):
            tablebase.find("KRvK", dtm="14")  # type: ignore[arg-type]
        for wrong in ({"turn": "x"}, {"verdict": "won"}, {"dtm": (5, 4)}, {"men": ["K"]}):
            with pytest.raises(sakmak.InputError):
                tablebase.find("KRvK", **wrong)
    with pytest.raises(sakmak.ClosedError):
        next(found)


def test_statistics_are_those_of_the_header(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        statistics = tablebase.statistics("KRvK")
        assert list(statistics) == list(get_type_hints(sakmak.EndingStatistics))
        white = statistics["white_to_move"]
        assert list(white) == list(get_type_hints(sakmak.SideStatistics))
        assert sum(white["white_wins"]) + white["draws"] > 100_000
        with pytest.raises(sakmak.MissingTableError):
            tablebase.statistics("KRRRRvK")


def test_a_directory_without_tables_is_warned_of(tables: Path, tmp_path: Path) -> None:
    with pytest.warns(sakmak.NoTablesWarning, match=f"no tables in {tmp_path}.*sakmak generate"):
        tablebase = sakmak.Tablebase(tmp_path)
    assert repr(tablebase) == "<sakmak.Tablebase of 0 tables>"
    with pytest.warns(sakmak.NoTablesWarning):
        assert tablebase.add_directory(tmp_path) == 0
    assert tablebase.add_directory(tables) > 0
    # The directory has tables, but none is new.
    assert tablebase.add_directory(tables) == 0
    assert len(sakmak.Tablebase(tables, tmp_path)) == len(tablebase)
    sakmak.Tablebase().close()


NO_THREADS = """
#include <errno.h>
#include <pthread.h>
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with) { return EAGAIN; }
"""

PROBE_MANY = """
import sys, sakmak
many = sakmak.Tablebase(sys.argv[1]).probe_many(["8/8/8/8/8/2k5/8/K6R w"] * 20_000)
assert set(many.dtm) == {14} and not many.errors
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
def test_many_positions_need_no_thread(tables: Path, tmp_path: Path) -> None:
    source, library = tmp_path / "threads.c", tmp_path / "threads.so"
    source.write_text(NO_THREADS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    subprocess.run([sys.executable, "-c", PROBE_MANY, tables], check=True, env=environment)
