r"""Are classes linearly separable? A certificate either way, by linear programming.

Classes are separable if there are weights with positive margins m_nj = (w_c - w_j)ᵀx_n + (w_c0 - w_j0), c the class of
row n, for every row and every rival class j. One linear programme tells complete separation (all margins positive),
quasi-complete separation (none negative, some positive) and none of them apart:

    maximise  Σ s_nj    subject to  m_nj ≥ s_nj,  0 ≤ s_nj ≤ 1            (every s_nj is 0 or 1 at the optimum)
    dual      maximise  Σ min(1, λ_nj)    subject to  λ ≥ 0,  Σ λ_nj ∂m_nj/∂w = 0

Where s is 0, λ is at least 1: for two classes these multipliers make the same point a weighted mean of rows of the one
class and of rows of the other, so no plane has either side to itself. Such a proof holds for all rows if the rows in it
determine every plane. A few rows decide: the programme is solved for some, and the rows it puts on the wrong side are
added until no row disagrees (Konis, *Linear programming algorithms for detecting separated data*, Oxford 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from assay.numerics.blas import single_threaded
from assay.solvers.separating_columns import fewest_columns
from assay.solvers.separation_rows import Constraints, RivalPairs
from assay.types import Array

Kind = Literal["complete", "quasi", "none", "unknown"]
ROUNDS = 100
MANY = 20  # rows for each unknown from which on those at the ends of the columns are picked at once
MOST_UNKNOWNS = 2500  # weights of all classes; larger programmes take minutes
SECONDS = 120.0  # for one programme; reached only where it makes no progress
ROUNDING = 1e-10  # of margins, relative to the largest
LOOSE = 1e-7  # margins that a plane of weights about 1 must reach to count as free
PROVED = 1e-9  # largest residual of a proof, in deviations of the columns


class Proof(NamedTuple):
    """Multipliers that no separating plane could have: row `rows[i]` against class `rivals[i]`.

    They sum to 2: for two classes those of each class sum to 1, and `residual` is the largest difference, over the
    columns, of the two weighted means.
    """

    rows: NDArray[np.intp]
    rivals: NDArray[np.intp]
    multipliers: Array
    residual: float


@dataclass(frozen=True)
class Separation:
    """What is known of a set of rows.

    kind : "complete", "quasi", "none", or "unknown" where the programme was too large or could not be solved
    weights, intercept : (C, D) and (C,); C is 1 for two classes (positive for the second), otherwise K; zero if none
    columns : those that carry the separation; without any of them it is lost where there are few (see
        `separating_columns`)
    proof : why separation is not complete; None where it is
    on_boundary : (N,) rows that every such plane leaves on it, or None
    """

    kind: Kind
    weights: Array
    intercept: Array
    columns: tuple[int, ...]
    proof: Proof | None
    on_boundary: NDArray[np.bool_] | None = None


def separation(
    X: Array, codes: NDArray[np.integer], n_classes: int, *, guess: Array | None = None
) -> Separation:
    """Separate rows X (N, D) with columns of mean 0 and deviation 1, classes 0 to `n_classes` - 1, each with a row.

    guess : (C, D+1), optional
        Weights and intercept of a plane that may separate already.
    """
    with single_threaded():
        rows = Constraints(X, codes, n_classes)
        for plane in rows.first_tries(guess):
            if rows.separates(plane):
                return _separated(rows, "complete", plane, rows.worst(rows.margins(plane), rows.unknowns))
        return _programme(rows)


def _programme(rows: Constraints) -> Separation:
    """Solve for more and more rows until the answer holds for all."""
    if rows.unknowns > MOST_UNKNOWNS:
        return _nothing(rows, "unknown", None)
    margins = rows.margins(rows.rough())
    picked = rows.worst(margins, max(4 * rows.unknowns, 300))
    if rows.n_classes == 2 and len(rows.codes) > MANY * rows.unknowns:
        picked = picked.joined(rows.at_both_ends(margins))
    for _ in range(ROUNDS):
        state = _solve(rows, picked)
        if state is None:
            return _nothing(rows, "unknown", None)
        more = _disagreeing(rows, state)
        if not len(more):
            return _verdict(rows, picked, state)
        grown = picked.joined(more)
        if len(grown) == len(picked):
            return _nothing(rows, "unknown", None)
        picked = grown
    return _nothing(rows, "unknown", None)


class _SolvedProgram(NamedTuple):
    """The programme of some rows, solved: a plane, its multipliers, and which rows it must leave on the boundary."""

    plane: Array  # (K, D+1)
    multipliers: Array  # (M,), zero where the margin is positive
    held: NDArray[np.bool_]  # (M,)
    free: Array  # a random plane of weights about 1, turned so that every held margin is 0


def _solve(rows: Constraints, picked: RivalPairs) -> _SolvedProgram | None:
    A = rows.matrix(picked)
    count = len(A)
    result = linprog(
        np.repeat([-1.0, 0.0], count),  # λ = a + e: the first unit of each multiplier counts
        A_eq=np.hstack([A.T, A.T]),
        b_eq=np.zeros(A.shape[1]),
        bounds=[(0.0, 1.0)] * count + [(0.0, None)] * count,
        method="highs-ds",
        options={"time_limit": SECONDS},
    )
    if result.status != 0:
        return None
    held = result.x[:count] > 0.5
    multipliers = np.where(held, result.x[:count] + result.x[count:], 0.0)
    weights = np.asarray(-result.eqlin.marginals)
    free = np.asarray(np.random.default_rng(0).normal(size=A.shape[1]))
    if held.any():
        left, size, right = np.linalg.svd(A[held], full_matrices=False)
        rank = int((size > ROUNDING * size[0]).sum())
        left, right = left[:, :rank], right[:rank]
        # The solver's seven digits become sixteen.
        multipliers[held] -= left @ (left.T @ multipliers[held])
        weights, free = weights - right.T @ (right @ weights), free - right.T @ (right @ free)
    if held.all():
        weights = np.zeros(A.shape[1])
    elif (A[~held] @ weights).min() < 0.5:  # 1 but for rounding
        return None
    return _SolvedProgram(rows.plane(weights), multipliers, held, rows.plane(free))


def _disagreeing(rows: Constraints, state: _SolvedProgram) -> RivalPairs:
    """Rows on the wrong side of the plane; if there are none, rows on it that other planes need not leave there."""
    margins = rows.margins(state.plane)
    noise = ROUNDING * float(np.abs(margins[np.isfinite(margins)]).max())
    if (margins < -noise).any():
        return rows.worst(np.where(margins < -noise, margins, np.inf), rows.unknowns)
    on_it = np.abs(margins) <= noise
    # Rows that are combinations of the held ones stay on any plane that those are on.
    swing = np.where(on_it, np.abs(rows.margins(state.free)), 0.0)
    loose = swing > LOOSE * np.sqrt(rows.Z.shape[1])
    return rows.worst(np.where(loose, -swing, np.inf), rows.unknowns)


def _verdict(rows: Constraints, picked: RivalPairs, state: _SolvedProgram) -> Separation:
    """The answer, verified on every row."""
    proof = None
    if state.held.any():
        proof = _proof(rows, picked[state.held], state.multipliers[state.held])
        if proof.residual > PROVED or proof.multipliers.min() < 0:
            return _nothing(rows, "unknown", None)
    if state.held.all():
        return _nothing(rows, "none", proof)
    if proof is None:
        settled = rows.separates(state.plane)
        return (
            _separated(rows, "complete", state.plane, picked) if settled else _nothing(rows, "unknown", None)
        )
    return _separated(rows, "quasi", state.plane, picked, proof)


def _proof(rows: Constraints, picked: RivalPairs, multipliers: Array) -> Proof:
    shares = 2.0 * multipliers / multipliers.sum()
    residual = float(np.abs(shares @ rows.matrix(picked)).max())
    return Proof(picked.rows, picked.rivals, shares, residual)


def _separated(
    rows: Constraints, kind: Kind, plane: Array, picked: RivalPairs, proof: Proof | None = None
) -> Separation:
    held = np.zeros((len(rows.codes), rows.n_classes), dtype=np.bool_)
    if proof is not None:
        margins = rows.margins(plane)
        held = np.asarray(margins <= ROUNDING * np.abs(margins[np.isfinite(margins)]).max())
    fewest = fewest_columns(rows, held, picked, plane)
    model = rows.as_model(fewest.plane)
    return Separation(
        kind, *model, fewest.columns, proof, None if proof is None else np.asarray(held.any(axis=1))
    )


def _nothing(rows: Constraints, kind: Kind, proof: Proof | None) -> Separation:
    weights, intercept = rows.as_model(np.zeros((rows.n_classes, rows.Z.shape[1])))
    return Separation(kind, weights, intercept, (), proof)
