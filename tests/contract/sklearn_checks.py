"""scikit-learn's own suite as cases of a test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from tests.contract.expected_failures import NOT_RUN
from tests.contract.registry import shown


def name_of(check: Any) -> str:
    return name_of(check.func) if isinstance(check, partial) else str(check.__name__)


def check_cases(estimators: Iterable[Any], failures: Mapping[str, Mapping[str, str]]) -> Iterator[Any]:
    """Every estimator with every check; `failures` gives, by class and check, why a check has to fail."""
    for estimator in estimators:
        expected = failures.get(type(estimator).__name__, {})
        for subject, check in estimator_checks_generator(estimator, legacy=True):
            name = name_of(check)
            if name in NOT_RUN:
                continue
            marks = [pytest.mark.xfail(reason=expected[name], strict=True)] if name in expected else []
            yield pytest.param(subject, check, marks=marks, id=f"{shown(estimator)}-{name}")
