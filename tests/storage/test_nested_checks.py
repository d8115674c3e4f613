"""Combined models, networks and expansions whose parts do not belong together are told in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.storage.damage import PART, STATE, Change, Header, array, damaged, header, refusal
from tests.storage.stored import MAKERS, rezip, saved, unzip

UNFITTED = {"part": {"class": "GaussianNB", "parameters": {}, "state": None}}
MAP = (*STATE, "map_", "record")


def dropped(name: str) -> Change:
    """The file without an attribute and its arrays."""

    def edit(found: Header, members: dict[str, bytes]) -> None:
        gone = found["model"]["part"]["state"].pop(name)
        for member in [m for m in members if f"'{m}'" in str(gone)]:
            del members[member], found["members"][member]

    return edit


def fewer_estimators(found: Header, members: dict[str, bytes]) -> None:
    parts = found["model"]["part"]["state"]["estimators_"]
    gone = parts.pop()
    for member in [m for m in members if f"'{m}'" in str(gone)]:
        del members[member], found["members"][member]


ESTIMATOR = (*STATE, "estimators_", 0, "part")
COMBINED = [
    ("one_vs_rest", fewer_estimators, "it has 2 classifiers for 3 classes, and needs 3"),
    ("one_vs_one", fewer_estimators, "it has 2 classifiers for 3 classes, and needs 3"),
    ("one_vs_one_absent", array("class_prior_", lambda p: np.full(3, 1 / 3)), "1 classifiers for 3 classes"),
    ("one_vs_rest", array("class_prior_", lambda p: np.eye(3)[0]), "rows of fewer than two classes"),
    ("one_vs_rest", array("class_prior_", lambda p: p[:2] * 1.5), "'class_prior_' has an axis of length 2"),
    (
        "one_vs_rest",
        array("class_prior_", lambda p: 2.0 * p),
        "'class_prior_' is not an array of proportions",
    ),
    ("one_vs_rest", header(*STATE, "estimators_", {"tuple": []}), "a list of fitted classifiers"),
    ("one_vs_rest", header(*STATE, "estimators_", []), "a list of fitted classifiers"),
    ("one_vs_rest", header(*STATE, "estimators_", 1, UNFITTED), "'estimators_' is not a fitted classifier"),
    ("one_vs_rest", header(*STATE, "n_features_in_", 5), "its LinearSVM takes 4 columns and gets 5"),
    (
        "one_vs_rest",
        header(*STATE, "feature_names_in_", {"labels": {"dtype": "|O", "values": ["a", "b", "c", "d"]}}),
        "its LinearSVM knows its columns by other names",
    ),
    (
        "one_vs_rest",
        header(*ESTIMATOR, "state", "classes_", "labels", "values", [0, 2]),
        "does not tell the classes 0 and 1 apart",
    ),
    ("one_vs_one", header(*PART, "parameters", "vote", "loudest"), "vote='loudest') is not allowed"),
    ("one_vs_one", header(*PART, "parameters", "estimator", 3), "estimator=3) is not allowed"),
    (
        "one_vs_rest_two",
        header(*ESTIMATOR, "parameters", "steps", 0, "tuple", 1, "part", "state", None),
        "its Standardize is not fitted",
    ),
    (
        "one_vs_rest_two",
        header(*ESTIMATOR, "parameters", "steps", 1, "tuple", 1, UNFITTED),
        "GaussianNB is not",
    ),
]
CALIBRATED = [
    ("calibrated", header(*STATE, "map_", 1.0), "a map from scores to posteriors"),
    ("calibrated", header(*MAP, "SigmoidMap", "slope", -1.0), "that rises"),
    ("calibrated", header(*MAP, "SigmoidMap", "slope", {"number": "inf"}), "that rises"),
    ("calibrated", header(*MAP, "SigmoidMap", "slope", None), "that rises"),
    ("calibrated", array("map_.record.SigmoidMap.offset", lambda b: b[:2]), "its map is one of 2 classes"),
    ("calibrated", array("map_.record.SigmoidMap.offset", lambda b: b * np.nan), "that rises"),
    ("calibrated_isotonic", array("map_.record.IsotonicMap.scores.tuple.0", lambda x: x[::-1]), "that rises"),
    ("calibrated_isotonic", array("map_.record.IsotonicMap.values.tuple.1", lambda v: v[::-1]), "that rises"),
    ("calibrated_isotonic", array("map_.record.IsotonicMap.values.tuple.1", lambda v: v + 1), "that rises"),
    ("calibrated_isotonic", array("map_.record.IsotonicMap.values.tuple.2", lambda v: v[1:]), "that rises"),
    ("calibrated_isotonic", header(*MAP, "IsotonicMap", "least", 0.0), "that rises"),
    ("calibrated_isotonic", header(*MAP, "IsotonicMap", "least", 0.4), "that rises"),
    ("calibrated_isotonic", header(*MAP, "IsotonicMap", "more", 1), "a record IsotonicMap in it has other"),
    ("calibrated", header(*STATE, "_floor", {"number": "-inf"}), "'_floor' is not a finite number"),
    ("calibrated", header(*STATE, "_bounded", 1), "'_bounded' is not true or false"),
    ("calibrated", header(*STATE, "n_features_in_", 3), "its LinearSVM takes 4 columns and gets 3"),
    (
        "calibrated",
        header(*STATE, "classes_", "labels", "values", ["ash", "birch", "cedar"]),
        "its LinearSVM knows other classes",
    ),
    (
        "calibrated_isotonic",
        header(*PART, "parameters", "plan", "record", "KFold", "n_splits", 1),
        "a record KFold in it has values that it cannot have",
    ),
    ("calibrated_isotonic", header(*PART, "parameters", "plan", "five"), "plan='five') is not allowed"),
    (
        "calibrated_isotonic",
        header(*PART, "parameters", "estimator", "part", "parameters", "steps", []),
        "the Pipeline in it cannot be used: its steps are not named models",
    ),
]
NEIGHBORS = [
    ("neighbors", array("codes_", lambda c: c + 7), "its rows are of classes that it does not have"),
    ("neighbors", array("codes_", lambda c: 0 * c), "or of fewer than two"),
    (
        "neighbors",
        array("codes_", lambda c: np.where(c == 2, 1, c).astype(np.int32)),
        "are not those of its rows",
    ),
    ("neighbors", array("codes_", lambda c: c.astype(np.int64)), "'codes_' is not an array of class numbers"),
    ("neighbors", array("rows_", lambda x: x * np.nan), "its rows hold values that are missing"),
    ("neighbors", array("rows_", lambda x: x * np.inf), "'rows_' is not an array of rows"),
    ("neighbors", array("rows_", lambda x: x * 1e300), "squares overflow"),
    ("neighbors", array("rows_", lambda x: x[:, :3]), "has an axis of length 3"),
    ("neighbors_weighted", array("weight_", lambda w: -w), "'weight_' is not an array of positive numbers"),
    ("neighbors", header(*PART, "parameters", "metric", "exec"), "metric='exec') is not allowed"),
]
NETWORKS = [
    ("network", array("widths_", lambda w: w + 1), "do not lead from 4 columns to 3 classes"),
    ("network", array("widths_", lambda w: w[:1]), "do not lead from 4 columns to 3 classes"),
    (
        "network",
        array("widths_", lambda w: np.array([4, 6, 3, 3])),
        "it has 55 weights, and its layers need 63",
    ),
    ("network", array("widths_", lambda w: np.array([4, 2**62, 2**62, 3])), "it has 55 weights, and its"),
    ("network", array("widths_", lambda w: np.array([4, -5, 3, 3])), "'widths_' is not an array of whole"),
    ("network", array("parameters_", lambda p: p[1:]), "it has 54 weights, and its layers need 55"),
    (
        "network",
        array("parameters_", lambda p: p * np.inf),
        "'parameters_' is not an array of finite numbers",
    ),
    ("network", array("scale_", lambda s: 0.0 * s), "'scale_' is not an array of positive numbers"),
    ("network", array("scale_", lambda s: s * 1e-310), "'scale_' is too small to divide by"),
    ("network", array("center_", lambda c: c[:3]), "'center_' has an axis of length 3"),
    ("network", header(*STATE, "history_", [{"tuple": ["x"]}]), "a list of what each epoch came to"),
    ("network", header(*STATE, "history_", 3), "a list of what each epoch came to"),
    ("network", header(*STATE, "n_iter_", -1), "'n_iter_' is not a number of steps"),
    ("network", header(*PART, "parameters", "hidden", [0]), "hidden=[0]) is not allowed"),
    ("network", header(*PART, "parameters", "activation", "exec"), "activation='exec') is not allowed"),
    ("single_layer", array("weights_", lambda w: w[:1]), "'_at_center' has an axis of length 3 where"),
    ("single_layer_step", header(*PART, "parameters", "output", "softmax"), "softmax outputs need 2"),
    ("single_layer", array("_at_center", lambda b: b * np.nan), "'_at_center' is not an array of finite"),
    ("svm", array("_bias", lambda b: b + np.inf), "numbers, or -inf for classes without rows"),
    ("svm", array("_bias", lambda b: b - np.inf), "numbers, or -inf for classes without rows"),
    ("svm", array("support_", lambda s: s - 60), "'support_' is not an array of whole numbers"),
    ("svm", array("_weights", lambda w: w[:2]), "'_weights' has an axis of length 2 where others have 3"),
    ("svm", dropped("_center"), "its attribute '_center' is missing"),
    ("svm", header(*STATE, "gap_", None), "'gap_' is not a finite number"),
    (
        "kernel_svm",
        array("dual_coef_", lambda c: c[:2]),
        "'intercept_' has an axis of length 3 where others have 2",
    ),
    (
        "kernel_svm",
        array("class_prior_", lambda p: np.array([0.5, 0.5, 0.0])),
        "it has 3 SVMs for 2 classes",
    ),
    (
        "kernel_svm",
        array("support_vectors_", lambda v: v * np.nan),
        "'support_vectors_' is not an array of finite",
    ),
    ("kernel_svm", dropped("support_vectors_"), "support vectors are not those of the kernel 'rbf'"),
    (
        "kernel_svm",
        header(*PART, "parameters", "kernel", "precomputed"),
        "not those of the kernel 'precomputed'",
    ),
    ("kernel_svm", header(*PART, "parameters", "kernel", "exec"), "kernel='exec') is not allowed"),
    ("kernel_svm", header(*STATE, "gamma_", 0.0), "'gamma_' is not a positive number"),
    ("kernel_svm", header(*STATE, "gram_dtype_", "int8"), "'gram_dtype_' is not float32 or float64"),
]
MIXTURES = [
    ("mixture", dropped("covariances_"), "its covariances are not those of full components"),
    ("mixture", header(*PART, "parameters", "covariance", "diagonal"), "not those of diagonal components"),
    ("mixture", array("covariances_", lambda c: -c), "its covariances are not positive"),
    ("mixture", array("covariances_", lambda c: np.triu(c)), "its covariances are not positive"),
    ("mixture", array("covariances_", lambda c: c[:, :3]), "has an axis of length 3"),
    (
        "mixture",
        array("shares_", lambda s: s / 2),
        "its proportions of components are not those of its classes",
    ),
    ("mixture", array("shares_", lambda s: -s), "'shares_' is not an array of numbers of at least 0"),
    (
        "mixture",
        array("class_count_", lambda n: 0 * n),
        "its proportions of components are not those of its classes",
    ),
    (
        "mixture",
        array("history_", lambda h: h[:0]),
        "its proportions of components are not those of its classes",
    ),
    ("mixture", array("means_", lambda m: m * np.nan), "'means_' is not an array of finite numbers"),
    ("mixture_diagonal", array("variances_", lambda v: 0 * v), "its variances are not positive"),
    ("mixture", header(*PART, "parameters", "n_components", "exec"), "n_components='exec') is not allowed"),
]
EXPANSIONS = [
    ("radial", header(*STATE, "width_", 0.0), "'width_' is not a positive number"),
    ("radial", array("center_scale_", lambda s: -s), "'center_scale_' is not an array of positive numbers"),
    ("radial", array("centers_", lambda c: c[:, :3]), "'centers_' has an axis of length 3"),
    ("radial", array("centers_", lambda c: c[:0]), "it has no centers"),
    ("radial", dropped("width_"), "its kind is 'radial', and 'width_' is missing or too much"),
    ("radial", header(*PART, "parameters", "kind", "spline"), "its kind is 'spline', and 'center_mean_' is"),
    ("radial", header(*PART, "parameters", "kind", "polynomial"), "is missing or too much"),
    ("spline", array("knots_", lambda k: k[:, ::-1]), "its knots are not in order"),
    ("spline", array("knots_", lambda k: k[:, :0]), "its knots are not in order"),
    ("spline", header(*PART, "parameters", "degree", 2**31), "its degree 2147483648 makes too many columns"),
    ("polynomial", header(*PART, "parameters", "degree", 2**63), "makes too many columns of 4"),
    ("polynomial", header(*PART, "parameters", "degree", 300), "makes too many columns of 4"),
    ("polynomial", header(*STATE, "n_features_in_", 2**31 - 1), "makes too many columns of 2147483647"),
    ("interaction", header(*STATE, "n_features_in_", 2**31 - 1), "makes too many columns of 2147483647"),
    ("interaction", header(*STATE, "n_features_in_", 1), "it makes no column"),
    ("polynomial", header(*PART, "parameters", "kind", "functions"), "functions, which no model file holds"),
    ("polynomial", header(*PART, "parameters", "functions", ["os.system"]), "is not allowed"),
    (
        "curved",
        header(*PART, "parameters", "steps", 0, "tuple", 1, "part", "parameters", "degree", 3),
        "its LogisticRegression takes 24 columns and gets 28",
    ),
]


@pytest.mark.parametrize(
    ("name", "change", "words"), [*COMBINED, *CALIBRATED, *NEIGHBORS, *NETWORKS, *MIXTURES, *EXPANSIONS]
)
def test_parts_that_do_not_belong_together_are_told(
    tmp_path: Path, name: str, change: Change, words: str
) -> None:
    assert words in damaged(name, change, tmp_path)


def test_unfitted_parts_are_parameters_and_never_fitted_state(tmp_path: Path) -> None:
    found, members = unzip(saved(MAKERS["calibrated_isotonic"](), tmp_path))
    part = found["model"]["part"]
    part["state"]["model_"] = part["parameters"]["estimator"]
    message = refusal(rezip(found, members), tmp_path)
    assert "'model_' is not a fitted classifier" in message
