"""Real data for tests: found where ``ASSAY_DATA`` points, skipped by name where it is absent.

    from tests.realdata import load_csv

    def test_vowel():
        frame = load_csv("vowel_esl")

Call these inside a test or a fixture, never at import: a skip has to belong to a test to be counted.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[1]
DEFAULT_DATA = "../shared/data"
KINDS = ("data", "browser", "postgres")


def data_folder() -> Path:
    """The folder of real data: ``ASSAY_DATA``, relative paths counted from the repository root."""
    return ROOT / os.environ.get("ASSAY_DATA", DEFAULT_DATA)


def required_kinds() -> set[str]:
    """The kinds listed in ``ASSAY_REQUIRE``, whose absence is a failure and not a skip."""
    listed = os.environ.get("ASSAY_REQUIRE", "").replace(",", " ").split()
    unknown = sorted(set(listed) - set(KINDS))
    if unknown:
        raise ValueError(f"ASSAY_REQUIRE names {', '.join(unknown)}: use any of {', '.join(KINDS)}.")
    return set(listed)


def require(kind: str, why: str) -> NoReturn:
    """End the running test because something of ``kind`` is missing: skip it, or fail it if required."""
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of missing thing: use any of {', '.join(KINDS)}.")
    if kind in required_kinds():
        pytest.fail(f"ASSAY_REQUIRE lists {kind}, but {why}", pytrace=False)
    pytest.skip(reason=f"{kind}: {why}")


def data_path(filename: str) -> Path:
    """Path of one real file; ends the test (see `require`) if it is absent."""
    shown = os.environ.get("ASSAY_DATA", DEFAULT_DATA)
    folder = data_folder()
    if not folder.is_dir():
        require("data", f"{shown} absent")
    path = folder / filename
    if not path.is_file():
        require("data", f"{shown}/{filename} absent")
    return path


def load_csv(name: str, **options: Any) -> pd.DataFrame:
    """The table ``<name>.csv.gz``; ``options`` go to `pandas.read_csv`."""
    return pd.read_csv(data_path(f"{name}.csv.gz"), **options)
