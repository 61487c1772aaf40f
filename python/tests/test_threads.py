"""One tablebase in many threads. On a free-threaded interpreter the threads run at once."""

import sys
import sysconfig
import threading
from pathlib import Path
from typing import Callable, List

import numpy
import pytest

import sakmak

THREADS = 8
KRVK = "8/8/8/8/8/2k5/8/K6R w"
GAME = '[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1"] 1. Ra2 Ke5 2. Re2+ Kd5 3. Re5+ Kxe5 1/2-1/2'


def at_once(*works: Callable[[], object]) -> List[object]:
    """Runs each work in a thread of its own, all from the same moment on, and returns the results. The first exception
    is raised again."""
    barrier = threading.Barrier(len(works))
    results: List[object] = [None] * len(works)
    errors: List[BaseException] = []

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = works[number]()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def test_the_package_needs_no_lock_of_the_interpreter() -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has a global lock")
    # Importing an extension that needs the lock would have switched it on.
    assert not getattr(sys, "_is_gil_enabled")()


def test_all_questions_at_once_have_the_answers_of_one_after_the_other(tables: Path) -> None:
    random = numpy.random.default_rng(1)
    squares = numpy.array([random.choice(64, 4, replace=False) for _ in range(2000)])

    def ask(tablebase: sakmak.Tablebase) -> List[object]:
        answers = tablebase.probe_many(sakmak.Boards.from_squares("KRvKN", squares))
        chunks = [chunk.categories.tolist() for chunk in tablebase.positions("KRvK", chunk=50_000)]
        found = tablebase.find("KRvK", margin=0, only_move=True)
        return [
            tablebase.probe(KRVK), tablebase.line(KRVK), tablebase.dtm(KRVK), tablebase.annotate(GAME),
            answers.categories.tolist(), answers.dth.tolist(), sorted(answers.errors), chunks,
            [next(found)["fen"] for _ in range(3)], tablebase.statistics("KRvKN"), tablebase.statistics_in_time("KRvKN", "ouk"),
        ]

    with sakmak.Tablebase(tables) as alone:
        expected = ask(alone)
    # A small cache, so that the threads decode the same blocks at the same time and throw them out again.
    with sakmak.Tablebase(tables, cache_bytes=1 << 16, most_open=2) as tablebase:
        for answers in at_once(*[lambda: ask(tablebase)] * THREADS):
            assert answers == expected


def test_threads_share_an_iterator(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        expected = sorted(sum((chunk.squares.tolist() for chunk in tablebase.positions("KRvK", chunk=5000)), []))
        chunks = tablebase.positions("KRvK", chunk=5000)
        shares = at_once(*[lambda: [chunk.squares.tolist() for chunk in chunks]] * THREADS)
        found = [squares for share in shares if isinstance(share, list) for chunk in share for squares in chunk]
        assert sorted(found) == expected


def test_a_tablebase_is_closed_while_others_ask_it(tables: Path) -> None:
    tablebase = sakmak.Tablebase(tables)

    def ask() -> int:
        answered = 0
        while True:
            try:
                assert tablebase.dtm(KRVK) == 14
            except sakmak.ClosedError:
                return answered
            answered += 1

    at_once(*[ask] * THREADS, tablebase.close)
    assert tablebase.closed


def test_directories_are_added_while_others_ask(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        results = at_once(*[lambda: tablebase.add_directory(tables), lambda: tablebase.dtm(KRVK)] * THREADS)
        assert results == [0, 14] * THREADS
