"""What the report says about a support vector machine: margin, support vectors and C."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_iris

from assay.charts.document import Facts
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.interpretation import interpretation_section
from assay.notes.numbers import count, number
from tests.commands.compare.page import cases


@cache
def iris(name: str, classes: int) -> Comparison:
    bunch = load_iris()
    X, y = bunch.data[bunch.target < classes], bunch.target[bunch.target < classes]
    rows = cases.table(X, [str(bunch.target_names[k]) for k in y], ["a", "b", "c", "d"], "species")
    return compare(rows, "species", candidates=["baseline", name], plan=4, progress=False)


def facts(found: Comparison) -> dict[str, str]:
    section = interpretation_section(PageContext(found))
    assert section is not None
    return {name: value for part in section.parts if isinstance(part, Facts) for name, value in part.rows}


@pytest.mark.parametrize("name", ["linear_svm", "calibrated_svm", "kernel_svm"])
def test_support_vectors_and_c_are_those_of_the_machine(name: str) -> None:
    found = iris(name, 2)
    machine = found.best.model_
    machine = getattr(machine, "model_", machine)
    said = facts(found)
    assert said["Support vectors"].startswith(f"{count(len(machine.support_))} of 100 rows")
    l2 = found.results[name].setting["l2"]
    assert machine.C_ == pytest.approx(1 / (l2 * 100))
    assert said["C = 1 / (l2 N)"] == f"{number(machine.C_)}, with l2 = {number(l2)}"


def test_two_classes_have_one_margin_and_more_have_one_each() -> None:
    two = iris("linear_svm", 2)
    margin = 1 / np.linalg.norm(two.best.model_.coef_)
    assert facts(two)["Margin 1 / |a|, on scaled columns"] == number(float(margin))
    three = facts(iris("linear_svm", 3))
    assert [name for name in three if name.startswith("Margin of")] == [
        f"Margin of {name} against the rest" for name in ("setosa", "versicolor", "virginica")
    ]


def test_other_models_have_none() -> None:
    assert not facts(cases.penalised())
