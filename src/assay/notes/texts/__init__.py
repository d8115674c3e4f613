"""The sentences of all notes, by code: one module per subject. A code never changes its meaning.

Places in a sentence are filled in by `assay.notes.voices`; ``{option.drop}`` is ``drop=`` in Python and ``--drop`` in
a shell. Every text has example values, with which the tests and `docs/notes.md` word it.
"""

from __future__ import annotations

from assay.notes.texts import (
    archives,
    candidates,
    clusters,
    columns,
    comparison,
    data,
    decision,
    estimators,
    features,
    folds,
    general,
    models,
    numerics,
    omitted,
    plans,
    problem,
    ratings,
    sklearn_files,
    storage,
    syntax,
)
from assay.notes.texts.text import ERROR, INFO, WARNING, Text, Texts

__all__ = ["ERROR", "INFO", "MODULES", "TEXTS", "WARNING", "Text"]

MODULES = (
    archives,
    candidates,
    comparison,
    omitted,
    columns,
    data,
    ratings,
    decision,
    estimators,
    features,
    folds,
    general,
    models,
    clusters,
    numerics,
    plans,
    problem,
    sklearn_files,
    storage,
    syntax,
)
TEXTS: Texts = {code: text for module in MODULES for code, text in module.TEXTS.items()}
