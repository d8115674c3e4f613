"""What every estimator promises besides scikit-learn's own checks: declarations, copies, inputs, labels, names."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone

import assay
from assay.models.base.estimators import Model
from tests.contract.answers import LABELS, outputs
from tests.contract.registry import (
    blobs,
    counting_estimators,
    estimators,
    shown,
    statistics_classifiers,
    transformers,
)
from tests.raised import raises

CLASSES = {type(estimator): estimator for estimator in estimators()}


def same_state(one: Any, two: Any) -> None:
    assert set(vars(one)) == set(vars(two))


@pytest.mark.parametrize(
    "cls", [*CLASSES, *dict.fromkeys(map(type, counting_estimators()))], ids=lambda cls: cls.__name__
)
def test_declared_parameters_are_the_signature(cls: Any) -> None:
    signature = inspect.signature(cls.__init__).parameters
    given = {name: p.default for name, p in signature.items() if name != "self"}
    declared = {param.name: param.default for param in cls.params}
    assert declared == given
    for param in cls.params:  # a list off a terminal shows the first sentence, in ASCII
        assert param.summary.isascii() and len(param.summary) <= 115 and param.meaning.endswith(".")


PUBLIC = [
    cls for name in assay.__all__ if isinstance(cls := getattr(assay, name), type) and issubclass(cls, Model)
]


@pytest.mark.parametrize("cls", [cls for cls in PUBLIC if cls.params], ids=lambda cls: cls.__name__)
def test_the_docstring_describes_every_declared_parameter(cls: Any) -> None:
    section = re.search(r"Parameters\n-+\n(.*?)(\n\n|\Z)", inspect.cleandoc(cls.__doc__ or ""), re.DOTALL)
    assert section is not None
    heads = [line.split(" : ")[0] for line in section[1].splitlines() if not line.startswith(" ")]
    described = [name.strip() for head in heads for name in head.split(",")]
    assert len(set(described)) == len(described)
    assert set(described) == set(inspect.signature(cls).parameters) >= {param.name for param in cls.params}
    assert all(param.meaning in " ".join(section[1].split()) for param in cls.params)


@pytest.mark.parametrize("cls", [cls for cls in PUBLIC if cls.params], ids=lambda cls: cls.__name__)
def test_what_a_parameter_means_is_written_once(cls: Any) -> None:
    source = ast.parse(Path(inspect.getfile(cls)).read_text(encoding="utf-8"))
    written = next(
        node for node in source.body if isinstance(node, ast.ClassDef) and node.name == cls.__name__
    )
    docstring = ast.get_docstring(written) or ""
    assert not [param.name for param in cls.params if f"\n{param.name} : " in docstring]


@pytest.mark.parametrize("estimator", list(CLASSES.values()), ids=shown)
def test_every_declared_parameter_is_checked(estimator: Any) -> None:
    X, y = blobs()
    for param in estimator.params:
        if param.kind == "priors":
            continue
        wrong = clone(estimator).set_params(**{param.name: "no such value"})
        with raises("M023", name=param.name, value="no such value", expectation=param.expectation()):
            wrong.fit(X, y)


@pytest.mark.parametrize("estimator", estimators(), ids=shown)
def test_clone_and_pickle_keep_everything(estimator: Any) -> None:
    X, y = blobs()
    copied = clone(estimator)
    assert repr(copied) == repr(estimator) and not hasattr(copied, "n_features_in_")
    fitted = copied.fit(X, y)
    loaded = pickle.loads(pickle.dumps(fitted))
    same_state(loaded, fitted)
    np.testing.assert_array_equal(outputs(loaded, X), outputs(fitted, X))


@pytest.mark.parametrize("estimator", estimators(), ids=shown)
def test_memory_layouts_give_the_same_bits(estimator: Any, tmp_path: Path) -> None:
    X, y = blobs()
    expected = outputs(clone(estimator).fit(X, y), X)
    path = tmp_path / "rows.npy"
    np.save(path, X)
    wide = np.zeros((X.shape[0], 2 * X.shape[1]))
    wide[:, ::2] = X
    variants = {
        "memmap": np.load(path, mmap_mode="r"),
        "fortran": np.asfortranarray(X),
        "strided": wide[:, ::2],
        "reversed": np.ascontiguousarray(X[::-1])[::-1],
        "list": X.tolist(),
    }
    assert not variants["memmap"].flags.writeable
    for name, variant in variants.items():
        before = np.array(variant)
        result = outputs(clone(estimator).fit(variant, y), variant)
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_array_equal(np.asarray(variant), before, err_msg=f"{name} was changed")


@pytest.mark.parametrize("estimator", estimators(), ids=shown)
def test_float32_is_read_as_it_is(estimator: Any) -> None:
    X, y = blobs()
    single = X.astype(np.float32)
    narrow = outputs(clone(estimator).fit(single, y), single)
    wide = outputs(clone(estimator).fit(single.astype(np.float64), y), single.astype(np.float64))
    np.testing.assert_allclose(narrow, wide, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("estimator", estimators(), ids=shown)
def test_column_names_are_remembered_and_compared(estimator: Any) -> None:
    X, y = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    fitted = clone(estimator).fit(frame, y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="feature names"):
        outputs(fitted, frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="3 features"):
        outputs(clone(estimator).fit(X, y), X[:, :3])


@pytest.mark.parametrize("transformer", transformers(), ids=shown)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output_names_the_columns(transformer: Any, library: str) -> None:
    X, y = blobs()
    X = X.copy()
    if type(transformer).__name__ == "Impute":
        X[3, 1] = np.nan
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    plain = clone(transformer).fit(frame, y)
    labelled = clone(transformer).set_output(transform=library).fit(frame, y)
    result = labelled.transform(frame)
    assert isinstance(result, pd.DataFrame if library == "pandas" else pl.DataFrame)
    assert list(result.columns) == list(plain.get_feature_names_out())
    np.testing.assert_array_equal(result.to_numpy(), plain.transform(frame))


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type(classifier: Any, kind: str) -> None:
    X, y = blobs()
    names = LABELS[kind]
    labels = names[y]
    plain, model = clone(classifier).fit(X, y), clone(classifier).fit(X, labels)
    assert model.classes_.tolist() == sorted(names.tolist())
    predicted = model.predict(X)
    assert predicted.dtype.kind == labels.dtype.kind
    assert predicted.tolist() == names[plain.predict(X)].tolist()
    order = np.argsort(names)
    np.testing.assert_allclose(outputs(model, X), outputs(plain, X)[:, order], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_two_classes_of_truth_values(classifier: Any) -> None:
    X, y = blobs(classes=2)
    plain, model = clone(classifier).fit(X, y), clone(classifier).fit(X, y == 1)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(X).tolist() == (plain.predict(X) == 1).tolist()
    assert model.decision_function(X).shape == (len(X),)
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_series_of_categories_as_labels(classifier: Any) -> None:
    X, y = blobs()
    labels = pd.Series(pd.Categorical.from_codes(y, ["low", "middle", "top"]))
    model = clone(classifier).fit(X, labels)
    assert model.classes_.tolist() == ["low", "middle", "top"]
    assert set(model.predict(X)) <= {"low", "middle", "top"}


def takes_sparse(estimator: Any) -> bool:
    """Whether it takes sparse rows, as they are or with their zeros filled in."""
    return estimator.sparse_ok or getattr(estimator, "fills_sparse", False)


@pytest.mark.parametrize("estimator", [e for e in estimators() if takes_sparse(e)], ids=shown)
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_rows_give_what_dense_rows_give(estimator: Any, kind: Any) -> None:
    X, y = blobs()
    X[X < 3.0] = 0.0
    expected = outputs(clone(estimator).fit(X, y), X)
    found = outputs(clone(estimator).fit(kind(X), y), kind(X))
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("estimator", [e for e in estimators() if not takes_sparse(e)], ids=shown)
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_input_is_refused_with_a_sentence(estimator: Any, kind: Any) -> None:
    X, y = blobs()
    with pytest.raises(TypeError, match="(?i)sparse data was passed.*dense"):
        clone(estimator).fit(kind(X), y)
    fitted = clone(estimator).fit(X, y)
    with pytest.raises(TypeError, match="(?i)sparse data was passed.*dense"):
        outputs(fitted, kind(X))


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_predict_changes_nothing(classifier: Any) -> None:
    X, y = blobs()
    model = clone(classifier).fit(X, y)
    before = pickle.dumps(model)
    outputs(model, X)
    model.predict(X[:1])
    assert pickle.dumps(model) == before


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_largest_score_wins(classifier: Any) -> None:
    X, y = blobs()
    model = clone(classifier).fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (len(X), 3)
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    if hasattr(model, "predict_proba"):
        posterior = model.predict_proba(X)
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
        np.testing.assert_allclose(posterior, np.exp(model.predict_log_proba(X)), rtol=1e-12, atol=1e-300)
