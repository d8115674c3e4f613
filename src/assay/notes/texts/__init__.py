"""The sentences of all notes, by code: one module per subject. A code never changes its meaning.

Places in a sentence are filled in by `assay.notes.voices`; ``{option.drop}`` is ``drop=`` in Python and ``--drop`` in
a shell. Every text has example values, with which the tests and `docs/notes.md` word it.
"""

from __future__ import annotations

from importlib import import_module

from assay.notes.texts.text import ERROR, INFO, WARNING, Text, Texts

__all__ = ["ERROR", "INFO", "MODULES", "RETIRED", "TEXTS", "WARNING", "Text"]

SUBJECTS = (
    "candidates",
    "clusters",
    "column_types",
    "columns",
    "commands",
    "comparison",
    "data",
    "decision",
    "diagnosis",
    "diagnostics",
    "estimators",
    "exploration",
    "feature_notes",
    "features",
    "folds",
    "general",
    "linear_models",
    "metrics",
    "models",
    "numerics",
    "omitted",
    "own_candidates",
    "plans",
    "problem",
    "ratings",
    "renames",
    "selection",
    "storage",
    "syntax",
    "training_sets",
)
MODULES = tuple(import_module(f"{__name__}.{subject}") for subject in SUBJECTS)
TEXTS: Texts = {code: text for module in MODULES for code, text in module.TEXTS.items()}
# Codes that are not used any more, with those that say the same. A code never changes its meaning, so they stay unused.
RETIRED: dict[str, tuple[str, ...]] = {
    "C035": ("P003",),
    "C052": ("P024",),
    "C124": ("C117",),
    "C125": ("C117",),
    "C126": ("C117",),
    "C127": ("C117",),
    "C128": (),
    "C129": (),
    "C130": (),
    "C132": (),
    "C333": ("P141",),
    "D061": ("P003",),
    "D074": ("D069",),
    "L061": ("C033",),
    "M019": ("M510",),
    "M057": ("M032",),
    "M058": ("M033",),
    "M129": ("M013",),
    "M130": ("M014",),
    "M131": ("M015",),
    "M135": ("M017",),
    "M136": ("M018",),
    "M142": ("M139",),
    "M147": ("M012",),
    "M188": ("L010",),
    "M706": ("M034",),
    "O019": ("M510",),
    "S085": ("M032",),
    "S086": ("M022",),
    "S120": ("M001",),
}
