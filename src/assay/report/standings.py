"""Sections: the leaderboard, and error against training size."""

from __future__ import annotations

from typing import Any

from assay.report import charts
from assay.report.layout import Figure, Grid, Panel, Part, Section, Text, grid
from assay.report.subject import BASELINE, Subject
from assay.report.words import (
    DASH,
    LEVEL,
    count,
    number,
    number_range,
    percent,
    percent_range,
    plural,
    seconds,
)
from assay.selection.evaluation import Evaluation

DRAWN_CURVES = 6
_STRATEGIES = {
    "statistics": "one pass over the rows",
    "closed form": "a closed form",
    "refit": "a fit for each",
}


def leaderboard_section(s: Subject) -> Section:
    """All candidates side by side, and what choosing among them costs."""
    parts: list[Part] = [Text(_choosing(s)), _interval_figure(s), _table(s), _readings(s)]
    omitted = getattr(s.comparison, "omitted", None) or {}
    if omitted:
        rows = [(name, reason) for name, reason in omitted.items()]
        parts.append(grid("Candidates left out", ("candidate", "why"), rows))
    return Section("leaderboard", "The candidates", "Candidates", tuple(parts))


def _choosing(s: Subject) -> str:
    """What the winner scored, what the procedure is worth, and the difference."""
    scored = getattr(s.winner, "scored", None)
    if scored is None:
        scored = s.figure(s.evaluation)
    honest = s.figure(s.honest)
    show = percent if s.loss is None else number
    optimism = getattr(s.comparison, "optimism", None)
    optimism = honest - scored if optimism is None else optimism
    what = "an error" if s.loss is None else "a mean loss"
    text = (
        f"Every candidate was tuned inside {plural(s.evaluation.n_splits, 'split')} and tested on rows that had no say "
        f"in its settings. On the folds it was chosen by, {s.titles[s.best]} scored {what} of {show(scored)}. "
        f"Choosing the method and its settings inside every fold, which is what a new row will meet, gives "
        f"{show(honest)} ({_range(s, s.honest)}). "
    )
    size = f"{100 * optimism:+.1f} percentage points" if s.loss is None else f"{optimism:+.3g}"
    if abs(optimism) < (5e-4 if s.loss is None else 5e-4 * max(abs(honest), 1e-12)):
        return text + "The choice itself flattered the score by nothing to speak of."
    verb = "flattered the score by" if optimism > 0 else "did not flatter the score: the difference is"
    return text + f"The choice itself {verb} {size.lstrip('+')}."


def _range(s: Subject, evaluation: Evaluation) -> str:
    ends = s.figure_interval(evaluation)
    return percent_range(ends) if s.loss is None else number_range(ends)


def _interval_figure(s: Subject) -> Figure:
    what = "error on new rows" if s.loss is None else "mean loss of a new row"
    show = percent if s.loss is None else number
    rows: list[dict[str, Any]] = []
    for name, result in s.results.items():
        low, high = s.figure_interval(result.evaluation)
        value = s.figure(result.evaluation)
        shown = f"{show(value)} ({_range(s, result.evaluation)})"
        rows.append(
            {
                "name": s.titles[name],
                "value": value,
                "low": low,
                "high": high,
                "shown": shown,
                "best": name == s.best,
            }
        )
    baseline = None if s.baseline is None else s.figure(s.baseline)
    says = (
        f"{what.capitalize()} of {plural(len(rows), 'candidate')} with {LEVEL} intervals, best first: "
        + "; ".join(f"{row['name']} {row['shown']}" for row in rows[:3])
        + ("." if len(rows) <= 3 else f"; and {len(rows) - 3} more.")
    )
    line = "" if baseline is None else f" The dashed line is the baseline, {show(baseline)}."
    return Figure(
        "intervals",
        (Panel(charts.interval_chart(rows, baseline, what, s.loss is None)),),
        says,
        f"Dots are nested estimates, lines their {LEVEL} intervals: where they overlap widely the order is luck.{line}",
        grid(what, ("candidate", what), [(row["name"], row["shown"]) for row in rows], (1,)),
    )


def _table(s: Subject) -> Grid:
    """The figures side by side."""
    heads = ["candidate", "scored", "error", f"{LEVEL} interval", "log loss", "AUC", "training", "one row"]
    if s.loss is not None:
        heads.insert(4, "mean loss")
    rows = []
    for name, result in s.results.items():
        e, scored = result.evaluation, getattr(result, "scored", None)
        row = [
            s.titles[name],
            percent(scored) if s.loss is None else number(scored),
            percent(e.error),
            percent_range(e.error_interval),
            number(e.log_loss) if e.probabilistic else DASH,
            _auc(e),
            seconds(getattr(result, "fit_seconds", None)),
            seconds(getattr(result, "predict_seconds", None)),
        ]
        if s.loss is not None:
            row.insert(4, number(e.mean_loss(s.loss)))
        rows.append(row)
    best = frozenset({list(s.results).index(s.best)})
    caption = "All candidates, in the order of what their best setting scored; the other figures are nested"
    return grid(caption, heads, rows, range(1, len(heads)), marked=best)


def _readings(s: Subject) -> Grid:
    """What there is to see in each model, and how its folds were worked out."""
    rows = [
        (
            s.titles[name],
            result.entry.interpretability,
            _STRATEGIES.get(result.evaluation.strategy, result.evaluation.strategy),
        )
        for name, result in s.results.items()
    ]
    return grid(
        "What there is to read in each",
        ("candidate", "to read", "all splits by"),
        rows,
        folded=len(rows) > 12,
    )


def _auc(e: Evaluation) -> str:
    """Area under the curve, or a dash where a class has too few rows for it."""
    try:
        return f"{e.auc:.3f}"
    except ValueError:
        return DASH


def learning_section(s: Subject) -> Section | None:
    """Would more rows help?"""
    points = _curve_points(s)
    if not points:
        return None
    named = list(dict.fromkeys(p["name"] for p in points))
    baseline = s.titles.get(BASELINE) if s.titles.get(BASELINE) in named else None
    drawn = [name for name in named if name != baseline][:DRAWN_CURVES]
    best = s.titles[s.best] if s.titles[s.best] in drawn else (drawn or named)[0]
    shown = [*drawn, *([] if baseline is None else [baseline])]
    trend, more = _trend(points, best), len(named) - len(shown)
    left = (
        f" Further down the leaderboard: {plural(more, 'candidate')}, in the table only." if more > 0 else ""
    )
    heads = ("candidate", "training rows", "error", f"{LEVEL} interval")
    rows = [
        (p["name"], count(p["size"]), percent(p["error"]), percent_range((p["low"], p["high"])))
        for p in points
    ]
    figure = Figure(
        "learning",
        (Panel(charts.learning_chart(points, shown, best, baseline)),),
        f"Error against the number of training rows for {plural(len(shown), 'candidate')}. {trend}",
        f"The band is the {LEVEL} interval of {best}; the dashed line is the baseline.{left}",
        grid("Error by training size", heads, rows, (1, 2, 3)),
    )
    return Section("learning", "Error against training size", "Training size", (Text(trend), figure))


def _curve_points(s: Subject) -> list[dict[str, Any]]:
    return [
        dict(zip(("name", "size", "error", "low", "high"), (s.titles[name], *point), strict=True))
        for name, result in s.results.items()
        for point in getattr(result, "curve", ()) or ()
    ]


def _trend(points: list[dict[str, Any]], best: str) -> str:
    """What the last doubling of rows brought the best candidate."""
    mine = [p for p in points if p["name"] == best]
    if len(mine) < 2:
        return f"{best} was trained on one size only."
    before, last = mine[-2], mine[-1]
    if percent(before["error"]) == percent(last["error"]):
        return (
            f"More rows of this kind promise little: the error of {best} stayed at {percent(last['error'])} when the "
            f"training rows were doubled to {count(last['size'])}."
        )
    change = (
        f"from {percent(before['error'])} with {count(before['size'])} training rows "
        f"to {percent(last['error'])} with {count(last['size'])}"
    )
    if last["error"] < before["low"]:
        return f"More rows still help: the error of {best} went {change}."
    return f"More rows of this kind promise little: the error of {best} went {change}, which is within its interval."
