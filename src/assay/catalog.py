"""Where the cards of a comparison's candidates are: names in the order of simplicity, each with its method's file.

A method's file ends with its cards; other packages register theirs by entry points of the group `assay.models`. Cards
are loaded on use, so that a list of names loads neither models nor scikit-learn. `compare`, `assay models`, the report
and the contract tests read cards and nothing else.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from assay.models.base.card import MOST_COMPLEX, Encoding, ModelCard, Range
from assay.models.base.params import Param
from assay.notes import Note
from assay.notes.hints import name_hint

__all__ = [
    "MODULES",
    "Encoding",
    "ModelCard",
    "Param",
    "Range",
    "calibrated_names",
    "cards",
    "default_candidates",
    "entry",
    "names",
    "registered",
    "registration_notes",
    "title_of",
]

GROUP = "assay.models"  # of entry points, by which other packages register cards

# Simple methods first: of equal losses, `compare` takes the first.
MODULES = {
    "baseline": "assay.models.baseline.prior",
    "nearest_mean": "assay.models.gaussian.gaussian_classifier",
    "gaussian_nb": "assay.models.naive_bayes.gaussian",
    "categorical_nb": "assay.models.naive_bayes.categorical",
    "poisson_nb": "assay.models.naive_bayes.poisson",
    "multinomial_nb": "assay.models.naive_bayes.multinomial",
    "bernoulli_nb": "assay.models.naive_bayes.bernoulli",
    "complement_nb": "assay.models.naive_bayes.complement",
    "mixed_nb": "assay.models.naive_bayes.mixed.mixed_nb",
    "least_squares": "assay.models.linear.least_squares",
    "fisher": "assay.models.projection.fisher",
    "gaussian_shared": "assay.models.gaussian.gaussian_classifier",
    "logistic": "assay.models.linear.logistic",
    "tfidf_logistic": "assay.models.linear.logistic",
    "linear_svm": "assay.models.svm.linear",
    "calibrated_svm": "assay.models.svm.linear",
    "tfidf_svm": "assay.models.svm.linear",
    "calibrated_tfidf_svm": "assay.models.svm.linear",
    "perceptron": "assay.models.linear.perceptron",
    "single_layer": "assay.models.network.single_layer",
    "lasso": "assay.models.linear.logistic",
    "quadratic": "assay.models.linear.logistic",
    "gaussian_full": "assay.models.gaussian.gaussian_classifier",
    "gaussian_mixture": "assay.models.mixture.gaussian_mixture",
    "decision_tree": "assay.models.trees.decision_tree",
    "knn": "assay.models.neighbors.k_neighbors",
    "neural_network": "assay.models.network.multi_layer",
    "kernel_svm": "assay.models.svm.kernel",
    "calibrated_kernel_svm": "assay.models.svm.kernel",
    "random_forest": "assay.models.trees.random_forest",
    "gradient_boosting": "assay.models.trees.gradient_boosting",
}


def names() -> tuple[str, ...]:
    """Names of all entries, simple ones first; those of other packages follow."""
    return (*MODULES, *registered())


@cache
def registered() -> dict[str, EntryPoint]:
    """Where the cards of other packages are, in the order of their names; none replaces another."""
    points: dict[str, EntryPoint] = {}
    for point in _entry_points():
        if point.name not in MODULES:
            points.setdefault(point.name, point)
    return points


@cache
def registration_notes() -> tuple[Note, ...]:
    """Cards of other packages that are left out, and why."""
    known = {**MODULES, **{n: p.value for n, p in registered().items()}}
    used = list(registered().values())
    notes = [
        Note("C416", name=point.name, target=point.value, first=known[point.name])
        for point in _entry_points()
        if point not in used
    ]
    return (*notes, *(note for point in used if isinstance(note := _load(point), Note)))


def _entry_points() -> list[EntryPoint]:
    return sorted(set(entry_points(group=GROUP)), key=lambda point: (point.name, point.value))


@cache
def cards() -> tuple[ModelCard, ...]:
    """The cards of all entries that can be loaded, simple ones first."""
    others = (_load(point) for point in registered().values())
    return (*map(_card, MODULES), *(card for card in others if isinstance(card, ModelCard)))


@cache
def _load(point: EntryPoint) -> ModelCard | Note:
    """The card of another package; a note says why there is none."""
    try:
        card = point.load()
    except Exception as error:  # whatever another package raises while it is imported
        reason = " ".join(str(error).split())
        return Note("C415", name=point.name, target=point.value, kind=type(error).__name__, reason=reason)
    if not isinstance(card, ModelCard) or card.name != point.name:
        return Note("C417", name=point.name, target=point.value)
    # Nobody compares their methods with ours by how they are read.
    return replace(card, complexity=MOST_COMPLEX, position=list(registered()).index(point.name))


def default_candidates(posteriors: bool) -> tuple[ModelCard, ...]:
    """Entries that are tried unasked; `posteriors`: whether costs or priors need them."""
    return tuple(card for card in cards() if posteriors or not card.calibrates)


def calibrated_names() -> str:
    """The entries that give margins posteriors, for advice."""
    return " or ".join(card.name for card in cards() if card.calibrates)


def entry(name: str) -> ModelCard:
    """The entry of that name."""
    if not isinstance(name, str):
        raise TypeError(Note("C063", kind=type(name).__name__))
    if name in MODULES:
        return _card(name)
    if name in registered():
        card = _load(registered()[name])
        if isinstance(card, Note):
            raise ValueError(card)
        return card
    hint = name_hint(name.lower().replace("-", "_"), names(), cutoff=0.4)
    raise ValueError(Note("C062", name=name, hint=hint))


def title_of(model: object) -> str:
    """What the catalog calls a fitted model; its class, if the catalog has none such.

    Examples
    --------
    >>> from assay import GaussianClassifier
    >>> title_of(GaussianClassifier("shared")), title_of(GaussianClassifier("full", shrinkage=0.1))
    ('Gaussian, shared covariance', 'Gaussian, covariance per class')
    """
    return next((card.title for card in cards() if card.describes(model)), type(model).__name__)


def _card(name: str) -> ModelCard:
    """The card of that name in its method's file."""
    family: tuple[ModelCard, ...] = importlib.import_module(MODULES[name]).CARDS
    return next(card for card in family if card.name == name)
