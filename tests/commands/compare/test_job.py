"""An experiment: honest, the same bits for any thread count, resumed where it stopped."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from assay import GaussianNB, HoldOut, KFold, compare
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.reopen import reopen
from assay.models.table.table_classifier import TableClassifier
from assay.notes import as_note
from assay.workbench.experiment.run_folder import RunFolder, pack, unpack
from tests.commands.compare.purchases import ASK, board, interrupt_at, mixed
from tests.commands.compare.statements import codes
from tests.raised import raises

QUICK = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    import pandas as pd

    path = tmp_path / "shop.csv"
    pd.DataFrame(mixed()).to_csv(path, index=False)
    return path


def run(source: Any, **more: Any) -> Comparison:
    more.setdefault("candidates", QUICK)
    return compare(source, "bought", plan=KFold(5), progress=False, **more)


def test_leaderboard_holds_the_five_criteria_and_the_winner_predicts() -> None:
    data = mixed()
    found = run(data)
    assert set(found.results) == set(QUICK)
    assert [s.scored for s in found.leaderboard] == sorted(s.scored for s in found.leaderboard)
    for standing in found.leaderboard:
        assert standing.error_interval[0] <= standing.error <= standing.error_interval[1]
        assert standing.fit_seconds > 0 and standing.predict_seconds > 0
        assert standing.interpretability and standing.small_rows < 192
    assert found.leaderboard[-1].name == "baseline"
    features = {name: values for name, values in data.items() if name != "bought"}
    assert found.predict(features).shape == (240,)
    assert np.mean(found.predict(features) != data["bought"]) < found.leaderboard[-1].error


def test_honest_estimate_is_that_of_the_whole_procedure() -> None:
    found = run(mixed())
    results = [found.results[name] for name in QUICK]
    inner = np.stack([r.inner.min(axis=1) for r in results])
    for f in range(5):
        took = results[int(inner[:, f].argmin())].evaluation
        here = took.split == f
        assert np.array_equal(found.nested.predicted[here], took.predicted[here])
    assert found.optimism == pytest.approx(found.nested.error - found.leaderboard[0].scored)


def test_same_bits_for_any_number_of_threads() -> None:
    one, two = (run(mixed(), n_jobs=n) for n in (1, 2))
    assert board(one) == board(two)
    assert np.array_equal(one.nested.scores, two.nested.scores)


def test_rows_shuffled_labels_score_chance() -> None:
    errors, scored = [], []
    for seed in range(6):
        data = mixed(80, seed)
        data["bought"] = np.random.default_rng(seed).permutation(np.repeat(["no", "yes"], 40))
        found = run(data, candidates=["gaussian_nb", "gaussian_full", "least_squares", "decision_tree"])
        errors.append(found.nested_error)
        scored.append(found.leaderboard[0].scored)
    assert 0.43 < np.mean(errors) < 0.57
    assert np.mean(scored) < np.mean(errors)


def test_costs_change_the_decisions_and_lower_the_loss() -> None:
    loss = {"no": {"no": 0, "yes": 1}, "yes": {"no": 5, "yes": 0}}
    plain, costly = run(mixed()), run(mixed(), loss=loss)
    best = costly.evaluations[costly.best_name]
    assert costly.nested.mean_loss() < plain.nested.mean_loss(loss) or best.error > plain.nested.error
    careless = np.mean(np.where(best.predicted != best.truth, np.where(best.truth_codes == 1, 5.0, 1.0), 0.0))
    assert best.mean_loss() < careless
    assert codes(costly.verdict[0])[0] == "C102"


def test_candidates_without_probabilities_are_omitted_where_actions_are_no_classes() -> None:
    found = run(mixed(), candidates=["gaussian_nb", "least_squares"], loss=ASK)
    assert list(found.results) == ["gaussian_nb"]
    assert as_note(found.omitted["least_squares"]).code == "C158"
    other = run(mixed(), candidates=["gaussian_nb", "least_squares"], priors=[0.9, 0.1])
    assert as_note(other.omitted["least_squares"]).code == "C159"


def test_a_calibrated_machine_weighs_the_costs_that_its_margins_cannot(tmp_path: Path) -> None:
    loss = {"no": {"no": 0, "yes": 1}, "yes": {"no": 10, "yes": 0}}
    found = run(mixed(), candidates=["linear_svm", "calibrated_svm"], loss=loss)
    margins, calibrated = (found.evaluations[name] for name in ("linear_svm", "calibrated_svm"))
    assert not margins.probabilistic and calibrated.probabilistic
    assert calibrated.mean_loss() < margins.mean_loss()
    assert found.best_name == "calibrated_svm"
    assert found.decide({name: values[:5] for name, values in mixed().items()}).labels.shape == (5,)
    assert "Interpretation of the winner" in found.report(tmp_path / "r.html").read_text(encoding="utf-8")


def test_costs_bring_the_calibrated_candidate_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at("baseline", monkeypatch, KeyboardInterrupt())
    for name, more in (("plain", {}), ("costs", {"loss": ASK})):  # the baseline is always the first
        with pytest.raises(KeyboardInterrupt):
            run(mixed(), candidates=None, out=tmp_path / name, **more)
        tried = json.loads((tmp_path / name / "experiment.json").read_text())["candidates"]
        assert ("calibrated_svm" in tried) == (name == "costs")


def test_boosting_learns_where_a_training_part_lacks_every_value_of_a_column() -> None:
    data = mixed(120)
    rare = np.arange(120) == 3
    more = {
        "number": np.where(rare, 1.5, np.nan),
        "answer": np.where(rare, "no", np.where(np.arange(120) == 4, "yes", None)),
    }
    found = run({**data, **more}, candidates=["baseline", "gradient_boosting"])
    assert not found.omitted and found.best_name == "gradient_boosting"
    boosting, baseline = (found.evaluations[name] for name in ("gradient_boosting", "baseline"))
    assert boosting.error < 0.8 * baseline.error


def test_the_fit_that_was_timed_is_kept_for_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[str] = []
    whole = TableClassifier.fit

    def counted(self: TableClassifier, *rows: Any, **more: Any) -> TableClassifier:
        fitted.append(type(self.estimator).__name__)
        return whole(self, *rows, **more)

    monkeypatch.setattr(TableClassifier, "fit", counted)
    found = run(mixed(), candidates=["baseline", "gaussian_nb", "gaussian_shared"])
    assert len(fitted) == 3 and [name for name, each in found.results.items() if each.model] == [
        found.best_name
    ]
    kept = found.best
    assert len(fitted) == 3 and kept.target_ == "bought" and kept.fingerprint_ is not None
    again = replace(
        found, results={name: replace(each, model=None) for name, each in found.results.items()}, fitted={}
    )
    assert np.array_equal(again.best.predict_proba(mixed()), kept.predict_proba(mixed())) and len(fitted) == 4
    assert again.best.diagnostics_ == kept.diagnostics_


class Slow(DummyClassifier):
    """Every fit takes its time, however few the rows."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Slow:
        time.sleep(0.3)
        return super().fit(X, y)


def test_budget_omits_by_name_what_would_take_too_long() -> None:
    few = {"baseline": None, "gaussian_nb": None, "slow": Slow()}
    found = run(mixed(), candidates=few, budget=2.0, n_jobs=1)
    assert "gaussian_nb" in found.results
    reason = as_note(found.omitted["slow"])
    assert reason.code in ("C150", "C152") and reason.values["budget"] == 2.0  # by its first fit, or in it
    # What is omitted takes part in no choice, neither inside the folds nor among the results.
    without = run(mixed(), candidates=["baseline", "gaussian_nb"])
    assert np.array_equal(found.nested.scores, without.nested.scores) and found.best_name == without.best_name


def test_nothing_finished_within_the_budget_is_an_error() -> None:
    with raises("C155", budget=0.001):
        run(mixed(), candidates=["random_forest"], budget=0.001)


def test_interrupted_run_keeps_what_is_finished_and_resumes_to_the_same_bits(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(source, out=tmp_path / "whole")
    with monkeypatch.context() as patch:
        interrupt_at("decision_tree", patch, KeyboardInterrupt())
        part = run(source, out=tmp_path / "part")
    assert part.interrupted and "decision_tree" not in part.results
    assert as_note(part.omitted["decision_tree"]).code == "C153"
    stored = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "part" / "candidates").iterdir()}
    resumed = run(source, out=tmp_path / "part", resume=True)
    assert board(resumed) == board(whole)
    assert np.array_equal(resumed.nested.scores, whole.nested.scores)
    for name, when in stored.items():
        assert (tmp_path / "part" / "candidates" / name).stat().st_mtime_ns == when
    assert "taken from the interrupted run" in (tmp_path / "part" / "log.txt").read_text()


def test_interruption_before_anything_is_finished_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at("baseline", monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run(mixed(), candidates=["baseline"])


def test_damaged_candidate_is_computed_again(source: Path, tmp_path: Path) -> None:
    first = run(source, out=tmp_path / "run")
    file = tmp_path / "run" / "candidates" / "gaussian_nb.npz"
    file.write_bytes(file.read_bytes()[:100])
    again = run(source, out=tmp_path / "run", resume=True)
    assert board(again) == board(first)
    assert "damaged" in (tmp_path / "run" / "log.txt").read_text()


def test_run_folder_holds_all_it_should(source: Path, tmp_path: Path) -> None:
    found = run(source, out=tmp_path / "run")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {
        "candidates", "experiment.json", "leaderboard.json", "log.txt", "model.assay", "report.html",
    }  # fmt: skip
    stored = json.loads((tmp_path / "run" / "leaderboard.json").read_text())
    assert [row["name"] for row in stored] == list(found.results)
    again = reopen(tmp_path / "run")
    assert board(again) == board(found)
    assert again.verdict == found.verdict


def test_a_reopened_run_tells_why_candidates_were_omitted(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {
        "candidates": ["gaussian_nb", "least_squares", "decision_tree"],
        "out": tmp_path / "run",
    }
    with monkeypatch.context() as patch:
        interrupt_at("decision_tree", patch, KeyboardInterrupt())
        found = run(source, loss=ASK, **asked)
    assert set(found.omitted) == {"least_squares", "decision_tree"}
    assert reopen(tmp_path / "run").omitted == found.omitted
    resumed = run(source, loss=ASK, resume=True, **asked)
    assert (
        reopen(tmp_path / "run").omitted
        == resumed.omitted
        == {"least_squares": found.omitted["least_squares"]}
    )
    for lost in ("", "[]", "{"):
        (tmp_path / "run" / "omitted.json").write_text(lost)
        assert as_note(reopen(tmp_path / "run").omitted["least_squares"]).code == "C154"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"random_state": 1}, "random_state"),
        ({"loss": [[0, 1], [5, 0]]}, "loss"),
        ({"drop": ["size"]}, "drop"),
        ({"candidates": ["baseline"]}, "candidates"),
    ],
    ids=["seed", "loss", "drop", "candidates"],
)
def test_resuming_another_question_is_refused(
    source: Path, tmp_path: Path, change: dict[str, Any], key: str
) -> None:
    run(source, out=tmp_path / "run", candidates=["baseline", "gaussian_nb"])
    with raises("C007", key=key):
        run(
            source,
            **{"out": tmp_path / "run", "resume": True, "candidates": ["baseline", "gaussian_nb"]} | change,
        )


def test_resuming_with_changed_data_is_refused(source: Path, tmp_path: Path) -> None:
    run(source, out=tmp_path / "run", candidates=["baseline"])
    source.write_text(source.read_text().replace("paid", "PAID", 1))
    with raises("C196"):
        run(source, out=tmp_path / "run", candidates=["baseline"], resume=True)
    with raises("C025"):
        reopen(tmp_path / "run")


def test_folders_in_use_are_left_alone(source: Path, tmp_path: Path) -> None:
    run(source, out=tmp_path / "run", candidates=["baseline"])
    with raises("C006", FileExistsError):
        run(source, out=tmp_path / "run", candidates=["baseline"])
    with raises("C005", FileExistsError):
        run(source, out=tmp_path, candidates=["baseline"])
    with raises("C004", NotADirectoryError):
        run(source, out=source, candidates=["baseline"])
    (tmp_path / "file").touch()
    with raises("C009", FileNotFoundError):
        reopen(tmp_path / "file")
    with raises("C009", FileNotFoundError):
        RunFolder(tmp_path / "nowhere").description()


def test_pack_and_unpack_agree() -> None:
    found = run(mixed(), candidates=["gaussian_shared"])
    result = found.results["gaussian_shared"]
    again = unpack(pack(result), found.bench, result.entry)
    assert np.array_equal(again.evaluation.scores, result.evaluation.scores)
    assert again.settings == result.settings and again.curve == result.curve
    assert again.nested.final == result.nested.final


def test_hold_out_and_repeats_work_too() -> None:
    quick = ["baseline", "gaussian_nb"]
    held = compare(mixed(), "bought", plan=HoldOut(0.3), candidates=quick, progress=False)
    against = held.leaderboard[1].against_best
    assert against is not None and against.difference > 0
    repeated = compare(mixed(), "bought", plan=KFold(3, repeats=2), candidates=quick, progress=False)
    assert repeated.nested.n_splits == 6


@pytest.mark.parametrize("plan", ["loo", "bootstrap"])
def test_plans_without_folds_are_refused(plan: str) -> None:
    from assay.workbench.syntax.plan import parse_plan

    with raises("C012"):
        compare(mixed(), "bought", plan=parse_plan(plan))


def test_unknown_candidate_and_empty_list_are_explained() -> None:
    with raises("C062"):
        run(mixed(), candidates=["gausian_nb"])
    with raises("C022"):
        run(mixed(), candidates=[])


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[str, float]] = []
    compare(
        load_iris(return_X_y=True),
        candidates=["baseline", "decision_tree"],
        plan=KFold(3),
        progress=lambda doing, share: told.append((doing, share)),
    )
    shares = [share for _, share in told]
    assert shares[0] == 0.0 and shares == sorted(shares) and shares[-1] <= 1.0
    assert {doing for doing, _ in told} == {"Most frequent class", "Decision tree"}


def test_texts_serve_for_candidates_plan_budget_and_drop() -> None:
    found = compare(
        mixed(), "bought", candidates="fisher", plan="kfold:3", budget="10m", drop="work", progress=False
    )
    assert list(found.results) == ["fisher"] and found.plan == KFold(3, stratified="rare", random_state=0)
    assert found.schema.names == ("age", "size")
    both = compare(mixed(), "bought", candidates="fisher, baseline", plan=KFold(3), progress=False)
    assert set(both.results) == {"fisher", "baseline"}
    with raises("O027"):
        compare(mixed(), "bought", budget=True)


def test_labels_come_back_as_they_were_given() -> None:
    X, y = load_iris(return_X_y=True)
    for labels in (y.astype(float), y, y == 1, np.array(["a", "b", "c"])[y]):
        found = compare((X, labels), candidates="fisher", plan=KFold(3), progress=False)
        assert found.predict(X[:0]).tolist() == []
        predicted = found.predict(X)
        assert predicted.dtype.kind == labels.dtype.kind
        assert (predicted == labels).mean() > 0.7


def test_commands_are_those_that_can_be_given_again(source: Path, tmp_path: Path) -> None:
    in_memory = compare(mixed(), "bought", candidates="fisher", plan=KFold(3), progress=False)
    assert len(in_memory.commands) == 1 and in_memory.commands[0].startswith(
        "assay.compare(table, target='bought'"
    )
    unspelled = compare(
        source, "bought", candidates="fisher", plan=KFold(3, stratified=False), progress=False
    )
    assert [line.partition("(")[0] for line in unspelled.commands] == ["assay.compare"]
    both = compare(source, "bought", candidates="fisher", plan=KFold(3), out=tmp_path / "run", progress=False)
    assert both.commands[0].startswith(
        f"assay compare {source} --target bought --candidates fisher --plan kfold:3"
    )
    assert reopen(tmp_path / "run").commands[0].endswith(f"--out {tmp_path / 'run'}")
    from_memory = reopen(tmp_path / "run", mixed())
    assert len(from_memory.commands) == 1 and board(from_memory) == board(both)


def test_candidates_are_added_to_a_finished_run_and_not_taken_away(tmp_path: Path) -> None:
    run(mixed(), candidates=["baseline"], out=tmp_path / "run")
    found = run(mixed(), candidates=["baseline", "gaussian_nb"], out=tmp_path / "run", resume=True)
    assert set(found.results) == {"baseline", "gaussian_nb"}
    with raises("C007", key="candidates", before=["baseline", "gaussian_nb"], now=["baseline"]):
        run(mixed(), candidates=["baseline"], out=tmp_path / "run", resume=True)


def test_models_of_ones_own_are_no_names_of_the_catalog() -> None:
    with raises("C063", TypeError, kind="GaussianNB"):
        run(mixed(), candidates=[GaussianNB()])
