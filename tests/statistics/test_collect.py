"""The pass over the data: moments equal NumPy's, whatever the table looks like."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Filling, Moments, collect, collect_replicates
from tests.core.twins import LAYOUTS
from tests.statistics.cases import FORMS, assert_same, table


def by_numpy(X, codes, n_classes, weight, form) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weight, mean and scatter of each class, two passes in the plainest way."""
    w = np.ones(len(X)) if weight is None else weight
    total, mean, scatter = [], [], []
    for k in range(n_classes):
        mine = codes == k
        total.append(w[mine].sum())
        mean.append(np.average(X[mine], axis=0, weights=w[mine]) if mine.any() else np.zeros(X.shape[1]))
        away = X[mine] - mean[-1]
        scatter.append((away * w[mine, None]).T @ away)
    every = np.array(scatter)
    shaped = {"full": every, "pooled": every.sum(axis=0), "diagonal": np.einsum("kii->ki", every)}[form]
    return np.array(total), np.array(mean), shaped


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [1, 2, 300, 20_000])
def test_equals_numpy(n: int, form: str, weighted: bool) -> None:
    t = table(n, weighted=weighted)
    m = t.collect(form)
    total, mean, scatter = by_numpy(t.X, t.codes, 3, t.weight, form)
    np.testing.assert_allclose(m.weight, total, rtol=1e-12)
    there = total > 0
    np.testing.assert_allclose(m.mean[there], mean[there], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(m.scatter, scatter, rtol=1e-10, atol=1e-11 * np.abs(scatter).max())
    assert m.rows.tolist() == np.bincount(t.codes, minlength=3).tolist()
    assert (m.n_classes, m.n_features) == (3, 4)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_memory_gives_the_same_bits(layout: str, dtype: type, form: str, tmp_path: Path) -> None:
    t = table(700)
    X = t.X.astype(dtype)
    other = LAYOUTS[layout](X, tmp_path)
    a = collect(other, t.codes, 3, form=form).to_arrays()
    b = collect(X.astype(np.float64), t.codes, 3, form=form).to_arrays()
    assert all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("form", FORMS)
def test_groups_are_collected_apart_and_negative_ones_left_out(form: str) -> None:
    t = table(500, weighted=True)
    group = np.random.default_rng(1).integers(-2, 4, 500).astype(np.int32)
    m = t.collect(form, group=group, n_groups=5)
    assert m.weight.shape == (5, 3)
    for g in range(5):
        assert_same(m[g], t.collect(form, keep=group == g))


@pytest.mark.parametrize("form", FORMS)
def test_a_class_without_rows_is_an_empty_cell(form: str) -> None:
    t = table(200)
    m = collect(t.X, t.codes, 5, form=form)
    assert m.weight[3:].tolist() == m.rows[3:].tolist() == [0, 0]
    assert not m.offset[3:].any()
    assert all(np.isfinite(value).all() for name, value in m.to_arrays().items() if name != "form")


@pytest.mark.parametrize("form", FORMS)
def test_no_rows_and_no_columns(form: str) -> None:
    m = collect(np.zeros((0, 3)), np.zeros(0, dtype=np.int32), 2, form=form)
    assert not m.weight.any() and not m.scatter.any() and m.mean.shape == (2, 3)
    m = collect(np.zeros((4, 0)), np.zeros(4, dtype=np.int32), 2, form=form)
    assert m.weight.tolist() == [4, 0] and m.n_features == 0


def test_weightless_rows_count_for_nothing() -> None:
    t = table(200, weighted=True)
    weight = t.weight.copy()
    weight[::3] = 0.0
    keep = weight > 0
    X = t.X.copy()
    X[~keep] = 1e30
    for form in FORMS:
        found = collect(X, t.codes, 3, form=form, weight=weight)
        assert_same(found, t.collect(form, keep=keep))


@pytest.mark.parametrize("form", FORMS)
@given(
    times=st.lists(st.integers(0, 4), min_size=1, max_size=60).filter(any),
    width=st.integers(1, 6),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=40)
def test_an_integer_weight_is_a_repeated_row(form: str, times: list[int], width: int, seed: int) -> None:
    t = table(len(times), width, seed=seed)
    repeated = np.repeat(np.arange(len(times)), times)
    found = collect(t.X, t.codes, 3, form=form, weight=np.array(times, dtype=float))
    assert_same(found, collect(t.X[repeated], t.codes[repeated], 3, form=form), 1e-11, rows=False)


@pytest.mark.parametrize("form", FORMS)
def test_the_order_of_rows_and_columns_does_not_matter(form: str) -> None:
    t = table(400, weighted=True)
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(400), rng.permutation(4)
    X = t.X[rows][:, columns]
    assert_same(
        collect(X, t.codes[rows], 3, form=form, weight=t.weight[rows]), t.collect(form).select(columns), 1e-11
    )


# -- missing values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_missing_values_are_left_out_feature_by_feature(weighted: bool) -> None:
    t = table(600, weighted=weighted)
    X = t.X.copy()
    X[np.random.default_rng(3).random(X.shape) < 0.3] = np.nan
    X[t.codes == 1, 2] = np.nan
    m = collect(X, t.codes, 3, form="diagonal", weight=t.weight, missing=True)
    w = np.ones(600) if t.weight is None else t.weight
    for k in range(3):
        for j in range(4):
            there = (t.codes == k) & ~np.isnan(X[:, j])
            assert m.present[k, j] == pytest.approx(w[there].sum(), rel=1e-12)
            if there.any():
                mean = np.average(X[there, j], weights=w[there])
                assert m.mean[k, j] == pytest.approx(mean, rel=1e-12, abs=1e-12)
                assert m.scatter[k, j] == pytest.approx(
                    (w[there] * (X[there, j] - mean) ** 2).sum(), rel=1e-10
                )
    assert m.present[1, 2] == 0 and m.scatter[1, 2] == 0
    assert np.isfinite(m.mean).all()


@pytest.mark.parametrize("form", FORMS)
def test_nan_shows_in_the_result_when_it_is_not_to_be_skipped(form: str) -> None:
    t = table(300)
    X = t.X.copy()
    X[10, 1] = np.nan
    m = collect(X, t.codes, 3, form=form)
    assert np.isnan(m.mean[t.codes[10], 1]) and np.isnan(m.scatter).any()
    assert np.isfinite(np.delete(m.mean, 1, axis=1)).all()


@pytest.mark.parametrize("form", ["pooled", "full"])
def test_filling_reads_gaps_as_values_and_adds_flags(form: str) -> None:
    t = table(400)
    X = t.X.copy()
    X[np.random.default_rng(4).random(X.shape) < 0.2] = np.nan
    X[0] = np.nan
    filling = Filling(np.array([1.0, -2.0, 3.0, 0.5]), np.array([3, 1], dtype=np.int32))
    read = filling.read(X)
    assert read.shape == (400, 6) and np.array_equal(read[:, 4], np.isnan(X[:, 3]))
    found = collect(X, t.codes, 3, form=form, filling=filling)
    assert_same(found, collect(read, t.codes, 3, form=form))


# -- replicates ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_replicates_equal_weighted_collections(form: str, weighted: bool) -> None:
    t = table(500, weighted=weighted)
    times = np.random.default_rng(5).poisson(1.0, (7, 500)).astype(np.uint16)
    found = collect_replicates(t.X, t.codes, 3, times, form=form, weight=t.weight)
    for b in range(7):
        drawn = times[b] * (1.0 if t.weight is None else t.weight)
        assert_same(found[b], collect(t.X, t.codes, 3, form=form, weight=drawn))


@pytest.mark.parametrize("form", FORMS)
def test_a_replicate_may_lack_a_class(form: str) -> None:
    t = table(60)
    times = np.ones((2, 60), dtype=np.uint16)
    times[1, t.codes == 2] = 0
    found = collect_replicates(t.X, t.codes, 3, times, form=form)
    assert found.weight[1, 2] == found.rows[1, 2] == 0
    assert_same(found[1], t.collect(form, keep=t.codes != 2))


@pytest.mark.parametrize("form", FORMS)
def test_replicates_without_the_outlier_keep_their_digits(form: str) -> None:
    rng = np.random.default_rng(6)
    X, codes = rng.normal(size=(300, 3)), (np.arange(300) % 2).astype(np.int32)
    X[0] = 1e12
    times = rng.poisson(1.0, (6, 300)).astype(np.uint16)
    times[:, 0] = [0, 1, 0, 2, 0, 0]
    found = collect_replicates(X, codes, 2, times, form=form)
    for b in range(6):
        keep = times[b] > 0
        expected = collect(X[keep], codes[keep], 2, form=form, weight=times[b][keep].astype(float))
        assert_same(found[b], expected, 1e-9)


# -- how often the rows are read ----------------------------------------------------------------------------


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Rows given to each run of a kernel."""
    module = importlib.import_module("assay.statistics.collect")
    run, seen = module._pass, []

    def counted(X: np.ndarray, *arguments: object) -> Moments:
        seen.append(len(X))
        return run(X, *arguments)

    monkeypatch.setattr(module, "_pass", counted)
    return seen


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_flags_and_single_rows_cost_no_second_look(form: str, weighted: bool, read: list[int]) -> None:
    t = table(600, weighted=weighted)
    rng = np.random.default_rng(7)
    X = np.hstack([t.X, rng.random((600, 5)) < 0.03, np.full((600, 1), 0.1)])
    codes = np.where(rng.random(600) < 0.04, 3, t.codes).astype(np.int32)
    group = (np.arange(600) % 10).astype(np.int32)
    assert (np.bincount(group[codes == 3], minlength=10) == 1).any(), "no cell has a single row"
    found = collect(X, codes, 4, form=form, weight=t.weight, group=group, n_groups=10)
    assert read[0] == 600 and sum(read) < 800
    keep = group != 3
    weight = None if t.weight is None else t.weight[keep]
    read.clear()
    fresh = collect(X[keep], codes[keep], 4, form=form, weight=weight)
    assert read == [540]
    assert_same(found.complement()[3], fresh)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1e6, 1e12, 1e30, -1e120])
def test_outliers_in_front_take_no_digits_from_the_other_folds(size: float, form: str) -> None:
    t = table(600)
    X = t.X.copy()
    first = [np.flatnonzero(t.codes == k)[0] for k in range(3)]  # one in every class
    X[first] = size
    group = (np.arange(600) % 7).astype(np.int32)
    # A shared scatter keeps its digits if the outliers are in one fold; if in two, every training part has one.
    group[first] = [0, 0, 0] if form == "pooled" else [0, 0, 4]
    folds = collect(X, t.codes, 3, form=form, group=group, n_groups=7)
    for g in (1, 2, 3, 5, 6):
        keep = group == g
        assert_same(folds[g], collect(X[keep], t.codes[keep], 3, form=form), 1e-9)
    free = 0 if form == "pooled" else 4
    keep = group != free  # class 2 is rid of its outlier
    fresh = collect(X[keep], t.codes[keep], 3, form=form)
    found = folds.complement()[free]
    if form == "pooled":
        assert_same(found, fresh, 1e-9)
    else:
        np.testing.assert_allclose(found.class_diagonal()[2], fresh.class_diagonal()[2], rtol=1e-9)
    np.testing.assert_allclose(found.mean[2], t.X[keep & (t.codes == 2)].mean(axis=0), rtol=1e-9, atol=1e-9)
