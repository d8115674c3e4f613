"""Every candidate of a comparison, in one list: what it is called, how it is tuned, what it can do and costs.

`compare`, `--help`, the report and the contract tests read this list and nothing else. Classes are named, and
loaded on use: reading the catalog loads neither them nor scikit-learn.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from assay.models.base.card import TABLE_TYPES, Encoding, Entry, Range
from assay.models.base.costs import (
    by_blobs,
    by_boosting,
    by_calibrated_machines,
    by_calibrated_margins,
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

__all__ = ["ENTRIES", "Encoding", "Entry", "Range", "calibrated_names", "entry", "names", "usual"]

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
    "step_parameters": tuple(each for each in CHOOSE_WORDS if each.name != "binary"),
    "tuning": (VOCABULARIES, Range("smoothing", (1.0, 0.1, 0.01))),
    "column_types": ("text",),
}
KERNEL_TUNING = (Range("l2", (1e-2, 1e-3, 1e-4)), Range("gamma_factor", (0.1, 0.5, 2.0)))

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "baseline", "Most frequent class", "assay.models.baseline.prior:PriorClassifier", "baseline", PRIOR,
        "none", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "uses no columns",
        "Looks at no column; what does not beat it has learned nothing.",
        complexity=0, column_types=(*TABLE_TYPES, "text"),
    ),
    Entry(
        "nearest_mean", "Nearest class mean", "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian",
        GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, by_moments("diagonal"),
        "one mean per class",
        "One mean a class; a row goes to the nearest, on standardised columns.",
        fixed={"covariance": "shared_spherical"}, scaled=True,
    ),
    Entry(
        "gaussian_nb", "Gaussian naive Bayes", "assay.models.naive_bayes.gaussian:GaussianNB", "naive Bayes",
        GAUSSIAN_NB, "onehot-flags", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "sum over columns",
        "Each column speaks for itself: the evidence of the columns adds up.",
        tuning=(Range("variance_floor", FLOORS),),
    ),
    # -- counts of words and of levels ------------------------------------------------------------------------
    Entry(
        "categorical_nb", "Categorical naive Bayes", "assay.models.naive_bayes.categorical:CategoricalNB",
        "naive Bayes", CATEGORICAL_NB, "levels-flags", COUNTED | {"missing"}, by_counts, "sum over columns",
        "The share of each level in each class; the evidence of the columns adds up.",
        tuning=(Range("smoothing", (10.0, 1.0, 0.1)),), column_types=("binary", "categorical"), alone=True,
    ),
    Entry(
        "multinomial_nb", "Multinomial naive Bayes", "assay.models.naive_bayes.multinomial:MultinomialNB",
        "naive Bayes", MULTINOMIAL_NB, "words", COUNTED, by_counts, "sum over words",
        "The share of each word in each class; every time that a word occurs counts.", **OF_WORDS,
    ),
    Entry(
        "bernoulli_nb", "Bernoulli naive Bayes", "assay.models.naive_bayes.bernoulli:BernoulliNB",
        "naive Bayes", BERNOULLI_NB, "words", COUNTED, by_counts, "sum over words",
        "The share of texts with each word in each class; words that are absent count as well.", **OF_WORDS,
    ),
    Entry(
        "complement_nb", "Complement naive Bayes", "assay.models.naive_bayes.complement:ComplementNB",
        "naive Bayes", COMPLEMENT_NB, "words", COUNTED, by_counts, "sum over words",
        "What the words of a text say against the other classes; posteriors are rough.", **OF_WORDS,
    ),
    # -- columns as numbers -----------------------------------------------------------------------------------
    Entry(
        "mixed_nb", "Naive Bayes of all kinds", "assay.models.naive_bayes.mixed.mixed_nb:MixedNB",
        "naive Bayes", MIXED_NB,
        "table-flags", POSTERIOR | {"counts", "missing", "contributions"}, by_kinds, "sum over columns",
        "Each column speaks for itself and in its own way: numbers, levels and texts.",
        tuning=(Range("variance_floor", (0.1, 1e-9)), Range("smoothing", (10.0, 1.0, 0.1))),
        repeats=single_kind, column_types=(*TABLE_TYPES, "text"),
    ),
    Entry(
        "least_squares", "Least squares (ridge)", "assay.models.linear.least_squares:LeastSquaresClassifier",
        "linear", LEAST_SQUARES, "onehot-reference", frozenset({"statistics", "contributions"}),
        by_moments("pooled"), "sum over columns",
        "A weighted sum of the columns a class; no probabilities.",
        tuning=(Range("l2", PENALTIES),), scaled=True,
    ),
    Entry(
        "fisher", "Fisher's discriminant", "assay.models.projection.fisher:FisherDiscriminant", "projection",
        FISHER, "onehot-reference", MOMENTS | {"contributions"}, by_moments("pooled"),
        "directions, projection",
        "At most K-1 directions that separate the classes; can be drawn.",
    ),
    Entry(
        "gaussian_shared", "Gaussian, shared covariance",
        "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, by_moments("pooled"),
        "sum over columns",
        "A weighted sum of the columns a class (linear discriminant analysis).",
        fixed={"covariance": "shared"}, tuning=(Range("shrinkage", SHRINKAGES),), scaled=True,
    ),
    Entry(
        "logistic", "Logistic regression", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, by_passes, "sum over columns",
        "A weighted sum of the columns a class, fitted for its probabilities.",
        tuning=(Range("l2", LOG_LOSS_PENALTIES),), scaled=True,
    ),
    Entry(
        "linear_svm", "Linear SVM", "assay.models.svm.linear:LinearSVM", "svm", LINEAR_SVM,
        "onehot-reference", PATH, by_margins, "sum over columns",
        "A weighted sum of the columns a class, with the widest margin; no probabilities.",
        fixed=EXACT_HINGE, tuning=(Range("l2", MARGIN_PENALTIES),), scaled=True,
    ),
    Entry(
        "calibrated_svm", "Linear SVM, calibrated", "assay.models.svm.linear:LinearSVM", "svm", LINEAR_SVM,
        "onehot-reference", POSTERIOR | {"contributions"}, by_calibrated_margins, "sum over columns",
        "A weighted sum of the columns a class, and a curve from margins to probabilities.",
        fixed=EXACT_HINGE, tuning=(Range("l2", MARGIN_PENALTIES),), scaled=True, calibrates="linear_svm",
    ),
    Entry(
        "perceptron", "Perceptron, averaged", "assay.models.linear.perceptron:Perceptron", "linear", PERCEPTRON,
        "onehot-reference", frozenset({"contributions"}), by_mistakes, "sum over columns",
        "A weighted sum of the columns a class, learned from mistakes; no probabilities.",
        fixed={"variant": "averaged", "epochs": 20}, scaled=True,
    ),
    Entry(
        "single_layer", "Single-layer network", "assay.models.network.single_layer:SingleLayerNetwork", "network",
        SINGLE_LAYER, "onehot-reference", POSTERIOR | {"contributions"}, by_steps, "sum over columns",
        "A weighted sum of the columns a class; probabilities fitted by squared error, which far outliers hardly move.",
        fixed={"output": "softmax", "surrogate": "squared_error", "solver": "batch", "targets": "01"},
        defaults={"l2": 1e-3, "tol": 1e-3}, tuning=(Range("l2", (1e-2, 1e-3, 1e-4)),), scaled=True,
    ),
    Entry(
        "lasso", "Logistic regression, L1", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, by_descent, "sum over few columns",
        "A weighted sum of the columns that are worth it; the others have weight 0.",
        # Without a penalty it would be a plain logistic regression; columns are scaled, so one value suits most tables.
        defaults={"l1": 0.01}, tuning=(Range("l1", ABSOLUTE_PENALTIES),), scaled=True,
    ),
    Entry(
        "quadratic", "Logistic regression, quadratic", "assay.models.linear.logistic:LogisticRegression", "linear",
        LOGISTIC, "products-reference", POSTERIOR | {"path"}, by_products, "sum over columns, pairs",
        "A weighted sum of the columns, their squares and products: boundaries are curved.",
        complexity=2, defaults={"l2": 1e-3}, tuning=(Range("l2", LOG_LOSS_PENALTIES),), scaled=True,
        unsuited=products_unsuited,
    ),
    Entry(
        "gaussian_full", "Gaussian, own covariances", "assay.models.gaussian.gaussian_classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS, by_moments("full"),
        "one ellipse per class",
        "An ellipse a class: means and covariances can be read, single contributions cannot.",
        complexity=2, fixed={"covariance": "full"},
        tuning=(Range("shrinkage", (0.1, 0.0)), Range("blend", (0.1, 0.4, 1.0))), scaled=True,
    ),
    Entry(
        "gaussian_mixture", "Gaussian blobs",
        "assay.models.mixture.gaussian_mixture:GaussianMixtureClassifier", "mixture",
        GAUSSIAN_MIXTURE, "onehot-reference", POSTERIOR, by_blobs, "several ellipses per class",
        "A few ellipses per class: kinds of rows within a class can be read, single contributions cannot.",
        # A lower floor lets blobs stand on levels that all of their rows share.
        complexity=2, defaults={"variance_floor": 0.01, "n_starts": 1},
        tuning=(Range("n_blobs", (1, 2, 4)), Range("covariance", ("diagonal", "full"))), unsuited=no_numbers,
    ),
    Entry(
        "decision_tree", "Decision tree", "sklearn.tree:DecisionTreeClassifier", "trees", TREE, "levels",
        POSTERIOR | {"missing"}, by_trees(1, 1.0), "decision rules",
        "A list of yes/no questions; readable while it is small.",
        complexity=2, tuning=(Range("max_depth", (2, 4, 8, None)), Range("min_samples_leaf", (20, 1))),
    ),
    Entry(
        "knn", "Nearest neighbours", "assay.models.neighbors.k_neighbors:KNeighborsClassifier", "neighbors",
        K_NEIGHBORS, "onehot-reference", POSTERIOR | {"neighbors"}, by_neighbors, "nearest rows",
        "The nearest rows vote, on standardised columns: examples to show, no formula.",
        complexity=3, fixed={"fewer_rows": "all"},
        tuning=(Range("n_neighbors", NEIGHBORS), Range("weights", ("uniform", "distance"))), scaled=True,
    ),
    Entry(
        "neural_network", "Neural network", "assay.models.network.multi_layer:NeuralNetwork", "network",
        MULTI_LAYER, "onehot-reference", POSTERIOR, by_epochs, "not interpretable",
        "One layer of 32 units that bend the space: no formula to read.",
        complexity=3, fixed={"hidden": (32,), "epochs": 100, "early_stopping": True, "batch_size": None},
    ),
    Entry(
        "kernel_svm", "SVM, Gaussian kernel", "assay.models.svm.kernel:KernelSVM", "svm", KERNEL_SVM,
        "onehot-reference", frozenset({"gram"}), by_machines, "support vectors",
        "Rows that lie near the boundary vote by their distance: no formula to read, no probabilities.",
        complexity=3, fixed={"kernel": "rbf"}, tuning=KERNEL_TUNING, scaled=True,
    ),
    Entry(
        "calibrated_kernel_svm", "SVM, Gaussian kernel, calibrated", "assay.models.svm.kernel:KernelSVM", "svm",
        KERNEL_SVM, "onehot-reference", POSTERIOR, by_calibrated_machines, "support vectors",
        "Rows that lie near the boundary vote by their distance, and a curve leads from margins to probabilities.",
        complexity=3, fixed={"kernel": "rbf"}, tuning=KERNEL_TUNING, scaled=True, calibrates="kernel_svm",
    ),
    Entry(
        "random_forest", "Random forest", "sklearn.ensemble:RandomForestClassifier", "trees", FOREST, "levels",
        POSTERIOR | {"missing"}, by_trees(100, 0.3), "importances only",
        "A hundred trees voting: importances, no formula.",
        complexity=3,
    ),
    Entry(
        "gradient_boosting", "Gradient boosting", "sklearn.ensemble:HistGradientBoostingClassifier", "trees",
        BOOSTING, "levels", POSTERIOR | {"missing"}, by_boosting,
        "importances only",
        "Hundreds of small trees added up: importances, no formula.",
        complexity=3, needs_values=True,
    ),
)  # fmt: skip


def names() -> tuple[str, ...]:
    """Names of all entries, simple ones first."""
    return tuple(each.name for each in ENTRIES)


def usual(posteriors: bool) -> tuple[Entry, ...]:
    """Entries that are tried unasked; `posteriors`: whether costs or priors need them."""
    return tuple(each for each in ENTRIES if posteriors or not each.calibrates)


def calibrated_names() -> str:
    """The entries that give margins posteriors, for advice."""
    return " or ".join(each.name for each in ENTRIES if each.calibrates)


def entry(name: str) -> Entry:
    """The entry of that name."""
    for each in ENTRIES:
        if each.name == name:
            return each
    if not isinstance(name, str):
        raise TypeError(Note("C063", name=name))
    near = get_close_matches(name.lower().replace("-", "_"), names(), n=2, cutoff=0.4)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(names())}."
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
