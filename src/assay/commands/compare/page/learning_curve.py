"""Section: the learning curve."""

from __future__ import annotations

from assay.charts.document import (
    Figure,
    Panel,
    Paragraph,
    Section,
    data_table,
)
from assay.charts.learning_curve import LearningRow, learning_chart
from assay.commands.compare.page.context import PageContext
from assay.notes.numbers import LEVEL, count, percent, percent_range
from assay.notes.phrases import page_plural as plural
from assay.workbench.experiment.procedure import BASELINE

DRAWN_CURVES = 6
FAR_ABOVE = 2.0  # times what the other curves reach


def learning_section(s: PageContext) -> Section | None:
    """Error by number of training rows: would more rows help?"""
    points = _curve_points(s)
    if not points:
        return None
    named = list(dict.fromkeys(p["name"] for p in points))
    baseline = s.titles.get(BASELINE) if s.titles.get(BASELINE) in named else None
    drawn = [name for name in named if name != baseline][:DRAWN_CURVES]
    best = s.titles[s.best] if s.titles[s.best] in drawn else (drawn or named)[0]
    shown = [*drawn, *([] if baseline is None else [baseline])]
    trend, more = _trend(points, best), len(named) - len(shown)
    above = baseline is not None and _above(points, drawn, baseline)
    line = (
        f"; the baseline, {percent(s.results[BASELINE].evaluation.error)}, is above the frame"
        if above
        else ("; the dashed line is the baseline" if baseline is not None else "")
    )
    left = (
        f" Only in the table: {plural(more, 'candidate')} further down the leaderboard." if more > 0 else ""
    )
    heads = ("candidate", "training rows", "error", f"{LEVEL} CI")
    rows = [
        (p["name"], count(p["size"]), percent(p["error"]), percent_range((p["low"], p["high"])))
        for p in points
    ]
    figure = Figure(
        "learning",
        (Panel(learning_chart(points, drawn if above else shown, best, None if above else baseline)),),
        f"Error against the number of training rows for {plural(len(shown), 'candidate')}. {trend}",
        f"The band is the {LEVEL} confidence interval of {best}{line}.{left}",
        data_table("Error by number of training rows", heads, rows, (1, 2, 3)),
    )
    return Section("learning", "Learning curve", "Learning curve", (Paragraph(trend), figure))


def _curve_points(s: PageContext) -> list[LearningRow]:
    return [
        {"name": s.titles[name], "size": size, "error": error, "low": low, "high": high}
        for name, result in s.results.items()
        for size, error, low, high in result.curve
    ]


def _above(points: list[LearningRow], drawn: list[str], baseline: str) -> bool:
    """Whether the baseline is so far above all curves that it would flatten them."""
    highest = max((p["high"] for p in points if p["name"] in drawn), default=0.0)
    return bool(min(p["error"] for p in points if p["name"] == baseline) > FAR_ABOVE * highest > 0)


def _trend(points: list[LearningRow], best: str) -> str:
    """The effect of the last doubling of rows on the best candidate."""
    curve = [p for p in points if p["name"] == best]
    if len(curve) < 2:
        return f"{best} was trained on one size only."
    previous, last = curve[-2], curve[-1]
    if percent(previous["error"]) == percent(last["error"]):
        return (
            f"More rows are unlikely to help: the error of {best} stayed at {percent(last['error'])} when the number "
            f"of training rows doubled to {count(last['size'])}."
        )
    change = (
        f"from {percent(previous['error'])} with {count(previous['size'])} training rows "
        f"to {percent(last['error'])} with {count(last['size'])}"
    )
    if last["error"] < previous["low"]:
        return f"More rows are likely to help: the error of {best} fell {change}."
    return (
        f"More rows are unlikely to help: the error of {best} changed {change}, which is within its interval."
    )
