"""Digests of values: equal in every process where the values are equal, and only there."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from assay.numerics.value_digest import value_digest

ELSEWHERE = """
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from assay.numerics.value_digest import value_digest
print(value_digest(make_pipeline(StandardScaler(), LogisticRegression(C=0.5, class_weight={"a": 2.0}))))
"""


def test_another_process_finds_the_same_digest() -> None:
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=0.5, class_weight={"a": 2.0}))
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == value_digest(pipeline)


def test_one_changed_parameter_is_another_value() -> None:
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    assert value_digest(plain) != value_digest(make_pipeline(StandardScaler(), LogisticRegression(C=2.0)))
    assert value_digest(plain) != value_digest(
        make_pipeline(StandardScaler(with_mean=False), LogisticRegression())
    )
    assert value_digest(plain) == value_digest(make_pipeline(StandardScaler(), LogisticRegression()))


IN_A_SET = """
from assay.numerics.value_digest import value_digest
print(value_digest(eval("lambda x: x in {'a', 'b', 'c', 'd', 'e'}")))
"""


def test_constants_of_a_function_have_the_same_digest_in_any_order() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", IN_A_SET],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(digests) == 1


def test_functions_are_told_apart_by_what_they_do() -> None:
    first, same, other = (
        FunctionTransformer(eval(text)) for text in ("lambda x: x + 1", "lambda x: x + 1", "lambda x: x + 2")
    )
    assert value_digest(first) == value_digest(same) != value_digest(other)


def test_kinds_and_borders_of_values_are_told_apart() -> None:
    values = [
        1,
        1.0,
        True,
        "1",
        b"1",
        None,
        (1,),
        [1],
        {1},
        {1: 2},
        [[1], [2]],
        [[1, 2]],
        np.array([1]),
        np.array([1.0]),
    ]
    assert len({value_digest(value) for value in values}) == len(values)
    assert value_digest({"b", "a"}) == value_digest({"a", "b"})
