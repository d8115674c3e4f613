"""A table along a few directions: principal components, or Fisher's directions.

Directions are learned from all rows. The error is that of the nearest class mean along these directions, with the class
prevalence as prior, by cross-validation: imputation, scaling and directions are learned again in every fold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.commands.project.result import Direction, Loading, ProjectResult
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.engines.progress import Progress, silent
from assay.models.base.estimators import parts_of
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.projection.base import fix_signs
from assay.models.projection.fisher import FisherDiscriminant
from assay.models.projection.pca import PCA
from assay.notes import Note, as_note, note_of
from assay.numerics.blas import single_threaded
from assay.numerics.scalars import is_whole
from assay.plans import KFold
from assay.selection.evaluate import evaluate
from assay.types import Array
from assay.workbench.numeric_design import LabelledDesign, read_labelled_design

METHODS = ("pca", "fisher")
DEFAULT_DIRECTIONS, FOLDS = 2, 10
LEAST_SPREAD, HELD_SPREAD = 1e-6, 0.05  # within classes, as proportions of the columns' variance
# Notes about folds that could not share their computation.
REFITTED = frozenset({"S002", "S003", "S005", "S006", "S010", "S011", "S012", "S020", "S022"})
NO_SCATTER = 1e-12  # within classes, as a proportion of that between them: rounding
TOLERATED_BIAS = 0.05  # by which the error on the projected rows may be below that on new rows without a note


def project(
    source: object,
    target: str | None = None,
    *,
    method: str | None = None,
    to: int | None = None,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    random_state: int = 0,
    progress: Progress = silent,
) -> ProjectResult:
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
    >>> from assay import project
    >>> result = project(load_iris(return_X_y=True))
    >>> result.method, result.coordinates.shape, round(result.directions[0].share, 4)
    ('fisher', (150, 2), 0.9912)
    >>> round(150 * result.evaluation.error)
    3
    """
    if method is not None and method not in METHODS:
        raise ValueError(Note("C054", method=method))
    if to is not None and not is_whole(to, 1):
        raise ValueError(Note("C055", to=to))
    progress("reading", 0.0)
    rows = read_labelled_design(source, target, types=types, drop=drop, query=query, missing=missing)
    if method == "fisher" and rows.codes is None:
        raise ValueError(Note("C056"))
    chosen = method or _default_method(rows)
    progress("projecting", 0.3)
    with single_threaded():
        result, steps = (_components if chosen == "pca" else _discriminants)(rows, to)
    result = replace(result, name=source_name(source))
    if rows.codes is None:
        return result
    if method is None and chosen == "pca":
        result = replace(result, notes=(*result.notes, Note("C310", method="fisher")))
    progress("testing", 0.6)
    return _with_errors(result, steps, rows, random_state)


def _default_method(rows: LabelledDesign) -> str:
    """Fisher's directions, unless there are so many columns that they would separate any labels."""
    wide = rows.codes is not None and rows.design.shape[1] + (
        0 if rows.classes is None else len(rows.classes)
    ) >= len(rows.codes)
    return "pca" if rows.codes is None or wide else "fisher"


def _components(rows: LabelledDesign, to: int | None) -> tuple[ProjectResult, list[Any]]:
    """The projection, and the steps that learn it in a fold."""
    Z, names = _standardised(rows)
    most = min(Z.shape)
    pca = PCA(min(to or DEFAULT_DIRECTIONS, most)).fit(Z)
    width = _n_directions(to, int((pca.explained_variance_ratio_ > 0).sum()), "pca")
    titles = [(f"pc{j + 1}", f"component {j + 1}") for j in range(width)]
    shares = pca.explained_variance_ratio_[:width].tolist()
    result = _result(rows, "pca", names, pca.transform(Z)[:, :width], pca.components_.T, titles, shares)
    return result, [PCA(width)]


def _discriminants(rows: LabelledDesign, to: int | None) -> tuple[ProjectResult, list[Any]]:
    """The projection, and the steps that learn it in a fold; of a wide table, within the span of its rows."""
    Z, names = _standardised(rows)
    assert rows.codes is not None
    first = [PCA()] if Z.shape[1] > len(Z) else []
    span = np.eye(Z.shape[1]) if not first else first[0].fit(Z).components_.T
    seen = Z @ span if first else Z
    floor = _floor(seen, rows.codes)
    fisher = FisherDiscriminant(variance_floor=floor).fit(seen, rows.codes)
    matrix = fix_signs(span @ fisher.scalings_[:, np.abs(fisher.scalings_).any(axis=0)])
    most = matrix.shape[1]
    width = most if most == 1 and to == DEFAULT_DIRECTIONS else _n_directions(to, most, "fisher")
    matrix = matrix[:, :width]
    titles = [(f"fisher{j + 1}", f"Fisher direction {j + 1}") for j in range(width)]
    shares: list[float | None] = fisher.explained_variance_ratio_[:width].tolist()
    if width == 1 and to != 1 and (second := _orthogonal_component(Z, matrix[:, 0])) is not None:
        matrix = np.column_stack([matrix, second])
        titles.append(("spread1", "orthogonal component"))
        shares.append(None)
    result = _result(rows, "fisher", names, (Z - Z.mean(axis=0)) @ matrix, matrix, titles, shares)
    held = (Note("C311", proportion=HELD_SPREAD),) if floor > LEAST_SPREAD else ()
    result = replace(result, judged=width, notes=(*result.notes, *held))
    return result, [*first, FisherDiscriminant(width, variance_floor=floor)]


def _standardised(rows: LabelledDesign) -> tuple[Array, tuple[str, ...]]:
    """The standardised columns that vary, and their names."""
    ready = rows.estimator(PCA(1))[:-1].fit(rows.design)
    Z, names = ready.transform(rows.design), np.asarray(rows.names, dtype=object)
    for _, step in parts_of(ready):
        names = step.get_feature_names_out(names) if hasattr(step, "get_feature_names_out") else names
    varying = np.flatnonzero(np.ptp(Z, axis=0) > 0)
    if not len(varying):
        raise ValueError(Note("C057"))
    return np.ascontiguousarray(Z[:, varying]), tuple(str(names[j]) for j in varying)


def _n_directions(to: int | None, most: int, method: str) -> int:
    """How many directions: those asked for, of at most so many."""
    if most == 0:
        raise ValueError(Note("C057" if method == "pca" else "C058"))
    if to is not None and to > most:
        raise ValueError(Note("C059", method=method, directions=most))
    return min(to or DEFAULT_DIRECTIONS, most)


def _floor(Z: Array, codes: NDArray[np.int32]) -> float:
    """The least spread within classes that keeps directions from running away."""
    fisher = FisherDiscriminant(variance_floor=LEAST_SPREAD).fit(Z, codes)
    held = _within(fisher.transform(Z), codes) < 0.5  # 1 by construction, unless a floor held it up
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


def _orthogonal_component(Z: Array, first: Array) -> Array | None:
    """The direction of largest variance at a right angle to the first; None if nothing varies there."""
    normal = first / np.linalg.norm(first)
    if Z.shape[1] < 2:
        return None
    pca = PCA(1).fit(Z - np.outer(Z @ normal, normal))
    return pca.components_[0] if pca.explained_variance_[0] > 1e-12 else None


def _result(
    rows: LabelledDesign,
    method: str,
    names: tuple[str, ...],
    coordinates: Array,
    matrix: Array,
    titles: list[tuple[str, str]],
    shares: list[float | None],
) -> ProjectResult:
    ratios: list[float | None] = [None] * len(titles)
    if rows.codes is not None:
        between, within = _scatters(coordinates, rows.codes)
        pairs = zip(between.tolist(), within.tolist(), strict=True)
        ratios = [b / w if w > NO_SCATTER * b else None for b, w in pairs]
    directions = tuple(
        Direction(key, title, share, ratio, _loadings(names, matrix[:, j]))
        for j, ((key, title), share, ratio) in enumerate(zip(titles, shares, ratios, strict=True))
    )
    return ProjectResult(
        "", method, rows.target, len(names), directions, coordinates, rows.numbers, rows.codes, rows.classes,
        len(directions), None, None, rows.notes,
    )  # fmt: skip


def _loadings(names: tuple[str, ...], weights: Array) -> tuple[Loading, ...]:
    order = np.argsort(-np.abs(weights), kind="stable")
    return tuple(Loading(names[j], float(weights[j])) for j in order)


def _with_errors(result: ProjectResult, steps: list[Any], rows: LabelledDesign, seed: int) -> ProjectResult:
    """The projection with the errors of the nearest class mean: on its own rows, and by cross-validation."""
    assert rows.codes is not None and rows.labels is not None
    error = float((result.nearest(result.coordinates) != rows.codes).mean())
    plan = KFold(min(FOLDS, len(rows.codes)), random_state=seed)
    model = rows.estimator(*steps, GaussianClassifier("shared_spherical"))
    try:
        nested = evaluate(model, rows.design, rows.labels, plan, progress=False)
    except ValueError as failure:
        note = Note("C312", reason=note_of(failure) or str(failure))
        return replace(result, seen_error=error, notes=(*result.notes, note))
    # How the folds were computed is not part of the projection.
    notes = (*result.notes, *(note for note in nested.notes if as_note(note).code not in REFITTED))
    if error < min(nested.error_interval[0], nested.error - TOLERATED_BIAS):
        notes += (Note("C313", error=error, nested_error=nested.error),)
    return replace(result, seen_error=error, evaluation=nested, notes=notes)
