"""Evaluate one model or many under a plan; models that can share a pass over the data do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import features_and_labels
from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import Progress
from assay.models.base import Model
from assay.models.keywords import explained
from assay.models.sharing import Chain, Tested, chain_of
from assay.models.sparse import compressed_rows, is_sparse
from assay.models.validation import TrainingData, check_row_weight, check_rows, encode, read_numbers
from assay.plans import Bootstrap, KFold, LeaveOneOut, Partition, Plan, as_plan
from assay.plans.base import encode as group_codes
from assay.selection.evaluation import Evaluation
from assay.selection.expanded import by_expansion
from assay.selection.named_models import check_two, named
from assay.selection.strategies.statistics import can_share, quicker_anew
from assay.selection.tested import tested_of
from assay.selection.under_priors import check_decision_priors, untested
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, folds, joined
from assay.sharing.study import Study

CHAINED = ("path", "statistics")  # what those share who do not ask the dispatcher yet


@explained
def evaluate(
    model: Any,
    X: Any,
    y: Any,
    plan: Any = None,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Any:
    """Out-of-sample scores of a model, or of many in one pass.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        Ours, scikit-learn's, or pipelines. Those solved from moments share one pass; the others are refitted.
    X : array, frame, Arrow table, typed table, sparse matrix or list of texts
    y : one label per row, or the name of the column of X that holds the labels
    plan : plan, int, scikit-learn splitter or list of (train, test), default KFold(10)
    loss : loss matrix, optional
        Default of `Evaluation.mean_loss`: ``loss[true, action]``.
    priors : array, optional
        Class probabilities where decisions will be made, if they differ from those of the data. Posteriors and
        tested rows are re-weighted: every figure is that of a population with these class shares.
    sample_weight : array, optional
        Weights in training and in every figure: whole numbers count rows, others are importance weights, scaled in each
        training set to its number of rows.
    groups : array, optional
        Rows with the same value stay together; intervals and tests count groups instead of rows. `LeaveOneOut` leaves
        out one group at a time, `Bootstrap` draws groups.
    n_jobs : int, optional
        Threads; the results are the same bits for any number.
    progress : bool or callable, optional
        Show a progress bar; by default on a terminal, once two seconds have passed. A function is told
        (model, splits done, splits in all) instead, splits of all models that are refitted.

    Returns
    -------
    Evaluation, or a dict of them by name for a list or dict of models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, LeaveOneOut, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> round(evaluate(GaussianNB(), X, y, LeaveOneOut()).error * 150)
    7
    """
    models = named(model)
    X, y = features_and_labels(X, y)
    found: dict[str, Evaluation] = {}
    for part, rows in by_expansion(models, X):
        task = Task.of(part, rows, y, plan, sample_weight, groups, n_jobs)
        found |= task.evaluated(part, loss, priors, progress)
    results = {name: found[name] for name in models}
    return results if isinstance(model, Mapping | list | tuple) else next(iter(results.values()))


def shared_task(
    models: dict[str, Any], X: Any, y: Any, plan: Plan, sample_weight: Any, n_jobs: int | None
) -> Task | None:
    """The task of these models where moments carry every one of them through the plan; everything is checked."""
    task = Task.of(models, X, y, plan, sample_weight, None, n_jobs, CHAINED)
    return task if len(task.chains) == len(models) else None


def _has_gaps(X: Any) -> bool:
    """Whether a table of numbers holds NaN; other tables are left to the checks of each model."""
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            return bool(np.isnan(np.asarray(X, dtype=None if hasattr(X, "dtype") else np.float64).sum()))
    except (TypeError, ValueError):
        return False


@dataclass(frozen=True)
class Found:
    """Scores of one model, and how they were made."""

    tested: Tested
    probabilistic: bool
    strategy: str
    seconds: float
    training: Tested | None = None


@dataclass(frozen=True)
class Task:
    """The data and the plan of one call."""

    X: Any
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: NDArray[np.float64] | None
    plan: Plan
    partitions: list[Partition]
    chains: dict[str, Chain]  # models that share the pass
    reasons: dict[str, str]  # why some that could be solved from moments are refitted all the same
    n_jobs: int | None
    groups: NDArray[np.int32] | None = None  # rows that stay together

    @classmethod
    def of(
        cls,
        models: dict[str, Any],
        X: Any,
        y: Any,
        plan: Any,
        sample_weight: Any,
        groups: Any,
        n_jobs: int | None,
        chained: tuple[str, ...] = (),
    ) -> Task:
        plan = KFold(10) if plan is None else as_plan(plan)
        codes, classes = encode(y)
        check_two(classes)
        X = compressed_rows(X)
        rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if rows != len(codes):
            raise ValueError(f"X has {rows} rows and y has {len(codes)}: give one label for each row.")
        single = isinstance(plan, Bootstrap) or (isinstance(plan, LeaveOneOut) and groups is None)
        together = None if groups is None else group_codes(groups, "groups", len(codes))
        partitions = [] if single else plan.partitions(codes, groups)
        weight = check_row_weight(sample_weight, len(codes))
        task = cls(X, codes, classes, weight, plan, partitions, {}, {}, n_jobs, together)
        task._choose_strategies(models, chained)
        return task

    def _choose_strategies(self, models: dict[str, Any], chained: tuple[str, ...]) -> None:
        """Which models share one pass; of the others that are solved from moments, why they cannot."""
        if self.groups is not None and isinstance(self.plan, Bootstrap | LeaveOneOut):
            return  # groups are drawn or left out: what is dispatched knows how
        width = self.X.shape[1] if len(getattr(self.X, "shape", ())) == 2 else 1
        groups = 1 if isinstance(self.plan, LeaveOneOut) else self.n_splits
        if self.partitions:
            groups = 1 + max(partition.n_folds for partition in self.partitions)
        for name, model in models.items():
            chain = chain_of(model)
            rows = not self.partitions and chain is not None and chain.strategy == "statistics"
            if chain is None or chain.strategy not in chained or rows:
                continue
            if any(partition.untrained is not None for partition in self.partitions):
                continue
            for part in (*chain.steps, chain.model):
                part._check_params()
            if is_sparse(self.X):
                self.reasons[name] = "Sparse rows are not shared by the folds: every split was fitted anew."
                continue
            gaps = chain.imputes and _has_gaps(self.X)
            reason = can_share(chain, self.plan, groups, len(self.classes), width, gaps)
            if reason is None:
                reason = quicker_anew(chain, len(self.codes), width)
            if reason is None:
                self.chains[name] = chain
            else:
                self.reasons[name] = reason

    def evaluated(
        self, models: dict[str, Any], loss: Any, priors: Any, progress: Progress
    ) -> dict[str, Evaluation]:
        """Every one of the models, by its cheapest strategy."""
        decided = self.deciding(loss, priors)
        found = self.dispatched(models, progress)
        return {name: self.evaluation(name, found[name], *decided) for name in models}

    def deciding(self, loss: Any, priors: Any) -> tuple[LossMatrix | None, NDArray[np.float64] | None]:
        """The loss matrix and the priors, checked."""
        matrix = None if loss is None else LossMatrix.of(loss, self.classes)
        return matrix, check_decision_priors(priors, len(self.classes))

    def evaluation(
        self, name: str, part: Found, loss: LossMatrix | None, priors: NDArray[np.float64] | None
    ) -> Evaluation:
        """What was found for one model, with all that its figures need."""
        return Evaluation(
            name=name,
            classes=self.classes,
            codes=self.codes,
            weight=self.weight,
            tested=part.tested,
            probabilistic=part.probabilistic,
            n_splits=self.n_splits,
            strategy=part.strategy,
            seconds=part.seconds,
            plan=self.plan,
            loss=loss,
            priors=priors,
            notes=(*part.tested.notes, *untested(self.codes, part.tested.rows, self.classes, priors)),
            training=part.training,
            groups=self.groups,
        )

    @property
    def n_splits(self) -> int:
        if isinstance(self.plan, Bootstrap):
            return self.plan.n_replicates
        if not self.partitions:
            return len(self.codes)
        return sum(partition.n_folds for partition in self.partitions)

    def chained(self) -> tuple[TrainingData, list[Chain]]:
        """The rows, checked, and the chains that moments carry, which know their names."""
        reader = Model()
        rows = check_rows(reader, self.X, reset=True)
        names = getattr(reader, "feature_names_in_", None)
        data = TrainingData(rows, self.codes, self.classes, self.weight, names)
        return data, [chain.named(names) for chain in self.chains.values()]

    def dispatched(self, models: dict[str, Any], progress: Progress) -> dict[str, Found]:
        """The other models, each by its cheapest way."""
        rest = {name: model for name, model in models.items() if name not in self.chains}
        if not rest:
            return {}
        study = self.study(progress)
        solved = solve(Settings.of(rest), study)
        scored = solved.reduce(AllScores(study.splits, len(rest), len(self.codes)))
        found = {}
        for s, (name, result) in enumerate(zip(rest, scored, strict=True)):
            assert result is not None
            notes = solved.difficulties(s)
            if name in self.reasons:
                notes = (*notes, self.reasons[name])
            tested, training = tested_of(result, study.splits, notes)
            found[name] = Found(tested, result.posterior, solved.ways[s], solved.seconds[s], training)
        return found

    def study(self, progress: Progress) -> Study:
        """The rows and the splits of the plan."""
        rows = InMemory(
            self.X,
            self.codes,
            self.classes,
            self.weight,
            self.groups,
            LocalEngine(self.n_jobs, progress),
            read_numbers,
        )
        if isinstance(self.plan, Bootstrap | LeaveOneOut):
            return Study(rows, Splits.of(self.plan, self.codes, self.groups))
        return Study(rows, joined([folds(partition) for partition in self.partitions]))
