"""Plans, times, types and settings as people write them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from assay.catalog import entry
from assay.models.base.params import PRIORS, Param
from assay.models.mixture.gaussian_mixture import GAUSSIAN_MIXTURE
from assay.plans import Bootstrap, HoldOut, KFold, LeaveOneOut, TrainValidationTest
from assay.workbench.syntax.duration import parse_budget, parse_duration
from assay.workbench.syntax.plan import format_plan, parse_plan, stratified_text
from assay.workbench.syntax.settings import parse_settings, parse_types, parse_value
from tests.raised import Expected, raises, warns

PARAMS = (
    Param("l2", "float", 0.0, "penalty", low=0.0),
    Param("depth", "int", None, "levels", low=1, optional=True),
    Param("covariance", "choice", "full", "shape", choices=("full", "shared")),
    Param("flag", "bool", False, "switch"),
    Param("columns", "columns", None, "which", optional=True),
    PRIORS,
)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("kfold:10", KFold(10, stratified="rare", random_state=7)),
        ("kfold", KFold(10, stratified="rare", random_state=7)),
        ("KFold:5x3", KFold(5, repeats=3, stratified="rare", random_state=7)),
        ("kfold:10:stratified", KFold(10, random_state=7)),
        ("kfold:5x3:stratified", KFold(5, repeats=3, random_state=7)),
        ("loo", LeaveOneOut()),
        ("holdout:0.3", HoldOut(0.3, random_state=7)),
        ("bootstrap:100", Bootstrap(100, random_state=7)),
        ("split:60/20/20", TrainValidationTest((0.6, 0.2, 0.2), random_state=7)),
        ("split", TrainValidationTest((0.6, 0.2, 0.2), random_state=7)),
    ],
)
def test_plans(text: str, plan: Any) -> None:
    assert parse_plan(text, 7) == plan


@pytest.mark.parametrize(
    "text",
    [
        "kfold:10",
        "kfold:5x3",
        "kfold:5x3:stratified",
        "loo",
        "holdout:0.3",
        "holdout:1e-05",
        "bootstrap:100",
        "split:60/20/20",
        "split:70/12.5/17.5",
    ],
)
def test_plans_are_spelled_as_they_are_read(text: str) -> None:
    assert format_plan(parse_plan(text, 3)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("kfold:5x3", "kfold:5x3"), ("kfold", "kfold:10"), ("KFold:4:stratified", "kfold:4")],
)
def test_folds_become_stratified(text: str, expected: str) -> None:
    assert stratified_text(text) == f"{expected}:stratified"


def test_other_schemes_have_no_such_folds() -> None:
    with raises("O035", text="holdout:0.3"):
        stratified_text("holdout:0.3")


def test_a_plan_without_a_text_speaks_for_itself() -> None:
    assert format_plan(HoldOut(5)) == repr(HoldOut(5))
    assert format_plan(KFold(5, stratified=False)) == repr(KFold(5, stratified=False))


@pytest.mark.parametrize(
    "text", ["", "fold:3", "kfold:x", "kfold:3x", "kfold:3:even", "loo:3", "holdout:3", "bootstrap:1.5"]
)
def test_wrong_plans_are_one_sentence(text: str) -> None:
    with raises("O023"):
        parse_plan(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("split:60/40", Expected("O024")),
        ("split:0.6/0.2/0.2x", Expected("O024")),
        ("split:60/20/30", Expected("O025", total=110.0)),
        ("split:80/20/0", Expected("O025")),
    ],
)
def test_wrong_parts_are_one_sentence(text: str, expected: Expected) -> None:
    with raises(expected):
        parse_plan(text)


def test_a_plan_checks_its_own_numbers() -> None:
    with raises("O031"):
        parse_plan("kfold:1")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("10m", 600), ("10 min", 600), ("1.5h", 5400), ("1h30m", 5400), ("0.5", 0.5)],
)
def test_times(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-5", "ten", "10x", "10m and more", "m"])
def test_wrong_times_are_one_sentence(text: str) -> None:
    with raises("O026"):
        parse_duration(text)


def test_types() -> None:
    assert parse_types(["zip=categorical", "a=b=text"]) == {"zip": "categorical", "a=b": "text"}
    for texts, expected in (
        (["zip"], Expected("O030", form="column=type")),
        (["=text"], Expected("O030", form="column=type")),
        (["a=text", "a=date"], Expected("O033")),
    ):
        with raises(expected):
            parse_types(texts)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("l2=0.1", 0.1),
        ("l2=1e-3", 1e-3),
        ("depth=3", 3),
        ("depth=none", None),
        ("covariance=shared", "shared"),
        ("flag=true", True),
        ("flag=no", False),
        ("columns=0,age", [0, "age"]),
        ("priors=uniform", "uniform"),
        ("priors=0.2,0.8", [0.2, 0.8]),
    ],
)
def test_settings(text: str, value: Any) -> None:
    assert parse_settings("ridge", PARAMS, [text]) == {text.partition("=")[0]: value}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["l3=1"], Expected("M510", owner="ridge", name="l3")),
        (["zzz=1"], Expected("M510", owner="ridge", name="zzz")),
        (
            ["l2=-1"],
            Expected("M023", owner="ridge", name="l2", value=-1.0, expectation="a number of at least 0"),
        ),
        (
            ["l2=much"],
            Expected("M023", owner="ridge", name="l2", value="much", expectation="a number of at least 0"),
        ),
        (["l2=none"], Expected("M023", owner="ridge", name="l2", value="none")),
        (["depth=1.5"], Expected("M023", owner="ridge", name="depth", value="1.5")),
        (["covariance=round"], Expected("M023", value="round", expectation="one of 'full', 'shared'")),
        (["flag=maybe"], Expected("M023", value="maybe", expectation="True or False")),
        (["priors=some"], Expected("M023", name="priors", value="some")),
        (["l2"], Expected("O030", form="name=value")),
        (["l2=1", "l2=2"], Expected("O034", name="l2")),
    ],
)
def test_wrong_settings_are_one_sentence(texts: list[str], expected: Expected) -> None:
    with raises(expected):
        parse_settings("ridge", PARAMS, texts)


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [(None, None), ("none", None), (" None ", None), ("10s", 10), (90, 90), (0.5, 0.5), (np.float32(2), 2)],
)
def test_budgets(budget: Any, seconds: float | None) -> None:
    assert parse_budget(budget) == seconds


@pytest.mark.parametrize("budget", [0, -1, True, float("nan"), [10], timedelta(seconds=3)])
def test_wrong_budgets_are_one_sentence(budget: Any) -> None:
    with raises("O027", budget=budget):
        parse_budget(budget)


def test_a_text_that_is_no_duration_is_one_sentence() -> None:
    with raises("O026", text="soon"):
        parse_budget("soon")


def test_sizes_of_layers_are_a_list() -> None:
    from assay.models.network.multi_layer import MULTI_LAYER

    assert parse_settings("network", MULTI_LAYER, ["hidden=64,32"]) == {"hidden": (64, 32)}
    with raises("M023", name="hidden", value="wide"):
        parse_settings("network", MULTI_LAYER, ["hidden=wide"])


def test_amounts_are_numbers_of_rows_or_shares() -> None:
    params = [Param("min_documents", "amount", 1, "documents")]
    assert parse_settings("nb", params, ["min_documents=3"]) == {"min_documents": 3}
    assert parse_settings("nb", params, ["min_documents=0.5"]) == {"min_documents": 0.5}
    with raises("M023", name="min_documents", value="few"):
        parse_settings("nb", params, ["min_documents=few"])


def test_the_width_of_a_kernel_is_a_word_or_a_number() -> None:
    (gamma,) = (param for param in entry("kernel_svm").free_parameters() if param.name == "gamma")
    assert [parse_value(gamma, text) for text in ("scale", "auto", "1e-6")] == ["scale", "auto", 1e-6]


def test_old_names_of_parameters_are_read_with_a_warning() -> None:
    with warns("M500", name="n_blobs", today="n_components"):
        assert parse_settings("gaussian_mixture", GAUSSIAN_MIXTURE, ["n_blobs=3"]) == {"n_components": 3}
    with pytest.warns(FutureWarning), raises("O034", name="n_components"):
        parse_settings("gaussian_mixture", GAUSSIAN_MIXTURE, ["n_components=2", "n_blobs=3"])
