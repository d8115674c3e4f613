"""Decisions worked by hand, and properties over random posteriors and losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay.decision import (
    LossMatrix,
    decide,
    error_reject_curve,
    expected_risk,
    log_odds,
    mean_loss,
    threshold,
)
from tests.raised import Expected, raises

FloatArray = npt.NDArray[np.float64]


@st.composite
def posteriors(draw: st.DrawFn, n_classes: int | None = None) -> FloatArray:
    """Rows that sum to 1, with zeros, ties and tiny values."""
    k = n_classes or draw(st.integers(1, 6))
    n = draw(st.integers(1, 20))
    entry = st.one_of(st.sampled_from([0.0, 1.0, 1e-12]), st.floats(0, 1))
    raw = draw(hnp.arrays(np.float64, (n, k), elements=entry))
    raw[raw.sum(axis=1) < 1e-9] = 1.0
    result: FloatArray = raw / raw.sum(axis=1, keepdims=True)
    return result


def test_two_loss_matrices_two_decisions_by_hand() -> None:
    posterior = [[0.75, 0.25], [0.95, 0.05]]
    # Missing the illness costs 10, a false alarm 1: R(well) = 10 P(ill), R(ill) = P(well).
    strict = decide(posterior, [[0, 1], [10, 0]], classes=["well", "ill"])
    np.testing.assert_allclose(strict.risks, [[2.5, 0.75], [0.5, 0.95]])
    assert strict.labels.tolist() == ["ill", "well"]
    np.testing.assert_allclose(strict.risk, [0.75, 0.5])
    mild = decide(posterior, classes=["well", "ill"])
    assert mild.labels.tolist() == ["well", "well"]
    np.testing.assert_allclose(mild.risk, [0.25, 0.05])


def test_reject_by_hand() -> None:
    loss = LossMatrix.zero_one(["a", "b"], reject=0.3)
    decision = decide([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], loss)
    assert decision.actions.tolist() == ["a", "reject", "b"]
    assert decision.labels.tolist() == ["a", None, "b"]
    np.testing.assert_array_equal(decision.codes, [0, -1, 1])
    np.testing.assert_array_equal(decision.action_codes, [0, 2, 1])
    np.testing.assert_allclose(decision.risk, [0.1, 0.3, 0.2])
    assert decision.n_rejected == 1
    assert decision.codes.dtype == np.int32


def test_labels_keep_their_dtype_when_nothing_is_rejected() -> None:
    classes = np.array([10, 20], dtype=np.int16)
    decision = decide([[0.9, 0.1]], LossMatrix.zero_one(classes, reject=0.3), classes=classes)
    assert decision.labels.dtype == np.int16 and decision.actions.dtype == np.int16
    rejected = decide([[0.6, 0.4]], LossMatrix.zero_one(classes, reject=0.3))
    assert rejected.labels.dtype == object and rejected.labels[0] is None


def test_an_action_named_for_a_class_need_not_come_in_class_order() -> None:
    loss = LossMatrix.of([[5, 1, 0], [5, 0, 1]], ["a", "b"], actions=["ask", "b", "a"])
    decision = decide([[0.9, 0.1], [0.1, 0.9]], loss)
    np.testing.assert_array_equal(decision.codes, [0, 1])
    np.testing.assert_array_equal(decision.action_codes, [2, 1])


def test_risks_that_differ_by_rounding_are_equal() -> None:
    # Missing a bad one costs five times as much, and at 1/6 both actions have the risk 5/6.
    costs = LossMatrix.of([[0, 5], [1, 0]], ["bad", "good"])
    for bad in (1 / 6, np.nextafter(1 / 6, 0), np.nextafter(1 / 6, 1), float(np.exp(np.log(1 / 6)))):
        assert decide([[bad, 1 - bad]], costs).labels.tolist() == ["bad"]
    assert decide([[1 / 6 - 1e-9, 5 / 6 + 1e-9]], costs).labels.tolist() == ["good"]
    # Where all errors cost the same, the largest posterior is chosen, however small its lead.
    more = float(np.nextafter(0.5, 1))
    assert decide([[1 - more, more]], [[0, 3], [3, 0]]).codes.tolist() == [1]


def test_ties_go_to_the_first_action() -> None:
    assert decide([[0.5, 0.5]]).codes[0] == 0
    named = LossMatrix.of([[1, 0], [0, 1]], ["a", "b"], actions=["b", "a"])
    assert decide([[0.5, 0.5]], named).labels[0] == "b"
    reject_first = LossMatrix.of([[0.5, 0, 1], [0.5, 1, 0]], ["a", "b"], actions=["ask", "a", "b"])
    assert decide([[0.5, 0.5]], reject_first).actions[0] == "ask"


def test_priors_are_replaced_at_decision_time() -> None:
    posterior = [[0.6, 0.4]]
    decision = decide(posterior, priors=[0.2, 0.8], trained_priors=[0.5, 0.5])
    # 0.6 * 0.2 : 0.4 * 0.8 = 12 : 32
    np.testing.assert_allclose(decision.risks, [[32 / 44, 12 / 44]])
    assert decision.codes[0] == 1
    with raises("C033"):
        decide(posterior, priors=[0.2, 0.8])


@settings(deadline=None)
@given(posteriors())
def test_zero_one_is_the_largest_posterior(posterior: FloatArray) -> None:
    np.testing.assert_array_equal(decide(posterior).codes, posterior.argmax(axis=1))


def test_zero_one_is_exact_to_the_last_bit() -> None:
    low = 0.3
    high = np.nextafter(low, 1)
    posterior = np.array([[low, high, 1 - low - high], [1e-300, 1 - 1e-16, 1e-16]])
    np.testing.assert_array_equal(decide(posterior).codes, posterior.argmax(axis=1))


@settings(deadline=None)
@given(posteriors(), st.floats(0, 2))
def test_a_high_reject_cost_never_rejects(posterior: FloatArray, more: float) -> None:
    k = posterior.shape[1]
    loss = LossMatrix.zero_one(np.arange(k), reject=(k - 1) / k + more)
    decision = decide(posterior, loss)
    np.testing.assert_array_equal(decision.codes, posterior.argmax(axis=1))


@pytest.mark.parametrize("k", range(1, 60))
def test_equal_posteriors_at_the_critical_reject_cost(k: int) -> None:
    posterior = np.full((1, k), 1 / k)
    assert decide(posterior, LossMatrix.zero_one(np.arange(k), reject=(k - 1) / k)).codes[0] == 0
    if k > 1:
        assert decide(posterior, LossMatrix.zero_one(np.arange(k), reject=(k - 1) / k - 1e-9)).codes[0] == -1


@settings(deadline=None)
@given(st.data())
def test_permuting_classes_commutes(data: st.DataObject) -> None:
    posterior = data.draw(posteriors())
    k = posterior.shape[1]
    order = np.array(data.draw(st.permutations(range(k))), dtype=np.intp)
    cost = st.floats(0, 10)
    values = data.draw(hnp.arrays(np.float64, (k, k + 1), elements=cost))
    names = [f"class {i}" for i in range(k)]
    loss = LossMatrix.of(values, names, actions=[*names, "ask"])
    one = decide(posterior, loss)
    shuffled = [names[i] for i in order]
    two = decide(posterior[:, order], loss, classes=shuffled)
    np.testing.assert_allclose(one.risks, two.risks, atol=1e-12)
    np.testing.assert_allclose(one.risk, two.risk, atol=1e-12)
    ranked = np.sort(one.risks, axis=1)
    clear = ranked[:, 1] - ranked[:, 0] > 1e-9
    assert one.actions[clear].tolist() == two.actions[clear].tolist()


@settings(deadline=None)
@given(posteriors(n_classes=3))
def test_renaming_classes_renames_the_labels(posterior: FloatArray) -> None:
    values = [[0, 1, 2], [3, 0, 1], [1, 5, 0]]
    numbers = decide(posterior, values, classes=[1, 2, 3])
    words = decide(posterior, values, classes=["x", "y", "z"])
    np.testing.assert_array_equal(np.array(["", "x", "y", "z"])[numbers.labels], words.labels)


@settings(deadline=None)
@given(st.data())
def test_the_chosen_risk_is_the_least(data: st.DataObject) -> None:
    posterior = data.draw(posteriors(n_classes=3))
    values = data.draw(hnp.arrays(np.float64, (3, 5), elements=st.floats(-100, 100)))
    loss = LossMatrix.of(values, [0, 1, 2], actions=[0, "ask", 2, "reject", 1])
    decision = decide(posterior, loss)
    brute = np.array([[sum(p[k] * values[k, a] for k in range(3)) for a in range(5)] for p in posterior])
    np.testing.assert_allclose(decision.risks, brute, atol=1e-10)
    np.testing.assert_allclose(decision.risk, brute.min(axis=1), atol=1e-10)


@settings(deadline=None)
@given(posteriors(n_classes=2), st.floats(0, 50), st.floats(0.01, 50))
def test_threshold_is_the_decision(posterior: FloatArray, false_one: float, false_zero: float) -> None:
    loss = [[0, false_one], [false_zero, 0]]
    cut = threshold(loss)
    clear = np.abs(posterior[:, 1] - cut) > 1e-9
    np.testing.assert_array_equal((posterior[:, 1] > cut)[clear], (decide(posterior, loss).codes == 1)[clear])


def test_threshold_by_hand() -> None:
    assert threshold(None) == 0.5
    assert threshold([[0, 1], [3, 0]]) == 0.25
    assert threshold([[-1, 1], [3, 1]]) == 0.5
    swapped = LossMatrix.of([[1, 0], [0, 3]], ["a", "b"], actions=["b", "a"])
    assert threshold(swapped) == 0.25


@settings(deadline=None)
@given(posteriors(n_classes=2))
def test_log_odds_above_zero_is_more_than_half(posterior: FloatArray) -> None:
    odds = log_odds(posterior)
    np.testing.assert_array_equal(odds > 0, posterior[:, 1] > posterior[:, 0])
    assert not np.isnan(odds).any()


def test_error_reject_curve_by_hand() -> None:
    posterior = [[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.2, 0.8]]
    curve = error_reject_curve(posterior, [0, 1, 1, 0])
    np.testing.assert_allclose(curve.thresholds, [0.6, 0.8, 0.9])
    np.testing.assert_allclose(curve.accepted, [4, 2, 1])
    np.testing.assert_allclose(curve.errors, [2, 1, 0])
    np.testing.assert_allclose(curve.reject_rate, [0, 0.5, 0.75])
    np.testing.assert_allclose(curve.error, [0.5, 0.5, 0])


@settings(deadline=None)
@given(st.data())
def test_error_reject_curve_agrees_with_decisions(data: st.DataObject) -> None:
    posterior = data.draw(posteriors(n_classes=3))
    n = len(posterior)
    codes = data.draw(hnp.arrays(np.int32, n, elements=st.integers(0, 2)))
    weight = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 3)))
    weight[0] = max(weight[0], 1)
    curve = error_reject_curve(posterior, codes, weight)
    again = error_reject_curve(np.repeat(posterior, weight, axis=0), np.repeat(codes, weight))
    for name in ("thresholds", "reject_rate", "error", "accepted", "errors"):
        np.testing.assert_allclose(getattr(curve, name), getattr(again, name), atol=1e-12)
    confidence, wrong = posterior.max(axis=1), posterior.argmax(axis=1) != codes
    for cut, accepted, errors in zip(curve.thresholds, curve.accepted, curve.errors, strict=True):
        assert accepted == weight[confidence >= cut].sum()
        assert errors == weight[(confidence >= cut) & wrong].sum()


def test_mean_of_the_risk_is_the_expected_mean_loss() -> None:
    rng = np.random.default_rng(5)
    posterior = rng.dirichlet([1, 1, 1], size=40_000)
    draws = rng.random(len(posterior))[:, None]
    codes = np.minimum((posterior.cumsum(axis=1) < draws).sum(axis=1), 2)
    loss = LossMatrix.of(
        [[0, 4, 1, 0.8], [2, 0, 1, 0.8], [9, 1, 0, 0.8]], [0, 1, 2], actions=[0, 1, 2, "ask"]
    )
    decision = decide(posterior, loss)
    assert mean_loss(codes, decision.action_codes, loss) == pytest.approx(decision.risk.mean(), abs=0.02)


BAD: dict[str, tuple[Any, dict[str, Any], Expected]] = {
    "one dimension": ([0.5, 0.5], {}, Expected("L053", shape=(2,))),
    "empty": (np.empty((0, 2)), {}, Expected("L053", shape=(0, 2))),
    "no class": (np.empty((2, 0)), {}, Expected("L053", shape=(2, 0))),
    "text": ([["a", "b"]], {}, Expected("L056")),
    "sum": ([[0.5, 0.5], [0.5, 0.4]], {}, Expected("L051", row=1, total=0.9)),
    "negative": ([[1.5, -0.5]], {}, Expected("N702", row=0, value=-0.5)),
    "nan": ([[0.5, 0.5], [np.nan, 0.5]], {}, Expected("N702", row=1)),
    "inf": ([[np.inf, 0.5]], {}, Expected("N702", row=0)),
    "loss shape": (
        [[0.5, 0.5]],
        {"loss": [[0, 1, 2], [1, 0, 2]]},
        Expected("L030", shape=(2, 3), n_labels=2),
    ),
    "classes": ([[0.5, 0.5]], {"classes": ["a", "b", "c"]}, Expected("L060", n_classes=3, n_columns=2)),
    "larger matrix": (
        [[0.5, 0.5]],
        {"loss": LossMatrix.zero_one(["a", "b", "c"])},
        Expected("L060", n_classes=3),
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(case: str) -> None:
    posterior, options, expected = BAD[case]
    with raises(expected):
        decide(posterior, **options)
    with raises(expected):
        expected_risk(posterior, **options)


def test_bad_two_class_forms() -> None:
    with raises("L057", n_classes=3):
        log_odds([[0.2, 0.3, 0.5]])
    with raises("L059"):
        threshold([[1, 0], [0, 1]])
    with raises("L059"):
        threshold([[1, 1], [1, 1]])
    for loss in (LossMatrix.zero_one([1, 2, 3]), LossMatrix.zero_one([1, 2], reject=0.1)):
        with raises("L058"):
            threshold(loss)
