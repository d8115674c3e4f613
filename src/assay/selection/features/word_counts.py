"""Texts in a search for features: the features of texts are their words, which are counted once."""

from __future__ import annotations

from typing import NamedTuple, cast

from assay.data.labels import column_names
from assay.models.base.estimators import Pipeline, clone, parts_of
from assay.models.features.text_counts import TextCounts
from assay.types import CompressedRows, MatrixLike, RowClassifier


class WordCounts(NamedTuple):
    """Texts as counts of their words: what counted them, the counts, and the model that reads these."""

    counter: TextCounts
    rows: CompressedRows  # (N, V)
    model: RowClassifier | None

    @property
    def names(self) -> list[str]:
        return [str(word) for word in self.counter.get_feature_names_out()]


def is_texts(X: object) -> bool:
    """Whether X is a list, an array, a series or an Arrow column, of texts unless it says otherwise."""
    if isinstance(X, list | tuple):
        return len(X) > 0 and isinstance(X[0], str)
    if hasattr(X, "to_pylist"):  # Arrow
        return column_names(X) is None
    return len(getattr(X, "shape", ())) == 1 and getattr(getattr(X, "dtype", None), "kind", "O") in "OSUT"


def count_words(model: RowClassifier | None, texts: MatrixLike) -> WordCounts:
    """The counts by the `TextCounts` that a pipeline begins with, and what is behind it; by a plain one without it."""
    parts = parts_of(model)
    counts = len(parts) > 1 and isinstance(parts[0][1], TextCounts)
    counter = clone(parts[0][1]) if counts else TextCounts()
    rows = counter.fit_transform(texts)
    behind = (parts[1][1] if len(parts) == 2 else Pipeline(parts[1:])) if counts else model
    return WordCounts(counter, rows, cast("RowClassifier | None", behind))
