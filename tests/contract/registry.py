"""Every estimator of the package in the settings whose code differs; contract tests run over these lists."""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

import assay
from assay import (
    BernoulliNB,
    CategoricalNB,
    ChooseWords,
    ComplementNB,
    DropRare,
    DropReference,
    GaussianClassifier,
    GaussianMixtureClassifier,
    GaussianNB,
    Hierarchy,
    Impute,
    KernelSVM,
    KMeans,
    KNeighborsClassifier,
    LinearSVM,
    LogisticRegression,
    PriorClassifier,
    SelectByInformation,
    SelectColumns,
    Standardize,
    TextCounts,
    TfIdf,
    catalog,
)
from assay.models.features.fill_empty import FillEmpty
from assay.models.gaussian.gaussian_classifier import COVARIANCES

# (module, class, settings): parts of the package that a reduced installation may leave out.
FURTHER_CLASSIFIERS = (
    ("assay.models.linear.least_squares", "LeastSquaresClassifier", ({}, {"l2": 0.1})),
    ("assay.models.projection.fisher", "FisherDiscriminant", ({}, {"n_components": 1})),
)
FURTHER_DENSITIES = (("assay.models.gaussian.multivariate_normal", "MultivariateNormal", ({},)),)
FURTHER_TRANSFORMERS = (
    ("assay.models.projection.pca", "PCA", ({}, {"n_components": 1})),
    (
        "assay.models.features.basis",
        "BasisExpansion",
        ({}, {"kind": "radial"}, {"kind": "spline", "degree": 3}),
    ),
)


def importable(listed: tuple[tuple[str, str, tuple[dict[str, Any], ...]], ...]) -> list[Any]:
    """Instances of the listed classes, as far as their modules exist."""
    found = []
    for module, name, settings in listed:
        try:
            cls = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError:
            continue
        found += [cls(**setting) for setting in settings]
    return found


def normal_classifiers() -> list[Any]:
    """Models with priors, posteriors and a joint likelihood."""
    return [
        GaussianNB(),
        GaussianNB(variance="unbiased", priors="uniform"),
        *(GaussianClassifier(covariance) for covariance in COVARIANCES),
        GaussianClassifier("full", variance="unbiased", priors="uniform"),
        GaussianClassifier("full", blend=0.5),
        GaussianClassifier("full", blend=0.25, shrinkage=0.2, variance="unbiased"),
        GaussianClassifier("shared", shrinkage=0.3, variance="unbiased"),
        GaussianClassifier("diagonal", blend=0.5, shrinkage=0.25),
        GaussianClassifier("spherical", blend=0.75, variance="unbiased"),
    ]


def statistics_classifiers() -> list[Any]:
    """All classifiers that are solved from moments."""
    return [PriorClassifier(), *normal_classifiers(), *importable(FURTHER_CLASSIFIERS)]


def path_classifiers() -> list[Any]:
    """Classifiers whose folds and penalties are solved together."""
    return [
        LogisticRegression(0.01),
        LogisticRegression(0.1, class_weight="balanced"),
        LogisticRegression(0.01, l1=0.02),
    ]


def neighbor_classifiers() -> list[Any]:
    """Classifiers by the nearest rows."""
    return [
        KNeighborsClassifier(),
        KNeighborsClassifier(3, metric="manhattan", weights="distance"),
        KNeighborsClassifier(algorithm="tree"),
        KNeighborsClassifier(4, weights="distance", algorithm="brute"),
        KNeighborsClassifier(metric="mixed"),
    ]


def kernel_classifiers() -> list[Any]:
    """Classifiers whose folds share a Gram matrix."""
    return [
        KernelSVM(),
        KernelSVM("linear", l2=0.01, gram_dtype="float32"),
        KernelSVM("polynomial", C=1.0, coef0=1.0, degree=2, class_weight="balanced"),
        KernelSVM(most_rows=20, landmarks=10),
    ]


def mixture_classifiers() -> list[Any]:
    """Classifiers of blobs."""
    return [
        GaussianMixtureClassifier(),
        GaussianMixtureClassifier("bic", covariance="diagonal", priors="uniform"),
        GaussianMixtureClassifier(3, covariance="tied", n_starts=1),
        GaussianMixtureClassifier(6, covariance="spherical", shared="all"),
    ]


def transformers() -> list[Any]:
    return [
        Standardize(),
        Standardize("range"),
        Standardize(variance="ml"),
        Impute(),
        Impute(indicator=True),
        SelectColumns(),
        SelectByInformation(3, kind="presence"),
        DropRare(),
        DropReference(),
        FillEmpty(),
        *importable(FURTHER_TRANSFORMERS),
    ]


def estimators() -> list[Any]:
    return [
        *statistics_classifiers(),
        *path_classifiers(),
        *neighbor_classifiers(),
        *kernel_classifiers(),
        *mixture_classifiers(),
        *transformers(),
        *importable(FURTHER_DENSITIES),
    ]


def counting_classifiers() -> list[Any]:
    """Classifiers of counts and levels, which most tables of numbers do not suit."""
    classes = dict.fromkeys(card.load() for card in catalog.cards() if "counts" in card.capabilities)
    settings = {
        CategoricalNB: {"unseen": "ignore", "smoothing": 0.0},
        BernoulliNB: {"threshold": 0.5, "smoothing": 0.1},
        ComplementNB: {"norm": True, "priors": "ml"},
    }
    other: dict[str, Any] = {"smoothing": 0.0, "priors": "uniform"}
    return [cls(**setting) for cls in classes for setting in ({}, settings.get(cls, other))]


def counting_estimators() -> list[Any]:
    """All that reads counts and levels."""
    return [
        *counting_classifiers(),
        ChooseWords(),
        ChooseWords(max_words=2, binary=True),
        TfIdf(),
        TfIdf(False),
    ]


def clusterings() -> list[Any]:
    """All that groups rows without labels."""
    return [
        KMeans(),
        KMeans(3, start="random", n_starts=2, max_iter=20, tol=1e-4),
        Hierarchy(),
        Hierarchy(3, linkage="average", metric="manhattan"),
        Hierarchy(3, direction="top-down"),
    ]


def text_estimators() -> list[Any]:
    """All that reads texts rather than tables."""
    return [
        TextCounts(),
        TextCounts("fold", tokens="characters", ngram_range=(1, 2)),
        TextCounts(False, stop_words=["the", "and"], max_documents=0.9, max_words=6, binary=True),
    ]


def bump(X: Any, theta: Any) -> Any:
    """A model of one's own: the second class above theta[0] in the mean of the columns."""
    return 1.0 / (1.0 + np.exp(-np.clip(theta[1] * (X.mean(axis=1) - theta[0]), -30, 30)))


def public_classifiers() -> dict[str, Any]:
    """One quick instance of every public classifier of rows, by the name of its class."""
    given: dict[str, tuple[Any, ...]] = {
        "Calibrated": (LinearSVM(1e-2),),
        "FeatureSearch": (GaussianNB(),),
        "OneVsOne": (GaussianNB(),),
        "OneVsRest": (GaussianNB(),),
        "LogisticRegression": (1e-2,),
        "LinearSVM": (1e-2,),
        "LeastSquaresClassifier": (1e-2,),
        "NeuralNetwork": ((3,),),
        "ParametricClassifier": (bump, [1.0, 1.0]),
    }
    quick: dict[str, dict[str, Any]] = {
        "FeatureSearch": {"n_features": 1, "plan": 2},
        "Calibrated": {"plan": 2},
        "NeuralNetwork": {"epochs": 5},
        "SingleLayerNetwork": {"epochs": 20},
        "Perceptron": {"epochs": 20},
        "GaussianMixtureClassifier": {"n_starts": 1},
    }
    classes = [getattr(assay, name) for name in assay.__all__]
    found = [c for c in classes if isinstance(c, type) and issubclass(c, ClassifierMixin)]
    return {
        c.__name__: c(*given.get(c.__name__, ()), **quick.get(c.__name__, {}))
        for c in found
        if c is not assay.TableClassifier  # of tables: it has encoder and steps of its own
    }


def shown(estimator: Any) -> str:
    """A readable test id, the same in every process: functions without their addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(estimator).split()))


def blobs(
    rows: int = 90, width: int = 4, classes: int = 3, seed: int = 0
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Overlapping classes of unequal size, shape and correlation; every class has at least three rows."""
    rng = np.random.default_rng(seed)
    y = np.sort(
        np.concatenate([np.repeat(np.arange(classes), 3), rng.integers(0, classes, rows - 3 * classes)])
    )
    shapes = rng.normal(size=(classes, width, width)) / np.sqrt(width) + np.eye(width)
    X = np.einsum("nd,nde->ne", rng.normal(size=(rows, width)), shapes[y])
    X += rng.normal(size=(classes, width))[y] * 1.5 + 3.0
    order = rng.permutation(rows)
    return X[order], y[order]
