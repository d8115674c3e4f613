"""What the parts of a fitted model must have in common, beyond the lengths of their axes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from assay.models.base.validation import feature_names
from assay.notes import Note

WIDEST = (
    1 << 24
)  # columns that an expansion from a file may make: names and products of more would fill the memory


def check_consistency(name: str, model: Any) -> None:
    """Raise a clause if the attributes of a rebuilt model do not belong together."""
    if name in CHECKS:
        CHECKS[name](model)


def _one_vs_rest(model: Any) -> None:
    present = _present(model)
    _check_parts(model, 1 if present == 2 else present)


def _one_vs_one(model: Any) -> None:
    present = _present(model)
    _check_parts(model, present * (present - 1) // 2)
    if model.vote == "coupling" and not hasattr(model.estimators_[0], "predict_proba"):
        raise ValueError(Note("F090"))


def _present(model: Any) -> int:
    """Classes that had rows."""
    present = int((model.class_prior_ > 0).sum())
    if present < 2:
        raise ValueError(Note("F091"))
    return present


def _check_parts(model: Any, wanted: int) -> None:
    """As many classifiers of two classes as there are decisions to make."""
    if len(model.estimators_) != wanted:
        raise ValueError(
            Note("F092", n_estimators=len(model.estimators_), n_classes=len(model.classes_), wanted=wanted)
        )
    for part in model.estimators_:
        if part.classes_.tolist() != [0, 1]:
            raise ValueError(Note("F125", kind=type(part).__name__))
        _check_columns(model, part)


def _check_columns(model: Any, part: Any) -> None:
    """The owner has the columns of its part."""
    columns, expected = getattr(model, "n_features_in_", None), getattr(part, "n_features_in_", None)
    if columns != expected:
        raise ValueError(Note("F093", kind=type(part).__name__, expected=expected, columns=columns))
    names, known = (feature_names(owner) for owner in (model, part))
    if (None if names is None else list(names)) != (None if known is None else list(known)):
        raise ValueError(Note("F094", kind=type(part).__name__))


def _calibrated(model: Any) -> None:
    inner, classes = model.model_, model.classes_.tolist()
    _check_columns(model, inner)
    known = inner.classes_.tolist()
    among = set(known)
    if known != [label for label in classes if label in among]:
        raise ValueError(Note("F095", kind=type(inner).__name__))
    if len(known) < _present(model):
        raise ValueError(Note("F096", kind=type(inner).__name__))
    if not hasattr(inner, "predict_proba") and not hasattr(inner, "decision_function"):
        raise ValueError(Note("F097", kind=type(inner).__name__))
    curves = model.map_.offset if hasattr(model.map_, "offset") else model.map_.scores
    if len(curves) != len(classes):
        raise ValueError(Note("F098", n_curves=len(curves), n_classes=len(classes)))


def _expansion(model: Any) -> None:
    learned = {
        "radial": {"centers_", "center_mean_", "center_scale_", "width_"},
        "spline": {"knots_"},
    }
    if model.kind == "functions":
        raise ValueError(Note("F099"))
    wanted = learned.get(model.kind, set())
    present = {name for names in learned.values() for name in names if hasattr(model, name)}
    if present != wanted:
        raise ValueError(Note("F100", kind=model.kind, attribute=sorted(present ^ wanted)[0]))
    if "centers_" in wanted and len(model.centers_) < 1:
        raise ValueError(Note("F101"))
    if "knots_" in wanted and (
        model.knots_.shape[1] < 1 or not (model.knots_[:, 1:] >= model.knots_[:, :-1]).all()
    ):
        raise ValueError(Note("F102"))
    _check_width(model)


def _check_width(model: Any) -> None:
    """There is a column, and room for all; counted step by step, since degrees from a file may be of any size."""
    width, degree = model.n_features_in_, model.degree
    count = 0
    if model.kind == "spline":
        count = width * int(degree) ** 2
    elif model.kind != "radial":
        powers = model.kind == "polynomial"
        last = int(degree) if powers else min(int(degree), width)
        if width == 1:
            count = last - 1
        else:
            for d in range(2, last + 1):
                count += comb(width + d - 1, d) if powers else comb(width, d)
                if count > WIDEST:
                    break
        if count == 0 and not model.include_original:
            raise ValueError(Note("F128"))
    if count > WIDEST:
        raise ValueError(Note("F103", degree=str(degree)[:40], width=width))


def _kernel_svm(model: Any) -> None:
    present, given = _present(model), model.kernel == "precomputed"
    if len(model.intercept_) != present * (present - 1) // 2:
        raise ValueError(Note("F104", n_intercept=len(model.intercept_), present=present))
    if model.gram_dtype_ not in ("float32", "float64"):
        raise ValueError(Note("F105"))
    if given == hasattr(model, "support_vectors_") or callable(model.kernel):
        raise ValueError(Note("F106", kernel=model.kernel))
    if given and (model.support_ >= model.n_features_in_).any():
        raise ValueError(Note("F107"))


def _single_layer(model: Any) -> None:
    n_classes, units = len(model.classes_), len(model.weights_)
    wanted = 1 if n_classes == 2 and model.output != "softmax" else n_classes
    if units != wanted:
        raise ValueError(Note("F108", units=units, n_classes=n_classes, output=model.output, wanted=wanted))


def _network(model: Any) -> None:
    widths = model.widths_.tolist()
    ends = [len(model.center_), len(model.classes_)]
    if len(widths) < 2 or min(widths) < 1 or [widths[0], widths[-1]] != ends:
        raise ValueError(Note("F109", ends=ends[0], ends_2=ends[1]))
    wanted = sum((a + 1) * b for a, b in pairwise(widths))
    if len(model.parameters_) != wanted:
        raise ValueError(Note("F110", n_parameters=len(model.parameters_), wanted=wanted))
    if not np.isfinite(1.0 / model.scale_).all():
        raise ValueError(Note("F111"))


def _words(model: Any) -> None:
    if len(model.vocabularies_) != len(model.schema_):
        raise ValueError(Note("F112", n_vocabularies=len(model.vocabularies_), n_schema=len(model.schema_)))
    for column in model.schema_:
        if column.type != "text":
            raise ValueError(Note("F126", name=column.name[:80]))


def _neighbors(model: Any) -> None:
    """Rows of classes there are, at least two of them, without gaps unless they can be measured."""
    present = np.bincount(model.codes_, minlength=len(model.classes_)) > 0
    if len(present) > len(model.classes_) or present.sum() < 2:
        raise ValueError(Note("F113"))
    if not np.array_equal(present, model.class_prior_ > 0):
        raise ValueError(Note("F114"))
    if model.metric != "mixed" and np.isnan(model.rows_).any():
        raise ValueError(Note("F115"))


def _mixture(model: Any) -> None:
    """Every class that has rows has blobs, and every blob a covariance of the shape there is."""
    crossed = model.covariance in ("full", "tied")
    if hasattr(model, "covariances_") != crossed or hasattr(model, "variances_") == crossed:
        raise ValueError(Note("F116", covariance=model.covariance))
    present = model.class_count_ > 0
    sums = model.shares_.sum(axis=1)
    if present.sum() < 2 or not np.allclose(sums, present, atol=1e-6) or not len(model.history_):
        raise ValueError(Note("F117"))
    active = np.flatnonzero(model.scale_ > 0)
    spread = model.covariances_[:, active][:, :, active] if crossed else model.variances_[:, active]
    if not crossed and (spread <= 0).any():
        raise ValueError(Note("F118"))
    if crossed and spread.size:
        natural = spread / model.scale_[active, None] / model.scale_[active]
        even = np.allclose(natural, np.swapaxes(natural, -1, -2), rtol=1e-6, atol=1e-9)
        if not even or not (np.linalg.eigvalsh(natural) > 0).all():
            raise ValueError(Note("F127"))


def _hierarchy(model: Any) -> None:
    """A tree in which every group is merged once, and the labels are those of its cut."""
    tree, rows = model.tree_, len(model.labels_)
    leaves = len(tree) + 1
    if tree.shape[1:] != (4,) or (model._leaf is None) != (model.direction == "bottom-up"):
        raise ValueError(Note("F119"))
    if leaves != rows if model._leaf is None else model._leaf.max(initial=0) >= leaves:
        raise ValueError(Note("F120", leaves=leaves, rows=rows))
    parts = tree[:, :2]
    before = parts < np.arange(leaves, 2 * leaves - 1)[:, None]
    if not before.all() or not np.array_equal(np.sort(parts, axis=None), np.arange(2 * leaves - 2)):
        raise ValueError(Note("F121"))
    if not np.array_equal(model.labels_, model.cut(min(model.n_clusters, leaves))):
        raise ValueError(Note("F122"))


def _feature_search(model: Any) -> None:
    inside = getattr(model.model_, "n_features_in_", len(model.columns_))
    if inside != len(model.columns_) or len(set(model.columns_.tolist())) < len(model.columns_):
        raise ValueError(Note("F123", inside=inside, n_columns=len(model.columns_)))
    if not np.array_equal(model.classes_, model.model_.classes_):
        raise ValueError(Note("F124"))


CHECKS: dict[str, Callable[[Any], None]] = {
    "Hierarchy": _hierarchy,
    "FeatureSearch": _feature_search,
    "OneVsRest": _one_vs_rest,
    "OneVsOne": _one_vs_one,
    "Calibrated": _calibrated,
    "BasisExpansion": _expansion,
    "KernelSVM": _kernel_svm,
    "SingleLayerNetwork": _single_layer,
    "KNeighborsClassifier": _neighbors,
    "NeuralNetwork": _network,
    "Words": _words,
    "GaussianMixtureClassifier": _mixture,
}
