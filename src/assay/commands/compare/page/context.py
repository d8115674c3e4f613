"""The context of a page: a comparison, and the names, colours and formats that its sections share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.charts.document import COLOURED
from assay.charts.scatter import sample
from assay.commands.compare.fitted import fit_candidate
from assay.commands.compare.result import ComparisonResult
from assay.data import Table
from assay.decision import Interval, LossMatrix
from assay.models.table.table_classifier import TableClassifier
from assay.notes import as_note, render
from assay.notes.numbers import count, number, number_range, percent, percent_range
from assay.notes.phrases import chosen_on, name_of, short_names
from assay.notes.texts import WARNING
from assay.notes.voices import PAGE, Voice
from assay.plans import Plan
from assay.selection.evaluation import Evaluation
from assay.types import Codes, Integers
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.procedure import BASELINE
from assay.workbench.problem import Problem

TITLE_WIDTH = 34  # the titles of the catalog are whole in sentences


def tone_of(note: str) -> Literal["note", "warning"]:
    """How the box around a note looks, by its level."""
    return "warning" if as_note(note).level == WARNING else "note"


@dataclass(frozen=True, eq=False)
class PageContext:
    """A comparison (`assay.compare`) as the sections of its page use it.

    `date` is printed as it is given; the report reads no clock. `voice` words the notes.
    """

    comparison: ComparisonResult
    date: str | None = None
    voice: Voice = PAGE

    def words(self, note: str) -> str:
        """A note as the page prints it."""
        return render(note, self.voice)

    @cached_property
    def results(self) -> dict[str, CandidateResult]:
        """Candidates by name, best first."""
        return dict(self.comparison.results)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each candidate on the page."""
        shown = short_names((result.entry.title for result in self.results.values()), TITLE_WIDTH)
        return dict(zip(self.results, shown, strict=True))

    @property
    def best(self) -> str:
        return str(self.comparison.best_name)

    @property
    def recommended(self) -> bool:
        """Whether the winner is recommended."""
        return self.comparison.recommended is not None

    @property
    def winner(self) -> CandidateResult:
        return self.results[self.best]

    @property
    def evaluation(self) -> Evaluation:
        """The winner's nested evaluation."""
        return self.winner.evaluation

    @cached_property
    def nested(self) -> Evaluation:
        """The nested estimate of the whole procedure."""
        return self.comparison.nested

    @property
    def model(self) -> TableClassifier:
        """The winner, fitted to all rows."""
        return self.fit(self.best)

    def fit(self, name: str) -> TableClassifier:
        """A candidate, fitted to all rows."""
        return fit_candidate(self.comparison, name)

    @property
    def baseline(self) -> Evaluation | None:
        result = self.results.get(BASELINE)
        return None if result is None else result.evaluation

    @property
    def best_text_model(self) -> str | None:
        """The best candidate that counts words."""
        names = (
            name
            for name, result in self.results.items()
            if result.entry.encoding == "words" and "counts" in result.entry.capabilities
        )
        return next(names, None)

    @property
    def loss(self) -> LossMatrix | None:
        return self.comparison.loss

    @property
    def by_error(self) -> bool:
        """Whether hyperparameters and candidates are chosen by their error."""
        return self.loss is None and self.comparison.metric is None

    @property
    def measure(self) -> str:
        """What is minimised by the choice: what a metric lacks of its best value, where one is chosen by."""
        metric = self.comparison.metric
        if metric is None:
            return "error" if self.loss is None else "mean loss"
        if not metric.larger_is_better:
            return metric.title
        return f"{metric.best:g} - {metric.title}"

    @property
    def plan(self) -> Plan:
        return self.comparison.plan

    @property
    def chosen_on(self) -> str:
        """The rows that select the hyperparameters, in words."""
        return chosen_on(self.plan.in_parts)

    @property
    def in_parts(self) -> bool:
        """Whether the validation rows select the hyperparameters, and other rows test them."""
        return bool(self.plan.in_parts)

    @cached_property
    def problem(self) -> Problem:
        """The rows themselves."""
        return self.comparison.bench.problem

    @property
    def weighted(self) -> bool:
        """Whether rows count by weights."""
        return self.problem.weights is not None

    @cached_property
    def class_names(self) -> list[str]:
        """Class labels as text, in full."""
        return [name_of(label) for label in self.comparison.classes]

    @cached_property
    def short_classes(self) -> list[str]:
        """Class labels for axes and legends."""
        return short_names(self.comparison.classes, 22)

    @property
    def decisions(self) -> LossMatrix | None:
        """The loss that chooses actions; None where the action is the predicted class."""
        return self.evaluation.loss if self.evaluation.probabilistic else None

    @property
    def action_names(self) -> list[str]:
        """The actions, as text: the classes where there is no loss."""
        return (
            self.class_names if self.decisions is None else [name_of(name) for name in self.decisions.actions]
        )

    @property
    def class_of_action(self) -> Integers:
        """The class code of each action, -1 for an action that is not a class."""
        if self.decisions is None:
            return np.arange(len(self.class_names))
        return self.decisions.class_of_action

    @cached_property
    def class_counts(self) -> NDArray[np.intp]:
        return np.bincount(self.evaluation.codes, minlength=len(self.class_names))

    @cached_property
    def coloured(self) -> list[int]:
        """Classes with a colour of their own: all of up to eight, else the seven most frequent."""
        if len(self.class_names) <= COLOURED:
            return list(range(len(self.class_names)))
        order = np.argsort(-self.class_counts, kind="stable")[: COLOURED - 1]
        return sorted(int(k) for k in order)

    @property
    def few_classes(self) -> str:
        """A sentence about classes that have no colour and are not drawn."""
        left = len(self.class_names) - len(self.coloured)
        return (
            f" Shown are the {count(len(self.coloured))} most frequent of {count(len(self.class_names))} classes."
            * (left > 0)
        )

    def sampled(self, most: int) -> tuple[Table, Codes]:
        """At most that many rows and their classes."""
        rows = sample(self.problem.codes, most, self.comparison.random_state)
        return self.problem.features.take(rows), self.problem.codes[rows]

    def figure(self, evaluation: Evaluation) -> float:
        """The measure of the comparison: the mean loss where a loss is given, else the error."""
        return evaluation.error if self.loss is None else evaluation.mean_loss()

    def shown(self, evaluation: Evaluation) -> str:
        """That measure, formatted."""
        return (percent if self.loss is None else number)(self.figure(evaluation))

    def shown_difference(self, difference: float) -> str:
        """A difference of that measure between two candidates, formatted."""
        return f"{100 * difference:+.2f} points" if self.loss is None else f"{difference:+.3g}"

    def figure_interval(self, evaluation: Evaluation) -> Interval:
        return evaluation.interval("error" if self.loss is None else "loss")

    def shown_interval(self, evaluation: Evaluation) -> str:
        """Its interval, formatted."""
        return (percent_range if self.loss is None else number_range)(self.figure_interval(evaluation))

    @property
    def simpler(self) -> str | None:
        """The simplest candidate that is not worse than the winner, if one is simpler."""
        simplest = self.comparison.simplest
        return None if simplest is None or simplest.name == self.best else str(simplest.name)
