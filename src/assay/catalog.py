"""Every candidate of a comparison, in one list: what it is called, how it is tuned, what it can do and costs.

`compare`, `--help`, the report and the contract tests read this list and nothing else. Classes are named, and
loaded on use: reading the catalog loads neither them nor scikit-learn.
"""

from __future__ import annotations

from typing import Any

from assay.models.base.card import TABLE_TYPES, Encoding, ModelCard, Range
from assay.models.base.costs import (
    by_boosting,
    by_calibrated_machines,
    by_calibrated_margins,
    by_components,
    by_counts,
    by_descent,
    by_epochs,
    by_kinds,
    by_machines,
    by_margins,
    by_mistakes,
    by_moments,
    by_neighbors,
    by_passes,
    by_products,
    by_steps,
    by_trees,
)
from assay.models.base.suitability import no_numbers, products_unsuited, single_kind
from assay.models.baseline.parameters import PRIOR
from assay.models.features.parameters import CHOOSE_WORDS
from assay.models.gaussian.parameters import GAUSSIAN
from assay.models.linear.parameters import LEAST_SQUARES, LOGISTIC
from assay.models.linear.perceptron_parameters import PERCEPTRON
from assay.models.mixture.parameters import GAUSSIAN_MIXTURE
from assay.models.naive_bayes.mixed.parameters import MIXED_NB
from assay.models.naive_bayes.parameters import (
    BERNOULLI_NB,
    CATEGORICAL_NB,
    COMPLEMENT_NB,
    GAUSSIAN_NB,
    MULTINOMIAL_NB,
)
from assay.models.neighbors.parameters import K_NEIGHBORS
from assay.models.network.parameters import MULTI_LAYER, SINGLE_LAYER
from assay.models.projection.parameters import FISHER
from assay.models.svm.parameters import KERNEL_SVM, LINEAR_SVM
from assay.models.trees.parameters import BOOSTING, FOREST, TREE
from assay.notes import Note
from assay.notes.hints import name_hint

__all__ = [
    "ENTRIES",
    "Encoding",
    "ModelCard",
    "Range",
    "calibrated_names",
    "default_candidates",
    "entry",
    "names",
]

POSTERIOR = frozenset({"posterior"})
MOMENTS = POSTERIOR | {"statistics"}
SHRINKAGES = (0.3, 0.1, 0.03, 0.0)
# A level that a class never shows has no variance there; the floor says how surprising it may be.
FLOORS = (0.3, 0.1, 0.01, 1e-9)
PENALTIES = (1.0, 0.1, 0.01, 1e-3, 0.0)
LOG_LOSS_PENALTIES = (0.1, 0.01, 1e-3, 1e-4, 1e-6)
ABSOLUTE_PENALTIES = (0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4)
MARGIN_PENALTIES = (0.1, 0.01, 1e-3)
NEIGHBORS = (51, 25, 15, 9, 5, 3, 1)
EXACT_HINGE = {"surrogate": "hinge", "solver": "exact"}
PATH = frozenset({"path", "contributions"})
COUNTED = POSTERIOR | {"counts", "contributions"}
VOCABULARIES = Range("max_words", (100, 1000, 10_000, None))
OF_WORDS: dict[str, Any] = {
    "step_parameters": tuple(param for param in CHOOSE_WORDS if param.name != "binary"),
    "tuning": (VOCABULARIES, Range("smoothing", (1.0, 0.1, 0.01))),
    "column_types": ("text",),
}
KERNEL_TUNING = (Range("l2", (1e-2, 1e-3, 1e-4)), Range("gamma_factor", (0.1, 0.5, 2.0)))

ENTRIES: tuple[ModelCard, ...] = (
    ModelCard(
        "baseline", "Most frequent class", "assay.models.baseline.prior:PriorClassifier", "baseline", PRIOR,
        "none", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "nothing",
        "Uses no column; a model that is not better has learned nothing.",
        complexity=0, column_types=(*TABLE_TYPES, "text"),
    ),
    ModelCard(
        "nearest_mean", "Nearest class mean", "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian",
        GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, by_moments("diagonal"),
        "one mean per class",
        "One mean per class; a row is assigned to the nearest, on standardised columns.",
        fixed={"covariance": "shared_spherical"}, scaled=True,
    ),
    ModelCard(
        "gaussian_nb", "Gaussian naive Bayes", "assay.models.naive_bayes.gaussian:GaussianNB", "naive Bayes",
        GAUSSIAN_NB, "onehot-flags", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "sum over columns",
        "Columns are independent given the class: their contributions add up.",
        tuning=(Range("variance_floor", FLOORS),),
    ),
    # -- counts of words and of levels ------------------------------------------------------------------------
    ModelCard(
        "categorical_nb", "Categorical naive Bayes", "assay.models.naive_bayes.categorical:CategoricalNB",
        "naive Bayes", CATEGORICAL_NB, "levels-flags", COUNTED | {"missing"}, by_counts, "sum over columns",
        "The proportion of each category in each class; the contributions of the columns add up.",
        tuning=(Range("smoothing", (10.0, 1.0, 0.1)),), column_types=("binary", "categorical"), alone=True,
    ),
    ModelCard(
        "multinomial_nb", "Multinomial naive Bayes", "assay.models.naive_bayes.multinomial:MultinomialNB",
        "naive Bayes", MULTINOMIAL_NB, "words", COUNTED, by_counts, "sum over words",
        "The proportion of each word in each class; every occurrence of a word counts.", **OF_WORDS,
    ),
    ModelCard(
        "bernoulli_nb", "Bernoulli naive Bayes", "assay.models.naive_bayes.bernoulli:BernoulliNB",
        "naive Bayes", BERNOULLI_NB, "words", COUNTED, by_counts, "sum over words",
        "The proportion of texts with each word in each class; absent words count as well.", **OF_WORDS,
    ),
    ModelCard(
        "complement_nb", "Complement naive Bayes", "assay.models.naive_bayes.complement:ComplementNB",
        "naive Bayes", COMPLEMENT_NB, "words", COUNTED, by_counts, "sum over words",
        "Evidence of the words against the other classes; posteriors are rough.", **OF_WORDS,
    ),
    # -- columns as numbers -----------------------------------------------------------------------------------
    ModelCard(
        "mixed_nb", "Mixed naive Bayes", "assay.models.naive_bayes.mixed.mixed_nb:MixedNB",
        "naive Bayes", MIXED_NB,
        "table-flags", POSTERIOR | {"counts", "missing", "contributions"}, by_kinds, "sum over columns",
        "Columns are independent given the class, each with a density of its kind: numbers, categories, texts.",
        tuning=(Range("variance_floor", (0.1, 1e-9)), Range("smoothing", (10.0, 1.0, 0.1))),
        repeats=single_kind, column_types=(*TABLE_TYPES, "text"),
    ),
    ModelCard(
        "least_squares", "Least squares (ridge)", "assay.models.linear.least_squares:LeastSquaresClassifier",
        "linear", LEAST_SQUARES, "onehot-reference", frozenset({"statistics", "contributions"}),
        by_moments("pooled"), "sum over columns",
        "A weighted sum of the columns per class; no probabilities.",
        tuning=(Range("l2", PENALTIES),), scaled=True,
    ),
    ModelCard(
        "fisher", "Fisher's discriminant", "assay.models.projection.fisher:FisherDiscriminant", "projection",
        FISHER, "onehot-reference", MOMENTS | {"contributions"}, by_moments("pooled"),
        "directions, projection",
        "At most K-1 directions that separate the classes; can be drawn.",
    ),
    ModelCard(
        "gaussian_shared", "Gaussian, shared covariance",
        "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, by_moments("pooled"),
        "sum over columns",
        "A weighted sum of the columns per class (linear discriminant analysis).",
        fixed={"covariance": "shared"}, tuning=(Range("shrinkage", SHRINKAGES),), scaled=True,
    ),
    ModelCard(
        "logistic", "Logistic regression", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, by_passes, "sum over columns",
        "A weighted sum of the columns per class, fitted for its probabilities.",
        tuning=(Range("l2", LOG_LOSS_PENALTIES),), scaled=True,
    ),
    ModelCard(
        "linear_svm", "Linear SVM", "assay.models.svm.linear:LinearSVM", "svm", LINEAR_SVM,
        "onehot-reference", PATH, by_margins, "sum over columns",
        "A weighted sum of the columns per class, with the widest margin; no probabilities.",
        fixed=EXACT_HINGE, tuning=(Range("l2", MARGIN_PENALTIES),), scaled=True,
    ),
    ModelCard(
        "calibrated_svm", "Linear SVM, calibrated", "assay.models.svm.linear:LinearSVM", "svm", LINEAR_SVM,
        "onehot-reference", POSTERIOR | {"contributions"}, by_calibrated_margins, "sum over columns",
        "A weighted sum of the columns per class, and a curve that maps margins to probabilities.",
        fixed=EXACT_HINGE, tuning=(Range("l2", MARGIN_PENALTIES),), scaled=True, calibrates="linear_svm",
    ),
    ModelCard(
        "perceptron", "Perceptron, averaged", "assay.models.linear.perceptron:Perceptron", "linear", PERCEPTRON,
        "onehot-reference", frozenset({"contributions"}), by_mistakes, "sum over columns",
        "A weighted sum of the columns per class, learned from mistakes; no probabilities.",
        fixed={"variant": "averaged", "epochs": 20}, scaled=True,
    ),
    ModelCard(
        "single_layer", "Single-layer network", "assay.models.network.single_layer:SingleLayerNetwork", "network",
        SINGLE_LAYER, "onehot-reference", POSTERIOR | {"contributions"}, by_steps, "sum over columns",
        "A weighted sum of the columns per class; probabilities by squared error, which outliers hardly change.",
        fixed={"output": "softmax", "surrogate": "squared_error", "solver": "batch", "targets": "01"},
        defaults={"l2": 1e-3, "tol": 1e-3}, tuning=(Range("l2", (1e-2, 1e-3, 1e-4)),), scaled=True,
    ),
    ModelCard(
        "lasso", "Logistic regression, L1", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, by_descent, "sum over few columns",
        "A weighted sum of the selected columns; the others have weight 0.",
        # Without a penalty it would be a plain logistic regression; columns are scaled, so one value suits most tables.
        defaults={"l1": 0.01}, tuning=(Range("l1", ABSOLUTE_PENALTIES),), scaled=True,
    ),
    ModelCard(
        "quadratic", "Logistic regression, quadratic", "assay.models.linear.logistic:LogisticRegression", "linear",
        LOGISTIC, "products-reference", POSTERIOR | {"path"}, by_products, "sum over columns, pairs",
        "A weighted sum of the columns, their squares and products: boundaries are curved.",
        complexity=2, defaults={"l2": 1e-3}, tuning=(Range("l2", LOG_LOSS_PENALTIES),), scaled=True,
        unsuited=products_unsuited,
    ),
    ModelCard(
        "gaussian_full", "Gaussian, own covariances", "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS, by_moments("full"),
        "one ellipse per class",
        "One ellipse per class: means and covariances are interpretable, single contributions are not.",
        complexity=2, fixed={"covariance": "full"},
        tuning=(Range("shrinkage", (0.1, 0.0)), Range("blend", (0.1, 0.4, 1.0))), scaled=True,
    ),
    ModelCard(
        "gaussian_mixture", "Gaussian mixtures",
        "assay.models.mixture.gaussian_mixture:GaussianMixtureClassifier", "mixture",
        GAUSSIAN_MIXTURE, "onehot-reference", POSTERIOR, by_components, "several ellipses per class",
        "A few ellipses per class: subtypes of a class are interpretable, single contributions are not.",
        # A lower floor lets components collapse onto categories that all of their rows share.
        complexity=2, defaults={"variance_floor": 0.01, "n_starts": 1},
        tuning=(Range("n_components", (1, 2, 4)), Range("covariance", ("diagonal", "full"))), unsuited=no_numbers,
    ),
    ModelCard(
        "decision_tree", "Decision tree", "sklearn.tree:DecisionTreeClassifier", "trees", TREE, "levels",
        POSTERIOR | {"missing"}, by_trees(1, 1.0), "decision rules",
        "A list of yes/no questions; readable while it is small.",
        complexity=2, tuning=(Range("max_depth", (2, 4, 8, None)), Range("min_samples_leaf", (20, 1))),
    ),
    ModelCard(
        "knn", "Nearest neighbours", "assay.models.neighbors.k_neighbors:KNeighborsClassifier", "neighbors",
        K_NEIGHBORS, "onehot-reference", POSTERIOR | {"neighbors"}, by_neighbors, "nearest rows",
        "The nearest rows vote, on standardised columns; interpretable by examples, not by a formula.",
        complexity=3, fixed={"fewer_rows": "all"},
        tuning=(Range("n_neighbors", NEIGHBORS), Range("weights", ("uniform", "distance"))), scaled=True,
    ),
    ModelCard(
        "neural_network", "Neural network", "assay.models.network.multi_layer:NeuralNetwork", "network",
        MULTI_LAYER, "onehot-reference", POSTERIOR, by_epochs, "hidden weights",
        "One hidden layer of 32 units; not interpretable.",
        complexity=3, fixed={"hidden": (32,), "epochs": 100, "early_stopping": True, "batch_size": None},
    ),
    ModelCard(
        "kernel_svm", "SVM, Gaussian kernel", "assay.models.svm.kernel:KernelSVM", "svm", KERNEL_SVM,
        "onehot-reference", frozenset({"gram"}), by_machines, "support vectors",
        "Rows near the boundary vote by their distance; not interpretable, no probabilities.",
        complexity=3, fixed={"kernel": "rbf"}, tuning=KERNEL_TUNING, scaled=True,
    ),
    ModelCard(
        "calibrated_kernel_svm", "SVM, Gaussian kernel, calibrated", "assay.models.svm.kernel:KernelSVM", "svm",
        KERNEL_SVM, "onehot-reference", POSTERIOR, by_calibrated_machines, "support vectors",
        "Rows near the boundary vote by their distance, and a curve maps margins to probabilities.",
        complexity=3, fixed={"kernel": "rbf"}, tuning=KERNEL_TUNING, scaled=True, calibrates="kernel_svm",
    ),
    ModelCard(
        "random_forest", "Random forest", "sklearn.ensemble:RandomForestClassifier", "trees", FOREST, "levels",
        POSTERIOR | {"missing"}, by_trees(100, 0.3), "importances only",
        "A hundred trees vote; interpretable by importances only.",
        complexity=3,
    ),
    ModelCard(
        "gradient_boosting", "Gradient boosting", "sklearn.ensemble:HistGradientBoostingClassifier", "trees",
        BOOSTING, "levels", POSTERIOR | {"missing"}, by_boosting,
        "importances only",
        "A sum of hundreds of small trees; interpretable by importances only.",
        complexity=3, needs_values=True,
    ),
)  # fmt: skip


def names() -> tuple[str, ...]:
    """Names of all entries, simple ones first."""
    return tuple(card.name for card in ENTRIES)


def default_candidates(posteriors: bool) -> tuple[ModelCard, ...]:
    """Entries that are tried unasked; `posteriors`: whether costs or priors need them."""
    return tuple(card for card in ENTRIES if posteriors or not card.calibrates)


def calibrated_names() -> str:
    """The entries that give margins posteriors, for advice."""
    return " or ".join(card.name for card in ENTRIES if card.calibrates)


def entry(name: str) -> ModelCard:
    """The entry of that name."""
    for card in ENTRIES:
        if card.name == name:
            return card
    if not isinstance(name, str):
        raise TypeError(Note("C063", name=name))
    hint = name_hint(name.lower().replace("-", "_"), names(), cutoff=0.4)
    raise ValueError(Note("C062", name=name, hint=hint))


def title_of(model: Any) -> str:
    """What the catalog calls a fitted model; its class, if the catalog has none such.

    Examples
    --------
    >>> from assay import GaussianClassifier
    >>> title_of(GaussianClassifier("shared")), title_of(GaussianClassifier("full", shrinkage=0.1))
    ('Gaussian, shared covariance', 'Gaussian, own covariances')
    """
    from assay.catalog import ENTRIES

    for entry in ENTRIES:
        if entry.describes(model):
            return entry.title
    return type(model).__name__
