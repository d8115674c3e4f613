"""Linear models of compressed rows, as of texts: every training set weighs its own columns and rows.

Texts are counted once. Each training set then learns its steps, such as the weights of TF-IDF, once for all penalties,
and its models go down the path of penalties from one solution to the next; training sets are solved side by side. What
a training set needs is freed as soon as its rows are scored: weights of all words for all models would fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from assay.notes import Note
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.numerics.sparse import canonical, check_indices
from assay.sharing.costly_diagnostics import without_costly_diagnostics
from assay.sharing.counts.count_pipeline import present, read_rows
from assay.sharing.fit_pipeline import fit_steps
from assay.sharing.fold_warnings import FoldWarnings, collect_warnings
from assay.sharing.protocols import Sharer, WordStep, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.refit import fitted_scores, known_places, trained_priors
from assay.sharing.settings import Settings, model_of, steps_of, unfitted, without_first
from assay.sharing.splits import Splits
from assay.sharing.steps import SILENT
from assay.sharing.study import Study
from assay.statistics.counts import WordTotals
from assay.statistics.weights import subset_weight
from assay.types import Array, Codes, CompressedRows, Labels, Mask

Result = TypeVar("Result")
LABEL = "Linear models of texts"


def _note(name: str, estimator: Any, study: Study) -> Note | None:
    """Linear models with penalties, on compressed rows or on texts that the first step counts."""
    steps, model, data = steps_of(estimator), model_of(estimator), study.dataset
    counted = bool(steps) and hasattr(steps[0], "read_counts")
    if offered(model, "fit_path") is None or not offered(model, "penalties") or not (data.sparse or counted):
        return SILENT
    note: Note | None = model.path_note()
    if note is not None:
        return note
    for step in steps[counted:]:
        if not offered(step, "sparse_ok"):
            return Note("S003", type(step).__name__)
    if not data.in_memory:
        return Note("S002")
    return Note("S022", type(model).__name__) if study.splits.row_by_row else None


class _ModelTask(NamedTuple):
    """A model of the splits, and which settings of a family it tests."""

    m: int
    wanted: list[tuple[int, Codes]]  # setting, tests


class SettingScores(NamedTuple):
    """Scores of the rows that a model tests in one setting, and what was warned about on the way."""

    scores: Array
    predicted: Codes
    posterior: bool
    priors: Array
    warned: FoldWarnings


@dataclass(frozen=True, eq=False)
class SolvedCompressed:
    """Models that are solved when their scores are asked for."""

    settings: Settings
    study: Study
    warned: dict[int, FoldWarnings] = field(default_factory=dict)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator, engine = Accumulator(keep), self.study.dataset.engine
        for which in self.settings.families(lambda model: offered(model, "penalties")):
            tasks, fit = list(self._tasks(which, only)), self._fit(which[0])
            with single_threaded():
                for task, scored in zip(tasks, engine.each(tasks, fit, LABEL), strict=True):
                    for (s, tests), of_setting in zip(task.wanted, scored, strict=True):
                        self.warned.setdefault(s, FoldWarnings()).also(of_setting.warned)
                        self._add(accumulator, s, tests, of_setting)
        return keep.finish(accumulator.total)

    def _add(self, accumulator: Accumulator[Kept], s: int, tests: Codes, scored: SettingScores) -> None:
        splits, data = self.study.splits, self.study.dataset
        rows, test = splits.rows_of(tests)
        priors = np.zeros((splits.n_tests, data.n_classes))
        priors[tests] = scored.priors
        accumulator.add(
            self.study.part(s, rows, test, scored.scores, scored.predicted, priors, scored.posterior)
        )

    def _tasks(self, which: list[int], only: Mask | None) -> Iterator[_ModelTask]:
        """Every model that is asked for, with the settings that ask for it."""
        splits = self.study.splits
        for m, tests in splits.tasks(None if only is None else np.any(only[which], axis=0)):
            asked = [(s, tests if only is None else tests[only[s][tests]]) for s in which]
            yield _ModelTask(m, [(s, some) for s, some in asked if len(some)])

    def _fit(self, s: int) -> _PathFit:
        """How the settings of a family are fitted to a training set; texts are counted by the first who asks."""
        estimator, data = self.settings.estimators[s], self.study.dataset
        steps, words, rows = steps_of(estimator), None, data.matrix
        if steps and hasattr(steps[0], "read_counts"):
            counted, _ = read_rows(self.study, steps[0].read_counts())
            words, estimator, rows = steps[0], without_first(estimator), counted.matrix
        X, splits = _compressed(rows()), replace(self.study.splits, deeper=None)
        return _PathFit(
            words, estimator, self.settings.estimators, X, data.codes, data.classes, data.weight, splits
        )

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what the steps warned about."""
        return self.study.warnings(self.settings.estimators[s], self.warned.get(s))


@dataclass(frozen=True, eq=False)
class _PathFit:
    """The fit of one training set: every setting of a family that it tests."""

    words: WordStep | None  # chooses among the words that were counted
    behind: Any  # further steps and a model
    estimators: Sequence[Any]  # by setting
    X: CompressedRows
    codes: Codes
    classes: Labels
    weight: Array | None
    splits: Splits

    def __call__(self, task: _ModelTask) -> list[SettingScores]:
        train = self.splits.train_rows(task.m)
        codes, weight = self.codes[train], subset_weight(self.weight, train)
        models = [model_of(self.estimators[s]) for s, _ in task.wanted]
        with collect_warnings() as warned, one_openmp_thread(), without_costly_diagnostics():
            choose = self._choice(self.X[train])
            y, Z, transform = self.classes[codes], choose(self.X[train]), choose
            if steps_of(self.behind):
                steps, Z = fit_steps(self.behind, Z, y, weight)
                transform = lambda rows: steps.transform(choose(rows))  # noqa: E731
            fitted = unfitted(models[0]).fit_path(Z, y, weight, models)
        priors = np.bincount(codes, weight, len(self.classes))
        place = known_places(fitted[0], codes, self.classes)
        out = []
        for model, (_, tests) in zip(fitted, task.wanted, strict=True):
            rows = self.splits.rows_of(tests)[0]
            if len(rows):
                scored = fitted_scores(model, transform(self.X[rows]), place, self.classes)
            else:  # a replicate that drew every row
                scored = np.empty((0, len(self.classes))), np.empty(0, dtype=np.int32), True
            shares = trained_priors(model, priors / priors.sum(), place)
            out.append(SettingScores(*scored, shares, warned))
        return out

    def _choice(self, train: CompressedRows) -> Callable[[CompressedRows], CompressedRows]:
        """What the words that a training set keeps leave of rows."""
        if self.words is None:
            return lambda rows: rows
        documents = np.bincount(train.indices[train.data > 0], minlength=train.shape[1]).astype(np.int64)
        totals = np.asarray(train.sum(axis=0), dtype=np.float64).ravel()
        kept = np.flatnonzero(self.words.word_map(WordTotals(documents, totals, train.shape[0])))
        binary = self.words.binary
        return lambda rows: present(rows[:, kept]) if binary else rows[:, kept]


def _compressed(X: Any) -> CompressedRows:
    """Checked rows, each entry once."""
    check_indices(X)
    rows: CompressedRows = canonical(X.tocsr())
    return rows


COMPRESSED_PATH = Sharer("path", _note, SolvedCompressed)
