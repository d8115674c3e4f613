"""A model and the steps before it, as far as moments carry them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.models.base import parts_of
from assay.models.features.columns import SelectColumns
from assay.models.features.impute import Impute
from assay.models.pathwise import PathClassifier
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData
from assay.numerics.blas import single_threaded
from assay.sharing.forms import ScoreForm
from assay.sharing.overrides import overrides
from assay.sharing.steps import Mapped
from assay.statistics import AffineMap, Extremes, Filling, Form, Moments
from assay.statistics.solve_diagnostics import Trouble

Result = TypeVar("Result")


@dataclass(frozen=True)
class Chain:
    """Steps that moments carry, and a final classifier: solved from moments too, or by passes over the rows."""

    steps: tuple[Any, ...]
    model: StatisticsClassifier | PathClassifier

    @property
    def strategy(self) -> str:
        """What its folds share."""
        return "path" if isinstance(self.model, PathClassifier) else "statistics"

    def form(self, gaps: bool) -> Form:
        """The moments the chain needs for a table with gaps, or without: there is nothing to impute then."""
        form = self.model.moments_form
        mixing = [step for step in self.steps if getattr(step, "mixes_features", True)]
        if form == "diagonal" and any(gaps or not isinstance(step, Impute) for step in mixing):
            # A mixed feature's variance needs the products of what it is mixed from.
            return "pooled" if isinstance(self.model, PathClassifier) else "full"
        return form

    @property
    def imputes(self) -> bool:
        return any(isinstance(step, Impute) for step in self.steps)

    @property
    def passes_gaps(self) -> bool:
        """Whether NaN may reach the model, which leaves them out."""
        return self.model.missing_ok and all(getattr(step, "passes_gaps", False) for step in self.steps)

    @property
    def needs_extremes(self) -> bool:
        return any(_needs_extremes(step) for step in self.steps)

    def named(self, names: Any) -> Chain:
        """The chain whose first step knows the columns by these names; the caller's own step is left alone."""
        if not self.steps:
            return self
        first = copy.copy(self.steps[0])
        first.__dict__.pop("feature_names_in_", None)
        if names is not None:
            first.feature_names_in_ = names
        return replace(self, steps=(first, *self.steps[1:]))

    def mapped(self, background: Background) -> Mapped:
        """The moments behind the steps, and the way there."""
        m, extremes = background.moments(self.form(background.filling is not None)), background.extremes
        original, path, dropped = m, None, None
        with single_threaded():
            for step in self.steps:
                change = map_of(step, m, extremes, background.filling)
                if change is None:
                    continue
                m = change.moments(m)
                extremes = None if extremes is None or change.columns is None else extremes.mapped(change)
                path = change if path is None else path.then(change)
                dropped = _dropped(change, dropped)
        return Mapped(original, m, path, dropped)

    def solve(self, background: Background) -> tuple[ScoreForm, Trouble]:
        """Models of every group as functions of the raw rows, from moments alone."""
        mapped = self.mapped(background)
        with single_threaded():
            form = self._solve(mapped.moments)
        trouble = form.trouble
        assert trouble is not None
        if mapped.path is None:
            return form, trouble
        if mapped.dropped is not None:
            # A step left them out with reason: they are no constant features to report.
            trouble = replace(trouble, constant=trouble.constant & ~mapped.dropped)
        return form.behind(mapped.path, mapped.original.mean), trouble

    def _solve(self, m: Moments) -> ScoreForm:
        assert isinstance(self.model, StatisticsClassifier)
        return self.model.solve_moments(converted(m, self.model.moments_form))


@dataclass(frozen=True)
class Background:
    """Training statistics of G groups, in every form the chains ask for; importance weights are scaled to each."""

    trained: Moments
    extremes: Extremes | None = None
    filling: Filling | None = None

    @cached_property
    def full(self) -> Moments:
        return self.trained.in_rows()

    @property
    def unit(self) -> NDArray[np.float64] | None:
        """How many rows a weight of 1 counts for in each group, (G,); None: one."""
        if not self.trained.importance:
            return None
        return np.asarray(self.full.weight.sum(axis=-1) / self.trained.weight.sum(axis=-1))

    def moments(self, form: Form) -> Moments:
        return converted(self.full, form)


def map_of(step: Any, m: Moments, extremes: Extremes | None, filling: Filling | None) -> AffineMap | None:
    """The map that each group's training statistics give a step; None if it changes nothing."""
    if isinstance(step, Impute):
        return None if filling is None else step.fold_map(m, filling)
    change: AffineMap = step.fold_map(m, extremes) if _needs_extremes(step) else step.fold_map(m)
    return change


def _dropped(change: AffineMap, before: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Columns that steps multiplied by 0, (G, D); None behind a mixture."""
    if change.columns is None or change.scale is None:
        return None
    now = np.asarray(change.scale == 0.0)
    return now if before is None else np.asarray(now | before[..., change.columns])


def _needs_extremes(step: Any) -> bool:
    return bool(getattr(step, "needs_extremes", False))


def converted(m: Moments, form: Form) -> Moments:
    """Moments in a smaller form."""
    if m.form == form:
        return m
    return m.diagonal() if form == "diagonal" else m.pooled()


def in_batches(
    chains: list[Chain], run: Callable[[list[Chain], Form], list[Result]], gaps: bool = False
) -> list[Result]:
    """Run chains together where one pass serves them all: full moments hold every form, the others do not.

    With gaps in the table, chains that impute read another table than those that do not.
    """
    forms = [chain.form(gaps) for chain in chains]
    keys: list[tuple[bool, Form]] = [
        (gaps and chain.imputes, "full" if "full" in forms else form)
        for chain, form in zip(chains, forms, strict=True)
    ]
    results: dict[int, Result] = {}
    for key in dict.fromkeys(keys):
        batch = [i for i, other in enumerate(keys) if other == key]
        results.update(zip(batch, run([chains[i] for i in batch], key[1]), strict=True))
    return [results[i] for i in range(len(chains))]


def chain_of(estimator: Any) -> Chain | None:
    """The chain an estimator or a scikit-learn pipeline is, or None if a part of it must be refitted."""
    parts = [part for _, part in parts_of(estimator)] or [estimator]
    last = parts[-1]
    if not isinstance(last, StatisticsClassifier) and not (
        isinstance(last, PathClassifier) and last._can_share()
    ):
        return None
    if overrides(estimator) is not None:
        return None
    before = tuple(parts[:-1])
    for place, step in enumerate(before):
        if isinstance(step, Impute) and place == 0:
            continue
        if not callable(getattr(step, "fold_map", None)):
            return None
        if _needs_extremes(step) and any(
            getattr(earlier, "mixes_features", True) for earlier in before[:place]
        ):
            return None  # the extremes of a mixture do not follow from those of its parts
        if isinstance(step, SelectColumns) and any(
            getattr(earlier, "narrows", False) for earlier in before[:place]
        ):
            return None  # the maps of the folds keep all columns, so positions mean something else in them
    return Chain(before, parts[-1])


def find_filling(data: TrainingData) -> Filling | None:
    """How to read a table with gaps; None if it has none."""
    if not data.gaps.any():
        return None
    return Filling(fill_values(data.X), np.flatnonzero(data.gaps).astype(np.int32))


def fill_values(X: NDArray[np.floating]) -> NDArray[np.float64]:
    """What to read in the gaps of each column: it only needs to be near the data."""
    head = X[:1024].astype(np.float64)
    finite = np.isfinite(head)
    with np.errstate(over="ignore"):  # the pass shows it, and the message names the column
        return np.asarray(np.where(finite, head, 0.0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1))
