"""Counts: merge, complement and downdate are exact for whole numbers, whatever the groups and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from assay.statistics import Counts, count_levels, count_words
from assay.statistics.counts import stack
from tests.raised import raises

N_LEVELS = [3, 1, 4]


def levels(rng: Any, rows: int) -> Any:
    """Codes with some missing."""
    return np.stack([rng.integers(-1, size, rows) for size in N_LEVELS], axis=1).astype(np.int32)


def twin(codes: Any, classes: Any, weight: Any, n_classes: int = 2) -> Any:
    out = np.zeros((n_classes, sum(N_LEVELS)))
    first = np.cumsum([0, *N_LEVELS])
    for row, k, w in zip(codes, classes, weight, strict=True):
        for j, code in enumerate(row):
            if code >= 0:
                out[k, first[j] + code] += w
    return out


def same(one: Counts, two: Counts) -> None:
    for name, values in one.to_arrays().items():
        np.testing.assert_array_equal(values, two.to_arrays()[name], err_msg=name)
        assert values.dtype == two.to_arrays()[name].dtype, name


WEIGHTS = st.sampled_from(["none", "whole", "fractions"])


def weights(kind: str, rng: Any, rows: int) -> Any:
    if kind == "none":
        return None
    return rng.integers(0, 4, rows).astype(float) if kind == "whole" else rng.uniform(0, 2, rows)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(0, 60), kind=WEIGHTS)
@settings(max_examples=60)
def test_levels_are_counted_as_by_hand(seed: int, rows: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    codes, classes, weight = levels(rng, rows), rng.integers(0, 2, rows), weights(kind, rng, rows)
    found = count_levels(codes, classes, 2, N_LEVELS, weight=weight)
    plain = np.ones(rows) if weight is None else weight
    np.testing.assert_allclose(found.counts, twin(codes, classes, plain), rtol=1e-12)
    np.testing.assert_allclose(found.weight, np.bincount(classes, plain, 2), rtol=1e-12)
    assert found.rows.tolist() == np.bincount(classes[plain > 0], minlength=2).tolist()
    assert found.exact == (kind != "fractions" or rows == 0 or not plain.any())


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 60), folds=st.integers(1, 6), kind=WEIGHTS)
@settings(max_examples=60)
def test_training_counts_of_every_fold_come_from_one_pass(
    seed: int, rows: int, folds: int, kind: str
) -> None:
    """The merge of the other folds is what counting the training rows again gives, for levels and words."""
    rng = np.random.default_rng(seed)
    codes, classes, weight = levels(rng, rows), rng.integers(0, 2, rows), weights(kind, rng, rows)
    words = sparse.csr_array(rng.poisson(0.7, (rows, 5)).astype(float))
    fold = rng.integers(0, folds, rows)
    cells = count_levels(codes, classes, 2, N_LEVELS, group=fold, n_groups=folds, weight=weight)
    documents = count_words(words, classes, 2, group=fold, n_groups=folds, weight=weight)
    thin = Counts(documents.weight, documents.rows, sparse.csr_array(documents.counts.reshape(-1, 5)))
    for f in range(folds):
        train = fold != f
        part = None if weight is None else weight[train]
        again = count_levels(codes[train], classes[train], 2, N_LEVELS, weight=part)
        read = count_words(words[train], classes[train], 2, weight=part)
        for shared, refitted in ((cells, again), (documents, read), (thin, read)):
            found = shared.complement()[f].dense()
            if kind == "fractions":
                np.testing.assert_allclose(
                    found.counts.reshape(2, -1), refitted.counts, rtol=1e-9, atol=1e-12
                )
                np.testing.assert_allclose(found.weight, refitted.weight, rtol=1e-9)
            else:
                np.testing.assert_array_equal(found.counts.reshape(2, -1), refitted.counts)
                np.testing.assert_array_equal(found.weight, refitted.weight)
                assert found.exact
            np.testing.assert_array_equal(found.rows, refitted.rows)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(2, 50), kind=st.sampled_from(["none", "whole"]))
@settings(max_examples=60)
def test_what_leaves_restores_the_counts_before_to_the_bit(seed: int, rows: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    codes, classes, weight = levels(rng, rows), rng.integers(0, 2, rows), weights(kind, rng, rows)
    cut = rows // 2

    def part(where: slice) -> Counts:
        given_weight = None if weight is None else weight[where]
        return count_levels(codes[where], classes[where], 2, N_LEVELS, weight=given_weight)

    first, second = part(slice(0, cut)), part(slice(cut, rows))
    together = first.merge(second)
    same(together, part(slice(0, rows)))
    same(together.without(second), first)
    same(together.without(first), second)


def test_fractions_leave_no_dust() -> None:
    codes, weight = np.array([[0], [1], [1]]), np.array([0.1, 0.2, 0.7])
    whole = count_levels(codes, [0, 0, 1], 2, [2], weight=weight)
    part = count_levels(codes[1:2], [0], 2, [2], weight=weight[1:2])
    left = whole.without(part)
    assert left.counts[0, 1] == 0.0 and left.rows.tolist() == [1, 1]
    assert whole.without(whole).weight.tolist() == [0.0, 0.0]


def test_more_than_was_counted_cannot_leave() -> None:
    one = count_levels([[0], [1]], [0, 1], 2, [2])
    with raises("N031", category=0):
        one.without(count_levels([[0], [0]], [0, 0], 2, [2]))


def test_counts_of_other_shapes_do_not_merge() -> None:
    with raises("N030", n_levels=2, other_levels=3):
        count_levels([[0]], [0], 2, [2]).merge(count_levels([[0]], [0], 2, [3]))


def test_groups_classes_and_columns_are_selected_and_placed() -> None:
    cells = count_levels([[0], [1], [1]], [0, 1, 1], 2, [2], group=[0, 0, 1], n_groups=2)
    assert cells.together().counts.tolist() == [[1, 0], [0, 2]]
    assert cells[1].counts.tolist() == [[0, 0], [0, 1]]
    assert cells[0].select([1]).counts.tolist() == [[0], [1]]
    assert cells[0].placed(np.array([2, 0]), 3).counts.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert cells[0].reclassed(np.array([0, 2]), 3).counts.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert cells[0].of_classes(np.array([1])).counts.tolist() == [[0, 1]]


def test_sparse_cells_are_the_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    X = sparse.csr_array(rng.poisson(0.3, (80, 40)))
    classes, fold = rng.integers(0, 3, 80), rng.integers(0, 4, 80)
    dense = count_words(X, classes, 3, group=fold, n_groups=4)
    monkeypatch.setattr("assay.statistics.counting.MOST_DENSE", 0)
    thin = count_words(X, classes, 3, group=fold, n_groups=4)
    assert thin.sparse and not dense.sparse and thin.exact
    same(thin, dense)
    same(thin.complement(2), dense.complement(2))
    same(thin.together(), dense.together())
    same(thin.select([1, 5]), dense.select([1, 5]))
    same(thin.merge(thin), dense.merge(dense))
    same(stack([thin[1], thin[2]]), dense[1:3])
    same(thin.without(thin), dense.without(dense))


@pytest.mark.parametrize("binary", [False, True])
def test_words_are_sums_of_columns(binary: bool) -> None:
    rng = np.random.default_rng(5)
    X, classes = rng.poisson(0.8, (30, 7)), rng.integers(0, 3, 30)
    values = X > 0 if binary else X
    expected = [values[classes == k].sum(axis=0).tolist() for k in range(3)]
    for form in (X, X.astype(np.float32), sparse.csr_array(X), sparse.csr_matrix(X)):
        found = count_words(form, classes, 3, binary=binary)
        assert found.counts.tolist() == expected and found.exact


def test_arrays_there_and_back() -> None:
    counts = count_levels([[0], [1]], [0, 1], 2, [2], weight=[0.5, 1.0])
    same(Counts.from_arrays(counts.to_arrays()), counts)
    with raises("N032"):
        Counts.from_arrays({"weight": np.ones(2)})
    with raises("N033"):
        Counts.from_arrays({**counts.to_arrays(), "rows": np.ones(3)})


def test_codes_beyond_their_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="beyond the levels"):
        count_levels([[2]], [0], 1, [2])
    with raises("N029", n_first=2):
        count_levels([[0]], [0], 1, [2, 2])


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(8)
    codes, classes, weight = levels(rng, 5000), rng.integers(0, 2, 5000), rng.random(5000)
    one, two = (count_levels(codes, classes, 2, N_LEVELS, weight=weight, threads=jobs) for jobs in (1, 3))
    same(one, two)
