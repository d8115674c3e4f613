"""Parameters of a user's own model: functions, and values that may be given as numbers or made by a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.models.base.params import Param

ERRORS = ("log_loss", "squared_error")


@dataclass(frozen=True)
class Given(Param):
    """A function, one of some names (`choices`), or numbers (kind "numbers")."""

    def _fits(self, value: Any) -> bool:
        if callable(value) or (isinstance(value, str) and value in self.choices):
            return True
        return self.kind == "numbers" and not isinstance(value, str)  # their number is known with the data

    def expectation(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return f"one of {', '.join(map(repr, self.choices))} or a function"
        if self.kind == "numbers":
            return "a list of numbers, or a function of (n_features, n_classes) that returns one"
        return "a function of (X, theta)" + (", or None" if self.optional else "")


PARAMETRIC = (
    Given(
        "function", "function", None, "y(x; θ): takes rows and parameters, returns probabilities or scores"
    ),
    Given(
        "start",
        "numbers",
        None,
        "parameters to start from, or a function of the numbers of columns and classes",
    ),
    Given("error", "error", "log_loss", "what is minimised", choices=ERRORS),
    Given("gradient", "function", None, "derivatives of y by θ; None takes differences", optional=True),
    Param(
        "output",
        "choice",
        "probability",
        "what y is: probabilities, or scores of which the largest wins",
        choices=("probability", "score"),
    ),
    Param("l2", "float", 0.0, "penalty on the squared parameters, beside the mean error", low=0.0),
    Param("tol", "float", 1e-6, "largest entry of the gradient at the solution", low=1e-12),
    Param("max_iter", "int", 1000, "most steps of the minimiser", low=1),
)
