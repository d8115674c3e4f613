"""scikit-learn's own suite on every estimator."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.expected_failures import EXPECTED_FAILURES
from tests.contract.registry import clusterings, counting_estimators, estimators
from tests.contract.sklearn_checks import check_cases

ESTIMATORS = [*estimators(), *counting_estimators(), *clusterings()]


@pytest.mark.parametrize(("estimator", "check"), list(check_cases(ESTIMATORS, EXPECTED_FAILURES)))
def test_scikit_learn_check(estimator: Any, check: Any) -> None:
    check(estimator)


def test_exceptions_name_estimators_and_give_reasons() -> None:
    known = {type(estimator).__name__ for estimator in ESTIMATORS}
    assert set(EXPECTED_FAILURES) <= known
    assert all(reason for checks in EXPECTED_FAILURES.values() for reason in checks.values())
