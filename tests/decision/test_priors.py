"""Re-weighting to other priors: Bayes' rule by hand, round trips, classes never trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay.decision import check_log_posterior, check_priors, reweight, reweight_log
from tests.raised import Expected, raises

FloatArray = npt.NDArray[np.float64]


def simplex(shape: tuple[int, int]) -> st.SearchStrategy[FloatArray]:
    """Rows of positive numbers that sum to 1."""
    rows = hnp.arrays(np.float64, shape, elements=st.floats(0.01, 1))
    return rows.map(lambda a: a / a.sum(axis=1, keepdims=True))


@settings(deadline=None)
@given(simplex((5, 3)), simplex((2, 3)))
def test_equals_bayes_rule_with_the_new_priors(likelihood: FloatArray, priors: FloatArray) -> None:
    old, new = priors
    trained = likelihood * old
    trained /= trained.sum(axis=1, keepdims=True)
    direct = likelihood * new
    direct /= direct.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(reweight(trained, old, new), direct, rtol=1e-10)
    np.testing.assert_allclose(np.exp(reweight_log(np.log(trained), old, new)), direct, rtol=1e-10)
    np.testing.assert_allclose(reweight(reweight(trained, old, new), new, old), trained, rtol=1e-9)
    np.testing.assert_allclose(reweight(trained, old, old), trained, rtol=1e-12)


def test_input_is_not_changed() -> None:
    posterior = np.array([[0.5, 0.5]])
    logs = np.log(posterior)
    before = logs.copy()
    reweight(posterior, [0.5, 0.5], [0.9, 0.1])
    reweight_log(logs, [0.5, 0.5], [0.9, 0.1])
    np.testing.assert_array_equal(posterior, [[0.5, 0.5]])
    np.testing.assert_array_equal(logs, before)


def test_a_class_never_trained_stays_at_zero() -> None:
    posterior = [[0.5, 0.5, 0.0]]
    result = reweight(posterior, [0.5, 0.5, 0.0], [0.2, 0.2, 0.6])
    np.testing.assert_allclose(result, [[0.5, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        logs = reweight_log(np.log(posterior), [0.5, 0.5, 0.0], [0.2, 0.2, 0.6])
    np.testing.assert_allclose(np.exp(logs), result)
    for form in (reweight, reweight_log):
        with raises("L054"):
            form(np.zeros((1, 2)) if form is reweight_log else [[1.0, 0.0]], [1.0, 0.0], [0.0, 1.0])


def test_an_excluded_certainty_leaves_the_new_priors() -> None:
    expected = [[0.0, 0.25, 0.75]]
    np.testing.assert_allclose(reweight([[1.0, 0.0, 0.0]], [0.4, 0.3, 0.3], expected[0]), expected)
    logs = reweight_log([[0.0, -np.inf, -np.inf]], [0.4, 0.3, 0.3], expected[0])
    np.testing.assert_allclose(np.exp(logs), expected)


def test_log_form_keeps_what_the_linear_form_loses() -> None:
    logs = reweight_log([[0.0, -2000.0, -2001.0]], [0.4, 0.3, 0.3], [0.0, 0.5, 0.5])
    np.testing.assert_allclose(np.exp(logs), [[0, 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))]])


BAD: dict[str, tuple[Any, Expected]] = {
    "sum": ([0.5, 0.4], Expected("L050", total=0.9)),
    "negative": ([1.5, -0.5], Expected("L049", position=1, name="priors", value=-0.5)),
    "nan": ([np.nan, 0.5], Expected("L049", position=0, name="priors")),
    "inf": ([0.5, np.inf], Expected("L049", position=1, name="priors")),
    "length": ([0.2, 0.3, 0.5], Expected("L048", n_classes=2)),
    "shape": ([[0.5, 0.5]], Expected("L048", shape=(1, 2), n_classes=2)),
    "text": (["a", "b"], Expected("L055")),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_priors_are_one_sentence(case: str) -> None:
    priors, expected = BAD[case]
    with raises(expected):
        check_priors(priors, 2)
    with raises(expected.code, name="trained priors"):
        reweight([[0.5, 0.5]], priors, [0.5, 0.5])


def test_sum_tolerance() -> None:
    check_priors([0.5, 0.5 + 9e-7], 2)
    with raises("L050"):
        check_priors([0.5, 0.5 + 1.1e-6], 2)


def test_bad_log_posterior() -> None:
    with raises("L052", value=0.5):
        check_log_posterior([[0.0, -1.0], [-1.0, 0.5]])
    with raises("L052"):
        check_log_posterior([[np.nan, -1.0]])
