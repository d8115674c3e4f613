"""Section: how the winner was tuned."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.report import model_charts
from assay.report.layout import Figure, Grid, Panel, Section, Text, grid
from assay.report.subject import Subject
from assay.report.words import number, number_range, percent, percent_range, plural, setting_text

Array = NDArray[np.float64]
MOST_SETTINGS = 20
MOST_LINES = 3
LOGARITHMIC = 30.0  # ratio of the largest to the least value from which an axis is


def tuning_section(s: Subject) -> Section | None:
    """Loss of the winner's settings with its standard error, and how often each was chosen inside the splits."""
    result = s.winner
    settings, inner = list(result.settings), result.inner
    if len(settings) < 2:
        return None
    chosen = np.bincount(np.asarray(result.chosen, dtype=np.int64), minlength=len(settings))
    rows = _rows(result, chosen)
    shares = s.loss is None
    said = "error" if shares else "mean loss"
    text = (
        f"{plural(len(settings), 'setting')} of {s.titles[s.best]} were tried inside each of "
        f"{plural(len(inner), 'split')}. {_choice(settings, chosen, result.setting)}"
        f"{_simpler(settings, result.nested, said)}"
    )
    figure = Figure(
        "tuning",
        (Panel(_chart(settings, rows, f"{said} on the folds", shares)),),
        f"{said.capitalize()} of each setting on the folds. {text}",
        _caption(result.nested, said)
        + (" Settings that did worse are in the table only." if len(rows) > MOST_SETTINGS else ""),
        _table(rows, inner, said, shares),
    )
    return Section("tuning", "How the winner was tuned", "Tuning", (Text(text), figure))


def _table(rows: list[dict[str, Any]], inner: Array, said: str, shares: bool) -> Grid:
    show, show_range = (percent, percent_range) if shares else (number, number_range)
    lines = [
        (
            row["setting"],
            show(row["value"]),
            show(row["se"]),
            show_range((float(np.nanmin(inside)), float(np.nanmax(inside)))),
            str(row["chosen"]),
        )
        for row, inside in zip(rows, inner.T, strict=True)
    ]
    heads = (
        "setting",
        f"{said} on the folds",
        "standard error",
        "inside, best to worst split",
        "chosen by splits",
    )
    return grid("Settings", heads, lines, (1, 2, 3, 4))


def _caption(found: Any, said: str) -> str:
    """What the marks mean."""
    ring = f"The ring marks the setting in use, that of least {said} on the folds"
    if found.one_se is None:
        return f"{ring}."
    if found.final != int(np.argmin(found.losses)):  # the rule was to take it
        ring = (
            f"The ring marks the setting in use, the simplest within one standard error of the least {said}"
        )
        return f"{ring}. The band or line reaches one standard error to either side."
    reach = "The band or line reaches one standard error to either side."
    if found.final == 0:
        return f"{ring}, and also the simplest. {reach}"
    if found.one_se == found.final:
        return f"{ring}; no simpler one is within one standard error of it. {reach}"
    return f"{ring}; the diamond the simplest within one standard error of it. {reach}"


def _simpler(settings: list[dict[str, Any]], found: Any, said: str) -> str:
    """The one-standard-error choice, where it is another one."""
    if found.one_se is None or found.one_se == found.final:
        return ""
    return (
        f" The simplest setting whose {said} is within one standard error of the least is "
        f"{setting_text(settings[found.one_se])}: these rows hardly tell the two apart."
    )


def _rows(result: Any, chosen: NDArray[np.intp]) -> list[dict[str, Any]]:
    """A line for each setting; the standard errors of runs of older versions are unknown."""
    found = result.nested
    errors = found.standard_errors if found.one_se is not None else np.full(len(result.settings), np.nan)
    return [
        {
            "setting": setting_text(setting),
            "value": value,
            "se": error,
            "low": value - error,
            "high": value + error,
            "chosen": int(chosen[i]),
            "final": i == found.final,
            "one_se": i == found.one_se,
        }
        for i, (setting, value, error) in enumerate(
            zip(result.settings, found.losses.tolist(), errors.tolist(), strict=True)
        )
    ]


def _choice(settings: list[dict[str, Any]], chosen: NDArray[np.intp], final: dict[str, Any]) -> str:
    """Whether the setting in use is the one that the splits liked best."""
    most = int(chosen.argmax())
    often = f"chosen by {chosen[most]} of {chosen.sum()}"
    if settings[most] == final:
        return f"The one in use, {setting_text(final)}, was {often}."
    return f"The one in use is {setting_text(final)}; the favourite, {often}, was {setting_text(settings[most])}."


def _shown(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best settings, and those that are marked wherever they stand."""
    ranked = sorted(rows, key=lambda row: row["value"])
    return [row for at, row in enumerate(ranked) if at < MOST_SETTINGS or row["final"] or row.get("one_se")]


def _chart(settings: list[dict[str, Any]], rows: list[dict[str, Any]], said: str, shares: bool) -> Any:
    """A line over the one number that varies, one for each word that varies beside it; else a dot for each setting."""
    vary = [key for key in settings[0] if len({repr(each.get(key)) for each in settings}) > 1]
    number_of, line_of = _axes(settings, vary)
    values: list[Any] = [each.get(number_of) for each in settings] if number_of else []
    if not values:
        # What all settings share need not be read twenty times.
        for row, each in zip(rows, settings, strict=True):
            row["label"] = setting_text({key: each[key] for key in vary if key in each})
        return model_charts.setting_chart(_shown(rows), len(vary), said, shares)
    positive = sorted(float(v) for v in values if v > 0)
    log = bool(positive) and len(positive) >= len(values) - 1 and positive[-1] / positive[0] >= LOGARITHMIC
    # Zero has no logarithm: it is drawn one step to the left of the least value.
    step = (positive[-1] / positive[0]) ** (1 / max(len(positive) - 1, 1)) if log else 1.0
    for row, value in zip(rows, values, strict=True):
        row["zero"] = log and value == 0
        row["x"] = positive[0] / step if row["zero"] else float(value)
    for row, each in zip(rows, settings, strict=True):
        row["line"] = str(each.get(line_of, ""))
    ticks = powers_of_ten(positive[0], positive[-1]) if log else []
    ordered = sorted(rows, key=lambda row: row["x"])
    return model_charts.tuning_chart(ordered, number_of, said, ticks, shares, line_of)


def _axes(settings: list[dict[str, Any]], vary: list[str]) -> tuple[str, str]:
    """The number that varies alone, or beside a word of few values, and the word; empty where there is no such."""

    def all_are(key: str, kind: Any) -> bool:
        return all(
            isinstance(each.get(key), kind) and not isinstance(each.get(key), bool) for each in settings
        )

    numbers = [key for key in vary if all_are(key, int | float)]
    words = [key for key in vary if all_are(key, str) and len({each[key] for each in settings}) <= MOST_LINES]
    if len(numbers) != 1 or len(numbers) + len(words) != len(vary) or len(words) > 1:
        return "", ""
    return numbers[0], words[0] if words else ""


def powers_of_ten(low: float, high: float) -> list[float]:
    """Those from low to high, every second or third of many."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [float(f"1e{power}") for power in range(first, last + 1, 1 + (last - first) // 8)]
