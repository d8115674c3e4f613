r"""The kernel support vector machine: a boundary of widest margin in the space that a kernel spans.

    minimise  (1/N) Σ_n s_n max(0, 1 - y_n f(x_n)) + (l2 / 2) |f|²,    f(x) = Σ_n β_n k(x_n, x) + b,  y = ±1

s_n are the weights of the rows, N their sum, b is free; |f|² = β'Kβ. In the spelling of other packages this is
|f|²/2 + C Σ s_n max(0, ...) with C = 1/(l2 N). Rows with β ≠ 0 are the support vectors. More than two classes: each
pair by itself, the class that wins most pairs (Cortes and Vapnik, *Support-vector networks*, 1995).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit, thread_count
from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.class_weight import absent_classes, weighted
from assay.models.base.estimators import Classifier, Tags
from assay.models.base.params import CLASS_WEIGHT, KERNELS, Param
from assay.models.base.stored import INPUT, NOTES, SHARES, Field
from assay.models.base.validation import TrainingData, check_training, check_two_classes, unequal_scales
from assay.models.features.scale import unscaled
from assay.models.svm.gram import GramSpace, Space, called, negative_eigenvalue
from assay.models.svm.gram_machine import GramMachine
from assay.models.svm.nystroem import affordable, drawn, solve_landmarks
from assay.models.svm.pairwise import PairwiseSvm, solve_pairs
from assay.models.svm.votes import Pairs, pairs_of, voted
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.types import Array, ClassWeights, Floats, MatrixLike, RowWeights

WITH_GAMMA = ("kernel", ("rbf", "polynomial", "sigmoid"))
KERNEL_SVM = (
    Param(
        "kernel",
        "kernel",
        "rbf",
        (
            "Similarity of two rows. exp(-γ|x-z|²), x·z, (γ x·z + coef0)^degree, tanh(γ x·z + coef0); "
            '"precomputed": X is the Gram matrix (kernels of rows to predict with all training rows). A '
            "function takes two tables (N, D), (M, D) and returns (N, M)."
        ),
        choices=KERNELS,
    ),
    Param(
        "l2",
        "float",
        1e-4,
        "Penalty l2/2 |f|^2, added to the mean loss.",
        low=1e-12,
        only_if=(("C", (None,)),),
    ),
    Param(
        "C",
        "float",
        None,
        "Price of the loss, 1/(l2 N), which can be given instead of l2.",
        low=1e-12,
        optional=True,
    ),
    Param(
        "gamma",
        "gamma",
        "scale",
        (
            'Scale of the kernels. "scale": gamma_factor / (columns × variance of all values), "auto": 1 / '
            "columns."
        ),
        only_if=(WITH_GAMMA,),
    ),
    Param(
        "gamma_factor",
        "float",
        1.0,
        'Factor of gamma="scale".',
        low=1e-9,
        high=1e9,
        only_if=(WITH_GAMMA, ("gamma", ("scale",))),
    ),
    Param(
        "degree",
        "int",
        3,
        "Power of the polynomial kernel.",
        low=1,
        high=100,
        only_if=(("kernel", ("polynomial",)),),
    ),
    Param(
        "coef0",
        "float",
        0.0,
        "Constant of the polynomial and the sigmoid kernel.",
        only_if=(("kernel", ("polynomial", "sigmoid")),),
    ),
    CLASS_WEIGHT,
    Param(
        "tol",
        "float",
        1e-3,
        "Largest violation of the optimality conditions, in units of the margin.",
        low=1e-8,
        high=1.0,
        was="tolerance",
    ),
    Param(
        "gram_dtype",
        "choice",
        "auto",
        (
            'Precision of kernel values; sums over them are float64. "auto": float32 beyond 1000 rows if '
            "rounding is small."
        ),
        choices=("auto", "float32", "float64"),
    ),
    Param(
        "most_rows",
        "int",
        50_000,
        (
            "Number of rows beyond which kernels with randomly drawn landmarks are used. This is Nyström's "
            "approximation; `diagnostics_` says so."
        ),
        low=1,
    ),
    Param("landmarks", "int", 512, "Number of rows that are drawn as landmarks.", low=2),
    Param("random_state", "seed", 0, "Seed of the landmarks."),
)


class KernelSVM(GramMachine, Classifier):
    """Support vector machine with a kernel.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    support_, support_vectors_ : row numbers (S,) and rows (S, D) of the support vectors
    dual_coef_, intercept_ : (P, S) and (P,)
        β and b of each pair of classes, positive for the second class of the pair; two classes have one pair.
    pairs_ : positions in classes_ of the two classes of each pair
    C_, gamma_ : the values in use
    gap_ : relative duality gap, the largest of all pairs
    history_ : (rounds, 3) objective (the sum over pairs), gap and violation (the largest), working set by working set
    n_iter_ : number of steps, each of which changes a pair of coefficients

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> X, y = make_circles(200, noise=0.1, factor=0.4, random_state=0)
    >>> model = KernelSVM(C=1.0).fit(X, y)
    >>> float((model.predict(X) == y).mean()), len(model.support_)
    (1.0, 35)
    """

    params: ClassVar[tuple[Param, ...]] = KERNEL_SVM
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("classes_", "labels", ("K",)),
        SHARES,
        Field("center_", "numbers", ("D",)),
        Field("gamma_", "reach"),
        Field("gram_dtype_", "text"),
        Field("C_", "reach"),
        Field("support_", "places", ("S",)),
        Field("support_vectors_", "numbers", ("S", "D"), optional=True),  # a given Gram matrix has none
        Field("dual_coef_", "numbers", ("P", "S")),
        Field("intercept_", "numbers", ("P",)),
        Field("history_", "numbers", ("R", "Q")),
        Field("gap_", "number"),
        Field("n_iter_", "tally"),
        NOTES,
    )

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        l2: float = 1e-4,
        C: float | None = None,
        gamma: Any = "scale",
        gamma_factor: float = 1.0,
        degree: int = 3,
        coef0: float = 0.0,
        class_weight: ClassWeights = None,
        tol: float = 1e-3,
        gram_dtype: str = "auto",
        most_rows: int = 50_000,
        landmarks: int = 512,
        random_state: RandomState = 0,
    ) -> None:
        self.kernel = kernel
        self.l2 = l2
        self.C = C
        self.gamma = gamma
        self.gamma_factor = gamma_factor
        self.degree = degree
        self.coef0 = coef0
        self.class_weight = class_weight
        self.tol = tol
        self.gram_dtype = gram_dtype
        self.most_rows = most_rows
        self.landmarks = landmarks
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Find the machines of all pairs of classes.

        Parameters
        ----------
        X : array (N, D), or (N, N) with a precomputed kernel
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        given = check_training(self, X, y, sample_weight)
        data = weighted(given, self.class_weight)
        check_two_classes(data)
        counted, weight = (np.ones(len(d.codes)) if d.weight is None else d.weight for d in (given, data))
        with single_threaded():
            self._learn_kernel(
                data.X, counted, data.names
            )  # scales are those of the rows, not of the classes
            self.classes_ = data.classes
            self.class_prior_ = np.bincount(data.codes, weight, data.n_classes) / weight.sum()
            self.C_ = self._price(float(weight.sum()))
            if self._exact(len(data.codes)):
                space = self._space(data.X, thread_count())
                machines = solve_pairs(space, data.codes, self.C_ * weight, data.n_classes, self.tol)
                notes = self._notes(machines, space)
            else:
                machines, notes = self._by_landmarks(data, weight)
            self._keep(data, machines, weight)
            scales = unequal_scales(data.X, data.names) if self.kernel == "rbf" else ()
            absent = absent_classes(self.classes_, self.class_prior_)
            self.diagnostics_ = (*absent, *notes, *scales)
        return self

    def _by_landmarks(self, data: TrainingData, weight: Array) -> tuple[PairwiseSvm, tuple[Note, ...]]:
        rows = len(data.codes)
        marks = drawn(weight, affordable(self.landmarks, rows), as_seed(self.random_state))
        vectors = np.asarray(data.X[marks], dtype=np.float64)

        def values(subset: NDArray[np.intp]) -> Array:
            return self._values(data.X[subset], vectors, thread_count())

        machines = solve_landmarks(values, marks, data.codes, self.C_ * weight, data.n_classes)
        return machines, (Note("M323", rows=rows, most_rows=self.most_rows, landmarks=len(marks)),)

    def _keep(self, data: TrainingData, machines: PairwiseSvm, weight: Array) -> None:
        self.support_ = np.flatnonzero((machines.coef != 0).any(axis=0)).astype(np.int64)
        self.dual_coef_ = np.ascontiguousarray(machines.coef[:, self.support_])
        self.intercept_ = machines.intercept
        if not self._is_given():
            self.support_vectors_ = np.asarray(data.X[self.support_], dtype=np.float64)
        # (1/N) sum + l2/2 |f|² is what the solver minimises, divided by C N.
        self.history_ = machines.history * np.array([1.0 / (self.C_ * float(weight.sum())), 1.0, 1.0])
        self.gap_ = float(self.history_[-1, 1])
        self.n_iter_ = int(machines.steps)

    @property
    def pairs_(self) -> Pairs:
        """The classes of each pair, by position."""
        return pairs_of(np.flatnonzero(self.class_prior_ > 0))

    def _class_scores(self, X: Floats) -> Array:
        return voted(self._margins(X), self.pairs_, len(self.classes_))

    def _margins(self, X: Floats) -> Array:
        """Margin of the second class of each pair against the first, (N, P)."""
        with single_threaded():
            if self._is_given():
                return np.asarray(X[:, self.support_] @ self.dual_coef_.T + self.intercept_)
            if callable(self.kernel):
                finite = np.isfinite(X).all(axis=1)  # the function need not know what to do with others
                out = np.full((len(X), len(self.intercept_)), np.nan)
                values = called(self.kernel, np.asarray(X[finite], dtype=np.float64), self.support_vectors_)
                out[finite] = values @ self.dual_coef_.T + self.intercept_
                return out
            points, vectors = self._points(X), self._points(self.support_vectors_)
            return self._function.sums(points, vectors, self.dual_coef_, thread_count()) + self.intercept_

    def _notes(self, machines: PairwiseSvm, space: Space) -> tuple[Note, ...]:
        notes = []
        doubtful = isinstance(space, GramSpace) or not self._function.positive()
        if machines.bends_down or (doubtful and negative_eigenvalue(space)):
            notes.append(Note("M321"))
        violation = float(machines.history[-1, 2])
        if violation > self.tol:
            notes.append(Note("M322", violation=violation, tol=self.tol))
        return tuple(notes)

    def _exact(self, rows: int) -> bool:
        """Whether all rows are compared with each other; a matrix that is given is there already."""
        if self._is_given():
            return True
        whole = callable(self.kernel) and 8 * rows * rows > memory_limit()
        return rows <= self.most_rows and not whole


MARGINS = ModelCard(
    name="kernel_svm",
    title="SVM, Gaussian kernel",
    estimator=KernelSVM,
    family="svm",
    parameters=KERNEL_SVM,
    encoding="onehot-reference",
    capabilities=frozenset({"gram"}),
    reading="support vectors",
    interpretability="Rows near the boundary vote by their distance; not interpretable, no probabilities.",
    complexity=3,
    fixed={"kernel": "rbf"},
    tuning=(Range("l2", (1e-2, 1e-3, 1e-4)), Range("gamma_factor", (0.1, 0.5, 2.0))),
    scaled=True,
    table_tuning=unscaled,
    all_rounder=True,
)
CARDS = (
    MARGINS,
    replace(
        MARGINS,
        name="calibrated_kernel_svm",
        title="SVM, Gaussian kernel, calibrated",
        capabilities=POSTERIOR,
        interpretability="Rows near the boundary vote by their distance, and a curve maps margins to probabilities.",
        calibrates=MARGINS.name,
    ),
)
