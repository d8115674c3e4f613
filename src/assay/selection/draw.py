"""Draw the result of a search, a choice or a curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from assay.notes import Note
from assay.selection.bias_variance import BiasVariance, draw_parts
from assay.selection.learning_curve import LearningCurve, draw_curves

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing


@runtime_checkable
class Chartable(Protocol):
    """A result that has a picture."""

    def chart(self) -> Drawing: ...


def draw(result: object) -> Drawing:
    """Draw what `tune`, `nested`, `learning_curve`, `bias_variance`, `select_features` and others found.

    The same as ``result.chart()``; results of several models (`learning_curve`, `bias_variance`) share a picture.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from assay import GaussianClassifier, GaussianNB, draw, learning_curve
    >>> curves = learning_curve({"naive": GaussianNB(), "full": GaussianClassifier()}, *load_wine(return_X_y=True))
    >>> picture = draw(curves)
    >>> picture
    <Drawing: Error against training rows. With all rows, full is best: 0.6 %.>
    >>> picture.svg()[:4]
    '<svg'
    """
    if isinstance(result, Chartable):
        return result.chart()
    if not isinstance(result, Mapping):
        raise TypeError(Note("S081", kind=type(result).__name__))
    if result and all(isinstance(parts, BiasVariance) for parts in result.values()):
        return draw_parts(result)
    if not result or not all(isinstance(curve, LearningCurve) for curve in result.values()):
        raise TypeError(Note("S082"))
    return draw_curves(result)
