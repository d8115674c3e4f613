"""What a model may answer to an unkind table: posteriors or margins, or one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np


def posteriors(values: Any) -> None:
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    np.testing.assert_allclose(values.sum(axis=1), 1.0, rtol=1e-9)


def margins(values: Any, predicted: Any) -> None:
    """Margins of the classes, or of the second of two, and the class of the largest."""
    assert np.isfinite(values).all()
    columns = np.column_stack([-values, values]) if values.ndim == 1 else values
    np.testing.assert_array_equal(columns[np.arange(len(columns)), predicted], columns.max(axis=1))


def one_sentence(error: ValueError) -> None:
    text = str(error)
    assert text, repr(error)
    assert "\n" not in text, text
    assert text.endswith(".") or text.endswith("…"), text
    for foreign in ("array must not contain", "LinAlg", "leading minor", "SVD", "nan", "ufunc"):
        assert foreign not in text, text
