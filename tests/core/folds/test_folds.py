"""The compiled drawing kernels against their NumPy twins, and their own checks of arguments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from tests.core import folds_twin as twin

KEYS = st.integers(0, 2**64 - 1)
CODES = st.lists(st.integers(0, 5), min_size=2, max_size=120).map(
    lambda codes: np.array(codes, dtype=np.int32)
)


def run(kernel: Callable[..., None], codes: np.ndarray, *arguments: object) -> np.ndarray:
    out = np.full(codes.size, -9, dtype=np.int32)
    kernel(codes, *arguments, out)
    return out


@given(CODES, KEYS, st.integers(1, 15))
@settings(max_examples=200)
def test_folds_equal_the_twin(codes: np.ndarray, key: int, n_folds: int) -> None:
    assert np.array_equal(
        run(_core.folds.assign_folds, codes, 6, key, n_folds), twin.folds(codes, key, n_folds)
    )


@pytest.mark.parametrize("n_folds", [2, 10, 997, 20_000])
def test_folds_equal_the_twin_where_buckets_are_full(n_folds: int) -> None:
    shares = [0.9, 0.09, 0.01, 0.0]
    codes = np.random.default_rng(5).choice(4, size=60_000, p=shares).astype(np.int32)
    assert np.array_equal(
        run(_core.folds.assign_folds, codes, 4, 17, n_folds), twin.folds(codes, 17, n_folds)
    )


@given(CODES, KEYS, st.data())
@settings(max_examples=200)
def test_test_parts_equal_the_twin(codes: np.ndarray, key: int, data: st.DataObject) -> None:
    n_test = data.draw(st.integers(0, codes.size))
    assert np.array_equal(
        run(_core.folds.assign_test, codes, 6, key, n_test), twin.held_out(codes, key, n_test)
    )


@given(st.integers(2, 60), st.integers(1, 20), KEYS, st.integers(1, 6))
def test_group_folds_follow_the_greedy_rule(n: int, n_groups: int, key: int, n_folds: int) -> None:
    rng = np.random.default_rng(n * 100 + n_groups)
    codes = rng.integers(0, 3, n).astype(np.int32)
    groups = np.unique(rng.integers(0, n_groups, n), return_inverse=True)[1].astype(np.int32)
    fold = run(
        lambda c, *rest: _core.folds.assign_group_folds(c, groups, *rest),
        codes,
        3,
        int(groups.max()) + 1,
        key,
        n_folds,
    )
    shares = twin.group_shares(codes, groups)
    held = np.zeros((n_folds, shares.shape[1]))
    for g in twin.group_order(groups, key, large_first=True):
        chosen = np.unique(fold[groups == g])
        assert chosen.size == 1
        cost = held @ shares[g]
        assert cost[chosen[0]] <= cost.min() * (1 + 1e-12)
        held[chosen[0]] += shares[g]


@given(st.integers(2, 60), st.integers(2, 20), KEYS, st.data())
def test_group_tests_follow_the_greedy_rule(n: int, n_groups: int, key: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(n * 100 + n_groups)
    n_test = data.draw(st.integers(1, n - 1))
    codes = rng.integers(0, 3, n).astype(np.int32)
    groups = np.concatenate([[0, 1], rng.integers(0, n_groups, n - 2)])
    groups = np.unique(groups, return_inverse=True)[1].astype(np.int32)
    n_groups = int(groups.max()) + 1
    tested = (
        run(lambda c, *rest: _core.folds.assign_group_test(c, groups, *rest), codes, 3, n_groups, key, n_test)
        == 0
    )

    shares = twin.group_shares(codes, groups)
    wanted = np.where(shares.sum(axis=0) > 0, n_test / n, 0.0)
    held, changes, taken = np.zeros_like(wanted), {}, []
    for g in twin.group_order(groups, key, large_first=False):
        change = ((held + shares[g] - wanted) ** 2 - (held - wanted) ** 2).sum()
        changes[g] = change
        if abs(change) < 1e-12:  # rounding may decide either way
            return
        if change < 0 and len(taken) < n_groups - 1:
            held += shares[g]
            taken.append(g)
    if not taken:
        least = min(changes.values())
        assert set(groups[tested].tolist()) <= {g for g, change in changes.items() if change < least + 1e-12}
        assert len(set(groups[tested].tolist())) == 1
    else:
        assert set(groups[tested].tolist()) == set(taken)


@given(KEYS, st.integers(1, 4), st.integers(1, 50))
def test_bootstrap_counts_equal_exact_arithmetic(key: int, n_replicates: int, n: int) -> None:
    out = np.full((n_replicates, n), 9, dtype=np.uint16)
    _core.folds.bootstrap_counts(key, 0, 2, out)
    assert np.array_equal(out, twin.bootstrap(key, n_replicates, n))


@pytest.mark.parametrize("code", [-1, 3])
def test_a_code_out_of_range_is_refused(code: int) -> None:
    codes = np.array([0, 1, code, 2], dtype=np.int32)
    groups = np.array([0, 1, 1, 0], dtype=np.int32)
    for call in (
        lambda: run(_core.folds.assign_folds, codes, 3, 0, 2),
        lambda: run(_core.folds.assign_test, codes, 3, 0, 2),
        lambda: run(_core.folds.assign_group_folds, codes, groups, 3, 2, 0, 2),
        lambda: run(_core.folds.assign_group_test, codes, groups, 3, 2, 0, 2),
    ):
        with pytest.raises(ValueError, match="codes must lie in"):
            call()


@pytest.mark.parametrize("groups", [[0, 2, 2], [0, 1, -1], [0, 1, 3]])
def test_a_group_out_of_range_or_without_rows_is_refused(groups: list[int]) -> None:
    codes = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="groups fill"):
        run(_core.folds.assign_group_folds, codes, np.array(groups, dtype=np.int32), 1, 3, 0, 2)


def test_arrays_of_different_length_or_type_are_refused() -> None:
    codes = np.zeros(4, dtype=np.int32)
    with pytest.raises(ValueError, match="same length"):
        _core.folds.assign_folds(codes, 1, 0, 2, np.empty(3, dtype=np.int32))
    with pytest.raises(TypeError):
        _core.folds.assign_folds(codes.astype(np.int64), 1, 0, 2, np.empty(4, dtype=np.int32))
    with pytest.raises(ValueError, match="n_test"):
        _core.folds.assign_test(codes, 1, 0, 5, np.empty(4, dtype=np.int32))
    with pytest.raises(ValueError, match="n_folds"):
        _core.folds.assign_folds(codes, 1, 0, 0, np.empty(4, dtype=np.int32))


@given(CODES, st.integers(1, 5), st.booleans(), st.integers(0, 1000))
@settings(max_examples=200)
def test_orders_in_proportion_equal_the_twin(codes: np.ndarray, count: int, grouped: bool, seed: int) -> None:
    groups = np.random.default_rng(seed).integers(0, count, codes.size).astype(np.int32) if grouped else None
    out = np.full(codes.size, -9, dtype=np.int64)
    _core.folds.proportional_order(codes, groups, 6, count, out)
    assert out.tolist() == twin.proportional_order(codes, groups)


@pytest.mark.parametrize(
    "change",
    [
        {"codes": np.array([0, 2], dtype=np.int32)},
        {"codes": np.array([0, -1], dtype=np.int32)},
        {"groups": np.array([0, 3], dtype=np.int32)},
        {"groups": np.zeros(3, dtype=np.int32)},
        {"out": np.zeros(3, dtype=np.int64)},
        {"n_groups": 0},
    ],
)
def test_orders_in_proportion_refuse_what_does_not_fit(change: dict[str, object]) -> None:
    given = {"codes": np.zeros(2, dtype=np.int32), "groups": None, "n_classes": 2, "n_groups": 3}
    good = {**given, "out": np.zeros(2, dtype=np.int64)}
    _core.folds.proportional_order(**good)
    with pytest.raises(ValueError):
        _core.folds.proportional_order(**{**good, **change})
