"""A table seen along a few directions: where its rows vary most, or where its classes lie apart.

Directions are learned from all rows; the error that is told is not. It belongs to the nearest class mean along
these directions, with the classes' shares as priors, and everything, filling and scaling and the directions
themselves, is learned anew from the training part of every fold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.sources.database_address import source_name
from assay.models.base.estimators import parts_of
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.projection.base import fix_signs
from assay.models.projection.fisher import FisherDiscriminant
from assay.models.projection.pca import PCA
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.scalars import is_whole
from assay.plans import KFold
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.workbench.projection_rows import Rows, read_rows

Array = NDArray[np.float64]
Report = Callable[[str, float], None]
METHODS = ("pca", "fisher")
USUAL, FOLDS = 2, 10
LEAST_SPREAD, HELD_SPREAD = 1e-6, 0.05  # within classes, as shares of the columns' variance
NO_SCATTER = 1e-12  # within classes, as a share of that between them: rounding
FLATTERY = 0.05  # by how much the error of a map may fall short of that of new rows without a word about it
ANEW = "every split was fitted anew."  # how the folds were computed is nothing that the map shows
WIDE = (
    "With so many columns for so few rows there are directions that separate any labels, so that the map shows where "
    "the rows vary most; method fisher shows the others."
)
HELD = (
    "Some directions do not vary within the classes, as with many columns for few rows: the spread there is taken "
    f"to be at least {HELD_SPREAD:g} of the whole, and the map may separate what new rows would not."
)


@dataclass(frozen=True)
class Loading:
    """What one deviation of a column moves a row along a direction."""

    column: str
    weight: float


@dataclass(frozen=True)
class Direction:
    """One axis of the map.

    Attributes
    ----------
    key, title : str
        For files ("pc1", "fisher1", "spread1"), and for people.
    share : float or None
        Of the variance of all columns (components), or of what separates the classes (Fisher's directions).
    ratio : float or None
        Scatter between the class means over scatter within the classes; None without classes or without scatter.
    loadings : tuple of Loading
        All columns, the strongest first.
    """

    key: str
    title: str
    share: float | None
    ratio: float | None
    loadings: tuple[Loading, ...]


@dataclass(frozen=True, eq=False)
class Projected:
    """Rows along directions, and how well classes can be told apart there.

    Attributes
    ----------
    name, method, target : str
        Target None where there are no classes.
    directions : tuple of Direction
    coordinates : (N, E)
    numbers : (N,)
        Position of each row in the source, from 1: rows without a label are left out.
    codes, classes
        Labels; None without a target.
    judged : int
        Directions that the errors are about: the first so many.
    seen_error : float or None
        Share of the rows that lie nearer to the mean of another class on the map itself.
    evaluation : Evaluation or None
        The same on rows that had no part in making the map.
    """

    name: str
    method: str
    target: str | None
    width: int
    directions: tuple[Direction, ...]
    coordinates: Array
    numbers: NDArray[np.int64]
    codes: NDArray[np.int32] | None
    classes: NDArray[Any] | None
    judged: int
    seen_error: float | None
    evaluation: Evaluation | None
    notes: tuple[str, ...]

    @property
    def baseline(self) -> float | None:
        """Error of always naming the most frequent class."""
        return None if self.codes is None else 1.0 - float(np.bincount(self.codes).max() / len(self.codes))

    def nearest(self, points: Array) -> NDArray[np.intp]:
        """The class whose mean is nearest to each point, by its judged directions or as many as the points have."""
        judged = min(self.judged, points.shape[1])
        return _nearest(self.coordinates[:, :judged], self.codes, points[:, :judged])


def project(
    source: Any,
    target: str | None = None,
    *,
    method: str | None = None,
    to: int | None = None,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
    random_state: int = 0,
    progress: Report = lambda doing, share: None,
) -> Projected:
    """Project the rows of a table.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str, optional
        The column that holds the classes. Without it the only column called class, target, label or y; if there is
        none, the rows have no classes.
    method : {"pca", "fisher"}, optional
        Principal components of standardised columns, or Fisher's directions; Fisher's where there are classes.
    to : int, optional
        Directions, 2 if there are as many. Two classes have one Fisher direction: the second is then that of
        largest spread at a right angle to it.
    types, drop, query, missing
        As for `assay.read`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay.commands.project.job import project
    >>> found = project(load_iris(return_X_y=True))
    >>> found.method, found.coordinates.shape, round(found.directions[0].share, 4)
    ('fisher', (150, 2), 0.9912)
    >>> round(150 * found.evaluation.error)
    3
    """
    if method is not None and method not in METHODS:
        raise ValueError(Note("C054", method=method))
    if to is not None and not is_whole(to, 1):
        raise ValueError(Note("C055", to=to))
    progress("reading", 0.0)
    rows = read_rows(source, target, types=types, drop=drop, query=query, missing=missing)
    if method == "fisher" and rows.codes is None:
        raise ValueError(Note("C056"))
    chosen = method or _usual_method(rows)
    progress("projecting", 0.3)
    with single_threaded():
        made, steps = (_components if chosen == "pca" else _discriminants)(rows, to)
    made = replace(made, name=source_name(source))
    if rows.codes is None:
        return made
    if method is None and chosen == "pca":
        made = replace(made, notes=(*made.notes, WIDE))
    progress("testing", 0.6)
    return _tested(made, steps, rows, random_state)


def _usual_method(rows: Rows) -> str:
    """Fisher's directions, unless there are so many columns that they would separate any labels."""
    wide = rows.codes is not None and rows.design.shape[1] + (
        0 if rows.classes is None else len(rows.classes)
    ) >= len(rows.codes)
    return "pca" if rows.codes is None or wide else "fisher"


def _components(rows: Rows, to: int | None) -> tuple[Projected, list[Any]]:
    """The map, and what makes it again in a fold."""
    Z, names = _standardised(rows)
    most = min(Z.shape)
    found = PCA(min(to or USUAL, most)).fit(Z)
    there = int((found.explained_variance_ratio_ > 0).sum())
    asked = _checked(to, there, "The rows vary along")
    titles = [(f"pc{j + 1}", f"component {j + 1}") for j in range(asked)]
    shares = found.explained_variance_ratio_[:asked].tolist()
    made = _map(rows, "pca", names, found.transform(Z)[:, :asked], found.components_.T, titles, shares)
    return made, [PCA(asked)]


def _discriminants(rows: Rows, to: int | None) -> tuple[Projected, list[Any]]:
    """The map, and what makes it again in a fold; of a wide table, within the space that its rows span."""
    Z, names = _standardised(rows)
    assert rows.codes is not None
    first = [PCA()] if Z.shape[1] > len(Z) else []
    span = np.eye(Z.shape[1]) if not first else first[0].fit(Z).components_.T
    seen = Z @ span if first else Z
    floor = _floor(seen, rows.codes)
    found = FisherDiscriminant(variance_floor=floor).fit(seen, rows.codes)
    matrix = fix_signs(span @ found.scalings_[:, np.abs(found.scalings_).any(axis=0)])
    there = matrix.shape[1]
    asked = there if there == 1 and to == USUAL else _checked(to, there, "The classes lie apart along")
    matrix = matrix[:, :asked]
    titles = [(f"fisher{j + 1}", f"Fisher direction {j + 1}") for j in range(asked)]
    shares: list[float | None] = found.explained_variance_ratio_[:asked].tolist()
    if asked == 1 and to != 1 and (second := _spread(Z, matrix[:, 0])) is not None:
        matrix = np.column_stack([matrix, second])
        titles.append(("spread1", "largest spread at a right angle"))
        shares.append(None)
    made = _map(rows, "fisher", names, (Z - Z.mean(axis=0)) @ matrix, matrix, titles, shares)
    made = replace(made, judged=asked, notes=(*made.notes, *((HELD,) if floor > LEAST_SPREAD else ())))
    return made, [*first, FisherDiscriminant(asked, variance_floor=floor)]


def _standardised(rows: Rows) -> tuple[Array, tuple[str, ...]]:
    """The standardised columns that vary, and their names."""
    ready = rows.estimator(PCA(1))[:-1].fit(rows.design)
    Z, names = ready.transform(rows.design), np.asarray(rows.names, dtype=object)
    for _, step in parts_of(ready):
        names = step.get_feature_names_out(names) if hasattr(step, "get_feature_names_out") else names
    kept = np.flatnonzero(np.ptp(Z, axis=0) > 0)
    if not len(kept):
        raise ValueError(Note("C057"))
    return np.ascontiguousarray(Z[:, kept]), tuple(str(names[j]) for j in kept)


def _checked(to: int | None, there: int, what: str) -> int:
    if there == 0:
        raise ValueError(Note("C058", what=what))
    if to is not None and to > there:
        noun = "direction" if there == 1 else "directions"
        raise ValueError(Note("C059", what=what, there=there, noun=noun))
    return min(to or USUAL, there)


def _floor(Z: Array, codes: NDArray[np.int32]) -> float:
    """The least spread within classes that keeps directions from running away."""
    found = FisherDiscriminant(variance_floor=LEAST_SPREAD).fit(Z, codes)
    held = _within(found.transform(Z), codes) < 0.5  # 1 by construction, unless a floor held it up
    return HELD_SPREAD if held.any() else LEAST_SPREAD


def _within(scores: Array, codes: NDArray[np.int32]) -> Array:
    """Pooled variance within the classes along each direction."""
    return np.asarray(_scatters(scores, codes)[1] / max(len(scores) - len(np.unique(codes)), 1))


def _scatters(scores: Array, codes: NDArray[np.int32]) -> tuple[Array, Array]:
    """Sums of squares between and within classes, along each direction."""
    count = np.bincount(codes).astype(np.float64)[:, None]
    sums = np.stack([np.bincount(codes, column) for column in scores.T], axis=1)
    means = np.divide(sums, count, out=np.zeros(sums.shape), where=count > 0)
    away = means - scores.mean(axis=0)
    return (count * away**2).sum(axis=0), ((scores - means[codes]) ** 2).sum(axis=0)


def _spread(Z: Array, first: Array) -> Array | None:
    """The direction of largest variance at a right angle to the first; None if nothing varies there."""
    normal = first / np.linalg.norm(first)
    if Z.shape[1] < 2:
        return None
    found = PCA(1).fit(Z - np.outer(Z @ normal, normal))
    return found.components_[0] if found.explained_variance_[0] > 1e-12 else None


def _map(
    rows: Rows,
    method: str,
    names: tuple[str, ...],
    coordinates: Array,
    matrix: Array,
    titles: list[tuple[str, str]],
    shares: list[Any],
) -> Projected:
    ratios: list[float | None] = [None] * len(titles)
    if rows.codes is not None:
        between, within = _scatters(coordinates, rows.codes)
        pairs = zip(between.tolist(), within.tolist(), strict=True)
        ratios = [b / w if w > NO_SCATTER * b else None for b, w in pairs]
    directions = tuple(
        Direction(key, title, share, ratio, _loadings(names, matrix[:, j]))
        for j, ((key, title), share, ratio) in enumerate(zip(titles, shares, ratios, strict=True))
    )
    return Projected(
        "", method, rows.target, len(names), directions, coordinates, rows.numbers, rows.codes, rows.classes,
        len(directions), None, None, rows.notes,
    )  # fmt: skip


def _loadings(names: tuple[str, ...], weights: Array) -> tuple[Loading, ...]:
    order = np.argsort(-np.abs(weights), kind="stable")
    return tuple(Loading(names[j], float(weights[j])) for j in order)


def _tested(found: Projected, steps: list[Any], rows: Rows, seed: int) -> Projected:
    """The map with its errors: on its own rows, and on rows that each fold's map did not see."""
    assert rows.codes is not None
    wrong = float((found.nearest(found.coordinates) != rows.codes).mean())
    plan = KFold(min(FOLDS, len(rows.codes)), random_state=seed)
    model = rows.estimator(*steps, GaussianClassifier("shared_spherical"))
    try:
        honest = evaluate(model, rows.design, rows.labels, plan, progress=False)
    except ValueError as error:
        note = f"How well new rows would be placed cannot be told: {error}"
        return replace(found, seen_error=wrong, notes=(*found.notes, note))
    notes = (*found.notes, *(note for note in honest.notes if not note.endswith(ANEW)))
    if wrong < min(honest.error_interval[0], honest.error - FLATTERY):
        notes += (
            "The map flatters: its own rows lie on the right side more often than rows that had no part in making it.",
        )
    return replace(found, seen_error=wrong, evaluation=honest, notes=notes)


def _nearest(coordinates: Array, codes: NDArray[np.int32] | None, points: Array) -> NDArray[np.intp]:
    if codes is None:
        return np.zeros(len(points), dtype=np.intp)
    model = GaussianClassifier("shared_spherical").fit(coordinates, codes)
    return np.asarray(model.predict(points), dtype=np.intp)
