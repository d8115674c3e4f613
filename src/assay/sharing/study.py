"""Rows and splits together, and the statistics that were collected for them, once for all who ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from assay.decision.priors import class_priors
from assay.numerics.value_key import value_key
from assay.sharing.class_weight import class_factor
from assay.sharing.dataset import Block, Dataset
from assay.sharing.fold_warnings import FoldWarnings
from assay.sharing.part import Part
from assay.sharing.settings import model_of, unfitted
from assay.sharing.splits import Splits
from assay.statistics.solve_diagnostics import SolveDiagnostics, absences, check_classes, joined
from assay.types import Array, ClassWeights, Codes, Estimator, Index, PriorsLike, RowTransformer

Sum = TypeVar("Sum")
Kept = TypeVar("Kept")


@dataclass(frozen=True, eq=False)
class Study:
    """A dataset, splits of it, and a store: the one thing here that changes.

    Deeper splits that keep the very array of cells share the store.
    """

    dataset: Dataset
    splits: Splits
    store: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What `make` gives, made by the first who asks; the key names all that it depends on beside the rows."""
        if key not in self.store:
            self.store[key] = make()
        value: Kept = self.store[key]
        return value

    def deeper(self) -> Study:
        """The same with tests inside the training set of every tested model."""
        deeper = self.splits.deeper
        assert deeper is not None

        def make() -> Study:
            splits = deeper()
            return Study(self.dataset, splits, self.store if splits.cell is self.splits.cell else {})

        return self.once(("deeper", id(self.splits)), make)

    def behind(self, step: RowTransformer) -> Study:
        """The same of the columns that a step gives which learns nothing: they are made once."""
        key = value_key(step)
        mapped = self.once(("behind", key), lambda: self.dataset.behind(unfitted(step)))
        store: dict[Hashable, object] = self.once(("store behind", key), dict)
        return Study(mapped, self.splits, store)

    def relabelled(self, code_of: Codes, splits: Splits | None = None) -> Study:
        """The rows of class k as rows of class code_of[k], under the same splits or others of these rows."""
        of_study = self.splits if splits is None else splits
        key = "relabelled", id(of_study), code_of.tobytes()
        return self.once(key, lambda: Study(self.dataset.relabelled(code_of), of_study))

    def reduce(
        self,
        map_block: Callable[[Block], Sum],
        merge: Callable[[Sum, Sum], Sum],
        label: str = "",
        bytes_per_row: int = 0,
    ) -> Sum:
        """`Dataset.reduce` with the cells of the splits beside the rows."""
        return self.dataset.reduce(
            map_block, merge, cell=self.splits.cell, label=label, bytes_per_row=bytes_per_row
        )

    def class_weight(self) -> Array:
        """Weight of each class in every training set, (M, K): which classes are absent is decided here."""
        return self._of_classes("weight", self.dataset.weight)

    def class_rows(self) -> Array:
        """Rows of positive weight of each class in every training set, copies included, (M, K)."""
        weight = self.dataset.weight
        if weight is None:
            return self.class_weight()
        return self._of_classes("rows", (weight > 0).astype(np.float64))

    def row_unit(self) -> Array | None:
        """How many rows a weight of 1 counts for in every training set, (M,); None: one.

        Importance weights are scaled to add up to the number of rows that they are on.
        """
        if not self.dataset.importance:
            return None
        return np.asarray(self.class_rows().sum(axis=1) / self.class_weight().sum(axis=1))

    def training_weight(self) -> Array:
        """Weight of each class in every training set as numbers of rows, (M, K)."""
        unit = self.row_unit()
        return self.class_weight() if unit is None else self.class_weight() * unit[:, None]

    def class_factor(self, class_weight: ClassWeights) -> Array | None:
        """What multiplies the weight of rows of each class in every training set, (M, K); None: one."""
        if class_weight is None:
            return None
        return class_factor(class_weight, self.training_weight(), self.dataset.classes)

    def priors(self, priors: PriorsLike = "ml", factor: Array | None = None) -> Array:
        """Class probabilities that the model of each test uses, (T, K); `factor` (M, K) weighs the classes."""
        if factor is not None:
            return class_priors(priors, self.training_weight() * factor)[self.splits.model]
        key = "priors", id(self.splits), id(self.dataset.codes), value_key(priors)
        return self.once(key, lambda: class_priors(priors, self.training_weight())[self.splits.model])

    def part(
        self,
        setting: int,
        row: Index,
        test: Codes,
        scores: Array,
        predicted: Codes | None,
        priors: Array,
        posterior: bool,
    ) -> Part:
        """Scores of pairs of these rows."""
        data = self.dataset
        weight = None if data.weight is None else data.weight[row]
        return Part(setting, row, test, scores, predicted, data.codes[row], weight, priors, posterior)

    def _of_classes(self, name: str, weight: Array | None) -> Array:
        key = "of classes", name, id(self.splits), id(self.dataset.codes)
        return self.once(key, lambda: _class_sums(self.splits, self.dataset, weight))

    @property
    def reported(self) -> Index:
        """Models whose difficulties a user hears of: those of the plan's own tests, or all where it has none."""
        splits = self.splits
        return np.unique(splits.model[splits.outer]) if len(splits.outer) else np.arange(splits.n_models)

    def absences(self) -> tuple[str, ...]:
        """A sentence about each class that some of their training sets lack."""
        return absences(self.class_weight()[self.reported], self.dataset.classes)

    def warnings(self, estimator: Estimator, warned: FoldWarnings | None) -> tuple[str, ...]:
        """Classes that training sets lack, and what was warned about while an estimator was fitted to them."""
        notes = () if warned is None else warned.notes(type(model_of(estimator)).__name__)
        return (*self.absences(), *notes)

    def summary(self, troubles: Iterable[tuple[Codes, SolveDiagnostics]]) -> tuple[str, ...]:
        """What was difficult in those among some models, in words."""
        parts = [trouble.part(np.isin(models, self.reported)) for models, trouble in troubles]
        parts = [part for part in parts if len(part.unseen)]  # without tests inside training sets
        if not parts:
            return ()
        trouble = parts[0] if len(parts) == 1 else joined(parts)
        return trouble.summary(self.dataset.classes, self.splits.called)

    def check_classes(self) -> None:
        """Every training set needs two classes."""
        check_classes(self.class_weight(), self.dataset.classes)


def _class_sums(splits: Splits, data: Dataset, weight: Array | None) -> Array:
    """Sums of the weight by class over every training set, (M, K); exactly 0 where a set has no row of the class."""
    codes, n_classes = data.codes, data.n_classes
    if splits.row_by_row:
        return _without_each(splits.cell[0], codes, n_classes, weight)
    cells = splits.sums_of_cells(codes, n_classes, weight, data.engine.threads)
    if splits.n_layers == 1:
        return np.asarray(splits.copies.astype(np.float64) @ cells[0])
    return np.asarray(np.einsum("mc,mck->mk", splits.copies.astype(np.float64), cells[splits.layer]))


def _without_each(cell: Codes, codes: Codes, n_classes: int, weight: Array | None) -> Array:
    weights = np.ones(len(codes)) if weight is None else weight
    left = np.tile(np.bincount(codes, weights, n_classes) + 0.0, (len(codes), 1))
    left[cell, codes] -= weights
    alone = np.bincount(codes[weights > 0], minlength=n_classes)[codes] - (weights > 0) == 0
    left[cell[alone], codes[alone]] = 0.0  # exactly, whatever rounding leaves
    return np.maximum(left, 0.0)
