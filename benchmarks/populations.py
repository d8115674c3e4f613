"""Populations whose true error can be measured: rows and labels drawn anew, as many as are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Labels = NDArray[np.int64]
Generator = np.random.Generator


@dataclass(frozen=True)
class Population:
    """What samples of a size are drawn from.

    Attributes
    ----------
    name, description : str
    rows : int
        Of a sample.
    draw : function
        Rows and labels of a size.
    sample : function, optional
        Those of a sample, where it is not drawn as new rows are.
    fewest : int
        Rows of every class that a sample needs; it is drawn again if it has fewer.
    """

    name: str
    description: str
    rows: int
    draw: Callable[[Generator, int], tuple[Rows, Labels]]
    sample: Callable[[Generator, int], tuple[Rows, Labels]] | None = None
    fewest: int = 2

    def take(self, generator: Generator) -> tuple[Rows, Labels]:
        """A sample."""
        draw = self.draw if self.sample is None else self.sample
        while True:
            X, y = draw(generator, self.rows)
            counts = np.bincount(y)
            if len(counts) > 1 and counts.min() >= self.fewest:
                return X, y


def _two_normals(generator: Generator, n: int) -> tuple[Rows, Labels]:
    y = generator.integers(0, 2, n)
    X = generator.normal(size=(n, 4))
    X[:, 1] *= np.where(y == 1, 1.8, 1.0)
    X[:, 0] += 1.5 * y
    return X, y


def _noise(generator: Generator, n: int) -> tuple[Rows, Labels]:
    return generator.normal(size=(n, 6)), generator.integers(0, 2, n)


def _balanced_noise(generator: Generator, n: int) -> tuple[Rows, Labels]:
    return generator.normal(size=(n, 6)), generator.permutation(np.arange(n) % 2)


def _xor(generator: Generator, n: int) -> tuple[Rows, Labels]:
    X = generator.uniform(-1, 1, size=(n, 3))
    flipped = generator.random(n) < 0.1
    return X, ((X[:, 0] * X[:, 1] > 0) ^ flipped).astype(np.int64)


def _three_classes(generator: Generator, n: int) -> tuple[Rows, Labels]:
    y = generator.choice(3, n, p=[0.6, 0.33, 0.07])
    X = generator.normal(size=(n, 4))
    X[:, 0] += 2.0 * (y == 1)
    X[:, 1] += 2.5 * (y == 2)
    return X, y


def _rare_class(generator: Generator, n: int) -> tuple[Rows, Labels]:
    y = (generator.random(n) < 0.03).astype(np.int64)
    X = generator.normal(size=(n, 4))
    X[:, 0] += 2.5 * y
    X[:, 1] += 1.5 * y
    return X, y


def _wide(generator: Generator, n: int) -> tuple[Rows, Labels]:
    y = generator.integers(0, 2, n)
    X = generator.normal(size=(n, 40))
    X[:, :5] += 0.6 * y[:, None]
    return X, y


def _clear(generator: Generator, n: int) -> tuple[Rows, Labels]:
    y = generator.integers(0, 2, n)
    X = generator.normal(size=(n, 4))
    X[:, 0] += 2.8 * y
    return X, y


POPULATIONS = (
    Population("normals", "two normals of unequal spread in 4 columns", 120, _two_normals),
    Population("noise", "6 columns of noise, random labels", 100, _noise),
    Population("balanced_noise", "the same, labels exactly balanced", 100, _noise, _balanced_noise),
    Population("xor", "two of three uniform columns, 10 % flipped", 150, _xor),
    Population("three_classes", "three classes, the rarest 7 %", 100, _three_classes, fewest=3),
    Population("rare_class", "3 % positives", 300, _rare_class, fewest=3),
    Population("wide", "40 columns, five of which help a little", 60, _wide),
    Population("small", "the two normals, few rows", 40, _two_normals),
    Population("clear", "two normals 2.8 deviations apart", 1000, _clear),
)
