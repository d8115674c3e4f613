"""How unstable an evaluated procedure is, from the losses that its rows have by several training sets."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.decision import NOT_SEEN, PAIRS, Instability, kappa_of_repeats, variance_between
from assay.selection.evaluation import Evaluation
from assay.sharing.row_figures import Values
from assay.types import Floats, Index


def instability_of(
    evaluation: Evaluation, rows: Index | None = None, losses: Mapping[str, Values] | None = None
) -> Instability | None:
    """What intervals of a nested estimate count beside the tested rows; None where there is a single split.

    rows, losses : rows, and their losses by the choices without pairs of folds (`PairLosses`), where there are any
    """
    if evaluation.n_splits == 1:
        return None
    repeated = _of_repeats(evaluation)
    if repeated is not None:
        return repeated
    if rows is None or losses is None or "error" not in losses:
        return NOT_SEEN
    return _between(evaluation, rows, losses, PAIRS)


def _of_repeats(evaluation: Evaluation) -> Instability | None:
    """From repeats in each of which every row is tested once."""
    rows = evaluation.rows
    n_rows = len(evaluation.codes)
    repeats, rest = divmod(len(rows), n_rows)
    if repeats < 2 or rest or evaluation.plan.averages_splits:
        return None
    if (rows.reshape(repeats, n_rows) != np.arange(n_rows)).any():
        return None
    measures = ["error"] + ["loss"] * (evaluation.loss is not None)
    measures += ["log_loss", "brier"] * evaluation.probabilistic
    losses = {measure: evaluation.pair_losses(measure).reshape(repeats, n_rows).T for measure in measures}
    return _between(evaluation, np.arange(n_rows), losses, kappa_of_repeats(repeats))


def _between(evaluation: Evaluation, rows: Index, losses: Mapping[str, Floats], kappa: float) -> Instability:
    weight = None if evaluation.row_weight is None else evaluation.row_weight[rows]
    groups = None if evaluation.groups is None else evaluation.groups[rows]
    if weight is not None and not weight.any():
        return NOT_SEEN
    variance = {m: variance_between(of_rows, weight, groups) for m, of_rows in losses.items()}
    return Instability(kappa, {m: value for m, value in variance.items() if np.isfinite(value)})
