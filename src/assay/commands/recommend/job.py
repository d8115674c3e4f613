"""Recommendations from a source of ratings, and errors of prediction methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.data.ratings.read_ratings import read_ratings
from assay.data.sources.database_address import source_name
from assay.engines.progress import Progress, silent
from assay.models.recommend.left_out_errors import RatingErrors, rating_errors
from assay.models.recommend.recommender import Recommendations, Recommender
from assay.notes import Note


@dataclass(frozen=True)
class RatingErrorRow:
    """A prediction method and its error on held-out ratings; `chosen` is the one that recommends."""

    similarity: str | None
    prediction: str
    rmse: float
    rmse_interval: tuple[float, float]
    mae: float
    mae_interval: tuple[float, float]
    unheard: int
    chosen: bool


@dataclass(frozen=True)
class RecommendResult:
    """Items for a user, and errors of prediction methods; None where they were not asked for."""

    source: str
    users: int
    items: int
    ratings: int
    settings: Mapping[str, Any]
    recommendations: Recommendations | None
    plan: str | None
    errors: tuple[RatingErrorRow, ...] | None
    notes: tuple[str, ...]


def recommend_items(
    source: object,
    user: str | None,
    n: int,
    settings: Mapping[str, Any],
    *,
    plan: int | str | None = None,
    random_state: int = 0,
    progress: Progress = silent,
    user_column: str | None = None,
    **reading: Any,
) -> RecommendResult:
    """Items for a user, and, with a plan, the errors of all prediction methods.

    Parameters
    ----------
    user : str or None
        Whom to recommend to; None: only the errors are computed.
    settings : parameters of `Recommender`
    plan : int, "leave_one_out" or None
    user_column, reading : what `read_ratings` takes
    """
    if user is None and plan is None:
        raise ValueError(Note("C061"))
    model = Recommender(**settings)
    progress("reading the ratings", 0.0)
    ratings = read_ratings(source, user=user_column, **reading)
    model.fit(ratings)
    items = None if user is None else model.recommend(user, n)
    errors: RatingErrors | None = None
    if plan is not None:
        others = {name: value for name, value in settings.items() if name not in ("similarity", "prediction")}
        errors = rating_errors(
            ratings,
            plan,
            random_state=random_state,
            progress=lambda doing, done, total: progress(doing, done / total),
            **others,
        )
    return RecommendResult(
        source_name(source),
        ratings.n_users,
        ratings.n_items,
        ratings.n_ratings,
        model.get_params(),
        items,
        None if errors is None else errors.plan,
        None if errors is None else _error_rows(errors, model),
        (*ratings.notes, *(items.notes if items is not None else ()), *_advice(errors, model)),
    )


def _error_rows(errors: RatingErrors, model: Recommender) -> tuple[RatingErrorRow, ...]:
    return tuple(
        RatingErrorRow(
            row.similarity,
            row.prediction,
            row.rmse.value,
            (row.rmse.interval.low, row.rmse.interval.high),
            row.mae.value,
            (row.mae.interval.low, row.mae.interval.high),
            row.unheard,
            row.prediction == model.prediction and row.similarity in (None, model.similarity),
        )
        for row in errors.errors
    )


def _advice(errors: RatingErrors | None, model: Recommender) -> tuple[Note, ...]:
    """Whether another method has a smaller error, and ratings without similar users."""
    if errors is None:
        return ()
    notes = []
    best, chosen = errors.best, errors.of(model.similarity, model.prediction)
    if best.rmse.value < chosen.rmse.value:
        values = {"prediction": best.prediction, "rmse": best.rmse.value, "chosen": chosen.rmse.value}
        if best.similarity is None:
            notes.append(Note("C350", values=values))
        else:
            notes.append(Note("C351", values={**values, "similarity": best.similarity}))
    if chosen.unheard:
        notes.append(Note("C352", ratings=chosen.unheard, total=chosen.n_ratings))
    return tuple(notes)
