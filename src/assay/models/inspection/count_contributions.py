r"""Contributions of words, of categories and of counts to a prediction.

words       score_a - score_b = (b_a - b_b) + Σ_j x_j (w_aj - w_bj)         x_j: how often word j occurs, or its TF-IDF
categories  score_a - score_b = ln P(a)/P(b) + Σ_j ln p_aj(x_j) / p_bj(x_j)    counts: by their Poisson distributions
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.data import Table
from assay.engines.local import thread_count
from assay.models.features.text_columns import Words
from assay.models.inspection.explanation import (
    EVIDENCE,
    WORDS,
    Explanation,
    column_places,
    explained,
    moved_by_priors,
    shown_value,
)
from assay.models.naive_bayes.base import CountedClassifier
from assay.models.naive_bayes.text_base import WordForm
from assay.notes import Note
from assay.sharing.forms import Linear
from assay.types import Array, Names


def explain_words(model: Any, table: Table, rows: Sequence[int]) -> list[Explanation] | None:
    """Explanations of documents, word by word; None if the model does not count words.

    Counts in columns are explained by `explain_categories`.
    """
    *steps, final = model.steps_and_model_
    form = _word_form(final) if isinstance(model.encoder_, Words) else None
    if form is None:
        return None
    if form.ruling is not None:
        raise ValueError(Note("M110"))
    table = model.encoder_.conform(table.take(rows)).select(model.schema_.names)
    counts: Any = model.design(table)
    names: Names = model.design_names_
    design = counts
    for step in steps:
        design, names = step.transform(design), step.get_feature_names_out(names)
        counts = design if design.shape[1] != counts.shape[1] else counts  # weights of words are no counts
    prepared = final._prepared(design) if isinstance(final._score_form, WordForm) else design
    bias = form.bias + moved_by_priors(model)
    scores = form.scores(prepared, threads=thread_count()) - form.bias + bias
    posterior = model.predict_log_proba(table) if hasattr(model, "predict_proba") else [None] * len(rows)
    start = "class prevalence" if np.array_equal(form.bias, form.log_prior) else "empty text"
    return [
        _explained(
            model, form, bias, counts[[i]], prepared[[i]], names, start, scores[i], posterior[i], row + 1
        )
        for i, row in enumerate(rows)
    ]


def _word_form(final: Any) -> WordForm | None:
    """The linear scores of a model of words; None of any other model."""
    form = getattr(final, "_score_form", None)
    if isinstance(form, Linear):
        weights = form.weights[0]
        return WordForm(weights, form.bias[0] - weights @ form.center[0], np.full(len(weights), np.nan))
    return form if isinstance(form, WordForm) else None


def _explained(
    model: Any,
    form: WordForm,
    bias: Array,
    counts: Any,
    x: Any,
    names: Names,
    start: str,
    scores: Array,
    posterior: Array | None,
    row: int,
) -> Explanation:
    at, often = x.indices, x.data
    times = [f"{count:g}" for count in counts.data.tolist()]
    explanation = explained(
        model,
        int(row),
        scores,
        posterior,
        lambda a, b: bias[a] - bias[b],
        lambda a, b: often * (form.weights[a, at] - form.weights[b, at]),
        [(str(names[j]), count) for j, count in zip(at.tolist(), times, strict=True)],
        start,
        WORDS,
    )
    return replace(explanation, part="word")


def explain_categories(model: Any, table: Table, rows: Sequence[int]) -> list[Explanation] | None:
    """Explanations of rows of categories or counts, column by column; None if the model has no such evidence."""
    *steps, final = model.steps_and_model_
    evidence_of = getattr(type(final), "_column_evidence", CountedClassifier._column_evidence)
    if steps or not hasattr(final, "_log_prior") or evidence_of is CountedClassifier._column_evidence:
        return None
    table = model.encoder_.conform(table.take(rows)).select(model.schema_.names)
    by_design = final._column_evidence(final._read(model.design(table)))  # (N, K, D)
    evidence = by_design @ np.eye(len(table.schema))[column_places(model.encoder_)]
    prior = final._log_prior + moved_by_priors(model)
    posterior = model.predict_log_proba(table)
    return [
        explained(
            model,
            int(row) + 1,
            prior + evidence[i].sum(axis=-1),
            posterior[i],
            lambda a, b: prior[a] - prior[b],
            lambda a, b, evidence=evidence[i]: evidence[a] - evidence[b],
            [(column.name, shown_value(column, table[column.name][i])) for column in table.schema],
            "class prevalence",
            EVIDENCE,
        )
        for i, row in enumerate(rows)
    ]
