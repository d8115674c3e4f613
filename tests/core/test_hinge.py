"""The augmented hinge along a line, against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from assay import _core


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 1003])
@pytest.mark.parametrize("length", [0.0, 1.0, 0.3])
def test_sums_along_a_line(rows: int, length: float) -> None:
    rng = np.random.default_rng(rows)
    t, bent, c = rng.normal(0.5, 2.0, rows), rng.normal(size=rows), rng.uniform(size=rows)
    m = t - length * bent
    p = np.clip(m, 0.0, 1.0)
    expected = float((c * p) @ (m - p / 2)), float((c * p) @ bent)
    assert _core.hinge_line(t, bent, c, length) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("short", ["bent", "c"])
def test_arrays_that_do_not_fit(short: str) -> None:
    given = {"t": np.zeros(5), "bent": np.zeros(5), "c": np.zeros(5), short: np.zeros(4)}
    with pytest.raises(ValueError, match="do not fit"):
        _core.hinge_line(**given, length=1.0)
