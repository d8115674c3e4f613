r"""The linear support vector machine: the boundary with the widest margin, and a price for rows inside it.

    minimise  (1/N) Σ_n s_n max(0, 1 - y_n f(x_n)) + (l2 / 2) |a|²,    f(x) = a·x + b,  y = ±1

s_n are the weights of the rows and N their sum; b is free. More than two classes: each against the rest, the largest f
wins. The exact solver stops by a certificate, the duality gap; stochastic gradient descent follows single rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit
from assay.models.base.card import PATH, POSTERIOR, ModelCard, Range
from assay.models.base.class_weight import absent_classes, among_known, weighted
from assay.models.base.column_notes import column_keys
from assay.models.base.linear_boundary import LinearBoundaries
from assay.models.base.params import CLASS_WEIGHT, START, Param
from assay.models.base.path_classifier import PathClassifier, passes_of, standardised
from assay.models.base.stored import LINEAR, SHARES, Field
from assay.models.base.validation import TrainingData, check_training, check_two_classes
from assay.models.features.scale import unscaled
from assay.models.features.select_words import WORD_CHOICE
from assay.models.features.tf_idf import TEXT_L2
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState
from assay.numerics.row_hash import row_hashes, stream_key
from assay.sharing.path.standard import ColumnScaling
from assay.solvers.dual_descent import FoldDualDescent
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import SparseRows
from assay.solvers.semismooth import FoldSemismooth
from assay.solvers.sgd import LearningRateSchedule, descend
from assay.types import Array, ClassWeights, MatrixLike, RowWeights

WIDE = 1000  # sparse columns from which on second derivatives and full rows take too much room
STEPS = 2  # stream of random numbers: the rows of stochastic gradient descent
SURROGATES = ("hinge", "squared_hinge", "perceptron")
SOLVERS = ("exact", "sgd")
DESCENT = (("solver", ("sgd",)),)
LINEAR_SVM = (
    Param(
        "l2",
        "float",
        1e-4,
        (
            "Penalty l2/2 |a|^2, added to the mean loss; the intercept is not penalised. The C of other "
            "packages is 1/(l2 N)."
        ),
        low=1e-12,
    ),
    Param(
        "surrogate",
        "choice",
        "hinge",
        (
            "Training loss of a row with margin y f. max(0, 1 - y f), its square, or max(0, -y f), whose "
            "minimum is at zero weights."
        ),
        choices=SURROGATES,
    ),
    Param("solver", "choice", "exact", "Exact, or stochastic gradient descent.", choices=SOLVERS),
    CLASS_WEIGHT,
    Param("tol", "float", 1e-6, "Largest relative duality gap of the exact solution.", low=1e-10),
    Param("epochs", "int", 20, "Passes of stochastic gradient descent.", low=1, only_if=DESCENT),
    Param(
        "m",
        "float",
        1.0,
        "Step length m / (e + n) in epoch e = first_epoch, first_epoch + 1, ...",
        low=1e-12,
        only_if=DESCENT,
    ),
    Param("n", "float", 10.0, "Step length m / (e + n) in epoch e.", low=0.0, only_if=DESCENT),
    Param("first_epoch", "int", 1, "Number e of the first epoch.", low=0, only_if=DESCENT),
    Param(
        "steps_per_epoch",
        "int",
        None,
        "Steps in an epoch; one per row when not given.",
        low=1,
        optional=True,
        only_if=DESCENT,
    ),
    Param("random_state", "seed", 0, "Seed of the rows drawn."),
    replace(START, only_if=DESCENT),
)


class LinearSVM(PathClassifier, LinearBoundaries):
    """Linear support vector machine, solved exactly or by stochastic gradient descent.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    coef_, intercept_
        (K, D) and (K,); with two classes one row, for the second class.
    margin_ : (K,) or (1,)
        1/|a|, from the boundary to f = ±1, in the units of the columns.
    support_ : row numbers of the support vectors, those on the margin, inside it or on the wrong side.
    C_ : 1/(l2 N)
    gap_ : relative duality gap; the objective exceeds its minimum by at most this proportion.
    history_ : (steps, 2) objective (the sum over boundaries) and gap (the largest), step by step

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVM(l2=0.01).fit(X[:100], y[:100])
    >>> model.margin_.round(3), len(model.support_), bool(model.gap_ <= 1e-6)
    (array([0.818]), 3, True)
    """

    params: ClassVar[tuple[Param, ...]] = LINEAR_SVM
    sparse_ok: ClassVar[bool] = True
    stored: ClassVar[tuple[Field, ...]] = (
        *LINEAR,
        SHARES,
        Field("history_", "numbers", ("P", "Q")),
        Field("C_", "number"),
        Field("gap_", "number"),
        Field("support_", "places", ("S",)),
    )

    def __init__(
        self,
        l2: float = 1e-4,
        *,
        surrogate: str = "hinge",
        solver: str = "exact",
        class_weight: ClassWeights = None,
        tol: float = 1e-6,
        epochs: int = 20,
        m: float = 1.0,
        n: float = 10.0,
        first_epoch: int = 1,
        steps_per_epoch: int | None = None,
        random_state: RandomState = 0,
        start: Any = None,
    ) -> None:
        self.l2 = l2
        self.surrogate = surrogate
        self.solver = solver
        self.class_weight = class_weight
        self.tol = tol
        self.epochs = epochs
        self.m = m
        self.n = n
        self.first_epoch = first_epoch
        self.steps_per_epoch = steps_per_epoch
        self.random_state = random_state
        self.start = start

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Find the boundaries.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        if self.n + self.first_epoch <= 0:
            raise ValueError(Note("M197"))
        data = weighted(check_training(self, X, y, sample_weight), self.class_weight)
        check_two_classes(data)
        problem, known = among_known(data)
        with single_threaded():
            standard = standardised(data)
            if self.solver == "sgd":
                B = self._descend(problem, standard, self._start(data, known))
            else:
                with passes_of(standard, problem) as passes:
                    solution = self.solve_parts(
                        passes, standard.one_part(), problem.n_classes, np.array([self.l2])
                    )
                B = solution.B[0]
                self.history_ = np.array([(value, gap) for _, value, gap in solution.history])
            self._keep(data, standard, B, known)
            self._report(problem, standard, known)
        return self

    def solve_parts(self, passes: Passes, parts: Parts, n_classes: int, *penalties: Array) -> PathSolution:
        (l2,) = penalties
        if self.surrogate == "perceptron":
            return _nothing(passes, parts, n_classes, l2)
        if isinstance(rows := passes.rows, SparseRows) and rows.width > WIDE:
            return FoldDualDescent(passes, rows, parts, n_classes, self.tol, self.surrogate).path(l2)
        solver = FoldSemismooth(
            passes, parts, n_classes, self.tol, surrogate=self.surrogate, most_bytes=memory_limit()
        )
        return solver.path(l2)

    def path_note(self) -> Note | None:
        return super().path_note() if self.solver == "exact" else Note("S000", type(self).__name__)

    def _descend(self, data: TrainingData, standard: ColumnScaling, given: Array | None) -> Array:
        """Stochastic gradient descent on the rows as they are, one class after the other; B (1, C, P+1)."""
        weight = np.ones(len(data.codes)) if data.weight is None else data.weight
        schedule = LearningRateSchedule(self.epochs, self.m, self.n, self.first_epoch)
        positives = [1] if data.n_classes == 2 else range(data.n_classes)
        X = data.X.astype(np.float64, copy=False)
        start = np.zeros((len(positives), X.shape[1] + 1)) if given is None else given
        runs = []
        for k, first in zip(positives, start, strict=True):
            y = np.where(data.codes == k, 1.0, -1.0)
            share = weight / weight.sum()
            runs.append(descend(X, y, share, self._rows(weight), self.surrogate, self.l2, schedule, first))
        self.history_ = np.array(
            [
                (sum(value for value, _ in epoch), max(gap for _, gap in epoch))
                for epoch in zip(*(run.history for run in runs), strict=True)
            ]
        )
        a = np.stack([run.a for run in runs])
        b = np.array([run.b for run in runs]) + a @ standard.center
        return np.column_stack([a * standard.scale, b])[None]

    def _rows(self, weight: Array) -> Any:
        """The rows of each epoch: drawn with replacement, in proportion to their weights."""
        reached = np.cumsum(weight)
        steps = self.steps_per_epoch or int((weight > 0).sum())
        key = stream_key(self.random_state, STEPS)

        def of_epoch(epoch: int) -> NDArray[np.intp]:
            drawn = row_hashes(key, np.arange(epoch * steps, (epoch + 1) * steps, dtype=np.uint64))
            place = (drawn >> np.uint64(11)).astype(np.float64) * (2.0**-53 * reached[-1])
            place = np.minimum(place, np.nextafter(reached[-1], 0.0))  # not beyond the last by rounding
            return np.asarray(np.searchsorted(reached, place, side="right"))

        return of_epoch

    def _report(self, data: TrainingData, standard: ColumnScaling, known: NDArray[np.intp]) -> None:
        """Margins, support vectors, and what the solver says."""
        weight = np.ones(len(data.codes)) if data.weight is None else data.weight
        self.C_ = 1.0 / (self.l2 * float(weight.sum()))
        self.gap_ = float(self.history_[-1][1])
        self._keep_margin()
        scores = self._class_scores(data.X)[:, known]
        f = scores[:, 1:] - scores[:, :1] if len(known) == 2 else scores
        positive = data.codes[:, None] == (np.arange(f.shape[1]) if f.shape[1] > 1 else 1)
        edge = 0.0 if self.surrogate == "perceptron" else 1.0
        # The gap grows with the square of what scores are off: that far beyond the margin a row still supports it.
        supports = np.where(positive, f, -f) <= edge + np.sqrt(self.tol)
        self.support_ = np.flatnonzero(supports.any(axis=1) & (weight > 0))
        absent = absent_classes(self.classes_, self.class_prior_)
        self.diagnostics_ = (*standard.notes(column_keys(self)), *absent, *self._notes())

    def _keep_margin(self) -> None:
        coef, known = self.coef_, self.class_prior_ > 0
        if known.sum() == 2 < len(known):  # one machine, of which both classes have half
            coef = 2.0 * coef
        length = np.sqrt((coef**2).sum(axis=1))
        self.margin_ = np.divide(1.0, length, out=np.full(len(length), np.inf), where=length > 0)

    def _restored(self) -> None:
        super()._restored()
        self._keep_margin()

    def _notes(self) -> tuple[Note, ...]:
        if self.surrogate == "perceptron":
            return (Note("M319"),)
        if self.solver == "exact" and self.gap_ > self.tol:
            return (Note("M320", gap=self.gap_, tol=self.tol),)
        return ()


def _nothing(passes: Passes, parts: Parts, n_classes: int, l2: Array) -> PathSolution:
    """The minimum of the loss max(0, -y f): no weights."""
    shape = (len(l2), len(parts))
    B = np.zeros((*shape, 1 if n_classes == 2 else n_classes, passes.rows.width + 1))
    return PathSolution(
        B, np.zeros(shape), np.zeros(shape), np.ones(shape, dtype=bool), 0, [(float(l2[0]), 0.0, 0.0)]
    )


def _calibrated(card: ModelCard, name: str, what: str) -> ModelCard:
    """The card of the same machine with posteriors."""
    return replace(
        card,
        name=name,
        title=f"{card.title}, calibrated",
        capabilities=POSTERIOR | {"contributions"},
        interpretability=f"{what} per class, and a curve that maps margins to probabilities.",
        calibrates=card.name,
    )


MARGINS = ModelCard(
    name="linear_svm",
    title="Linear SVM",
    estimator=LinearSVM,
    family="svm",
    parameters=LINEAR_SVM,
    encoding="onehot-reference",
    capabilities=PATH,
    reading="sum over columns",
    interpretability="A weighted sum of the columns per class, with the widest margin; no probabilities.",
    fixed={"surrogate": "hinge", "solver": "exact"},
    tuning=(Range("l2", (0.1, 0.01, 1e-3)),),
    scaled=True,
    table_tuning=unscaled,
    all_rounder=True,
)
TEXT_MARGINS = replace(
    MARGINS,
    name="tfidf_svm",
    title="Linear SVM on TF-IDF",
    encoding="words-tfidf",
    reading="sum over words",
    interpretability="A weight for each word and class, with the widest margin; no probabilities.",
    fixed={"surrogate": "squared_hinge", "solver": "exact"},
    tuning=(Range("l2", TEXT_L2),),
    word_parameters=WORD_CHOICE,
    scaled=False,
    table_tuning=None,
    column_types=("text",),
)
CARDS = (
    MARGINS,
    _calibrated(MARGINS, "calibrated_svm", "A weighted sum of the columns"),
    TEXT_MARGINS,
    _calibrated(TEXT_MARGINS, "calibrated_tfidf_svm", "A weight for each word"),
)
