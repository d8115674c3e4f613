"""Our side of every comparison: the public names only, called as a user would call them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import assay
from assay import (
    PCA,
    BernoulliNB,
    Bootstrap,
    CategoricalNB,
    ComplementNB,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LeaveOneOut,
    LogisticRegression,
    MultinomialNB,
    Standardize,
    TextCounts,
    mutual_information,
    path,
)
from benchmarks.data import Array, Labels, make_classes

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")

__all__ = [
    "PCA", "Bootstrap", "KFold", "KNeighborsClassifier", "LeaveOneOut", "LogisticRegression", "evaluated", "family",
    "linear_svm", "model", "mutual_information", "network", "path", "penalised", "text_models", "warm_up",
]  # fmt: skip


def model(name: str) -> Any:
    """A fresh model by the name the benchmarks know it by."""
    if name in COVARIANCES:
        return GaussianClassifier(covariance=name)
    if name == "naive":
        return GaussianNB()
    if name == "categorical":
        return CategoricalNB(unseen="ignore")  # the rival knows no further level
    if name == "fisher":
        return FisherDiscriminant()
    if name == "least_squares":
        return LeastSquaresClassifier(l2=0.0)
    raise ValueError(f"No benchmark knows the model {name!r}.")


def family() -> dict[str, Any]:
    """All nine models of the family row."""
    return {name: model(name) for name in (*COVARIANCES, "least_squares", "fisher", "naive")}


def text_models() -> dict[str, Any]:
    """Models of words, each with its vocabulary learned from the training texts."""
    models = {"multinomial": MultinomialNB(), "bernoulli": BernoulliNB(), "complement": ComplementNB()}
    return {name: make_pipeline(TextCounts(), model) for name, model in models.items()}


def of_every_strategy() -> dict[str, Any]:
    """A model of everything that folds and sizes may share, and one that shares nothing."""
    return {
        "naive": GaussianNB(),
        "full": GaussianClassifier("full"),
        "logistic, scaled": make_pipeline(Standardize(), LogisticRegression(l2=1e-3)),
        "linear machine, scaled": make_pipeline(Standardize(), linear_svm(1e-2)),
        "levels": CategoricalNB(),
        "neighbours": KNeighborsClassifier(15),
        "neighbours, scaled": make_pipeline(Standardize(), KNeighborsClassifier(15)),
        "kernel machine": kernel_svm(gamma=0.05),
        "kernel machine, scaled": make_pipeline(Standardize(), kernel_svm()),
        "tree": DecisionTreeClassifier(max_depth=8, random_state=0),
    }


def linear_svm(l2: float, **options: Any) -> Any:
    """A linear support vector machine with the hinge loss."""
    return import_module("assay.models.svm.linear").LinearSVM(l2, **options)


def kernel_svm(**options: Any) -> Any:
    """A kernel support vector machine."""
    return import_module("assay.models.svm.kernel").KernelSVM(**options)


def network(**options: Any) -> Any:
    """A network of layers."""
    return import_module("assay.models.network.multi_layer").NeuralNetwork(**options)


def penalised(make: Callable[[float], Any], l2: Iterable[float]) -> dict[str, Any]:
    """A model for each penalty, by names that tell it."""
    return {f"l2={value:.3g}": make(value) for value in l2}


def evaluated(models: Any, X: Array, y: Labels, plan: Any, *, posterior: bool = True) -> Any:
    """The timed part: evaluation with validation, stored posteriors, error with interval, log loss.

    What the evaluation stores are log posteriors; `posterior` asks for their exponentials as well.
    """
    result = assay.evaluate(models, X, y, plan)
    for evaluation in result.values() if isinstance(result, Mapping) else (result,):
        _ = evaluation.error, evaluation.error_interval
        if evaluation.probabilistic:
            _ = evaluation.log_loss, evaluation.posterior if posterior else None
    return result


def errors(model: Any, X: Array, y: Labels, plan: Any) -> Any:
    """An evaluation of one model with the error and its interval."""
    result = assay.evaluate(model, X, y, plan)
    _ = result.error, result.error_interval
    return result


def curves(models: dict[str, Any], X: Array, y: Labels, plan: Any, shares: Iterable[float]) -> dict[str, Any]:
    """Learning curves with the error and its interval at every size."""
    found: dict[str, Any] = assay.learning_curve(models, X, y, plan, sizes=list(shares))
    for curve in found.values():
        _ = curve.errors, curve.intervals
    return found


def searched(name: str, X: Array, y: Labels, plan: Any, search: str, wanted: int) -> Any:
    """A search for features, with the path of errors."""
    return assay.select_features(
        model(name), X, y, search=search, n_features=wanted, plan=plan, progress=False
    )


def ridge_errors(X: Array, y: Labels, plan: Any) -> float:
    """The error of a ridge model over the folds."""
    return float(assay.evaluate(LeastSquaresClassifier(l2=0.1), X, y, plan).error)


def nested_gaussian(
    X: Array, y: Labels, plan: Any, inner: int | None, blends: Iterable[float], shrinkages: Iterable[float]
) -> Any:
    """The choice among settings inside every fold, with the error and its interval."""
    ranges = {"blend": [*blends], "shrinkage": [*shrinkages]}
    found = assay.nested(GaussianClassifier(), X, y, plan=plan, inner=inner, progress=False, **ranges)
    _ = found.error, found.evaluation.error_interval
    return found


def warm_up() -> None:
    """Load lazily imported modules and start thread pools before the first timed run."""
    X, y = make_classes(600, 5, 3)
    evaluated(family(), X, y, KFold(5))
    for make in (LogisticRegression, linear_svm):
        evaluated(penalised(make, (0.1, 0.01)), X, y, KFold(5))
    evaluated(kernel_svm(gamma=0.1), X, y, KFold(5))
    network(hidden=(4,), epochs=2).fit(X, y)
