"""Contributions are the model's own arithmetic: they add up, and each is what a reader would compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from assay import GaussianNB, OneHot, TableClassifier, read
from assay.catalog import cards, entry
from assay.commands.explain.job import explain, explain_row
from assay.data import Table
from assay.models.table.build import build
from tests.noted import noted
from tests.raised import Expected, codes, raises

ABLE = [each.name for each in cards() if "contributions" in each.capabilities and not each.reads_words]
OF_WORDS = [each.name for each in cards() if each.reads_words]


def frame(n: int = 300, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    x = rng.normal(y, 1.5).round(3).astype(object)
    x[rng.random(n) < 0.1] = None
    job = np.array(["none", "skilled", "manager", "pilot"])[(y + rng.integers(3, size=n)) % 4].astype(object)
    job[rng.random(n) < 0.05] = None
    return {
        "x": x.tolist(),
        "z": rng.normal(-y, 2.0).round(3).tolist(),
        "job": job.tolist(),
        "flag": np.where(rng.random(n) < 0.3 + 0.1 * y, "yes", "no").tolist(),
        "y": [f"class {k}" for k in y],
    }


TEXTS = ["see you at lunch", "win win now", "lunch was nice thanks", "win money today", "unheard of"]
COUNTS = {"x": "numeric", "z": "numeric", "y": "categorical"}
LETTERS = (read({"text": TEXTS}, types={"text": "text"}).take(range(4)), ["ham", "spam", "ham", "spam"])


@pytest.fixture(scope="module")
def table() -> Table:
    return read(frame(), target="y")


@pytest.mark.parametrize("name", ABLE)
def test_parts_add_up_to_the_difference_of_scores(table: Table, name: str) -> None:
    if name == "poisson_nb":
        counts = np.random.default_rng(0).poisson(3.0, (300, 2))
        table = read({"x": counts[:, 0], "z": counts[:, 1], "y": frame()["y"]}, target="y", types=COUNTS)
    elif entry(name).alone:
        table = table.without("x", "z")
    model = build(entry(name)).fit(table, target="y")
    rows = np.arange(0, 300, 7)
    scores = (
        model.predict_log_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
    )
    for row, found in zip(rows, explain(model, table, rows.tolist()), strict=True):
        order = np.argsort(-scores[row], kind="stable")
        assert found.predicted == str(model.predict(table.take([row]))[0])
        gap = scores[row][order[0]] - scores[row][order[1]]
        assert found.difference == pytest.approx(gap, rel=1e-9, abs=1e-9)
        total = found.start + sum(part.amount for part in found.contributions)
        assert total == pytest.approx(found.difference, rel=1e-9, abs=1e-9)
        assert {part.column for part in found.contributions} == set(table.schema.without("y").names)
        sizes = [abs(part.amount) for part in found.contributions]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("name", OF_WORDS)
@pytest.mark.parametrize("priors", [None, [0.2, 0.8]])
def test_words_add_up_to_the_difference_of_scores(name: str, priors: list[float] | None) -> None:
    model = build(entry(name), {"max_words": 5})
    margins = "posterior" not in entry(name).capabilities
    model.priors = None if margins else priors
    model.fit(*LETTERS)
    if margins:
        gaps = np.abs(model.decision_function(LETTERS[0]))
    else:
        gaps = np.abs(np.diff(model.predict_log_proba(LETTERS[0]), axis=1))[:, 0]
    for row, (found, gap) in enumerate(zip(explain(model, LETTERS[0], range(4)), gaps, strict=False)):
        assert found.predicted == model.predict(LETTERS[0].take([row]))[0] and found.part == "word"
        assert found.difference == pytest.approx(gap, rel=1e-9)
        assert found.start + sum(part.amount for part in found.contributions) == pytest.approx(gap, rel=1e-9)
    spam = explain(model, LETTERS[0], [1])[0]
    assert (spam.contributions[0].column, spam.contributions[0].value) == ("win", "2")
    assert spam.contributions[0].amount > 0 and {"unheard", "of"}.isdisjoint(
        part.column for part in spam.contributions
    )


def test_a_word_of_the_multinomial_model_adds_the_log_ratio_of_its_shares() -> None:
    model = build(entry("multinomial_nb"), {"smoothing": 1.0}).fit(*LETTERS)
    found = explain(model, LETTERS[0], [1])[0]
    words = len(model.design_names_)
    spam = (3 + 1) / (6 + words)  # "win" stands three times among the six words of spam
    ham = (0 + 1) / (8 + words)
    assert found.contributions[0].amount == pytest.approx(2 * np.log(spam / ham))
    assert found.start_meaning == "class prevalence" and found.start == pytest.approx(0.0)


def test_absent_words_are_in_the_start_of_the_bernoulli_model() -> None:
    model = build(entry("bernoulli_nb")).fit(*LETTERS)
    found = explain(model, LETTERS[0], [1])[0]
    assert found.start_meaning == "empty text" and found.start != 0.0


def test_words_that_rule_classes_out_are_no_amounts() -> None:
    model = build(entry("multinomial_nb"), {"smoothing": 0.0}).fit(*LETTERS)
    with raises("M110"):
        explain(model, LETTERS[0], [0])


def test_naive_bayes_contributions_are_ratios_of_densities(table: Table) -> None:
    model = build(entry("gaussian_nb")).fit(table, target="y")
    found = explain(model, table, [5])[0]
    a, b = (model.classes_.tolist().index(label) for label in (found.predicted, found.runner_up))
    inner, column = model.model_, list(model.design_names_).index("z")
    value = table["z"][5]
    log_density = norm.logpdf(value, inner.theta_[:, column], np.sqrt(inner.var_[:, column]))
    amounts = {part.column: part.amount for part in found.contributions}
    assert amounts["z"] == pytest.approx(log_density[a] - log_density[b])
    assert found.start == pytest.approx(np.log(inner.class_prior_[a] / inner.class_prior_[b]))


def test_a_missing_value_is_evidence_by_its_flag_alone(table: Table) -> None:
    row = int(np.flatnonzero(np.isnan(table["x"]))[0])
    for encoder, evidence in ((OneHot(), 0.0), (OneHot(flags=True), None)):
        model = TableClassifier(encoder, [], GaussianNB()).fit(table, target="y")
        found = explain(model, table, [row])[0]
        part = next(each for each in found.contributions if each.column == "x")
        if evidence is None:
            a, b = (model.classes_.tolist().index(label) for label in (found.predicted, found.runner_up))
            flag = list(model.design_names_).index("missing_x")
            density = norm.logpdf(1.0, model.model_.theta_[:, flag], np.sqrt(model.model_.var_[:, flag]))
            evidence = density[a] - density[b]
        assert part.value == "(missing)" and part.amount == pytest.approx(evidence)


def test_a_row_of_a_source_by_its_number(table: Table) -> None:
    model = build(entry("fisher")).fit(table, target="y")
    source = frame()
    assert explain_row(model, source, 8) == explain(model, table, [7])[0]
    for row, expected in ((0, Expected("C045")), (301, Expected("C044", rows=300))):
        with raises(expected):
            explain_row(model, source, row)


@pytest.mark.filterwarnings("ignore::assay.data.unseen_categories.UnseenValueWarning")
def test_values_are_shown_as_people_write_them(table: Table) -> None:
    model = build(entry("gaussian_nb")).fit(table, target="y")
    new = {"x": [1.25], "z": [None], "job": ["astronaut"], "flag": ["yes"]}
    found = explain_row(model, new, 1)
    assert {part.column: part.value for part in found.contributions} == {
        "x": "1.25",
        "z": "(missing)",
        "job": "(not in training)",
        "flag": "yes",
    }


@pytest.mark.parametrize("name", ["gaussian_full", "decision_tree"])
def test_models_whose_columns_act_together_are_refused(table: Table, name: str) -> None:
    model = build(entry(name)).fit(table, target="y")
    with raises("C043"):
        explain(model, table, [0])


@pytest.mark.parametrize("name", ["logistic", "gaussian_shared", "fisher", "gaussian_nb"])
def test_parts_add_up_to_the_log_odds_under_other_priors_too(table: Table, name: str) -> None:
    model = build(entry(name))
    model.priors = [0.8, 0.15, 0.05]
    model.fit(table, target="y")
    rows = list(range(0, 300, 7))
    logs, predicted = model.predict_log_proba(table)[rows], model.predict(table)[rows]
    for found, log, label in zip(explain(model, table, rows), logs, predicted, strict=True):
        best, second = np.sort(log)[::-1][:2]
        assert found.predicted == str(label) and found.unit == "log odds"
        assert found.start + sum(part.amount for part in found.contributions) == pytest.approx(best - second)


def test_a_logistic_contribution_is_weight_times_distance_from_the_mean() -> None:
    rng = np.random.default_rng(0)
    x, z = rng.normal(3.0, 2.0, size=200), rng.normal(size=200)
    rows = read({"x": x, "z": z, "y": np.where(x + z + rng.normal(size=200) > 3, "yes", "no")}, target="y")
    model = build(entry("logistic"), {"l2": 0.01}).fit(rows, target="y")
    (found,) = explain(model, rows, [4])
    scale = model.model_.coef_[0] / [x.std(ddof=1), z.std(ddof=1)]
    wanted = {"x": scale[0] * (x[4] - x.mean()), "z": scale[1] * (z[4] - z.mean())}
    sign = 1 if found.predicted == "yes" else -1
    got = {part.column: sign * part.amount for part in found.contributions}
    assert got == pytest.approx(wanted, rel=1e-2)


def test_a_separated_fit_says_so_beside_its_log_odds() -> None:
    rng = np.random.default_rng(0)
    size = rng.normal(size=60)
    rows = {
        "dull": rng.normal(size=60),
        "size": size,
        "y": np.where(size > 0, "p", "q"),
        "key": np.arange(60),
    }
    table = read(rows, target="y")
    (found,) = explain(build(entry("logistic")).fit(table, target="y"), table, [0])
    assert noted(found.notes, "M350", columns=("size",))
    assert "key" not in " ".join(found.notes)  # what the encoder left out has no share in it
    (far,) = explain(
        build(entry("logistic"), {"l2": 1e-6}).fit(table, target="y"), table, [int(np.abs(size).argmax())]
    )
    assert far.difference > 14 and codes(far.notes)[-1] == "C360"


def test_ordinary_odds_have_no_note(table: Table) -> None:
    (found,) = explain(build(entry("logistic"), {"l2": 0.1}).fit(table, target="y"), table, [3])
    assert found.difference < 10 and found.notes == ()
