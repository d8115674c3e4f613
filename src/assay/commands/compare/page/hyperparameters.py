"""Section: the hyperparameters of the winner and of the other candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.charts.document import DataTable as DataTable
from assay.charts.document import Figure, Panel, Paragraph, Part, Section, data_table
from assay.charts.hyperparameters import (
    MOST_LINES,
    MOST_SETTINGS,
    Row,
    axes_of,
    best_rows,
    setting_rows,
    settings_chart,
    varying,
)
from assay.commands.compare.page.complexity import complexity_parts
from assay.commands.compare.page.context import PageContext
from assay.notes.numbers import number, number_range, percent, percent_range, setting_text
from assay.notes.phrases import page_plural as plural
from assay.selection.nested import Nested
from assay.types import Array
from assay.workbench.experiment.evaluate_candidate import CandidateResult


def hyperparameters_section(s: PageContext) -> Section | None:
    """Loss by hyperparameters: the winner in detail, the other candidates side by side."""
    winner, others = _winner(s), _others(s)
    if not winner and not others:
        return None
    title = "Hyperparameters of the winner" if winner else "Hyperparameters of the candidates"
    curve = complexity_parts(s) if winner else ()
    return Section("tuning", title, "Hyperparameters", (*winner, *curve, *others))


def _winner(s: PageContext) -> tuple[Part, ...]:
    """The settings of the winner with standard errors, and how often each was selected inside the splits."""
    result = s.winner
    settings, inner = list(result.settings), result.inner
    if len(settings) < 2:
        return ()
    chosen = _often(result)
    rows = setting_rows(settings, **_figures(result))
    metric = _said(s)
    text = (
        f"{plural(len(settings), 'setting')} of {s.titles[s.best]} were evaluated {_where(s)}. "
        f"{_choice(settings, chosen, result.setting)}{_simpler(settings, result.nested, metric)}"
    )
    cut = len(rows) > MOST_SETTINGS and axes_of(settings, varying(settings)) is None
    figure = Figure(
        "tuning",
        (Panel(_chart(s, result)),),
        f"{metric.capitalize()} of each setting on {s.chosen_on}. {text}",
        _caption(result.nested, metric, s.chosen_on)
        + (" Settings of larger loss are in the table only." if cut else ""),
        _table(rows, None if s.in_parts else inner, f"{metric} on {s.chosen_on}", s.by_error),
    )
    return Paragraph(text), figure


def _where(s: PageContext) -> str:
    """Where the settings were evaluated, in words."""
    if s.in_parts:
        return f"on {s.chosen_on}"
    splits = len(s.winner.inner)
    return "inside the training rows" if splits == 1 else f"inside each of {splits} splits"


def _others(s: PageContext) -> tuple[Part, ...]:
    """The settings of the other candidates, side by side."""
    tuned = {
        name: result for name, result in s.results.items() if name != s.best and len(result.settings) > 1
    }
    if not tuned:
        return ()
    metric = _said(s)
    drawn = {name: result for name, result in tuned.items() if _fits(result.settings)}
    heads = ("candidate", "setting", f"{metric} on {s.chosen_on}", "standard error", "selected by splits")
    width = len(heads) - s.in_parts  # of parts, only one chose
    lines = [line[:width] for name, result in tuned.items() for line in _lines(s, name, result)]
    listed = data_table("Settings of the other candidates", heads[:width], lines, range(2, width))
    if not drawn:
        return (replace(listed, folded=True),)
    panels = tuple(
        Panel(_chart(s, result, small=True), s.titles[name], "small", _in_words(s, result))
        for name, result in drawn.items()
    )
    text = f"The other candidates were tuned on {s.chosen_on} too; the best is first."
    caption = (
        f"{metric.capitalize()} on {s.chosen_on}, each on its own scale; the ring marks the selected setting."
    )
    if len(drawn) < len(tuned):
        left = [s.titles[name] for name in tuned if name not in drawn]
        caption += f" Only in the table, because of too many hyperparameters: {', '.join(left)}."
    return Paragraph(text), Figure("tuning-others", panels, text, caption, listed)


def _said(s: PageContext) -> str:
    return s.measure


def _often(result: CandidateResult) -> NDArray[np.intp]:
    """How many splits chose each setting."""
    return np.bincount(np.asarray(result.chosen, dtype=np.int64), minlength=len(result.settings))


def _figures(result: CandidateResult) -> dict[str, Any]:
    """What a chart shows of each setting; the standard errors of runs of older versions are unknown."""
    nested = result.nested
    return {
        "losses": nested.losses,
        "standard_errors": None if nested.one_se is None else nested.standard_errors,
        "chosen": nested.final,
        "simplest": nested.one_se,
        "splits": _often(result),
    }


def _chart(s: PageContext, result: CandidateResult, small: bool = False) -> Any:
    figures = _figures(result)
    if small:
        figures["simplest"] = None  # two marks are too many for so small a chart
    settings = list(result.settings)
    return settings_chart(
        settings,
        setting_rows(settings, **figures),
        title=f"{_said(s)} on {s.chosen_on}",
        shares=s.by_error,
        small=small,
    )


def _fits(settings: Sequence[dict[str, object]]) -> bool:
    """Whether a small chart can show them: along a number, or as few words."""
    vary = varying(settings)
    axes = axes_of(settings, vary)
    return not axes.map if axes else len(vary) == 1 and len(settings) <= MOST_LINES


def _in_words(s: PageContext, result: CandidateResult) -> str:
    show = percent if s.by_error else number
    losses = result.nested.losses
    return (
        f"{_said(s).capitalize()} of {plural(len(losses), 'setting')} on {s.chosen_on}, {show(float(losses.min()))} to "
        f"{show(float(losses.max()))}; selected: {setting_text(result.setting)}."
    )


def _lines(s: PageContext, name: str, result: CandidateResult) -> list[tuple[str, ...]]:
    """The best settings of a candidate as lines of a table."""
    show = percent if s.by_error else number
    rows = setting_rows(list(result.settings), **_figures(result))
    best = best_rows(rows)
    return [
        (s.titles[name], row["setting"], show(row["value"]), show(row["se"]), str(row["chosen"]))
        for row in rows
        if row in best
    ]


def _table(rows: list[Row], inner: Array | None, head: str, shares: bool) -> DataTable:
    """The settings' figures, and inside the splits where there are some."""
    show, show_range = (percent, percent_range) if shares else (number, number_range)
    heads = ("setting", head, "standard error")
    lines: list[tuple[str, ...]] = [(row["setting"], show(row["value"]), show(row["se"])) for row in rows]
    if inner is None:
        return data_table("Settings", heads, lines, (1, 2))
    inside = [
        (show_range((float(np.nanmin(losses)), float(np.nanmax(losses)))), str(row["chosen"]))
        for row, losses in zip(rows, inner.T, strict=True)
    ]
    lines = [(*line, *more) for line, more in zip(lines, inside, strict=True)]
    return data_table(
        "Settings", (*heads, "inside, best to worst split", "selected by splits"), lines, (1, 2, 3, 4)
    )


def _caption(nested: Nested, metric: str, where: str) -> str:
    """What the marks mean."""
    ring = f"The ring marks the selected setting, that of least {metric} on {where}"
    if nested.one_se is None:
        return f"{ring}."
    if nested.final != int(np.argmin(nested.losses)):  # the rule was to take it
        ring = f"The ring marks the selected setting, the simplest within one standard error of the least {metric}"
        return f"{ring}. The band or line is plus or minus one standard error."
    reach = "The band or line is plus or minus one standard error."
    if nested.final == 0:
        return f"{ring}, and also the simplest. {reach}"
    if nested.one_se == nested.final:
        return f"{ring}; no simpler one is within one standard error of it. {reach}"
    return f"{ring}; the diamond the simplest within one standard error of it. {reach}"


def _simpler(settings: list[dict[str, object]], nested: Nested, metric: str) -> str:
    """The one-standard-error choice, where it is another one."""
    if nested.one_se is None or nested.one_se == nested.final:
        return ""
    return (
        f" The simplest setting whose {metric} is within one standard error of the least is "
        f"{setting_text(settings[nested.one_se])}; the difference is within the noise."
    )


def _choice(settings: list[dict[str, object]], chosen: NDArray[np.intp], final: dict[str, object]) -> str:
    """Whether the selected setting is the one that most splits selected."""
    most = int(chosen.argmax())
    if chosen.sum() == 1:
        return f"Selected: {setting_text(final)}."
    often = f"selected by {chosen[most]} of {chosen.sum()} splits"
    if settings[most] == final:
        return f"The final setting, {setting_text(final)}, was {often}."
    frequent = setting_text(settings[most])
    return f"The final setting is {setting_text(final)}; the most frequent one, {often}, is {frequent}."
