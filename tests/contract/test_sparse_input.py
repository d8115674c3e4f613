"""Every estimator and function that takes sparse rows refuses indices that do not fit, and reads unusual ones right."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.pipeline import make_pipeline

from assay import (
    BernoulliNB,
    Calibrated,
    ChooseWords,
    FeatureSearch,
    KFold,
    LogisticRegression,
    MultinomialNB,
    OneVsOne,
    OneVsRest,
    chi_square,
    complexity_curve,
    evaluate,
    learning_curve,
    mutual_information,
    nested,
    path,
    read_ratings,
    select_features,
    tune,
)
from assay.models.base import sparse as sparse_rows_of
from tests.contract.registry import counting_estimators, estimators, shown
from tests.raised import Expected, raises

RNG = np.random.default_rng(5)
COUNTS = RNG.poisson(0.7, (40, 6)).astype(float)
LABELS = np.repeat([0, 1], 20)
ALL = [*estimators(), *counting_estimators()]
FILLING = [e for e in ALL if getattr(e, "fills_sparse", False)]
TAKING = [e for e in ALL if getattr(e, "sparse_ok", False)] + FILLING
COMBINED = [
    OneVsRest(MultinomialNB()),
    OneVsOne(LogisticRegression()),
    Calibrated(LogisticRegression(), plan=KFold(2)),
    make_pipeline(ChooseWords(), BernoulliNB()),
    FeatureSearch(MultinomialNB(), n_features=2),
]
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": lambda X, y: evaluate(LogisticRegression(), X, y, KFold(2)).error,
    "evaluate words": lambda X, y: evaluate(MultinomialNB(), X, y, KFold(2)).error,
    "evaluate others": lambda X, y: evaluate(SklearnLogistic(), X, y, KFold(2)).error,
    "tune": lambda X, y: tune(LogisticRegression(), X, y, plan=KFold(2), l2=path(2)).losses,
    "nested": lambda X, y: nested(BernoulliNB(), X, y, plan=KFold(3), smoothing=[1.0, 0.1]).losses,
    "learning_curve": lambda X, y: learning_curve(MultinomialNB(), X, y, KFold(2), sizes=[0.5]).errors,
    "complexity_curve": lambda X, y: complexity_curve(SklearnLogistic(), X, y, KFold(2), C=[1.0]).validation,
    "select_features": lambda X, y: select_features(MultinomialNB(), X, y, n_features=2, plan=2).columns,
    "mutual_information": lambda X, y: mutual_information(X, y),
    "chi_square": lambda X, y: chi_square(X, y),
    "read_ratings": lambda X, _: read_ratings(X).value,
    **{shown(e): functools.partial(lambda e, X, y: fitted_outputs(e, X, y), e) for e in [*TAKING, *COMBINED]},
}


def fitted_outputs(estimator: Any, X: Any, y: Any) -> Any:
    """What a model fitted to the rows gives for them."""
    model = clone(estimator).fit(X, y)
    for method in ("predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            out = getattr(model, method)(X)
            return out.toarray() if sparse.issparse(out) else out
    raise AssertionError(f"{estimator!r} has no output")


SIZES = {"row": COUNTS.shape[0], "column": COUNTS.shape[1]}
ARRAYS = {  # of each format: what the entries of its arrays count
    "csr": {"indices": "column", "indptr": "Row"},
    "csc": {"indices": "row", "indptr": "Column"},
    "coo": {"row": "row", "col": "column"},
}


@pytest.mark.parametrize("estimator", FILLING, ids=shown)
def test_zeros_are_filled_in_where_there_is_room(estimator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sparse_rows = sparse.csr_array(COUNTS)
    wanted = fitted_outputs(estimator, COUNTS, LABELS)
    np.testing.assert_array_equal(fitted_outputs(estimator, sparse_rows, LABELS), wanted)
    monkeypatch.setattr(sparse_rows_of, "memory_limit", lambda: 8 * COUNTS.size - 1)
    with raises("M730", rows=len(COUNTS), columns=COUNTS.shape[1]):
        clone(estimator).fit(sparse_rows, LABELS)


def broken(kind: str) -> list[tuple[Any, Expected]]:
    """Matrices of this format whose arrays do not fit together, with what is said about them."""
    cases = []
    for name, what in ARRAYS[kind].items():
        for value in (10**9, -(10**9), 40):
            X = sparse.csr_array(COUNTS).asformat(kind)
            getattr(X, name)[7 if name != "indptr" else -1] = value
            if name == "indptr":
                expected = Expected("N017", kind=what, place=len(X.indptr) - 1, value=value)
            else:
                expected = Expected("N018", kind=what, index=value, size=SIZES[what])
            cases.append((X, expected))
    X = sparse.csr_array(COUNTS).asformat(kind)
    X.data = X.data[:-3]
    return [*cases, (X, Expected("N022", n_indices=len(X.data) + 3, n_values=len(X.data)))]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_indices_that_do_not_fit_are_refused(name: str, kind: str) -> None:
    for X, expected in broken(kind):
        with raises(expected) as caught:
            FUNCTIONS[name](X, LABELS)
        assert str(caught.value).count(". ") == 0


def test_predictions_are_checked_too() -> None:
    for estimator in [*TAKING, *COMBINED]:
        model = clone(estimator).fit(sparse.csr_array(COUNTS), LABELS)
        method = model.transform if hasattr(model, "transform") else model.predict
        for X, expected in broken("csr"):
            with raises(expected):
                method(X)


def unusual() -> dict[str, Any]:
    """The same matrix in other arrays."""
    X = sparse.csr_array(COUNTS)
    rows, columns = np.nonzero(COUNTS)
    twice = np.repeat(np.arange(len(rows)), 2)
    order = np.lexsort((-columns, rows))
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    longer = X.copy()
    longer.data, longer.indices = np.append(longer.data, 9.0), np.append(longer.indices, np.int32(0))
    return {
        "int64": wide,
        "left over": longer,
        "unsorted": sparse.csr_array((X.data[order], X.indices[order], X.indptr), shape=X.shape),
        "twice": sparse.csr_array((X.data[twice] / 2, X.indices[twice], X.indptr * 2), shape=X.shape),
        "coordinates": sparse.coo_array((X.data[twice] / 2, (rows[twice], columns[twice])), shape=X.shape),
        "columns": X.tocsc(),
        "lists": X.tolil(),
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_unusual_matrices_are_read_right(name: str) -> None:
    expected = FUNCTIONS[name](sparse.csr_array(COUNTS), LABELS)
    for kind, X in unusual().items():
        found = FUNCTIONS[name](X, LABELS)
        np.testing.assert_allclose(found, expected, atol=1e-9, err_msg=kind)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_single_precision_raises_no_warning(name: str, kind: str) -> None:
    expected = FUNCTIONS[name](sparse.csr_array(COUNTS), LABELS)
    single = sparse.csr_array(COUNTS.astype(np.float32)).asformat(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = FUNCTIONS[name](single, LABELS)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
