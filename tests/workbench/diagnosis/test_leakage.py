"""Leak suspects: planted leaks are found, strong honest columns and noise are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets

from assay.data import Column, Schema, Table, read
from assay.workbench.diagnosis import leakage as leaks
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.leakage import (
    SampledLabels,
    bin_edges,
    error_reduction,
    hits_without_oneself,
    leak_suspects,
)
from tests.commands.tables import category, joined, matrix, numbers, text

Y = np.random.default_rng(7).integers(0, 2, 1000)


def suspects(table: Table, codes: np.ndarray = Y, **options: object) -> dict[str | None, Finding]:
    found = leak_suspects(table, codes, int(codes.max()) + 1, **options)
    return {finding.column: finding for finding in found}


def test_a_copy_of_the_target_is_found_in_every_type() -> None:
    rng = np.random.default_rng(0)
    table = joined(
        numbers(number=Y + rng.uniform(0, 0.9, len(Y)), noise=rng.normal(size=len(Y))),
        category("yes", ["n" if y == 0 else "y" for y in Y]),
        category("place", [f"{'ab'[y]}{i % 5}" for i, y in enumerate(Y)]),
    )
    found = suspects(table)
    assert set(found) == {"number", "yes", "place"}
    for finding in found.values():
        assert finding.warn and finding.observed > 0.99
        assert finding.title == "Tells the class by itself"
        assert finding.sentence.endswith(".")


def test_the_share_of_errors_removed_by_hand() -> None:
    cells = np.array([0, 0, 1, 1, 0, 0, 1, 1, 2])
    codes = np.array([0, 0, 1, 1, 0, 0, 1, 0, 1])
    labels = SampledLabels.of(codes, 2)
    wrong = 0
    for row in range(len(codes)):
        others = np.arange(len(codes)) != row
        inside = others & (cells == cells[row])
        wrong += codes[row] != np.bincount(codes[inside], minlength=2).argmax()
    assert labels.baseline == 4 and wrong == 2
    assert error_reduction(cells, 3, labels) == pytest.approx(1 - wrong / 4)


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=1, max_size=8))
def test_hits_count_every_row_against_the_others_of_its_cell(counts: list[list[int]]) -> None:
    expected = 0
    for cell in counts:
        for k, rows in enumerate(cell):
            others = np.array(cell) - np.eye(3, dtype=int)[k]
            expected += rows * (rows > 0 and others.argmax() == k)
    assert hits_without_oneself(np.array(counts)) == expected


@pytest.mark.parametrize(
    ("flipped", "found", "warned"), [(0.0, True, True), (0.02, True, False), (0.1, False, False)]
)
def test_thresholds(flipped: float, found: bool, warned: bool) -> None:
    y = np.arange(20_000) % 2
    values = np.where(np.random.default_rng(1).random(len(y)) < flipped, 1 - y, y)
    finding = suspects(numbers(x=values), y).get("x")
    assert (finding is not None) == found
    assert finding is None or finding.warn == warned


def test_presence_tells_the_class() -> None:
    rng = np.random.default_rng(0)
    values = np.where((Y == 1) ^ (rng.random(len(Y)) < 0.03), rng.normal(size=len(Y)), np.nan)
    boats = [None if np.isnan(v) else f"boat {i % 20}" for i, v in enumerate(values)]
    found = suspects(joined(numbers(number=values), category("boat", boats), text("note", boats)))
    assert set(found) == {"number", "boat", "note"}
    assert {finding.title for finding in found.values()} == {"Missing values predict the class"}
    assert all(0.9 < finding.observed < 0.98 and finding.warn for finding in found.values())


def test_values_in_one_class_only() -> None:
    rng = np.random.default_rng(0)
    body = np.where((Y == 0) & (rng.random(len(Y)) < 0.1), rng.normal(size=len(Y)), np.nan)
    left = np.where((Y == 1) & (rng.random(len(Y)) < 0.1), np.nan, 1.0 * rng.integers(0, 9, len(Y)))
    found = suspects(numbers(body=body, left=left), classes=["died", "survived"])
    assert found["body"].title == "Filled in for one class"
    assert found["left"].title == "Left empty for one class"
    assert found["body"].observed == 1.0
    assert found["body"].expected == pytest.approx((Y == 0).mean())
    assert found["body"].note.code == "P125" and found["left"].note.code == "P126"
    assert found["body"].note.values["label"] == "class 'died'"


def test_a_column_of_one_value_or_none_is_suspected_by_its_presence() -> None:
    filled = np.where(Y == 1, "yes", None)
    filled[np.flatnonzero(Y == 1)[::4]] = None
    table = read({"filled": filled.tolist(), "further": np.arange(float(len(Y)))})
    assert table.schema["filled"].presence
    finding = suspects(table)["filled"]
    assert finding.warn and finding.title == "Filled in for one class"


def test_one_class_needs_more_than_chance() -> None:
    y = (np.arange(1000) % 10 == 0).astype(int)
    few = np.full(1000, np.nan)
    few[np.flatnonzero(y == 0)[:25]] = 1.0
    assert suspects(numbers(few=few), y) == {}
    rare = np.full(1000, np.nan)
    rare[np.flatnonzero(Y == 0)[:19]] = 1.0
    assert suspects(numbers(rare=rare)) == {}


def test_a_leak_of_a_rare_class_is_found_between_quantiles() -> None:
    rng = np.random.default_rng(0)
    y = (rng.random(20_000) < 0.01).astype(int)
    middle = np.where(
        y == 1, rng.uniform(0.4, 0.41, len(y)), rng.choice([-1, 1], len(y)) * rng.uniform(0.5, 1, len(y))
    )
    assert suspects(numbers(middle=middle, noise=rng.normal(size=len(y))), y).keys() == {"middle"}


def test_heavy_values_have_bins_of_their_own() -> None:
    labels = SampledLabels.of(Y, 2)
    mostly_one = np.where(np.arange(len(Y)) % 25 == 0, np.random.default_rng(0).normal(size=len(Y)), 1.0)
    edges = bin_edges(mostly_one, labels)
    cell = np.searchsorted(edges, mostly_one, side="left")
    assert set(mostly_one[cell == cell[1]]) == {1.0}


def test_identifiers_are_named_last_and_do_not_warn() -> None:
    table = joined(text("key", [f"k{i}" for i in range(1000)], "identifier"), numbers(x=1.0 * Y))
    found = leak_suspects(table, Y, 2)
    assert [(f.column, f.warn) for f in found] == [("x", True), ("key", False)]
    assert found[1].observed is None and found[1].note.code == "P127"


def test_rows_of_many_small_groups_of_one_class_are_a_leak() -> None:
    rng = np.random.default_rng(3)
    group = rng.integers(0, 100, 400)
    y = rng.integers(0, 2, 100)[group]
    assert set(suspects(joined(category("group", [f"g{g}" for g in group])), y)) == {"group"}


def test_a_handful_of_rows_is_no_evidence() -> None:
    y = np.arange(30) % 2
    assert suspects(numbers(x=1.0 * y), y) == {}


def test_columns_without_cells_and_columns_all_missing() -> None:
    table = joined(
        numbers(empty=np.full(1000, np.nan)),
        text("words", [None] * 1000),
        text("same", ["a"] * 1000, "constant"),
        (Column("nothing", "categorical"), np.full(1000, -1, dtype=np.int32)),
    )
    assert suspects(table) == {}


def test_categories_too_many_to_count_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "MOST_CELLS", 10)
    assert suspects(joined(category("place", [f"{y}{i % 5}" for i, y in enumerate(Y)]))) == {}


def test_large_tables_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "MOST_ROWS", 500)
    table = joined(numbers(x=1.0 * Y), text("t", [None if y else "a" for y in Y]))
    assert set(suspects(table)) == {"x", "t"}


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_noise_is_never_suspected(seed: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, 300)
    X = rng.normal(size=(300, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    noise = category("c", [None if rng.random() < 0.2 else int(v) for v in rng.integers(0, 40, 300)])
    assert leak_suspects(joined(matrix(X), noise), y, n_classes) == ()


@given(st.integers(0, 2**32 - 1), st.sampled_from([100, 400, 5000]), st.integers(2, 5), st.booleans())
def test_the_target_itself_is_always_suspected(seed: int, n_rows: int, n_classes: int, gaps: bool) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    x = np.exp(rng.permutation(n_classes)[y] + rng.uniform(0, 0.99, n_rows))
    if gaps:
        x[y == 0] = np.nan
    found = suspects(numbers(x=x), y)
    assert set(found) == {"x"} and found["x"].warn


@pytest.mark.parametrize("n_rows", [100, 200, 400, 1000, 5000])
def test_perfect_nearly_perfect_and_harmless_columns(n_rows: int) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.permutation(n_rows) % 2
        nearly = y.copy()
        nearly[rng.choice(n_rows, n_rows // 100, replace=False)] ^= 1
        table = joined(
            numbers(
                perfect=10 * y + rng.normal(size=n_rows),
                nearly=10 * nearly + rng.normal(size=n_rows),
                harmless=2 * y + rng.normal(size=n_rows),
            ),
            category(
                "groups",
                [f"{'ab'[label]}{g}" for label, g in zip(y, rng.integers(0, 9, n_rows), strict=True)],
            ),
        )
        found = suspects(table, y)
        assert set(found) == {"perfect", "nearly", "groups"}
        assert found["perfect"].observed == 1.0 and found["groups"].warn
        assert 0.95 <= found["nearly"].observed <= 0.99


@given(
    st.lists(
        st.sampled_from([0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 5e-324, 1e308]), min_size=1, max_size=80
    )
)
def test_any_values_are_examined(values: list[float]) -> None:
    y = np.arange(len(values)) % 2
    table = Table(Schema((Column("x", "numeric"),)), {"x": np.array(values)})
    for finding in leak_suspects(table, y, 2):
        assert finding.observed is not None and finding.observed <= 1.0


@pytest.mark.parametrize("load", [datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer])
def test_honest_measurements_are_not_suspected(load: Any) -> None:
    X, y = load(return_X_y=True)
    assert leak_suspects(matrix(X), y, int(y.max()) + 1) == ()
