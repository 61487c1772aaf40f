"""Tables for the tests: KRvK, KSMvK and KRvKN with every ending they lead to."""

import os
import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tables() -> Path:
    """The directory of tables that SAKMAK_TEST_TABLES names. Tests must not write to it."""
    return Path(os.environ["SAKMAK_TEST_TABLES"])


@pytest.fixture(scope="session")
def makruk_tables() -> Path:
    """The directory of makruk tables that SAKMAK_TEST_MAKRUK_TABLES names."""
    if "SAKMAK_TEST_MAKRUK_TABLES" not in os.environ:
        pytest.skip("SAKMAK_TEST_MAKRUK_TABLES names no tables of makruk alone")
    return Path(os.environ["SAKMAK_TEST_MAKRUK_TABLES"])


@pytest.fixture
def copies(tables: Path, tmp_path: Path) -> Path:
    """A directory with copies of the tables, to be damaged by a test."""
    directory = tmp_path / "copies"
    directory.mkdir()
    for path in tables.glob("*.skm"):
        shutil.copy(path, directory)
    return directory
