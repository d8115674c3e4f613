"""Together = alone: what is evaluated beside another gets its own scores, though the two differ in one thing only."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.pipeline import FeatureUnion, make_pipeline

from assay import (
    BasisExpansion,
    ChooseWords,
    GaussianNB,
    KFold,
    KNeighborsClassifier,
    MultinomialNB,
    OneHot,
    SelectColumns,
    TableClassifier,
    TextCounts,
    catalog,
    evaluate,
    learning_curve,
    nested,
    tune,
)
from tests.contract.registry import public_classifiers
from tests.raised import raises

Array = np.ndarray[Any, Any]
PLAN = KFold(3)
SIZES = [0.5, 1.0]
# Lists are long beyond the 30 items that scikit-learn prints, arrays beyond those that NumPy prints.
USEFUL, USELESS = [*range(1, 37), 0, 37, 38], [*range(1, 37), 40, 37, 38]
QUICK = {"random_forest": {"n_estimators": 3}, "gradient_boosting": {"max_iter": 3, "min_samples_leaf": 5}}


@pytest.fixture(autouse=True)
def numpy_prints_few_items() -> Any:
    with np.printoptions(threshold=5, edgeitems=1):
        yield


def counts() -> tuple[Array, Array]:
    """Whole numbers, so that every model can read them; column 0 tells the classes apart."""
    rng = np.random.default_rng(0)
    y = np.arange(48) % 2
    X = rng.integers(0, 3, (48, 41)).astype(np.float64)
    X[:, 0] += 3 * y
    return X, y


def catalogued(entry: Any) -> Any:
    model = entry.model()
    return model.set_params(**QUICK.get(entry.name, {}))


MODELS: dict[str, Any] = {
    **public_classifiers(),
    **{entry.name: catalogued(entry) for entry in catalog.cards()},
}
# With leaves of twenty rows, as by default, it would divide none of these tables.
MODELS["HistGradientBoostingClassifier"] = clone(MODELS["HistGradientBoostingClassifier"]).set_params(
    **QUICK["gradient_boosting"]
)


def column(number: int) -> Callable[[Array], Array]:
    def chosen(X: Array) -> Array:
        return X[:, [number, 1, 2]]

    return chosen


# What is tuned, and two values of it: the first keeps the informative column.
PAIRS: dict[str, tuple[Any, str, Any, Any]] = {
    "a long list": (SelectColumns(), "columns", USEFUL, USELESS),
    "a long array": (
        SelectColumns(),
        "columns",
        np.array([1, 2, 3, 0, 4, 5, 6, 7]),
        np.array([1, 2, 3, 40, 4, 5, 6, 7]),
    ),
    "a nested estimator": (
        FeatureUnion([("some", SelectColumns())]),
        "some",
        SelectColumns(USEFUL),
        SelectColumns(USELESS),
    ),
    "a function": (
        BasisExpansion("functions", functions=np.sqrt, include_original=False),
        "functions",
        column(0),
        column(40),
    ),
    "one number": (SelectColumns(), "columns", [0, 1, 2], [40, 1, 2]),
}


def same(one: Any, two: Any) -> None:
    """Two evaluations of the same thing; what is solved together agrees to the tolerance of its solver."""
    np.testing.assert_array_equal(one.tested.predicted, two.tested.predicted)
    np.testing.assert_allclose(one.tested.scores, two.tested.scores, rtol=1e-4, atol=1e-4)
    assert one.strategy == two.strategy


def in_doubt(found: Any) -> Any:
    """Rows of linear machines whose two best scores differ by less than the tolerance of the solver."""
    two = np.sort(found.tested.scores, axis=1)[:, -2:]
    return (np.diff(two)[:, 0] < 1e-3) & (found.strategy in ("path", "gram"))


@pytest.mark.parametrize("what", PAIRS)
@pytest.mark.parametrize("name", MODELS)
def test_pipelines_that_differ_in_one_thing(name: str, what: str) -> None:
    X, y = counts()
    step, parameter, *values = PAIRS[what]
    pipeline = make_pipeline(step, MODELS[name])
    ranges = {f"{pipeline.steps[0][0]}__{parameter}": values}
    pair = {
        str(place): clone(pipeline).set_params(**{full: value})
        for full in ranges
        for place, value in enumerate(values)
    }
    alone = [evaluate(model, X, y, PLAN) for model in pair.values()]
    if name not in ("PriorClassifier", "baseline"):  # which look at no column
        assert not np.allclose(alone[0].tested.scores, alone[1].tested.scores)
    for one, two in zip(evaluate(pair, X, y, PLAN).values(), alone, strict=True):
        same(one, two)
    if alone[0].strategy == "refit" and what != "one number":
        return  # nothing is shared: one pair goes the whole way
    for one, two in zip(tune(pipeline, X, y, plan=PLAN, **ranges).evaluations, alone, strict=True):
        same(one, two)
    inside = nested(pipeline, X, y, plan=PLAN, **ranges)
    for error, each in zip(inside.errors, alone, strict=True):
        assert abs(error - each.error) * len(y) <= in_doubt(each).sum() + 1e-9
    for split, chosen in enumerate(inside.chosen):
        tested = inside.evaluation.tested.split == split
        mine = alone[chosen].tested.split == split
        sure = ~in_doubt(alone[chosen])[mine]
        own = alone[chosen].tested.predicted[mine]
        np.testing.assert_array_equal(inside.evaluation.tested.predicted[tested][sure], own[sure])
    curves = learning_curve(pair, X, y, PLAN, sizes=SIZES)
    for key, model in pair.items():
        curve = learning_curve(model, X, y, PLAN, sizes=SIZES)
        for one, two in zip(curves[key].evaluations, curve.evaluations, strict=True):
            same(one, two)


def numbers(model: Any) -> dict[str, list[Any]]:
    """For each numeric parameter that has an effect its value and another one that is allowed."""
    found = {}
    for param in model.params:
        value = getattr(model, param.name)
        if param.kind not in ("float", "int") or value is None:
            continue
        kind = int if param.kind == "int" else float
        for other in map(kind, (2 * value, value + 1, value / 2, value + 0.5, value - 1)):
            if other != value and allowed(clone(model).set_params(**{param.name: other})):
                found[param.name] = [value, other]
                break
    return found


def allowed(model: Any) -> bool:
    try:
        model._check_params()
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", public_classifiers())
def test_models_that_differ_in_one_number(name: str) -> None:
    X, y = counts()
    model = MODELS[name]
    ranges = numbers(model)
    pairs = {
        f"{key}={value}": clone(model).set_params(**{key: value})
        for key, values in ranges.items()
        for value in values
    }
    together = evaluate(pairs, X[:, :6], y, PLAN) if pairs else {}
    for key, one in pairs.items():
        same(together[key], evaluate(one, X[:, :6], y, PLAN))


def test_tables_whose_steps_differ() -> None:
    X, y = counts()
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    pair = {
        str(place): TableClassifier(OneHot(), [SelectColumns(columns)], GaussianNB())
        for place, columns in enumerate((USEFUL, USELESS))
    }
    together = evaluate(pair, frame, y, PLAN)
    assert together["0"].error < together["1"].error
    for key, model in pair.items():
        same(together[key], evaluate(model, frame, y, PLAN))


def test_texts_whose_words_differ() -> None:
    texts = [f"{'good' if k % 2 else 'bad'} w{k % 5} w{k % 7}" for k in range(40)]
    y, words = np.arange(40) % 2, [f"z{j}" for j in range(40)]
    steps = {
        "informative": TextCounts(stop_words=[*words, "w1"]),
        "other": TextCounts(stop_words=[*words, "good", "bad"]),
        "one document": TextCounts(min_documents=1),
        "half of them": TextCounts(min_documents=0.5),
        "all": TextCounts(max_documents=1.0),
        "in one": TextCounts(min_documents=1, max_documents=30),
    }
    pipelines = {key: make_pipeline(step, MultinomialNB()) for key, step in steps.items()}
    together = evaluate(pipelines, texts, y, PLAN)
    assert together["informative"].error < together["other"].error
    for key, model in pipelines.items():
        same(together[key], evaluate(model, texts, y, PLAN))


def test_a_count_of_one_is_not_a_share_of_one() -> None:
    """min_documents=1 keeps every word, 1.0 those of all documents."""
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    X = csr_array(np.column_stack([np.ones(40), rng.integers(1, 3, 40), 3 * y, 2 - 2 * y]).astype(np.float64))
    pair = {str(least): make_pipeline(ChooseWords(least), MultinomialNB()) for least in (1, 1.0)}
    together = evaluate(pair, X, y, PLAN)
    assert together["1"].error == 0.0 < together["1.0"].error
    for key, model in pair.items():
        same(together[key], evaluate(model, X, y, PLAN))


def test_neighbours_of_many_columns() -> None:
    """More columns than NumPy prints of an array, at its own settings."""
    rng = np.random.default_rng(2)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 1203))
    X[:, 600] += 200.0 * y
    with np.printoptions(threshold=1000):
        columns = np.arange(1202)
        without = np.where(columns == 600, 1202, columns)
        pair = {
            key: make_pipeline(SelectColumns(c), KNeighborsClassifier())
            for key, c in (("with", columns), ("without", without))
        }
        together = evaluate(pair, X, y, PLAN)
    assert together["with"].error == 0.0 < together["without"].error


def test_a_setting_that_is_refused_alone_is_refused_together() -> None:
    X, y = counts()
    pair = {
        "refused": KNeighborsClassifier(3, metric="manhattan", algorithm="tree"),
        "longer": KNeighborsClassifier(5, metric="manhattan"),
    }
    with raises("M158"):
        evaluate(pair, X, y, PLAN)


MERGED = {name: model for name, model in public_classifiers().items() if hasattr(model, "merge")}


@pytest.mark.parametrize("name", MERGED)
def test_only_models_of_equal_parameters_merge(name: str) -> None:
    X, _ = counts()
    y = np.arange(48) % 8
    priors = np.full(8, 1 / 8)
    others = priors + np.array([0, 0, 0, 0.01, -0.01, 0, 0, 0])
    model = MERGED[name]
    ranges: dict[str, list[Any]] = numbers(model)
    if "priors" in model.get_params():
        ranges["priors"] = [priors, others]
    if "kinds" in model.get_params():
        ranges["kinds"] = [{f"c{j}": kind for j in range(41)} for kind in ("gaussian", "categorical")]
    assert ranges
    rows = pd.DataFrame(X, columns=[f"c{j}" for j in range(41)])
    for key, (value, other) in ranges.items():
        one, equal, different = (
            clone(model).set_params(**{key: deepcopy(each)}).fit(rows, y) for each in (value, value, other)
        )
        with raises("M010"):
            one.merge(different)
        assert one.merge(equal).class_count_.sum() == 96
