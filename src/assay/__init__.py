"""Assay: classical classifiers, exact, with honest error estimates and one pass for every fold."""

from __future__ import annotations

import importlib
from typing import Any

# __init__.pyi lists the same names for editors and type checkers, which do not run `__getattr__`.
_HOMES = {
    "assay.models.baseline.prior": ["PriorClassifier"],
    "assay.models.gaussian.classifier": ["GaussianClassifier"],
    "assay.models.mixture.classifier": ["GaussianMixtureClassifier"],
    "assay.models.gaussian.density": ["MultivariateNormal"],
    "assay.models.error_probability": ["error_probability"],
    "assay.models.naive_bayes.bernoulli": ["BernoulliNB"],
    "assay.models.mixed.classifier": ["MixedNB"],
    "assay.models.naive_bayes.categorical": ["CategoricalNB"],
    "assay.models.naive_bayes.complement": ["ComplementNB"],
    "assay.models.naive_bayes.gaussian": ["GaussianNB"],
    "assay.models.naive_bayes.multinomial": ["MultinomialNB"],
    "assay.models.linear.lasso": ["largest_l1"],
    "assay.models.linear.least_squares": ["LeastSquaresClassifier"],
    "assay.models.linear.logistic": ["LogisticRegression"],
    "assay.models.linear.perceptron": ["Perceptron"],
    "assay.models.linear.separability": ["separability"],
    "assay.models.regions": ["region_map"],
    "assay.models.custom.parametric": ["ParametricClassifier"],
    "assay.models.svm.kernel": ["KernelSVM"],
    "assay.models.svm.linear": ["LinearSVM"],
    "assay.models.neighbors.classifier": ["KNeighborsClassifier"],
    "assay.models.cluster.hierarchy": ["Hierarchy"],
    "assay.models.cluster.kmeans": ["KMeans"],
    "assay.models.network.single_layer": ["SingleLayerNetwork"],
    "assay.models.network.multi_layer": ["NeuralNetwork"],
    "assay.models.projection.fisher": ["FisherDiscriminant"],
    "assay.models.projection.pca": ["PCA"],
    "assay.models.combine.calibrated": ["Calibrated"],
    "assay.models.combine.one_vs_one": ["OneVsOne"],
    "assay.models.combine.one_vs_rest": ["OneVsRest"],
    "assay.models.features.basis": ["BasisExpansion"],
    "assay.models.features.choose_words": ["ChooseWords"],
    "assay.models.features.columns": ["SelectColumns"],
    "assay.models.features.impute": ["Impute"],
    "assay.models.features.levels": ["Levels"],
    "assay.models.features.onehot": ["OneHot"],
    "assay.models.features.unread": ["Unread"],
    "assay.models.features.word_columns": ["Words"],
    "assay.models.features.reference": ["DropReference"],
    "assay.models.features.relevance": [
        "DropRare",
        "SelectByInformation",
        "chi_square",
        "mutual_information",
    ],  # fmt: skip
    "assay.models.recommend.errors": ["rating_errors"],
    "assay.models.recommend.recommender": ["Recommender"],
    "assay.models.features.scale": ["Standardize"],
    "assay.models.features.text": ["TextCounts"],
    "assay.models.table": ["TableClassifier"],
    "assay.data.rating_sources": ["read_ratings"],
    "assay.data.ratings": ["Ratings"],
    "assay.data.sources": ["read"],
    "assay.data.table": ["Table"],
    "assay.decision": ["Decision", "LossMatrix", "decide", "error_reject_curve", "expected_risk"],
    "assay.models.splitters": [
        "Bootstrap",
        "HoldOut",
        "KFold",
        "LeaveOneOut",
        "RandomSubsampling",
        "TrainValidationTest",
    ],
    "assay.report.drawing": ["Drawing"],
    "assay.report.drawings": ["draw"],
    "assay.selection.clusters": ["choose_clusters"],
    "assay.selection.complexity_curve": ["complexity_curve"],
    "assay.selection.criteria": ["aic", "bic"],
    "assay.selection.evaluate": ["evaluate"],
    "assay.selection.evaluation": ["Evaluation"],
    "assay.selection.features.estimator": ["FeatureSearch"],
    "assay.selection.features.rank": ["rank_features"],
    "assay.selection.features.select": ["select_features"],
    "assay.selection.learning_curve": ["LearningCurve", "learning_curve"],
    "assay.selection.penalty_path": ["path"],
    "assay.selection.significance": ["Significance", "significance"],
    "assay.selection.nested": ["NestedTuning", "nested"],
    "assay.selection.tune": ["Tuned", "tune"],
    "assay.statistics": ["Counts", "Moments"],
    "assay.workbench.comparison": ["Comparison"],
    "assay.workbench.experiment": ["compare"],
    "assay.workbench.model_file": ["load", "save"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605
__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    """Public names are loaded on use: `import assay` alone stays fast."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
