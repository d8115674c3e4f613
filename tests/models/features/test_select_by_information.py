"""What columns tell about the class, and the filters that use it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_selection import mutual_info_classif
from sklearn.pipeline import make_pipeline

import assay
from assay import DropRare, GaussianNB, KFold, SelectByInformation, chi_square, evaluate, mutual_information
from tests.noted import noted
from tests.raised import Expected, raises


def words(rows: int = 400, width: int = 60, seed: int = 0) -> tuple[csr_array, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    rate = np.full((3, width), 0.1)
    rate[0, 0] = rate[1, 1] = rate[2, 2] = 1.5
    return csr_array(rng.poisson(rate[y]).astype(float)), np.array(["a", "b", "c"])[y]


def test_sparse_counts_as_scikit_learn_counts_them() -> None:
    X, y = words()
    found = mutual_information(X, y, corrected=False)
    np.testing.assert_allclose(
        found, mutual_info_classif(X, y, discrete_features=True), rtol=1e-10, atol=1e-12
    )
    dense = mutual_information(X.toarray(), y, kind="discrete", corrected=False)
    np.testing.assert_allclose(found, dense, rtol=1e-10, atol=1e-13)
    presence = mutual_information((X > 0).astype(float), y, corrected=False)
    np.testing.assert_allclose(
        mutual_information(X, y, kind="presence", corrected=False), presence, atol=1e-13
    )


def test_stored_zeros_are_zeros() -> None:
    X, y = words(80, 5)
    more = X.copy()
    more.data[::3] = 0.0
    cleaned = more.copy()
    cleaned.eliminate_zeros()
    assert np.array_equal(mutual_information(more, y), mutual_information(cleaned, y))


def test_continuous_columns_are_binned_and_planted_ones_lead() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 6))
    y = (X[:, 4] + 0.3 * rng.normal(size=3000) > 0).astype(int)
    found = mutual_information(X, y)
    assert found.argmax() == 4 and found[4] > 0.3
    others = np.delete(found, 4)
    assert others.max() < 0.01
    assert mutual_information(X, y, bins=2)[4] < found[4]


def test_columns_of_different_kinds_are_told_as_if_each_stood_alone() -> None:
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, 700)
    X = np.stack(
        [rng.normal(y), rng.poisson(1.0 + y), rng.normal(size=700), rng.integers(0, 90, 700)], axis=1
    )
    together = mutual_information(X, y)
    assert together.tolist() == [mutual_information(X[:, [j]], y)[0] for j in range(4)]
    assert np.array_equal(together, mutual_information(np.asfortranarray(X), y))
    discrete = mutual_information(X, y, kind="discrete", corrected=False)
    assert discrete[1] == mutual_information(X[:, [1]], y, corrected=False)[0] and discrete[3] > together[3]


def test_chi_square_tells_chance() -> None:
    X, y = words()
    found = chi_square(X, y)
    assert (found.p_value[:3] < 1e-10).all() and found.p_value[3:].min() > 1e-6
    assert chi_square(np.ones((10, 1)), [0, 1] * 5).p_value.tolist() == [1.0]


@pytest.mark.parametrize("dense", [False, True])
def test_the_columns_that_tell_most_are_kept(dense: bool) -> None:
    X, y = words()
    rows = X.toarray() if dense else X
    model = SelectByInformation(3).fit(rows, y)
    assert model.positions_.tolist() == [0, 1, 2] == model.get_support(indices=True).tolist()
    kept = model.transform(rows)
    assert kept.shape == (400, 3) and (kept != rows[:, :3]).sum() == 0
    assert model.get_feature_names_out().tolist() == ["x0", "x1", "x2"]
    assert noted(model.diagnostics_, "M403", kept=3, n_columns=60)


def test_selection_inside_the_folds_learns_nothing_from_noise() -> None:
    """With the whole table's best columns the error would be far below a half."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(120, 2000)), np.arange(120) % 2
    inside = evaluate(make_pipeline(SelectByInformation(10), GaussianNB()), X, y, KFold(5, random_state=0))
    assert inside.error > 0.38
    chosen = SelectByInformation(10).fit_transform(X, y)
    assert evaluate(GaussianNB(), chosen, y, KFold(5, random_state=0)).error < 0.3


def test_rare_and_nearly_constant_words_go() -> None:
    X = np.zeros((1000, 4))
    X[0, 0] = X[:2, 1] = X[:999, 2] = 1.0
    X[:, 3] = np.linspace(0.0, 5.0, 1000)  # no word: it stays
    assert DropRare().fit(X).positions_.tolist() == [1, 3]
    assert DropRare().fit(csr_array(X)).positions_.tolist() == [1]
    with raises("M523", rare=2, common=1, min_share=0.01, max_share=0.999):
        DropRare(0.01).fit(X[:, :3])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda X, y: mutual_information(X, y, kind="guess"), Expected("M068", kind="guess")),
        (
            lambda X, y: mutual_information(X, y, bins=1),
            Expected("M069", bins=1),
        ),
        (lambda X, y: mutual_information(X, y, bins=2.5), Expected("M069", bins=2.5)),
        (lambda X, y: chi_square(X, y, bins="many"), Expected("M069", bins="many")),
        (lambda X, y: chi_square(X, None), Expected("M067")),
        (lambda X, y: SelectByInformation(2).fit(X, None), Expected("M031", kind="SelectByInformation")),
        (lambda X, y: SelectByInformation(2).fit(X, y[:5]), Expected("M032", n_rows=20, n_labels=5)),
        (
            lambda X, y: SelectByInformation(2, bins=1).fit(X, y),
            Expected("M023", owner="SelectByInformation", name="bins", value=1),
        ),
        (
            lambda X, y: DropRare(-0.1).fit(X),
            Expected("M023", owner="DropRare", name="min_share", value=-0.1),
        ),
        (lambda X, y: DropRare().fit(0 * X), Expected("M523", rare=3, common=0, min_share=0.001)),
        (lambda X, y: mutual_information(csr_array(X), y, kind="binned"), Expected("M070")),
        (
            lambda X, y: mutual_information(np.where(X > 0, np.nan, X), y),
            Expected("N028", where="row 0, column 0"),
        ),
        (lambda X, y: DropRare(0.5, 0.5).fit(X), Expected("M071")),
        (lambda X, y: SelectByInformation(0).fit(X, y), Expected("M023", name="count")),
        (lambda X, y: DropRare().fit(np.where(X > 0, np.inf, X)), Expected("N026", where="row 0, column 0")),
    ],
)
def test_bad_input_is_one_sentence(call: object, expected: Expected) -> None:
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    with raises(expected):
        call(X, y)  # type: ignore[operator]


def test_names_of_a_frame_are_kept() -> None:
    pandas = pytest.importorskip("pandas", reason="frames need pandas")
    frame = pandas.DataFrame({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10})
    model = assay.SelectByInformation(1).fit(frame, frame["b"])
    assert model.get_feature_names_out().tolist() == ["b"]
