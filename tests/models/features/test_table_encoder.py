"""Tables become matrices: places, names, gaps, levels that were never seen, columns that cannot be used."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import estimator_checks_generator

import assay
from assay import OneHot, OrdinalCodes
from assay.data import MISSING, UNSEEN, Column, Schema, Table
from assay.notes import Note
from tests.contract.registry import shown
from tests.contract.sklearn_checks import name_of
from tests.models.features.mixed import mixed, tables
from tests.noted import noted
from tests.raised import raises

ENCODERS = [OneHot(), OrdinalCodes()]


def test_one_hot_design() -> None:
    table, _ = mixed()
    encoder = OneHot().fit(table)
    X = encoder.transform(table)
    assert X.flags.c_contiguous and X.dtype == np.float64
    np.testing.assert_array_equal(X[:, 0], table["age"])
    np.testing.assert_array_equal(X[:, 8], table["income"])
    np.testing.assert_array_equal(np.nan_to_num(X[:, 9], nan=MISSING), table["member"])
    np.testing.assert_array_equal(X[:, 1:8].argmax(axis=1), np.where(table["work"] < 0, 6, table["work"]))
    assert (X[:, 1:8].sum(axis=1) == 1).all() and (X[:, 10:].sum(axis=1) == 1).all()
    assert encoder.get_feature_names_out().tolist() == [
        "age", *(f"work={level}" for level in "pqrstu"), "work=(missing)", "income", "member=yes",
        "place=10", "place=20", "place=30",
    ]  # fmt: skip
    assert [(g.column, g.first, g.last) for g in encoder.groups_] == [
        ("age", 0, 1), ("work", 1, 8), ("income", 8, 9), ("member", 9, 10), ("place", 10, 13),
    ]  # fmt: skip
    assert encoder.n_features_in_ == 5 and encoder.feature_names_in_.tolist() == list(table.schema.names)


def test_one_hot_equals_scikit_learns() -> None:
    table, _ = mixed()
    levels = np.array([*"pqrstu", "-"], dtype=object)[table["work"]]
    theirs = OneHotEncoder(categories=[[*"pqrstu", "-"]], sparse_output=False).fit_transform(levels[:, None])
    np.testing.assert_array_equal(OneHot().fit_transform(table.select(["work"])), theirs)


def test_levels() -> None:
    table, _ = mixed()
    encoder = OrdinalCodes().fit(table)
    X = encoder.transform(table)
    assert X.shape == (160, 5) and encoder.categorical_.tolist() == [False, True, False, False, True]
    np.testing.assert_array_equal(np.nan_to_num(X[:, 1], nan=MISSING), table["work"])
    assert encoder.get_feature_names_out().tolist() == list(table.schema.names)


def test_an_unseen_level_is_no_level() -> None:
    table, _ = mixed()
    work = table["work"].copy()
    work[:3] = UNSEEN
    new = Table(table.schema, {**table.columns, "work": work})
    one_hot, codes = OneHot().fit(table).transform(new), OrdinalCodes().fit(table).transform(new)
    assert (one_hot[:3, 1:8] == 0).all() and np.isnan(codes[:3, 1]).all()
    member = np.full(160, UNSEEN, dtype=np.int32)
    new = Table(table.schema, {**table.columns, "member": member})
    assert np.isnan(OneHot().fit(table).transform(new)[:, 9]).all()


def test_a_missing_level_that_training_did_not_have() -> None:
    schema = Schema((Column("work", "categorical", ("a", "b")),))
    encoder = OneHot().fit(Table(schema, {"work": np.array([0, 1], dtype=np.int32)}))
    assert encoder.transform(Table(schema, {"work": np.array([MISSING], dtype=np.int32)})).tolist() == [
        [0.0, 0.0]
    ]


@pytest.mark.parametrize("encoder", ENCODERS, ids=shown)
def test_tables_of_another_schema_are_matched_by_level(encoder: Any) -> None:
    frame = pd.DataFrame({"size": [1.5, 2.25, 3.5] * 10, "colour": ["red", "green", "blue"] * 10})
    fitted = clone(encoder).fit(frame)
    new = pd.DataFrame({"extra": [1, 2], "colour": ["red", "violet"], "size": [7.5, 8.5]})
    X = fitted.transform(new)
    places = [name for name in fitted.get_feature_names_out() if name.startswith("colour")]
    if len(places) == 1:
        assert X[0].tolist() == [7.5, 2.0] and X[1, 0] == 8.5 and np.isnan(X[1, 1])
    else:
        assert places == ["colour=blue", "colour=green", "colour=red"]
        assert X.tolist() == [[7.5, 0.0, 0.0, 1.0], [8.5, 0.0, 0.0, 0.0]]
    with raises("D090"):
        fitted.transform(new.drop(columns="size"))


@pytest.mark.parametrize("encoder", ENCODERS, ids=shown)
def test_columns_left_out_are_named(encoder: Any) -> None:
    table, _ = mixed(20)
    words = np.array(["a"] * 20, dtype=object)
    many = Column("zip", "categorical", tuple(range(256)))
    none = Column("none", "constant", distinct=0)
    more = (Column("note", "text"), Column("id", "identifier"), Column("one", "constant"), many, none)
    columns = {**table.columns, "note": words, "id": words, "one": words, "zip": table["work"], "none": words}
    fitted = clone(encoder).fit(Table(Schema((*more, *table.schema)), columns))
    assert fitted.schema_.names == table.schema.names and fitted.n_features_in_ == 10
    assert [(note.code, note.values["column"]) for note in fitted.notes_] == [
        ("M406", "note"),
        ("M407", "id"),
        ("M409", "one"),
        ("M410", "zip"),
        ("M408", "none"),
    ]
    assert noted(fitted.notes_, "M410", n_categories=256)
    with raises("M074", n_columns=5):
        clone(encoder).fit(Table(Schema(more), columns))


@pytest.mark.parametrize("encoder", ENCODERS, ids=shown)
def test_arrays_are_numbers(encoder: Any) -> None:
    X = np.random.default_rng(0).normal(size=(6, 3))
    X[2, 1] = np.nan
    fitted = clone(encoder).fit(X)
    np.testing.assert_array_equal(fitted.transform(X), X)
    assert fitted.get_feature_names_out().tolist() == ["x0", "x1", "x2"]
    with pytest.raises(ValueError, match="2 features"):
        fitted.transform(X[:, :2])


def sklearn_checks() -> Any:
    # A frame is read by the names and kinds of its columns, in any order, which scikit-learn's checks forbid.
    ours = {"check_dataframe_column_names_consistency", "check_dtype_object", "check_array_api_input"}
    for encoder in ENCODERS:
        for subject, check in estimator_checks_generator(encoder, legacy=True):
            if name_of(check) not in ours:
                yield pytest.param(subject, check, id=f"{shown(encoder)}-{name_of(check)}")


@pytest.mark.parametrize(("encoder", "check"), list(sklearn_checks()))
def test_scikit_learns_checks_on_arrays(encoder: Any, check: Any) -> None:
    check(encoder)


@pytest.mark.parametrize("encoder", ENCODERS, ids=shown)
def test_copies(encoder: Any) -> None:
    table, _ = mixed()
    fitted = clone(encoder).fit(table)
    loaded = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(loaded.transform(table), fitted.transform(table))
    named = clone(encoder).set_output(transform="pandas").fit(table).transform(table)
    assert named.columns.tolist() == fitted.get_feature_names_out().tolist()


@settings(max_examples=60, deadline=None)
@given(tables())
def test_properties(table: Table) -> None:
    for encoder in ENCODERS:
        fitted = clone(encoder).fit(table)
        X, names = fitted.transform(table), fitted.get_feature_names_out()
        assert len(names) == X.shape[1] == fitted.groups_[-1].last
        order = np.random.default_rng(0).permutation(table.n_rows)
        np.testing.assert_array_equal(fitted.transform(table.take(order)), X[order])
        turned = table.select(table.schema.names[::-1])
        np.testing.assert_array_equal(fitted.transform(turned), X)
        again = clone(encoder).fit(turned)
        by_name = {name: column for name, column in zip(names, X.T, strict=True)}
        for name, column in zip(again.get_feature_names_out(), again.transform(turned).T, strict=True):
            np.testing.assert_array_equal(column, by_name[name])
        for group in fitted.groups_:
            if group.type == "categorical" and isinstance(encoder, OneHot):
                assert np.isin(X[:, group.slice].sum(axis=1), [0, 1]).all()


def test_only_types_and_levels_decide_whether_a_table_fits() -> None:
    """Examples, counts and reasons of a schema may differ between files: nothing is read again for them."""
    table, _ = mixed()
    encoder = OneHot().fit(table)
    described = Schema(tuple(replace(column, reason="because", distinct=3) for column in table.schema))
    new = Table(described, table.columns)
    assert encoder.conform(new) is new


@pytest.mark.parametrize(("old", "today"), [("Levels", "OrdinalCodes"), ("Unread", "NoColumns")])
def test_old_names_of_encoders_still_work(old: str, today: str) -> None:
    with pytest.warns(FutureWarning) as caught:
        assert getattr(assay, old) is getattr(assay, today)
    assert [str(warning.message) for warning in caught] == [Note("M502", name=old, today=today)]
    assert old not in dir(assay)
