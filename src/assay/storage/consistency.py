"""What the parts of a fitted model must have in common, beyond the lengths of their axes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.models.base.stored import UnusableModelError
from assay.models.base.validation import feature_names
from assay.types import has_margins, has_posteriors

if TYPE_CHECKING:
    from assay.models.cluster.hierarchy import Hierarchy
    from assay.models.combine.base import Combined
    from assay.models.combine.calibrated import Calibrated
    from assay.models.combine.one_vs_one import OneVsOne
    from assay.models.combine.one_vs_rest import OneVsRest
    from assay.models.features.basis import BasisExpansion
    from assay.models.features.text_columns import Words
    from assay.models.mixture.gaussian_mixture import GaussianMixtureClassifier
    from assay.models.neighbors.k_neighbors import KNeighborsClassifier
    from assay.models.network.multi_layer import NeuralNetwork
    from assay.models.network.single_layer import SingleLayerNetwork
    from assay.models.svm.kernel import KernelSVM
    from assay.models.trees.base import TreeClassifier
    from assay.models.trees.gradient_boosting import HistGradientBoostingClassifier
    from assay.selection.features.estimator import FeatureSearch

WIDEST = (
    1 << 24
)  # columns that an expansion from a file may make: names and products of more would fill the memory


def check_consistency(name: str, model: object) -> None:
    """Raise a clause if the attributes of a rebuilt model do not belong together."""
    if name in CHECKS:
        CHECKS[name](model)


def _one_vs_rest(model: OneVsRest) -> None:
    present = _present(model)
    _check_parts(model, 1 if present == 2 else present)


def _one_vs_one(model: OneVsOne) -> None:
    present = _present(model)
    _check_parts(model, present * (present - 1) // 2)
    if model.vote == "coupling" and not has_posteriors(model.estimators_[0]):
        raise UnusableModelError("its classifiers have no posteriors to couple")


def _present(model: Combined | KernelSVM | TreeClassifier) -> int:
    """Classes that had rows."""
    present = int((model.class_prior_ > 0).sum())
    if present < 2:
        raise UnusableModelError("it has rows of fewer than two classes")
    return present


def _check_parts(model: OneVsRest | OneVsOne, wanted: int) -> None:
    """As many classifiers of two classes as there are decisions to make."""
    if len(model.estimators_) != wanted:
        raise UnusableModelError(
            f"it has {len(model.estimators_)} classifiers for {len(model.classes_)} classes, "
            f"and needs {wanted}"
        )
    for part in model.estimators_:
        if part.classes_.tolist() != [0, 1]:
            raise UnusableModelError(f"its {type(part).__name__} does not tell the classes 0 and 1 apart")
        _check_columns(model, part)


def _check_columns(model: object, part: object) -> None:
    """The owner has the columns of its part."""
    columns, expected = (getattr(owner, "n_features_in_", None) for owner in (model, part))
    if columns != expected:
        raise UnusableModelError(f"its {type(part).__name__} takes {expected} columns and gets {columns}")
    names, known = (feature_names(owner) for owner in (model, part))
    if (None if names is None else list(names)) != (None if known is None else list(known)):
        raise UnusableModelError(f"its {type(part).__name__} knows its columns by other names")


def _calibrated(model: Calibrated) -> None:
    inner, classes = model.model_, model.classes_.tolist()
    _check_columns(model, inner)
    known = inner.classes_.tolist()
    among = set(known)
    if known != [label for label in classes if label in among]:
        raise UnusableModelError(f"its {type(inner).__name__} knows other classes")
    if len(known) < _present(model):
        raise UnusableModelError(f"its {type(inner).__name__} does not know all classes that had rows")
    if not has_posteriors(inner) and not has_margins(inner):
        raise UnusableModelError(f"its {type(inner).__name__} has no scores")
    curves = model.map_.offset if hasattr(model.map_, "offset") else model.map_.scores
    if len(curves) != len(classes):
        raise UnusableModelError(f"its map is one of {len(curves)} classes, and there are {len(classes)}")


def _expansion(model: BasisExpansion) -> None:
    learned = {
        "radial": {"centers_", "center_mean_", "center_scale_", "width_"},
        "spline": {"knots_"},
    }
    if model.kind == "functions":
        raise UnusableModelError("it is made of functions, which no model file holds")
    wanted = learned.get(model.kind, set())
    present = {name for names in learned.values() for name in names if hasattr(model, name)}
    if present != wanted:
        raise UnusableModelError(
            f"its kind is {model.kind!r}, and {sorted(present ^ wanted)[0]!r} is missing or too much"
        )
    if "centers_" in wanted and len(model.centers_) < 1:
        raise UnusableModelError("it has no centers")
    if "knots_" in wanted and (
        model.knots_.shape[1] < 1 or not (model.knots_[:, 1:] >= model.knots_[:, :-1]).all()
    ):
        raise UnusableModelError("its knots are not in order")
    _check_width(model)


def _check_width(model: BasisExpansion) -> None:
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
            raise UnusableModelError("it makes no column")
    if count > WIDEST:
        raise UnusableModelError(f"its degree {str(degree)[:40]} makes too many columns of {width}")


def _kernel_svm(model: KernelSVM) -> None:
    present, given = _present(model), model.kernel == "precomputed"
    if len(model.intercept_) != present * (present - 1) // 2:
        raise UnusableModelError(f"it has {len(model.intercept_)} SVMs for {present} classes")
    if model.gram_dtype_ not in ("float32", "float64"):
        raise UnusableModelError("its attribute 'gram_dtype_' is not float32 or float64")
    if given == hasattr(model, "support_vectors_") or callable(model.kernel):
        raise UnusableModelError(f"its support vectors are not those of the kernel {model.kernel!r}")
    if given and (model.support_ >= model.n_features_in_).any():
        raise UnusableModelError("its support vectors lie beyond the training rows")


def _single_layer(model: SingleLayerNetwork) -> None:
    n_classes, units = len(model.classes_), len(model.weights_)
    wanted = 1 if n_classes == 2 and model.output != "softmax" else n_classes
    if units != wanted:
        raise UnusableModelError(
            f"it has {units} units for {n_classes} classes, and {model.output} outputs need {wanted}"
        )


def _network(model: NeuralNetwork) -> None:
    widths = model.widths_.tolist()
    ends = [len(model.center_), len(model.classes_)]
    if len(widths) < 2 or min(widths) < 1 or [widths[0], widths[-1]] != ends:
        raise UnusableModelError(f"its layers do not lead from {ends[0]} columns to {ends[1]} classes")
    wanted = sum((a + 1) * b for a, b in pairwise(widths))
    if len(model.parameters_) != wanted:
        raise UnusableModelError(f"it has {len(model.parameters_)} weights, and its layers need {wanted}")
    if not np.isfinite(1.0 / model.scale_).all():
        raise UnusableModelError("its attribute 'scale_' is too small to divide by")


def _words(model: Words) -> None:
    if len(model.vocabularies_) != len(model.schema_):
        raise UnusableModelError(
            f"it has {len(model.vocabularies_)} vocabularies for {len(model.schema_)} columns"
        )
    for column in model.schema_:
        if column.type != "text":
            raise UnusableModelError(f"its column {column.name[:80]!r} is not text")


def _neighbors(model: KNeighborsClassifier) -> None:
    """Rows of classes there are, at least two of them, without missing values unless the metric takes them."""
    present = np.bincount(model.codes_, minlength=len(model.classes_)) > 0
    if len(present) > len(model.classes_) or present.sum() < 2:
        raise UnusableModelError("its rows are of classes that it does not have, or of fewer than two")
    if not np.array_equal(present, model.class_prior_ > 0):
        raise UnusableModelError("its class proportions are not those of its rows")
    if model.metric != "mixed" and np.isnan(model.rows_).any():
        raise UnusableModelError("its rows hold values that are missing")


def _mixture(model: GaussianMixtureClassifier) -> None:
    """Every class with rows has components, and every component a covariance of the declared shape."""
    crossed = model.covariance in ("full", "tied")
    if hasattr(model, "covariances_") != crossed or hasattr(model, "variances_") == crossed:
        raise UnusableModelError(f"its covariances are not those of {model.covariance} components")
    present = model.class_count_ > 0
    sums = model.shares_.sum(axis=1)
    if present.sum() < 2 or not np.allclose(sums, present, atol=1e-6) or not len(model.history_):
        raise UnusableModelError("its proportions of components are not those of its classes")
    active = np.flatnonzero(model.scale_ > 0)
    spread = model.covariances_[:, active][:, :, active] if crossed else model.variances_[:, active]
    if not crossed and (spread <= 0).any():
        raise UnusableModelError("its variances are not positive")
    if crossed and spread.size:
        natural = spread / model.scale_[active, None] / model.scale_[active]
        even = np.allclose(natural, np.swapaxes(natural, -1, -2), rtol=1e-6, atol=1e-9)
        if not even or not (np.linalg.eigvalsh(natural) > 0).all():
            raise UnusableModelError("its covariances are not positive")


def _hierarchy(model: Hierarchy) -> None:
    """A tree in which every cluster is merged once, and the labels are those of its cut."""
    tree, rows = model.tree_, len(model.labels_)
    leaves = len(tree) + 1
    if tree.shape[1:] != (4,) or (model._leaf is None) != (model.direction == "bottom-up"):
        raise UnusableModelError("its tree is not that of a hierarchy")
    if leaves != rows if model._leaf is None else model._leaf.max(initial=0) >= leaves:
        raise UnusableModelError(f"its tree of {leaves} leaves is not that of {rows} rows")
    parts = tree[:, :2]
    before = parts < np.arange(leaves, 2 * leaves - 1)[:, None]
    if not before.all() or not np.array_equal(np.sort(parts, axis=None), np.arange(2 * leaves - 2)):
        raise UnusableModelError("its tree merges clusters that are not there")
    if not np.array_equal(model.labels_, model.cut(min(model.n_clusters, leaves))):
        raise UnusableModelError("its labels are not those of its tree")


def _trees(model: TreeClassifier) -> None:
    nodes = model.nodes_
    if nodes.counts.shape[1] != len(model.classes_):
        raise UnusableModelError("its trees are for other classes")
    if nodes.feature.max() >= model.n_features_in_:
        raise UnusableModelError("its trees ask for columns that are not there")
    if nodes.n_trees != getattr(model, "n_estimators", 1):
        raise UnusableModelError(f"it has {nodes.n_trees} trees")
    _present(model)


def _boosting(model: HistGradientBoostingClassifier) -> None:
    inner = model.estimator_
    if inner.n_features_in_ != model.n_features_in_:
        raise UnusableModelError(f"its trees take {inner.n_features_in_} columns")
    if not np.array_equal(inner.classes_, np.flatnonzero(model.class_prior_ > 0)):
        raise UnusableModelError("its trees are for other classes")


def _feature_search(model: FeatureSearch) -> None:
    inside = getattr(model.model_, "n_features_in_", len(model.columns_))
    if inside != len(model.columns_) or len(set(model.columns_.tolist())) < len(model.columns_):
        raise UnusableModelError(f"its model takes {inside} columns and gets {len(model.columns_)}")
    if not np.isin(model.model_.classes_, model.classes_).all():
        raise UnusableModelError("its classes are not those of its model")


CHECKS: dict[str, Callable[[Any], None]] = {
    "Hierarchy": _hierarchy,
    "FeatureSearch": _feature_search,
    "DecisionTreeClassifier": _trees,
    "RandomForestClassifier": _trees,
    "HistGradientBoostingClassifier": _boosting,
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
