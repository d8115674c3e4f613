"""Maps of decisions: grids, other columns, directions, and lines that are where classes change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import MultinomialNB as TheirMultinomial
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from assay import (
    BernoulliNB,
    Calibrated,
    CategoricalNB,
    ComplementNB,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    MixedNB,
    MultinomialNB,
    OneVsRest,
    SelectColumns,
    Standardize,
)
from assay.models.inspection import plane as plane_rows
from assay.models.inspection.plane import counts_only
from assay.models.inspection.region_map import region_map
from assay.models.linear.perceptron import Perceptron
from assay.models.naive_bayes.poisson import PoissonNB
from tests.contract.registry import shown
from tests.raised import Expected, raises

X, Y = load_iris(return_X_y=True)
NAMES = ["sl", "sw", "pl", "pw"]


def test_a_point_of_the_map_is_what_the_model_says_there() -> None:
    model = GaussianClassifier("full").fit(X, Y)
    drawn = region_map(model, X, features=(2, 0), resolution=11)
    row = X.mean(axis=0)
    row[2], row[0] = drawn.x[7], drawn.y[3]
    assert drawn.classes[drawn.codes[3, 7]] == model.predict([row])[0]
    assert drawn.posterior is not None and drawn.scores is not None
    np.testing.assert_allclose(drawn.posterior[3, 7], model.predict_proba([row])[0], atol=1e-12)
    np.testing.assert_allclose(drawn.scores[3, 7], model.decision_function([row])[0], rtol=1e-9)
    assert drawn.x[0] < X[:, 2].min() and drawn.x[-1] > X[:, 2].max()
    assert drawn.lines == () and drawn.names == ("column 2", "column 0")


@pytest.mark.parametrize(
    "model",
    [GaussianClassifier("shared"), FisherDiscriminant(), Perceptron("pocket"), TheirLogistic(max_iter=1000)],
)
def test_lines_run_where_the_class_changes(model: Any) -> None:
    drawn = region_map(model.fit(X, Y), X, features=(2, 3))
    assert drawn.lines
    for line in drawn.lines:
        middle = line.ends.mean(axis=0)
        assert line.normal @ middle + line.constant == pytest.approx(0.0, abs=1e-9)
        step = 1e-6 * line.normal / np.linalg.norm(line.normal)
        sides = np.stack([middle - step, middle + step])
        rows = drawn.origin + sides @ drawn.directions
        assert model.predict(rows).tolist() == list(line.classes)
        inside = (line.ends >= [drawn.x[0], drawn.y[0]]) & (line.ends <= [drawn.x[-1], drawn.y[-1]])
        assert (
            inside
            | np.isclose(line.ends, [drawn.x[0], drawn.y[0]])
            | np.isclose(line.ends, [drawn.x[-1], drawn.y[-1]])
        ).all()


def test_two_classes_have_one_line() -> None:
    model = GaussianClassifier("shared").fit(X[50:, 2:], np.array(["c", "v"])[Y[50:] - 1])
    drawn = region_map(model, X[50:, 2:])
    (line,) = drawn.lines
    assert line.classes == ("c", "v")
    np.testing.assert_allclose(line.normal, model.coef_[0])
    assert line.constant == pytest.approx(model.intercept_[0])


def test_rows_of_coef_that_mean_pairs_give_no_lines() -> None:
    assert region_map(SVC(kernel="linear").fit(X, Y), X).lines == ()
    assert region_map(make_pipeline(Standardize(), GaussianNB()).fit(X, Y), X).lines == ()


def test_other_columns_stay_where_they_are_told() -> None:
    model = GaussianClassifier("shared").fit(X, Y)
    far = region_map(model, X, at=[0.0, 0.0, 6.5, 2.4], resolution=20)
    assert (far.codes == 2).all()
    named = region_map(
        model, pd.DataFrame(X, columns=NAMES), ("sl", "sw"), at={"pl": 6.5, "pw": 2.4}, resolution=20
    )
    assert np.array_equal(named.codes, far.codes) and named.names == ("sl", "sw")


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda X, columns: pl.DataFrame(X, schema=columns)])
def test_frames_without_a_warning(frame: Any) -> None:
    rows = frame(X, columns=NAMES)
    model = GaussianClassifier("shared").fit(rows, Y)
    expected = region_map(GaussianClassifier("shared").fit(X, Y), X, (2, 3), resolution=20)
    assert np.array_equal(region_map(model, rows, ("pl", "pw"), resolution=20).codes, expected.codes)
    assert region_map(model, features=("pl", "pw"), resolution=20).codes.shape == (20, 20)


def test_directions() -> None:
    fisher = FisherDiscriminant().fit(X, Y)
    drawn = region_map(fisher, X, features=fisher.scalings_.T, resolution=30)
    rows = drawn.rows()
    assert rows.shape == (900, 4) and drawn.names == ("direction 1", "direction 2")
    assert np.array_equal(drawn.codes.ravel(), np.searchsorted(fisher.classes_, fisher.predict(rows)))
    np.testing.assert_allclose(drawn.origin, X.mean(axis=0))


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
def test_moments_say_how_far_the_map_reaches(covariance: str) -> None:
    drawn = region_map(GaussianClassifier(covariance).fit(X, Y), resolution=5)
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    np.testing.assert_allclose(drawn.origin[2:], mean[2:])
    assert drawn.x[0] == pytest.approx(mean[0] - 3.48 * deviation[0])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"resolution": 1}, Expected("M123")),
        ({"features": (0,)}, Expected("M118")),
        ({"features": (0, 0)}, Expected("M122")),
        ({"features": (0, 4)}, Expected("M117", last=3)),
        ({"features": ("a", "b")}, Expected("M704", key="a")),
        ({"features": np.ones((2, 4))}, Expected("M119")),
        ({"at": [1.0, 2.0]}, Expected("M116", n_center=4)),
        ({"X": X[:, :3]}, Expected("M120", shape=3, width=4)),
        ({"X": np.where(X > 7.8, np.nan, X)}, Expected("N028", where="row 131, column 0")),
    ],
)
def test_bad_input(options: dict[str, Any], expected: Expected) -> None:
    model = GaussianClassifier("shared").fit(X, Y)
    with raises(expected):
        region_map(model, **{"X": X} | options)


def test_a_model_without_moments_needs_rows() -> None:
    with raises("M115"):
        region_map(Perceptron(epochs=2).fit(X, Y))


COUNTS = np.round(4.0 * X)


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        *(
            (model, COUNTS)
            for model in (MultinomialNB(), ComplementNB(), TheirMultinomial(), CategoricalNB())
        ),
        (CategoricalNB(unseen="refuse"), COUNTS.astype(int)),
        (BernoulliNB(threshold=9.0), COUNTS),
        (OneVsRest(MultinomialNB()), COUNTS),
        (Calibrated(MultinomialNB()), COUNTS),
        (make_pipeline(SelectColumns([1, 2, 3]), MultinomialNB()), COUNTS),
        (PoissonNB(), COUNTS),
        (MixedNB(kinds={"x2": "count", "x3": "count"}), COUNTS),
    ],
    ids=lambda value: "" if isinstance(value, np.ndarray) else shown(value),
)
def test_models_of_counts_and_levels(model: Any, rows: Any) -> None:
    """They are asked about rows that they can read: in two columns, and in two directions that lead below 0."""
    model.fit(rows, Y)
    drawn = region_map(model, rows, features=(2, 3), resolution=25)
    assert (model.predict(rows) == Y).mean() > 0.6 and len(np.unique(drawn.codes)) >= 2
    if counts_only(model):
        assert drawn.x[0] >= 0 and drawn.y[0] >= 0
    steep = np.array([[1.0, -1.0, 2.0, 1.0], [-1.0, 1.0, 0.5, -0.5]])
    turned = region_map(model, rows, features=steep, resolution=25)
    assert turned.rows().min() < 0 and turned.codes.shape == (25, 25)
    with raises("M115"):
        region_map(model)


def test_lines_of_a_model_of_counts_run_where_the_class_changes() -> None:
    drawn = region_map(MultinomialNB().fit(COUNTS, Y), COUNTS, features=(2, 3), resolution=60)
    assert [line.classes for line in drawn.lines] == [(0, 1), (1, 2)]


@pytest.mark.parametrize("features", [(2, 3), np.eye(4)[2:]])
def test_sparse_rows(features: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = MultinomialNB().fit(sparse.csr_array(COUNTS), Y)
    full = region_map(model, COUNTS, features, resolution=12)
    monkeypatch.setattr(plane_rows, "BLOCK", 40)  # a few rows at a time
    compressed = region_map(model, sparse.csr_array(COUNTS), features, resolution=12)
    assert np.array_equal(compressed.codes, full.codes) and compressed.posterior is not None
    np.testing.assert_allclose(compressed.posterior, full.posterior, rtol=1e-9)
