"""Section: how the winner was tuned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.report import model_charts
from assay.report.layout import Figure, Panel, Section, Text, grid
from assay.report.subject import Subject
from assay.report.words import number, number_range, percent, percent_range, plural, setting_text

MOST_SETTINGS = 20


def tuning_section(s: Subject) -> Section | None:
    """Inner loss of the winner's settings, and how often each was chosen."""
    result = s.winner
    settings = list(getattr(result, "settings", ()) or ())
    inner = np.asarray(getattr(result, "inner", np.zeros((0, 0))), dtype=np.float64)
    if len(settings) < 2 or inner.ndim != 2 or inner.shape[1] != len(settings) or not len(inner):
        return None
    chosen = np.bincount(np.asarray(result.chosen, dtype=np.int64), minlength=len(settings))
    rows = _rows(settings, inner, chosen, result.setting)
    shares = s.loss is None
    said = "error in the inner folds" if shares else "mean loss in the inner folds"
    text = (
        f"{plural(len(settings), 'setting')} of {s.titles[s.best]} were tried inside each of "
        f"{plural(len(inner), 'split')}. {_choice(settings, chosen, result.setting)}"
    )
    show, show_range = (percent, percent_range) if shares else (number, number_range)
    lines = [
        (r["setting"], show(r["value"]), show_range((r["low"], r["high"])), str(r["chosen"])) for r in rows
    ]
    figure = Figure(
        "tuning",
        (Panel(_chart(settings, rows, said, shares)),),
        f"{said.capitalize()} of each setting. {text}",
        "Mean over the outer splits; the band or line reaches from the best split to the worst, the ring marks the "
        "setting in use."
        + (" Settings that did worse are in the table only." if len(rows) > MOST_SETTINGS else ""),
        grid("Settings", ("setting", said, "best to worst split", "chosen by splits"), lines, (1, 2, 3)),
    )
    return Section("tuning", "How the winner was tuned", "Tuning", (Text(text), figure))


def _rows(
    settings: list[dict[str, Any]],
    inner: NDArray[np.float64],
    chosen: NDArray[np.intp],
    final: dict[str, Any],
) -> list[dict[str, Any]]:
    return [
        {
            "setting": setting_text(setting),
            "value": float(np.nanmean(inner[:, i])),
            "low": float(np.nanmin(inner[:, i])),
            "high": float(np.nanmax(inner[:, i])),
            "chosen": int(chosen[i]),
            "final": setting == final,
        }
        for i, setting in enumerate(settings)
    ]


def _choice(settings: list[dict[str, Any]], chosen: NDArray[np.intp], final: dict[str, Any]) -> str:
    """Whether the setting in use is the one that the splits liked best."""
    most = int(chosen.argmax())
    often = f"chosen by {chosen[most]} of {chosen.sum()}"
    if settings[most] == final:
        return f"The one in use, {setting_text(final)}, was {often}."
    return f"The one in use is {setting_text(final)}; the favourite, {often}, was {setting_text(settings[most])}."


def _shown(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best settings, and the one in use wherever it stands."""
    ranked = sorted(rows, key=lambda row: row["value"])
    return [row for at, row in enumerate(ranked) if at < MOST_SETTINGS or row["final"]]


def _chart(settings: list[dict[str, Any]], rows: list[dict[str, Any]], said: str, shares: bool) -> Any:
    """A line over the one number that varies, else a line of dots for each setting."""
    vary = [key for key in settings[0] if len({repr(each.get(key)) for each in settings}) > 1]
    values: list[Any] = [each.get(vary[0]) for each in settings] if len(vary) == 1 else []
    numeric = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    if not values or not numeric:
        # What all settings share need not be read twenty times.
        for row, each in zip(rows, settings, strict=True):
            row["label"] = setting_text({key: each[key] for key in vary if key in each})
        return model_charts.setting_chart(_shown(rows), len(vary), said, shares)
    positive = sorted(float(v) for v in values if v > 0)
    log = bool(positive) and len(positive) >= len(values) - 1 and positive[-1] / positive[0] >= 30
    # Zero has no logarithm: it is drawn one step to the left of the least value.
    step = (positive[-1] / positive[0]) ** (1 / max(len(positive) - 1, 1)) if log else 1.0
    for row, value in zip(rows, values, strict=True):
        row["x"] = float(value) if value > 0 or not log else positive[0] / step
    name = vary[0] + (", 0 at the left end" if log and len(positive) < len(values) else "")
    return model_charts.tuning_chart(sorted(rows, key=lambda row: row["x"]), name, said, log, shares)
