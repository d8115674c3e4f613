"""A table with a rare class."""

from __future__ import annotations

from typing import Any

import numpy as np


def rare() -> dict[str, Any]:
    """One row of twelve is a fraud, and two columns tell it in part."""
    generator = np.random.default_rng(4)
    fraud = generator.random(600) < 1 / 12
    return {
        "amount": generator.normal(size=600) + 1.8 * fraud,
        "age": generator.normal(size=600) + fraud,
        "kind": np.where(fraud, "fraud", "fair"),
    }
