"""The helper that finds real data, and the line that counts what was skipped for want of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import SkipCount
from tests.realdata import data_path, load_csv, require, required_kinds


def report(reason: str, **more: object) -> SimpleNamespace:
    return SimpleNamespace(skipped=True, longrepr=("file.py", 1, f"Skipped: {reason}"), **more)


def test_a_table_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    pd.DataFrame({"a": ["007"], "y": ["yes"]}).to_csv(tmp_path / "small.csv.gz", index=False)
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    assert load_csv("small", dtype=str).to_dict("list") == {"a": ["007"], "y": ["yes"]}


def test_an_absent_folder_skips_and_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", "no/such/folder")
    monkeypatch.delenv("ASSAY_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="^data: no/such/folder absent$"):
        load_csv("vowel_esl")


def test_an_absent_file_skips_and_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    monkeypatch.delenv("ASSAY_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="mnist.npz absent$"):
        data_path("mnist.npz")


def test_what_is_required_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_REQUIRE", "browser, data")
    with pytest.raises(pytest.fail.Exception, match="ASSAY_REQUIRE lists data"):
        require("data", "nothing is there")
    with pytest.raises(pytest.skip.Exception, match="^postgres: nothing is there$"):
        require("postgres", "nothing is there")


def test_unknown_kinds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_REQUIRE", "data,brwser")
    with pytest.raises(ValueError, match="names brwser: use any of data, browser, postgres"):
        required_kinds()
    with pytest.raises(ValueError, match="'printer' is no kind"):
        require("printer", "out of paper")


def test_skips_are_counted_by_cause() -> None:
    count = SkipCount()
    for reason in [
        "data: d absent",
        "data: d absent",
        "data: d/x absent",
        "browser: no chromium",
        "data is odd",
    ]:
        count.pytest_runtest_logreport(report(reason))  # type: ignore[arg-type]
    count.pytest_runtest_logreport(report("data: d absent", wasxfail="expected"))  # type: ignore[arg-type]
    assert (
        count.line() == "skipped: 3 data (d absent, d/x absent), 1 browser (no chromium), 0 postgres, 1 other"
    )


def test_many_causes_are_abbreviated() -> None:
    count = SkipCount()
    for letter in "abcde":
        count.pytest_runtest_logreport(report(f"data: {letter} absent"))  # type: ignore[arg-type]
    assert count.line() == "skipped: 5 data (a absent, b absent, c absent and 2 more), 0 browser, 0 postgres"
