"""Options of a run, which `assay compare` and `assay tune` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from assay.notes import Note
from assay.notes.voices import SHELL_PAGE
from assay.terminal.options import (
    Groups,
    Loss,
    NoFingerprint,
    Priors,
    Rule,
    Seed,
    SplitRepeats,
    Weights,
)
from assay.workbench.syntax.plan import stratified_text

Plan = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="Validation scheme: kfold:10, kfold:5x3 (repeated), holdout:0.3, split:60/20/20, time:5 or column:NAME.",
    ),
]
Stratified = Annotated[
    bool,
    typer.Option(
        "--stratified",
        help="Spread every class evenly over the folds: for tables that were sampled by class.",
    ),
]
RunFolder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Write results, report and model to this folder."),
]
NoKeep = Annotated[
    bool,
    typer.Option(
        "--no-keep", help="Without --out: do not keep the run in the user's cache, which has the newest 20."
    ),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", help="Resume the interrupted run in --out, or add candidates to a finished one."
    ),
]
Noise = Annotated[
    bool,
    typer.Option(
        "--noise-check",
        help="Sanity check: repeat on shuffled labels, where the error should be at chance level.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", min=1, help="Number of threads; all cores by default.")
]


Metric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help="Choose by this metric, not by the error: f1, recall, mcc, auc, log_loss, ..., or MODULE:FUNCTION.",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(
        "--positive",
        metavar="CLASS",
        help="The class of precision, recall and F1; of two classes the rarer one by default.",
    ),
]
Show = Annotated[
    str | None,
    typer.Option("--show", metavar="A,B", help="Further metrics of the leaderboard, such as f1,recall,mcc."),
]


Time = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="COLUMN",
        help="The column that orders the rows, for --plan time:5; not used as a feature.",
    ),
]


@dataclass(frozen=True)
class RunOptions:
    """How candidates are evaluated, and where the run is written."""

    loss: Loss = None
    priors: Priors = None
    plan: Plan = "kfold:10"
    stratified: Stratified = False
    time: Time = None
    rule: Rule = "min"
    metric: Metric = None
    positive: Positive = None
    show: Show = None
    seed: Seed = 0
    out: RunFolder = None
    no_keep: NoKeep = False
    resume: Resume = False
    noise: Noise = False
    threads: Threads = None
    groups: Groups = None
    weights: Weights = None
    split_repeats: SplitRepeats = False
    no_fingerprint: NoFingerprint = False

    @property
    def scheme(self) -> str:
        """The validation scheme as one text."""
        return stratified_text(self.plan) if self.stratified else self.plan

    def arguments(self) -> dict[str, Any]:
        """The options as the functions `compare` and `tune_table` take them."""
        if self.resume and self.out is None:
            raise ValueError(Note("C019"))
        return {
            "loss": self.loss,
            "priors": self.priors,
            "plan": self.scheme,
            "time": self.time,
            "rule": self.rule,
            "metric": self.metric,
            "positive": self.positive,
            "show": self.show or (),
            "random_state": self.seed,
            "out": self.out,
            "keep": not self.no_keep,
            "resume": self.resume,
            "noise_check": self.noise,
            "n_jobs": self.threads,
            "groups": self.groups,
            "weights": self.weights,
            "split_repeats": self.split_repeats,
            "fingerprint": not self.no_fingerprint,
            "voice": SHELL_PAGE,
        }
