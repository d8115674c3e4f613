"""One line of the table, with the raw figures behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from benchmarks.harness import Contest, PartTimes

Sense = Literal["at least", "at most"]


@dataclass(frozen=True)
class Row:
    """A workload against a rival: figures of each round, the target, and what must be said about them.

    `ratios` is rival / ours where the target is "at least" (how many times quicker), ours / rival where it
    is "at most" (how far from a floor).
    """

    workload: str
    rival: str
    sense: Sense
    target: float | None
    unit: Literal["s", "MB"] = "s"
    sign: str = "x"  # what a ratio is a multiple of
    ours: tuple[float, ...] = ()
    theirs: tuple[float, ...] = ()
    ratios: tuple[float, ...] = ()
    extrapolated: str = ""
    floors: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    absent: str = ""

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def reached(self) -> bool | None:
        """Whether the median meets the target; None where none was set."""
        if self.target is None:
            return None
        return self.ratio >= self.target if self.sense == "at least" else self.ratio <= self.target


def row_of(
    result: Contest,
    workload: str,
    rival: str,
    target: float | None,
    *,
    sense: Sense = "at least",
    notes: Sequence[str] = (),
) -> Row:
    """The row of a contest, its notes completed by runs, settings and anything extrapolated."""
    speedups = result.speedups
    return Row(
        workload=workload,
        rival=rival,
        sense=sense,
        target=target,
        ours=tuple(result.ours),
        theirs=tuple(result.rival),
        ratios=tuple(speedups if sense == "at least" else (1.0 / x for x in speedups)),
        extrapolated=_extrapolation(result.parts),
        floors={name: median(result.ours) / median(seconds) for name, seconds in result.floors.items()},
        notes=(_runs(result), *(_choice(times) for times in result.parts if len(times.probes) > 1), *notes),
    )


def absent_row(
    workload: str, rival: str, target: float | None, reason: str, *, sense: Sense = "at least"
) -> Row:
    """A row that names what could not be measured, and why."""
    return Row(workload, rival, sense, target, absent=reason)


def _extrapolation(parts: Sequence[PartTimes]) -> str:
    cut = [times.part for times in parts if times.part.total > times.part.done]
    return "; ".join(sorted({f"extrapolated from {part.done} of {part.total}" for part in cut}))


def _runs(result: Contest) -> str:
    if result.fewest_runs == len(result.ours):
        return f"{len(result.ours)} alternating runs"
    slow = [f"{t.part.name} {len(t.seconds)}" for t in result.parts if len(t.seconds) < len(result.ours)]
    return f"{len(result.ours)} runs of ours; slow rivals were run less often: {', '.join(slow)}"


def _choice(times: PartTimes) -> str:
    tried = ", ".join(f"{name} {seconds:.3g} s" for name, seconds in times.probes.items())
    return f"{times.part.name} ran with {times.setting} (first round: {tried})"
