"""The result of `compare`, and what can be done with its winner: fit, predict, decide, report."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

from assay import catalog
from assay.commands.compare.fitted import fit_candidate
from assay.commands.compare.result import ComparisonResult
from assay.commands.compare.verdict import what_else, what_to_use
from assay.decision import Decision, LossLike
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.notes.numbers import plain_percent, plain_percent_range
from assay.notes.phrases import plural
from assay.notes.voices import PAGE, Voice
from assay.selection.evaluation import Evaluation
from assay.types import Array, Labels, MatrixLike
from assay.workbench.syntax.loss import parse_loss


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ComparisonResult):
    """The result of `compare`.

    Attributes
    ----------
    bench : ExperimentSetup
        The problem, validation scheme and loss.
    results : dict of CandidateResult
        Best first.
    omitted : dict
        Candidates that were omitted, and why.
    diagnosis : Diagnosis
        Leakage suspects and dimensionality.
    notes : tuple of str
    commands : tuple of str
        How to reproduce this result.
    interrupted : bool
        Whether the run was interrupted; candidates that were finished are here.
    folder : Path or None
    kept : bool
        Whether the folder is one of the user's cache.
    noise : str
        The result on shuffled labels, if `noise_check` asked for it.
    suspects : tuple of str
        Columns excluded as possible leakage.
    with_suspects : Comparison or None
        The same comparison with these columns, on the same folds.
    leaderboard : list of LeaderboardRow
        Every candidate, best first.
    nested, nested_error : Evaluation, float
        The nested estimate of the whole procedure, choice of the candidate included, and its error rate.
    optimism : float
        Selection bias: the nested loss less the CV loss of the winner.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import compare
    >>> result = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb", "fisher"])
    >>> [(row.name, round(row.error, 3)) for row in result.leaderboard]
    [('fisher', 0.02), ('gaussian_nb', 0.053), ('baseline', 0.78)]
    """

    with_suspects: Comparison | None = None

    def __repr__(self) -> str:
        nested = self.nested
        return (
            f"<Comparison of {self.name}: {self.best_name} of {plural(len(self.results), 'candidate')}, "
            f"{plural(self.n_rows, 'row')}, "
            f"error {plain_percent(nested.error)} % ({plain_percent_range(nested.error_interval)})>"
        )

    @property
    def verdict(self) -> tuple[Note, ...]:
        """Which candidate to use and its error rate on new data, and, if something else would do, what."""
        first, second = what_to_use(self), what_else(self)
        return (first,) if second is None else (first, second)

    @cached_property
    def best(self) -> TableClassifier:
        """The winner in its final setting, fitted to all rows."""
        return self.fit(self.best_name)

    def fit(self, name: str) -> TableClassifier:
        """A candidate in its final setting, fitted to all rows; it predicts under the comparison's priors."""
        return fit_candidate(self, name)

    def predict(self, source: MatrixLike) -> Labels:
        """Most probable class of each row of a new table, by the winner; costs are for `decide`."""
        return self.best.predict(source)

    def predict_proba(self, source: MatrixLike) -> Array:
        """Posteriors of the winner for a new table, (N, K), under the comparison's priors."""
        self._need_posteriors()
        return self.best.predict_proba(source)

    def decide(self, source: MatrixLike, loss: LossLike | PathLike[str] = None) -> Decision:
        """The winner's action of least expected loss for each row of a new table, under the comparison's priors.

        Parameters
        ----------
        loss : array, nested dict, table or text, optional
            ``loss[true, action]``; that of the comparison if not given.
        """
        self._need_posteriors()
        matrix = None if loss is None else parse_loss(loss, self.classes)
        best = self.best
        decision: Decision = best.decide(source, matrix)
        return decision

    def _need_posteriors(self) -> None:
        best = self.results[self.best_name]
        if "posterior" not in best.entry.capabilities:
            raise ValueError(Note("C021", title=best.title, calibrated=catalog.calibrated_names()))

    def report(self, path: str | PathLike[str], *, voice: Voice = PAGE) -> Path:
        """Write the report, one HTML file that needs no network; the voice words its notes."""
        from assay.commands.compare.page.page import write  # charts take a second to load

        return write(self, path, voice=voice)

    # -- old names ----------------------------------------------------------------------------------------

    @property
    def honest(self) -> Evaluation:
        """The old name of `nested`."""
        _warn_of_old_name("honest", "nested")
        return self.nested

    @property
    def honest_error(self) -> float:
        """The old name of `nested_error`."""
        _warn_of_old_name("honest_error", "nested_error")
        return self.nested_error


def _warn_of_old_name(old: str, new: str) -> None:
    warnings.warn(Note("C195", old=old, new=new), DeprecationWarning, stacklevel=3)
