"""Every candidate of a comparison, in one list: what it is called, how it is tuned, what it can do and costs.

`compare`, `--help`, the report and the contract tests read this list and nothing else. Classes are named, and
loaded on use: reading the catalog loads neither them nor scikit-learn.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import product
from typing import Any, Literal

from assay.models.baseline.parameters import PRIOR
from assay.models.costs import (
    Cost,
    by_boosting,
    by_calibrated_margins,
    by_counts,
    by_descent,
    by_epochs,
    by_kinds,
    by_margins,
    by_mistakes,
    by_moments,
    by_neighbors,
    by_passes,
    by_products,
    by_steps,
    by_trees,
)
from assay.models.features.parameters import CHOOSE_WORDS
from assay.models.foreign_parameters import BOOSTING, FOREST, TREE
from assay.models.gaussian.parameters import GAUSSIAN
from assay.models.linear.parameters import LEAST_SQUARES, LOGISTIC
from assay.models.linear.perceptron_parameters import PERCEPTRON
from assay.models.mixed.parameters import MIXED_NB
from assay.models.naive_bayes.parameters import (
    BERNOULLI_NB,
    CATEGORICAL_NB,
    COMPLEMENT_NB,
    GAUSSIAN_NB,
    MULTINOMIAL_NB,
)
from assay.models.neighbors.parameters import K_NEIGHBORS
from assay.models.network.parameters import MULTI_LAYER, SINGLE_LAYER
from assay.models.params import Param, check_params
from assay.models.projection.parameters import FISHER
from assay.models.suited import Unsuited, products_unsuited, single_kind
from assay.models.svm.parameters import LINEAR_SVM

Encoding = Literal["onehot", "onehot-reference", "products-reference", "levels", "words", "table", "none"]
TABLE_TYPES = ("numeric", "date", "binary", "categorical")


@dataclass(frozen=True)
class Range:
    """Values that a parameter is tuned over, the simplest model first."""

    name: str
    values: tuple[Any, ...]


CALIBRATED = "assay.models.combine.calibrated:Calibrated"


@dataclass(frozen=True)
class Entry:
    """One candidate.

    Attributes
    ----------
    name, title : str
        For the command line, and for people.
    home : str
        "module:Class".
    family : str
    parameters : tuple of Param
    fixed : mapping
        Parameters that make this entry what it is.
    defaults : mapping
        What parameters are where nobody sets them, if the class would take something else.
    tuning : tuple of Range
    encoding : "onehot", "onehot-reference", "products-reference", "levels", "words", "table" or "none"
        How a table becomes numbers: all levels; less the most frequent one, gaps filled; the same with squares and
        products of the numbers; level codes; counts of words; the typed
        table itself; or not at all.
    step_parameters : tuple of Param
        Those of the step before the model, which chooses the words; they are set and tuned like the model's own.
    scaled : bool
        Whether columns are brought to a common scale first (penalties and spheres need it).
    needs_values : bool
        Whether it knows gaps but fails on a column without any value in a training part.
    unsuited : callable, optional
        Why it is not tried on a table of this schema, in a sentence; None where it is.
    repeats : callable, optional
        Whether it would only repeat another entry on a table of this schema: then it is tried by name alone.
    column_types : tuple of str
        Columns that it reads; a table that has none of them is not for it.
    alone : bool
        Whether it is tried only where no other column of a table could be read (texts aside).
    capabilities : frozenset of str
        "statistics", "counts": one pass serves all folds. "path": all folds and penalties are solved together.
        "neighbors": one search a split serves all settings. "posterior": probabilities. "contributions": a prediction
        is a sum over columns. "missing": gaps need no filling.
    cost : callable
        Seconds of a nested evaluation, roughly, on one core.
    reading : str
        What there is to read in a fitted model, in a word or two.
    interpretability : str
        The same in a sentence.
    calibrates : str
        The entry of margins that this one turns into posteriors, by folds inside the training rows. It is tried where
        costs or priors ask for posteriors, or by name: otherwise it would only repeat that entry.
    complexity : int
        0: looks at nothing. 1: a few numbers a column, read one by one. 2: read with effort (ellipses, a tree). 3: no
        more than importances. One model is called simpler than another only where this is less.
    """

    name: str
    title: str
    home: str
    family: str
    parameters: tuple[Param, ...]
    encoding: Encoding
    capabilities: frozenset[str]
    cost: Cost
    reading: str
    interpretability: str
    complexity: int = 1
    fixed: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    tuning: tuple[Range, ...] = ()
    scaled: bool = False
    needs_values: bool = False
    unsuited: Unsuited | None = None
    repeats: Callable[[Any], bool] | None = None
    calibrates: str = ""
    step_parameters: tuple[Param, ...] = ()
    alone: bool = False
    column_types: tuple[str, ...] = TABLE_TYPES

    def settings(self) -> list[dict[str, Any]]:
        """Every combination of the tuning ranges, the simplest model first."""
        names = [each.name for each in self.tuning]
        return [
            dict(zip(names, values, strict=True))
            for values in product(*(each.values for each in self.tuning))
        ]

    def free_parameters(self) -> tuple[Param, ...]:
        """Parameters that a user may set, each with what it is otherwise."""
        return tuple(
            replace(param, default=self.defaults.get(param.name, param.default))
            for param in (*self.parameters, *self.step_parameters)
            if param.name not in self.fixed
        )

    def check(self, setting: Mapping[str, Any]) -> None:
        """One sentence if the setting names an unknown parameter or a value out of bounds."""
        free = {param.name: param for param in self.free_parameters()}
        for name in setting:
            if name not in free:
                known = ", ".join(free) or "none"
                raise ValueError(f"{self.name} has no parameter {name!r} to set; it has: {known}.")
        check_params(self.name, tuple(free[name] for name in setting), dict(setting))

    def model(self, setting: Mapping[str, Any] | None = None, random_state: int = 0) -> Any:
        """The bare estimator, not fitted."""
        self.check(setting or {})
        own = {name: value for name, value in (setting or {}).items() if name not in self._of_step()}
        values = {**self.fixed, **self.defaults, **own}
        if any(param.name == "random_state" for param in self.parameters):
            values.setdefault("random_state", random_state)
        model = _load(self.home)(**values)
        return _load(CALIBRATED)(model) if self.calibrates else model

    def step_setting(self, setting: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What of a setting belongs to the step before the model."""
        return {name: value for name, value in (setting or {}).items() if name in self._of_step()}

    def _of_step(self) -> set[str]:
        return {param.name for param in self.step_parameters}

    def describes(self, model: Any) -> bool:
        """Whether a model, fitted or not, is this entry in some setting."""
        calibrated = type(model).__name__ == CALIBRATED.partition(":")[2]
        inner = model.model if calibrated else model
        alike = all(getattr(inner, name, None) == value for name, value in self.fixed.items())
        return (
            calibrated == bool(self.calibrates) and self.home.endswith(f":{type(inner).__name__}") and alike
        )


def _load(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


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

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "baseline", "Most frequent class", "assay.models.baseline.prior:PriorClassifier", "baseline", PRIOR,
        "none", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "nothing",
        "Looks at no column; what does not beat it has learned nothing.",
        complexity=0, column_types=(*TABLE_TYPES, "text"),
    ),
    Entry(
        "nearest_mean", "Nearest class mean", "assay.models.gaussian.classifier:GaussianClassifier", "gaussian",
        GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, by_moments("diagonal"),
        "a mean a class",
        "One mean a class; a row goes to the nearest, on standardised columns.",
        fixed={"covariance": "shared_spherical"}, scaled=True,
    ),
    Entry(
        "gaussian_nb", "Gaussian naive Bayes", "assay.models.naive_bayes.gaussian:GaussianNB", "naive Bayes",
        GAUSSIAN_NB, "onehot", MOMENTS | {"missing", "contributions"}, by_moments("diagonal"),
        "sum over columns",
        "Each column speaks for itself: the evidence of the columns adds up.",
        tuning=(Range("variance_floor", FLOORS),),
    ),
    # -- counts of words and of levels ------------------------------------------------------------------------
    Entry(
        "categorical_nb", "Categorical naive Bayes", "assay.models.naive_bayes.categorical:CategoricalNB",
        "naive Bayes", CATEGORICAL_NB, "levels", COUNTED | {"missing"}, by_counts, "sum over columns",
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
        "mixed_nb", "Naive Bayes of all kinds", "assay.models.mixed.classifier:MixedNB", "naive Bayes", MIXED_NB,
        "table", POSTERIOR | {"counts", "missing", "contributions"}, by_kinds, "sum over columns",
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
        "directions, a map",
        "At most K-1 directions that separate the classes; can be drawn.",
    ),
    Entry(
        "gaussian_shared", "Gaussian, shared covariance", "assay.models.gaussian.classifier:GaussianClassifier",
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
        "gaussian_full", "Gaussian, own covariances", "assay.models.gaussian.classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS, by_moments("full"),
        "an ellipse a class",
        "An ellipse a class: means and covariances can be read, single contributions cannot.",
        complexity=2, fixed={"covariance": "full"},
        tuning=(Range("shrinkage", (0.1, 0.0)), Range("blend", (0.1, 0.4, 1.0))), scaled=True,
    ),
    Entry(
        "decision_tree", "Decision tree", "sklearn.tree:DecisionTreeClassifier", "trees", TREE, "levels",
        POSTERIOR | {"missing"}, by_trees(1, 1.0), "yes/no questions",
        "A list of yes/no questions; readable while it is small.",
        complexity=2, tuning=(Range("max_depth", (2, 4, 8, None)), Range("min_samples_leaf", (20, 1))),
    ),
    Entry(
        "knn", "Nearest neighbours", "assay.models.neighbors.classifier:KNeighborsClassifier", "neighbors",
        K_NEIGHBORS, "onehot-reference", POSTERIOR | {"neighbors"}, by_neighbors, "similar rows",
        "The nearest rows vote, on standardised columns: examples to show, no formula.",
        complexity=3, fixed={"fewer_rows": "all"},
        tuning=(Range("n_neighbors", NEIGHBORS), Range("weights", ("uniform", "distance"))), scaled=True,
    ),
    Entry(
        "neural_network", "Neural network", "assay.models.network.multi_layer:NeuralNetwork", "network",
        MULTI_LAYER, "onehot-reference", POSTERIOR, by_epochs, "weights without a meaning",
        "One layer of 32 units that bend the space: no formula to read.",
        complexity=3, fixed={"hidden": (32,), "epochs": 100, "early_stopping": True, "batch_size": None},
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
    near = get_close_matches(name.lower().replace("-", "_"), names(), n=2, cutoff=0.4)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(names())}."
    raise ValueError(f"There is no model {name!r} in the catalog; {hint}")
