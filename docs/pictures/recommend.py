"""Four neighbours and a new user: their similarity on two films, and the predicted rating of the third."""

from __future__ import annotations

import altair as alt

from assay import Recommender
from docs.pictures.style import BLUE, INK, ORANGE, QUIET, VERMILION, panel_title, table

FILMS = {
    "Ann": {"Alien": 5, "Brazil": 4, "Heat": 2},
    "Bob": {"Alien": 1, "Brazil": 3, "Heat": 3},
    "Cid": {"Alien": 4, "Brazil": 1, "Heat": 4},
    "Dan": {"Alien": 1, "Brazil": 2, "Heat": 5},
}
NEW = {"Alien": 4, "Brazil": 3}
WIDTH, HEIGHT = 330, 260


def plane(voices: dict[str, float]) -> alt.LayerChart:
    """The neighbours by two films, with lines to the new user."""
    scale = alt.Scale(domain=[0.5, 5.5], nice=False)
    x = alt.X("x:Q", title="rating of Alien", scale=scale, axis=alt.Axis(values=[1, 2, 3, 4, 5]))
    y = alt.Y("y:Q", title="rating of Brazil", scale=scale, axis=alt.Axis(values=[1, 2, 3, 4, 5]))
    rows = [
        {"x": own["Alien"], "y": own["Brazil"], "name": f"{name} {voices[name]:.2f}", "who": "neighbour"}
        for name, own in FILMS.items()
    ]
    rows.append({"x": NEW["Alien"], "y": NEW["Brazil"], "name": "new user", "who": "user"})
    lines = [
        {"x": own["Alien"], "y": own["Brazil"], "x2": NEW["Alien"], "y2": NEW["Brazil"], "s": voices[name]}
        for name, own in FILMS.items()
    ]
    rules = (
        alt.Chart(table(lines))
        .mark_rule(color=QUIET)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=alt.StrokeWidth("s:Q", legend=None))
    )
    colour = alt.Color(
        "who:N", scale=alt.Scale(domain=["neighbour", "user"], range=[BLUE, VERMILION]), legend=None
    )
    points = alt.Chart(table(rows)).mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y, color=colour)
    names = [
        alt.Chart(table(some)).mark_text(dx=dx, dy=dy, color=INK, fontSize=12).encode(x=x, y=y, text="name:N")
        for some, dx, dy in ((rows[:1], 0, -13), (rows[1:-1], 0, 16), (rows[-1:], 36, 16))
    ]
    title = panel_title("Similarity to the new user", "1 / (1 + distance) over two films")
    return alt.layer(rules, points, *names).properties(width=WIDTH, height=HEIGHT, title=title)


def verdict(voices: dict[str, float], weighted: float, mean: float) -> alt.LayerChart:
    """What they say of the third film, by similarity, and the two means."""
    scale = alt.Scale(domain=[1.5, 5.5], nice=False)
    x = alt.X("x:Q", title="rating of Heat", scale=scale, axis=alt.Axis(values=[2, 3, 4, 5]))
    y = alt.Y("y:Q", title="similarity", scale=alt.Scale(domain=[0, 0.5]), axis=alt.Axis(tickCount=5))
    rows = [{"x": own["Heat"], "y": voices[name], "name": name} for name, own in FILMS.items()]
    means = [
        {"x": weighted, "name": f"weighted mean {weighted:.2f}", "y": 0.475},
        {"x": mean, "name": f"mean {mean:.1f}", "y": 0.44},
    ]
    colour = alt.Color(
        "name:N",
        scale=alt.Scale(domain=[row["name"] for row in means], range=[VERMILION, ORANGE]),
        legend=None,
    )
    bars = alt.Chart(table(rows)).mark_bar(size=14, color=BLUE).encode(x=x, y=y)
    names = alt.Chart(table(rows)).mark_text(dy=-8, color=INK, fontSize=12).encode(x=x, y=y, text="name:N")
    rules = alt.Chart(table(means)).mark_rule(strokeWidth=2).encode(x=x, color=colour)
    words = [
        alt.Chart(table([row]))
        .mark_text(align=side, dx=dx, fontSize=12)
        .encode(x=x, y=y, text="name:N", color=colour)
        for row, side, dx in zip(means, ("right", "left"), (-5, 5), strict=True)
    ]
    title = panel_title("Predicted rating", "the nearest neighbour lowers the weighted mean")
    return alt.layer(bars, names, rules, *words).properties(width=WIDTH, height=HEIGHT, title=title)


def chart() -> alt.HConcatChart:
    found = Recommender(similarity="euclidean").fit(FILMS).recommend(NEW)[0]
    voices = {voice.critic: voice.similarity for voice in found.critics}
    mean = sum(own["Heat"] for own in FILMS.values()) / len(FILMS)
    both = alt.hconcat(plane(voices), verdict(voices, found.rating, mean), spacing=30)
    return both.resolve_scale(color="independent")
