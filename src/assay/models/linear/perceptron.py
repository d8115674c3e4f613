r"""The perceptron: weights that change by a row after each mistake, and only then.

    w ← w + η x  if a row of the second class was given to the first,   w ← w - η x  the other way round

A row is given to the second class where w·x >= 0, a score of exactly 0 included. With more than two classes it is given
to the first of the largest scores; after a mistake the row is added to the weights of its class and taken from those of
the class it was given. If a plane with margin γ separates rows of length at most R, there are at most (R/γ)² mistakes,
and the last pass has none; if no plane does, the rule goes on for ever (Rosenblatt, 1957; Novikoff, 1962). That it has
not stopped yet says nothing: the verdict comes from the certificate of `assay.solvers.separability`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit
from assay.models.base.card import ModelCard
from assay.models.base.class_weight import absent_classes, weighted
from assay.models.base.params import CLASS_WEIGHT, START, Param
from assay.models.base.path_classifier import PathClassifier, passes_of, standardised
from assay.models.base.stored import LINEAR, Field
from assay.models.base.validation import TrainingData, check_several, check_training, explain_rows
from assay.models.linear.separability import describe_separation, standard_rows
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.sharing.costly_diagnostics import costly_diagnostics_wanted
from assay.sharing.path.standard import ColumnScaling
from assay.solvers.fold_perceptron import FoldPerceptron, PerceptronOptions
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.perceptron import Visited
from assay.solvers.result import PathSolution
from assay.solvers.separability import separation
from assay.types import Array, ClassWeights, MatrixLike, RowWeights

VARIANTS = ("plain", "averaged", "pocket")
PERCEPTRON = (
    Param(
        "variant",
        "choice",
        "plain",
        (
            "Keep the last weights, their mean over all rows visited, or those with the fewest errors. "
            'After convergence on separable data the last weights make no error, and "pocket" keeps them, '
            "too."
        ),
        choices=VARIANTS,
    ),
    Param(
        "epochs",
        "int",
        1000,
        "Largest number of passes over the rows; the first pass without an error is the last.",
        low=1,
    ),
    Param(
        "shuffle",
        "bool",
        False,
        (
            "Visit the rows in a new random order in each pass (`random_state`), otherwise in their given "
            "order."
        ),
    ),
    Param(
        "scale",
        "bool",
        True,
        "Centre and scale the columns internally; weights are reported in the units of the columns.",
    ),
    Param(
        "learning_rate",
        "float",
        1.0,
        "Size of a step; it scales the weights and moves no boundary.",
        low=1e-12,
    ),
    CLASS_WEIGHT,
    Param("random_state", "seed", 0, "Seed of the order of the rows."),
    START,
)


class Perceptron(PathClassifier):
    """Rosenblatt's perceptron, for two classes or more.

    Columns are centred and scaled internally, because columns of very different units need many more steps; with
    `scale=False` the rows are not scaled, and the steps are those of the textbook.

    Attributes
    ----------
    mistakes_, n_iter_ : int
        Number of steps, and of passes over the rows.
    converged_ : bool
        Whether a pass had no error, which proves that the classes are separable.
    classes_, coef_, intercept_, diagnostics_

    Examples
    --------
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = Perceptron(scale=False).fit(rows, [False, False, False, True])  # AND
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_
    ([[2.0, 1.0]], [-3.0], 11)
    >>> model.converged_, model.predict(rows).tolist()
    (True, [False, False, False, True])
    """

    params: ClassVar[tuple[Param, ...]] = PERCEPTRON
    fills_sparse: ClassVar[bool] = True
    stored: ClassVar[tuple[Field, ...]] = (
        *LINEAR,
        Field("mistakes_", "tally"),
        Field("n_iter_", "tally"),
        Field("converged_", "flag"),
    )
    penalties: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        variant: str = "plain",
        *,
        epochs: int = 1000,
        shuffle: bool = False,
        scale: bool = True,
        learning_rate: float = 1.0,
        class_weight: ClassWeights = None,
        random_state: RandomState = 0,
        start: Any = None,
    ) -> None:
        self.variant = variant
        self.epochs = epochs
        self.shuffle = shuffle
        self.scale = scale
        self.learning_rate = learning_rate
        self.class_weight = class_weight
        self.random_state = random_state
        self.start = start

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Go through the rows until a pass has no mistake.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        data = weighted(check_training(self, X, y, sample_weight), self.class_weight)
        check_several(data.classes)
        with single_threaded():
            standard = self._standard(data)
            with passes_of(standard, data) as passes:
                given = self._start(data, np.arange(data.n_classes))
                start = None if given is None else standard.of_columns(given)
                ((B, visits),) = self._visited(passes, standard.one_part(), data.n_classes, start)
            self._keep_visited(data, standard, B, visits)
        return self

    def _standard(self, data: TrainingData) -> ColumnScaling:
        """How the rule takes the rows."""
        error = explain_rows(data.names, data.X)
        if error is not None:
            raise error
        if self.scale:
            return standardised(data)
        width = data.X.shape[1]
        return ColumnScaling(np.zeros(width), np.ones(width), np.ones(width, dtype=np.bool_))

    def _visited(
        self, passes: Passes, parts: Parts, n_classes: int, start: Array | None = None
    ) -> list[tuple[Array, Visited]]:
        options = PerceptronOptions(
            self.variant,
            self.epochs,
            self.learning_rate,
            as_seed(self.random_state) if self.shuffle else None,
            start,
        )
        solutions = FoldPerceptron(passes, parts, n_classes, options, memory_limit()).solve()
        if not all(np.isfinite(B).all() for B, _ in solutions):
            raise ValueError(Note("M127"))
        return solutions

    def solve_parts(self, passes: Passes, parts: Parts, n_classes: int, *_: Array) -> PathSolution:
        B = np.stack([B for B, _ in self._visited(passes, parts, n_classes)])[None]
        nothing = np.zeros(B.shape[:2])
        return PathSolution(B, nothing, nothing, np.ones(B.shape[:2], dtype=np.bool_), self.epochs, [])

    def winners(self, scores: Array) -> NDArray[np.intp]:
        """As the rule goes: of two classes a score of exactly 0 is the second one's."""
        if scores.shape[1] != 2:
            return super().winners(scores)
        return (scores[:, 1] >= scores[:, 0]).astype(np.intp)

    def path_note(self) -> Note | None:
        """Rows as they are may have equal scores, which rounding would part."""
        return super().path_note() if self.scale else Note("S000", type(self).__name__)

    def _keep_visited(self, data: TrainingData, standard: ColumnScaling, B: Array, visits: Visited) -> None:
        self.classes_ = data.classes
        self.mistakes_, self.n_iter_, self.converged_ = visits.mistakes, visits.epochs, visits.converged
        self._keep_form(standard.form(B[None]))
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        verdict = (self._verdict(data),) if costly_diagnostics_wanted() and not visits.converged else ()
        self.diagnostics_ = (*absent_classes(data.classes, counts), *verdict)

    def _verdict(self, data: TrainingData) -> Note:
        """Why no pass was without a mistake; running out of passes is not a reason."""
        rows = standard_rows(data)
        separability = describe_separation(separation(rows.Z, rows.codes, len(rows.classes)), rows)
        if separability.kind == "complete":
            return Note("M369" if self.scale else "M370", epochs=self.epochs)
        if separability.kind == "unknown":
            return Note("M371", epochs=self.epochs)
        return separability.sentence


CARDS = (
    ModelCard(
        name="perceptron",
        title="Perceptron, averaged",
        estimator=Perceptron,
        family="linear",
        parameters=PERCEPTRON,
        encoding="onehot-reference",
        capabilities=frozenset({"contributions"}),
        reading="sum over columns",
        interpretability="A weighted sum of the columns per class, learned from mistakes; no probabilities.",
        fixed={"variant": "averaged", "epochs": 20},
        scaled=True,
    ),
)
