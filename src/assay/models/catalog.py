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
from assay.models.foreign_parameters import BOOSTING, FOREST, TREE
from assay.models.gaussian.parameters import GAUSSIAN
from assay.models.linear.parameters import LEAST_SQUARES, LOGISTIC
from assay.models.linear.perceptron_parameters import PERCEPTRON
from assay.models.naive_bayes.parameters import GAUSSIAN_NB
from assay.models.network.parameters import MULTI_LAYER
from assay.models.params import Param, check_params
from assay.models.projection.parameters import FISHER
from assay.models.svm.parameters import LINEAR_SVM

Encoding = Literal["onehot", "onehot-reference", "levels"]
TABLE_TYPES = ("numeric", "date", "binary", "categorical")


@dataclass(frozen=True)
class Range:
    """Values that a parameter is tuned over, the simplest model first."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Workload:
    """What a nested evaluation has to do; a cost model turns it into seconds.

    columns are those of the table, width those of the encoded matrix; fits are the models that a refitted
    candidate is trained for, each on about 0.7 of the rows.
    """

    rows: int
    columns: int
    width: int
    classes: int
    folds: int
    settings: int
    fits: int


Cost = Callable[[Workload], float]


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
    encoding : "onehot", "onehot-reference" or "levels"
        How a table becomes numbers: all levels; less the most frequent one, gaps filled; or level codes.
    scaled : bool
        Whether columns are brought to a common scale first (penalties and spheres need it).
    column_types : tuple of str
    capabilities : frozenset of str
        "statistics": one pass serves all folds. "path": all folds and penalties are solved together.
        "posterior": probabilities. "contributions": a prediction is a sum over columns. "missing": gaps need no
        filling.
    cost : callable
        Seconds of a nested evaluation, roughly, on one core.
    reading : str
        What there is to read in a fitted model, in a word or two.
    interpretability : str
        The same in a sentence.
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
            for param in self.parameters
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
        module, _, cls = self.home.partition(":")
        values = {**self.fixed, **self.defaults, **(setting or {})}
        if any(param.name == "random_state" for param in self.parameters):
            values.setdefault("random_state", random_state)
        return getattr(importlib.import_module(module), cls)(**values)


def _by_moments(form: Literal["diagonal", "pooled", "full"]) -> Cost:
    """Statistics once; then one score a row, class, pair of folds and setting."""

    def seconds(w: Workload) -> float:
        products = {"diagonal": 0.0, "pooled": 0.5, "full": 0.5}[form] * w.width
        read = w.rows * w.width * (1.0 + products) * 4e-10
        score = w.width * (0.5 * w.width if form == "full" else 1.0) * 1.5e-10 + 4e-9
        solve = 0.0 if form == "diagonal" else 0.5 * w.folds**2 * w.width**3 * 1e-9
        return read + w.settings * (w.rows * w.classes * w.folds * score + solve * w.classes)

    return seconds


def _by_passes(w: Workload) -> float:
    """A few passes a setting, each with the models of all pairs of folds stacked, and second derivatives."""
    scores = w.classes if w.classes > 2 else 1
    models = 0.4 * w.folds**2 + w.folds
    passes = 4 * w.rows * (w.width + 1) * (scores * models * 3e-11 + 1.5e-10)
    derivatives = w.rows * w.width**2 * max(1, scores * (scores - 1) / 2) * 7e-11
    solve = models * ((w.width + 1) * scores) ** 3 * 1e-10
    return w.settings * (passes + derivatives + solve)


def _by_margins(w: Workload) -> float:
    """Every pair of folds and every class by itself, each in some dozens of passes."""
    scores = w.classes if w.classes > 2 else 1
    return w.settings * (0.5 * w.folds**2 + w.folds) * scores * w.rows * (w.width + 1) * 1.1e-7


def _by_epochs(w: Workload) -> float:
    """A hundred passes at most through 32 hidden units, forth and back."""
    return w.fits * 100 * w.rows * ((w.width + w.classes) * 32 * 6e-10 + 1e-6)


def _by_mistakes(w: Workload) -> float:
    """Up to twenty passes, a step for each mistake: one row in five."""
    return w.fits * 20 * w.rows * (0.2 * 2.5e-5 + w.width * w.classes * 2e-10)


def _by_descent(w: Workload) -> float:
    """The same with absolute values: a few passes more, and coordinate descent in place of a factorisation."""
    scores = w.classes if w.classes > 2 else 1
    models = 0.4 * w.folds**2 + w.folds
    return 1.5 * _by_passes(w) + w.settings * models * ((w.width + 1) * scores) ** 2 * 1.5e-7


def _by_trees(trees: float, share: float) -> Cost:
    """`trees` trees a fit, each sorting `share` of the columns on every level."""

    def seconds(w: Workload) -> float:
        depth = w.rows.bit_length()
        one = 2e-3 * trees + trees * 2.5e-8 * w.rows * max(1.0, share * w.columns) * depth
        return w.fits * one

    return seconds


def _by_boosting(w: Workload) -> float:
    one = w.classes if w.classes > 2 else 1
    return w.fits * (0.3 + 1.2e-6 * w.rows * w.columns) * one


POSTERIOR = frozenset({"posterior"})
MOMENTS = POSTERIOR | {"statistics"}
SHRINKAGES = (0.3, 0.1, 0.03, 0.0)
# A level that a class never shows has no variance there; the floor says how surprising it may be.
FLOORS = (0.3, 0.1, 0.01, 1e-9)
PENALTIES = (1.0, 0.1, 0.01, 1e-3, 0.0)
LOG_LOSS_PENALTIES = (0.1, 0.01, 1e-3, 1e-4, 1e-6)
ABSOLUTE_PENALTIES = (0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4)
PATH = frozenset({"path", "contributions"})

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "baseline", "Most frequent class", "assay.models.baseline.prior:PriorClassifier", "baseline", PRIOR,
        "onehot", MOMENTS | {"missing", "contributions"}, _by_moments("diagonal"),
        "nothing",
        "Looks at no column; what does not beat it has learned nothing.",
        complexity=0,
    ),
    Entry(
        "nearest_mean", "Nearest class mean", "assay.models.gaussian.classifier:GaussianClassifier", "gaussian",
        GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, _by_moments("diagonal"),
        "a mean a class",
        "One mean a class; a row goes to the nearest, on standardised columns.",
        fixed={"covariance": "shared_spherical"}, scaled=True,
    ),
    Entry(
        "gaussian_nb", "Gaussian naive Bayes", "assay.models.naive_bayes.gaussian:GaussianNB", "naive Bayes",
        GAUSSIAN_NB, "onehot", MOMENTS | {"missing", "contributions"}, _by_moments("diagonal"),
        "sum over columns",
        "Each column speaks for itself: the evidence of the columns adds up.",
        tuning=(Range("variance_floor", FLOORS),),
    ),
    Entry(
        "least_squares", "Least squares (ridge)", "assay.models.linear.least_squares:LeastSquaresClassifier",
        "linear", LEAST_SQUARES, "onehot-reference", frozenset({"statistics", "contributions"}),
        _by_moments("pooled"), "sum over columns",
        "A weighted sum of the columns a class; no probabilities.",
        tuning=(Range("l2", PENALTIES),), scaled=True,
    ),
    Entry(
        "fisher", "Fisher's discriminant", "assay.models.projection.fisher:FisherDiscriminant", "projection",
        FISHER, "onehot-reference", MOMENTS | {"contributions"}, _by_moments("pooled"),
        "directions, a map",
        "At most K-1 directions that separate the classes; can be drawn.",
    ),
    Entry(
        "gaussian_shared", "Gaussian, shared covariance", "assay.models.gaussian.classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS | {"contributions"}, _by_moments("pooled"),
        "sum over columns",
        "A weighted sum of the columns a class (linear discriminant analysis).",
        fixed={"covariance": "shared"}, tuning=(Range("shrinkage", SHRINKAGES),), scaled=True,
    ),
    Entry(
        "logistic", "Logistic regression", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, _by_passes, "sum over columns",
        "A weighted sum of the columns a class, fitted for its probabilities.",
        tuning=(Range("l2", LOG_LOSS_PENALTIES),), scaled=True,
    ),
    Entry(
        "linear_svm", "Linear SVM", "assay.models.svm.linear:LinearSVM", "svm", LINEAR_SVM,
        "onehot-reference", PATH, _by_margins, "sum over columns",
        "A weighted sum of the columns a class, with the widest margin; no probabilities.",
        fixed={"surrogate": "hinge", "solver": "exact"}, tuning=(Range("l2", (0.1, 0.01, 1e-3)),), scaled=True,
    ),
    Entry(
        "perceptron", "Perceptron, averaged", "assay.models.linear.perceptron:Perceptron", "linear", PERCEPTRON,
        "onehot-reference", frozenset({"contributions"}), _by_mistakes, "sum over columns",
        "A weighted sum of the columns a class, learned from mistakes; no probabilities.",
        fixed={"variant": "averaged", "epochs": 20}, scaled=True,
    ),
    Entry(
        "lasso", "Logistic regression, L1", "assay.models.linear.logistic:LogisticRegression", "linear", LOGISTIC,
        "onehot-reference", POSTERIOR | PATH, _by_descent, "sum over few columns",
        "A weighted sum of the columns that are worth it; the others have weight 0.",
        # Without a penalty it would be a plain logistic regression; columns are scaled, so one value suits most tables.
        defaults={"l1": 0.01}, tuning=(Range("l1", ABSOLUTE_PENALTIES),), scaled=True,
    ),
    Entry(
        "gaussian_full", "Gaussian, own covariances", "assay.models.gaussian.classifier:GaussianClassifier",
        "gaussian", GAUSSIAN, "onehot-reference", MOMENTS, _by_moments("full"),
        "an ellipse a class",
        "An ellipse a class: means and covariances can be read, single contributions cannot.",
        complexity=2, fixed={"covariance": "full"},
        tuning=(Range("shrinkage", (0.1, 0.0)), Range("blend", (0.1, 0.4, 1.0))), scaled=True,
    ),
    Entry(
        "decision_tree", "Decision tree", "sklearn.tree:DecisionTreeClassifier", "trees", TREE, "levels",
        POSTERIOR | {"missing"}, _by_trees(1, 1.0), "yes/no questions",
        "A list of yes/no questions; readable while it is small.",
        complexity=2, tuning=(Range("max_depth", (2, 4, 8, None)), Range("min_samples_leaf", (20, 1))),
    ),
    Entry(
        "neural_network", "Neural network", "assay.models.network.multi_layer:NeuralNetwork", "network",
        MULTI_LAYER, "onehot-reference", POSTERIOR, _by_epochs, "weights without a meaning",
        "One layer of 32 units that bend the space: no formula to read.",
        complexity=3, fixed={"hidden": (32,), "epochs": 100, "early_stopping": True, "batch_size": None},
    ),
    Entry(
        "random_forest", "Random forest", "sklearn.ensemble:RandomForestClassifier", "trees", FOREST, "levels",
        POSTERIOR | {"missing"}, _by_trees(100, 0.3), "importances only",
        "A hundred trees voting: importances, no formula.",
        complexity=3,
    ),
    Entry(
        "gradient_boosting", "Gradient boosting", "sklearn.ensemble:HistGradientBoostingClassifier", "trees",
        BOOSTING, "levels", POSTERIOR | {"missing"}, _by_boosting,
        "importances only",
        "Hundreds of small trees added up: importances, no formula.",
        complexity=3,
    ),
)  # fmt: skip


def names() -> tuple[str, ...]:
    """Names of all entries, simple ones first."""
    return tuple(each.name for each in ENTRIES)


def entry(name: str) -> Entry:
    """The entry of that name."""
    for each in ENTRIES:
        if each.name == name:
            return each
    near = get_close_matches(name.lower().replace("-", "_"), names(), n=2, cutoff=0.4)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(names())}."
    raise ValueError(f"There is no model {name!r} in the catalog; {hint}")
