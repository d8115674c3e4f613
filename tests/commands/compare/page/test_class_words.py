"""Sections about texts: the words of a class, sizes of vocabularies, and mistakes with the words behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.charts.document import Figure, Quotes
from assay.commands.compare.page import class_words, confident_errors
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.page import page
from assay.models.inspection.class_words import excerpt, surest_mistakes, telling_words
from assay.selection import scored_pairs as pairs
from tests.commands.compare.page import cases


@pytest.fixture(scope="module")
def subject() -> PageContext:
    return PageContext(cases.texts())


def test_words_that_are_frequent_and_telling_come_first() -> None:
    counts = np.array([[50.0, 30.0, 1.0, 0.0], [50.0, 2.0, 0.0, 40.0]])
    found = telling_words(counts, counts.sum(axis=1), ["the", "goal", "rare", "vote"], 1.0, 4, 3)
    assert found[0].words == ["goal", "rare"] and found[1].words == ["vote"]
    p, q = (30 + 1) / (81 + 4), (2 + 1) / (92 + 4)
    assert found[0].log_odds[0] == pytest.approx(np.log(p / q))
    assert found[0].inside[0] == pytest.approx(30 / 81) and found[0].outside[0] == pytest.approx(2 / 92)


def test_the_words_of_every_class_are_shown(subject: PageContext) -> None:
    section = class_words.words_section(subject)
    assert section is not None
    figure: Any = next(part for part in section.parts if isinstance(part, Figure))
    words = {row[1] for row in figure.data.rows}
    assert {"orbit", "engine", "church", "script"} <= words and "the" not in words
    assert len(figure.panels) == 4


def test_sizes_of_the_vocabulary_are_those_that_were_tuned_over(subject: PageContext) -> None:
    section = class_words.vocabulary_section(subject)
    assert section is not None
    figure: Any = section.parts[1]
    names = {row[0] for row in figure.data.rows}
    assert names == {"Multinomial naive Bayes", "Bernoulli naive Bayes", "Complement naive Bayes"}
    sizes = sorted({row[1] for row in figure.data.rows})
    assert len(sizes) == 2 and "100" in sizes  # and the whole vocabulary, which is smaller than the others
    result = subject.results["multinomial_nb"]
    least = min(result.cv_error[i] for i, s in enumerate(result.settings) if s["max_words"] == 100)
    shown = next(r for r in figure.data.rows if r[0].startswith("Multi") and r[1] == "100")
    assert shown[2].startswith(f"{100 * least:.1f}")


def test_the_surest_mistake_is_shown_escaped_with_the_words_that_misled(subject: PageContext) -> None:
    section = confident_errors.confident_errors_section(subject)
    assert section is not None
    quotes: Any = next(part for part in section.parts if isinstance(part, Quotes))
    first = quotes.quotes[0]
    assert first.head.startswith(f"Row 4: space, predicted as {cases.SCRIPT}")
    assert (
        "script (+" in first.foot
        and "church (+" in first.foot
        and "\u202e" not in first.text
        and len(first.text) < 280
    )
    shown = page(subject.comparison)
    assert cases.SCRIPT not in shown
    assert "predicted as &lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<img src=x" not in shown and "&lt;img src=x onerror=alert(2)&gt;" in shown


def test_tables_without_texts_have_no_such_sections() -> None:
    plain = PageContext(cases.iris())
    for build in (
        class_words.words_section,
        class_words.vocabulary_section,
        confident_errors.confident_errors_section,
    ):
        assert build(plain) is None


def test_an_excerpt_is_around_the_word() -> None:
    text = "start " + "a b c " * 100 + "needle " + "d e f " * 100
    assert "needle" in excerpt(text, "needle") and excerpt(text, "needle").startswith("…")
    assert excerpt(text, "absent").startswith("start") and excerpt("short\n\ttext", None) == "short text"


def test_a_row_is_a_mistake_once() -> None:
    codes = np.array([0, 1, 1], dtype=np.int32)
    rows = np.array([0, 1, 2, 0, 1, 2])
    logs = np.log([[0.1, 0.9], [0.5, 0.5], [0.6, 0.4], [0.01, 0.99], [0.2, 0.8], [0.3, 0.7]])
    tested = pairs.SplitScores(
        rows, np.repeat([0, 1], 3).astype(np.int32), logs, logs.argmax(axis=1), np.full((2, 2), 0.5)
    )
    found = surest_mistakes(tested.rows, tested.split, logs, codes, 5)
    assert [(each.row, each.split) for each in found] == [(0, 1), (2, 0), (1, 0)]
    assert found[0].log_odds == pytest.approx(np.log(99))
