"""What splits of every scheme have in common, asserted."""

from __future__ import annotations

import numpy as np

from assay.sharing.splits import ROOT, Splits


def check_splits(splits: Splits, covering: bool = True) -> None:
    """Assert the invariants; `covering`: inner tests reach every training row of their parent."""
    _check_shapes(splits)
    if splits.row_by_row:
        return
    everyone = np.arange(splits.cell.shape[1])
    saw = splits.copies_in(np.arange(splits.n_models), splits.cell)  # (M, N)
    of_test = np.array([np.isin(everyone, splits.test_rows(t)) for t in range(splits.n_tests)]).reshape(
        -1, len(everyone)
    )
    training = splits.parent == splits.model  # tests of training rows
    for t in range(splits.n_tests):
        seen = saw[splits.model[t]] > 0
        assert np.array_equal(of_test[t], seen) if training[t] else not (of_test[t] & seen).any(), t
    for p in set(splits.parent[~training].tolist()) - {ROOT}:
        inside = np.flatnonzero((splits.parent == p) & ~training)
        outside = of_test[(splits.model == p) & ~training].any(axis=0)
        assert (saw[splits.model[inside]] <= saw[p]).all() and not of_test[inside][:, outside].any(), p
        of = np.stack([splits.layer[splits.model[inside]], splits.series[inside]])
        for repeat in np.unique(of, axis=1).T:
            times = of_test[inside[(of == repeat[:, None]).all(axis=0)]].sum(axis=0)
            assert (times <= 1).all() and (not covering or np.array_equal(times > 0, saw[p] > 0)), p
    if splits.deeper is not None:
        _check_deeper(splits, splits.deeper())


def _check_shapes(splits: Splits) -> None:
    layers, models, tests, cells = splits.n_layers, splits.n_models, splits.n_tests, splits.n_cells
    assert splits.cell.ndim == 2 and splits.cell.min(initial=0) >= -1 and splits.cell.max(initial=0) < cells
    for place, length, least, size in (
        (splits.layer, models, 0, layers),
        (splits.model, tests, 0, models),
        (splits.parent, tests, ROOT, models),
        (splits.series, tests, 0, tests),
    ):
        assert place.shape == (length,) and place.dtype == np.int32
        assert not length or (place.min() >= least and place.max() < size)
    if splits.row_by_row:
        assert layers == 1 and models == tests and np.array_equal(np.sort(splits.cell[0]), np.arange(models))
    else:
        assert splits.copies.shape == (models, cells) and splits.copies.dtype == np.uint16
        assert splits.tested.shape == (tests, cells) and splits.tested.dtype == bool


def _check_deeper(splits: Splits, deeper: Splits) -> None:
    """Deeper splits begin with the same models and tests, on the same cells, or finer ones."""
    models, tests = np.arange(splits.n_models), splits.n_tests
    assert np.array_equal(deeper.copies_in(models, deeper.cell), splits.copies_in(models, splits.cell))
    for now, before in (
        (deeper.model, splits.model),
        (deeper.parent, splits.parent),
        (deeper.series, splits.series),
    ):
        assert np.array_equal(now[:tests], before)
    for t in range(tests):
        assert np.array_equal(deeper.test_rows(t), splits.test_rows(t))
    assert deeper.n_models > len(models) and set(splits.model) <= set(deeper.parent)
    if splits.rule:
        assert deeper.cell is splits.cell
