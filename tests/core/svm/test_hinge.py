"""The augmented hinge along a line, against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from assay import _core


def rows(n: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    return {"y": y, "c": rng.uniform(size=n) / n, "f": rng.normal(size=n), "alpha": rng.uniform(size=n)}


def lagrangian(given: dict[str, np.ndarray], f: np.ndarray, sigma: float) -> float:
    t = given["alpha"] + sigma * (1.0 - given["y"] * f)
    return float(given["c"] @ (t**2 - (t - np.clip(t, 0.0, 1.0)) ** 2)) / (2.0 * sigma)


@pytest.mark.parametrize("sigma", [1.0, 50.0])
@pytest.mark.parametrize("seed", range(4))
def test_moves_of_rows_near_the_margin(sigma: float, seed: int) -> None:
    """The function falls, its slope is a half or less, and what is told of the rows is theirs."""
    given = rows(300, seed)
    y, c, alpha, first = given["y"], given["c"], given["alpha"], given["f"]
    found = _core.svm.HingeRows(**given, sigma=sigma)
    f, p = first.copy(), np.clip(alpha + sigma * (1.0 - y * first), 0.0, 1.0)
    np.testing.assert_array_equal(found.multipliers(), p)
    for turn in range(3):
        along = y * np.random.default_rng(turn).uniform(0.0, 4.0, 300)  # downhill for every row
        slope, square = 0.0, 0.01
        length = found.move(along, slope, square)
        before, f = f, f + length * along
        t = alpha + sigma * (1.0 - y * f)
        r, after = 1.0 - y * f, np.clip(t, 0.0, 1.0)
        which, change = found.changed()
        np.testing.assert_array_equal(which, np.flatnonzero(after != p))
        np.testing.assert_allclose(change, (c * y * (after - p))[which], rtol=1e-13)
        np.testing.assert_array_equal(found.nearness(), t)
        np.testing.assert_array_equal(found.free(), np.flatnonzero((t > 0.0) & (t < 1.0)))
        lost = np.maximum(r, 0.0)
        expected = float(c @ lost), float(c @ (lost - after * r)), float(np.abs(f - first).max())
        assert found.figures() == pytest.approx(expected, rel=1e-11, abs=1e-15)
        bent = sigma * y * along
        slopes = [length_ * square - float((c * multipliers) @ bent) / sigma
                  for length_, multipliers in ((0.0, p), (length, after))]  # fmt: skip
        assert abs(slopes[1]) <= 0.5 * abs(slopes[0]) + 1e-9
        fallen = lagrangian(given, f, sigma) + 0.5 * length**2 * square - lagrangian(given, before, sigma)
        assert fallen <= 1e-12
        p = after


def test_a_whole_step_is_taken_where_it_suffices() -> None:
    given = rows(50, 1)
    t = given["alpha"] + 2.0 * (1.0 - given["y"] * given["f"])
    # Almost a parabola whose lowest point is at 1.
    assert _core.svm.hinge_length(t, np.full(50, 1e-9), given["c"], 2.0, -1.0, 1.0) == 1.0
    assert _core.svm.hinge_length(t, np.full(50, 1e-9), given["c"], 2.0, -1.0, 8.0) in (0.125, 0.0625)


@pytest.mark.parametrize("short", ["y", "c", "f", "alpha"])
def test_rows_that_do_not_fit(short: str) -> None:
    given = rows(5, 0)
    with pytest.raises(ValueError, match="do not fit"):
        _core.svm.HingeRows(**{**given, short: np.zeros(4)}, sigma=1.0)
    with pytest.raises(ValueError, match="do not fit"):
        _core.svm.HingeRows(**given, sigma=1.0).move(np.zeros(4), 0.0, 1.0)
