"""What a word says when it is there and when it is absent: the Bernoulli and the multinomial model side by side."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from assay import BernoulliNB, MultinomialNB
from docs.pictures.style import BLUE, ORANGE, panel_title, table

WORDS = ("goal", "team", "today", "law", "vote")
# Proportion of the documents of each topic with each word, in forty documents per topic.
SHARES = {"sport": (0.6, 0.9, 0.5, 0.1, 0.05), "politics": (0.05, 0.2, 0.5, 0.4, 0.7)}
THERE, ABSENT = "the word is present", "the word is absent"
TITLES = {
    "Bernoulli": ("Bernoulli", "absent words count, too"),
    "multinomial": ("Multinomial", "only present words count"),
}


def documents() -> tuple[Any, Any]:
    """Forty documents per topic with exactly these proportions."""
    rows, topics = [], []
    for topic, shares in SHARES.items():
        held = np.rint(40 * np.array(shares)).astype(int)
        rows.append((np.arange(40)[:, None] < held).astype(int))
        topics += [topic] * 40
    return np.vstack(rows), np.array(topics)


def evidence(model: Any) -> list[dict[str, Any]]:
    """What each word adds to ln P(sport) - ln P(politics)."""
    logs = model.feature_log_prob_
    there = logs[1] - logs[0]
    absent = np.log1p(-np.exp(logs[1])) - np.log1p(-np.exp(logs[0]))
    if isinstance(model, MultinomialNB):
        absent = np.zeros(len(WORDS))
    return [
        {"word": word, "case": case, "value": float(value)}
        for case, values in ((THERE, there), (ABSENT, absent))
        for word, value in zip(WORDS, values, strict=True)
    ]


def panel(name: str, model: Any) -> alt.Chart:
    colours = alt.Scale(domain=[THERE, ABSENT], range=[BLUE, ORANGE])
    return (
        alt.Chart(table(evidence(model)))
        .mark_bar(height=11)
        .encode(
            x=alt.X("value:Q", title="politics  ←  log odds  →  sport", scale=alt.Scale(domain=[-3, 3])),
            y=alt.Y("word:N", sort=list(WORDS), title=None),
            yOffset=alt.YOffset("case:N", sort=[THERE, ABSENT]),
            color=alt.Color("case:N", scale=colours, title=None, legend=alt.Legend(orient="bottom")),
        )
        .properties(width=290, height=190, title=panel_title(*TITLES[name]))
    )


def chart() -> Any:
    """Evidence of each word, present and absent, for both models."""
    X, topics = documents()
    return alt.hconcat(
        panel("Bernoulli", BernoulliNB().fit(X, topics)),
        panel("multinomial", MultinomialNB().fit(X, topics)),
        spacing=30,
    )
