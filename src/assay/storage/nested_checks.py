"""Fitted attributes made of parts (models, maps from scores to posteriors, ratings), checked like all from a file."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np

from assay.models.base.stored import Field, UnusableModelError
from assay.numerics.arrays import is_array
from assay.numerics.scalars import are_texts, is_text, is_whole
from assay.statistics import Counts
from assay.storage.pipeline_steps import check_fitted
from assay.storage.registry import HOMES, RECORDS
from assay.storage.stored_fields import name_of
from assay.types import Array, has_margins, has_posteriors

if TYPE_CHECKING:
    from assay.data.ratings.ratings import Ratings
    from assay.decision.isotonic import IsotonicMap
    from assay.decision.sigmoid import SigmoidMap
    from assay.models.base.estimators import Pipeline
    from assay.models.trees.nodes import TreeNodes
    from assay.selection.features.select import Step

ENCODERS = ("OneHot", "Levels", "Words", "Typed", "Unread")
ROUNDING = 1e-6  # of means that rise


def check_encoder(field: Field, value: object) -> None:
    if name_of(value, HOMES) not in ENCODERS or not hasattr(value, "schema_"):
        raise field.wrong("a fitted encoder")


def check_model(field: Field, value: object) -> None:
    if not hasattr(value, "get_params") or not hasattr(value, "predict") or not hasattr(value, "classes_"):
        raise field.wrong("a fitted classifier")
    if name_of(value, HOMES) == "Pipeline":
        check_fitted(cast("Pipeline", value))


def check_models(field: Field, value: object) -> None:
    """A list of classifiers of one class, all of which have posteriors or none."""
    if type(value) is not list or not value:
        raise field.wrong("a list of fitted classifiers")
    for part in value:
        check_model(field, part)
    for part, other in pairwise(value):
        if type(part) is not type(other) or _answers(part) != _answers(other):
            raise field.wrong("a list of classifiers of one kind")


def check_parts(field: Field, value: object) -> None:
    """Classifiers by name; whether they belong together is told by `consistency`."""
    if not value or not are_texts(value, dict):
        raise field.wrong("classifiers by name")
    for part in value.values():
        check_model(field, part)


def check_kinds(field: Field, value: object) -> None:
    if type(value) is not dict or not value:
        raise field.wrong("what columns are")
    if not are_texts([*value, *value.values()]):
        raise field.wrong("what columns are, by name")


def _answers(model: object) -> tuple[bool, bool]:
    return has_posteriors(model), has_margins(model)


def check_counts(field: Field, value: Counts) -> None:
    """Counts of one group: finite, not negative, with rows where there is weight."""
    if value.weight.ndim != 1:
        raise field.wrong("a set of counts")
    if value.n_classes == 0 or not all(np.isfinite(part).all() for part in (value.weight, value.counts)):
        raise UnusableModelError("its counts are none, or not finite")
    if (value.weight < 0).any() or (value.rows < 0).any() or (value.counts < 0).any():
        raise UnusableModelError("its counts are negative")
    if ((value.weight > 0) != (value.rows > 0)).any() or not (value.weight > 0).any():
        raise UnusableModelError("its counts have weights without rows, or rows without weights, or neither")


def check_calibration(field: Field, value: object) -> None:
    kind = name_of(value, RECORDS)
    if kind == "SigmoidMap":
        sigmoid = cast("SigmoidMap", value)
        sound = _is_number(sigmoid.slope) and sigmoid.slope >= 0 and _is_vector(sigmoid.offset)
    elif kind == "IsotonicMap":
        steps = cast("IsotonicMap", value)
        sound = _is_rising(steps.scores, steps.values) and _is_number(steps.least)
        sound = sound and 0.0 < steps.least <= 0.5 / len(steps.scores)
    else:
        raise field.wrong("a map from scores to posteriors")
    if not sound:
        raise field.wrong("a map from scores to posteriors that rises")


def _is_number(value: object) -> bool:
    return type(value) is float and bool(np.isfinite(value))


def _is_vector(value: object) -> TypeGuard[Array]:
    return is_array(value, np.float64, axes=1) and len(value) > 0 and bool(np.isfinite(value).all())


def _is_rising(scores: object, values: object) -> bool:
    """Knots of curves from 0 to 1, one a class."""
    if not isinstance(scores, tuple) or not isinstance(values, tuple) or not 0 < len(scores) == len(values):
        return False
    return all(
        _is_vector(x)
        and _is_vector(y)
        and len(x) == len(y)
        and bool((x[1:] > x[:-1]).all() and (y[1:] >= y[:-1] - ROUNDING).all())
        and bool((y >= -ROUNDING).all() and (y <= 1.0 + ROUNDING).all())
        for x, y in zip(scores, values, strict=True)
    )


def check_ratings(field: Field, value: object) -> None:
    """Ratings user by user, the items of each in ascending order, all numbers."""
    if name_of(value, RECORDS) != "Ratings":
        raise field.wrong("a set of ratings")
    ratings = cast("Ratings", value)
    for names in (ratings.users, ratings.items):
        if type(names) is not tuple or len(set(names)) < len(names) or not all(type(n) is str for n in names):
            raise field.wrong("a set of ratings by users of items with different names")
    if not are_texts(ratings.notes, tuple):
        raise field.wrong("a set of ratings with its notes")
    first, item, rating = ratings.first, ratings.item, ratings.value
    kinds = ((first, np.int64), (item, np.int32), (rating, np.float64))
    if not all(is_array(numbers, kind, axes=1) for numbers, kind in kinds):
        raise field.wrong("a set of ratings in arrays of numbers")
    sound = (
        len(first) == len(ratings.users) + 1 and first[0] == 0 and first[-1] == len(item) == len(rating) > 0
    )
    if not sound or (np.diff(first) < 0).any() or (item < 0).any() or (item >= len(ratings.items)).any():
        raise field.wrong("a set of ratings of its users and items")
    later = np.ones(len(item), dtype=bool)
    later[first[:-1][np.diff(first) > 0]] = False
    if (np.diff(item)[later[1:]] <= 0).any() or not np.isfinite(rating).all():
        raise field.wrong("a set of finite ratings, one of a user and an item")
    order = ratings.order
    if order is not None and not np.array_equal(np.sort(np.asarray(order), axis=None), np.arange(len(item))):
        raise field.wrong("a set of ratings in an order")


def check_features(field: Field, value: object) -> None:
    if type(value) is not list or not value or not all(_is_feature(part) for part in value):
        raise field.wrong("a list of features")


def _is_feature(value: object) -> bool:
    return is_text(value) or is_whole(value)


def check_tree_nodes(field: Field, value: object) -> None:
    """Trees whose children come behind their parents, within the tree, so that every way ends at a leaf."""
    if name_of(value, RECORDS) != "TreeNodes":
        raise field.wrong("the nodes of trees")
    nodes = cast("TreeNodes", value)
    begin, counts, size = nodes.begin, nodes.counts, len(np.atleast_1d(nodes.feature))
    whole = (nodes.feature, nodes.left, nodes.right)
    right = is_array(begin, np.int64, axes=1) and is_array(nodes.threshold, np.float64, axes=1)
    right = right and is_array(nodes.missing_left, np.uint8, axes=1)
    if not right or not all(is_array(part, np.int32, axes=1) for part in whole):
        raise field.wrong("the nodes of trees in arrays of numbers")
    if any(len(part) != size for part in (*whole, nodes.threshold, nodes.missing_left)) or len(begin) < 2:
        raise field.wrong("the nodes of trees, all of them whole")
    if begin[0] != 0 or begin[-1] != size or (np.diff(begin) < 1).any():
        raise field.wrong("the nodes of trees, one tree after the other")
    inner = np.flatnonzero(nodes.feature >= 0)
    end = begin[np.searchsorted(begin, inner, side="right")]
    ways = np.stack([nodes.left[inner], nodes.right[inner]])
    if (nodes.feature < -1).any() or ((ways <= inner) | (ways >= end)).any():
        raise field.wrong("the nodes of trees, each of which leads to a leaf")
    if not is_array(counts, np.float64, axes=2) or len(counts) != size or not np.isfinite(counts).all():
        raise field.wrong("the nodes of trees with counts")
    if (counts < 0).any() or (counts.sum(axis=1) <= 0).any() or not np.isfinite(nodes.threshold).all():
        raise field.wrong("the nodes of trees with counts of rows")


def check_steps(field: Field, value: object) -> None:
    """The way of a search: sets of features and their errors."""
    if type(value) is not list or not all(name_of(step, RECORDS) == "Step" for step in value):
        raise field.wrong("a list of sets of features")
    for step in cast("list[Step]", value):
        named = (part for part in (step.added, step.dropped) if part is not None)
        right = type(step.features) is tuple and all(_is_feature(part) for part in (*step.features, *named))
        if not right or not all(_is_number(part) for part in (step.error, step.standard_error, step.loss)):
            raise field.wrong("a list of sets of features and their errors")
