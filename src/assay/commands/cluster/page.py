"""The page of a clustering: how many groups, where they lie, and what they are like."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.charts import clusters as cluster_charts
from assay.charts import scatter as model_charts
from assay.charts.document import (
    COLOURED,
    Facts,
    Figure,
    Note,
    Panel,
    Part,
    Section,
    Text,
    Tile,
    Verdict,
    grid,
    versions,
)
from assay.charts.html import PageHeader, compose
from assay.charts.regions import box_of
from assay.charts.scatter import Plane, sample
from assay.commands.cluster.job import Clustered
from assay.commands.cluster.text import headline, in_words, standing_out, value_of
from assay.notes.numbers import (
    DASH,
    THIN,
    count,
    listed,
    name_of,
    number,
    percent,
    plural,
    short_names,
    shorten,
    source_name,
)

Array = NDArray[np.float64]
MOST_POINTS = 3000
MOST_COLUMNS = 14
GOLDEN = 0.6180339887498949


def page(found: Clustered) -> str:
    """The page as text."""
    title = f"Groups in {shorten(name_of(source_name(found.name)), 60)}"
    cover = PageHeader(title, "Rows that are alike", "Summary", _verdict(found))
    sections = [_number_section(found), _map_section(found), _portrait_section(found)]
    sections += [_tree_section(found)] if found.tree is not None and len(found.tree.up) else []
    sections += [_class_section(found)] if found.codes is not None else []
    return compose(cover, [*sections, _about_section(found)])


def names_of(found: Clustered) -> list[str]:
    return [f"group {k + 1}" for k in range(len(found.groups))]


def _thin(text: str) -> str:
    return text.replace(" %", f"{THIN}%")


def _verdict(found: Clustered) -> Verdict:
    largest = found.groups[0]
    traits = [_thin(in_words(each)) for each in standing_out(largest, 2)]
    second = f"The largest has {percent(largest.share)} of the rows" + (
        f" and stands out by {listed(traits)}." if traits else "."
    )
    if found.agreement is not None:
        second += (
            f" The groups agree with {name_of(found.target)!r}, which took no part, to {number(found.agreement, 2)} "
            "(1: the same, 0: by chance)."
        )
    tiles = [
        Tile("Groups", count(len(found.groups)), f"of {plural(len(found.labels), 'row')}"),
        Tile("Held by the groups", percent(found.trial.explained), "of the variance"),
        Tile("Largest", percent(largest.share), plural(largest.rows, "row")),
        Tile("Smallest", percent(found.groups[-1].share), plural(found.groups[-1].rows, "row")),
    ]
    return Verdict(headline(found), second, tuple(tiles))


def _number_section(found: Clustered) -> Section:
    """The curve over K."""
    lines = [
        (
            str(each.k), number(each.error, 4), percent(each.explained), number(each.bic, 6),
            DASH if each.held_out is None else number(each.held_out, 5),
        )
        for each in found.trials
    ]  # fmt: skip
    heads = ("groups", "mean squared distance", "variance held", "BIC", "held-out log likelihood")
    chosen = frozenset(at for at, each in enumerate(found.trials) if each.k == found.chosen)
    data = grid("Numbers of groups that were tried", heads, lines, range(5), marked=chosen)
    if len(found.trials) == 1:
        return Section("number", "How many groups", "How many", (data,))
    curves = [("mean squared distance", [each.error for each in found.trials])]
    curves.append(("BIC", [each.bic for each in found.trials]))
    if all(each.held_out is not None for each in found.trials):
        curves.append(("held-out log likelihood", [float(each.held_out or 0.0) for each in found.trials]))
    panels = tuple(
        Panel(
            cluster_charts.curve_chart(_points(found, values), title),
            title,
            "small",
            _falls(found, title, values),
        )
        for title, values in curves
    )
    words = (
        "The ring marks the number chosen. The distance falls with every further group, most until the true number is "
        "reached; BIC is least, the likelihood of rows held out largest at the best number."
    )
    figure = Figure("curve", panels, " ".join(panel.says for panel in panels), words, data)
    return Section("number", "How many groups", "How many", (figure,))


def _points(found: Clustered, values: list[float]) -> list[dict[str, object]]:
    pairs = zip(found.trials, values, strict=True)
    return [{"k": each.k, "value": value, "chosen": each.k == found.chosen} for each, value in pairs]


def _falls(found: Clustered, title: str, values: list[float]) -> str:
    ends = f"{number(values[0])} with {found.trials[0].k} to {number(values[-1])} with {found.trials[-1].k}"
    return f"The {title} goes from {ends} groups."


def _axes(found: Clustered) -> tuple[Array, tuple[str, str]]:
    titles = [f"component {j + 1} ({percent(share)})" for j, share in enumerate(found.shares)]
    if len(titles) == 2:
        return found.points, (titles[0], titles[1])
    spread = np.modf(GOLDEN * np.arange(1, len(found.points) + 1))[0]
    return np.column_stack([found.points[:, 0], spread]), (titles[0], "(spread out to be seen)")


def _map_section(found: Clustered, seed: int = 0) -> Section:
    points, titles = _axes(found)
    shown = sample(found.labels, MOST_POINTS, seed)
    box = box_of(points[shown])
    inside = shown[
        ((points[shown] >= [box.left, box.bottom]) & (points[shown] <= [box.right, box.top])).all(axis=1)
    ]
    drawn = Plane(
        points[inside], found.labels[inside], titles, "variance", ([], []), box, [], 0.0,
        len(shown) - len(inside), inside.astype(np.int64) + 1,
    )  # fmt: skip
    names = names_of(found)
    colours = list(range(len(names) if len(names) <= COLOURED else COLOURED - 1))
    rows = [
        (name, count(group.rows), *(f"{mean:.2f} ± {away:.2f}" for mean, away in _places(found, k)))
        for k, (name, group) in enumerate(zip(names, found.groups, strict=True))
    ]
    figure = Figure(
        "map",
        (Panel(model_charts.plane_chart(drawn, names, colours, kind="group")),),
        f"Scatter plot of {plural(len(inside), 'row')}: {titles[0]} and {titles[1]}, coloured by group.",
        _map_words(found, len(shown), drawn.outside, len(colours) < len(names)),
        grid(
            "Mean and deviation of each group",
            ("group", "rows", *titles[: len(found.shares)]),
            rows,
            range(1, 2 + len(found.shares)),
        ),
    )
    return Section("map", "The rows", "Map", (figure,))


def _places(found: Clustered, group: int) -> list[tuple[float, float]]:
    mine = found.points[found.labels == group]
    return list(zip(mine.mean(axis=0).tolist(), mine.std(axis=0).tolist(), strict=True))


def _map_words(found: Clustered, shown: int, outside: int, grey: bool) -> str:
    rows = len(found.labels)
    parts = [f"All {plural(rows, 'row')}" if shown == rows else f"{plural(shown, 'row')} of {count(rows)}"]
    parts[0] += (
        f" along the directions in which they vary most, which hold {percent(sum(found.shares))} of the variance; "
        "groups that overlap here may lie apart in other directions."
    )
    if grey:
        parts.append("The smaller groups are grey.")
    if outside:
        parts.append(f"{plural(outside, 'stray row lies', 'stray rows lie')} outside the frame.")
    return " ".join(parts)


def _portrait_section(found: Clustered) -> Section:
    """What the groups stand out by, in the units of the table."""
    names = names_of(found)
    lines = [
        (
            name,
            count(group.rows),
            percent(group.share),
            _thin("; ".join(in_words(each) for each in standing_out(group)))
            or "nothing: it is like the rest",
        )
        for name, group in zip(names, found.groups, strict=True)
    ]
    parts: list[Part] = [grid("Groups", ("group", "rows", "share", "stands out by"), lines, (1, 2))]
    if len(found.groups) > 1:
        parts.append(_traits(found, names))
    return Section("groups", "What the groups are like", "Groups", tuple(parts))


def _traits(found: Clustered, names: list[str]) -> Figure:
    away = {name: [0.0] * len(names) for name in found.columns}
    mean = {name: [""] * len(names) for name in found.columns}
    overall = {}
    for k, group in enumerate(found.groups):
        for trait in group.traits:
            away[trait.column][k] = trait.away
            mean[trait.column][k] = _thin(value_of(trait.kind, trait.mean))
            overall[trait.column] = _thin(value_of(trait.kind, trait.overall))
    ordered = sorted(found.columns, key=lambda name: -max(map(abs, away[name])))
    shown = ordered[:MOST_COLUMNS]
    short, drawn = short_names(shown), names[:COLOURED]
    dots = [
        {"column": short[at], "effect": away[name][k], "label": group}
        for at, name in enumerate(shown)
        for k, group in enumerate(drawn)
    ]
    lines = [(name_of(name), overall[name], *mean[name][:COLOURED]) for name in ordered]
    most = f"The {count(len(shown))} columns in which groups differ most of {count(len(ordered))}. "
    return Figure(
        "traits",
        (
            Panel(
                model_charts.class_weight_chart(
                    dots, short, drawn, "mean of the group less that of all rows, in deviations", "group"
                )
            ),
        ),
        f"Groups differ most in {listed([shorten(name_of(name)) for name in shown[:3]], 3)}.",
        (most if len(shown) < len(ordered) else "")
        + "How far the mean of a group lies from that of all rows, in deviations of the column.",
        grid("Means of the groups", ("column", "all rows", *drawn), lines, range(1, 2 + len(drawn))),
    )


def _tree_section(found: Clustered) -> Section:
    tree = found.tree
    assert tree is not None
    lines = [
        (number(height), "yes" if tree.cut is not None and height > tree.cut else "")
        for height in sorted(tree.up.max(axis=1).tolist(), reverse=True)
    ]
    how = "rows were split" if found.method == "top-down" else "groups were merged"
    words = (
        f"The heights at which {how}; the dashed line cuts the tree into {plural(found.chosen, 'group')}. Below each "
        "branch that is not drawn further stands the number of its rows."
    )
    figure = Figure(
        "tree",
        (Panel(cluster_charts.tree_chart(tree)),),
        f"Dendrogram of {plural(len(tree.sizes), 'branch', 'branches')}; the last merge is at "
        f"{number(float(tree.up.max()))}.",
        words,
        grid("Heights", ("height", "undone by the cut"), lines, (0,)),
    )
    return Section("tree", "The tree", "Tree", (figure,))


def _class_section(found: Clustered) -> Section:
    """Groups against the column that took no part."""
    assert found.classes is not None
    table = found.contingency()
    target = shorten(name_of(found.target), 40)
    lines = [
        (name, *(count(float(each)) for each in row))
        for name, row in zip(names_of(found), table.tolist(), strict=True)
    ]
    heads = ("group", *short_names(found.classes.tolist(), 22))
    told = Text(
        f"The column {target!r} took no part in the grouping. Adjusted Rand index of groups and classes: "
        f"{number(found.agreement, 3)} (1 for the same partition, about 0 for unrelated ones)."
    )
    return Section(
        "classes", f"Groups and {target}", "Classes", (told, grid("Rows", heads, lines, range(1, len(heads))))
    )


def _about_section(found: Clustered) -> Section:
    parts: list[Part] = [Note(note) for note in found.notes]
    parts.append(
        Text(
            "Every column counts the same: numbers were brought to deviation 1, the levels of a category share a "
            "variance of 1. BIC and the likelihood of rows held out take groups for normal blobs of one shape."
        )
    )
    link = () if found.linkage is None else (("Linkage", found.linkage),)
    parts.append(Facts((("Method", found.method), *link, ("Versions", versions()))))
    return Section("about", "How it was made", "How", tuple(parts))
