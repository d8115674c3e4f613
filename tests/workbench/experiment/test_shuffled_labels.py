"""Shuffled labels: the error is at chance level, and a leak is detected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assay import KFold, compare
from assay.commands.compare.reopen import reopen
from assay.notes import as_note
from assay.workbench.experiment.run_folder import RunFolder
from assay.workbench.experiment.shuffled_labels import ShuffledLabelCheck, check_shuffled_labels
from tests.commands.compare.purchases import ASK, mixed

NAMES = ["baseline", "gaussian_nb", "gaussian_shared"]


def test_shuffled_labels_score_chance(tmp_path: Path) -> None:
    out = tmp_path / "run"
    found = compare(
        mixed(), "bought", plan=KFold(5), candidates=NAMES, out=out, noise_check=True, progress=False
    )
    note = as_note(found.noise)
    stored = as_note(reopen(out, mixed()).noise)
    assert (stored.code, stored) == (note.code, note) == ("C180", found.noise)
    assert "Sanity check on shuffled labels" in (out / "report.html").read_text()
    counts = np.bincount(found.bench.problem.codes)
    assert note.values["chance"] == pytest.approx(1 - counts.max() / counts.sum())


@pytest.mark.parametrize(
    ("answer", "level"), [("yes", "info"), ("no, so something knows the labels", "warning")]
)
def test_the_sentence_of_an_older_run_keeps_its_level(tmp_path: Path, answer: str, level: str) -> None:
    sentence = f"On shuffled labels this procedure scores chance: {answer} (50.0 %)."
    (tmp_path / "noise.txt").write_text(sentence + "\n")
    note = as_note(RunFolder(tmp_path).noise())
    assert (note, note.level) == (sentence, level)


def test_costs_are_held_against_the_best_blind_action() -> None:
    found = compare(mixed(), "bought", plan=KFold(5), candidates=NAMES, loss=ASK, progress=False)
    check = check_shuffled_labels(found.bench, found.cards)
    assert check.passed and check.costs
    assert check.interval[0] - 1e-9 <= check.loss <= check.interval[1] + 1e-9


def test_a_procedure_that_beats_chance_on_noise_is_called_out() -> None:
    check = ShuffledLabelCheck(loss=0.3, interval=(0.25, 0.35), chance=0.5, naive=0.3)
    assert not check.passed
    assert (check.note.code, check.note.level) == ("C182", "warning")
    assert replace(check, interval=(0.4, 0.55)).passed


def test_progress_goes_on_and_the_command_does_it_again() -> None:
    told: list[tuple[str, float]] = []
    found = compare(
        mixed(),
        "bought",
        plan=KFold(5),
        candidates=NAMES,
        noise_check=True,
        progress=lambda doing, share: told.append((doing, share)),
    )
    shares = [share for _, share in told]
    assert shares == sorted(shares) and shares[-1] <= 1.0
    assert {doing.startswith("shuffled") for doing, share in told if share > 0.5} == {True}
    assert "noise_check=True" in found.commands[-1]


def test_the_shell_command_asks_for_it(tmp_path: Path) -> None:
    pd.DataFrame(mixed()).to_csv(tmp_path / "mixed.csv", index=False)
    source = str(tmp_path / "mixed.csv")
    found = compare(
        source, "bought", plan=KFold(4), candidates=NAMES[:2], noise_check=True, out=tmp_path / "run",
        progress=False,
    )  # fmt: skip
    assert found.commands[0].endswith(" --noise-check")
    assert reopen(tmp_path / "run").commands == found.commands


def test_who_stops_the_check_keeps_the_comparison(tmp_path: Path) -> None:
    def stop(doing: str, share: float) -> None:
        if doing == "shuffled labels: Gaussian naive Bayes":
            raise KeyboardInterrupt

    found = compare(
        mixed(),
        "bought",
        plan=KFold(5),
        candidates=NAMES,
        noise_check=True,
        out=tmp_path / "run",
        progress=stop,
    )
    assert found.interrupted and found.noise == "" and list(found.results) and len(found.results) == 3
    assert (tmp_path / "run" / "report.html").exists() and (tmp_path / "run" / "model.assay").exists()


def test_nobody_asked() -> None:
    assert compare(mixed(), "bought", plan=KFold(5), candidates=NAMES[:2], progress=False).noise == ""


@pytest.mark.parametrize("seed", [0, 1])
def test_the_shuffle_is_that_of_the_seed(seed: int) -> None:
    found = compare(mixed(), "bought", plan=KFold(4), candidates=NAMES[:2], random_state=seed, progress=False)
    assert check_shuffled_labels(found.bench, found.cards) == check_shuffled_labels(found.bench, found.cards)
