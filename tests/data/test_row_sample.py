"""The sample of a stream is the sample of the table, however it is cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.row_sample import RowSample, sampled_rows
from tests.commands.tables import joined, numbers, text


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(1, 40))
def test_blocks_of_any_size_give_the_same_rows(sizes: list[int], most: int) -> None:
    n = sum(sizes)
    table = joined(numbers(row=np.arange(n)), text("name", [str(i) for i in range(n)]))
    sample, first = RowSample(most), 0
    for size in sizes:
        sample.add(table.take(np.arange(first, first + size)))
        first += size
        assert len(sample._keys) <= 2 * most
    rows = sample.table()
    assert sample.n_rows == n
    if not sizes:
        assert rows is None
    else:
        assert rows["row"].tolist() == sampled_rows(n, most).tolist()
        assert rows["name"].to_pylist() == [str(i) for i in sampled_rows(n, most)]


def test_samples_look_random() -> None:
    rows = sampled_rows(100_000, 10_000)
    assert rows.mean() == pytest.approx(50_000, rel=0.02)
    # No pattern of the row number, such as classes that alternate, is sampled along with it.
    assert (rows % 2).mean() == pytest.approx(0.5, abs=0.02)
