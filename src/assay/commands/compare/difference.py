"""Whether the loss of one candidate differs from that of another, on the same tested rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.notes import Note
from assay.selection.evaluation import Evaluation
from assay.selection.significance import significance

SIGNIFICANT = 0.05  # p-value below which the tested rows show a difference
WORSE = frozenset({"apart", "ordered"})  # conclusions that say which of two is better


@dataclass(frozen=True)
class DifferenceTest:
    """A candidate's loss (its error, without costs) less another's, by a paired t-test over the tested rows.

    Beside it the other answers of `significance`: tests over splits and rows, and how probably it matters at all.
    """

    difference: float
    interval: tuple[float, float]
    p_value: float
    resampled_p: float | None = None  # corrected resampled t-test over the splits
    mcnemar_p: float | None = None
    better: float = 0.0  # probability to be better by more than `margin`
    same: float = 0.0
    worse: float = 0.0
    margin: float = 0.0
    kind: str = "unknown"  # as `Significance` has it
    simpler: bool = False
    verdict: str = ""

    @property
    def clear(self) -> bool:
        """Whether the conclusion is that it is worse than the other: neither equivalent in practice nor unknown."""
        return self.kind in WORSE and self.difference > 0

    @property
    def significant(self) -> bool:
        """Whether the rows show it to be worse than the other, by however little."""
        return self.p_value < SIGNIFICANT and self.difference > 0

    def with_simpler(self, title: str) -> DifferenceTest:
        """The same, whose verdict says that the candidate is the simpler one of the two."""
        verdict = Note("C100", notes=(self.verdict, Note("C149", title=title)))
        return replace(self, simpler=True, verdict=verdict)


def difference_test(
    one: Evaluation, other: Evaluation, titles: tuple[str, str] = ("", "")
) -> DifferenceTest | None:
    """The difference of two candidates; None where a single row was tested."""
    try:
        test = replace(significance(one, other), one=titles[0], other=titles[1])
    except ValueError:
        return None
    better, same, worse, margin = test.practical
    return DifferenceTest(
        difference=test.difference,
        interval=(float(test.rows.interval.low), float(test.rows.interval.high)),
        p_value=test.rows.p_value,
        resampled_p=None if test.splits is None else test.splits.p_value,
        mcnemar_p=None if test.mcnemar is None else test.mcnemar.p_value,
        better=better,
        same=same,
        worse=worse,
        margin=margin,
        kind=test.kind,
        verdict=test.verdict,
    )
