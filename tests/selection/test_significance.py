"""Is the difference real? The three answers, and the words for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    Evaluation,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    PriorClassifier,
    evaluate,
    significance,
)
from assay.decision import corrected_resampled_t, practical
from assay.selection.significance import paired_t_test
from tests.raised import raises
from tests.selection.grouped import copied
from tests.selection.populations import draw

X, y = load_iris(return_X_y=True)
MODELS = {"naive": GaussianNB(), "shared": GaussianClassifier("shared"), "again": GaussianNB()}


def test_a_published_comparison_of_two_machines() -> None:
    """The worked example of scikit-learn's guide: corrected t 0.750, one-sided p 0.227, equivalence 0.432."""
    rows, labels = make_moons(noise=0.352, random_state=1, n_samples=100)
    plan = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    area: dict[str, list[float]] = {"linear": [], "rbf": []}
    for train, held in plan.split(rows, labels):
        for kernel, found in area.items():
            scores = SVC(kernel=kernel).fit(rows[train], labels[train]).decision_function(rows[held])
            found.append(roc_auc_score(labels[held], scores))
    test = corrected_resampled_t(np.array(area["rbf"]) - np.array(area["linear"]), 90, 10)
    assert test.t == pytest.approx(0.750, abs=5e-4) and test.p_value / 2 == pytest.approx(0.227, abs=5e-4)
    three = practical(test.mean, test.standard_error, 99, 0.01)
    assert three.within == pytest.approx(0.432, abs=5e-4)


@pytest.mark.parametrize("plan", [KFold(10), KFold(5, repeats=3), LeaveOneOut(), HoldOut(0.5), Bootstrap(20)])
def test_every_plan_has_an_answer(plan: Any) -> None:
    found = evaluate(MODELS, X, y, plan)
    test = significance(found["naive"], found["shared"])
    assert test.difference == pytest.approx(found["naive"].error - found["shared"].error)
    assert sum(test.practical[:3]) == pytest.approx(1.0)
    assert {"naive", "shared"} <= set(map(str, test.verdict.values.values()))
    assert (test.splits is None) == (found["naive"].n_splits == 1)
    same = significance(found["naive"], found["again"])  # on all rows, of which one alone is most of a point
    assert 0.5 < same.practical.within < 0.95
    assert same.verdict.code == "C148"


def test_models_that_agree_are_the_same_where_rows_are_many_enough_to_say_so() -> None:
    rows, labels = np.tile(X, (4, 1)), np.tile(y, 4)
    found = evaluate(MODELS, rows, labels, KFold(10))
    same = significance(found["naive"], found["again"])
    assert same.kind == "same" and same.practical.within > 0.99
    assert (same.verdict.code, same.verdict.values["probability"]) == ("C141", same.practical.within)
    few = evaluate(MODELS, X[::10], y[::10], KFold(3))
    assert significance(few["naive"], few["again"]).practical.within < 0.2


def test_mcnemar_counts_rows_that_one_alone_gets_wrong() -> None:
    found = evaluate(MODELS, X, y, KFold(10))
    wrong = {name: each.predicted != each.truth for name, each in found.items()}
    test = significance(found["naive"], found["shared"]).mcnemar
    assert test is not None
    assert test.one_alone == (wrong["naive"] & ~wrong["shared"]).sum()
    assert test.other_alone == (~wrong["naive"] & wrong["shared"]).sum()


def test_weights_and_losses_have_no_mcnemar() -> None:
    loss = np.array([[0, 1, 5], [1, 0, 1], [1, 1, 0]], dtype=float)
    weighted = evaluate(MODELS, X, y, KFold(5), sample_weight=np.linspace(1, 2, len(y)))
    costly = evaluate(MODELS, X, y, KFold(5), loss=loss)
    assert significance(weighted["naive"], weighted["shared"]).mcnemar is None
    test = significance(costly["naive"], costly["shared"])
    assert test.mcnemar is None and test.practical.margin == 0.05
    assert test.difference == pytest.approx(costly["naive"].mean_loss() - costly["shared"].mean_loss())


def test_a_clear_winner_is_named_first_whichever_is_asked() -> None:
    generator = np.random.default_rng(0)
    labels = np.repeat([0, 1], 500)
    rows = generator.normal(size=(1000, 2)) * np.where(labels, 4.0, 1.0)[:, None]
    found = evaluate({"full": GaussianClassifier(), "plane": GaussianClassifier("shared")}, rows, labels)
    for one, other in (("full", "plane"), ("plane", "full")):
        verdict = significance(found[one], found[other]).verdict
        assert (verdict.code, verdict.values["better"], verdict.values["worse"]) == ("C143", "full", "plane")
        assert verdict.values["probability"] > 0.99 and verdict.values["margin"] == 0.01


def test_a_single_row_apart_is_no_evidence() -> None:
    found = evaluate(MODELS, X[:100], y[:100] % 2 == np.arange(100) % 2, KFold(5))
    test = significance(found["naive"], found["shared"], margin=0.0)
    assert test.verdict.code in ("C147", "C148")
    assert test.verdict.values["tests"] == test.p_values and list(test.p_values) == [
        "corrected t-test",
        "McNemar",
    ]


def test_different_splits_are_refused() -> None:
    one, other = evaluate(GaussianNB(), X, y, KFold(10)), evaluate(GaussianNB(), X, y, KFold(5))
    with raises("S088"):
        significance(one, other)


def test_the_rows_test_is_the_paired_one() -> None:
    found = evaluate(MODELS, X, y, HoldOut(0.5))
    assert significance(found["naive"], found["shared"]).rows == paired_t_test(
        found["naive"], found["shared"]
    )


def test_only_evaluations_can_be_held_against_each_other() -> None:
    with raises("S127", TypeError, result=0.1):
        significance(0.1, 0.2)  # type: ignore[arg-type]


class TestPaired:
    def both(self, plan: Any, **more: Any) -> tuple[Evaluation, Evaluation]:
        X, y = draw([0.5, 0.5], 120, 12)
        models = {"a": GaussianClassifier("shared"), "b": PriorClassifier()}
        found = evaluate(models, X, y, plan, **more)
        return found["a"], found["b"]

    def test_it_is_the_paired_t_test_over_rows(self) -> None:
        from scipy import stats

        for plan in (HoldOut(0.5), KFold(5)):
            a, b = self.both(plan)
            test, theirs = paired_t_test(b, a), stats.ttest_rel(b.losses(), a.losses())
            assert test.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
            assert test.mean == pytest.approx(b.error - a.error)
            assert tuple(test.interval) == pytest.approx(tuple(theirs.confidence_interval(0.95)))

    def test_repeats_do_not_multiply_rows(self) -> None:
        once, often = (paired_t_test(*reversed(self.both(KFold(5, repeats=r)))) for r in (1, 8))
        assert 0.5 < often.standard_error / once.standard_error < 1.5

    def test_rows_weigh_as_the_priors_say(self) -> None:
        a, b = self.both(KFold(5), priors=[0.8, 0.2])
        assert paired_t_test(b, a).mean == pytest.approx(b.error - a.error)

    def test_no_difference_and_other_rows(self) -> None:
        a, _ = self.both(KFold(5))
        assert paired_t_test(a, a)[:3] == (0.0, 0.0, 1.0)
        with raises("S125"):
            paired_t_test(a, self.both(HoldOut(0.5))[0])


def test_differences_are_tested_by_groups() -> None:
    X, y, groups = copied()
    models = {"naive": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    together = evaluate(models, X, y, KFold(5), groups=groups, progress=False)
    once = {name: each.losses()[::4] for name, each in together.items()}
    test = significance(*together.values())
    single = once["naive"] - once["tree"]
    assert test.difference == pytest.approx(single.mean())
    assert test.rows.standard_error == pytest.approx(single.std(ddof=1) / np.sqrt(60))
    assert test.mcnemar is None


def test_a_tested_part_of_one_group_has_no_interval_to_speak_of() -> None:
    X, y, groups = copied()
    one = [(np.flatnonzero(groups > 0), np.flatnonzero(groups == 0))]
    found = evaluate(GaussianNB(), X, y, one, progress=False)

    alone = replace(found, groups=groups)
    assert np.subtract(*alone.error_interval[::-1]) > 0.6
    assert alone.interval("loss") == (0.0, 1.0)
    with raises("S126"):
        significance(alone, alone)
