"""A comparison under priors speaks of a population with these class shares, and so does the model it ends with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay import KFold, compare, load, save
from assay.commands.compare.comparison import Comparison
from assay.commands.evaluate.job import evaluate_model
from assay.commands.predict.job import Predictions
from assay.workbench.experiment.reproduce import predict_commands
from tests.raised import raises

CANDIDATES = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]
PRIORS = {"no": 0.95, "yes": 0.05}


def drawn(shares: tuple[float, float], rows: int, seed: int) -> pd.DataFrame:
    """Two overlapping classes in exactly these shares."""
    rng = np.random.default_rng(seed)
    ill = np.repeat([0, 1], np.round(np.multiply(shares, rows)).astype(int))
    age, dose = rng.normal(size=(2, len(ill))) + ill * np.array([[1.5], [0.5]])
    return pd.DataFrame({"age": age, "dose": dose, "ill": np.where(ill == 1, "yes", "no")})


@pytest.fixture(scope="module")
def found() -> Comparison:
    table = drawn((0.5, 0.5), 1600, 1)
    return compare(table, "ill", priors=PRIORS, plan=KFold(5), candidates=CANDIDATES, progress=False)


def test_the_estimate_agrees_with_a_large_sample_of_the_population(found: Comparison) -> None:
    new = drawn((0.95, 0.05), 100_000, 2)
    for name in ("gaussian_shared", "decision_tree"):
        real = float(np.mean(found.fit(name).predict(new.drop(columns="ill")) != new["ill"].to_numpy()))
        standing = next(each for each in found.leaderboard if each.name == name)
        assert standing.error == pytest.approx(real, abs=0.008)
        assert standing.error_interval[0] < real < standing.error_interval[1]
        assert found.results[name].curve[-1].error == pytest.approx(standing.error)
        assert found.results[name].curve[0].error < 0.2  # the sample's shares would give 0.25
    real = float(np.mean(found.predict(new.drop(columns="ill")) != new["ill"].to_numpy()))
    assert found.nested_error == pytest.approx(real, abs=0.008)
    baseline = next(each for each in found.leaderboard if each.name == "baseline")
    assert baseline.error == pytest.approx(0.05)


def test_priors_that_are_the_shares_choose_and_say_the_same() -> None:
    table = drawn((0.6, 0.4), 200, 3)
    plain, same = (
        compare(table, "ill", priors=p, plan=KFold(4), candidates=CANDIDATES, progress=False)
        for p in (None, {"no": 0.6, "yes": 0.4})
    )
    assert list(plain.results) == list(same.results)
    for one, other in zip(plain.leaderboard, same.leaderboard, strict=True):
        assert other.error == pytest.approx(one.error) and other.setting == one.setting
        assert other.error_interval == pytest.approx(one.error_interval)


@pytest.mark.parametrize("name", ["gaussian_shared", "decision_tree"])
def test_the_model_keeps_the_priors(found: Comparison, name: str, tmp_path: Path) -> None:
    new = drawn((0.95, 0.05), 500, 4).drop(columns="ill")
    model = found.fit(name)
    plain = found.bench.classifier(found.results[name].entry, found.results[name].setting)
    problem = found.bench.problem
    plain.fit(problem.features, problem.classes[problem.codes])
    odds = plain.predict_proba(new) * np.divide(list(PRIORS.values()), plain.class_prior_)
    expected = odds / odds.sum(axis=1, keepdims=True)
    tied = np.isclose(*plain.predict_proba(new).T)  # leaves of as many rows of either class
    assert tied.sum() < 50
    for fitted in (model, load(save(model, tmp_path / "m.assay"))):
        assert fitted.predict_proba(new) == pytest.approx(expected)
        assert np.exp(fitted.predict_log_proba(new)) == pytest.approx(expected)
        assert (fitted.predict(new) == fitted.classes_[expected.argmax(axis=1)]).all()
        assert (fitted.decide(new).labels == fitted.predict(new)).all()
        assert fitted.class_prior_ == pytest.approx(list(PRIORS.values()))
        # From the priors of the comparison to yet others, and back to those of training.
        back = fitted.decide(new, priors=plain.class_prior_)
        assert 1.0 - back.risks == pytest.approx(plain.predict_proba(new))
        assert (back.labels == plain.predict(new))[~tied].all()
        assert fitted.predict_proba(new.head(0)).shape == (0, 2)
        assert len(fitted.predict(new.head(0))) == 0
    assert (plain.predict(new) != model.predict(new)).any()


def test_labelled_rows_of_that_population_confirm_the_estimate(found: Comparison, tmp_path: Path) -> None:
    new = drawn((0.95, 0.05), 20_000, 5)
    tested = evaluate_model(load(save(found.best, tmp_path / "m.assay")), new, "ill")
    assert tested.error == pytest.approx(found.nested_error, abs=0.01)
    again = evaluate_model(found.best, drawn((0.5, 0.5), 2000, 6), "ill", priors=PRIORS)
    assert again.error == pytest.approx(tested.error, abs=0.01)
    assert np.sum(again.confusion) == 2000  # rows are counted, whatever they weigh


def test_decisions_are_those_of_the_winner_under_the_costs(tmp_path: Path) -> None:
    costs = {"no": {"no": 0, "yes": 1}, "yes": {"no": 20, "yes": 0}}
    source = tmp_path / "ill.csv"
    drawn((0.5, 0.5), 300, 7).to_csv(source, index=False)
    names = ["gaussian_nb", "gaussian_shared"]
    found = compare(
        source,
        "ill",
        loss=costs,
        priors=PRIORS,
        plan=KFold(3),
        candidates=names,
        out=tmp_path / "run",
        progress=False,
    )
    new = drawn((0.95, 0.05), 200, 8).drop(columns="ill")
    decision = found.decide(new)
    posterior = found.predict_proba(new)
    assert (decision.risks == pytest.approx(posterior @ [[0, 1], [20, 0]])) and (
        decision.labels == "yes"
    ).any()
    assert (found.decide(new, [[0, 1], [1, 0]]).labels == found.predict(new)).all()
    # The command under "Next" comes to the same actions: the stored model has priors and costs.
    (predict,) = (shlex.split(line) for line in predict_commands(str(tmp_path / "run" / "model.assay")))
    assert predict[:2] == ["assay", "predict"]
    assert Predictions(load(predict[2]), new).together()["action"] == decision.actions.tolist()
    assert "--priors" in found.commands[0] and "priors=" in found.commands[1]


def test_margins_have_no_probabilities_to_give() -> None:
    table = drawn((0.5, 0.5), 60, 9)
    found = compare(table, "ill", plan=KFold(3), candidates=["least_squares"], progress=False)
    asked: list[Any] = [found.predict_proba, found.decide]
    for ask in asked:
        with raises("C021", title="Least squares (ridge)"):
            ask(table.drop(columns="ill"))
