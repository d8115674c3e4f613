"""Choosing honestly: settings are chosen inside every fold, and the chosen one is tested on the fold.

In the outer fold f, the setting s(f) has the least loss in a cross-validation of the *other* rows, whose folds follow
from the plan and the data alone (`inner_folds`). Where they are the other outer folds, models solved from moments need
no pass of their own.

Three figures per candidate: the loss of its best setting on the outer folds (what the winner scored), the loss
of the settings chosen inside (nested), and their difference, the optimism.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.progress import Meter, Progress
from assay.models.sharing import Chain, FoldCells, Tested, chain_of, chosen_scores
from assay.models.sparse import is_sparse
from assay.models.validation import Encoded, encode
from assay.numerics.blas import single_threaded
from assay.plans import GivenPartitions, Partition, Plan, TrainValidationTest
from assay.plans.base import encode as group_codes
from assay.selection.combined import combine
from assay.selection.criteria import choose, within_one_se
from assay.selection.evaluate import Found, evaluate, shared_task
from assay.selection.evaluation import Evaluation
from assay.selection.inner import InnerFolds, Tests, inner_folds
from assay.selection.inner_losses import InnerLosses, first_partitions
from assay.selection.named_models import check_two
from assay.selection.strategies.counts import counted_once
from assay.selection.strategies.grids import grid_figures
from assay.selection.strategies.statistics import inner_figures
from assay.selection.three_parts import choose_in_parts
from assay.selection.under_priors import check_decision_priors
from assay.sharing.neighbors import takes_neighbors

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Nested:
    """A candidate whose setting is chosen inside every split.

    Attributes
    ----------
    evaluation : Evaluation
        Out-of-sample scores, each by the setting chosen without the row.
    inner : (splits, settings)
        Mean loss of each setting in the inner folds of each outer split.
    chosen : (splits,)
        Setting that each outer split took, by the rule: the first of those with least inner loss, or the simplest
        within one standard error of it.
    losses, errors : (settings,)
        Mean loss and error of each setting on the outer splits themselves.
    final : int
        The one to use, by the same rule on these losses.
    seconds : float
    standard_errors : (settings,)
        Of the losses; empty where a run of an older version was read.
    """

    evaluation: Evaluation
    inner: Array
    chosen: NDArray[np.intp]
    losses: Array
    errors: Array
    final: int
    seconds: float
    standard_errors: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def one_se(self) -> int | None:
        """The simplest setting whose loss is within one standard error of the least, None where it is unknown."""
        if len(self.standard_errors) != len(self.losses):
            return None
        return int(within_one_se(self.losses, self.standard_errors).argmax())

    @property
    def scored(self) -> float:
        """Loss of the final setting on the folds it was chosen on."""
        return float(self.losses[self.final])

    @property
    def optimism(self) -> float:
        """How much the choice flatters itself: the nested loss less the loss of the final setting."""
        return self.evaluation.mean_loss() - self.scored


def nest(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: Plan,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    rule: str = "min",
    inner: int | None = None,
    copies: bool = False,
) -> Nested:
    """Evaluate one candidate with the choice among its settings nested in the plan.

    Parameters
    ----------
    name : str
    models : sequence of estimators
        One for each setting, the simplest first.
    X, y, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`.
    plan : Plan
        Any plan whose tests are folds; leave-one-out and the bootstrap are refused. Under `TrainValidationTest` the
        validation part takes the place of the folds, and only the chosen setting is tested on the test part.
    rule : "min" or "one_se"
        As in `tune`; it is followed inside every split, too.
    inner : int, optional
        As in `nested`.
    copies : bool
        Whether the groups are sets of equal rows: they follow the first of them into its fold (`draw_partitions`).
    """
    start = time.perf_counter()
    labels = Encoded(*encode(y))
    check_two(labels.classes)
    inside = inner_folds(plan, labels, groups, inner, copies)
    options = {"loss": loss, "priors": priors, "sample_weight": sample_weight, "n_jobs": n_jobs}
    models, X = counted_once(models, X)
    if isinstance(plan, TrainValidationTest):
        options |= {"groups": groups, "copies": copies, "progress": progress}
        return _in_parts(name, models, X, labels, plan, rule, start, **options)
    choice = _Choice(models, X, labels, plan, inside, groups, options)
    with Meter(choice.n_parts, name, progress) as meter:
        found = choice.by_mistakes(meter) or choice.by_scores(meter)
    chosen = np.array(
        [choose(*each, rule) for each in zip(found.inner, found.inner_errors, strict=True)], dtype=np.intp
    )
    return Nested(
        evaluation=replace(found.evaluation(chosen), name=name, groups=choice.group_codes),
        inner=found.inner,
        chosen=chosen,
        losses=found.losses,
        errors=found.errors,
        final=choose(found.losses, found.standard_errors, rule),
        seconds=time.perf_counter() - start,
        standard_errors=found.standard_errors,
    )


@dataclass(frozen=True, eq=False)
class _Figures:
    """Of each setting: loss, its standard error and error on the outer splits, (S,), the first two inside, (F, S)."""

    losses: Array
    standard_errors: Array
    errors: Array
    inner: Array
    inner_errors: Array
    evaluation: Callable[[NDArray[np.intp]], Evaluation]  # of the settings chosen for the outer splits


def _in_parts(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: TrainValidationTest,
    rule: str,
    start: float,
    **options: Any,
) -> Nested:
    """The choice on the validation part, and its test."""
    found = choose_in_parts(models, X, y, plan, rule, **options)
    return Nested(
        evaluation=replace(found.test, name=name),
        inner=found.losses[None, :],
        chosen=np.array([found.chosen]),
        losses=found.losses,
        errors=np.array([each.error for each in found.validation]),
        final=found.chosen,
        seconds=time.perf_counter() - start,
        standard_errors=found.standard_errors,
    )


@dataclass(frozen=True, eq=False)
class _Choice:
    """The settings of one candidate, and the rows they are chosen on."""

    models: list[Any]
    X: Any
    labels: Encoded
    plan: Plan
    inside: list[InnerFolds]  # of every repeat
    groups: Any
    options: dict[str, Any]

    @cached_property
    def chains(self) -> list[Chain] | None:
        """The settings as chains, if moments carry them all; sparse rows are fitted anew, as in `evaluate`."""
        if is_sparse(self.X):
            return None
        found = [chain for model in self.models if (chain := chain_of(model)) is not None]
        return found if len(found) == len(self.models) else None

    @property
    def group_codes(self) -> NDArray[np.int32] | None:
        """The groups by number."""
        return None if self.groups is None else group_codes(self.groups, "groups", len(self.labels.codes))

    @cached_property
    def partitions(self) -> list[Partition]:
        return [repeat.outer for repeat in self.inside]

    @property
    def n_splits(self) -> int:
        return sum(partition.n_folds for partition in self.partitions)

    @cached_property
    def tests(self) -> list[Tests]:
        """The inner tests of every outer split, which are numbered through all repeats."""
        first = np.cumsum([0, *(partition.n_folds for partition in self.partitions)]).astype(np.int32)
        repeats = zip(first, self.inside, strict=False)
        return [Tests(part, split + place) for place, repeat in repeats for part, split in repeat.tests]

    @property
    def n_parts(self) -> int:
        """Parts of the work to count: fits, or splits where moments serve."""
        inner = 0 if self.chains is not None else sum(repeat.n_models for repeat in self.inside)
        return len(self.models) * (self.n_splits + inner)

    def by_mistakes(self, meter: Meter) -> _Figures | None:
        """Figures from counts of mistakes, where settings share bases; None where scores are needed."""
        if self.chains is None or self.options["loss"] is not None or len(self.partitions) > 1:
            return None
        start, n_jobs = time.perf_counter(), self.options["n_jobs"]
        plan, weight = GivenPartitions(self.partitions), self.options["sample_weight"]
        task = shared_task(self._settings, self.X, self.labels, plan, weight, n_jobs)
        if task is None:
            return None
        data, chains = task.chained()
        priors = check_decision_priors(self.options["priors"], data.n_classes)
        cells = FoldCells(data, self.partitions[0], n_jobs, self.inside[0].division)
        found = grid_figures(chains, cells, priors)
        if found is None:
            return None
        for _ in range(found.inner.size):
            meter.advance()

        def evaluation(chosen: NDArray[np.intp]) -> Evaluation:
            with single_threaded():
                tested = chosen_scores(chains, chosen, cells)
            part = Found(tested, True, "statistics", time.perf_counter() - start)
            return replace(task.evaluation("", part, None, priors), plan=self.plan)

        return _Figures(*found[:2], found.losses, *found[2:], evaluation)

    def by_scores(self, meter: Meter) -> _Figures:
        """Figures from the scores of every setting."""
        if all(takes_neighbors(model) for model in self.models):
            found, inner, inner_errors = self.together(meter)
        else:
            found = self.outer(meter)
            inner, inner_errors = self.inner(found, meter)
        losses = np.array([result.mean_loss() for result in found])
        standard_errors = np.array([result.loss_standard_error for result in found])
        errors = np.array([result.error for result in found])

        def evaluation(chosen: NDArray[np.intp]) -> Evaluation:
            return combine([found[s] for s in chosen.tolist()])

        return _Figures(losses, standard_errors, errors, inner, inner_errors, evaluation)

    def outer(self, meter: Meter) -> list[Evaluation]:
        """Every setting on the outer splits."""
        return [replace(result, plan=self.plan) for result in self._evaluated(self.partitions, meter)]

    def inner(self, outer: list[Evaluation], meter: Meter) -> tuple[Array, Array]:
        """Mean loss of every setting (columns) inside every outer split (rows), and the standard errors."""
        return self._pairwise(outer[0], meter) or self._by_passes(meter)

    def together(self, meter: Meter) -> tuple[list[Evaluation], Array, Array]:
        """Both of models of neighbours, which one search among the rows may serve."""
        everything = [*self.partitions, *(test.partition for test in self.tests)]
        found = self._evaluated(everything, meter)
        losses = self._no_losses()
        losses.add(found, self.tests, self.n_splits)
        outer = [replace(first_partitions(each, self.partitions), plan=self.plan) for each in found]
        return outer, *losses.figures

    def _by_passes(self, meter: Meter) -> tuple[Array, Array]:
        """Inner figures by evaluations of the inner folds."""
        # Shared passes go one after the other, which keeps memory low; refits together, which keeps all threads busy.
        batches = [self.tests] if self.chains is None else [[test] for test in self.tests]
        losses = self._no_losses()
        for batch in batches:
            losses.add(self._evaluated([test.partition for test in batch], meter), batch)
        return losses.figures

    def _no_losses(self) -> InnerLosses:
        return InnerLosses(self.n_splits, len(self.models), len(self.labels.classes))

    @property
    def _settings(self) -> dict[str, Any]:
        return {str(s): model for s, model in enumerate(self.models)}

    def _evaluated(self, partitions: list[Partition], meter: Meter) -> list[Evaluation]:
        settings, plan = self._settings, GivenPartitions(partitions)
        found = evaluate(settings, self.X, self.labels, plan, progress=meter.within, **self.options)
        return [found[key] for key in settings]

    def _pairwise(self, outer: Evaluation, meter: Meter) -> tuple[Array, Array] | None:
        """Inner figures from pairs of folds; None where pairs do not serve or would not fit into memory."""
        if self.chains is None or not all(repeat.pairs for repeat in self.inside):
            return None

        def loss_of(chain: Chain, tested: Tested) -> tuple[float, float]:
            meter.advance()
            splits, posterior = len(tested.priors), chain.model.probabilistic
            return replace(outer, tested=tested, probabilistic=posterior, n_splits=splits).loss_and_error

        found = []
        for partition in self.partitions:
            losses = inner_figures(self.chains, self.X, outer, partition, loss_of, self.options["n_jobs"])
            if losses is None:
                return None
            found.append(losses)
        figures = np.concatenate(found)
        return figures[..., 0], figures[..., 1]
