"""What the candidates of an experiment share: the encoded table, the labels, the validation scheme and the loss."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from assay.catalog import ModelCard
from assay.decision import LossLike, LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress
from assay.models.base.sparse import is_sparse
from assay.models.base.validation import Encoded
from assay.models.features.table_encoder import TableEncoder
from assay.models.table.build import build, encoder_for
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.plans import Partition, Plan, choosing_plan, draw_partitions
from assay.plans.foreign import PlanLike
from assay.selection.criteria import check_rule
from assay.selection.evaluate import dataset_of
from assay.selection.learning_curve import piece_of
from assay.sharing.splits import Splits, deeper_of, splits_of
from assay.sharing.splits.restriction import trained_on
from assay.sharing.study import Study
from assay.types import Array, Mask
from assay.workbench.experiment.candidates import check_documents, why_not_applicable
from assay.workbench.experiment.pilot import Workload
from assay.workbench.problem import Problem
from assay.workbench.repeated_rows import Repeats, repeated_rows, row_keys
from assay.workbench.row_roles import check_together
from assay.workbench.syntax.loss import ClassPriors, parse_loss, parse_priors
from assay.workbench.syntax.metric import ChosenMetrics, MetricRequest
from assay.workbench.syntax.plan import parse_plan

ERROR_RATE = MetricRequest()


class Listener:
    """Passes the progress of a study on to the candidate that is being evaluated."""

    progress: ShowProgress = None

    def __call__(self, label: str, done: int, total: int) -> None:
        if callable(self.progress):
            self.progress(label, done, total)


@dataclass(frozen=True, eq=False)
class ExperimentSetup:
    """One problem under one validation scheme and one loss.

    Design matrices are made on first use and cached: candidates of one encoding share a matrix and its study.
    """

    problem: Problem
    plan: Plan
    loss: LossMatrix | None
    priors: Array | None
    random_state: int
    n_jobs: int | None = None
    rule: str = "min"  # of choice among settings, as in `tune`
    fingerprint: bool = True  # whether fitted models keep hashes of their rows
    metrics: ChosenMetrics = ChosenMetrics()

    @property
    def labels(self) -> Encoded:
        return Encoded(self.problem.codes, self.problem.classes)

    @cached_property
    def splits(self) -> Splits:
        """The splits of the plan, with the tests inside their training sets by which settings are chosen."""
        problem = self.problem
        return splits_of(
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
        partitions = draw_partitions(self.plan, problem.codes, problem.group_codes, problem.copies)
        if problem.groups is not None:
            check_together(partitions, problem.groups)
        return partitions

    @property
    def inner_rule(self) -> str:
        """The rule of the inner folds, as the run folder stores it."""
        return self.splits.rule

    @property
    def n_splits(self) -> int:
        return len(self.splits.outer)

    @cached_property
    def _encoders(self) -> dict[str, TableEncoder]:
        return {}

    @cached_property
    def _designs(self) -> dict[str, object]:
        return {}

    def classifier(self, entry: ModelCard, setting: dict[str, object]) -> TableClassifier:
        """A candidate in one setting, its encoder fitted to the table."""
        return build(entry, setting, self.random_state).with_encoder(self._encoder(entry))

    def read_texts(self, entries: Iterable[ModelCard]) -> None:
        """Count the words that candidates need: texts without any are rejected before a file is written."""
        for entry in entries:
            if encoder_for(entry).reads_values and not why_not_applicable(
                entry, self.problem.features.schema
            ):
                self._encoder(entry)

    def _encoding(self, entry: ModelCard) -> str:
        """The encoding before the folds, which drop the reference category; flags are for missing values alone."""
        if entry.encoding == "own":
            return f"own {entry.name}"
        encoding = entry.encoding.removesuffix("-reference").removesuffix("-tfidf")
        missing = any(column.missing for column in self.problem.features.schema)
        return encoding if missing else encoding.removesuffix("-flags")

    def _encoder(self, entry: ModelCard) -> TableEncoder:
        key = self._encoding(entry)
        if key not in self._encoders:
            encoder = encoder_for(entry)
            if encoder.reads_values:
                self._designs[key] = encoder.fit_transform(self.problem.features)
                check_documents(self._designs[key], self.problem)
            self._encoders[key] = encoder if encoder.reads_values else encoder.fit(self.problem.features)
        return self._encoders[key]

    def design(self, entry: ModelCard) -> Any:
        """The matrix that candidates of this encoding work on; sparse where they count words."""
        key, encoder = self._encoding(entry), self._encoder(entry)
        if key not in self._designs:
            self._designs[key] = encoder.transform(self.problem.features)
        return self._designs[key]

    def study(self, entry: ModelCard, progress: ShowProgress = None, sample_rows: int | None = None) -> Study:
        """The rows of that matrix under the validation scheme: one study for all candidates of the encoding.

        `progress` follows the candidate that is being evaluated. With `sample_rows` models are trained on the rows of
        that sample alone, and tested on all rows.
        """
        self._listener.progress = progress
        key = self._encoding(entry)
        if key not in self._studies:
            problem, engine = self.problem, LocalEngine(self.n_jobs, self._listener)
            rows = dataset_of(self.design(entry), self.labels, problem.weight, problem.group_codes, engine)
            self._studies[key] = Study(rows, self.splits)
        whole = self._studies[key]
        if sample_rows is None:
            return whole
        return whole.once(
            ("sample", sample_rows), lambda: Study(whole.dataset, self._sampled_splits(sample_rows))
        )

    def sample(self, n_rows: int) -> Mask:
        """Which rows belong to the stratified sample of about so many: larger samples contain smaller ones.

        It is drawn from the whole table by row, evenly over the folds, and with whole groups: every training set
        trains on those of its rows that belong to it.
        """
        problem, share = self.problem, np.array([n_rows / self.problem.features.n_rows])
        piece = piece_of(self.partitions[0], problem.codes, share, self.random_state, problem.group_codes)
        return np.asarray(piece == 0)

    def _sampled_splits(self, n_rows: int) -> Splits:
        if n_rows not in self._samples:
            mask = self.sample(n_rows)
            self._samples[n_rows] = trained_on(self.splits, mask.astype(np.int32), np.array([False, True]))
        return self._samples[n_rows]

    @cached_property
    def _samples(self) -> dict[int, Splits]:
        return {}

    @cached_property
    def _studies(self) -> dict[str, Study]:
        return {}

    @cached_property
    def _listener(self) -> Listener:
        return Listener()

    def design_names(self, entry: ModelCard) -> list[str]:
        """Names of the columns of that matrix."""
        return [str(name) for name in self._encoder(entry).get_feature_names_out()]

    def workload(self, entry: ModelCard) -> Workload:
        """The size of a nested evaluation of the candidate."""
        design = self.design(entry)
        rows, width = design.shape
        return Workload(
            rows=rows,
            width=width,
            filled=design.nnz if is_sparse(design) else rows * width,
            classes=len(self.problem.classes),
            splits=self.n_splits,
            settings=len(entry.settings()),
            models=deeper_of(self.splits).n_models,
        )


def with_repeats(problem: Problem, plan: Plan, split: bool, apart: Collection[str] = ()) -> Problem:
    """The problem with its repeated rows, compared by all features except those of `apart`.

    Given groups, splits and time orders stay as they are.
    """
    features = problem.features.without(*apart)
    codes = repeated_rows(
        row_keys(features, problem.codes, problem.classes.tolist()), features.schema, [features]
    )
    if codes is None:
        return problem
    repeats = Repeats(codes, together=plan.drawn and problem.groups is None and not split)
    return replace(problem, repeats=repeats, notes=(*problem.notes, repeats.in_folds))


def make_setup(
    problem: Problem,
    plan: PlanLike | None,
    loss: LossLike | PathLike[str],
    priors: ClassPriors,
    random_state: int,
    n_jobs: int | None,
    rule: str,
    split_repeats: bool,
    suspects: Collection[str] = (),
    metrics: MetricRequest = ERROR_RATE,
) -> ExperimentSetup:
    """The setup of a problem; leakage suspects do not count in the search for repeated rows."""
    if plan is None or isinstance(plan, str):
        chosen = parse_plan("kfold:10" if plan is None else plan, random_state)
    else:
        chosen = choosing_plan(plan)
    if chosen.single_rows:
        raise ValueError(Note("C012", scheme=type(chosen).__name__, plan=chosen.option))
    _check_groups(chosen, problem)
    matrix = None if loss is None else parse_loss(loss, problem.classes)
    return ExperimentSetup(
        problem=with_repeats(problem, chosen, split_repeats, suspects),
        plan=chosen,
        loss=matrix,
        priors=parse_priors(priors, problem.classes),
        random_state=random_state,
        n_jobs=n_jobs,
        rule=check_rule(rule),
        metrics=metrics.of(problem.codes, problem.classes, matrix),
    )


def _check_groups(plan: Plan, problem: Problem) -> None:
    """There are at least as many groups as folds, or as the parts that the scheme needs."""
    n_parts, parts = plan.fewest_groups
    groups = problem.groups
    if groups is None or groups.count >= n_parts:
        return
    if parts == "folds" and groups.count > 2:
        raise ValueError(Note("C197", n_folds=n_parts, groups=groups.called, n_groups=groups.count))
    raise ValueError(Note("C011", n_parts=n_parts, parts=parts, groups=groups.called, n_groups=groups.count))
