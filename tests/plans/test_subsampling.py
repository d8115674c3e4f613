"""Random subsampling: independent test parts."""

from __future__ import annotations

import numpy as np
import pytest

from assay.plans import HoldOut, RandomSubsampling


def test_default_is_ten_tests_of_a_tenth() -> None:
    parts = RandomSubsampling().partitions(np.arange(200) % 4)
    assert len(parts) == 10
    for part in parts:
        assert part.test_rows(0).size == 20 and part.train_rows(0).size == 180
        assert np.bincount(part.test_rows(0) % 4).tolist() == [5, 5, 5, 5]


def test_the_first_repeat_is_hold_out() -> None:
    codes = np.arange(50) % 3
    parts = RandomSubsampling(0.3, repeats=2, random_state=9).partitions(codes)
    assert parts[0] == HoldOut(0.3, random_state=9).partitions(codes)[0]


def test_rows_are_tested_by_the_binomial_law() -> None:
    parts = RandomSubsampling(0.1, repeats=1000).partitions(np.arange(100) % 2)
    times = sum((part.fold == 0).astype(np.int64) for part in parts)
    # A row is tested in each repeat with probability 1/10: mean 100, deviation 9.5.
    assert times.sum() == 10_000
    assert np.abs(times - 100).max() < 50
    assert 5 < times.std() < 14


def test_a_tie_between_classes_is_not_always_won_by_the_same() -> None:
    codes = np.arange(20) % 2
    parts = RandomSubsampling(5, repeats=40).partitions(codes)
    winners = {int(codes[part.test_rows(0)].sum()) for part in parts}
    assert winners == {2, 3}


def test_fewer_repeats_are_a_prefix() -> None:
    codes = np.arange(40) % 2
    long = RandomSubsampling(0.2, repeats=6).partitions(codes)
    assert RandomSubsampling(0.2, repeats=3).partitions(codes) == long[:3]


@pytest.mark.parametrize(
    ("parameters", "start"),
    [
        ({"repeats": 0}, "repeats must be an integer of at least 1, not 0."),
        ({"test_size": 1.0}, "test_size must be a proportion"),
        ({"stratified": None}, "stratified must be True or False, not None."),
        ({"random_state": "a"}, "random_state='a' is not allowed"),
    ],
)
def test_bad_parameters(parameters: dict[str, object], start: str) -> None:
    with pytest.raises(ValueError) as caught:
        RandomSubsampling(**parameters)  # type: ignore[arg-type]
    assert str(caught.value).startswith(start)
