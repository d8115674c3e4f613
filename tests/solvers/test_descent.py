"""Rules of descent against their textbook form, whole and in parts."""

from __future__ import annotations

import numpy as np
import pytest

from assay.solvers.descent import FIRST, SECOND, SMALL, rule

STEPS = 40


def gradients() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(STEPS, 7)) * np.array([1, 1e-3, 10, 1, 1, 1, 0])


def run(name: str, dtype: type = np.float64, cut: int = 7) -> np.ndarray:
    found, parameters = rule(name, 7, dtype, 0.01, 0.8), np.ones(7, dtype=dtype)
    for g in gradients().astype(dtype):
        found.tick()
        for part in (slice(0, cut), slice(cut, 7)):
            found.step(parameters, g, part)
    return parameters


def by_hand(name: str) -> np.ndarray:
    p, v, m, s = np.ones(7), np.zeros(7), np.zeros(7), np.zeros(7)
    for t, g in enumerate(gradients(), start=1):
        if name == "sgd":
            p = p - 0.01 * g
        elif name == "momentum":
            v = 0.8 * v - 0.01 * g
            p = p + v
        else:
            m, s = FIRST * m + (1 - FIRST) * g, SECOND * s + (1 - SECOND) * g**2
            p = p - 0.01 * (m / (1 - FIRST**t)) / (np.sqrt(s / (1 - SECOND**t)) + SMALL)
    return p


@pytest.mark.parametrize("name", ["sgd", "momentum", "adam"])
def test_rule_is_the_textbook_one(name: str) -> None:
    np.testing.assert_allclose(run(name), by_hand(name), rtol=1e-12)
    np.testing.assert_allclose(run(name, np.float32), by_hand(name), rtol=1e-5)
    assert (run(name, cut=3) == run(name)).all()
