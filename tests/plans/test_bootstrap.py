"""The bootstrap: counts, left-out rows, uniform draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.plans import Bootstrap
from tests.raised import raises


@given(st.integers(2, 200), st.integers(1, 5), st.integers(0, 2**32))
def test_every_replicate_draws_as_many_rows_as_there_are(n: int, n_replicates: int, seed: int) -> None:
    counts = Bootstrap(n_replicates, random_state=seed).multiplicities(n)
    assert counts.shape == (n_replicates, n) and counts.dtype == np.uint16
    assert (counts.sum(axis=1) == n).all()


def test_golden_counts() -> None:
    expected = [[1, 0, 0, 2, 1, 1, 3, 0], [2, 1, 0, 0, 1, 2, 1, 1]]
    assert Bootstrap(2, random_state=3).multiplicities(8).tolist() == expected


def test_sixty_three_per_cent_of_the_rows_are_drawn() -> None:
    counts = Bootstrap(200).multiplicities(5000)
    drawn = (counts > 0).mean(axis=1)
    expected = 1.0 - (1.0 - 1.0 / 5000) ** 5000
    # One replicate's share deviates by sqrt((1/e)(1 - 2/e) / n) = 0.0044.
    assert abs(drawn.mean() - expected) < 5 * 0.0044 / np.sqrt(200)
    assert 0.003 < drawn.std() < 0.006


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_draws_are_uniform(seed: int) -> None:
    counts = Bootstrap(500, random_state=seed).multiplicities(97)
    assert stats.chisquare(counts.sum(axis=0)).pvalue > 1e-4
    times = np.bincount(counts.ravel(), minlength=6)
    law = stats.binom.pmf(np.arange(5), 97, 1 / 97)
    expected = np.append(law, 1 - law.sum()) * counts.size
    assert stats.chisquare(np.append(times[:5], times[5:].sum()), expected).pvalue > 1e-4


def test_replicates_are_unrelated() -> None:
    counts = Bootstrap(50).multiplicities(2000).astype(float)
    correlation = np.corrcoef(counts) - np.eye(50)
    assert np.abs(correlation).max() < 6 / np.sqrt(2000)


def test_replicates_can_be_drawn_in_blocks() -> None:
    plan = Bootstrap(7, random_state=5)
    whole = plan.multiplicities(30)
    blocks = [plan.multiplicities(30, start=b, stop=min(b + 3, 7)) for b in (0, 3, 6)]
    assert np.array_equal(np.concatenate(blocks), whole)
    assert np.array_equal(Bootstrap(3, random_state=5).multiplicities(30), whole[:3])
    assert not np.array_equal(Bootstrap(7, random_state=6).multiplicities(30), whole)


def test_split_yields_drawn_rows_and_the_rows_left_out() -> None:
    plan = Bootstrap(10)
    for counts, (drawn, left) in zip(plan.multiplicities(25), plan.split(np.zeros((25, 3))), strict=True):
        assert np.array_equal(np.bincount(drawn, minlength=25), counts)
        assert np.array_equal(left, np.setdiff1d(np.arange(25), drawn))


def test_partitions_say_what_to_call() -> None:
    with raises("S044", TypeError):
        Bootstrap().partitions([0, 1])


def test_bad_arguments() -> None:
    with raises("S039", name="n_replicates", least=1):
        Bootstrap(0)
    with raises("N016", random_state=-1):
        Bootstrap(random_state=-1)
    with raises("S039", name="The number of rows of a bootstrap", least=2, value=1):
        Bootstrap().multiplicities(1)
    with raises("S039", name="The number of groups of a bootstrap", least=2, value=1):
        Bootstrap().multiplicities(4, ["one"] * 4)
    for start, stop in ((-1, 2), (3, 2), (0, 201)):
        with raises("S045", start=start, stop=stop, n_replicates=200):
            Bootstrap().multiplicities(5, start=start, stop=stop)


def test_groups_are_drawn_as_rows_are() -> None:
    groups = np.array([3, 3, 1, 1, 1, 7])
    plan = Bootstrap(50, random_state=2)
    of_groups = plan.multiplicities(3)
    assert np.array_equal(plan.multiplicities(6, groups), of_groups[:, [1, 1, 0, 0, 0, 2]])
    for counts, (drawn, left) in zip(of_groups, plan.split(np.zeros((6, 1)), groups=groups), strict=True):
        assert len(drawn) == counts @ [3, 2, 1]
        assert set(groups[left]) == set(np.array([1, 3, 7])[counts == 0])
