"""Which row is tested where: four plans drawn on the same thirty rows."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.plans import Bootstrap, HoldOut, KFold, Plan, RandomSubsampling
from docs.pictures.style import GREEN, INK, ORANGE, PURPLE, SKY, YELLOW, panel_title, table, tint

CODES = np.repeat([0, 1, 2], [15, 10, 5]).astype(np.int32)
CLASS_NAMES = "abc"
FOLD_COLOURS = (SKY, ORANGE, GREEN, PURPLE, YELLOW)
TRAINED = "#EDEDED"
CELL = 21


def cells(kind: str, numbers: NDArray[Any], paint: Any, text: Any) -> list[dict[str, Any]]:
    """A row of the chart for each repeat and row of the table."""
    return [
        {"row": i, "repeat": f"{kind} {r}", "paint": paint(int(n)), "text": text(int(n))}
        for r, line in enumerate(numbers)
        for i, n in enumerate(line)
    ]


def panel(rows: list[dict[str, Any]], title: str, says: str, last: bool = False) -> alt.LayerChart:
    """Coloured cells with a number in each."""
    axis = alt.Axis(values=list(range(0, len(CODES), 5)), labelAngle=0) if last else None
    x = alt.X("row:O", title="row" if last else None, axis=axis)
    y = alt.Y("repeat:O", title=None, axis=alt.Axis(ticks=False, domain=False))
    base = alt.Chart(table(rows)).encode(x=x, y=y)
    lines = len({row["repeat"] for row in rows})
    boxes = base.mark_rect(stroke="white", strokeWidth=1.5).encode(color=alt.Color("paint:N", scale=None))
    words = base.transform_filter("datum.text != ''").mark_text(fontSize=11, color=INK).encode(text="text:N")
    return alt.layer(boxes, words).properties(
        width=CELL * len(CODES), height=CELL * lines, title=panel_title(title, says)
    )


def partition_panel(plan: Plan, title: str, says: str) -> alt.LayerChart:
    """Folds of a plan that draws partitions; a row without a colour is trained on always."""
    folds = np.stack([partition.fold for partition in plan.partitions(CODES)])

    def paint(fold: int) -> str:
        return TRAINED if fold < 0 else FOLD_COLOURS[fold]

    return panel(cells("repeat", folds, paint, lambda fold: "" if fold < 0 else str(fold)), title, says)


def chart() -> Any:
    """One panel a plan, below the classes of the rows."""
    classes = cells("class", CODES[None], lambda k: "#FFFFFF", lambda k: CLASS_NAMES[k])
    for row in classes:
        row["repeat"] = "class"
    drawn = Bootstrap(4).multiplicities(len(CODES))
    counts = cells(
        "replicate", drawn, lambda n: SKY if n == 0 else tint("#888888", 0.15 * min(n, 4)), lambda n: str(n)
    )
    return alt.vconcat(
        panel(
            classes,
            "Thirty rows",
            "of three classes; all schemes but the bootstrap test each class in proportion",
        ),
        partition_panel(
            KFold(5, repeats=3),
            "KFold(5, repeats=3)",
            "number and colour: the fold that tests the row; the other four train on it",
        ),
        partition_panel(HoldOut(0.2), "HoldOut(0.2)", "tested once; grey rows are trained on"),
        partition_panel(
            RandomSubsampling(0.2, repeats=4),
            "RandomSubsampling(0.2, repeats=4)",
            "a new test set in every repeat, independent of the others",
        ),
        panel(
            counts,
            "Bootstrap(4)",
            "how often a row is drawn to train; rows drawn 0 times are tested",
            last=True,
        ),
        spacing=10,
    )
