"""The page of a clustering: the number of clusters, where they lie, and what each stands out by."""

from __future__ import annotations

import numpy as np

from assay.charts import clusters as cluster_charts
from assay.charts.columns import ClassWeightRow, class_weight_chart
from assay.charts.document import (
    COLOURED,
    Callout,
    Facts,
    Figure,
    Panel,
    Paragraph,
    Part,
    Section,
    Tile,
    Verdict,
    data_table,
    versions,
)
from assay.charts.html import PageHeader, compose
from assay.charts.regions import box_of
from assay.charts.scatter import Plane, plane_chart, sample
from assay.commands.cluster.profiles import deviation_text, largest_deviations, value_text
from assay.commands.cluster.result import ClusterResult
from assay.notes import render
from assay.notes.numbers import DASH, THIN, count, number, percent
from assay.notes.phrases import last_part, name_of, page_plural, short_names, shorten, spell_columns
from assay.notes.voices import PAGE, Voice
from assay.types import Array

MOST_POINTS = 3000
MOST_COLUMNS = 14
GOLDEN = 0.6180339887498949


def page(result: ClusterResult, voice: Voice = PAGE) -> str:
    """The page as text; the voice words its notes."""
    title = f"Clusters in {shorten(name_of(last_part(result.name)), 60)}"
    cover = PageHeader(title, "Similar rows", "Summary", _verdict(result, voice))
    sections = [_number_section(result), _map_section(result), _profile_section(result)]
    sections += [_tree_section(result)] if result.tree is not None and len(result.tree.up) else []
    sections += [_class_section(result)] if result.codes is not None else []
    return compose(cover, [*sections, _about_section(result, voice)])


def cluster_names(result: ClusterResult) -> list[str]:
    return [f"cluster {k + 1}" for k in range(len(result.profiles))]


def _thin(text: str) -> str:
    return text.replace(" %", f"{THIN}%")


def _verdict(result: ClusterResult, voice: Voice) -> Verdict:
    largest = result.profiles[0]
    traits = [_thin(deviation_text(trait)) for trait in largest_deviations(largest, 2)]
    second = f"The largest has {percent(largest.share)} of the rows" + (
        f" and stands out by {spell_columns(traits)}." if traits else "."
    )
    if result.agreement is not None:
        second += (
            f" Adjusted Rand index of the clusters and {name_of(result.target)!r}, which was not used: "
            f"{number(result.agreement, 2)} (1 for the same partition, 0 by chance)."
        )
    tiles = [
        Tile("Clusters", count(len(result.profiles)), f"of {page_plural(len(result.labels), 'row')}"),
        Tile("Explained variance", percent(result.trial.explained), "between the clusters"),
        Tile("Largest", percent(largest.share), page_plural(largest.rows, "row")),
        Tile("Smallest", percent(result.profiles[-1].share), page_plural(result.profiles[-1].rows, "row")),
    ]
    return Verdict(render(result.headline, voice), second, tuple(tiles))


def _number_section(result: ClusterResult) -> Section:
    """Criteria by number of clusters."""
    lines = [
        (
            str(trial.k), number(trial.error, 4), percent(trial.explained), number(trial.bic, 6),
            DASH if trial.held_out is None else number(trial.held_out, 5),
        )
        for trial in result.trials
    ]  # fmt: skip
    heads = ("clusters", "mean squared distance", "explained variance", "BIC", "held-out log likelihood")
    chosen = frozenset(at for at, trial in enumerate(result.trials) if trial.k == result.chosen)
    data = data_table("Numbers of clusters tried", heads, lines, range(5), marked=chosen)
    if len(result.trials) == 1:
        return Section("number", "Number of clusters", "Number", (data,))
    curves = [("mean squared distance", [trial.error for trial in result.trials])]
    curves.append(("BIC", [trial.bic for trial in result.trials]))
    if all(trial.held_out is not None for trial in result.trials):
        curves.append(("held-out log likelihood", [float(trial.held_out or 0.0) for trial in result.trials]))
    panels = tuple(
        Panel(
            cluster_charts.curve_chart(_points(result, values), title),
            title,
            "small",
            _falls(result, title, values),
        )
        for title, values in curves
    )
    words = (
        "The ring marks the number chosen. The mean squared distance falls with every additional cluster, BIC is "
        "smallest and the held-out log likelihood largest at the best number."
    )
    figure = Figure("curve", panels, " ".join(panel.says for panel in panels), words, data)
    return Section("number", "Number of clusters", "Number", (figure,))


def _points(result: ClusterResult, values: list[float]) -> list[cluster_charts.CriterionRow]:
    pairs = zip(result.trials, values, strict=True)
    return [{"k": trial.k, "value": value, "chosen": trial.k == result.chosen} for trial, value in pairs]


def _falls(result: ClusterResult, title: str, values: list[float]) -> str:
    ends = f"{number(values[0])} with {result.trials[0].k} to {number(values[-1])} with {result.trials[-1].k}"
    return f"The {title} goes from {ends} clusters."


def _axes(result: ClusterResult) -> tuple[Array, tuple[str, str]]:
    titles = [f"component {j + 1} ({percent(share)})" for j, share in enumerate(result.variance_ratios)]
    if len(titles) == 2:
        return result.points, (titles[0], titles[1])
    spread = np.modf(GOLDEN * np.arange(1, len(result.points) + 1))[0]
    return np.column_stack([result.points[:, 0], spread]), (titles[0], "(random, for legibility)")


def _map_section(result: ClusterResult, seed: int = 0) -> Section:
    points, titles = _axes(result)
    shown = sample(result.labels, MOST_POINTS, seed)
    box = box_of(points[shown])
    inside = shown[
        ((points[shown] >= [box.left, box.bottom]) & (points[shown] <= [box.right, box.top])).all(axis=1)
    ]
    drawn = Plane(
        points[inside], result.labels[inside], titles, "variance", ([], []), box, [], 0.0,
        len(shown) - len(inside), inside.astype(np.int64) + 1,
    )  # fmt: skip
    names = cluster_names(result)
    colours = list(range(len(names) if len(names) <= COLOURED else COLOURED - 1))
    rows = [
        (name, count(group.rows), *(f"{mean:.2f} ± {away:.2f}" for mean, away in _places(result, k)))
        for k, (name, group) in enumerate(zip(names, result.profiles, strict=True))
    ]
    figure = Figure(
        "map",
        (Panel(plane_chart(drawn, names, colours, kind="cluster")),),
        f"Scatter plot of {page_plural(len(inside), 'row')}: {titles[0]} and {titles[1]}, coloured by cluster.",
        _map_words(result, len(shown), drawn.outside, len(colours) < len(names)),
        data_table(
            "Mean and standard deviation per cluster",
            ("cluster", "rows", *titles[: len(result.variance_ratios)]),
            rows,
            range(1, 2 + len(result.variance_ratios)),
        ),
    )
    return Section("map", "Projection", "Projection", (figure,))


def _places(result: ClusterResult, cluster: int) -> list[tuple[float, float]]:
    points = result.points[result.labels == cluster]
    return list(zip(points.mean(axis=0).tolist(), points.std(axis=0).tolist(), strict=True))


def _map_words(result: ClusterResult, shown: int, outside: int, grey: bool) -> str:
    rows = len(result.labels)
    parts = [
        f"All {page_plural(rows, 'row')}"
        if shown == rows
        else f"{page_plural(shown, 'row')} of {count(rows)}"
    ]
    parts[0] += (
        f" along the principal components, which explain {percent(sum(result.variance_ratios))} of the variance; "
        "clusters that overlap here may be apart in other directions."
    )
    if grey:
        parts.append("The smaller clusters are grey.")
    if outside:
        parts.append(f"{page_plural(outside, 'outlier is', 'outliers are')} outside the frame.")
    return " ".join(parts)


def _profile_section(result: ClusterResult) -> Section:
    """The profiles, in the units of the table."""
    names = cluster_names(result)
    lines = [
        (
            name,
            count(profile.rows),
            percent(profile.share),
            _thin("; ".join(map(deviation_text, largest_deviations(profile)))) or "none: similar to all rows",
        )
        for name, profile in zip(names, result.profiles, strict=True)
    ]
    parts: list[Part] = [
        data_table("Clusters", ("cluster", "rows", "%", "largest deviations"), lines, (1, 2))
    ]
    if len(result.profiles) > 1:
        parts.append(_deviations(result, names))
    return Section("groups", "Cluster profiles", "Clusters", tuple(parts))


def _deviations(result: ClusterResult, names: list[str]) -> Figure:
    away = {name: [0.0] * len(names) for name in result.columns}
    mean = {name: [""] * len(names) for name in result.columns}
    overall = {}
    for k, group in enumerate(result.profiles):
        for trait in group.traits:
            away[trait.column][k] = trait.away
            mean[trait.column][k] = _thin(value_text(trait.kind, trait.mean))
            overall[trait.column] = _thin(value_text(trait.kind, trait.overall))
    ordered = sorted(result.columns, key=lambda name: -max(map(abs, away[name])))
    shown = ordered[:MOST_COLUMNS]
    short, drawn = short_names(shown), names[:COLOURED]
    dots: list[ClassWeightRow] = [
        {"column": short[at], "effect": away[name][k], "label": group}
        for at, name in enumerate(shown)
        for k, group in enumerate(drawn)
    ]
    lines = [(name_of(name), overall[name], *mean[name][:COLOURED]) for name in ordered]
    most = f"The {count(len(shown))} of {count(len(ordered))} columns in which clusters differ most. "
    return Figure(
        "traits",
        (
            Panel(
                class_weight_chart(
                    dots,
                    short,
                    drawn,
                    "mean of the cluster less that of all rows, in standard deviations",
                    "cluster",
                )
            ),
        ),
        f"Clusters differ most in {spell_columns([shorten(name_of(name)) for name in shown[:3]], 3)}.",
        (most if len(shown) < len(ordered) else "")
        + "Mean of the cluster less that of all rows, in standard deviations of the column.",
        data_table("Means of the clusters", ("column", "all rows", *drawn), lines, range(1, 2 + len(drawn))),
    )


def _tree_section(result: ClusterResult) -> Section:
    tree = result.tree
    assert tree is not None
    lines = [
        (number(height), "yes" if tree.cut is not None and height > tree.cut else "")
        for height in sorted(tree.up.max(axis=1).tolist(), reverse=True)
    ]
    how = "clusters were split" if result.method == "top-down" else "clusters were merged"
    words = (
        f"Heights at which {how}; the dashed line cuts the tree into {page_plural(result.chosen, 'cluster')}. A number "
        "below a branch counts its rows."
    )
    figure = Figure(
        "tree",
        (Panel(cluster_charts.tree_chart(tree)),),
        f"Dendrogram of {page_plural(len(tree.sizes), 'branch', 'branches')}; the last merge is at "
        f"{number(float(tree.up.max()))}.",
        words,
        data_table("Heights", ("height", "undone by the cut"), lines, (0,)),
    )
    return Section("tree", "Dendrogram", "Dendrogram", (figure,))


def _class_section(result: ClusterResult) -> Section:
    """Clusters against the column that was not used."""
    assert result.classes is not None
    table = result.contingency()
    target = shorten(name_of(result.target), 40)
    lines = [
        (name, *(count(float(rows)) for rows in row))
        for name, row in zip(cluster_names(result), table.tolist(), strict=True)
    ]
    heads = ("cluster", *short_names(result.classes.tolist(), 22))
    text = Paragraph(
        f"Column {target!r} was not used for clustering. Adjusted Rand index of clusters and classes: "
        f"{number(result.agreement, 3)} (1 for the same partition, about 0 for unrelated ones)."
    )
    return Section(
        "classes",
        f"Clusters and {target}",
        "Classes",
        (text, data_table("Rows", heads, lines, range(1, len(heads)))),
    )


def _about_section(result: ClusterResult, voice: Voice) -> Section:
    parts: list[Part] = [Callout(render(note, voice)) for note in result.notes]
    parts.append(
        Paragraph(
            "All columns have the same weight: numbers have standard deviation 1, and the zero-one columns of a "
            "category have variances that add up to 1. BIC and the held-out log likelihood model the clusters as a "
            "Gaussian mixture with one shared covariance."
        )
    )
    link = () if result.linkage is None else (("Linkage", result.linkage),)
    parts.append(Facts((("Method", result.method), *link, ("Versions", versions()))))
    return Section("about", "Method", "Method", tuple(parts))
