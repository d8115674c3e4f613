"""The counter-based hash: golden values, equality of its three forms, uniformity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay import _core
from assay.numerics.row_hash import BOOTSTRAP, FOLDS, absorb, fold_key, row_hashes, stream_key

WORDS = st.integers(0, 2**64 - 1)

# The first five outputs of SplitMix64 seeded with 0, as published with the generator.
SPLITMIX = [
    0xE220A8397B1DCDAF,
    0x6E789E6AA1B965F4,
    0x06C45D188009454F,
    0xF88BB8A8724C81EC,
    0x1B39896A51A8749B,
]


def compiled(key: int, n: int) -> np.ndarray:
    out = np.empty(n, dtype=np.uint64)
    _core.folds.row_hashes(key, out)
    return out


def test_the_hash_under_key_zero_is_splitmix64() -> None:
    assert [absorb(0, i) for i in range(5)] == SPLITMIX
    assert row_hashes(0, np.arange(5)).tolist() == SPLITMIX
    assert compiled(0, 5).tolist() == SPLITMIX


def test_golden_keys_keep_folds_the_same_in_every_release() -> None:
    assert fold_key(0, 0) == 0x238275BC38FCBE91
    assert fold_key(20240229, 3) == 0xBD7F8E7FDDD00B96
    assert stream_key(7, BOOTSTRAP) == 0x64FB272CC21AD71C


@given(WORDS)
def test_compiled_numpy_and_integer_forms_agree(key: int) -> None:
    expected = [absorb(key, i) for i in range(20)]
    assert row_hashes(key, np.arange(20)).tolist() == expected
    assert compiled(key, 20).tolist() == expected


def test_rows_may_be_hashed_in_blocks_and_in_any_order() -> None:
    whole = row_hashes(99, np.arange(1000))
    rows = np.random.default_rng(0).permutation(1000)
    assert np.array_equal(row_hashes(99, rows), whole[rows])


def test_no_two_rows_share_a_hash() -> None:
    assert np.unique(row_hashes(fold_key(1, 1), np.arange(200_000))).size == 200_000


@pytest.mark.parametrize("seed", [0, 1, 2, 2**64 - 1])
@pytest.mark.parametrize("bits", ["top", "bottom"])
def test_hashes_of_consecutive_rows_are_uniform(seed: int, bits: str) -> None:
    hashes = row_hashes(fold_key(seed, 0), np.arange(100_000))
    cell = hashes >> np.uint64(56) if bits == "top" else hashes & np.uint64(255)
    assert stats.chisquare(np.bincount(cell.astype(np.int64), minlength=256)).pvalue > 1e-4


def test_neighbouring_seeds_repeats_and_streams_are_unrelated() -> None:
    keys = [fold_key(0, 0), fold_key(1, 0), fold_key(0, 1), stream_key(0, FOLDS), stream_key(0, BOOTSTRAP)]
    columns = np.array([row_hashes(key, np.arange(20_000)) / 2.0**64 for key in keys])
    correlation = np.corrcoef(columns) - np.eye(len(keys))
    assert np.abs(correlation).max() < 5.0 / np.sqrt(20_000)


def test_seeds_may_be_integers_of_numpy() -> None:
    for kind in (np.int64, np.int32, np.uint8):
        assert stream_key(kind(3), 7) == stream_key(3, 7)
