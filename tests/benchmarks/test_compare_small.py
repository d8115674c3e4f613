"""The contest with LazyPredict on a tiny table, whoever is installed: what is compared and what the row says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import harness, real_data
from benchmarks.harness import Part, Settings
from benchmarks.rivals import lazypredict
from benchmarks.workloads import compare_small
from benchmarks.workloads.compare_small import SmallTable, own_models, row, split

TABLE = SmallTable("tiny", "tiny.csv.gz", "label", 7.0, ("number",))


@pytest.fixture
def frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    label = np.repeat(["a", "b"], 50)
    frame = pd.DataFrame(
        {"number": np.arange(100), "x": rng.normal(size=100) + (label == "b"), "label": label}
    )
    frame.to_csv(tmp_path / TABLE.file, index=False)
    monkeypatch.setattr(real_data, "path_of", lambda name: tmp_path / name)
    monkeypatch.setattr(real_data, "absent", lambda name: "")
    monkeypatch.setattr(harness, "SHORT_SECONDS", 0.0)
    return frame


def test_both_sides_get_the_same_training_rows(frame: pd.DataFrame) -> None:
    train, test = split(TABLE)
    assert (len(train), len(test)) == (70, 30)
    assert list(train.columns) == ["x", "label"]
    together = np.sort(np.concatenate([train["x"], test["x"]]))
    np.testing.assert_allclose(together, np.sort(frame["x"]))


def test_of_a_long_table_so_many_rows_are_taken(frame: pd.DataFrame) -> None:
    train, test = split(TABLE._replace(train=21))
    assert (len(train), len(test)) == (21, 9)


def test_the_row_has_an_upper_target_and_counts_candidates_models_and_cores(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def holdout(train: pd.DataFrame, test: pd.DataFrame, target: str) -> Part:
        given.append((train, test, target))
        return Part("LazyPredict", {"n_jobs=1": lambda: 5})

    monkeypatch.setattr(lazypredict, "absent", lambda: "")
    monkeypatch.setattr(lazypredict, "holdout", holdout)
    measured = row(Settings(), TABLE, ["baseline", "gaussian_nb"])
    assert (measured.sense, measured.target, len(measured.ours)) == ("at most", 7.0, 3)
    assert measured.notes[-3] == "2 candidates"
    assert measured.notes[-2].endswith(" cores busy")
    assert measured.notes[-1] == "5 models of the rival"
    assert [len(part) for part in given[0][:2]] == [70, 30]


def test_what_is_absent_is_named(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazypredict, "absent", lambda: "LazyPredict is not installed")
    assert row(Settings(), TABLE, None).absent == "LazyPredict is not installed"


def test_our_own_models_are_no_trees() -> None:
    assert "logistic" in own_models()
    assert not {"random_forest", "gradient_boosting", "decision_tree"} & {*own_models()}


def test_each_table_has_its_target() -> None:
    assert [table.most for table in compare_small.TABLES] == [7.0, 7.0, 7.0, 8.0, 8.0, 8.0]
