"""Forged headers with good checksums: one process opens them all, and gets right answers or a sakmak error."""

import sys
from pathlib import Path

import pytest

import sakmak

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "attack"))
from forge import forged_headers  # type: ignore[import-not-found]

FENS = {
    "KRvK": ["8/8/8/8/8/2k5/8/K6R w", "8/8/8/8/8/2k5/8/K6R b", "k7/8/1K6/8/8/8/8/7R w"],
    "KRvKN": ["7k/8/8/3n4/8/8/8/R3K3 w", "7k/8/8/3n4/8/8/8/R3K3 b", "7k/5n2/8/8/8/8/8/R3K3 w"],
}
BESIDE = "8/8/8/8/8/2k5/8/K6S w"
RULES: tuple[sakmak.RulesName, ...] = ("makruk", "asean", "ouk")
FORGERIES = 250


def answers(tablebase: sakmak.Tablebase, fens: list[str]) -> list[object]:
    """What each position is answered under each rule set: a value, or the type of a table's error."""
    found: list[object] = []
    for fen in fens:
        for rules in RULES:
            try:
                found.append(tablebase.probe(fen, rules=rules))
            except sakmak.TableError as error:
                assert str(error) and "\n" not in str(error)
                found.append(None)
    return found


@pytest.mark.parametrize("ending", FENS)
def test_forged_headers_give_right_answers_or_errors(copies: Path, ending: str) -> None:
    path = copies / f"{ending}.skm"
    with sakmak.Tablebase(copies) as tablebase:
        right = answers(tablebase, FENS[ending])
    assert None not in right
    read = refused = 0
    forgeries = list(forged_headers(path.read_bytes()))
    for forgery in forgeries[:: max(1, len(forgeries) // FORGERIES)]:
        # Another file, since a table that is mapped may not change.
        path.unlink()
        path.write_bytes(forgery.data())
        with sakmak.Tablebase(copies) as tablebase:
            found = answers(tablebase, FENS[ending])
            assert tablebase.probe(BESIDE)["category"] == "draw"
        refused += found.count(None)
        if not forgery.states_other_values:
            assert all(value in (None, whole) for value, whole in zip(found, right)), forgery.what
            read += 1
    assert read > FORGERIES // 2 and refused > read
