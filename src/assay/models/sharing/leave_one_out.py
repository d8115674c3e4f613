"""Leave-one-out: closed form where the family has one, otherwise moments less one row, many rows at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import class_priors
from assay.models.sharing.chain import Background, Chain, converted, in_batches
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData, check_moments, explain_rows
from assay.numerics.blas import single_threaded
from assay.sharing.forms import Pairs
from assay.statistics import Form, Moments, collect
from assay.statistics.solve_diagnostics import Trouble, check_classes, joined, repeated

Array = NDArray[np.float64]
BATCH_NUMBERS = 1 << 22  # numbers in the moments of one batch of left-out rows
# Moments less one row are trusted to this relative error; beyond it the other rows are summed again.
DOWNDATE_LIMIT = 1e-10


def can_leave_one_out(chain: Chain) -> bool:
    """Steps that need gaps filled or extremes are refitted instead."""
    return not (chain.imputes or chain.needs_extremes)


def leave_one_out_scores(chains: list[Chain], data: TrainingData, n_jobs: int | None = None) -> list[Tested]:
    """Scores of every row under the model fitted to all the others."""

    def run(some: list[Chain], form: Form) -> list[Tested]:
        moments = collect(data.X, data.codes, data.n_classes, form=form, weight=data.weight, n_jobs=n_jobs)
        check_moments(moments, data.X, data.names)
        return [_score(chain, data, moments, n_jobs) for chain in some]

    return in_batches(chains, run)


def _score(chain: Chain, data: TrainingData, moments: Moments, n_jobs: int | None) -> Tested:
    whole = converted(moments, chain.form(gaps=False))
    scores = _closed_form(chain, data, whole)
    open_rows = np.flatnonzero(np.isnan(scores).any(axis=1))
    covered = len(scores) - len(open_rows)
    troubles = [repeated(chain.solve(Background(whole[None]))[1], covered)]
    if len(open_rows):
        with single_threaded():
            scores[open_rows], more = _downdated(chain, data, whole, open_rows, n_jobs)
        troubles += more
    notes = joined(troubles).summary(data.classes, "splits")
    if open_rows.size and covered:
        rows = "1 row carries" if len(open_rows) == 1 else f"{len(open_rows)} rows carry"
        notes += (f"{rows} a direction or a class alone: solved one by one.",)
    predicted, unusable = posterior_or_margin(scores, chain.model.probabilistic, n_jobs)
    if unusable:
        raise explain_rows(data.names, data.X) or ValueError(f"The scores of {unusable} rows overflow.")
    split = np.arange(len(scores), dtype=np.int32)
    left = np.tile(whole.weight, (len(scores), 1))
    left[split, data.codes] -= 1.0 if data.weight is None else data.weight
    priors = class_priors(getattr(chain.model, "priors", "ml"), np.maximum(left, 0.0))
    return Tested(None, split, scores, predicted, priors, notes)


def _closed_form(chain: Chain, data: TrainingData, whole: Moments) -> Array:
    """The family's closed form, NaN in the rows it does not cover."""
    if not chain.steps and data.weight is None:
        assert isinstance(chain.model, StatisticsClassifier)
        with single_threaded():
            scores = chain.model.loo_moments(whole, data)
        if scores is not None:
            return scores
    return np.full((len(data.codes), data.n_classes), np.nan)


def _downdated(
    chain: Chain, data: TrainingData, whole: Moments, rows: NDArray[np.intp], n_jobs: int | None
) -> tuple[Array, list[Trouble]]:
    """Solve the model of each left-out row from the moments of the others."""
    each = whole.scatter.size + 3 * whole.center.size
    batch = max(1, BATCH_NUMBERS // max(1, each))
    parts, troubles = [], []
    for start in range(0, len(rows), batch):
        some = rows[start : start + batch]
        left = _others(data, whole, some)
        check_classes(left.weight, data.classes)
        form, trouble = chain.solve(Background(left))
        troubles.append(trouble)
        pairs = Pairs(some.astype(np.int64), np.arange(len(some), dtype=np.int32))
        parts.append(form.scores(data.X, pairs, None, n_jobs))
    return np.concatenate(parts), troubles


def _others(data: TrainingData, whole: Moments, rows: NDArray[np.intp]) -> Moments:
    """Moments without each of these rows, (len(rows), K, ...)."""
    out, error = whole[None].without(_single_rows(data, whole, rows))
    for i in np.flatnonzero(error.max(axis=-1) > DOWNDATE_LIMIT):
        keep = np.arange(len(data.codes)) != rows[i]
        weight = None if data.weight is None else data.weight[keep]
        fresh = collect(data.X[keep], data.codes[keep], data.n_classes, form=whole.form, weight=weight)
        for name, values in fresh.arrays().items():
            getattr(out, name)[i] = values
    return out


def _single_rows(data: TrainingData, whole: Moments, rows: NDArray[np.intp]) -> Moments:
    """Each row as moments of its own."""
    index, codes = np.arange(len(rows)), data.codes[rows]
    weight = np.zeros((len(rows), whole.n_classes))
    weight[index, codes] = 1.0 if data.weight is None else data.weight[rows]
    center = np.zeros((len(rows), *whole.center.shape))
    center[index, codes] = data.X[rows]
    scatter = np.zeros((len(rows), *whole.scatter.shape))
    return Moments(
        whole.form, weight, (weight > 0).astype(np.float64), center, np.zeros(center.shape), scatter
    )
