"""TfIdf is scikit-learn's, with the words of the training rows alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer

import assay
from tests.raised import Expected, raises

RNG = np.random.default_rng(3)
COUNTS = RNG.poisson(0.8, (30, 9)).astype(float)


@pytest.mark.parametrize("sublinear", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("dense", [True, False])
def test_equal_to_scikit_learn(sublinear: bool, normalize: bool, dense: bool) -> None:
    theirs = TfidfTransformer(norm="l2" if normalize else None, sublinear_tf=sublinear).fit(COUNTS[:20])
    given = COUNTS if dense else csr_array(COUNTS)
    ours = assay.TfIdf(sublinear, normalize=normalize).fit(given[:20])
    np.testing.assert_allclose(ours.idf_, theirs.idf_, rtol=1e-14)
    found = ours.transform(given)
    found = found if dense else found.toarray()
    np.testing.assert_allclose(found, theirs.transform(COUNTS).toarray(), rtol=1e-13, atol=1e-15)


def test_a_word_that_no_training_row_holds_is_not_in_the_vocabulary() -> None:
    train, test = COUNTS[:20].copy(), COUNTS[20:]
    train[:, 4] = 0.0
    with_it = assay.TfIdf().fit(train)
    without = assay.TfIdf().fit(np.delete(train, 4, axis=1))
    assert with_it.idf_[4] == 0.0
    found = with_it.transform(test)
    assert test[:, 4].any() and not found[:, 4].any()
    np.testing.assert_array_equal(np.delete(found, 4, axis=1), without.transform(np.delete(test, 4, axis=1)))


def test_rows_without_words_stay_zero_and_the_table_is_not_changed() -> None:
    rows = csr_array(np.array([[0.0, 0.0], [2.0, 1.0]]))
    before = rows.toarray()
    weighed = assay.TfIdf().fit_transform(rows)
    assert weighed.toarray()[0].tolist() == [0.0, 0.0]
    assert np.linalg.norm(weighed.toarray()[1]) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_array_equal(rows.toarray(), before)


def test_stored_zeros_are_no_words() -> None:
    X = csr_array((np.array([1.0, 0.0, 2.0]), np.array([0, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    assert assay.TfIdf().fit(X).document_counts_.tolist() == [2, 0]


def test_a_fraction_of_a_count_is_weighed_as_it_is() -> None:
    weights = assay.TfIdf(normalize=False).fit(np.array([[1.0], [1.0]]))
    assert weights.transform(np.array([[0.25], [1.0], [np.e]])).ravel().tolist() == pytest.approx(
        [0.25, 1.0, 2.0]
    )


def test_names_are_those_of_the_columns() -> None:
    frame = pd.DataFrame({"be": [1, 2], "so": [1, 0]})
    assert assay.TfIdf().fit(frame).get_feature_names_out().tolist() == ["be", "so"]
    assert assay.TfIdf().fit(csr_array(frame.to_numpy())).get_feature_names_out().tolist() == ["x0", "x1"]


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        ([[1, 0], [1, -1]], Expected("M030", owner="TfIdf", value=-1.0, row=1)),
        ([[1, 0], [1, np.inf]], Expected("M035", kind="infinity")),
    ],
)
def test_bad_input_is_one_sentence(X: Any, expected: Expected) -> None:
    with raises(expected):
        assay.TfIdf().fit(csr_array(np.asarray(X, dtype=float)))
