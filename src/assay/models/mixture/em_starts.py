r"""The components of one group of rows: starts by k-means, EM from the best of them, and how many components by BIC.

    BIC(B) = k_B ln N - 2 Σ_n ln p(x_n | c_n)

A short run from every start shows which one to follow (Biernacki, Celeux and Govaert, 2003). Components that the floor
had to hold up gain likelihood by standing on a few equal rows: such a start gives way to one without, and such a number
of components is not chosen by BIC.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.models.mixture.distinct_rows import DistinctRows
from assay.solvers.component_shapes import covariance_parameters
from assay.solvers.em import Components, Mixture, begin, em
from assay.solvers.kmeans import kmeans, starts

SHORT = 10  # steps of EM from each start
MEANS_STEPS = 30  # of k-means, which only has to begin


@dataclass(frozen=True)
class MixtureOptions:
    """How components are fitted; the names are those of the parameters."""

    covariance: str
    floor: float
    n_starts: int
    max_iter: int
    tolerance: float
    seed: int
    width: int  # all features, those left out included: what parameters are counted by
    threads: int = 1


@dataclass(frozen=True)
class MixtureFit:
    """Components of a group.

    Attributes
    ----------
    mixture : Mixture
        In the units of the group.
    requested : int
        Components that were requested; fewer where there are too few different rows.
    rows : int
        Different rows of the group.
    passed : tuple of int
        Numbers of components of a better BIC that were not chosen, since a covariance collapsed.
    """

    mixture: Mixture
    requested: int
    rows: int
    passed: tuple[int, ...] = ()


def most_components(group: DistinctRows) -> int:
    """A component needs at least two different rows: a single one has no spread."""
    return max(1, len(group.rows.weight) // 2)


def fit_components(group: DistinctRows, n_components: int, options: MixtureOptions) -> MixtureFit:
    """So many components, or as many as there are rows for."""
    rows = len(group.rows.weight)
    count = min(n_components, most_components(group)) if group.rows.values.shape[1] else 1
    limits = (options.max_iter, options.tolerance, options.threads)
    shape, floor = options.covariance, options.floor
    first = [_start(group, count, options, at) for at in range(options.n_starts if count > 1 else 1)]
    if len(first) == 1:
        return MixtureFit(em(group.rows, first[0], shape, floor, *limits), n_components, rows)
    steps = min(SHORT, options.max_iter)
    runs = [em(group.rows, start, shape, floor, steps, options.tolerance, options.threads) for start in first]
    best = min(runs, key=lambda run: (int(run.components.spread.floored.sum()), -run.history[-1]))
    if best.converged or steps == options.max_iter:
        return MixtureFit(best, n_components, rows)
    rest = em(
        group.rows,
        best.components,
        shape,
        floor,
        options.max_iter - steps,
        options.tolerance,
        options.threads,
    )
    return MixtureFit(replace(rest, history=np.append(best.history[:-1], rest.history)), n_components, rows)


def _start(group: DistinctRows, count: int, options: MixtureOptions, at: int) -> Components:
    """Components of the clusters that k-means finds, in units of the group's own deviations."""
    rows = group.rows
    labels = np.zeros(len(rows.weight), dtype=np.int32)
    if count > 1:
        points = np.ascontiguousarray(rows.values / group.deviation)
        generator = np.random.default_rng([options.seed, count, at])
        weight, threads = rows.weight, options.threads
        first = starts(points, count, "k-means++", generator, weight, threads)
        labels = kmeans(
            points, first, weights=weight, max_iter=MEANS_STEPS, tolerance=1e-3, threads=threads
        ).labels
    return begin(rows, labels, options.covariance, options.floor)


def choose_components(
    group: DistinctRows, most: int, options: MixtureOptions, log_total: float
) -> MixtureFit:
    """The number of components, up to `most`, of least BIC; `log_total` is ln N of all rows of the fit."""
    fits = [
        fit_components(group, count, options) for count in range(1, min(most, most_components(group)) + 1)
    ]
    alone = int(fits[0].mixture.components.spread.floored.sum())
    values = np.array([_bic(fit.mixture, group, options, log_total) for fit in fits])
    sound = np.array([int(fit.mixture.components.spread.floored.max()) <= alone for fit in fits])
    chosen = int(np.argmin(np.where(sound, values, np.inf)))
    passed = tuple(int(at) + 1 for at in np.flatnonzero(~sound & (values < values[chosen])))
    return replace(fits[chosen], requested=chosen + 1, passed=passed)


def _bic(mixture: Mixture, group: DistinctRows, options: MixtureOptions, log_total: float) -> float:
    components = mixture.components
    k = parameters(options.covariance, len(components.means), options.width, _present(components))
    return k * log_total - 2.0 * float(mixture.history[-1])


def _present(components: Components) -> int:
    """Classes that have rows."""
    return int((components.shares.sum(axis=1) > 0).sum())


def parameters(shape: str, n_components: int, width: int, n_classes: int) -> int:
    """Free parameters of the densities of so many classes that share the components: shares, means, covariances.

    >>> parameters("full", 1, 4, 1), parameters("diagonal", 3, 4, 1), parameters("diagonal", 3, 4, 2)
    (14, 26, 28)
    """
    return (
        n_classes * (n_components - 1)
        + n_components * width
        + covariance_parameters(shape, n_components, width)
    )
