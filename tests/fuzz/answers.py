"""What a model may answer to an unkind table: posteriors, or one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np


def posteriors(values: Any) -> None:
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    np.testing.assert_allclose(values.sum(axis=1), 1.0, rtol=1e-9)


def one_sentence(error: ValueError) -> None:
    text = str(error)
    assert text, repr(error)
    assert "\n" not in text, text
    assert text.endswith(".") or text.endswith("…"), text
    for foreign in ("array must not contain", "LinAlg", "leading minor", "SVD", "nan", "ufunc"):
        assert foreign not in text, text
