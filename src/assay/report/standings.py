"""Sections: the leaderboard, error against training size, and how the winner was tuned."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.report import charts, model_charts
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
    setting_text,
)
from assay.selection.evaluation import Evaluation

DRAWN_CURVES = 6
MOST_SETTINGS = 30
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
    points: list[dict[str, Any]] = [
        {
            "name": s.titles[name],
            "size": int(p[0]),
            "error": float(p[1]),
            "low": float(p[2]),
            "high": float(p[3]),
        }
        for name, result in s.results.items()
        for p in getattr(result, "curve", ()) or ()
    ]
    if not points:
        return None
    baseline = s.titles.get(BASELINE)
    named = [s.titles[name] for name in s.results if s.titles[name] in {p["name"] for p in points}]
    drawn = [name for name in named if name != baseline][:DRAWN_CURVES]
    best = s.titles[s.best] if s.titles[s.best] in drawn else drawn[0] if drawn else named[0]
    shown = [*drawn, *([baseline] if baseline in named else [])]
    chart = charts.learning_chart(points, shown, best, baseline if baseline in named else None)
    rows = [
        (p["name"], count(p["size"]), percent(p["error"]), percent_range((p["low"], p["high"])))
        for p in points
    ]
    more = len(named) - len(shown)
    left = (
        f" {plural(more, 'candidate')} further down the leaderboard {'is' if more == 1 else 'are'} in the table only."
        if more > 0
        else ""
    )
    figure = Figure(
        "learning",
        (Panel(chart),),
        f"Error against the number of training rows for {plural(len(shown), 'candidate')}. {_trend(points, best)}",
        f"The band is the {LEVEL} interval of {best}; the dashed line is the baseline.{left}",
        grid(
            "Error by training size",
            ("candidate", "training rows", "error", f"{LEVEL} interval"),
            rows,
            (1, 2, 3),
        ),
    )
    return Section(
        "learning", "Error against training size", "Training size", (Text(_trend(points, best)), figure)
    )


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


def tuning_section(s: Subject) -> Section | None:
    """Inner loss of the winner's settings, and how often each was chosen."""
    result = s.winner
    settings = list(getattr(result, "settings", ()) or ())
    inner = np.asarray(getattr(result, "inner", np.zeros((0, 0))), dtype=np.float64)
    if len(settings) < 2 or inner.ndim != 2 or inner.shape[1] != len(settings) or not len(inner):
        return None
    chosen = np.bincount(np.asarray(result.chosen, dtype=np.int64), minlength=len(settings))
    rows = [
        {
            "setting": setting_text(setting),
            "value": float(np.nanmean(inner[:, i])),
            "low": float(np.nanmin(inner[:, i])),
            "high": float(np.nanmax(inner[:, i])),
            "chosen": int(chosen[i]),
            "final": setting == result.setting,
        }
        for i, setting in enumerate(settings)
    ]
    said = "error in the inner folds" if s.loss is None else "mean loss in the inner folds"
    most = int(chosen.argmax())
    text = (
        f"{plural(len(settings), 'setting')} of {s.titles[s.best]} were tried inside each of "
        f"{plural(len(inner), 'split')}. The one in use is {setting_text(result.setting)}; the one chosen most often, "
        f"by {chosen[most]} of {chosen.sum()}, was {setting_text(settings[most])}."
    )
    figure = Figure(
        "tuning",
        (Panel(_tuning_chart(settings, rows, said)),),
        f"{said.capitalize()} of each setting. {text}",
        "Mean over the outer splits; the band or line reaches from the best split to the worst, the ring marks the "
        "setting in use.",
        grid(
            "Settings",
            ("setting", said, "best to worst split", "chosen by splits"),
            [
                (r["setting"], number(r["value"]), number_range((r["low"], r["high"])), str(r["chosen"]))
                for r in rows
            ],
            (1, 2, 3),
        ),
    )
    return Section("tuning", "How the winner was tuned", "Tuning", (Text(text), figure))


def _tuning_chart(settings: list[dict[str, Any]], rows: list[dict[str, Any]], said: str) -> Any:
    """A line over the one number that varies, else a line of dots for each setting."""
    vary = [key for key in settings[0] if len({repr(each.get(key)) for each in settings}) > 1]
    values: list[Any] = [each.get(vary[0]) for each in settings] if len(vary) == 1 else []
    numeric = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    if not values or not numeric:
        return model_charts.setting_chart(sorted(rows, key=lambda row: row["value"])[:MOST_SETTINGS], said)
    positive = sorted(float(v) for v in values if v > 0)
    log = bool(positive) and len(positive) >= len(values) - 1 and positive[-1] / positive[0] >= 30
    # Zero has no logarithm: it is drawn one step to the left of the least value.
    step = (positive[-1] / positive[0]) ** (1 / max(len(positive) - 1, 1)) if log else 1.0
    for row, value in zip(rows, values, strict=True):
        row["x"] = float(value) if value > 0 or not log else positive[0] / step
    name = vary[0] + (", 0 at the left end" if log and len(positive) < len(values) else "")
    return model_charts.tuning_chart(sorted(rows, key=lambda row: row["x"]), name, said, log)
