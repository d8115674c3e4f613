"""A sanity check: the whole procedure once more, on shuffled labels.

Shuffled labels do not depend on any column, so a nested estimate there cannot be better than the baseline. If it is,
labels reach the models from outside the training folds. Where rows belong to groups, labels move from group to group:
rows of a group that were of one class stay so, and a procedure that recognises groups is detected.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.catalog import ModelCard
from assay.engines.local import thread_count
from assay.engines.progress import ShareProgress
from assay.notes import Note
from assay.workbench.experiment.procedure import nested_estimate, ranked
from assay.workbench.experiment.schedule import Schedule
from assay.workbench.experiment.setup import ExperimentSetup

ROUNDING = 1e-9  # every fold may take the baseline's action: the interval is then a point


@dataclass(frozen=True)
class ShuffledLabelCheck:
    """The nested loss of the procedure on shuffled labels (its error, without costs), and that of chance."""

    loss: float
    interval: tuple[float, float]
    chance: float
    naive: float  # CV loss of the winner there, biased by the selection
    costs: bool = False

    @property
    def passed(self) -> bool:
        """Whether the interval reaches chance."""
        return self.interval[1] >= self.chance - ROUNDING

    @property
    def note(self) -> Note:
        values: dict[str, Any] = {"interval": self.interval, "chance": self.chance, "winner": self.naive}
        if self.costs:
            return Note("C181" if self.passed else "C183", cost=self.loss, **values)
        return Note("C180" if self.passed else "C182", error=self.loss, **values)


def check_shuffled_labels(
    setup: ExperimentSetup, entries: Iterable[ModelCard], progress: ShareProgress = lambda doing, share: None
) -> ShuffledLabelCheck:
    """Compare the same candidates under the same plan, the labels shuffled.

    Parameters
    ----------
    setup : ExperimentSetup
    entries : iterable of ModelCard
        The candidates.
    progress : callable
        Called with what is being done, and the proportion that is done.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import compare
    >>> result = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb"])
    >>> check_shuffled_labels(result.bench, result.cards).passed
    True
    """
    shuffled, costs = shuffle_labels(setup), setup.loss is not None
    schedule = Schedule(
        shuffled,
        None,
        lambda doing, share: progress(f"shuffled labels: {doing}", share),
        None,
        thread_count(setup.n_jobs),
    )
    schedule.run(list(entries))
    if schedule.interrupted:  # a part of the procedure is not the procedure
        raise KeyboardInterrupt
    nested = nested_estimate(schedule.results)
    low, high = nested.interval("loss") if costs else nested.error_interval
    winner = next(iter(ranked(schedule.results).values()))
    return ShuffledLabelCheck(
        loss=nested.mean_loss() if costs else nested.error,
        interval=(float(low), float(high)),
        chance=_baseline_loss(shuffled),
        naive=winner.final_cv_loss if costs else float(winner.cv_error[winner.nested.final]),
        costs=costs,
    )


def shuffle_labels(setup: ExperimentSetup) -> ExperimentSetup:
    """The setup with its labels permuted by its seed, from group to group where there are groups."""
    generator, problem = np.random.default_rng(setup.random_state), setup.problem
    groups = problem.group_codes
    if groups is None:
        codes = generator.permutation(problem.codes)
    else:
        codes = np.empty_like(problem.codes)
        codes[_group_order(groups, generator)] = problem.codes[_group_order(groups, generator)]
    return replace(setup, problem=replace(problem, codes=codes))


def _group_order(groups: NDArray[np.int32], generator: np.random.Generator) -> NDArray[np.intp]:
    """The rows, group after group, in a random order of groups and of the rows in each."""
    place = generator.permutation(int(groups.max()) + 1)[groups]
    return np.lexsort((generator.permutation(len(place)), place))


def _baseline_loss(setup: ExperimentSetup) -> float:
    """Loss of the best action that uses no column."""
    problem = setup.problem
    counts = np.bincount(problem.codes, problem.weight, problem.n_classes).astype(np.float64)
    prevalence = counts / counts.sum() if setup.priors is None else setup.priors
    losses = 1.0 - np.eye(len(prevalence)) if setup.loss is None else setup.loss.values
    return float((prevalence @ losses).min())
