"""What the package promises when all is well."""

import doctest
import gc
import pickle
import threading
from pathlib import Path
from typing import get_type_hints

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


def test_an_answer_has_the_fields_that_its_type_says(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        answer = tablebase.probe(KRVK)
        line = tablebase.line(KRVK)
    assert list(answer) == list(get_type_hints(sakmak.Answer))
    assert answer["count"] is not None
    assert list(answer["count"]) == list(get_type_hints(sakmak.Count))
    assert list(answer["moves"][0]) == list(get_type_hints(sakmak.Move))
    assert list(line) == list(get_type_hints(sakmak.Line))
    assert list(line["moves"][0]) == list(get_type_hints(sakmak.LineMove))


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
        with sakmak.Tablebase(tables, cache_bytes=0, most_open=1) as small:
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
        lambda: tablebase.add_directory(tables),
        tablebase.__enter__,
    ):
        with pytest.raises(sakmak.ClosedError, match="open it again"):
            call()
    gc.collect()


def test_errors_are_what_they_say() -> None:
    assert sakmak.__version__
    for name in sakmak.__all__:
        value = getattr(sakmak, name)
        if isinstance(value, type) and issubclass(value, Exception):
            assert issubclass(value, sakmak.Error) and value.__doc__
            assert str(pickle.loads(pickle.dumps(value("a sentence")))) == "a sentence"
