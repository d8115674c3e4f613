"""Counts of words beside scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer


def rival(**options: Any) -> CountVectorizer:
    """CountVectorizer with our names of options."""
    lowercase = options.get("lowercase", True)
    return CountVectorizer(
        lowercase=lowercase is True,
        preprocessor=str.casefold if lowercase == "fold" else None,
        analyzer="char" if options.get("tokens") == "characters" else "word",
        ngram_range=options.get("ngram_range", (1, 1)),
        stop_words=options.get("stop_words"),
        min_df=options.get("min_documents", 1),
        max_df=options.get("max_documents", 1.0),
        max_features=options.get("max_words"),
        binary=options.get("binary", False),
        dtype=np.int32,
    )


def assert_same(ours: Any, theirs: Any) -> None:
    theirs.sort_indices()
    assert ours.shape == theirs.shape
    assert ours.dtype == ours.indices.dtype == ours.indptr.dtype == np.int32
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))
