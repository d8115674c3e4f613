"""Affine maps of moments instead of rows, and scores carried back through them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.sharing.forms import Diagonal, Linear, ModelPairs, Quadratic
from assay.statistics import AffineMap, Filling, collect
from assay.statistics.variances import deviations
from tests.raised import raises
from tests.statistics.cases import FORMS, Table, assert_same, table

D = 4  # columns of the tables


def picks(columns: list[int], seed: int = 0) -> AffineMap:
    """Chosen columns, moved and scaled; some turned around."""
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.2, 3.0, len(columns)) * rng.choice([-1.0, 1.0], len(columns))
    return AffineMap(
        rng.normal(size=D),
        rng.normal(size=len(columns)),
        columns=np.array(columns, dtype=np.intp),
        scale=scale,
    )


def mixes(outputs: int, inputs: int = D, seed: int = 0) -> AffineMap:
    rng = np.random.default_rng(seed)
    return AffineMap(
        rng.normal(size=inputs), rng.normal(size=outputs), matrix=rng.normal(size=(inputs, outputs))
    )


PICKS = [[0, 1, 2, 3], [2], [3, 0], [1, 1, 2], []]


def mapped(t: Table, step: AffineMap) -> Table:
    return replace(t, X=np.ascontiguousarray(step.rows(t.X)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", PICKS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_moments_of_picked_columns(columns: list[int], form: str, weighted: bool) -> None:
    t, step = table(300, weighted=weighted), picks(columns)
    assert_same(step.moments(t.collect(form)), mapped(t, step).collect(form), 1e-11)


@pytest.mark.parametrize("form", ["pooled", "full"])
@pytest.mark.parametrize("outputs", [1, 3, 4, 6])
def test_moments_of_mixed_columns(outputs: int, form: str) -> None:
    t, step = table(300, weighted=True), mixes(outputs)
    assert_same(step.moments(t.collect(form)), mapped(t, step).collect(form), 1e-10)


def test_moments_with_gaps_keep_the_weight_of_what_is_there() -> None:
    t, step = table(300), picks([3, 1])
    X = t.X.copy()
    X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    found = step.moments(collect(X, t.codes, 3, form="diagonal", missing=True))
    assert_same(found, collect(step.rows(X), t.codes, 3, form="diagonal", missing=True), 1e-11)


def test_mixing_needs_products_of_features() -> None:
    with raises("N025"):
        mixes(2).moments(table(30).collect("diagonal"))


@pytest.mark.parametrize("form", FORMS)
def test_every_group_has_a_map_of_its_own(form: str) -> None:
    t = table(300)
    fold = (np.arange(300) % 3).astype(np.int32)
    m = t.collect(form, group=fold, n_groups=3)
    steps = [picks([2, 0], seed) for seed in range(3)]
    step = AffineMap(
        np.stack([s.center for s in steps]),
        np.stack([s.shift for s in steps]),
        columns=np.array([2, 0]),
        scale=np.stack([s.scale for s in steps]),
    )
    found = step.moments(m)
    for g in range(3):
        assert_same(found[g], mapped(t, steps[g]).collect(form, fold == g), 1e-11)


def test_every_group_has_a_matrix_of_its_own() -> None:
    t = table(300)
    fold = (np.arange(300) % 3).astype(np.int32)
    for form in ("pooled", "full"):
        m = t.collect(form, group=fold, n_groups=3)
        steps = [mixes(2, seed=seed) for seed in range(3)]
        step = AffineMap(*(np.stack([getattr(s, name) for s in steps]) for name in ("center", "shift")),
                         matrix=np.stack([s.matrix for s in steps]))  # fmt: skip
        found = step.moments(m)
        for g in range(3):
            assert_same(found[g], mapped(t, steps[g]).collect(form, fold == g), 1e-10)


def test_a_far_offset_is_taken_away_before_it_can_cost_digits() -> None:
    t = table(200)
    X = np.round(t.X * 2.0**10) / 2.0**10
    step = AffineMap(np.full(D, 1e8), np.zeros(D), columns=np.arange(D), scale=np.ones(D))
    for form in FORMS:
        found = step.moments(collect(X + 1e8, t.codes, 3, form=form))
        assert_same(found, collect(X, t.codes, 3, form=form), 1e-12)


@pytest.mark.parametrize("columns", PICKS, ids=str)
def test_dense_is_the_same_map(columns: list[int]) -> None:
    step = picks(columns)
    dense = AffineMap(step.center, step.shift, matrix=step.dense())
    X = table(20).X
    np.testing.assert_allclose(dense.rows(X), step.rows(X), rtol=1e-12, atol=1e-12)
    assert mixes(3).dense() is mixes(3).matrix or np.array_equal(mixes(3).dense(), mixes(3).matrix)


# -- one after the other ------------------------------------------------------------------------------------

TWO_OF_THREE = AffineMap(
    np.ones(3), np.array([0.0, 1.0]), columns=np.array([2, 0]), scale=np.array([2.0, -3.0])
)
CHAINS = {
    "pick, pick": (picks([3, 0, 1]), TWO_OF_THREE),
    "pick, mix": (picks([3, 0, 1]), mixes(5, inputs=3)),
    "mix, pick": (mixes(3), TWO_OF_THREE),
    "mix, mix": (mixes(3), mixes(2, inputs=3, seed=5)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_one_map_after_the_other_is_one_map(name: str) -> None:
    first, second = CHAINS[name]
    t = table(200)
    both = first.then(second)
    np.testing.assert_allclose(both.rows(t.X), second.rows(first.rows(t.X)), rtol=1e-11, atol=1e-10)
    assert (both.matrix is None) == (name == "pick, pick")
    for form in ("pooled", "full"):
        m = t.collect(form)
        assert_same(both.moments(m), second.moments(first.moments(m)), 1e-10)


def test_brackets_do_not_matter() -> None:
    X = table(50).X
    a, b, c = picks([3, 0, 1]), mixes(4, inputs=3), mixes(2, seed=7)
    np.testing.assert_allclose(a.then(b).then(c).rows(X), a.then(b.then(c)).rows(X), rtol=1e-10, atol=1e-9)


# -- scores before a step -----------------------------------------------------------------------------------


def forms(width: int, triangular: bool = False, seed: int = 0) -> list[Linear | Diagonal | Quadratic]:
    rng = np.random.default_rng(seed)
    mean, bias = rng.normal(size=(1, 3, width)), rng.normal(size=(1, 3))
    whitener = rng.normal(size=(1, 3, width, width))
    return [
        Linear(rng.normal(size=(1, width)), rng.normal(size=(1, 3, width)), bias),
        Diagonal(mean, rng.gamma(2.0, size=(1, 3, width)), bias),
        Quadratic(mean, np.triu(whitener) if triangular else whitener, bias, triangular),
    ]


def fitting(
    form: Linear | Diagonal | Quadratic, step: AffineMap
) -> tuple[Linear | Diagonal | Quadratic, np.ndarray]:
    """The form with means that raw class means map to, and those: the only means a model can have."""
    raw = np.random.default_rng(3).normal(size=(1, 3, D)) * 2.0
    if isinstance(form, Linear):
        return form, raw
    return replace(form, mean=step.rows(raw[0])[None]), raw


def lifted(step: AffineMap) -> AffineMap:
    """The map of a single group, with its leading axis."""
    values = {name: getattr(step, name) for name in ("center", "shift", "scale", "matrix")}
    return AffineMap(**{k: None if v is None else v[None] for k, v in values.items()}, columns=step.columns)


STEPS = {
    **{f"picks {columns}": picks(columns) for columns in PICKS if columns},
    **{f"mixes to {outputs}": mixes(outputs) for outputs in (1, 4, 6)},
}


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("triangular", [False, True])
def test_scores_before_a_step_equal_scores_after_it(name: str, kind: int, triangular: bool) -> None:
    step = STEPS[name]
    form, raw = fitting(forms(len(step.shift), triangular)[kind], step)
    X = np.random.default_rng(4).normal(size=(300, D)) * 2.0
    expected = form.scores(np.ascontiguousarray(step.rows(X)))
    before = form.behind(lifted(step), raw)
    np.testing.assert_allclose(before.scores(X), expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max())


def test_what_keeps_its_shape() -> None:
    step = lifted(picks([0, 1, 2, 3]))
    raw = np.zeros((1, 3, D))
    linear, diagonal, quadratic = forms(D, triangular=True)
    assert isinstance(linear.behind(step, raw), Linear)
    assert isinstance(diagonal.behind(step, raw), Diagonal)
    assert quadratic.behind(step, raw).triangular
    assert not quadratic.behind(lifted(picks([1, 0, 2, 3])), raw).triangular
    assert isinstance(diagonal.behind(lifted(mixes(4)), raw), Quadratic)


def test_diagonal_scores_are_quadratic_ones() -> None:
    form = forms(D)[1]
    assert isinstance(form, Diagonal)
    X = table(50).X
    np.testing.assert_allclose(form.as_quadratic().scores(X), form.scores(X), rtol=1e-12)


@given(
    st.integers(1, 5), st.integers(1, 200), st.integers(0, 1000), st.sampled_from([0, 1, 2]), st.booleans()
)
@settings(max_examples=60)
def test_every_fold_scores_its_rows_through_its_own_map(groups, n, seed, kind, dense) -> None:
    rng = np.random.default_rng(seed)
    X, fold = rng.normal(size=(n, D)), rng.integers(0, groups, n).astype(np.int32)
    steps = [mixes(3, seed=seed + g) if dense else picks([2, 0, 3], seed + g) for g in range(groups)]
    raw = rng.normal(size=(groups, 3, D))
    own = []
    for g in range(groups):
        form = forms(3, seed=seed + g)[kind]
        own.append(form if isinstance(form, Linear) else replace(form, mean=steps[g].rows(raw[g])[None]))
    names = ("center", "weights", "bias") if kind == 0 else (
        ("mean", "precision", "bias") if kind == 1 else ("mean", "whitener", "bias"))  # fmt: skip
    together = type(own[0])(*(np.concatenate([getattr(form, name) for form in own]) for name in names))
    values = {name: np.stack([getattr(s, name) for s in steps]) for name in ("center", "shift")}
    part = "matrix" if dense else "scale"
    values[part] = np.stack([getattr(s, part) for s in steps])
    before = together.behind(AffineMap(**values, columns=steps[0].columns), raw)
    found = before.scores(X, ModelPairs(None, fold))
    for g in range(groups):
        mine = fold == g
        if mine.any():
            expected = own[g].scores(np.ascontiguousarray(steps[g].rows(X[mine])))
            np.testing.assert_allclose(found[mine], expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_scores_of_a_table_read_through_a_filling(kind: int) -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(200, D))
    X[rng.random(X.shape) < 0.2] = np.nan
    filling = Filling(rng.normal(size=D), np.array([1, 3], dtype=np.int32))
    form = forms(D + 2)[kind]
    np.testing.assert_allclose(form.scores(X, filling=filling), form.scores(filling.read(X)), rtol=1e-12)


def test_marginal_scores_leave_gaps_out_and_agree_without_any() -> None:
    form = forms(D)[1]
    assert isinstance(form, Diagonal)
    X = np.random.default_rng(7).normal(size=(100, D))
    marginal = replace(form, marginal=True)
    assert np.array_equal(marginal.scores(X), form.scores(X))
    X[5, 2] = np.nan
    scores = marginal.scores(X)
    factor = 0.5 * (np.log(form.precision[0, :, 2]) - np.log(2 * np.pi))
    fewer = Diagonal(form.mean[..., [0, 1, 3]], form.precision[..., [0, 1, 3]], form.bias - factor)
    expected = fewer.scores(np.ascontiguousarray(X[:, [0, 1, 3]]))
    np.testing.assert_allclose(scores[5], expected[5], rtol=1e-12)
    assert np.isnan(form.scores(X)[5]).all()


@pytest.mark.parametrize("form", ["full", "pooled"])
def test_what_cancels_leaves_a_constant(form: str) -> None:
    """A column in which a gap was read as another value becomes constant again once its own value is put there."""
    value, read = 0.26773265, -0.74591095
    missing = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    X = np.column_stack([np.where(missing > 0, read, value), missing])
    codes = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int32)
    fill = AffineMap(np.zeros((1, 2)), np.zeros((1, 2)), matrix=np.array([[[1.0, 0.0], [value - read, 1.0]]]))
    mapped = fill.moments(collect(X, codes, 2, form=form)[None])  # type: ignore[arg-type]
    assert (mapped.scatter[..., 0, :] == 0.0).all()
    assert (mapped.scatter[..., :, 0] == 0.0).all()
    assert mapped.within_diagonal()[0, 1] > 1.0
    np.testing.assert_allclose(mapped.mean[0, :, 0], value, rtol=1e-14)


@pytest.mark.parametrize("form", ["full", "pooled"])
def test_class_means_that_cancel_to_nothing_leave_a_constant(form: str) -> None:
    """Known values are all 0, gaps were read as 29.6: filled with 0 the classes have one mean, not two of rounding."""
    read = 29.567010309278352
    missing = np.concatenate([np.zeros(5), np.ones(68)])
    X = np.where(missing > 0, read, 0.0)[:, None]
    codes = np.repeat([0, 1], [45, 28]).astype(np.int32)
    before = collect(np.column_stack([X, missing]), codes, 2, form=form)[None]  # type: ignore[arg-type]
    fill = AffineMap(np.array([[read, 0.0]]), np.array([[read]]), matrix=np.array([[[1.0], [-read]]]))
    assert deviations(fill.moments(before)).tolist() == [[0.0]]
    other = AffineMap(np.array([[read, 0.0]]), np.array([[read]]), matrix=np.array([[[1.0], [-read - 1e-6]]]))
    assert deviations(other.moments(before))[0, 0] > 1e-8  # of which this is far away
