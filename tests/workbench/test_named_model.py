"""Models as command lines name them."""

from __future__ import annotations

import pytest

from assay.workbench.named_model import named_model
from assay.workbench.problem import read_problem
from tests.raised import raises


def test_settings_of_an_entry_and_of_what_it_fixes() -> None:
    plain = named_model("linear_svm")
    assert plain.classifier.estimator.solver == "exact" and plain.title == "Linear SVM"
    descent = named_model("linear_svm", ["solver=sgd", "first_epoch=3"])
    assert descent.classifier.estimator.get_params()["first_epoch"] == 3
    assert descent.setting["solver"] == "sgd" and descent.loss is None


@pytest.mark.parametrize("settings", [["epochs=3"], ["lr=3"]])
def test_names_that_have_no_effect_or_do_not_exist(settings: list[str]) -> None:
    with raises("M510"):
        named_model("linear_svm", settings)


def test_a_table_that_the_model_does_not_read() -> None:
    problem = read_problem({"town": list("abcabcabcd") * 3, "class": [0, 1] * 15})
    with raises("C050", model="multinomial_nb"):
        named_model("multinomial_nb").on(problem)
