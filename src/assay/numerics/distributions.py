r"""Distributions of counts as logarithms: Bernoulli, binomial, multinomial, and how many orders there are.

    ln n! / (n_1! … n_L!) = ln Γ(n + 1) - Σ ln Γ(n_l + 1)

By log gamma, so n may be of any size: a million letters have a number of orders that no float holds, and a logarithm.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from assay.notes import Note
from assay.types import Array

__all__ = ["log_bernoulli", "log_binomial", "log_factorial", "log_multinomial", "log_multinomial_coefficient"]


def log_factorial(n: ArrayLike) -> Array:
    """ln n! of each whole number.

    Parameters
    ----------
    n : whole number or array of them

    Examples
    --------
    >>> round(float(np.exp(log_factorial(5))))
    120
    """
    return np.asarray(gammaln(_whole("n", n) + 1.0))


def log_bernoulli(x: ArrayLike, p: ArrayLike) -> Array:
    """ln p where x is 1, ln(1 - p) where it is 0; -inf where p rules x out.

    Parameters
    ----------
    x : 0, 1 or array of them
    p : number or array
        P(X = 1).

    Examples
    --------
    >>> np.exp(log_bernoulli([0, 1], 0.3)).round(3).tolist()
    [0.7, 0.3]
    """
    values, share = _whole("x", x), _shares(p)
    if (values > 1).any():
        raise ValueError(Note("N012", value=values[values > 1].flat[0]))
    return np.asarray(xlogy(values, share) + xlog1py(1.0 - values, -share))


def log_binomial(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """ln of the probability of k successes in n trials that succeed with probability p.

    Parameters
    ----------
    k, n : whole numbers or arrays of them
    p : number or array

    Examples
    --------
    >>> np.exp(log_binomial([0, 1, 2], 2, 0.5)).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    successes, trials, share = _whole("k", k), _whole("n", n), _shares(p)
    successes, trials = np.broadcast_arrays(successes, trials)
    failures = trials - successes
    coefficient = gammaln(trials + 1.0) - gammaln(successes + 1.0) - gammaln(np.maximum(failures, 0.0) + 1.0)
    inside = coefficient + xlogy(successes, share) + xlog1py(np.maximum(failures, 0.0), -share)
    return np.asarray(np.where(failures < 0, -np.inf, inside))


def log_multinomial_coefficient(counts: ArrayLike) -> Array:
    """ln of the number of orders in which things with these counts (last axis) can be laid out.

    Parameters
    ----------
    counts : array (..., L)

    Examples
    --------
    >>> round(float(np.exp(log_multinomial_coefficient([1, 1, 2, 1]))))  # h, e, l, o of "hello"
    60
    """
    numbers = _whole("counts", counts)
    return np.asarray(gammaln(numbers.sum(axis=-1) + 1.0) - gammaln(numbers + 1.0).sum(axis=-1))


def log_multinomial(counts: ArrayLike, p: ArrayLike) -> Array:
    """ln of the probability of the counts (last axis) of n draws, each of which is l with probability p_l.

    Parameters
    ----------
    counts : array (..., L)
    p : array (..., L)
        Sums to 1 over the last axis.

    Examples
    --------
    >>> round(float(np.exp(log_multinomial([1, 1], [0.5, 0.5]))), 3)
    0.5
    """
    numbers, share = _whole("counts", counts), _shares(p)
    sums = share.sum(axis=-1)
    if (np.abs(sums - 1.0) > 1e-8).any():
        raise ValueError(Note("N013", total=np.asarray(sums).flat[0]))
    return np.asarray(log_multinomial_coefficient(numbers) + xlogy(numbers, share).sum(axis=-1))


def _whole(name: str, values: ArrayLike) -> Array:
    """Values as float64; one sentence if any is no count."""
    numbers: Array = np.asarray(values, dtype=np.float64)
    bad = ~np.isfinite(numbers) | (numbers < 0) | (np.floor(numbers) != numbers)
    if bad.any():
        raise ValueError(Note("N014", name=name, value=numbers[bad].flat[0]))
    return numbers


def _shares(p: ArrayLike) -> Array:
    shares: Array = np.asarray(p, dtype=np.float64)
    bad = ~((shares >= 0) & (shares <= 1))
    if bad.any():
        raise ValueError(Note("N015", value=shares[bad].flat[0]))
    return shares
