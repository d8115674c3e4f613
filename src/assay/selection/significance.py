"""Is the difference between two models significant? Three answers, and a verdict.

* the corrected resampled t-test over splits counts that their models share training rows (Nadeau and Bengio, 2003);
* McNemar's test looks at the rows that exactly one of the two gets wrong;
* the posterior of the difference says how probably it is too small to matter (Corani and Benavoli, 2015).

A test that finds no difference has not shown that there is none; only the last one can show that two models are
practically equivalent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from assay.decision import (
    Interval,
    McNemar,
    Practical,
    ResampledT,
    effective_units,
    mcnemar,
    practical,
    t_interval,
)
from assay.notes import Note
from assay.selection.evaluation import Evaluation

SURE = 0.95
MARGIN = 0.01  # one point of error, or a hundredth of what losses span


class PairedTest(NamedTuple):
    """Mean difference of the losses, its standard error and interval, and the two-sided p-value of no difference."""

    mean: float
    standard_error: float
    p_value: float
    interval: Interval


@dataclass(frozen=True)
class Significance:
    """Two models compared on the same tested rows; differences are the loss of `one` less that of `other`.

    Attributes
    ----------
    one, other : str
    rows : PairedTest
        t-test over rows, or groups of rows; it does not account for the variance of the training sets.
    splits : ResampledT or None
        Corrected resampled t-test; None with a single split.
    mcnemar : McNemar or None
        On the rows of the first repeat; None with weights, priors or groups, or if losses are not errors.
    practical : Practical
        Probabilities that `one` is better by more than the margin, practically equivalent, and worse.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, PriorClassifier, evaluate
    >>> results = evaluate([GaussianNB(), PriorClassifier()], *load_iris(return_X_y=True))
    >>> significance(*results.values())
    Significance(GaussianNB() is better than PriorClassifier(), by more than 1 percentage point with probability >99 %)
    """

    one: str
    other: str
    rows: PairedTest
    splits: ResampledT | None
    mcnemar: McNemar | None
    practical: Practical
    errors: bool = True
    unit: str = "rows"  # or "groups" of them

    def __repr__(self) -> str:
        return f"Significance({str(self.verdict).removesuffix('.')})"

    def __str__(self) -> str:
        return str.__str__(self.verdict)

    @property
    def difference(self) -> float:
        return self.rows.mean

    @property
    def interval(self) -> Interval:
        """Of the difference, over splits where there are some."""
        return self.rows.interval if self.splits is None else self.splits.interval

    @property
    def kind(self) -> str:
        """ "same" in practice, "apart" by more than the margin, "ordered" by maybe less, or "unknown"."""
        below, within, above, _ = self.practical
        if within >= SURE:
            return "same"
        if max(below, above) >= SURE:
            return "apart"
        return "ordered" if max(self.p_values.values()) < 1 - SURE else "unknown"

    @property
    def verdict(self) -> Note:
        """What to make of the tests."""
        below, within, above, margin = self.practical
        better, worse = (self.one, self.other) if self.difference < 0 else (self.other, self.one)
        if self.kind == "same":
            code = "C141" if self.errors else "C142"
            return Note(code, one=self.one, other=self.other, margin=margin, probability=within)
        if self.kind == "apart":
            code = "C143" if self.errors else "C144"
            return Note(code, better=better, worse=worse, margin=margin, probability=max(below, above))
        if self.kind == "ordered":
            code = "C145" if self.errors else "C146"
            return Note(code, better=better, worse=worse, tests=self.p_values, margin=margin)
        code = "C148" if self.difference == 0.0 else "C147"
        return Note(code, better=better, worse=worse, tests=self.p_values)

    @property
    def p_values(self) -> dict[str, float]:
        """P-values by the name of the test; that over rows where there is no other."""
        tests = {"corrected t-test": self.splits, "McNemar": self.mcnemar}
        p_values = {name: test.p_value for name, test in tests.items() if test is not None}
        return p_values or {f"t-test over {self.unit}": self.rows.p_value}


def significance(one: Evaluation, other: Evaluation, margin: float | None = None) -> Significance:
    """Test whether two models differ on the same splits, and by enough to matter.

    Parameters
    ----------
    one, other : Evaluation
        From one call of `evaluate`.
    margin : float, optional
        Largest difference that does not matter; by default one percentage point of error, or a hundredth of the range
        of the losses.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier, GaussianNB, KFold, evaluate
    >>> models = {"naive": GaussianNB(), "shared": GaussianClassifier("shared")}
    >>> results = evaluate(models, *load_iris(return_X_y=True), KFold(10, repeats=3))
    >>> print(significance(results["naive"], results["shared"]).verdict)
    No evidence that shared is better than naive (corrected t-test p = 0.15, McNemar p = 0.12).
    """
    over_rows = paired_t_test(one, other)
    splits = one.compare(other) if one.n_splits > 1 else None
    span = 1.0 if one.loss is None else float(np.ptp(one.loss.values))
    margin = MARGIN * span if margin is None else margin
    values, weight = one.per_row(one.losses())
    units = effective_units(weight, one.row_groups, len(values))
    if splits is not None:
        freedom, error = float(np.isfinite(one.split_errors).sum() - 1), splits.standard_error
    else:
        freedom, error = units - 1.0, over_rows.standard_error
    # What agrees on all rows, or differs alike in all splits, would be known to no end; but the next row could part the
    # two, and a single row counts for so much.
    error = max(error, span / units)
    return Significance(
        one.name,
        other.name,
        over_rows,
        splits,
        _mcnemar(one, other),
        practical(over_rows.mean, error, freedom, margin),
        one.by_error,
        "rows" if one.row_groups is None else "groups",
    )


def paired_t_test(one: Evaluation, other: Evaluation, level: float = 0.95) -> PairedTest:
    """Loss (error, without a loss matrix) of one model less that of the other, over the same tested rows.

    The tests of a row are averaged first, so that rows, or groups of rows, are the unit under any plan. The test sees
    which rows were tested, and not how much the models would change with other training rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier, GaussianNB, HoldOut, evaluate
    >>> models = {"naive": GaussianNB(), "sphere": GaussianClassifier("shared_spherical")}
    >>> results = evaluate(models, *load_iris(return_X_y=True), HoldOut(0.5))
    >>> test = paired_t_test(results["sphere"], results["naive"])
    >>> round(test.mean, 3), round(test.p_value, 2)
    (0.053, 0.04)
    """
    for result in (one, other):
        if not isinstance(result, Evaluation):
            raise TypeError(Note("S127", result=result))
    if not np.array_equal(one.rows, other.rows):
        raise ValueError(Note("S125", name=one.name, other=other.name))
    values, weight = one.per_row(one.losses() - other.losses())
    mean, error, interval = t_interval(values, weight, level, one.row_groups)
    if np.isnan(error):
        raise ValueError(Note("S126"))
    if error == 0.0:
        return PairedTest(mean, error, float(mean == 0.0), interval)
    freedom = effective_units(weight, one.row_groups, len(values)) - 1.0
    return PairedTest(mean, error, float(2.0 * special.stdtr(freedom, -abs(mean / error))), interval)


def _mcnemar(one: Evaluation, other: Evaluation) -> McNemar | None:
    """On the first test of every row; None where rows do not count alike."""
    if one.row_weight is not None or one.row_groups is not None or not one.by_error:
        return None
    _, first = np.unique(one.rows, return_index=True)
    difference = (one.wrong - other.wrong)[first]
    return mcnemar(int((difference > 0).sum()), int((difference < 0).sum()))
