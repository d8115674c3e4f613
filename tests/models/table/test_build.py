"""What stands before or around the model of an entry: basis functions, a filter of columns, a division of classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from assay import (
    BasisExpansion,
    DropRare,
    KFold,
    LogisticRegression,
    OneVsOne,
    OneVsRest,
    Standardize,
    complexity_curve,
    read,
    save,
)
from assay.catalog import cards, entry
from assay.models.base.table_steps import STEP_NAMES
from assay.models.table.build import build, parameter_path
from assay.workbench.saved_model import load_table_model
from tests.raised import raises

X, CODES = load_iris(return_X_y=True)
TABLE = read({name: X[:, j] for j, name in enumerate("abcd")})
LABELS = load_iris().target_names[CODES]


def built(setting: dict[str, Any]) -> Any:
    return build(entry("logistic"), {"l2": 0.01, **setting})


@pytest.mark.parametrize(
    ("setting", "step"),
    [
        ({"basis": "polynomial", "basis_degree": 3}, BasisExpansion(degree=3)),
        ({"basis": "interaction"}, BasisExpansion("interaction")),
        ({"basis": "radial", "basis_centers": 7}, BasisExpansion("radial", n_centers=7)),
        (
            {"basis": "spline", "basis_knots": 4, "basis_degree": 1},
            BasisExpansion("spline", degree=1, knots=4),
        ),
    ],
    ids=lambda part: part["basis"] if isinstance(part, dict) else "",
)
def test_a_basis_stands_between_two_scalings(
    setting: dict[str, Any], step: BasisExpansion, tmp_path: Path
) -> None:
    model = built(setting).fit(TABLE, LABELS)
    rows: Any = X
    for part in (Standardize(), step, Standardize()):
        rows = part.fit_transform(rows)
    expected = LogisticRegression(l2=0.01).fit(rows, LABELS).predict_proba(rows)
    np.testing.assert_allclose(model.predict_proba(TABLE), expected, rtol=1e-6, atol=1e-9)
    save(model, tmp_path / "m.assay")
    assert np.array_equal(
        load_table_model(tmp_path / "m.assay").predict_proba(TABLE), model.predict_proba(TABLE)
    )


@pytest.mark.parametrize(("name", "kind"), [("one-vs-rest", OneVsRest), ("one-vs-one", OneVsOne)])
def test_classes_are_divided(name: str, kind: type, tmp_path: Path) -> None:
    model = built({"reduction": name}).fit(TABLE, LABELS)
    rows = Standardize().fit_transform(X)
    expected = kind(LogisticRegression(l2=0.01)).fit(rows, LABELS)
    assert np.array_equal(model.predict(TABLE), expected.predict(rows))
    save(model, tmp_path / "m.assay")
    assert np.array_equal(load_table_model(tmp_path / "m.assay").predict(TABLE), model.predict(TABLE))


def test_rare_columns_are_dropped_in_each_training_set() -> None:
    flag = np.where(np.arange(len(X)) < 3, "yes", "no")
    table = read({"a": X[:, 0], "rare": flag, "often": np.where(CODES == 1, "yes", "no")})
    kept = built({"drop_rare": 0.05}).fit(table, LABELS)
    assert [type(step) for step in kept.steps][-2:] == [DropRare, Standardize]
    assert kept.model_.n_features_in_ == 2 and built({}).fit(table, LABELS).model_.n_features_in_ == 3


def test_what_has_no_effect_is_refused() -> None:
    with raises("M024", name="basis_knots"):
        built({"basis_knots": 4})
    with raises("M024", name="basis_degree"):
        built({"basis": "radial", "basis_degree": 3})


@pytest.mark.parametrize("setting", [{}, {"basis": "spline"}, {"reduction": "one-vs-one"}], ids=str)
def test_a_range_reaches_the_model_wherever_it_stands(setting: dict[str, Any]) -> None:
    model = built(setting).encoded(TABLE).matrix_estimator()
    ranges: dict[str, Any] = {parameter_path(entry("logistic"), "l2", setting): [100.0, 0.01]}
    strong, weak = complexity_curve(model, X, LABELS, KFold(3), **ranges).training
    assert strong > weak


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.name)
def test_steps_are_for_matrices_without_gaps(card: Any) -> None:
    free = {param.name for param in card.free_parameters()}
    assert free.isdisjoint(STEP_NAMES) or free >= STEP_NAMES
    if card.encoding in ("words", "levels", "table-flags", "none", "own"):
        assert free.isdisjoint(STEP_NAMES)
