"""Evaluations: the out-of-sample scores of every tested row, and every metric computed from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.decision import (
    CalibrationTable,
    Decision,
    ErrorRejectCurve,
    Estimate,
    Instability,
    Interval,
    LossLike,
    LossMatrix,
    ResampledT,
    calibration_table,
    confusion,
    corrected_resampled_t,
    decide,
    delong,
    effective_size,
    error_reject_curve,
    error_spread,
    row_briers,
    row_losses,
    t_interval,
    unstable_wilson,
    widened,
)
from assay.decision.measures import LOG_FLOOR
from assay.decision.metric_names import positive_class
from assay.decision.metric_table import MetricTable
from assay.decision.metrics import one_vs_rest_log_odds
from assay.engines.local import thread_count
from assay.notes import Note
from assay.selection.error_estimates import ErrorEstimates
from assay.selection.metric_rows import linearised_losses, loss_interval, metric_loss, metric_table
from assay.selection.prior_shift import share_size
from assay.sharing.forms import log_losses
from assay.types import Array, Label

METHODS = ("effective", "wilson")  # of intervals


@dataclass(frozen=True, eq=False)
class Evaluation(ErrorEstimates):
    """Out-of-sample scores of one model under one validation scheme, and its metrics.

    If rows are tested several times (repeats, bootstrap), the mean of each row counts once. Intervals are over distinct
    rows, or over groups; those of `nested`, `tune` and `compare` also count how much the losses of a row differ between
    training sets. Under `RandomSubsampling` metrics are means over the splits, so that a row counts as often as it was
    tested. With `priors`, all metrics are those of a population with this prevalence: posteriors and tested rows are
    re-weighted.

    Attributes
    ----------
    classes : (K,)
    codes : (N,)
        True class of every row of the data, as a position in `classes`.
    tested : SplitScores
        Scores of the tested (row, split) pairs.
    strategy : str
        How splits were computed: "statistics", "path", "counts", "neighbors", "gram" or "refit".
    seconds : float
        Time of the evaluation; models evaluated together share one pass and report its whole time.
    notes : tuple of str
        Difficulties, as notes with codes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier, KFold, evaluate
    >>> result = evaluate(GaussianClassifier("shared"), *load_iris(return_X_y=True), KFold(10))
    >>> round(result.error, 3), [round(end, 3) for end in result.error_interval]
    (0.02, [0.007, 0.057])
    """

    # -- error and loss -----------------------------------------------------------------------------------

    @property
    def row_error(self) -> float:
        """Mean over the tested rows of how often each was misclassified, whatever the plan."""
        rows, weight = self.row_means(self.wrong)
        return float(np.average(rows, weights=weight))

    def _size(self, level: float) -> float:
        """Distinct rows tested; with weights or groups, the number of equal, independent rows that say as much."""
        wrong, weight = self.per_row(self.wrong)
        return share_size(wrong, weight, self.row_groups, self.priors is not None, level)

    @property
    def error_interval(self) -> Interval:
        """Interval of the error at 95 %, as `interval` gives it."""
        return self.interval("error")

    @property
    def standard_error(self) -> float:
        """Standard error of the error over rows."""
        return t_interval(*self.per_row(self.wrong)).standard_error

    @cached_property
    def split_errors(self) -> Array:
        """Error of each split (NaN where a split tests nothing)."""
        return self._by_split(self.wrong)

    def _by_split(self, values: Array) -> Array:
        """Mean of the pairs' values in each split."""
        weight = np.ones(len(values)) if self._pair_weight is None else self._pair_weight
        total = np.bincount(self.split, weights=weight, minlength=self.n_splits)
        sums = np.bincount(self.split, weights=weight * values, minlength=self.n_splits)
        return np.asarray(np.divide(sums, total, out=np.full(self.n_splits, np.nan), where=total > 0))

    def mean_loss(self, loss: LossLike = None) -> float:
        """Mean loss of the least-risk actions under any loss matrix; nothing is re-run.

        Where a metric is chosen by, what it lacks of its best value.
        """
        if loss is None and self.metric is not None:
            return metric_loss(self, self.metric)
        return self._mean(self.losses(loss))

    @property
    def loss_standard_error(self) -> float:
        """Standard error of the mean loss over rows; NaN where all weight is on one."""
        return self.loss_and_error[1]

    @property
    def loss_and_error(self) -> tuple[float, float]:
        """Mean loss and its standard error over rows."""
        losses = self.losses()
        rows, weight = self.per_row(losses)
        size = len(rows) if weight is None else effective_size(weight)
        together = None if self.metric is None else self.row_groups
        error = t_interval(rows, weight, groups=together).standard_error if size > 1 else float("nan")
        return self.mean_loss(), error

    def losses(self, loss: LossLike = None) -> Array:
        """Loss of each tested pair: of its least-risk action, or of its predicted class without posteriors.

        Where a metric is chosen by, what each pair adds to what the metric lacks of its best value.
        """
        if loss is None and self.metric is not None:
            return self._metric_losses
        if loss is None and self.loss is None:
            return self.wrong
        matrix = self.loss if loss is None and self.loss is not None else LossMatrix.of(loss, self.classes)
        if self.probabilistic:
            return row_losses(self.truth_codes, self.decide(matrix).action_codes, matrix)
        column = {int(k): a for a, k in enumerate(matrix.class_of_action) if k >= 0}
        if len(column) < len(self.classes):
            self._need_posterior("A loss matrix whose actions are not the classes")
        decided = self.decided_codes if loss is None else self.predicted_codes
        actions = np.array([column[k] for k in range(len(self.classes))])[decided]
        return row_losses(self.truth_codes, actions, matrix)

    @cached_property
    def _metric_losses(self) -> Array:
        assert self.metric is not None
        return linearised_losses(self, self.metric)

    def decide(self, loss: LossLike = None) -> Decision:
        """Least-risk action of every tested pair."""
        self._need_posterior("A decision under a loss matrix")
        matrix = self.loss if loss is None and self.loss is not None else LossMatrix.of(loss, self.classes)
        return decide(self.posterior, matrix, classes=self.classes)

    @property
    def decision_matrix(self) -> Array:
        """Weight (without weights: number) of tested pairs by true class and action of least expected loss, (K, A).

        Without a loss the actions are the classes; a model of margins acts by its predicted classes.
        """
        if self.loss is None:
            return self.confusion
        if not self.probabilistic:
            return confusion(self.truth_codes, self.decided_codes, len(self.classes), self._pair_weight)
        actions = self.decide().action_codes
        out = np.zeros(self.loss.values.shape)
        np.add.at(out, (self.truth_codes, actions), 1.0 if self._pair_weight is None else self._pair_weight)
        return out

    # -- posteriors ---------------------------------------------------------------------------------------

    def _log_losses(self) -> Array:
        self._need_posterior("Log loss")
        return log_losses(self.log_posterior, self.truth_codes, LOG_FLOOR, threads=thread_count())

    @cached_property
    def log_loss(self) -> float:
        """Mean of -ln P(true class), at most 708 per row; the rows clipped to it are counted in n_clipped."""
        return self._mean(self._log_losses())

    @property
    def n_clipped(self) -> int:
        """SplitScores pairs whose true class had posterior 0, unless its prior is 0 too."""
        counts = True if self.priors is None else self.priors[self.truth_codes] > 0
        return int(((self._log_losses() == -LOG_FLOOR) & counts).sum())

    @property
    def brier(self) -> float:
        """Mean squared distance of the posterior from the truth, summed over all classes: from 0 to 2.

        With two classes this is twice scikit-learn's `brier_score_loss`, which looks at one class alone.
        """
        self._need_posterior("The Brier score")
        return self._mean(row_briers(self.truth_codes, self.posterior))

    @property
    def brier_score_loss(self) -> float:
        """The Brier score as scikit-learn scales it: half of `brier` with two classes, `brier` with more."""
        return self.brier / 2.0 if len(self.classes) == 2 else self.brier

    @property
    def auc(self) -> float:
        """Area under the ROC curve; with more than two classes the mean over one-against-the-rest.

        A model whose posteriors are the class proportions of its training set ranks nothing: its area is 0.5.
        """
        return self._auc(0.95).value

    def _auc(self, level: float) -> Estimate:
        scores = one_vs_rest_log_odds(self.log_posterior) if self.probabilistic else self.scores
        if self.probabilistic and self.tested.uninformative:
            # A fold that lacks a class has more of it to test: it would be ranked backwards.
            scores = np.zeros_like(scores)
        columns = [self.row_means(scores[:, k]) for k in range(scores.shape[1])]
        averaged, weight = np.stack([column[0] for column in columns], axis=1), columns[0][1]
        truth = self.codes if self.tested.rows is None else self.codes[np.unique(self.rows)]
        ranked = averaged[:, 1] - averaged[:, 0] if scores.shape[1] == 2 else averaged
        return delong(truth, ranked, weight, level, self.row_groups)

    def interval(
        self, measure: str = "error", level: float = 0.95, loss: LossLike = None, *, method: str = "effective"
    ) -> Interval:
        """Interval of "error" (Wilson), "loss", "log_loss", "brier" (t over rows) or "auc" (DeLong).

        Those by t are cut off at the least and the largest value that a row can have. Of a nested estimate they count
        fewer rows than were tested, as far as losses differ between training sets (see `variance_factor`);
        ``method="wilson"`` counts the tested rows alone.
        """
        if method not in METHODS:
            raise ValueError(Note("S150", method=method, methods=METHODS))
        if measure == "loss" and loss is None and self.metric is not None:
            return loss_interval(self, self.metric, level)
        instability = Instability() if method == "wilson" or self.instability is None else self.instability
        if measure == "error":
            return unstable_wilson(min(self.error, 1.0), self._size(level), instability, level)
        if measure == "auc":
            low, high = widened(self._auc(level), self._factor(instability, measure))
            return Interval(max(low, 0.0), min(high, 1.0))
        of_pairs = self.pair_losses(measure, loss)
        least, most = self._extremes(measure, loss)
        estimate = t_interval(*self.per_row(of_pairs), level, self.row_groups)
        known = measure if loss is None else "another loss"
        low, high = widened(estimate, self._factor(instability, known))
        return Interval(max(low, least), min(high, most))

    def variance_factor(self, measure: str = "error") -> float:
        """Variance of a measure, in times that of independent tested rows.

        Above 1 for a nested estimate: other training sets would have made other choices and predictions. A measure
        whose losses were not kept by row, such as the AUC, has the factor of the error: its standard error is to be
        multiplied by the root of this.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from assay import GaussianNB, nested
        >>> result = nested(GaussianNB(), *load_iris(return_X_y=True), variance_floor=[0.1, 0.01])
        >>> round(result.evaluation.variance_factor(), 2)
        1.12
        """
        return 1.0 if self.instability is None else self._factor(self.instability, measure)

    def _factor(self, instability: Instability, measure: str) -> float:
        if measure == "error" or measure not in instability.variance:
            return instability.factor("error", error_spread(min(self.error, 1.0), self._size(0.95)))
        losses, weight = self.per_row(self.pair_losses(measure))
        mean = np.average(losses, weights=weight)
        return instability.factor(measure, float(np.average((losses - mean) ** 2, weights=weight)))

    def pair_losses(self, measure: str, loss: LossLike = None) -> Array:
        """Loss of each tested pair by "error", "loss", "log_loss" or "brier"."""
        values: dict[str, Callable[[], Array]] = {
            "error": lambda: self.wrong,
            "loss": lambda: self.losses(loss),
            "log_loss": self._log_losses,
            "brier": lambda: row_briers(self.truth_codes, self.posterior),
        }
        if measure not in values:
            raise ValueError(Note("S087", measure=measure))
        return values[measure]()

    def _extremes(self, measure: str, loss: LossLike) -> tuple[float, float]:
        """The least and the largest loss that a row can have."""
        if measure == "loss":
            return self._extreme_losses(loss)
        return 0.0, np.inf if measure == "log_loss" else 2.0

    def _extreme_losses(self, loss: LossLike) -> tuple[float, float]:
        matrix = self.loss if loss is None else LossMatrix.of(loss, self.classes)
        return (0.0, 1.0) if matrix is None else (float(matrix.values.min()), float(matrix.values.max()))

    def metrics(self, positive: Label | None = None, level: float = 0.95) -> MetricTable:
        """Precision, recall, F1, MCC and all other metrics, each with its interval.

        Parameters
        ----------
        positive : label, optional
            The class that precision, recall, specificity, F1 and average precision are about: of two classes the rarer
            one by default. Of more classes, without it, each has its own, and average precision is their mean.
        level : float
            Confidence level of the intervals.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from assay import GaussianNB, evaluate
        >>> table = evaluate(GaussianNB(), *load_breast_cancer(return_X_y=True)).metrics(positive=0)
        >>> recall = table["recall"]
        >>> recall.name, round(recall.value, 3), round(recall.low, 3), round(recall.high, 3)
        ('recall of 0', 0.901, 0.853, 0.934)
        """
        return metric_table(self, positive_class(positive, self.codes, self.classes), level, self.interval)

    # -- tables -------------------------------------------------------------------------------------------

    @property
    def confusion(self) -> Array:
        """Confusion matrix: weight of tested pairs by true class (rows) and predicted class (columns)."""
        return confusion(self.truth_codes, self.predicted_codes, len(self.classes), self._pair_weight)

    def calibration(self, bins: int = 10, of: Label | None = None) -> CalibrationTable:
        """Calibration table: predicted probability against observed frequency, of the predicted or of one class."""
        self._need_posterior("A calibration table")
        code = None if of is None else self._code(of)
        return calibration_table(self.truth_codes, self.posterior, bins, of=code, weight=self._pair_weight)

    def error_reject(self) -> ErrorRejectCurve:
        """Error-reject curve: error of the accepted rows as more doubtful rows are rejected."""
        self._need_posterior("The error-reject curve")
        return error_reject_curve(self.posterior, self.truth_codes, self._pair_weight)

    def _code(self, label: Label) -> int:
        for code in np.flatnonzero(self.classes == label):
            return int(code)
        raise ValueError(Note("M022", label=label, classes=self.classes.tolist()))

    def compare(self, other: Evaluation) -> ResampledT:
        """Corrected resampled t-test of this model's error less the other's, on the same splits.

        Where the evaluation has a loss matrix, of its mean loss.
        """
        if not np.array_equal(self.split, other.split) or not np.array_equal(self.rows, other.rows):
            raise ValueError(Note("S088", name=self.name, other=other.name))
        sizes = np.bincount(self.split, minlength=self.n_splits)
        tested = float(sizes[sizes > 0].mean())
        difference = self._by_split(self.losses()) - other._by_split(other.losses())
        # A replicate of the bootstrap may have drawn every row, and tests none.
        return corrected_resampled_t(difference[sizes > 0], len(self.codes) - tested, tested)

    def __repr__(self) -> str:
        return f"Evaluation({self})"

    def __str__(self) -> str:
        low, high = self.error_interval
        figure = f"{self.name}: error {self.error:.4f} ({low:.4f} to {high:.4f})"
        return figure + (f", log loss {self.log_loss:.4f}" if self.probabilistic else "")
