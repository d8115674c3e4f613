"""Expected loss of three actions against the posterior, with the costs of the page's example."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix, decide, expected_risk
from docs.pictures.style import BLUE, GREEN, INK, QUIET, VERMILION, panel_title, table, tint

CLASSES, ACTIONS = ["well", "ill"], ["well", "ill", "ask"]
ASKING = LossMatrix.of([[0, 1, 0.6], [10, 0, 0.6]], classes=CLASSES, actions=ACTIONS)
RULES = {
    "every error costs 1": LossMatrix.zero_one(CLASSES),
    "missing an ill patient costs 10": LossMatrix.of([[0, 1], [10, 0]], classes=CLASSES, actions=CLASSES),
    "and asking costs 0.6": ASKING,
}
COLOURS = {"well": BLUE, "ill": VERMILION, "ask": GREEN}
PATIENTS = (0.05, 0.25)
SAYS = "grey: the least of the three; shaded: asking is cheapest; dashed: the two patients of the text"
TOP, WIDTH = 1.25, 620
# Names of the lines, beside them.
LABELS = (("well", 0.128, 1.12, '"well": 10 · P(ill)'), ("ill", 0.6, 0.47, '"ill": 1 - P(ill)'))
LABELS += (("ask", 0.6, 0.65, '"ask": 0.6'),)


def across(title: str | None, **axis: Any) -> alt.X:
    return alt.X("p:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=10, **axis))


def posterior(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([1 - p, p])


def stretches(loss: LossMatrix) -> list[tuple[str, float, float]]:
    """Where each action is taken, from left to right."""
    p = np.linspace(0, 1, 100_001)
    taken = decide(posterior(p), loss).action_codes
    stops = [0.0, *p[np.flatnonzero(np.diff(taken)) + 1].tolist(), 1.0]
    middles = [(a + b) / 2 for a, b in zip(stops[:-1], stops[1:], strict=True)]
    names = decide(posterior(np.array(middles)), loss).actions.tolist()
    return list(zip(names, stops[:-1], stops[1:], strict=True))


def risk_panel() -> alt.LayerChart:
    """The line of each action, the least of them underlaid, and the band in which asking is cheapest."""
    x = across(None, labels=False)
    y = alt.Y("risk:Q", title="expected loss", scale=alt.Scale(domain=[0, TOP], nice=False))
    colour = alt.Color(
        "action:N", scale=alt.Scale(domain=ACTIONS, range=[COLOURS[a] for a in ACTIONS]), legend=None
    )
    _, low, high = stretches(ASKING)[1]
    stops = np.array([0.0, low, high, 1.0])
    least = expected_risk(posterior(stops), ASKING).min(axis=1)
    ends = {"well": (0.0, TOP / 10), "ill": (0.0, 1.0), "ask": (0.0, 1.0)}
    lines = []
    for action, pair in ends.items():
        risks = expected_risk(posterior(np.array(pair)), ASKING)[:, ACTIONS.index(action)]
        lines += [{"p": p, "risk": float(r), "action": action} for p, r in zip(pair, risks, strict=True)]
    words = [{"action": a, "p": p, "risk": r, "text": text} for a, p, r, text in LABELS]
    band = alt.Chart(table([{"p": low, "p2": high, "risk": TOP, "floor": 0.0}]))
    lowest = alt.Chart(table({"p": p, "risk": float(r)} for p, r in zip(stops.tolist(), least, strict=True)))
    title = panel_title("Expected loss of each action", SAYS)
    return alt.layer(
        band.mark_rect(color=tint(GREEN, 0.2)).encode(x=x, x2="p2:Q", y=y, y2="floor:Q"),
        lowest.mark_line(color="#BBBBBB", strokeWidth=8).encode(x=x, y=y),
        alt.Chart(table(lines)).mark_line(strokeWidth=2.4).encode(x=x, y=y, color=colour),
        alt.Chart(table(words))
        .mark_text(align="left", fontSize=13, fontWeight="bold", dx=6)
        .encode(x=x, y=y, text="text:N", color=colour),
        patients(x=x, y=y, y2="floor:Q"),
    ).properties(width=WIDTH, height=270, title=title)


def patients(**place: Any) -> alt.Chart:
    """A dashed line at each patient's posterior, as high as the names of the lines leave room."""
    rows = [{"p": p, "risk": 1.05, "floor": 0.0} for p in PATIENTS]
    return alt.Chart(table(rows)).mark_rule(strokeDash=[4, 3], color=QUIET).encode(**place)


def rule_panel() -> alt.LayerChart:
    """What is decided at each posterior, under three tables of costs."""
    rows = [
        {"rule": rule, "p": low, "p2": high, "action": action, "paint": tint(COLOURS[action], 0.35)}
        for rule, loss in RULES.items()
        for action, low, high in stretches(loss)
    ]
    x = across("P(ill | x)")
    y = alt.Y(
        "rule:N", sort=list(RULES), title=None, axis=alt.Axis(labelFontSize=12, ticks=False, labelLimit=220)
    )
    base = alt.Chart(table(rows)).encode(y=y)
    bars = base.mark_bar(stroke="white", height=26).encode(
        x=x, x2="p2:Q", color=alt.Color("paint:N", scale=None)
    )
    words = base.mark_text(fontSize=12, color=INK, align="left", dx=5).encode(x=x, text="action:N")
    title = panel_title("Decisions")
    return alt.layer(bars, words, patients(x=x)).properties(width=WIDTH, height=96, title=title)


def chart() -> Any:
    """Costs above, decisions below, over the same posterior."""
    return alt.vconcat(risk_panel(), rule_panel(), spacing=10)
