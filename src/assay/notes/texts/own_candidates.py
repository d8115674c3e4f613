"""Texts of notes about candidates that are a user's own estimators, or registered by other packages."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "C400": error(
        "The candidate {name!r} cannot be compared. {reason}",
        name="mine",
        reason="SVR is not a classifier (its type is regressor); give a classifier, such as GaussianNB().",
    ),
    "C401": error(
        "The candidate {name!r} ({kind}) cannot be cloned, as every training set needs ({reason}); its constructor "
        "has to keep its arguments unchanged.",
        name="mine",
        kind="Mine",
        reason="the constructor does not set depth",
    ),
    "C402": error(
        "The candidate {name!r} has no parameter {parameter!r} to tune. {hint}",
        name="mine",
        parameter="C",
        hint="Did you mean 'svc__C'?",
    ),
    "C403": error(
        "A run folder does not store the estimator {name!r}, which this needs; give it again, as "
        "candidates={{{name!r}: estimator}}.",
        shell="A run folder does not store the estimator {name!r}, which this needs; give it again: --candidate "
        "{name}=MODULE:FUNCTION.",
        name="mine",
    ),
    "C404": error(
        "A candidate cannot be called {name!r}; its name begins with a letter and has letters, digits, - and _.",
        name="my model",
    ),
    "C405": error(
        "{name!r} is a name of the catalog; call your own candidate something else, or give None for the model of the "
        "catalog.",
        name="logistic",
    ),
    "C406": error(
        "{address!r} does not name a function that makes a classifier; write MODULE:FUNCTION, such as "
        "mypackage.models:make_model.",
        address="models.py",
    ),
    "C407": error(
        "{address!r} gives no classifier ({kind}: {reason}).",
        address="mypackage.models:make_model",
        kind="ModuleNotFoundError",
        reason="No module named 'mypackage'",
    ),
    "C408": error(
        "The estimator {name!r} is not the one of the run in {path!r}; give the same estimator again, or name another "
        "folder.",
        path="run",
        name="mine",
    ),
    "C409": error(
        "There are two candidates called {name!r}; name one NAME=MODULE:FUNCTION.", name="make_model"
    ),
    "C414": error(
        "The run in {path!r} has no candidate of your own called {name!r}.",
        path="run",
        name="mine",
    ),
    # -- registered by other packages --------------------------------------------------------------------------
    "C415": warning(
        "The registered candidate {name!r} ({target}) is left out, since it cannot be loaded ({kind}: {reason}).",
        name="rings",
        target="assay_rings.rings:CARD",
        kind="ModuleNotFoundError",
        reason="No module named 'assay_rings'",
    ),
    "C416": warning(
        "The registered candidate {name!r} ({target}) is left out, since {first} has the name already.",
        name="knn",
        target="assay_rings.rings:CARD",
        first="assay.models.neighbors.k_neighbors",
    ),
    "C417": warning(
        "The registered candidate {name!r} ({target}) is left out, since it is not a ModelCard of this name.",
        name="rings",
        target="assay_rings.rings:RingClassifier",
    ),
    # -- why a candidate has no result -------------------------------------------------------------------------
    "C410": info(
        "It has no predict_proba, which actions that are not classes need; put it into assay.Calibrated.",
    ),
    "C411": info("It has no predict_proba, which other priors need; put it into assay.Calibrated."),
    "C412": info(
        "It failed in a training set ({kind}: {reason}).",
        kind="ZeroDivisionError",
        reason="division by zero",
    ),
    # -- files -------------------------------------------------------------------------------------------------
    "C413": info(
        "No model file was written: {name!r} is not one of Assay's models, and a model file holds no others. "
        "To keep it, write joblib.dump(result.best, PATH) after assay.compare in Python.",
        name="mine",
    ),
}
