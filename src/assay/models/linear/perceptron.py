r"""The perceptron: weights that change by a row after each mistake, and only then.

    w ← w + η x  if a row of the second class was given to the first,   w ← w - η x  the other way round

With more than two classes the row is added to the weights of its class and taken from those of the class it was given.
If a plane with margin γ separates rows of length at most R, there are at most (R/γ)² mistakes, and the last pass has
none; if no plane does, the rule goes on for ever (Rosenblatt, 1957; Novikoff, 1962). That it has not stopped yet says
nothing: the verdict comes from the certificate of `assay.solvers.separability`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.models.class_weight import weighted
from assay.models.forms import Linear
from assay.models.linear.perceptron_parameters import PERCEPTRON
from assay.models.linear.separability import standard_rows, told
from assay.models.linear_geometry import LinearScores
from assay.models.params import Param
from assay.models.reasons import reasons_asked
from assay.models.validation import TrainingData, check_several, check_training, explain_rows
from assay.numerics.blas import single_threaded
from assay.solvers.perceptron import Visited, visit
from assay.solvers.separability import separation

Array = NDArray[np.float64]


class Perceptron(LinearScores):
    """Rosenblatt's perceptron, for two classes or more.

    Columns are centred and scaled inside, since very different units need many more mistakes; with `scale=False` the
    rows are taken as they are, and steps and mistakes are those of the textbook.

    Parameters
    ----------
    variant : {"plain", "averaged", "pocket"}
        Keep the last weights, their mean over all rows visited, or those with the fewest errors. On separable data that
        the rule has settled the last weights make no error, and "pocket" keeps them too.
    epochs : int
        Most passes over the rows; the first one without a mistake is the last.
    shuffle : bool
        Visit the rows in a new order each time (`random_state`), otherwise as they stand.
    scale : bool
        Centre and scale the columns inside; weights are reported in the units of the columns.
    learning_rate : float
    class_weight : None, "balanced" or dict
        Weights multiply the steps of their rows; rows of weight zero are left out.

    Attributes
    ----------
    mistakes_, n_iter_ : int
        Steps that were taken, and passes over the rows.
    converged_ : bool
        Whether a pass had no mistake, which proves that the classes are separable.
    classes_, coef_, intercept_, diagnostics_

    Examples
    --------
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = Perceptron(scale=False).fit(rows, [False, False, False, True])  # AND
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.mistakes_
    ([[2.0, 1.0]], [-2.0], 10)
    >>> model.converged_, model.predict(rows).tolist()
    (True, [False, False, False, True])
    """

    params: ClassVar[tuple[Param, ...]] = PERCEPTRON

    def __init__(
        self,
        variant: str = "plain",
        *,
        epochs: int = 1000,
        shuffle: bool = False,
        scale: bool = True,
        learning_rate: float = 1.0,
        class_weight: Any = None,
        random_state: int = 0,
    ) -> None:
        self.variant = variant
        self.epochs = epochs
        self.shuffle = shuffle
        self.scale = scale
        self.learning_rate = learning_rate
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
            return self._learn(data)

    def _learn(self, data: TrainingData) -> Self:
        counted = np.arange(len(data.codes)) if data.weight is None else np.flatnonzero(data.weight)
        Z, center, scale = _taken(data, self.scale)
        rows = np.column_stack([Z[counted], np.ones(len(counted))])
        weight = np.ones(len(counted)) if data.weight is None else data.weight[counted]
        found = visit(
            rows,
            data.codes[counted],
            weight,
            data.n_classes,
            epochs=self.epochs,
            rate=self.learning_rate,
            seed=int(self.random_state) if self.shuffle else None,
            pocket=self.variant == "pocket",
        )
        return self._keep(data, found, center, scale)

    def _keep(self, data: TrainingData, found: Visited, center: Array, scale: Array) -> Self:
        chosen = {"plain": found.weights, "averaged": found.averaged, "pocket": found.pocket}[self.variant]
        if not np.isfinite(chosen).all():
            raise ValueError("The weights overflow; rescale the columns (Standardize), or set scale=True.")
        present = np.bincount(data.codes, data.weight, data.n_classes) > 0
        self.classes_ = data.classes
        self.mistakes_, self.n_iter_, self.converged_ = found.mistakes, found.epochs, found.converged
        bias = np.where(present, chosen[:, -1], -np.inf)
        self._keep_form(Linear(center[None], (chosen[:, :-1] / scale)[None], bias[None]))
        self.diagnostics_ = (self._verdict(data),) if reasons_asked() and not found.converged else ()
        return self

    def _verdict(self, data: TrainingData) -> str:
        """Why no pass was without a mistake; running out of passes is no reason."""
        rows = standard_rows(data)
        told_of = told(separation(rows.Z, rows.codes, len(rows.classes)), rows)
        passes = f"{self.epochs} epoch{'s' if self.epochs > 1 else ''}"
        if told_of.kind == "complete":
            advice = "raise epochs" if self.scale else "raise epochs, or set scale=True"
            return (
                f"The classes are linearly separable, but no such plane was found within {passes}: {advice}."
            )
        if told_of.kind == "unknown":
            return (
                f"No plane that separates the classes was found within {passes}; whether there is one is not known, "
                "because the linear programme that would tell is too large."
            )
        return told_of.sentence


def _taken(data: TrainingData, scale: bool) -> tuple[Array, Array, Array]:
    """Rows as the rule takes them, and the center and scale that made them so."""
    width = data.X.shape[1]
    if not scale:
        error = explain_rows(data.names, data.X)
        if error is not None:
            raise error
        return np.ascontiguousarray(data.X, dtype=np.float64), np.zeros(width), np.ones(width)
    rows = standard_rows(data, only_counted=False)
    return rows.Z, rows.center, rows.scale
