"""Saved models come back as they were: same bits, still learning, same bytes when saved again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

import assay
from assay.storage.model_file import describe_file
from assay.storage.registry import HOMES
from assay.storage.stored_fields import name_of
from tests.noted import noted
from tests.raised import Expected, raises
from tests.storage.stored import MAKERS, X, names, of_table, outputs, saved, table, unzip, y


def bump(rows: Any, theta: Any) -> Any:
    return np.exp(-((rows[:, 0] - theta[0]) ** 2) - theta[1] ** 2)


def deep(levels: int) -> Any:
    """A model inside a model, and so on."""
    model: Any = assay.GaussianNB()
    for _ in range(levels):
        model = assay.OneVsRest(model)
    return model.fit(X, y)


FOREIGN = (
    "tree",
    "forest",
    "boosting",
    "table_tree",
    "table_boosting",
    "one_vs_rest_trees",
    "calibrated_tree",
    "own_boosting",  # holds scikit-learn's trees
)
OURS = [name for name in MAKERS if name not in FOREIGN]


@pytest.mark.parametrize("name", MAKERS)
def test_a_loaded_model_says_the_same_to_the_bit(tmp_path: Path, name: str) -> None:
    model = MAKERS[name]()
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert type(loaded) is type(model)
    assert np.array_equal(outputs(loaded), outputs(model), equal_nan=True)
    if hasattr(model, "classes_"):
        assert loaded.classes_.dtype == model.classes_.dtype
        assert loaded.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("name", OURS)
def test_a_loaded_model_has_the_same_attributes_and_parameters(tmp_path: Path, name: str) -> None:
    model = MAKERS[name]()
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert set(vars(loaded)) == set(vars(model))
    assert repr(loaded.get_params(deep=False)) == repr(model.get_params(deep=False))
    assert getattr(loaded, "diagnostics_", ()) == getattr(model, "diagnostics_", ())


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_model_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    assert saved(MAKERS[name](), tmp_path) == saved(MAKERS[name](), tmp_path)


@pytest.mark.parametrize("name", OURS)
def test_a_loaded_model_is_saved_as_the_same_bytes(tmp_path: Path, name: str) -> None:
    data = saved(MAKERS[name](), tmp_path)
    assert saved(assay.load(tmp_path / "model.assay"), tmp_path) == data


def test_every_storable_class_is_tested() -> None:
    stored = {name_of(make(), HOMES) for make in MAKERS.values()}
    assert set(HOMES) <= stored


@pytest.mark.parametrize("cls", [assay.GaussianNB, assay.LeastSquaresClassifier, assay.FisherDiscriminant])
def test_a_loaded_model_goes_on_learning(tmp_path: Path, cls: Any) -> None:
    early, late = slice(0, 60, 2), slice(1, 60, 2)
    whole = cls().fit(X[early], y[early])
    path = assay.save(whole, tmp_path / "model.assay")
    whole.partial_fit(X[late], y[late])
    assert np.array_equal(
        assay.load(path).partial_fit(X[late], y[late]).decision_function(X), whole.decision_function(X)
    )
    merged = assay.load(path).merge(cls().fit(X[late], y[late]))
    assert np.array_equal(merged.decision_function(X), whole.decision_function(X))
    back = merged.forget(X[late], y[late])
    np.testing.assert_allclose(
        back.decision_function(X), assay.load(path).decision_function(X), rtol=1e-6, atol=1e-8
    )


def test_a_classifier_of_tables_goes_on_learning(tmp_path: Path) -> None:
    rows, labels = table()
    half = np.arange(40)
    model = assay.TableClassifier(assay.OneHot(), [assay.Impute()], assay.GaussianClassifier("shared"))
    model.fit_blocks([(rows.take(half), labels[half])], target="buys")
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert loaded.target_ == "buys" and loaded.target_column_ == model.target_column_
    rest = np.arange(40, 80)
    expected = model.partial_fit(rows.take(rest), labels[rest]).predict_proba(rows)
    assert np.array_equal(loaded.partial_fit(rows.take(rest), labels[rest]).predict_proba(rows), expected)


def test_names_of_columns_and_kind_of_output_stay(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = make_pipeline(assay.Standardize().set_output(transform="pandas"), assay.GaussianNB()).fit(
        frame, y
    )
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert loaded[0].feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert list(loaded[0].transform(frame).columns) == ["a", "b", "c", "d"]
    assert np.array_equal(loaded.predict_proba(frame), model.predict_proba(frame))


def test_models_inside_models_know_the_names_of_columns(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = assay.Calibrated(make_pipeline(assay.Standardize(), assay.LinearSVM(0.01))).fit(frame, names())
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert loaded.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert np.array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert not hasattr(loaded.estimator[0], "center_") and hasattr(loaded.model_[0], "center_")


def test_a_loaded_model_can_be_fitted_again(tmp_path: Path) -> None:
    for name in ("calibrated_isotonic", "one_vs_one", "network", "svm", "single_layer"):
        model = MAKERS[name]()
        loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
        labels = y if name == "calibrated_isotonic" else names()
        assert np.array_equal(outputs(loaded.fit(X, labels)), outputs(model)), name


def test_notes_are_kept_and_the_header_is_plain_json(tmp_path: Path) -> None:
    path = assay.save(
        MAKERS["naive_bayes"](), tmp_path / "m.assay", about={"by": "Ångström", "rows": [60, 0.5]}
    )
    assert describe_file(path) == {
        "format": 2,
        "assay": assay.__version__,
        "class": "GaussianNB",
        "about": {"by": "Ångström", "rows": [60, 0.5]},
    }
    header, members = unzip(path.read_bytes())
    assert header["model"]["part"]["state"]["classes_"] == {"labels": {"dtype": "<i8", "values": [0, 1, 2]}}
    assert set(header["members"]) == set(members)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (assay.GaussianNB(), Expected("F083", title="GaussianNB", reason="it is not fitted; call fit first")),
        (make_pipeline(assay.Standardize(), assay.GaussianNB()), Expected("F083")),
        (LogisticRegression().fit(X, y), Expected("F083", title="LogisticRegression")),
        ({"a": 1}, Expected("F083", title="dict object", reason="a dict is not a model")),
        (assay.GaussianNB, Expected("F083")),
        (
            assay.GaussianNB().fit(X, np.array([1, 2.5] * 30, dtype=object)),
            Expected("F083"),
        ),
        (assay.GaussianNB().fit(X, names().astype("S")), Expected("F083")),
        (assay.GaussianClassifier("shared").fit(X, y).set_params(shrinkage=0.9), Expected("F083")),
        (assay.GaussianClassifier("shared").fit(X, y).set_params(covariance="full"), Expected("F083")),
        (
            assay.BasisExpansion("functions", functions=np.sin).fit(X),
            Expected("F083", title="BasisExpansion"),
        ),
        (
            make_pipeline(assay.BasisExpansion("functions", functions=[np.cos]), assay.GaussianNB()).fit(
                X, y
            ),
            Expected("F083", title="Pipeline"),
        ),
        (
            assay.ParametricClassifier(bump, [0.0, 0.5]).fit(X, y > 1),
            Expected("F083", title="ParametricClassifier"),
        ),
        (
            assay.Calibrated(assay.GaussianNB(), plan=StratifiedKFold(3)).fit(X, y),
            Expected("F083"),
        ),
        (
            assay.OneVsRest(LogisticRegression()).fit(X, y),
            Expected("F083", title="OneVsRest"),
        ),
        (assay.OneVsRest(assay.GaussianNB()), Expected("F083", title="OneVsRest")),
        (deep(7), Expected("F083", title="OneVsRest")),
    ],
)
def test_what_cannot_be_saved_is_told(tmp_path: Path, model: Any, expected: Expected) -> None:
    with raises(expected) as caught:
        assay.save(model, tmp_path / "m.assay")
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "about", [{"a": float("nan")}, {"a": object()}, {1: "a"}, {"a": {2: 3}}, {"a": 2**70}, {"a": "\ud800"}]
)
def test_notes_that_are_not_plain_are_told(tmp_path: Path, about: Any) -> None:
    with raises("F083", title="GaussianNB"):
        assay.save(MAKERS["naive_bayes"](), tmp_path / "m.assay", about=about)
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with raises("F718", FileNotFoundError):
        assay.save(MAKERS["naive_bayes"](), tmp_path / "none" / "m.assay")


def test_a_full_disk_leaves_the_old_model(tmp_path: Path) -> None:
    path = assay.save(MAKERS["naive_bayes"](), tmp_path / "m.assay")
    before = path.read_bytes()
    program = (
        "import resource, signal, sys\n"
        "import assay, numpy as np\n"
        "model = assay.GaussianClassifier().fit(np.random.default_rng(0).normal(size=(400, 60)), [0, 1] * 200)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
        "try:\n    assay.save(model, sys.argv[1])\n"
        "except OSError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert "cannot be written: the file would exceed" in done.stdout, done.stderr
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["m.assay"]


def test_large_models_need_a_larger_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = assay.save(MAKERS["gaussian_full"](), tmp_path / "m.assay")
    monkeypatch.setenv("ASSAY_MODEL_LIMIT", "2000")
    with raises("F002"):
        assay.save(MAKERS["gaussian_full"](), tmp_path / "n.assay")
    with raises("F004"):
        assay.load(path)
    monkeypatch.setenv("ASSAY_MODEL_LIMIT", "10 GB")
    with raises("F089"):
        assay.load(path)


def test_an_array_of_zeros_is_not_taken_for_a_bomb(tmp_path: Path) -> None:
    rows = np.zeros((40, 300))
    rows[:, 0] = np.arange(40)
    model = assay.GaussianClassifier("shared").fit(rows, [0, 1] * 20)
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    assert np.array_equal(loaded.predict_proba(rows), model.predict_proba(rows))


def test_wide_labels_and_odd_types_of_labels_stay(tmp_path: Path) -> None:
    for labels in (
        np.array(["x" * 500, "y"] * 30),
        np.array([2**63, 2**64 - 1] * 30, dtype=np.uint64),
        np.array([0.5, -1e300] * 30),
        np.array([1.5, 2.0] * 30, dtype=np.float32),
        np.array(["", "ä\u0000b\U0001f600"] * 30, dtype=object),
        np.array(["a", "b", "c"] * 20, dtype="<U9"),
    ):
        model = assay.GaussianNB().fit(X, labels)
        loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
        assert loaded.classes_.dtype == model.classes_.dtype
        assert loaded.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.filterwarnings("ignore:.*never seen in training")
def test_unseen_levels_and_missing_columns_are_told_by_a_loaded_model(tmp_path: Path) -> None:
    model = of_table(assay.GaussianClassifier("shared"))
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    new = {"age": [31.0, None], "work": ["paid", "volunteer"], "sex": ["f", "m"], "when": ["2001-02-03"] * 2}
    assert np.array_equal(loaded.predict_proba(new), model.predict_proba(new))
    with raises("D090"):
        loaded.predict({name: new[name] for name in ("age", "work", "when")})


def test_the_header_alone_is_small_and_sorted_by_use(tmp_path: Path) -> None:
    header, _ = unzip(saved(MAKERS["table"](), tmp_path))
    assert list(header) == ["format", "assay", "about", "model", "members"]
    assert "schema_" in json.dumps(header)


def test_a_loaded_model_keeps_the_codes_and_values_of_its_notes(tmp_path: Path) -> None:
    wide = np.column_stack([X, np.full(len(X), 5.0)])
    model = assay.LogisticRegression(l2=0.1).fit(wide, y)
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    (note,) = noted(loaded.diagnostics_, "M300", columns=(X.shape[1],))
    assert note == model.diagnostics_[0]
