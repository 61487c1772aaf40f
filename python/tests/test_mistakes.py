"""Bad input: each kind has its error class, the process survives, and other tables still answer."""

import shutil
from pathlib import Path
from typing import Any, cast

import pytest

import sakmak

KRVK = "8/8/8/8/8/2k5/8/K6R w"
KSVK = "8/8/8/8/8/2k5/8/K6S w"


def expect(directory: Path, error: type[sakmak.TableError]) -> sakmak.TableError:
    """Probing KRvK raises this error, probing KSvK works, and an undamaged file restores KRvK."""
    with sakmak.Tablebase(directory) as tablebase:
        with pytest.raises(error) as raised:
            tablebase.probe(KRVK)
        assert type(raised.value) is error
        assert tablebase.probe(KSVK)["category"] == "draw"
        assert raised.value.path == str(directory / "KRvK.skm")
    assert "KRvK.skm" in str(raised.value) and "\n" not in str(raised.value)
    return raised.value


def test_a_missing_table_is_named(copies: Path) -> None:
    (copies / "KRvK.skm").unlink()
    with sakmak.Tablebase(copies) as tablebase:
        with pytest.raises(sakmak.MissingTableError, match="sakmak generate KRvK") as raised:
            tablebase.probe(KRVK)
        assert raised.value.material == "KRvK"
        assert isinstance(raised.value, LookupError)
        assert tablebase.probe(KSVK)["category"] == "draw"


def test_a_missing_rule_set_is_named(makruk_tables: Path) -> None:
    fen = "7k/8/8/3n4/8/8/8/R3K3 w - - 0 1"
    with sakmak.Tablebase(makruk_tables) as tablebase:
        assert tablebase.probe(fen)["category"] == "draw"
        words = "KRvKN.skm has results for makruk only, not for asean.*--rules asean"
        with pytest.raises(sakmak.MissingTableError, match=words) as raised:
            tablebase.probe(fen, rules="asean")
        assert raised.value.material == "KRvKN"
        assert tablebase.get(fen, rules="asean") is None


def test_a_truncated_file_is_told(copies: Path) -> None:
    path = copies / "KRvK.skm"
    path.write_bytes(path.read_bytes()[:-1])
    assert expect(copies, sakmak.WrongLengthError).material == "KRvK"


def test_what_is_no_table_is_told(copies: Path) -> None:
    (copies / "KRvK.skm").write_bytes(b"not a table at all, but long enough to be one" * 9)
    expect(copies, sakmak.NotATableError)


def test_a_table_swapped_for_another_is_told(copies: Path) -> None:
    shutil.copy(copies / "KSvK.skm", copies / "KRvK.skm")
    expect(copies, sakmak.WrongTableError)


def test_a_flipped_bit_anywhere_is_told_or_does_no_harm(copies: Path) -> None:
    path = copies / "KRvK.skm"
    intact = path.read_bytes()
    with sakmak.Tablebase(copies) as tablebase:
        expected = tablebase.line(KRVK)
    found: set[type[Exception]] = set()
    places = range(0, len(intact), max(1, len(intact) // 150))
    for place in places:
        spoilt = bytearray(intact)
        spoilt[place] ^= 1 << place % 8
        path.unlink()
        path.write_bytes(spoilt)
        with sakmak.Tablebase(copies) as tablebase:
            try:
                assert tablebase.line(KRVK) == expected
            except sakmak.TableError as error:
                found.add(type(error))
    assert found >= {sakmak.DamagedHeaderError, sakmak.DamagedBlockError}


def test_a_directory_that_vanishes_while_open_takes_only_what_was_not_open(copies: Path) -> None:
    with sakmak.Tablebase(copies) as tablebase:
        answer = tablebase.probe(KRVK)
        shutil.rmtree(copies)
        assert tablebase.probe(KRVK) == answer
        with pytest.raises(sakmak.UnreadableTableError) as raised:
            tablebase.probe(KSVK)
        assert isinstance(raised.value, OSError)
        assert raised.value.material == "KSvK"


def test_a_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(sakmak.DirectoryError, match="nowhere"):
        sakmak.Tablebase(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("fen", "rules", "error"),
    [
        ("", "makruk", sakmak.FenError),
        ("8/8 w", "makruk", sakmak.FenError),
        ("8/8/8/3k4/8/3K4/2BQ4/8 w", "makruk", sakmak.FenError),
        (KRVK, "chess", sakmak.RulesError),
        (KRVK + " - 17 x", "makruk", sakmak.FenError),
        ("3P4/8/8/3k4/8/3K4/8/8 w", "makruk", sakmak.FenError),
        ("3P4/8/8/3k4/8/3K4/8/8 w", "asean", sakmak.FenError),
        ("8/8/8/3k4/8/3K4/pppppppp/mmmmmmmm b", "ouk", sakmak.FenError),
        ("8/8/8/3kn3/8/3K4/3R4/8 w - 128 4", "asean", sakmak.CountError),
        ("\ud800", "makruk", UnicodeEncodeError),
        ("\0", "makruk", sakmak.FenError),
    ],
)
def test_the_callers_mistakes_are_told_apart(
    tables: Path, fen: str, rules: str, error: type[Exception]
) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        with pytest.raises(error) as raised:
            tablebase.probe(fen, cast(Any, rules))
        assert type(raised.value) is error and isinstance(raised.value, ValueError)


def test_a_bia_behind_its_first_rank_is_in_no_table(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        with pytest.raises(sakmak.NotInTablesError, match="bia on d2"):
            tablebase.probe("8/8/8/3k4/8/3K4/3P4/8 w")


START = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        (START, "makruk"),
        ("8/8/8/3k4/8/3K4/2P5/8 w", "makruk"),
        ("8/8/8/3k4/8/3K4/2P5/8 w", "ouk"),
        ("3mk3/8/8/8/8/8/8/3K4 w De - 0 1", "ouk"),
    ],
)
def test_a_right_position_that_no_table_has_is_no_mistake(
    tables: Path, fen: str, rules: sakmak.Rules
) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        for ask in (tablebase.probe, tablebase.category, tablebase.line):
            with pytest.raises(sakmak.NotInTablesError, match="not in the tables"):
                ask(fen, rules)
        assert tablebase.get(fen, None, rules) is None
        assert tablebase.get(fen, "none", rules) == "none"
        errors = tablebase.probe_many([fen, KRVK], rules).errors
        assert [type(error) for error in errors.values()] == [sakmak.NotInTablesError]


def test_too_many_open_files_are_told_with_their_remedy(tables: Path) -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with sakmak.Tablebase(tables) as tablebase:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
            with pytest.raises(sakmak.UnreadableTableError) as raised:
                tablebase.probe(KRVK)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert "most_open" in str(raised.value) and "exists" not in str(raised.value)
        assert tablebase.probe(KRVK)["category"] == "win"


def test_a_king_that_may_leap_is_in_no_table(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        with pytest.raises(sakmak.NotInTablesError) as raised:
            tablebase.probe("3mk3/8/8/8/8/8/8/3K4 w De - 0 1", "ouk")
        assert isinstance(raised.value, LookupError)


def test_a_wrong_type_is_a_type_error(tables: Path) -> None:
    anything = cast(Any, sakmak.Tablebase)
    for wrong in (1, None, [str(tables)], 1.5):
        with pytest.raises(TypeError):
            anything(wrong)
    tablebase = anything(tables)
    for arguments in ((1,), (None,), (b"8/8 w",), (KRVK, 1), (KRVK, "makruk", "9"), ()):
        with pytest.raises(TypeError):
            tablebase.probe(*arguments)
        with pytest.raises(TypeError):
            tablebase.line(*arguments)
    assert tablebase.probe(KRVK)["category"] == "win"


def test_a_number_out_of_range_is_a_value_error(tables: Path) -> None:
    with sakmak.Tablebase(tables) as tablebase:
        for number in (-1, 1 << 40):
            for ask in (tablebase.probe, tablebase.line, tablebase.category):
                with pytest.raises(sakmak.CountError, match=f"{number} is not a count"):
                    ask(KRVK, count=number)
                with pytest.raises(ValueError, match=f"{number} is not a count"):
                    ask(KRVK, count=4, limit=number)
    for number in (-1, 1 << 64):
        with pytest.raises(sakmak.InputError, match="out of range"):
            sakmak.Tablebase(tables, cache_bytes=number)
        with pytest.raises(sakmak.InputError, match="out of range"):
            sakmak.Tablebase(tables, most_open=number)


def test_a_cache_without_memory_is_a_memory_error(tables: Path) -> None:
    for bits in range(47, 64):
        with pytest.raises(MemoryError) as raised:
            sakmak.Tablebase(tables, cache_bytes=1 << bits)
        assert type(raised.value) is sakmak.NoMemoryError
    with pytest.raises(sakmak.NoMemoryError, match=str((1 << 64) - 1)):
        sakmak.Tablebase(tables, cache_bytes=(1 << 64) - 1)


@pytest.mark.parametrize("access", ["blocks", "whole"])
def test_a_table_cut_while_it_is_open_is_told(copies: Path, access: sakmak.Access) -> None:
    other = "8/8/8/8/3k4/8/8/K6R w"
    with sakmak.Tablebase(copies, access=access, cache_bytes=0) as tablebase:
        answer = tablebase.probe(other)
        path = copies / "KRvK.skm"
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.truncate(size // 3)
        for fen in (KRVK, other, "8/8/2k5/8/8/8/8/1K5R b"):
            if access == "whole":
                assert tablebase.probe(other) == answer
                continue
            with pytest.raises(sakmak.WrongLengthError, match="KRvK.skm"):
                # Some of the position's moves need blocks after the cut.
                for _ in range(3):
                    tablebase.line(fen)
        assert tablebase.probe(KSVK)["category"] == "draw"


@pytest.mark.parametrize(("option", "value"), [("lettering", "thai"), ("access", "mmap")])
def test_an_unknown_option_is_told(tables: Path, option: str, value: str) -> None:
    anything = cast(Any, sakmak.Tablebase)
    with pytest.raises(sakmak.InputError, match=value):
        if option == "access":
            anything(tables, access=value)
        anything(tables).probe(KRVK, lettering=value)
