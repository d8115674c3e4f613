"""The drawing of settings that were tried: the loss of each, the setting in use, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.charts.document import DataTable, Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.charts.hyperparameters import Row, setting_rows, settings_chart
from assay.notes.numbers import LEVEL, number, percent, percent_range, setting_text
from assay.notes.phrases import page_plural as plural
from assay.types import Array


def tuning_drawing(
    model: str,
    settings: Sequence[Mapping[str, object]],
    losses: Array,
    standard_errors: Array,
    *,
    final: int,
    simplest: int,
    chosen_by: Sequence[int] | None = None,
    shares: bool = True,
    where: str = "on the folds",
    more: str = "",
) -> Drawing:
    """Loss of every setting with a band of one standard error, a ring around the setting in use.

    Parameters
    ----------
    model : str
        Name of the model.
    settings : list of dict
    losses, standard_errors : (S,)
    final, simplest : int
        The setting in use, and the first one within one standard error of the least loss.
    chosen_by : (S,), optional
        How many splits chose each setting.
    shares : bool
        Whether losses are error rates, shown in per cent.
    where : str
        The rows that the losses were measured on, in words.
    more : str
        A sentence about the error on new rows.
    """
    short = [_short_names(setting) for setting in settings]
    metric = "error" if shares else "mean loss"
    rows = setting_rows(short, losses, standard_errors, final, simplest, chosen_by)
    chart = settings_chart(short, rows, title=f"{metric} {where}", shares=shares)
    loss = percent(losses[final]) if shares else number(losses[final])
    if final == int(np.argmin(losses)):
        says = f"{setting_text(short[final])} has the least {metric}, {loss}."
    else:
        says = (
            f"{setting_text(short[final])}, with {loss}, is the first within one standard error of the "
            f"least {metric}."
        )
    marks = "The ring marks the setting in use"
    if simplest != final:
        marks += f", the diamond the first listed within one standard error of the least {metric}"
    caption = f"{marks}. The band or line reaches one standard error to either side."
    table = _table(rows, f"{metric} {where}", shares, chosen_by is not None, final)
    figure = Figure("settings", (Panel(chart),), says, caption, table)
    return Drawing(f"{plural(len(short), 'setting')} of {model}", says, figure, more)


def error_on(rows: str, error: float, interval: tuple[float, float]) -> str:
    """The sentence about an error and its interval.

    >>> error_on("the test rows", 0.02, (0.01, 0.05)).replace("\\u202f", " ")
    'Error on the test rows: 2.0 % (95 % CI 1.0 % to 5.0 %).'
    """
    return f"Error on {rows}: {percent(error)} ({LEVEL} CI {percent_range(interval)})."


def _table(rows: Sequence[Row], head: str, shares: bool, counted: bool, final: int) -> DataTable:
    show = percent if shares else number
    lines = [
        (row["setting"], show(row["value"]), show(row["se"]), *([str(row["chosen"])] if counted else []))
        for row in rows
    ]
    heads = ("setting", head, "standard error", *(["chosen by splits"] if counted else []))
    return data_table("Settings", heads, lines, (1, 2, 3), marked=frozenset((final,)))


def _short_names(setting: Mapping[str, object]) -> dict[str, object]:
    """Parameters without the part of the pipeline they belong to, where that leaves them different."""
    short = {name.rpartition("__")[2]: value for name, value in setting.items()}
    return short if len(short) == len(setting) else dict(setting)
