"""Small tables of every kind of rows, and what may be special about them: missing values, weights, groups, steps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from assay import PCA, DropReference, Impute, SelectColumns, Standardize

N = 60
RNG = np.random.default_rng(11)
CODES = RNG.permutation(np.arange(N) % 3).astype(np.int32)
ONE_HOT = np.eye(3)[(CODES + RNG.integers(0, 2, N)) % 3]
CENTER, SCALE, EFFECT = [5, -100, 0, 3], [1, 3, 0.5, 2], [0.8, 1, 0.3, 0.1]
NUMBERS = np.hstack([RNG.normal(size=(N, 4)) * SCALE + CODES[:, None] * EFFECT + CENTER, ONE_HOT])
WIDE = RNG.normal(size=(N, 150)) + 0.3 * CODES[:, None] * (np.arange(150) % 7 == 0)
COUNTS = np.hstack([RNG.poisson(1.0 + CODES[:, None], (N, 4)), ONE_HOT])
WORDS = RNG.poisson(RNG.gamma(0.6, 0.8, (3, 12))[CODES]).astype(float)
WORDS[:, 4:7] = WIDE[:, 4:7] = ONE_HOT
LEVELS = np.array(["no", "yes", "perhaps", "maybe"], dtype=object)[
    (RNG.integers(0, 2, (N, 4)) + CODES[:, None]) % 4
]
LEVELS[0, 0], LEVELS[5, 1] = "once", "once too"
TEXTS = np.array(
    [" ".join(f"w{word % 20 + k}" for word in RNG.zipf(1.5, 2 + k)) for k in CODES], dtype=object
)
HOLES = RNG.random((N, 7)) < 0.1
WHOLE = RNG.integers(0, 3, N).astype(float)
IMPORTANCE = np.where(RNG.random(N) < 0.1, 0.0, RNG.random(N) + 0.1)


class Condition(NamedTuple):
    """What is special about the rows, and what stands before the model."""

    steps: tuple[Any, ...] = ()
    weight: Any = None
    groups: Any = None
    missing: bool = False
    absent: bool = False  # training sets lack a class


REFERENCE = (DropReference([(4, 7)]), Standardize())
CONDITIONS: dict[str, Condition] = {
    "plain": Condition(),
    "whole weights": Condition(weight=WHOLE),
    "importance weights": Condition(weight=IMPORTANCE),
    "groups": Condition(groups=np.arange(N) // 3),
    "missing values": Condition(weight=WHOLE, missing=True),
    "scaler": Condition((Standardize(),)),
    "range scaler": Condition((Standardize("range"),), WHOLE),
    "imputer": Condition((Impute(indicator=True),), missing=True),
    "imputer, weights": Condition((Impute(), Standardize()), IMPORTANCE, missing=True),
    "one-hot": Condition(REFERENCE, IMPORTANCE),
    "columns": Condition((SelectColumns([0, 2, 1]),), WHOLE),
    "PCA": Condition((Standardize(), PCA(3)), IMPORTANCE),
    "absent class": Condition(absent=True),
    "absent class, scaler": Condition((Standardize(),), IMPORTANCE, absent=True),
}
