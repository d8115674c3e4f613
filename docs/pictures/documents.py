"""What each word of a message adds to the log odds of spam: the contributions of a multinomial model."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay import MultinomialNB, TextCounts
from docs.pictures.style import BLUE, ORANGE, panel_title, table

HAM = [
    "see you at lunch",
    "call me when you are home",
    "thanks for lunch, see you later",
    "home at noon, call you",
]
SPAM = ["win cash now", "claim your prize, call now", "free cash prize", "you win a free prize, claim it now"]
NEW = "you win: call now and claim your free lunch"
SIDES = ("for spam", "for ham")


def amounts() -> list[dict[str, Any]]:
    """The words of the new message, the strongest first."""
    counts = TextCounts()
    X = counts.fit_transform([*HAM, *SPAM])
    logs = MultinomialNB().fit(X, ["ham"] * len(HAM) + ["spam"] * len(SPAM)).feature_log_prob_
    row = counts.transform([NEW]).tocsr()
    found = [
        {"word": str(counts.vocabulary_[j]), "value": float(x * (logs[1, j] - logs[0, j]))}
        for j, x in zip(row.indices.tolist(), row.data.tolist(), strict=True)
    ]
    found.sort(key=lambda each: -float(each["value"]))
    return [{**each, "side": SIDES[each["value"] < 0]} for each in found]


def chart() -> Any:
    """A bar a word, to the right for spam."""
    rows = amounts()
    colours = alt.Scale(domain=list(SIDES), range=[ORANGE, BLUE])
    return (
        alt.Chart(table(rows))
        .mark_bar(height=15)
        .encode(
            x=alt.X("value:Q", title="ham  ←  log odds  →  spam", axis=alt.Axis(tickCount=6)),
            y=alt.Y("word:N", sort=[row["word"] for row in rows], title=None),
            color=alt.Color("side:N", scale=colours, title=None, legend=alt.Legend(orient="bottom")),
        )
        .properties(width=480, height=210, title=panel_title(f"“{NEW}”", "what each word adds"))
    )
