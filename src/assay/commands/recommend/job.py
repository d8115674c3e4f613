"""Recommendations from a source of ratings: the figures of `assay recommend`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.data.ratings.read_ratings import read_ratings
from assay.data.sources.database_address import source_name
from assay.models.recommend.left_out_errors import RatingErrors, rating_errors
from assay.models.recommend.recommender import Recommendations, Recommender
from assay.notes import Note
from assay.notes.phrases import plural


@dataclass(frozen=True)
class Way:
    """A way to predict and its error on ratings left out; `chosen` is the one that recommends."""

    similarity: str | None
    prediction: str
    rmse: float
    rmse_interval: tuple[float, float]
    mae: float
    mae_interval: tuple[float, float]
    unheard: int
    chosen: bool


@dataclass(frozen=True)
class Recommended:
    """What `assay recommend` found; `found` and `errors` are None where they were not asked for."""

    source: str
    users: int
    items: int
    ratings: int
    settings: Mapping[str, Any]
    found: Recommendations | None
    plan: str | None
    errors: tuple[Way, ...] | None
    notes: tuple[str, ...]


def recommended(
    source: Any,
    user: str | None,
    n: int,
    settings: Mapping[str, Any],
    *,
    plan: int | str | None = None,
    random_state: int = 0,
    progress: Callable[[str, float], None] = lambda doing, share: None,
    user_column: str | None = None,
    **reading: Any,
) -> Recommended:
    """Items for a user, and, with a plan, the errors of all ways to predict.

    Parameters
    ----------
    user : str or None
        Whom to recommend to; None: nobody, only the errors are asked for.
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
    found = None if user is None else model.recommend(user, n)
    tried: RatingErrors | None = None
    if plan is not None:
        others = {name: value for name, value in settings.items() if name not in ("similarity", "prediction")}
        tried = rating_errors(
            ratings,
            plan,
            random_state=random_state,
            progress=lambda doing, done, total: progress(doing, done / total),
            **others,
        )
    return Recommended(
        source_name(source),
        ratings.n_users,
        ratings.n_items,
        ratings.n_ratings,
        model.get_params(),
        found,
        None if tried is None else tried.plan,
        None if tried is None else _ways(tried, model),
        (*ratings.notes, *(found.notes if found is not None else ()), *_advice(tried, model)),
    )


def _ways(tried: RatingErrors, model: Recommender) -> tuple[Way, ...]:
    return tuple(
        Way(
            each.similarity,
            each.prediction,
            each.rmse.value,
            (each.rmse.interval.low, each.rmse.interval.high),
            each.mae.value,
            (each.mae.interval.low, each.mae.interval.high),
            each.unheard,
            each.prediction == model.prediction and each.similarity in (None, model.similarity),
        )
        for each in tried.errors
    )


def _advice(tried: RatingErrors | None, model: Recommender) -> tuple[str, ...]:
    """What the errors say of the way that was chosen."""
    if tried is None:
        return ()
    notes = []
    best, own = tried.best, tried.of(model.similarity, model.prediction)
    if best.rmse.value < own.rmse.value:
        by = "" if best.similarity is None else f" --similarity {best.similarity}"
        notes.append(
            f"The smallest error on ratings left out has --prediction {best.prediction}{by}: RMSE "
            f"{best.rmse.value:.3f} against {own.rmse.value:.3f}."
        )
    if own.unheard:
        notes.append(
            f"{plural(own.unheard, 'rating')} of {own.n_ratings} left out had no critic with evidence and "
            "were predicted by the item's mean."
        )
    return tuple(notes)
