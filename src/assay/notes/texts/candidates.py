"""Texts of notes about comparisons and other commands."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "C001": error(
        "No text of class {label!r} has a word of two letters or more ({rows} rows); add texts of this class, or leave "
        "the class out.",
        label="spam",
        rows=3,
    ),
    "C003": error(
        "The run in {path!r} was made by Assay {version}, which used other inner folds, so it cannot be resumed; name "
        "another folder. The report can still be written from it.",
        path="run",
        version="0.1.0",
    ),
    "C066": error(
        "The run in {path!r} was made by Assay {version}, which did not store the losses that its intervals count, so "
        "it cannot be resumed; name another folder. The report can still be written from it.",
        path="run",
        version="0.3.0",
    ),
    "C004": error(
        "{path!r} is a file; name a folder for the run.",
        path="table.csv",
    ),
    "C005": error(
        "Folder {path!r} is not empty and does not contain a run; name another folder.",
        path="data",
    ),
    "C006": error(
        "Folder {path!r} already contains a run; resume it ({option.resume}) or name another folder.",
        path="run",
    ),
    "C007": error(
        "The run in {path!r} was made with {key} {before!r}, not {now!r}; name another folder.",
        path="run",
        key="random_state",
        before=0,
        now=1,
    ),
    "C008": error(
        "Folder {path!r} cannot be created ({strerror}); name another folder.",
        path="run",
        strerror="Permission denied",
    ),
    "C009": error(
        "Folder {path!r} does not contain a run of `assay compare`.",
        path="data",
    ),
    "C010": error(
        "{path!r} is damaged; name another folder.",
        path="run/experiment.json",
    ),
    "C067": info(
        "The run is not kept: {path} cannot be written to ({strerror}). Name a folder with {option.out}.",
        path="/home/ann/.cache/assay/runs",
        strerror="Permission denied",
    ),
    "C068": error(
        "Another process is writing to the run in {path!r}; wait until it ends, or name another folder.",
        path="run",
    ),
    "C710": error(
        "The run in {path!r} has format {format}, and Assay {installed} reads format {known}; update Assay to "
        "{version} or later, or name another folder.",
        path="run",
        format=2,
        installed="0.3.0",
        known=1,
        version="0.4.0",
    ),
    "C011": error(
        "{n_parts} {parts} need at least {n_parts} groups, and {groups} has {n_groups}; use fewer {parts}, or other "
        "groups.",
        n_parts=3,
        parts="sets",
        groups="'patient'",
        n_groups=2,
    ),
    "C012": error(
        "Candidates cannot be tuned inside {scheme}; compare with kfold:10 or holdout:0.3, and evaluate the winner "
        "with {scheme}.",
        shell="Candidates cannot be tuned inside {scheme}; compare with kfold:10 or holdout:0.3, and evaluate the "
        "winner with assay evaluate TABLE --model NAME --plan {plan}.",
        scheme="LeaveOneOut",
        plan="loo",
    ),
    "C019": error(
        "--resume needs the folder of the run; name it with --out.",
    ),
    "C020": error(
        "{name!r} is not a candidate with a result; there are {candidates:listed}.",
        name="knn",
        candidates=("fisher", "gaussian_nb", "baseline"),
    ),
    "C021": error(
        "{title} has no posterior probabilities; use predict, or add {calibrated} to the candidates.",
        title="Linear SVM",
        calibrated="calibrated_svm or calibrated_kernel_svm",
    ),
    "C022": error(
        "The list of candidates is empty; name at least one, or leave the list out.",
    ),
    "C023": error(
        "There is a range for {name!r}, which is not among the candidates; add it to them, or leave its range out.",
        name="knn",
    ),
    "C024": error(
        "The run in {folder!r} has no finished candidate; resume it with {option.resume}.",
        folder="run",
    ),
    "C025": error(
        "{name!r} has changed since the run in {folder!r}; compare it again.",
        name="credit.csv",
        folder="run",
    ),
    "C026": error(
        "The run used an array of {role}, which a run folder does not store; pass the array again with {role}=.",
        role="groups",
    ),
    "C027": error(
        "The run in {folder!r} was made from {source!r}, which does not exist here; start from the same folder as the "
        "comparison, or name the table with {option.source}.",
        folder="run",
        source="credit.csv",
    ),
    "C028": error(
        "The validation scheme of the run, {scheme}, cannot be read; compare again.",
        scheme="[KFold(5)]",
    ),
    "C029": error(
        "{reason:clause}. A run folder stores no passwords; set PGPASSWORD, or give the address with {option.source}.",
        reason="Connecting to postgresql://localhost/shop failed: no password supplied.",
    ),
    "C030": error(
        "{title} could not be tuned on this table. {reason}",
        title="Multinomial naive Bayes",
        reason="It uses text columns, and the table has only numeric columns.",
    ),
    "C062": error(
        "Unknown model {name!r}. {hint}",
        name="logisitc",
        hint="Did you mean 'logistic'?",
    ),
    "C063": error(
        "An object of type {kind} is not a name of the catalog, which `assay models` lists; give an estimator of your "
        "own a name, as in candidates={{'mine': estimator}}.",
        kind="Pipeline",
    ),
}
