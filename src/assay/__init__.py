"""Assay: classical classifiers, exact, with nested error estimates and one pass over the data for all folds."""

from __future__ import annotations

import importlib

# For editors and type checkers, which do not run `__getattr__`, scripts/public_names.py writes them to __init__.pyi.
_HOMES = {
    "assay.models.baseline.prior": ["PriorClassifier"],
    "assay.models.gaussian.gaussian_classifier": ["GaussianClassifier"],
    "assay.models.mixture.gaussian_mixture": ["GaussianMixtureClassifier"],
    "assay.models.gaussian.multivariate_normal": ["MultivariateNormal"],
    "assay.models.inspection.error_probability": ["error_probability"],
    "assay.models.naive_bayes.bernoulli": ["BernoulliNB"],
    "assay.models.naive_bayes.mixed.mixed_nb": ["MixedNB"],
    "assay.models.naive_bayes.categorical": ["CategoricalNB"],
    "assay.models.naive_bayes.complement": ["ComplementNB"],
    "assay.models.naive_bayes.gaussian": ["GaussianNB"],
    "assay.models.naive_bayes.multinomial": ["MultinomialNB"],
    "assay.models.naive_bayes.poisson": ["PoissonNB"],
    "assay.models.linear.l1_penalty": ["largest_l1"],
    "assay.models.linear.least_squares": ["LeastSquaresClassifier"],
    "assay.models.linear.logistic": ["LogisticRegression"],
    "assay.models.linear.perceptron": ["Perceptron"],
    "assay.models.linear.separability": ["separability"],
    "assay.models.inspection.region_map": ["region_map"],
    "assay.models.parametric.parametric": ["ParametricClassifier"],
    "assay.models.svm.kernel": ["KernelSVM"],
    "assay.models.svm.linear": ["LinearSVM"],
    "assay.models.neighbors.k_neighbors": ["KNeighborsClassifier"],
    "assay.models.trees.decision_tree": ["DecisionTreeClassifier"],
    "assay.models.trees.random_forest": ["RandomForestClassifier"],
    "assay.models.trees.gradient_boosting": ["HistGradientBoostingClassifier"],
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
    "assay.models.features.target_statistics": ["TargetStatistics"],
    "assay.models.features.select_words": ["ChooseWords"],
    "assay.models.features.tf_idf": ["TfIdf"],
    "assay.models.features.select_columns": ["SelectColumns"],
    "assay.models.features.impute": ["Impute"],
    "assay.models.features.ordinal_codes": ["OrdinalCodes"],
    "assay.models.features.one_hot": ["OneHot"],
    "assay.models.features.no_columns": ["NoColumns"],
    "assay.models.features.text_columns": ["Words"],
    "assay.models.features.drop_reference": ["DropReference"],
    "assay.models.features.select_by_information": [
        "DropRare",
        "SelectByInformation",
        "chi_square",
        "mutual_information",
    ],  # fmt: skip
    "assay.models.recommend.left_out_errors": ["rating_errors"],
    "assay.models.recommend.recommender": ["Recommender"],
    "assay.models.features.scale": ["Standardize"],
    "assay.models.features.text_counts": ["TextCounts"],
    "assay.models.table.table_classifier": ["TableClassifier"],
    "assay.data.ratings.read_ratings": ["read_ratings"],
    "assay.data.ratings.ratings": ["Ratings"],
    "assay.data.read": ["read"],
    "assay.data.table": ["Table"],
    "assay.decision.function_metric": ["FunctionMetric"],
    "assay.decision": [
        "Decision",
        "LossMatrix",
        "confusion",
        "decide",
        "error_by_cell",
        "error_reject_curve",
        "expected_risk",
        "log_odds",
        "mean_loss",
        "threshold",
    ],
    "assay.models.base.splitters": [
        "Bootstrap",
        "HoldOut",
        "KFold",
        "LeaveOneOut",
        "RandomSubsampling",
        "TimeSeries",
        "TrainValidationTest",
    ],
    "assay.charts.drawing": ["Drawing"],
    "assay.selection.draw": ["draw"],
    "assay.selection.bias_variance": ["BiasVariance", "bias_variance"],
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
    "assay.commands.compare.comparison": ["Comparison"],
    "assay.commands.compare.job": ["compare"],
    "assay.commands.describe.job": ["describe"],
    "assay.commands.project.job": ["project"],
    "assay.workbench.diagnose": ["diagnose", "dimension_diagnosis"],
    "assay.storage.model_file": ["load", "save"],
}
# Modules of functions: assay.distances.pairwise.
_MODULES = {"distances": "assay.numerics.distances", "distributions": "assay.numerics.distributions"}
_OLD_NAMES = {"Levels": "OrdinalCodes", "Unread": "NoColumns"}  # still accepted, with a warning
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, *_MODULES])  # noqa: PLE0605
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Public names are loaded on use: `import assay` alone stays fast."""
    if name in _OLD_NAMES:
        return _renamed(name, _OLD_NAMES[name])
    if name in _MODULES:
        value: object = importlib.import_module(_MODULES[name])
    elif name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    globals()[name] = value
    return value


def _renamed(name: str, today: str) -> object:
    """The value of an old name."""
    import warnings

    from assay.notes import Note

    warnings.warn(Note("M502", name=name, today=today), FutureWarning, stacklevel=3)
    return __getattr__(today)


def __dir__() -> list[str]:
    """The public names only; what `import assay` itself uses is not listed."""
    return [*__all__, "__version__"]
