from collections.abc import Iterator
from typing import Any, Self

from numpy import float64
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

class HistGradientBoostingClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    n_features_in_: int
    n_iter_: int
    def __init__(self, **settings: Any) -> None: ...
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def predict_proba(self, X: ArrayLike) -> NDArray[float64]: ...
    def staged_predict_proba(self, X: ArrayLike) -> Iterator[NDArray[float64]]: ...
