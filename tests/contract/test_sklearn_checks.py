"""scikit-learn's own suite on every estimator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from tests.contract.expected_failures import EXPECTED_FAILURES, NOT_RUN
from tests.contract.registry import clusterings, counting_estimators, estimators, shown


def name_of(check: Any) -> str:
    return name_of(check.func) if isinstance(check, partial) else str(check.__name__)


def cases() -> Iterator[Any]:
    for estimator in [*estimators(), *counting_estimators(), *clusterings()]:
        expected = EXPECTED_FAILURES.get(type(estimator).__name__, {})
        for subject, check in estimator_checks_generator(estimator, legacy=True):
            name = name_of(check)
            if name in NOT_RUN:
                continue
            marks = [pytest.mark.xfail(reason=expected[name], strict=True)] if name in expected else []
            yield pytest.param(subject, check, marks=marks, id=f"{shown(estimator)}-{name}")


@pytest.mark.parametrize(("estimator", "check"), list(cases()))
def test_scikit_learn_check(estimator: Any, check: Any) -> None:
    check(estimator)


def test_exceptions_name_estimators_and_give_reasons() -> None:
    known = {
        type(estimator).__name__ for estimator in [*estimators(), *counting_estimators(), *clusterings()]
    }
    assert set(EXPECTED_FAILURES) <= known
    assert all(reason for checks in EXPECTED_FAILURES.values() for reason in checks.values())
