"""Mutual information and χ² from counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from assay.numerics.information import Tables, count_bins, count_dense, count_sparse, join


def columns(seed: int, rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    levels = np.column_stack(
        [y, rng.integers(0, 5, rows), (y + rng.integers(0, 2, rows)) % 4, np.zeros(rows, int)]
    )
    return levels, y


@pytest.mark.parametrize("seed", range(3))
def test_information_is_that_of_the_contingency_table(seed: int) -> None:
    levels, y = columns(seed)
    found = count_dense(levels, y, 3).information()
    np.testing.assert_allclose(found, [mutual_info_score(c, y) for c in levels.T], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_chi_square_is_that_of_the_contingency_table(seed: int) -> None:
    levels, y = columns(seed)
    statistic, freedom = count_dense(levels, y, 3).chi_square()
    for j in range(3):
        table = np.zeros((levels[:, j].max() + 1, 3))
        np.add.at(table, (levels[:, j], y), 1)
        wanted = chi2_contingency(table, correction=False)
        assert (statistic[j], freedom[j]) == (pytest.approx(wanted.statistic), wanted.dof)
    assert (statistic[3], freedom[3]) == (pytest.approx(0.0, abs=1e-20), 0)


@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_sparse_entries_count_as_the_dense_table(scale: float) -> None:
    """Whole numbers are counted, others sorted: the tables are the same."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 300)
    dense = rng.poisson(0.2, (300, 40)) * (1 + (y == 1)[:, None])
    row, column = np.nonzero(dense)
    sparse = count_sparse(column, dense[row, column] * scale, y[row], np.bincount(y), 40)
    whole = count_dense(dense, y, 3)
    np.testing.assert_allclose(sparse.information(), whole.information(), rtol=1e-12, atol=1e-13)
    corrected = [tables.information(corrected=True) for tables in (sparse, whole)]
    np.testing.assert_allclose(*corrected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(sparse.chi_square()[0], whole.chi_square()[0], rtol=1e-9, atol=1e-12)


def test_an_exact_product_table_tells_nothing() -> None:
    counts = np.outer([1, 2, 3], [4, 5, 6])
    tables = Tables(counts, np.zeros(3, dtype=np.int64), 1)
    assert tables.information()[0] == pytest.approx(0.0, abs=1e-15)
    assert tables.chi_square()[0][0] == pytest.approx(0.0, abs=1e-12)


def test_the_correction_is_the_mean_of_columns_that_tell_nothing() -> None:
    rng = np.random.default_rng(5)
    rows, levels, classes = 500, 6, 4
    y = rng.integers(0, classes, rows)
    table = count_dense(rng.integers(0, levels, (rows, 4000)), y, classes)
    plain = table.information().mean()
    assert plain == pytest.approx((levels - 1) * (classes - 1) / (2 * rows), rel=0.05)
    uncut = table.information(corrected=True, cut=False)
    assert abs(uncut.mean()) < 4.0 * uncut.std() / np.sqrt(len(uncut)) < 0.03 * plain
    assert (uncut < 0).any()
    np.testing.assert_array_equal(table.information(corrected=True), np.maximum(uncut, 0.0))


def binned(values: Any, codes: Any, bins: int) -> Any:
    numbered = np.asarray(codes, dtype=np.int32)
    return count_bins(
        np.asarray(values, dtype=float)[:, None], numbered, int(numbered.max()) + 1, bins, 1
    ).counts


def test_bins_hold_about_as_many_rows_and_keep_equal_values_together() -> None:
    values = np.random.default_rng(6).normal(size=1000)
    assert binned(values, np.zeros(1000), 8).tolist() == [[125]] * 8
    ties = np.repeat([1.0, 2.0, 3.0], [10, 980, 10])
    found = binned(ties, ties - 1, 5)
    assert found.sum(axis=0).tolist() == [10, 980, 10] and ((found > 0).sum(axis=0) == 1).all()
    assert (binned(np.ones(7), np.zeros(7), 4) > 0).sum() == 1
    assert binned([2.0, 1.0], [0, 1], 9).tolist() == [[0, 1], [1, 0]]


def test_tables_of_some_columns_each_are_joined() -> None:
    rng = np.random.default_rng(7)
    numbers, levels = rng.normal(size=(300, 2)), rng.integers(0, 3, (300, 1))
    y = rng.integers(0, 2, 300).astype(np.int32)
    first, second = count_dense(levels, y, 2), count_bins(numbers, y, 2, 5, 1)
    found = join([(np.array([1]), first), (np.array([0, 2]), second)], 3).information()
    assert found.tolist() == [second.information()[0], first.information()[0], second.information()[1]]
