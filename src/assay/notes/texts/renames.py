"""Texts of notes about names of parameters: old ones, accepted with a warning, and those of other libraries."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, warning

TEXTS: Texts = {
    "M500": warning(
        "The parameter {name!r} of {owner} is now called {today!r}; use that name.",
        owner="GaussianMixtureClassifier",
        name="n_blobs",
        today="n_components",
    ),
    "M501": error(
        "{owner} got both {name!r} and {today!r}, which are the old and the new name of one parameter; give "
        "{today!r} only.",
        owner="GaussianMixtureClassifier",
        name="n_blobs",
        today="n_components",
    ),
    "M502": warning(
        "assay.{name} is now called assay.{today}; use that name.", name="Levels", today="OrdinalCodes"
    ),
    "M503": warning("A column-vector y was passed when a 1d array was expected; it was flattened."),
    "M510": error(
        "{owner} has no parameter {name!r}. {advice}",
        owner="LogisticRegression",
        name="C",
        advice="Write l2 = 1/(C·N), with N the number of training rows.",
    ),
    "M511": error(
        "{owner} has no parameter {name!r}. Did you mean {near:either}?",
        owner="GaussianNB",
        name="prior",
        near=["priors"],
    ),
    "M512": error(
        "{owner} has no parameter {name!r}; its parameters are {known:quoted 99}.",
        owner="PCA",
        name="depth",
        known=["n_components", "scale"],
    ),
    "M504": warning(
        "The attribute {name!r} of {subject} is now called {today!r}; use that name.",
        subject="GaussianMixtureClassifier",
        name="n_blobs_",
        today="n_components_",
    ),
    "M700": error(
        "{owner} has no parameter {name!r}; it has none.",
        owner="NoColumns",
        name="depth",
    ),
}
