"""Every candidate that reads words on texts that are legal and unkind: posteriors or margins, or one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import KFold, catalog, evaluate
from assay.data import Column, Schema, Table
from assay.models.table.build import build
from tests.fuzz.answers import margins, one_sentence, posteriors

OF_WORDS = tuple(
    each.name for each in catalog.cards() if "text" in each.column_types and each.name != "baseline"
)
TEXTS = st.one_of(
    st.none(),
    st.sampled_from(
        ["", "a", "?!", "the", "the cat", "cat cat cat dog", "\0 the", "Ⅷ ﬁsh ﬁsh", "ΣΑΣ", "no " * 500]
    ),
    st.text(max_size=12),
)


@pytest.mark.parametrize("name", OF_WORDS)
@given(texts=st.lists(TEXTS, min_size=8, max_size=24), data=st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_fold_gives_scores_or_one_sentence(name: str, texts: list[str | None], data: Any) -> None:
    texts = [None if text is None else text.encode("utf-8", "ignore").decode() for text in texts]
    table = Table(Schema((Column("says", "text"),)), {"says": pa.array(texts, pa.large_string())})
    y = np.array(["p", "q", "r"])[np.arange(len(texts)) % data.draw(st.integers(2, 3))]
    entry = catalog.entry(name)
    model = build(entry, data.draw(st.sampled_from(entry.settings())))
    try:
        known = model.encoded(table)
        found = evaluate(known.matrix_estimator(), known.design(table), y, KFold(2))
        model.fit(table, y)
    except ValueError as error:
        one_sentence(error)
        return
    assert found.probabilistic == ("posterior" in entry.capabilities)
    if found.probabilistic:
        posteriors(found.posterior)
        posteriors(model.predict_proba(table))
    else:
        margins(found.scores, found.predicted_codes)
        margins(model.decision_function(table), np.searchsorted(model.classes_, model.predict(table)))
    assert all(isinstance(note, str) and note.endswith(".") for note in model.diagnostics_)
