"""What a kernel machine learns about its kernel, and its solution from a Gram matrix.

Rows that are not trained on get C = 0: they take no part, and their decision values fall out of the gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import Classifier, clone
from assay.models.base.validation import check_rows, explain_rows, feature_names
from assay.models.svm.gram import FormulaSpace, GramSpace, Space, called, check_values, given_gram
from assay.models.svm.votes import pairs_of, voted
from assay.notes import Note
from assay.sharing.protocols import GramProblem
from assay.solvers.kernels import KernelFunction
from assay.solvers.smo import Machine, solve_gram, warm_start
from assay.types import Array, ColumnNames, Floats, Index

FEW = 1000  # rows whose kernels are kept in float64: they are cheap
FINE = 1e-4  # a smaller tolerance asks for float64
ROUNDING = 1e-5  # of kernel values; float32 may not do worse
LARGE = 1e4  # kernel values beyond need float64
LEAST = 1e-290  # a variance below is none: its inverse would overflow


class GramMachine(Classifier):
    """The kernel of a machine, learned from rows; see `sharing/gram.py` for its callers."""

    gram_parameters: ClassVar[tuple[str, ...]] = ("l2", "C")

    kernel: Any
    l2: float
    C: float | None
    gamma: Any
    gamma_factor: float
    degree: int
    coef0: float
    tol: float
    gram_dtype: str
    most_rows: int
    center_: Array
    gamma_: float
    gram_dtype_: str

    def _is_given(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _price(self, total: float) -> float:
        """C for rows of this total weight."""
        return float(self.C) if self.C is not None else 1.0 / (self.l2 * total)

    @property
    def _function(self) -> KernelFunction:
        """The kernel of rows that carry γ already, so that units of the columns cost float32 no digits."""
        return KernelFunction(self.kernel, 1.0, float(self.coef0), int(self.degree))

    def _learn_kernel(self, X: Floats, weight: Array, names: ColumnNames) -> None:
        """γ, the centre of the rows (which costs a Gaussian kernel no digits then) and the precision."""
        self.gamma_, self.center_ = 1.0, np.zeros(X.shape[1])  # of kernels without them
        formula = isinstance(self.kernel, str) and not self._is_given()
        if not self._is_given():
            _check_finite(X, names)
        X = np.ascontiguousarray(X, dtype=np.float64)  # the order of sums does not depend on the table's
        if formula and self.kernel != "linear":
            self.gamma_ = self._find_gamma(X, weight)
        if formula and self.kernel == "rbf":
            self.center_ = np.asarray(weight @ X / weight.sum(), dtype=np.float64)
        self.gram_dtype_ = self.gram_dtype if self.gram_dtype != "auto" else self._precision(X, formula)

    def _find_gamma(self, X: Floats, weight: Array) -> float:
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        width = int(X.shape[1])
        if self.gamma == "auto":
            return 1.0 / width
        share = weight / (weight.sum() * width)
        mean = float((share @ X).sum())
        variance = float((share @ (X - mean) ** 2).sum())
        return float(self.gamma_factor) / (width * variance if variance > LEAST else 1.0)

    def _precision(self, X: Floats, formula: bool) -> str:
        """float32 where its rounding is small beside the tolerance; few rows do not need it."""
        if len(X) <= FEW or self.tol < FINE:
            return "float64"
        if not formula:
            fine = self._is_given() and float(np.abs(X).max()) > LARGE
            return "float64" if fine else "float32"
        square = float(((X - self.center_) ** 2).sum(axis=1).max())
        if self.kernel == "rbf":
            return "float64" if self.gamma_ * square * 2.0**-22 > ROUNDING else "float32"
        size = self.gamma_ * square + (0.0 if self.kernel == "linear" else abs(self.coef0))
        large = size ** (self.degree if self.kernel == "polynomial" else 1) > LARGE
        return "float64" if large else "float32"

    def _points(self, X: Floats) -> Floats:
        """Rows as compiled kernels take them: about the centre, times √γ."""
        with np.errstate(over="ignore"):  # what comes of it is checked
            return np.ascontiguousarray((X - self.center_) * np.sqrt(self.gamma_), dtype=self.gram_dtype_)

    def _space(self, X: Floats, threads: int) -> Space:
        """Where all rows of X are compared."""
        if self._is_given():
            return GramSpace(given_gram(X, self.gram_dtype_))
        if callable(self.kernel):
            rows = np.asarray(X, dtype=np.float64)
            return GramSpace(given_gram(called(self.kernel, rows, rows), self.gram_dtype_))
        return FormulaSpace(self._function, self._points(X))

    def _values(self, X: Floats, vectors: Array, threads: int) -> Array:
        """Kernels of rows with vectors, float64."""
        if callable(self.kernel):
            return called(self.kernel, np.asarray(X, dtype=np.float64), vectors)
        kernels = self._function.block(self._points(X), self._points(vectors), threads)
        return kernels.astype(np.float64, copy=False)

    def gram_note(self, rows: int, width: int, memory: int) -> Note | None:
        """Why a table of so many rows is not for one matrix."""
        self._check_params()
        given = {"rows": rows, "most": self.most_rows}
        return (
            None if self._is_given() or rows <= self.most_rows else Note("S011", type(self).__name__, given)
        )

    def learns_kernel(self) -> bool:
        """Whether the kernel depends on the training rows."""
        return self.kernel in ("rbf", "polynomial", "sigmoid") and self.gamma == "scale"

    def gram(self, X: Any, train: Index, weight: Array | None, some: Index | None, threads: int) -> Floats:
        """The Gram matrix of all rows, or of some, under the kernel that the training rows give."""
        machine = clone(self)
        rows = check_rows(machine, X, reset=True)
        names = feature_names(machine)
        if not self._is_given():
            _check_finite(rows, names)  # rows by the numbers of the whole table
        counted = np.ones(len(train)) if weight is None else weight[train]
        machine._learn_kernel(rows if self._is_given() else rows[train], counted, names)
        if some is not None and len(some) < len(rows):
            rows = rows[np.ix_(some, some)] if self._is_given() else rows[some]
        gram = machine._space(rows, threads).gram(threads)
        check_values(gram, "Gram matrix")
        return gram

    def solve_gram(self, problem: GramProblem, models: Sequence[Any]) -> tuple[Array, NDArray[np.bool_]]:
        """Scores (L, P, K) of the tested rows by machines of the rows with weight, and which of them converged."""
        codes, weight = problem.codes, problem.weight
        prices = np.array([model._price(float(weight.sum())) for model in models])
        pairs = pairs_of(np.flatnonzero(np.bincount(codes, weight > 0, problem.n_classes)))
        margins = np.empty((len(prices), len(problem.test), len(pairs)))
        converged = np.ones(len(prices), dtype=bool)
        for p, (j, k) in enumerate(pairs):
            member = ((codes == j) | (codes == k)) & (weight > 0)
            y = np.where(member, np.where(codes == k, 1.0, -1.0), 0.0)
            path = _Path(problem, y, np.where(member, weight, 0.0), self.tol)
            for place, machine in path.machines(prices):
                margins[place, :, p] = path.decisions(machine, problem.test)
                converged[place] &= machine.violation <= self.tol
        return np.stack(
            [voted(pair_margins, pairs, problem.n_classes) for pair_margins in margins]
        ), converged


def _check_finite(X: Floats, names: ColumnNames) -> None:
    error = explain_rows(names, X)
    if error is not None:
        raise error


class _Path:
    """The machines of one pair along its prices, on the rows that take part where those are few."""

    def __init__(self, problem: GramProblem, y: Array, weight: Array, tolerance: float) -> None:
        self.rows = np.flatnonzero(weight > 0)
        self.whole, self.tolerance, self.threads = problem.gram, tolerance, problem.threads
        self.few = 2 * len(self.rows) <= len(y)
        self.gram = np.ascontiguousarray(self.whole[np.ix_(self.rows, self.rows)]) if self.few else self.whole
        self.y, self.weight = (y[self.rows], weight[self.rows]) if self.few else (y, weight)

    def machines(self, prices: Array) -> Iterator[tuple[int, Machine]]:
        """(place of the price, machine), each from the one before it, low prices first."""
        last: tuple[float, Machine] | None = None
        for place in np.argsort(prices, kind="stable").tolist():
            price, start = float(prices[place]), None
            if last is not None:
                start = warm_start(last[1], self.y, last[0] * self.weight, price / last[0])
            cost = price * self.weight
            machine = solve_gram(self.gram, self.y, cost, self.tolerance, self.threads, start)
            last = (price, machine)
            yield place, machine

    def decisions(self, machine: Machine, test: NDArray[np.intp]) -> Array:
        """f of the tested rows, whether they took part or not."""
        if not self.few:
            return machine.decisions(self.y)[test]
        used = np.flatnonzero(machine.beta)
        values = self.whole[np.ix_(test, self.rows[used])].astype(np.float64)
        return np.asarray(values @ machine.beta[used] + machine.shift)
