"""The three shapes a class score can have, each for a stack of models (one per fold) and scored by a kernel.

linear      b_k + w_k · (x - c)
diagonal    b_k - ½ Σ_j h_kj (x_j - m_kj)²
quadratic   b_k - ½ |(x - m_k) W_k|²
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.blas import single_threaded
from assay.statistics import AffineMap, Filling
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.types import Array


@dataclass(frozen=True)
class ModelPairs:
    """What to score: row `rows[i]` under model `models[i]`; None means every row, and the only model."""

    rows: NDArray[np.int64] | None = None
    models: NDArray[np.int32] | None = None

    def count(self, X: NDArray[np.floating]) -> int:
        return X.shape[0] if self.rows is None else len(self.rows)


class Posteriors(NamedTuple):
    """Log posteriors (M, K), the largest class of each pair (the first of equals), and how many have none."""

    scores: Array
    best: NDArray[np.int32]
    unusable: int


class _KernelForm:
    """Scores every pair by a kernel."""

    kernel: ClassVar[str]
    of_classes: ClassVar[tuple[str, ...]]  # names of the arrays whose second axis runs over the classes
    of_models: ClassVar[tuple[str, ...]] = ()  # and of others, whose first axis runs over the models, too
    bias: Array  # (G, K)
    trouble: SolveDiagnostics | None  # what was difficult in finding the models

    def _parameters(self) -> tuple[Any, ...]:
        """What the kernel takes, in its order."""
        raise NotImplementedError

    def _parameters_for_gaps(self) -> tuple[Any, ...] | None:
        """What the kernel takes where values are missing; None: missing values are passed on as NaN."""
        return None

    @property
    def _arrays(self) -> dict[str, Array]:
        """The arrays whose first axis runs over the models, by name."""
        return {name: getattr(self, name) for name in (*self.of_models, *self.of_classes)}

    def take(self, models: NDArray[np.integer]) -> Any:
        """Some of the models, or some several times."""
        form: Any = self
        arrays = {name: array[models] for name, array in self._arrays.items()}
        return replace(form, trouble=None, **arrays)

    def spread(self, places: NDArray[np.integer], count: int) -> Any:
        """A form of `count` models with these at some places; the others are zero, and nobody asks for them."""
        form: Any = self
        arrays = {name: np.zeros((count, *array.shape[1:])) for name, array in self._arrays.items()}
        for name, array in self._arrays.items():
            arrays[name][places] = array
        return replace(form, trouble=None, **arrays)

    def beside(self, others: Sequence[Any]) -> Any:
        """This and other forms of its kind as one with all of their classes."""
        if not others:
            return self
        arrays = {
            name: np.concatenate([getattr(form, name) for form in (self, *others)], axis=1)
            for name in self.of_classes
        }
        form: Any = self
        return replace(form, trouble=None, **arrays)

    def scores(
        self,
        X: NDArray[np.floating],
        pairs: ModelPairs | None = None,
        filling: Filling | None = None,
        *,
        threads: int = 1,
        sheets: int = 1,
    ) -> Array:
        """Score of each pair and class, (M, K); (sheets, M, K / sheets) where several forms stand side by side."""
        pairs = pairs or ModelPairs()
        out = self._room(pairs.count(X), sheets)
        run = self._runner(X, pairs, filling, threads, out if sheets > 1 else out[0])
        run(self._parameters())
        again = self._parameters_for_gaps()
        if again is not None and np.isnan(
            out.sum()
        ):  # gaps are rare: the fast kernel goes first and shows them
            run(again)
        return out if sheets > 1 else out[0]

    def log_posteriors(
        self,
        X: NDArray[np.floating],
        pairs: ModelPairs,
        filling: Filling | None,
        threads: int,
        sheets: int = 1,
    ) -> list[Posteriors]:
        """Of each sheet: log posteriors, where the scores are joint log likelihoods."""
        out = self._room(pairs.count(X), sheets)
        best, unusable = np.empty(out.shape[:2], dtype=np.int32), np.zeros(sheets, dtype=np.int64)
        run = self._runner(X, pairs, filling, threads, out, best, unusable)
        run(self._parameters())
        again = self._parameters_for_gaps()
        if again is not None and unusable.any():
            unusable[:] = 0
            run(again)
        return [Posteriors(*sheet) for sheet in zip(out, best, unusable.tolist(), strict=True)]

    def _room(self, count: int, sheets: int) -> Array:
        return np.empty((sheets, count, self.bias.shape[-1] // sheets))

    def _runner(
        self, X: NDArray[np.floating], pairs: ModelPairs, filling: Filling | None, threads: int, *out: Any
    ) -> Callable[[tuple[Any, ...]], None]:
        """The kernel, to be called with parameters."""
        values, indicators = (None, None) if filling is None else (filling.values, filling.indicators)
        read = (X, pairs.rows, pairs.models, values, indicators)
        kernel = getattr(_core.scores, self.kernel)
        return lambda parameters: kernel(*read, *parameters, threads, *out)


@dataclass(frozen=True)
class Linear(_KernelForm):
    """Scores linear in x. Shapes: center (G, D), weights (G, K, D), bias (G, K)."""

    kernel = "linear_scores"
    of_classes = ("weights", "bias")
    of_models = ("center",)

    center: Array
    weights: Array
    bias: Array
    trouble: SolveDiagnostics | None = field(default=None, kw_only=True)

    def behind(self, step: AffineMap, means: Array) -> Linear:
        """The same scores as a function of the rows before `step`."""
        with single_threaded():
            weights = np.swapaxes(step.times(np.swapaxes(self.weights, -1, -2)), -1, -2)
            bias = self.bias + (self.weights @ (step.shift - self.center)[..., None])[..., 0]
        return Linear(step.center, weights, bias)

    def about(self, center: Array) -> Linear:
        """The same scores about other centres, (G, D)."""
        moved = (self.weights * (center - self.center)[..., None, :]).sum(axis=-1)
        return Linear(center, self.weights, self.bias + moved)

    @property
    def kind(self) -> tuple[Any, ...]:
        return ("linear",)

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes

    def beside(self, others: Sequence[Any]) -> Any:
        moved = [
            form if np.array_equal(form.center, self.center) else form.about(self.center) for form in others
        ]
        return super().beside(moved)

    def _parameters(self) -> tuple[Any, ...]:
        return _plain(self.center), _plain(self.weights), _plain(self.bias)


@dataclass(frozen=True)
class Diagonal(_KernelForm):
    """Scores quadratic in each feature by itself. Shapes: mean, precision (G, K, D), bias (G, K)."""

    kernel = "diagonal_scores"
    of_classes = ("mean", "precision", "bias")

    mean: Array
    precision: Array
    bias: Array
    marginal: bool = False  # leave missing features out of the product; otherwise NaN is passed on
    trouble: SolveDiagnostics | None = field(default=None, kw_only=True)

    def behind(self, step: AffineMap, means: Array) -> Diagonal | Quadratic:
        """The same scores before `step`, whose class means were `means`."""
        if step.columns is None or step.scale is None:
            return self.as_quadratic().behind(step, means)
        precision = np.zeros(means.shape)
        scaled = self.precision * step.scale[..., None, :] ** 2
        for output, column in enumerate(step.columns):  # one by one: a column may be picked twice
            precision[..., column] += scaled[..., output]
        return replace(self, mean=means, precision=precision)

    def as_quadratic(self) -> Quadratic:
        root = np.sqrt(self.precision)
        return Quadratic(self.mean, root[..., None] * np.eye(root.shape[-1]), self.bias)

    @property
    def kind(self) -> tuple[Any, ...]:
        return ("diagonal", self.marginal)

    @property
    def nbytes(self) -> int:
        return self.mean.nbytes + self.precision.nbytes

    def _parameters(self) -> tuple[Any, ...]:
        return _plain(self.mean), _plain(self.precision), _plain(self.bias), False

    def _parameters_for_gaps(self) -> tuple[Any, ...] | None:
        return (*self._parameters()[:-1], True) if self.marginal else None


@dataclass(frozen=True)
class Quadratic(_KernelForm):
    """Scores quadratic in x. Shapes: mean (G, K, D), whitener (G, K, D, E), bias (G, K)."""

    kernel = "quadratic_scores"
    of_classes = ("mean", "whitener", "bias")

    mean: Array
    whitener: Array
    bias: Array
    triangular: bool = False
    trouble: SolveDiagnostics | None = field(default=None, kw_only=True)

    def behind(self, step: AffineMap, means: Array) -> Quadratic:
        """The same scores before `step`, whose class means were `means`."""
        keeps_order = step.columns is not None and np.array_equal(step.columns, np.arange(means.shape[-1]))
        with single_threaded():
            whitener = step.times(self.whitener)
        return Quadratic(means, whitener, self.bias, self.triangular and keeps_order)

    @property
    def kind(self) -> tuple[Any, ...]:
        return ("quadratic", self.triangular, self.whitener.shape[-1])

    @property
    def nbytes(self) -> int:
        return self.whitener.nbytes

    def _parameters(self) -> tuple[Any, ...]:
        return _plain(self.mean), _plain(self.whitener), _plain(self.bias), self.triangular


ScoreForm = Linear | Diagonal | Quadratic


STACKED_BYTES = 1 << 28  # of whiteners that are copied to lie side by side


class Together:
    """Forms that score the same pairs; those of a kind read the rows together.

    >>> import numpy as np
    >>> line = Linear(np.zeros((1, 2)), np.array([[[1.0, 2.0], [3.0, 4.0]]]), np.zeros((1, 2)))
    >>> [s.tolist() for s in Together([line, line]).scores(np.ones((1, 2)), ModelPairs(), None, 1)]
    [[[3.0, 7.0]], [[3.0, 7.0]]]
    """

    def __init__(self, forms: Sequence[ScoreForm]) -> None:
        self.forms = forms

    @cached_property
    def _stacked(self) -> list[tuple[list[int], ScoreForm]]:
        """Numbers of forms, and one form of all of their classes."""
        kinds: dict[Any, list[int]] = {}
        for i, form in enumerate(self.forms):
            kinds.setdefault(form.kind, []).append(i)
        stacks: list[tuple[list[int], ScoreForm]] = []
        for alike in kinds.values():
            size = max(1, STACKED_BYTES // max(1, self.forms[alike[0]].nbytes))
            for at in range(0, len(alike), size):
                part = alike[at : at + size]
                stacks.append((part, self.forms[part[0]].beside([self.forms[i] for i in part[1:]])))
        return stacks

    def scores(
        self,
        X: NDArray[np.floating],
        pairs: ModelPairs,
        filling: Filling | None,
        threads: int,
    ) -> list[Array]:
        """Scores of each pair and class, (M, K), by every form."""
        by_form: dict[int, Array] = {}
        for numbers, form in self._stacked:
            scores = form.scores(X, pairs, filling, threads=threads, sheets=len(numbers))
            by_form.update(zip(numbers, scores if len(numbers) > 1 else [scores], strict=True))
        return [by_form[i] for i in range(len(self.forms))]

    def log_posteriors(
        self,
        X: NDArray[np.floating],
        pairs: ModelPairs,
        filling: Filling | None,
        threads: int,
    ) -> list[Posteriors]:
        """The same where all scores are joint log likelihoods: posteriors while the rows' scores are in the cache."""
        by_form: dict[int, Posteriors] = {}
        for numbers, form in self._stacked:
            by_form.update(
                zip(numbers, form.log_posteriors(X, pairs, filling, threads, len(numbers)), strict=True)
            )
        return [by_form[i] for i in range(len(self.forms))]


def _plain(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64)


def normalize(scores: Array, threads: int) -> tuple[NDArray[np.int32], int]:
    """Turn joint log likelihoods into log posteriors, in place.

    Returns the largest class of each row (the first of equals) and how many rows could not be normalised.
    """
    best = np.empty(len(scores), dtype=np.int32)
    unusable = int(_core.scores.normalize_scores(scores, threads, best))
    return best, unusable


def posteriors(log_posterior: Array, threads: int) -> Array:
    """The exponential of log posteriors."""
    values = _plain(log_posterior)
    out = np.empty(values.shape)
    _core.scores.posteriors(values, threads, out)
    return out


def log_losses(log_posterior: Array, codes: NDArray[np.int32], floor: float, threads: int) -> Array:
    """-ln P(true class) of each row, at most -floor: what a probability of 0 is charged."""
    out = np.empty(len(codes))
    _core.scores.log_losses(_plain(log_posterior), codes, floor, threads, out)
    return out
