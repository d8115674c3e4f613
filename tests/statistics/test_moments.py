"""Arithmetic on moments: merging, leaving folds out, taking rows away, other views, plain arrays."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Moments, collect, stack
from tests.raised import Expected, raises
from tests.statistics.cases import FORMS, assert_same, table

WEIGHTED = pytest.mark.parametrize("weighted", [False, True])
EVERY_FORM = pytest.mark.parametrize("form", FORMS)


def with_gaps(m: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    t = table(m, seed=seed)
    X = t.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < 0.25] = np.nan
    return X, t.codes


# -- merging ------------------------------------------------------------------------------------------------


@EVERY_FORM
@WEIGHTED
@pytest.mark.parametrize("cut", [0, 1, 150, 299, 300])
def test_two_parts_make_the_whole(cut: int, form: str, weighted: bool) -> None:
    t = table(300, weighted=weighted)
    first = np.arange(300) < cut
    merged = t.collect(form, first).merge(t.collect(form, ~first))
    assert_same(merged, t.collect(form))


@EVERY_FORM
def test_order_and_brackets_do_not_matter(form: str) -> None:
    t = table(300, weighted=True)
    a, b, c = (t.collect(form, np.arange(300) % 3 == g) for g in range(3))
    assert_same(a.merge(b).merge(c), a.merge(b.merge(c)))
    assert_same(a.merge(b), b.merge(a))


@EVERY_FORM
@given(st.lists(st.integers(0, 200), max_size=12), st.integers(0, 1000), st.booleans())
@settings(max_examples=40)
def test_any_chunking_makes_the_whole(form: str, cuts: list[int], seed: int, weighted: bool) -> None:
    t = table(200, weighted=weighted, seed=seed)
    chunk = np.searchsorted(np.sort(cuts), np.arange(200), side="right")
    total = t.collect(form, chunk == 0)
    for c in range(1, len(cuts) + 1):
        total = total.merge(t.collect(form, chunk == c))
    assert_same(total, t.collect(form), 1e-10)


@EVERY_FORM
def test_rows_one_at_a_time_make_the_whole(form: str) -> None:
    t = table(150, weighted=True)
    total = t.collect(form, np.zeros(150, dtype=bool))
    for i in range(150):
        total = total.merge(t.collect(form, np.arange(150) == i))
    assert_same(total, t.collect(form), 1e-10)


@EVERY_FORM
def test_merging_with_nothing_changes_nothing(form: str) -> None:
    t = table(100)
    m, nothing = t.collect(form), t.collect(form, np.zeros(100, dtype=bool))
    assert_same(m.merge(nothing), m, 1e-15)
    assert_same(nothing.merge(m), m, 1e-15)
    assert not nothing.merge(nothing).weight.any()


def test_gaps_merge_feature_by_feature() -> None:
    X, codes = with_gaps()
    first = np.arange(400) < 130
    parts = [collect(X[k], codes[k], 3, form="diagonal", missing=True) for k in (first, ~first)]
    assert_same(parts[0].merge(parts[1]), collect(X, codes, 3, form="diagonal", missing=True))


def test_a_part_with_gaps_merges_with_one_that_has_none() -> None:
    X, codes = with_gaps()
    whole = table(400, seed=9)
    merged = whole.collect("diagonal").merge(collect(X, codes, 3, form="diagonal", missing=True))
    both, all_codes = np.vstack([whole.X, X]), np.append(whole.codes, codes)
    assert_same(merged, collect(both, all_codes, 3, form="diagonal", missing=True))


@pytest.mark.parametrize(
    "other",
    [table(30).collect("pooled"), table(30, width=3).collect("full"), table(30, n_classes=2).collect("full")],
)
def test_what_does_not_fit_together_is_refused(other: Moments) -> None:
    with raises("N035", form="full"):
        table(30).collect("full").merge(other)


# -- all folds but one --------------------------------------------------------------------------------------


@EVERY_FORM
@WEIGHTED
@pytest.mark.parametrize("folds", [2, 3, 10])
def test_complements_are_collections_of_the_other_folds(folds: int, form: str, weighted: bool) -> None:
    t = table(400, weighted=weighted)
    fold = np.random.default_rng(1).integers(0, folds, 400).astype(np.int32)
    found = t.collect(form, group=fold, n_groups=folds).complement()
    assert found.weight.shape == (folds, 3)
    for f in range(folds):
        assert_same(found[f], t.collect(form, fold != f))


@EVERY_FORM
def test_a_further_group_is_in_every_complement(form: str) -> None:
    t = table(300, weighted=True)
    fold = np.random.default_rng(2).integers(-1, 5, 300).astype(np.int32)  # group 4 has no fold of its own
    found = t.collect(form, group=fold, n_groups=5).complement(4)
    assert len(found.weight) == 4
    for f in range(4):
        assert_same(found[f], t.collect(form, (fold >= 0) & (fold != f)))


def test_complements_with_gaps() -> None:
    X, codes = with_gaps()
    fold = (np.arange(400) % 4).astype(np.int32)
    found = collect(X, codes, 3, form="diagonal", group=fold, n_groups=4, missing=True).complement()
    for f in range(4):
        keep = fold != f
        assert_same(found[f], collect(X[keep], codes[keep], 3, form="diagonal", missing=True))


@EVERY_FORM
def test_the_complement_of_a_single_fold_is_empty(form: str) -> None:
    found = table(50).collect(form, group=np.zeros(50, dtype=np.int32), n_groups=1).complement()
    assert not found.weight.any() and not found.scatter.any()


@EVERY_FORM
def test_all_groups_together_are_the_whole(form: str) -> None:
    t = table(300, weighted=True)
    fold = (np.arange(300) % 7).astype(np.int32)
    assert_same(t.collect(form, group=fold, n_groups=7).together(), t.collect(form))


# -- taking rows away ---------------------------------------------------------------------------------------


@EVERY_FORM
@WEIGHTED
@pytest.mark.parametrize("leaving", [0, 1, 30, 150])
def test_without_equals_a_collection_of_the_rest(leaving: int, form: str, weighted: bool) -> None:
    t = table(300, weighted=weighted)
    gone = np.arange(300) < leaving
    kept, error = t.collect(form).without(t.collect(form, gone))
    assert_same(kept, t.collect(form, ~gone), 1e-11)
    assert error.shape == (4,) and (error < 1e-13 * 300).all()


@EVERY_FORM
def test_many_rows_leave_one_at_a_time_in_one_call(form: str) -> None:
    t = table(60, weighted=True)
    single = stack([t.collect(form, np.arange(60) == i) for i in range(60)])
    kept, error = t.collect(form)[None].without(single)
    assert kept.mean.shape == kept.center.shape == (60, 3, 4) and error.shape == (60, 4)
    for i in range(60):
        assert_same(kept[i], t.collect(form, np.arange(60) != i), 1e-11)


@EVERY_FORM
def test_weights_that_cancel_leave_an_empty_class(form: str) -> None:
    t = table(200, weighted=True)
    gone = t.codes == 1
    order = np.random.default_rng(3).permutation(200)
    leaving = collect(t.X[order], t.codes[order], 3, form=form, weight=np.where(gone, t.weight, 0.0)[order])
    kept, error = t.collect(form).without(leaving)
    assert kept.weight[1] == kept.rows[1] == 0
    assert not kept.mean[1].any() and np.isfinite(error).all()
    assert_same(kept, t.collect(form, ~gone), 1e-11)
    none, error = t.collect(form).without(t.collect(form))
    assert not none.weight.any() and not none.scatter.any() and not error.any()


def test_without_rows_with_gaps() -> None:
    X, codes = with_gaps()
    gone = np.arange(400) < 90
    parts = [collect(X[k], codes[k], 3, form="diagonal", missing=True) for k in (gone, ~gone)]
    kept, _ = collect(X, codes, 3, form="diagonal", missing=True).without(parts[0])
    assert_same(kept, parts[1], 1e-11)


@EVERY_FORM
def test_a_single_row_left_has_no_scatter(form: str) -> None:
    t = table(40, n_classes=1)
    first = np.arange(40) == 0
    kept, _ = t.collect(form).without(t.collect(form, ~first))
    assert not kept.scatter.any()
    np.testing.assert_allclose(kept.mean[0], t.X[0], rtol=1e-11)


def true_error(kept: Moments, fresh: Moments) -> np.ndarray:
    """Relative error of every feature's sums of squares, the largest over the classes."""
    if kept.form == "pooled":
        found, expected = kept.within_diagonal()[None], fresh.within_diagonal()[None]
    else:
        found, expected = kept.class_diagonal(), fresh.class_diagonal()
    safe = np.where(expected > 0, expected, 1.0)
    return np.where(expected > 0, np.abs(found - expected) / safe, 0.0).max(axis=0)


@EVERY_FORM
@given(
    n=st.integers(8, 200),
    leaving=st.floats(0.01, 0.9),
    size=st.floats(0.0, 5.0),
    far=st.floats(0.0, 5.0),
    weighted=st.booleans(),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60)
def test_the_error_estimate_is_honest(form, n, leaving, size, far, weighted, seed) -> None:
    t = table(n, weighted=weighted, seed=seed)
    gone = np.random.default_rng(seed).random(n) < leaving
    X = np.where(gone[:, None], t.X * 10.0**size, t.X) + 10.0**far
    t = replace(t, X=X)
    kept, error = t.collect(form).without(t.collect(form, gone))
    actual = true_error(kept, t.collect(form, ~gone))
    readable = error < 1e-3
    assert (actual[readable] <= 20 * error[readable] + 1e-14).all()


@EVERY_FORM
def test_the_error_grows_with_what_leaves(form: str) -> None:
    rng = np.random.default_rng(4)
    X, codes = rng.normal(size=(100, 2)), np.zeros(100, dtype=np.int32)
    told, actual = [], []
    for size in (1e0, 1e2, 1e4, 1e6):
        X[0] = size
        kept, error = collect(X, codes, 1, form=form).without(collect(X[:1], codes[:1], 1, form=form))
        told.append(error.max())
        actual.append(true_error(kept, collect(X[1:], codes[1:], 1, form=form)).max())
    assert told == sorted(told) and told[0] < 1e-13 and told[-1] > 1e-6
    assert actual[-1] > 1e-9, "the test no longer loses digits"
    assert (np.array(actual) <= 20 * np.array(told)).all()


@EVERY_FORM
def test_weights_that_sum_to_one_do_not_hide_lost_digits(form: str) -> None:
    rng = np.random.default_rng(5)
    X, codes, weight = rng.normal(size=(50, 2)), (np.arange(50) % 2).astype(np.int32), np.full(50, 0.02)
    X[0] = 1e7
    gone = collect(X[:1], codes[:1], 2, form=form, weight=weight[:1])
    _, error = collect(X, codes, 2, form=form, weight=weight).without(gone)
    assert (error > 1e-6).all()


def test_a_mean_that_lost_its_digits_is_told_when_one_row_is_left() -> None:
    X, codes = np.array([[1e12], [0.5], [1.0], [2.0]]), np.array([0, 0, 1, 1], dtype=np.int32)
    for form in FORMS:
        _, error = collect(X, codes, 2, form=form).without(collect(X[:1], codes[:1], 2, form=form))
        assert error[0] > 1e-6


@EVERY_FORM
@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.1])
def test_a_constant_feature_has_nothing_to_lose(form: str, value: float) -> None:
    t = table(90)
    X = t.X.copy()
    X[:, 1] = value
    gone = np.arange(90) < 20
    kept, error = collect(X, t.codes, 3, form=form).without(collect(X[gone], t.codes[gone], 3, form=form))
    assert error[1] < 1e-12
    np.testing.assert_allclose(kept.mean[:, 1], value, rtol=1e-15)


# -- other views --------------------------------------------------------------------------------------------


@WEIGHTED
def test_views_of_the_full_form_are_the_smaller_forms(weighted: bool) -> None:
    t = table(300, weighted=weighted)
    fold = (np.arange(300) % 3).astype(np.int32)
    full = t.collect("full", group=fold, n_groups=3)
    assert_same(full.pooled(), t.collect("pooled", group=fold, n_groups=3))
    assert_same(full.diagonal(), t.collect("diagonal", group=fold, n_groups=3))
    np.testing.assert_allclose(full.pooled().scatter, full.scatter.sum(axis=1))
    np.testing.assert_allclose(full.diagonal().scatter, np.einsum("gkii->gki", full.scatter))


def test_a_view_that_is_not_there_is_refused() -> None:
    t = table(30)
    with raises("N036"):
        t.collect("pooled").diagonal()
    with raises("N036"):
        t.collect("pooled").class_diagonal()
    with raises("N037"):
        t.collect("diagonal").pooled()
    assert t.collect("pooled").pooled().form == "pooled"
    assert t.collect("diagonal").diagonal().form == "diagonal"


@EVERY_FORM
@WEIGHTED
def test_overall_figures_equal_numpys(form: str, weighted: bool) -> None:
    t = table(500, weighted=weighted)
    w = np.ones(500) if t.weight is None else t.weight
    m = t.collect(form)
    mean = np.average(t.X, axis=0, weights=w)
    center, offset, away = m.overall()
    np.testing.assert_allclose(center + offset, mean, rtol=1e-12)
    classes = [np.average(t.X[t.codes == k], axis=0, weights=w[t.codes == k]) for k in range(3)]
    np.testing.assert_allclose(away, np.array(classes) - mean, rtol=1e-10, atol=1e-12)
    variance = np.average((t.X - mean) ** 2, axis=0, weights=w)
    np.testing.assert_allclose(m.total_variance(), variance, rtol=1e-12)
    between = sum(w[t.codes == k].sum() * (classes[k] - mean) ** 2 for k in range(3))
    np.testing.assert_allclose(m.between_diagonal(), between, rtol=1e-10)
    np.testing.assert_allclose(m.within_diagonal() + m.between_diagonal(), w.sum() * variance, rtol=1e-11)


@EVERY_FORM
def test_overall_figures_of_nothing_are_zero(form: str) -> None:
    m = table(20).collect(form, np.zeros(20, dtype=bool))
    assert not m.total_variance().any() and not m.overall()[1].any()


@EVERY_FORM
@pytest.mark.parametrize("columns", [np.array([2]), np.array([3, 0]), slice(1, 3), np.array([], dtype=int)])
def test_selecting_equals_collecting_fewer_columns(columns: np.ndarray | slice, form: str) -> None:
    t = table(300, weighted=True)
    fold = (np.arange(300) % 3).astype(np.int32)
    found = t.collect(form, group=fold, n_groups=3).select(columns)
    fewer = replace(t, X=np.ascontiguousarray(t.X[:, columns]))
    assert_same(found, fewer.collect(form, group=fold, n_groups=3))


def test_selecting_keeps_the_weight_of_present_values() -> None:
    X, codes = with_gaps()
    found = collect(X, codes, 3, form="diagonal", missing=True).select(np.array([3, 1]))
    assert_same(found, collect(X[:, [3, 1]], codes, 3, form="diagonal", missing=True))


@EVERY_FORM
def test_classes_find_their_place_in_a_longer_list(form: str) -> None:
    t = table(200, weighted=True)
    position = np.array([1, 4, 2])
    found = t.collect(form).reclassed(position, 6)
    assert_same(found, collect(t.X, position[t.codes].astype(np.int32), 6, form=form, weight=t.weight))
    fold = (np.arange(200) % 2).astype(np.int32)
    grouped = t.collect(form, group=fold, n_groups=2).reclassed(position, 6)
    assert_same(grouped.together(), found)


def test_gaps_find_their_place_too() -> None:
    X, codes = with_gaps()
    found = collect(X, codes, 3, form="diagonal", missing=True).reclassed(np.array([2, 0, 3]), 4)
    moved = np.array([2, 0, 3])[codes].astype(np.int32)
    assert_same(found, collect(X, moved, 4, form="diagonal", missing=True))


def test_groups_can_be_picked_and_stacked() -> None:
    t = table(120)
    fold = (np.arange(120) % 4).astype(np.int32)
    m = t.collect("full", group=fold, n_groups=4)
    assert_same(stack([m[f] for f in range(4)]), m)
    assert_same(m[[2, 0]][1], m[0])


# -- plain arrays -------------------------------------------------------------------------------------------


@EVERY_FORM
@pytest.mark.parametrize("missing", [False, True])
def test_a_trip_through_a_file_changes_nothing(form: str, missing: bool) -> None:
    if missing and form != "diagonal":
        X, codes = table(50).X, table(50).codes
    else:
        X, codes = with_gaps(100) if missing else (table(100).X, table(100).codes)
    m = collect(X, codes, 3, form=form, missing=missing and form == "diagonal")
    file = io.BytesIO()
    np.savez(file, **m.to_arrays())
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        again = Moments.from_arrays(arrays)
    assert again.form == form and (again.present is None) == (m.present is None)
    for name, value in m.to_arrays().items():
        assert np.array_equal(getattr(again, name), value), name
    assert_same(again.merge(m), m.merge(m))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"weight": None}, Expected("N038")),
        ({"form": None}, Expected("N038")),
        ({"extra": np.zeros(3)}, Expected("N038")),
        ({"form": "round"}, Expected("N034", form="round", shape=(3, 4))),
        ({"center": np.zeros(3)}, Expected("N034", shape=(3,))),
        (
            {"scatter": np.zeros((3, 4))},
            Expected("N039", name="scatter", shape=(3, 4), wanted=(3, 4, 4)),
        ),
        ({"weight": np.zeros((2, 3))}, Expected("N039", name="weight", shape=(2, 3), wanted=(3,))),
    ],
)
def test_arrays_that_are_no_moments_are_refused(change: dict[str, object], expected: Expected) -> None:
    arrays = {**table(30).collect("full").to_arrays(), **change}
    with raises(expected):
        Moments.from_arrays({name: value for name, value in arrays.items() if value is not None})
