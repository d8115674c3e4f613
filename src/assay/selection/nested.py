"""Choosing honestly: settings are chosen inside every fold, and the chosen one is tested on the fold.

In the outer fold f, the setting s(f) has the least loss in a cross-validation of the *other* rows. Where a plan
has three folds or more, the inner folds are the other outer folds: models solved from moments then need no pass
of their own. Models that must be refitted take the same folds, put together to three.

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

from assay.models.sharing import Chain, FoldCells, Tested, chain_of, chosen_scores, shares_neighbors
from assay.models.sparse import is_sparse
from assay.models.validation import Encoded, encode
from assay.numerics.blas import single_threaded
from assay.plans import (
    Bootstrap,
    GivenPartitions,
    KFold,
    LeaveOneOut,
    Partition,
    Plan,
    TrainValidationTest,
    draw_partitions,
)
from assay.plans.base import check_count
from assay.plans.base import encode as group_codes
from assay.selection.combined import combine
from assay.selection.criteria import choose, within_one_se
from assay.selection.evaluate import Found, check_two, evaluate, shared_task
from assay.selection.evaluation import Evaluation
from assay.selection.inner import (
    can_train,
    check_trained,
    divided,
    drawn_division,
    figures_by_partition,
    first_partitions,
    inner_partition,
    others_train,
)
from assay.selection.progress import Meter, Progress
from assay.selection.strategies.counts import counted_once
from assay.selection.strategies.grids import grid_figures
from assay.selection.strategies.statistics import inner_figures
from assay.selection.three_parts import choose_in_parts
from assay.selection.under_priors import check_decision_priors

Array = NDArray[np.float64]
REFIT_FOLDS = 3  # inner folds of models that must be refitted


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
    if isinstance(plan, LeaveOneOut | Bootstrap):
        raise ValueError(
            f"A choice cannot be nested in {type(plan).__name__}; use folds, such as KFold(10), or a hold-out."
        )
    if inner is not None and isinstance(plan, TrainValidationTest):
        raise ValueError(
            "A plan of three parts has no inner folds: leave inner out, or use folds, such as KFold(10)."
        )
    start = time.perf_counter()
    options = {"loss": loss, "priors": priors, "sample_weight": sample_weight, "n_jobs": n_jobs}
    models, X = counted_once(models, X)
    if isinstance(plan, TrainValidationTest):
        options |= {"groups": groups, "copies": copies, "progress": progress}
        return _in_parts(name, models, X, y, plan, rule, start, **options)
    folds = None if inner is None else check_count("inner", inner, 2)
    labels = Encoded(*encode(y))
    check_two(labels.classes)
    choice = _Choice(models, X, labels, plan, groups, options, folds, copies)
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
    groups: Any
    options: dict[str, Any]
    inner_folds: int | None = None
    copies: bool = False

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
        return draw_partitions(self.plan, self.labels.codes, self.groups, self.copies)

    @cached_property
    def divisions(self) -> list[Partition | None]:
        """For each partition the inner folds of all its splits, if a number of them was asked for."""
        codes, count = self.labels.codes, self.inner_folds
        if count is None:
            return [None] * len(self.partitions)
        return [drawn_division(partition, codes, self.groups, count) for partition in self.partitions]

    @cached_property
    def inside(self) -> list[Partition]:
        """The inner folds of every outer split."""
        parts = zip(self.partitions, self.divisions, strict=True)
        found = [each for part in parts for each in self._inside(*part)]
        inner = [each for each in found if each is not None and can_train(each, self.labels.codes)]
        if len(inner) < len(found):
            if self.groups is None:
                check_trained(self.partitions, self.labels)
            raise self._too_few()
        return inner

    def _inside(self, partition: Partition, division: Partition | None) -> list[Partition | None]:
        if division is not None:
            return [divided(partition, f, division) for f in range(partition.n_folds)]
        merged, codes = REFIT_FOLDS if self.chains is None else None, self.labels.codes
        return [inner_partition(partition, f, codes, self.groups, merged) for f in range(partition.n_folds)]

    def _too_few(self) -> ValueError:
        plan, codes, groups, unit = self.plan, self.labels.codes, self.group_codes, "rows"
        asked = f"{plan.n_splits} folds were" if isinstance(plan, KFold) else f"{plan!r} was"
        total, counts = len(codes), np.bincount(codes)
        if groups is not None:  # a group counts once for every class that it has rows of
            unit, total = "groups", len(np.unique(groups))
            counts = np.bincount(np.unique(np.stack([groups, codes]), axis=1)[1])
        rare = int(counts.argmin())
        return ValueError(
            f"{asked} asked for, and the training {unit} of each split are divided again to choose a setting: "
            f"{total} {unit}, {counts[rare]} of them of class {self.labels.classes.tolist()[rare]!r}, are too few "
            "for that; give more, or leave fewer of them out."
        )

    @property
    def n_parts(self) -> int:
        """Parts of the work to count: fits, or splits where moments serve."""
        if self.chains is None:
            splits = len(self.inside) + sum(partition.n_folds for partition in self.inside)
        else:
            splits = self._n_divided
        return len(self.models) * splits

    @property
    def _n_divided(self) -> int:
        """The number of outer splits, all of which can be divided again; by counts alone where they tell."""
        parts = zip(self.partitions, self.divisions, strict=True)
        if all(others_train(partition, self.labels.codes, division) for partition, division in parts):
            return sum(partition.n_folds for partition in self.partitions)
        return len(self.inside)

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
        cells = FoldCells(data, self.partitions[0], n_jobs, self.divisions[0])
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
        if all(shares_neighbors(model) for model in self.models):
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
        found = self._pairwise(outer[0], meter)
        if found is None:
            found = self._by_passes(meter)
        return found[..., 0], found[..., 1]

    def together(self, meter: Meter) -> tuple[list[Evaluation], Array, Array]:
        """Both of models of neighbours, which one search among the rows may serve."""
        everything = [*self.partitions, *self.inside]
        found = self._evaluated(everything, meter)
        inside = figures_by_partition(found, everything)[len(self.partitions) :]
        outer = [replace(first_partitions(each, self.partitions), plan=self.plan) for each in found]
        return outer, inside[..., 0], inside[..., 1]

    def _by_passes(self, meter: Meter) -> Array:
        """Inner figures by evaluations of the inner folds."""
        # Shared passes go split by split, which keeps memory low; refits together, which keeps all threads busy.
        batches = [self.inside] if self.chains is None else [[partition] for partition in self.inside]
        return np.concatenate(
            [figures_by_partition(self._evaluated(batch, meter), batch) for batch in batches]
        )

    @property
    def _settings(self) -> dict[str, Any]:
        return {str(s): model for s, model in enumerate(self.models)}

    def _evaluated(self, partitions: list[Partition], meter: Meter) -> list[Evaluation]:
        settings, plan = self._settings, GivenPartitions(partitions)
        found = evaluate(settings, self.X, self.labels, plan, progress=meter.within, **self.options)
        return [found[key] for key in settings]

    def _pairwise(self, outer: Evaluation, meter: Meter) -> Array | None:
        """Inner figures from pairs of folds; None where pairs do not serve or would not fit into memory."""
        if self.chains is None or self.inner_folds is not None:
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
        return np.concatenate(found)
