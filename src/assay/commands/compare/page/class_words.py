"""Sections of tables with texts: characteristic words per class, and error by vocabulary size."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from assay.charts import class_words as word_charts
from assay.charts.columns import WeightRow, weight_chart
from assay.charts.document import DataTable as DataTable
from assay.charts.document import (
    Figure,
    Panel,
    Paragraph,
    Part,
    Section,
    data_table,
)
from assay.commands.compare.page.context import PageContext
from assay.decision import wilson
from assay.models.inspection.class_words import (
    TellingWords,
    telling_words,
)
from assay.notes.numbers import LEVEL, count, number, number_range, percent, percent_range, setting_text
from assay.notes.phrases import listed, short_names, shorten
from assay.notes.phrases import page_plural as plural
from assay.workbench.experiment.evaluate_candidate import CandidateResult

MOST_PANELS = 8  # classes that have a drawing of their own; of more there is a table
MOST_WORDS, FEW_WORDS = 12, 8
WORD_WIDTH = 18


def words_section(s: PageContext) -> Section | None:
    """The characteristic words of each class, by the best text model."""
    name = s.best_text_model
    if name is None:
        return None
    classes, what = _found(s, name)
    if not any(words.words for words in classes):
        return None
    text = (
        f"Words that are characteristic of a class, in {s.titles[name]} fitted to all rows. Their log odds compare "
        f"{what} within the class and in the other classes: at 3 a word is twenty times as frequent in the class."
    )
    parts: list[Part] = [Paragraph(text)]
    if len(classes) > MOST_PANELS:
        parts.append(_by_class(s, classes))
    else:
        parts.append(_figure(s, classes, what))
    return Section("words", "Characteristic words per class", "Words", tuple(parts))


def _found(s: PageContext, name: str) -> tuple[list[TellingWords], str]:
    """The words of every class, and what their shares are of."""
    model = s.fit(name)
    final = model.model_
    names: Any = model.design_names_
    for step in model.steps_and_model_[:-1]:
        names = step.get_feature_names_out(names)
    learned = final.statistics_.in_rows().dense()
    counts = np.asarray(learned.counts, dtype=np.float64)
    texts = name == "bernoulli_nb"
    total = np.asarray(learned.weight, dtype=np.float64) if texts else counts.sum(axis=1)
    most = FEW_WORDS if len(counts) > 2 else MOST_WORDS
    classes = telling_words(
        counts, total, names, max(final.smoothing, 1e-3), 2.0 if texts else counts.shape[1], most
    )
    return classes, "the proportion of texts with the word" if texts else "the frequency of the word"


def _figure(s: PageContext, classes: list[TellingWords], what: str) -> Figure:
    """Bars: to either side for two classes, one drawing per class for more."""
    summary = "; ".join(
        f"{s.class_names[k]}: {listed(words.words, 5)}" for k, words in enumerate(classes) if words.words
    )
    panels = _two(s, classes) if len(classes) == 2 else _several(s, classes)
    caption = (
        f"Log odds of the most characteristic words per class: {what} in the class against the other classes."
    )
    return Figure("words", panels, f"The most characteristic words. {summary}.", caption, _table(s, classes))


def _two(s: PageContext, classes: list[TellingWords]) -> tuple[Panel, ...]:
    away, towards = classes
    effects = [
        *((word, effect, s.short_classes[1]) for word, effect in _pairs(towards)),
        *((word, -effect, s.short_classes[0]) for word, effect in reversed(_pairs(away))),
    ]
    shorter = short_names((word for word, _, _ in effects), WORD_WIDTH)
    rows: list[WeightRow] = [
        {"column": short, "effect": effect, "towards": name}
        for (_, effect, name), short in zip(effects, shorter, strict=True)
    ]
    left, right = (shorten(name, 20) for name in s.class_names)
    title = f"log odds, to the left for {left}, to the right for {right}"
    return (Panel(weight_chart(rows, title)),)


def _pairs(words: TellingWords) -> list[tuple[str, float]]:
    return list(zip(words.words, words.log_odds.tolist(), strict=True))


def _several(s: PageContext, classes: list[TellingWords]) -> tuple[Panel, ...]:
    reach = max(float(words.log_odds.max(initial=0.0)) for words in classes)
    panels = []
    for k, words in enumerate(classes):
        short = short_names(words.words, WORD_WIDTH)
        rows: list[word_charts.WordRow] = [
            {"word": word, "effect": odds, "inside": percent(p), "outside": percent(q)}
            for word, odds, p, q in zip(
                short, words.log_odds.tolist(), words.inside.tolist(), words.outside.tolist(), strict=True
            )
        ]
        says = f"Words of {s.class_names[k]}: {listed(words.words, 8) if words.words else 'none'}."
        panels.append(
            Panel(
                word_charts.word_chart(rows, "log odds", reach, "accent"), s.short_classes[k], "small", says
            )
        )
    return tuple(panels)


def _table(s: PageContext, classes: list[TellingWords]) -> DataTable:
    lines = [
        (s.class_names[k], shorten(word, 40), number(odds), percent(p), percent(q))
        for k, words in enumerate(classes)
        for word, odds, p, q in zip(
            words.words, words.log_odds.tolist(), words.inside.tolist(), words.outside.tolist(), strict=True
        )
    ]
    heads = ("class", "word", "log odds", "in the class", "in the other classes")
    return data_table("The most characteristic words", heads, lines, (2, 3, 4))


def _by_class(s: PageContext, classes: list[TellingWords]) -> DataTable:
    """A line for each class: its words, the strongest first."""
    lines = [
        (s.class_names[k], ", ".join(shorten(word, 24) for word in words.words) or "none")
        for k, words in enumerate(classes)
    ]
    return data_table(
        "The most characteristic words per class, the strongest first", ("class", "words"), lines
    )


def vocabulary_section(s: PageContext) -> Section | None:
    """Error by vocabulary size, for every text model."""
    width = _vocabulary_size(s)
    points = [] if width is None else _points(s, width)
    names = list(dict.fromkeys(point["name"] for point in points))
    if len({point["size"] for point in points}) < 2:
        return None
    metric = s.measure
    best = min(points, key=lambda point: point["value"])
    text = (
        f"Every text model was tuned over vocabularies of the most frequent words, up to all {count(width or 0)}. "
        f"Least {metric}: {best['name']} with {plural(best['size'], 'word')}, {best['shown']}. {_change(points, best)}"
    )
    figure = Figure(
        "vocabulary",
        (Panel(word_charts.vocabulary_chart(points, names, f"{metric} on the folds", s.by_error)),),
        f"{metric.capitalize()} of {plural(len(names), 'model')} against the number of words. {text}",
        f"For each size the best smoothing. Lines are {LEVEL} confidence intervals. The vocabulary is selected "
        "inside each fold.",
        _sizes_table(points, metric),
    )
    return Section("vocabulary", "Vocabulary size", "Vocabulary", (Paragraph(text), figure))


def _vocabulary_size(s: PageContext) -> int | None:
    for result in s.results.values():
        if result.entry.reads_words:
            return int(s.comparison.bench.design(result.entry).shape[1])
    return None


class SizeRow(word_charts.VocabularyRow):
    """A row of the chart, and the setting behind it."""

    setting: str


def _points(s: PageContext, width: int) -> list[SizeRow]:
    """The best setting of each model and size; sizes beyond the vocabulary are the vocabulary."""
    best: dict[tuple[str, int], SizeRow] = {}
    rows = len(np.unique(s.evaluation.rows))
    for name, result in s.results.items():
        if "max_words" not in result.settings[0]:
            continue
        for at, setting in enumerate(result.settings):
            size = width if setting["max_words"] is None else min(width, cast(int, setting["max_words"]))
            value = float(result.nested.losses[at])
            key = (name, size)
            if key in best and best[key]["value"] <= value:
                continue
            low, high = _interval(s, result, at, rows)
            show, show_range = (percent, percent_range) if s.by_error else (number, number_range)
            best[key] = {
                "name": s.titles[name], "size": size, "value": value, "low": low, "high": high,
                "shown": f"{show(value)} ({show_range((low, high))})", "setting": setting_text(setting),
            }  # fmt: skip
    return sorted(
        best.values(), key=lambda point: (list(s.titles.values()).index(point["name"]), point["size"])
    )


def _interval(s: PageContext, result: CandidateResult, at: int, rows: int) -> tuple[float, float]:
    """Wilson's on the rows tested, or two standard errors of a mean loss."""
    value = float(result.nested.losses[at])
    if s.by_error and s.comparison.priors is None and not s.weighted:
        interval = wilson(value * rows, rows)
        return float(interval.low), float(interval.high)
    errors = result.nested.standard_errors
    reach = 1.96 * float(errors[at]) if len(errors) > at else 0.0
    return value - reach, value + reach


def _change(points: list[SizeRow], best: SizeRow) -> str:
    """The effect of the smallest vocabulary on the best model."""
    curve = [point for point in points if point["name"] == best["name"]]
    if curve[0]["size"] == best["size"]:
        return "A larger vocabulary does not reduce it."
    return f"With {plural(curve[0]['size'], 'word')} it is {curve[0]['shown']}."


def _sizes_table(points: list[SizeRow], metric: str) -> DataTable:
    lines = [(p["name"], count(p["size"]), p["shown"], p["setting"]) for p in points]
    return data_table(
        f"{metric.capitalize()} by number of words",
        ("candidate", "words", f"{metric} ({LEVEL} CI)", "setting"),
        lines,
        (1,),
    )
