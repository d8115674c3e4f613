"""From checked rows to components: every class by itself, or all together, and what there is to tell about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread, thread_count
from assay.models.base.validation import TrainingData, check_moments
from assay.models.mixture.distinct_rows import DistinctRows, gather
from assay.models.mixture.em_starts import MixtureFit, MixtureOptions, choose_components, fit_components
from assay.solvers.component_shapes import SHAPES, Spread
from assay.solvers.em import LOG_2PI, Components, Mixture
from assay.statistics import collect
from assay.statistics.variances import deviations
from assay.types import Array


@dataclass(frozen=True)
class MixtureProblem:
    """Rows of positive weight over the features that vary, and the units of their floor.

    Attributes
    ----------
    X : (N, E)
    codes, weight : (N,)
    counts : (K,) weight of each class
    origin, scale : (D,) mean and total deviation of every feature, the deviation 0 for constant ones
    unit : (E,) deviations that the floor is measured in; the same for all features where components are spheres
    within : (E, E) covariance within the classes, which stands in where a class has no spread of its own
    """

    X: NDArray[np.floating]
    codes: NDArray[np.int32]
    weight: Array
    counts: Array
    origin: Array
    scale: Array
    unit: Array
    within: Array


def mixture_problem(data: TrainingData, covariance: str) -> MixtureProblem:
    """The problem of checked rows; the first value that cannot be used is named."""
    moments = collect(
        data.X, data.codes, data.n_classes, form="pooled", weight=data.weight, threads=thread_count()
    )
    check_moments(moments, data.X, data.names)
    scale = deviations(moments[None])[0]
    active = np.flatnonzero(scale > 0)
    unit = scale[active]
    if covariance == "spherical" and len(active):
        unit = np.full(len(active), np.sqrt((unit**2).mean()))
    weight = np.ones(len(data.codes)) if data.weight is None else data.weight
    counted = np.flatnonzero(weight > 0)
    all_counted = len(counted) == len(weight)
    X = data.X if all_counted else data.X[counted]
    X = X if len(active) == X.shape[1] else X[:, active]
    center, offset, _ = moments.overall()
    within = moments.scatter[np.ix_(active, active)] / moments.weight.sum()
    return MixtureProblem(
        X, data.codes[counted], weight[counted], moments.weight, center + offset, scale, unit, within
    )


@dataclass(frozen=True)
class LearnedMixture:
    """Components in the units of the rows, in the order of their classes, the largest share first.

    Attributes
    ----------
    shares : (K, B), means : (B, D)
    covariances : (B, D, D) or (B, D)
        0 for features that do not vary.
    floored : (B,)
    history : (T,)
    founds : list of (classes, Found)
        What EM came to, group by group.
    alone : list of int
        Classes whose rows are all alike.
    """

    shares: Array
    means: Array
    covariances: Array
    floored: NDArray[np.int64]
    history: Array
    founds: list[tuple[list[int], MixtureFit]]
    alone: list[int]


def learn(
    problem: MixtureProblem, n_components: Any, most: int, shared: bool, options: MixtureOptions
) -> LearnedMixture:
    """Fit every group, in threads, and put the components together."""
    n_classes = len(problem.counts)
    log_total = float(np.log(problem.counts.sum()))
    present = np.flatnonzero(problem.counts > 0).tolist()
    members = [present] if shared else [[k] for k in present]

    def work(classes: list[int], threads: int) -> tuple[DistinctRows, MixtureFit, bool]:
        group = _group(problem, classes, shared, n_classes)
        if not shared and len(group.rows.weight) == 1:
            return group, MixtureFit(_borrowed(group, problem.within, options), 1, 1), True
        group_options = replace(options, threads=threads)
        if isinstance(n_components, str):
            return group, choose_components(group, most, group_options, log_total), False
        return group, fit_components(group, int(n_components), group_options), False

    done = spread(work, members)
    parts = [_in_units(fit.mixture, group, problem) for group, fit, _ in done]
    shares = [part[0] for part in parts]
    placed = shares[0] if shared else _placed(shares, present, n_classes)
    return LearnedMixture(
        placed,
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        np.concatenate([part[3] for part in parts]),
        _added([fit.mixture.history for _, fit, _ in done])
        - float((problem.counts.sum()) * np.log(problem.unit).sum()),
        [(classes, fit) for classes, (_, fit, _) in zip(members, done, strict=True)],
        [classes[0] for classes, (_, _, alone) in zip(members, done, strict=True) if alone],
    )


def _group(problem: MixtureProblem, classes: list[int], shared: bool, n_classes: int) -> DistinctRows:
    if shared:
        return gather(problem.X, problem.weight, problem.unit, problem.codes, n_classes)
    rows = np.flatnonzero(problem.codes == classes[0])
    return gather(problem.X[rows], problem.weight[rows], problem.unit)


def _borrowed(group: DistinctRows, within: Array, options: MixtureOptions) -> Mixture:
    """One component on equal rows, with the covariance within the classes."""
    natural = within / group.unit[:, None] / group.unit[None, :]
    second = natural[None] if options.covariance in ("full", "tied") else np.diag(natural)[None]
    component_spread = SHAPES[options.covariance](second, np.ones(1), options.floor)
    components = Components(np.ones((1, 1)), np.zeros((1, len(within))), component_spread)
    value = -0.5 * group.total * (float(component_spread.log_determinants[0]) + len(within) * LOG_2PI)
    return Mixture(components, np.array([value]), True)


def _in_units(
    mixture: Mixture, group: DistinctRows, problem: MixtureProblem
) -> tuple[Array, Array, Array, Any]:
    """Shares, means and covariances over all features, in the units of the rows, the largest component first."""
    components, active = mixture.components, np.flatnonzero(problem.scale > 0)
    weights = _of_classes(group) @ components.shares
    order = np.argsort(-weights, kind="stable")
    means = np.tile(problem.origin, (len(order), 1))
    means[:, active] = components.means[order] * group.unit + group.center
    values = _spread_out(components.spread, group.unit, active, len(problem.scale))
    return components.shares[:, order], means, values[order], components.spread.floored[order]


def _of_classes(group: DistinctRows) -> Array:
    rows = group.rows
    if rows.codes is None:
        return np.array([group.total])
    return np.bincount(rows.codes, rows.weight, rows.n_classes).astype(np.float64)


def _spread_out(component_spread: Spread, unit: Array, active: NDArray[np.intp], width: int) -> Array:
    """Covariances or variances over all features, 0 for those left out."""
    if component_spread.covariances.ndim == 2:
        out = np.zeros((len(component_spread.covariances), width))
        out[:, active] = component_spread.covariances * unit**2
        return out
    out = np.zeros((len(component_spread.covariances), width, width))
    out[np.ix_(np.arange(len(out)), active, active)] = (
        component_spread.covariances * unit[:, None] * unit[None, :]
    )
    return out


def _placed(shares: list[Array], present: list[int], n_classes: int) -> Array:
    """Shares of components that each belong to one class, (K, B)."""
    out = np.zeros((n_classes, sum(class_shares.shape[1] for class_shares in shares)))
    at = 0
    for k, class_shares in zip(present, shares, strict=True):
        out[k, at : at + class_shares.shape[1]] = class_shares[0]
        at += class_shares.shape[1]
    return out


def _added(histories: list[Array]) -> Array:
    """The sum of log likelihoods step by step; groups that are done stay where they are."""
    longest = max(map(len, histories))
    return np.asarray(
        np.sum([np.pad(history, (0, longest - len(history)), mode="edge") for history in histories], axis=0)
    )
