"""Every bootstrap replicate at once: all their moments in one call, all out-of-bag rows scored in another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.decision.priors import class_priors
from assay.models.sharing.chain import Background, Chain, in_batches
from assay.models.sharing.folds import check_classes
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.models.validation import TrainingData, check_moments, explain_rows
from assay.sharing.forms import Pairs
from assay.statistics import Form, collect_replicates


def can_replicate(chain: Chain) -> bool:
    """Chains with steps that need more than moments, and rows with gaps, are refitted instead."""
    return not (chain.imputes or chain.needs_extremes)


def replicate_scores(
    chains: list[Chain], data: TrainingData, multiplicity: NDArray[np.uint16], n_jobs: int | None = None
) -> list[Tested]:
    """Out-of-bag scores of every chain under every replicate."""
    pairs = _out_of_bag(multiplicity)

    def run(some: list[Chain], form: Form) -> list[Tested]:
        moments = collect_replicates(
            data.X, data.codes, data.n_classes, multiplicity, form=form, weight=data.weight, n_jobs=n_jobs
        )
        check_moments(moments, data.X, data.names)
        check_classes(moments.weight, data.classes)
        if moments.importance:  # scaled to the rows of the replicate, copies included
            moments = replace(moments, rows=_drawn_rows(data, multiplicity))
        return [_score(chain, data, Background(moments), pairs, n_jobs) for chain in some]

    return in_batches(chains, run)


def _drawn_rows(data: TrainingData, multiplicity: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Rows of positive weight of each class in every replicate, as often as they were drawn, (B, K)."""
    counting = np.ones(len(data.codes), dtype=bool) if data.weight is None else data.weight > 0
    drawn = [
        multiplicity[:, counting & (data.codes == k)].sum(axis=1, dtype=np.float64)
        for k in range(data.n_classes)
    ]
    return np.stack(drawn, axis=1)


def _out_of_bag(multiplicity: NDArray[np.uint16]) -> Pairs:
    """Every row under every replicate that did not draw it."""
    count = multiplicity.size - int(np.count_nonzero(multiplicity))
    rows, replicate = np.empty(count + 1, dtype=np.int64), np.empty(count + 1, dtype=np.int32)  # one to spare
    _core.out_of_bag(multiplicity, replicate, rows)
    return Pairs(rows[:count], replicate[:count])


def _score(
    chain: Chain, data: TrainingData, background: Background, pairs: Pairs, n_jobs: int | None
) -> Tested:
    form, trouble = chain.solve(background)
    scores = form.scores(data.X, pairs, None, n_jobs)
    predicted, unusable = posterior_or_margin(scores, chain.model.probabilistic, n_jobs)
    if unusable:
        raise explain_rows(data.names, data.X) or ValueError(f"The scores of {unusable} rows overflow.")
    assert pairs.models is not None
    priors = class_priors(getattr(chain.model, "priors", "ml"), background.full.weight)
    return Tested(
        pairs.rows, pairs.models, scores, predicted, priors, trouble.summary(data.classes, "replicates")
    )
