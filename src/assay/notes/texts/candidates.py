"""Texts of notes about comparisons and other commands."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "C001": error(
        "{clause} of class {classes!r} is empty or has no word of two letters; give the class texts, or leave "
        "it out.",
        clause="clause",
        classes="classes",
    ),
    "C003": error(
        "The run in {path!r} was made by Assay {known}, whose candidates were chosen by other inner folds, so "
        "it cannot be resumed; name another folder (report and reopen still read it).",
        path="table.csv",
        known="known",
    ),
    "C004": error(
        "{path!r} is a file; name a folder for the run.",
        path="table.csv",
    ),
    "C005": error(
        "Folder {path!r} is not empty and holds no run; name another folder.",
        path="table.csv",
    ),
    "C006": error(
        "Folder {path!r} holds a run already; resume it (--resume) or name another folder.",
        path="table.csv",
    ),
    "C007": error(
        "The run in {path!r} was made with {was}; name another folder.",
        path="table.csv",
        was="was",
    ),
    "C008": error(
        "Folder {path!r} cannot be made ({strerror}); name another folder.",
        path="table.csv",
        strerror="strerror",
    ),
    "C009": error(
        "Folder {path!r} holds no run of `assay compare`.",
        path="table.csv",
    ),
    "C010": error(
        "{path!r} is damaged; name another folder.",
        path="table.csv",
    ),
    "C011": error(
        "{least} {called} need at least {least} groups, and {called_2} has {count}: use fewer{advice}, or "
        "other groups.",
        least=3,
        called="called",
        called_2="called 2",
        count=3,
        advice="advice",
    ),
    "C012": error(
        "Candidates cannot be tuned inside {kind}; compare by folds (kfold:10) or a hold-out, and use evaluate "
        "for the chosen one.",
        kind="list",
    ),
    "C019": error(
        "--resume goes on with the run in a folder; name it with --out.",
    ),
    "C020": error(
        "{name!r} is not among the results: {results}.",
        name="age",
        results="results",
    ),
    "C021": error(
        "{title} gives no probabilities; use predict, or name {calibrated_names}, which has them, among the "
        "candidates.",
        title="title",
        calibrated_names="calibrated names",
    ),
    "C022": error(
        "There is no candidate to compare; name at least one, or leave candidates out.",
    ),
    "C023": error(
        "There is a range for {name!r}, which is not among the candidates.",
        name="age",
    ),
    "C024": error(
        "The run in {folder!r} has no finished candidate; resume it with --resume.",
        folder="folder",
    ),
    "C025": error(
        "{name!r} has changed since the run in {folder!r}; compare it again.",
        name="age",
        folder="folder",
    ),
    "C026": error(
        "The run was made with an array of {role}, and keeps no rows; give it again with {role}=.",
        role="role",
    ),
    "C027": error(
        "The run in {folder!r} was made from {stored!r}, which is not there; call this from the folder that "
        "the comparison was started in, or name the table with {option.source}.",
        folder="folder",
        stored="stored",
    ),
    "C028": error(
        "The run's plan {text!r} cannot be read again; compare anew.",
        text="kfold:x",
    ),
    "C029": error(
        "{rstrip}; a run keeps no passwords, so set PGPASSWORD or give the address with {option.source}.",
        rstrip="rstrip",
    ),
    "C030": error(
        "{title} could not be tuned on this table: {omitted}",
        title="title",
        omitted="omitted",
    ),
    "C062": error(
        "There is no model {name!r} in the catalog; {hint}",
        name="age",
        hint="hint",
    ),
    "C063": error(
        "{name!r} is no name of the catalog, which `assay models` lists; models of your own are put side by "
        "side by evaluate([...], X, y), and tuned by tune or nested.",
        name="age",
    ),
}
