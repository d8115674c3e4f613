"""What every candidate of an experiment is tried on: the encoded table, the labels, the plan and the costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import Progress
from assay.models.catalog import Entry
from assay.models.costs import Workload
from assay.models.features.tables import TableEncoder
from assay.models.recipe import build, encoder_for
from assay.models.sparse import is_sparse
from assay.models.table import TableClassifier
from assay.models.validation import Encoded
from assay.plans import Partition, Plan, draw_partitions
from assay.selection.evaluate import dataset_of
from assay.sharing.splits import Splits, deeper_of
from assay.sharing.study import Study
from assay.workbench.problem import Problem
from assay.workbench.readers import check_documents, no_columns
from assay.workbench.row_columns import check_together

Array = NDArray[np.float64]


class Listener:
    """Hands the progress of a study on to whoever waits for the candidate that is being tried."""

    progress: Progress = None

    def __call__(self, label: str, done: int, total: int) -> None:
        if callable(self.progress):
            self.progress(label, done, total)


@dataclass(frozen=True, eq=False)
class Bench:
    """One problem under one plan and one loss.

    Designs are made on first use and kept: candidates of one encoding share a matrix, and a study of it.
    """

    problem: Problem
    plan: Plan
    loss: LossMatrix | None
    priors: Array | None
    random_state: int
    n_jobs: int | None = None
    rule: str = "min"  # of choice among settings, as in `tune`
    fingerprint: bool = True  # whether fitted models keep hashes of their rows

    @property
    def labels(self) -> Encoded:
        return Encoded(self.problem.codes, self.problem.classes)

    @cached_property
    def splits(self) -> Splits:
        """The splits of the plan, with the tests inside their training sets by which settings are chosen."""
        problem = self.problem
        return Splits.of(
            self.plan,
            problem.codes,
            problem.group_codes,
            problem.copies,
            classes=problem.classes,
            nested=True,
        )

    @cached_property
    def partitions(self) -> list[Partition]:
        """The outer folds; rows of one group, and copies of a row, are in one of them."""
        problem = self.problem
        found = draw_partitions(self.plan, problem.codes, problem.group_codes, problem.copies)
        if problem.groups is not None:
            check_together(found, problem.groups)
        return found

    @property
    def inner_rule(self) -> str:
        """Which inner folds these are, in words."""
        return self.splits.rule

    @property
    def n_splits(self) -> int:
        return len(self.splits.outer)

    @cached_property
    def _encoders(self) -> dict[str, TableEncoder]:
        return {}

    @cached_property
    def _designs(self) -> dict[str, Any]:
        return {}

    def classifier(self, entry: Entry, setting: dict[str, Any]) -> TableClassifier:
        """A candidate in one setting, its encoder fitted to the table."""
        return build(entry, setting, self.random_state).knowing(self._encoder(entry))

    def read_texts(self, entries: Iterable[Entry]) -> None:
        """Count the words that candidates ask for: texts without any are refused before anything is written."""
        for entry in entries:
            if encoder_for(entry).reads_values and not no_columns(entry, self.problem.features.schema):
                self._encoder(entry)

    def _encoding(self, entry: Entry) -> str:
        """The encoding before the folds: they drop the reference level, and without a gap there are no flags."""
        encoding = entry.encoding.removesuffix("-reference")
        gaps = any(column.missing for column in self.problem.features.schema)
        return encoding if gaps else encoding.removesuffix("-flags")

    def _encoder(self, entry: Entry) -> TableEncoder:
        key = self._encoding(entry)
        if key not in self._encoders:
            encoder = encoder_for(entry)
            if encoder.reads_values:
                self._designs[key] = encoder.fit_transform(self.problem.features)
                check_documents(self._designs[key], self.problem)
            self._encoders[key] = encoder if encoder.reads_values else encoder.fit(self.problem.features)
        return self._encoders[key]

    def design(self, entry: Entry) -> Any:
        """The matrix that candidates of this encoding work on; sparse where they count words."""
        key, encoder = self._encoding(entry), self._encoder(entry)
        if key not in self._designs:
            self._designs[key] = encoder.transform(self.problem.features)
        return self._designs[key]

    def study(self, entry: Entry, progress: Progress = None) -> Study:
        """The rows of that matrix under the plan: one study for all candidates of the encoding.

        What the candidate that is being tried has done is told to `progress`.
        """
        self._listener.progress = progress
        key = self._encoding(entry)
        if key not in self._studies:
            problem, engine = self.problem, LocalEngine(self.n_jobs, self._listener)
            rows = dataset_of(self.design(entry), self.labels, problem.weight, problem.group_codes, engine)
            self._studies[key] = Study(rows, self.splits)
        return self._studies[key]

    @cached_property
    def _studies(self) -> dict[str, Study]:
        return {}

    @cached_property
    def _listener(self) -> Listener:
        return Listener()

    def design_names(self, entry: Entry) -> list[str]:
        """What the columns of that matrix are called."""
        return [str(name) for name in self._encoder(entry).get_feature_names_out()]

    def workload(self, entry: Entry) -> Workload:
        """What a nested evaluation of the candidate has to do."""
        settings, design = len(entry.settings()), self.design(entry)
        return Workload(
            rows=self.problem.features.n_rows,
            columns=len(self.problem.features.schema),
            width=design.shape[1],
            classes=len(self.problem.classes),
            folds=self.n_splits,
            settings=settings,
            models=deeper_of(self.splits).n_models,
            filled=design.nnz if is_sparse(design) else None,
        )
