"""Feature space: what the new columns are, that they are learned inside the folds, and what is refused."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import BSpline
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer
from sklearn.utils.estimator_checks import estimator_checks_generator

from assay import GaussianNB, KFold, LeastSquaresClassifier, Standardize, evaluate
from assay.models.base.validation import RangeError
from assay.models.features.basis import BasisExpansion
from assay.models.features.monomials import count_terms, terms
from assay.models.features.radial import _sorted_rows
from assay.models.features.splines import splines
from assay.models.linear.logistic import LogisticRegression
from tests.contract.expected_failures import NOT_RUN
from tests.contract.registry import blobs, shown
from tests.contract.sklearn_checks import name_of
from tests.noted import codes, noted
from tests.raised import Expected, raises


def squared(X: Any) -> Any:
    return X[:, 0] ** 2


def waves(X: Any) -> Any:
    return np.column_stack([np.sin(X[:, 0]), np.cos(X[:, 1])])


EXPANSIONS = [
    BasisExpansion(),
    BasisExpansion("interaction", degree=3),
    BasisExpansion("radial", n_centers=6),
    BasisExpansion("spline", degree=3, knots=4),
    BasisExpansion("functions", functions=[squared, waves]),
    BasisExpansion("functions", functions=squared, include_original=False),
]


def circle(rows: int = 400, seed: int = 0) -> tuple[Any, Any]:
    """A disc inside a ring, with a gap between them: no straight line separates them."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    radius = np.where(y == 0, 1.0, 2.0) + rng.uniform(-0.35, 0.35, rows)
    angle = rng.uniform(0, 2 * np.pi, rows)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), y


def cases() -> Iterator[Any]:
    for estimator in EXPANSIONS[:5]:
        for subject, check in estimator_checks_generator(estimator, legacy=True):
            needs = "waves" in repr(estimator) and "1feature" in name_of(check)
            if name_of(check) in NOT_RUN or needs:  # the second function reads two columns
                continue
            yield pytest.param(subject, check, id=f"{shown(estimator)}-{name_of(check)}")


@pytest.mark.parametrize(("estimator", "check"), list(cases()))
def test_scikit_learn_check(estimator: Any, check: Any) -> None:
    check(estimator)


def test_declared_parameters_are_the_signature_and_checked() -> None:
    signature = inspect.signature(BasisExpansion.__init__).parameters
    given = {name: p.default for name, p in signature.items() if name != "self"}
    assert {param.name: param.default for param in BasisExpansion.params} == given
    for name in given:
        with raises("M023", name=name, value="no such value"):
            BasisExpansion().set_params(**{name: "no such value"}).fit([[1.0], [2.0]])


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["polynomial", "interaction"])
def test_products_are_scikit_learns(kind: str, degree: int) -> None:
    X, _ = blobs()
    ours = BasisExpansion(kind, degree=degree).fit(X)
    theirs = PolynomialFeatures(degree, interaction_only=kind == "interaction", include_bias=False).fit(X)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-12)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    powers = kind == "polynomial"
    assert count_terms(4, degree, powers=powers) == len(terms(4, degree, powers=powers))


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_splines_are_a_partition_of_unity(degree: int) -> None:
    X, _ = blobs()
    expansion = BasisExpansion("spline", degree=degree, knots=6).fit(X)
    wide = np.concatenate([X, X.min(axis=0)[None] - 9, X.max(axis=0)[None] + 9])
    values = expansion.transform(wide)
    assert values.shape == (len(wide), 4 * (6 + degree - 1)) and (values >= 0).all()
    np.testing.assert_allclose(values.reshape(len(wide), 4, -1).sum(axis=2), 1.0, rtol=1e-12)
    assert (np.count_nonzero(values, axis=1) <= 4 * (degree + 1)).all()


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_splines_are_scipys(degree: int) -> None:
    knots = np.array([0.0, 0.4, 1.0, 2.5])
    x = np.linspace(0, 2.5, 101)
    full = np.r_[[0.0] * degree, knots, [2.5] * degree]
    np.testing.assert_allclose(
        splines(x, knots, degree), BSpline.design_matrix(x, full, degree).toarray(), atol=1e-12
    )


def test_a_spline_contains_its_column() -> None:
    X, _ = blobs()
    values = BasisExpansion("spline").fit_transform(X[:, :1])
    found, *_ = np.linalg.lstsq(values, X[:, 0], rcond=None)
    np.testing.assert_allclose(values @ found, X[:, 0], rtol=1e-9)


def test_knots_are_quantiles_that_know_weights() -> None:
    X = np.arange(11.0)[:, None]
    assert BasisExpansion("spline").fit(X).knots_.tolist() == [[0.0, 2.0, 5.0, 8.0, 10.0]]
    weight = np.r_[np.zeros(5), np.ones(6)]
    assert BasisExpansion("spline", knots=3).fit(X, sample_weight=weight).knots_.tolist() == [
        [5.0, 7.0, 10.0]
    ]


def test_columns_of_few_values_have_fewer_knots() -> None:
    X = np.column_stack([np.arange(20.0), np.arange(20) % 2, np.full(20, 3.0)])
    expansion = BasisExpansion("spline", degree=1, knots=5).fit(pd.DataFrame(X, columns=["a", "b", "c"]))
    assert codes(expansion.diagnostics_) == ["M401", "M402"]
    assert noted(expansion.diagnostics_, "M401", column="b", knots=2, wanted=5)
    assert noted(expansion.diagnostics_, "M402", column="c")
    assert expansion.get_feature_names_out().tolist()[5:] == ["b_spline0", "b_spline1", "c_spline0"]


def test_radial_columns_by_hand() -> None:
    X, _ = blobs()
    expansion = BasisExpansion("radial", n_centers=5, width=1.5, include_original=False).fit(X)
    assert all((X == center).all(axis=1).any() for center in expansion.centers_)
    z, c = X / X.std(axis=0), expansion.centers_ / X.std(axis=0)
    by_hand = np.exp(-((z[:, None] - c) ** 2).sum(axis=2) / (2 * 1.5**2))
    np.testing.assert_allclose(expansion.transform(X), by_hand, rtol=1e-9)
    assert expansion.transform(np.full((1, 4), 1e140)).tolist() == [[0.0] * 5]


def test_centers_know_the_seed_and_weights_but_not_the_order() -> None:
    X, _ = blobs()
    chosen = BasisExpansion("radial").fit(X).centers_
    np.testing.assert_array_equal(BasisExpansion("radial").fit(X[::-1]).centers_, chosen)
    assert not np.array_equal(BasisExpansion("radial", random_state=1).fit(X).centers_, chosen)
    weight = np.r_[np.zeros(80), np.ones(10)]
    kept = BasisExpansion("radial", n_centers=10).fit(X, sample_weight=weight).centers_
    np.testing.assert_array_equal(kept, X[80:][np.lexsort(X[80:].T[::-1])])


def test_fewer_rows_than_centers_are_reported() -> None:
    X = np.repeat([[0.0], [1.0], [3.0]], 5, axis=0)
    expansion = BasisExpansion("radial").fit(X)
    assert noted(expansion.diagnostics_, "M400", distinct=3, n_centers=10)
    assert expansion.centers_.ravel().tolist() == [0.0, 1.0, 3.0]


@pytest.mark.parametrize(
    "expansion",
    [
        BasisExpansion(),
        BasisExpansion("radial", n_centers=12, width=1.0),
        BasisExpansion("functions", functions=lambda X: X[:, 0] ** 2 + X[:, 1] ** 2),
        BasisExpansion("spline", degree=3),
    ],
    ids=lambda e: e.kind,
)
def test_a_circle_is_separated(expansion: Any) -> None:
    X, y = circle()
    plain = evaluate(LogisticRegression(l2=1e-3), X, y, KFold(5)).error
    curved = evaluate(make_pipeline(expansion, LogisticRegression(l2=1e-3)), X, y, KFold(5)).error
    assert plain > 0.3 and curved == 0.0


@pytest.mark.parametrize(
    "model", [LeastSquaresClassifier(l2=1e-3), GaussianNB(), RandomForestClassifier(10)], ids=shown
)
def test_it_stands_before_any_model(model: Any) -> None:
    X, y = circle()
    assert make_pipeline(BasisExpansion(include_original=False), model).fit(X, y).score(X, y) > 0.95


@pytest.mark.parametrize("expansion", EXPANSIONS, ids=shown)
def test_folds_learn_from_their_training_parts(expansion: Any) -> None:
    """Every fold by hand: centers and knots of the training rows, and nothing else, make the scores."""
    X, y = blobs(120, width=3, classes=2)
    plan = KFold(4, random_state=2)
    pipeline = make_pipeline(expansion, Standardize(), LeastSquaresClassifier(l2=0.1))
    found = evaluate(pipeline, X, y, plan)
    predicted = np.empty(len(y), dtype=int)
    for train, test in plan.split(X, y):
        learned = clone(expansion).fit(X[train])
        scaled = Standardize().fit(learned.transform(X[train]))
        model = LeastSquaresClassifier(l2=0.1).fit(scaled.transform(learned.transform(X[train])), y[train])
        predicted[test] = model.predict(scaled.transform(learned.transform(X[test])))
    assert found.error == pytest.approx((predicted != y).mean())


@pytest.mark.parametrize("kind", ["radial", "spline"])
def test_rows_outside_the_training_part_change_nothing(kind: str) -> None:
    X, _ = blobs()
    one = BasisExpansion(kind).fit(X[:60])
    other = X.copy()
    other[60:] *= 1000
    np.testing.assert_array_equal(
        one.transform(X[:60]), BasisExpansion(kind).fit(other[:60]).transform(X[:60])
    )


@pytest.mark.parametrize("expansion", EXPANSIONS, ids=shown)
def test_names_and_frames(expansion: Any) -> None:
    X, _ = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    plain = clone(expansion).fit(frame)
    table = clone(expansion).set_output(transform="pandas").fit_transform(frame)
    assert list(table.columns) == plain.get_feature_names_out().tolist()
    assert len(set(table.columns)) == table.shape[1]
    np.testing.assert_array_equal(table.to_numpy(), plain.transform(frame))


def test_names_of_functions() -> None:
    expansion = BasisExpansion("functions", functions=[squared, waves, lambda X: X[:, 1]]).fit(
        np.ones((3, 2))
    )
    assert expansion.get_feature_names_out().tolist()[2:] == ["squared", "waves_0", "waves_1", "function2"]


def test_another_kind_forgets_what_the_first_learned() -> None:
    X, _ = blobs()
    expansion = BasisExpansion("radial").fit(X)
    assert not expansion.data_free
    expansion.set_params(kind="spline").fit(X)
    assert not hasattr(expansion, "centers_")
    assert BasisExpansion().data_free and BasisExpansion("functions", functions=squared).data_free


BAD = {
    "wrong length": (lambda X: np.ones(3), Expected("M090", title="function0", shape=(3,), n_rows=90)),
    "a number": (lambda X: 1.0, Expected("M090", title="function0", shape=(), n_rows=90)),
    "three axes": (lambda X: np.ones((len(X), 1, 1)), Expected("M090", shape=(90, 1, 1), n_rows=90)),
    "no columns": (lambda X: np.ones((len(X), 0)), Expected("M090", shape=(90, 0), n_rows=90)),
    "nan": (
        lambda X: np.where(np.arange(len(X)) == 7, np.nan, 0.0),
        Expected("M091", title="function0", row=7),
    ),
    "inf": (lambda X: np.log(np.arange(len(X))), Expected("M091", title="function0", row=0)),
    "text": (lambda X: ["a"] * len(X), Expected("M093", title="function0", n_rows=90)),
    "error": (lambda X: X[:, 9], Expected("M093", title="function0", n_rows=90)),
    "writes": (lambda X: X.__setitem__((0, 0), 1.0), Expected("M093", title="function0", n_rows=90)),
    "looks around": (
        lambda X: X[:, 0] - X[:, 0].mean(),
        Expected("M092", title="function0"),
    ),
    "squeezes": (lambda X: X[:, :1].squeeze(), Expected("M090", shape=(), n_rows=1)),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_functions_are_named(case: str) -> None:
    function, expected = BAD[case]
    X, _ = blobs()
    with raises(expected) as caught:
        BasisExpansion("functions", functions=function).fit(X)
    assert str(caught.value).rstrip(".").count(". ") == 0


def test_bad_values_at_prediction_are_named() -> None:
    X, _ = blobs()
    expansion = BasisExpansion("functions", functions=[squared, np.log1p]).fit(np.abs(X))
    low = np.abs(X)
    low[5, 2] = -3.0
    with raises("M091", title="log1p", row=5):
        expansion.transform(low)
    growing = BasisExpansion("functions", functions=lambda X: np.ones((len(X), 1 + (X[0, 0] > 99)))).fit(X)
    with raises("M063", title="function0", n_columns=2, fitted=1):
        growing.transform(X + 100)


def test_other_bad_input_is_one_sentence() -> None:
    X, _ = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    frame.loc[3, "b"] = 1e120
    with raises("M701", RangeError, column="column 'b'", row=3, term="b^2"):
        BasisExpansion().fit(frame).transform(frame)
    frame.loc[3, "b"] = np.nan
    with raises("N028", where="row 3, column 'b'"):
        BasisExpansion("spline").fit(frame)
    with raises("M060"):
        BasisExpansion("functions").fit(X)
    with raises("M061", n_columns=1):
        BasisExpansion("interaction", include_original=False).fit(X[:, :1])
    with raises("M062", n_columns=300, n_rows=90):
        BasisExpansion(degree=6).fit(np.ones((90, 300)))
    with raises("M023", name="functions"):
        BasisExpansion("functions", functions=[]).fit(X)


def test_knots_compared_with_scikit_learns_fit() -> None:
    """The same span: both spaces fit the same curve."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 1, 201))
    target = np.sin(9 * x)
    ours = BasisExpansion("spline", degree=3, knots=6).fit_transform(x[:, None])
    theirs = SplineTransformer(
        degree=3, n_knots=6, knots=BasisExpansion("spline", knots=6).fit(x[:, None]).knots_.T
    )
    values = theirs.fit_transform(x[:, None])
    fits = [part @ np.linalg.lstsq(part, target, rcond=None)[0] for part in (ours, values)]
    np.testing.assert_allclose(fits[0], fits[1], atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_put_in_order_as_a_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2 + 3 * seed, (60, 3)).astype(float)
    order = _sorted_rows(rows)
    assert sorted(order.tolist()) == list(range(60))
    assert rows[order].tolist() == sorted(rows.tolist())
