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
    "C013": error(
        "A tree says nothing of rows held out of it; choose by bic, or by method k-means.",
    ),
    "C014": error(
        "The numbers of groups must be at least 1; give others with {option.k}.",
    ),
    "C015": error(
        "{tried} groups are more than the {n_rows} rows; ask for at most {n_rows} with {option.k}.",
        tried="tried",
        n_rows=3,
    ),
    "C016": error(
        "The distances of all pairs of {count} rows take {pair_bytes:.1f} GiB, more than ASSAY_MEMORY allows; "
        "use method top-down or k-means, or fewer rows.",
        count=3,
        pair_bytes=0.5,
    ),
    "C017": error(
        "{name} {value!r} is not known; give {allowed} or {allowed_2}.",
        name="age",
        value="-1",
        allowed="allowed",
        allowed_2="allowed 2",
    ),
    "C018": error(
        "{path!r} is a file; name a folder for the groups.",
        path="table.csv",
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
    "C031": error(
        "Posteriors need a column for each of at least two classes, called after the class or P(class).",
    ),
    "C032": error(
        "Row {i} has no number in column {given!r}; give one.",
        i=3,
        given="given",
    ),
    "C033": error(
        "New priors replace those of training; give these too, with --trained-priors.",
    ),
    "C034": error(
        "A race of {rows} rows is not run; ask for {fewest_rows} to {most_rows}.",
        rows=3,
        fewest_rows=3,
        most_rows=3,
    ),
    "C035": error(
        "Column {target!r} is the target and cannot be dropped; take it out of one of the two.",
        target="target",
    ),
    "C036": error(
        "The model does not say which column it predicts; name the column of the classes.",
    ),
    "C037": error(
        "Other priors need posteriors, and the model gives margins only; leave the priors out, or fit another "
        "model, such as {calibrated_names}.",
        calibrated_names="calibrated names",
    ),
    "C038": error(
        "No row has a class in column {target!r}{count}; nothing can be tested.",
        target="target",
        count=3,
    ),
    "C039": error(
        "Row {read} has a class in column {target!r} that the model does not know; it knows {map}{clause}.",
        read="read",
        target="target",
        map="map",
        clause="clause",
    ),
    "C040": error(
        "Column {name!r} is one that the model predicts from; name the column of {role}.",
        name="age",
        role="role",
    ),
    "C041": error(
        "Column {groups!r}, which holds the groups, has no value in row {read}; give each row a group, or "
        "leave such rows out.",
        groups="groups",
        read="read",
    ),
    "C042": error(
        "--top {top} shows no column; give a number of at least 1.",
        top="top",
    ),
    "C043": error(
        "{title_of} weighs its columns together here, so that none has a share of its own; models whose "
        "predictions can be explained are {able}.",
        title_of="title of",
        able="able",
    ),
    "C044": error(
        "There is no row {row}; {source_name} has {first}.",
        row=3,
        source_name="source name",
        first="first",
    ),
    "C045": error(
        "There is no row {row}; the first row is 1.",
        row=3,
    ),
    "C046": error(
        "{search:set search} is unknown; give forward, backward, floating or rank.",
        search="search",
    ),
    "C047": error(
        "{by:set by} is unknown; give correlation, correlation_ratio or information.",
        by="by",
    ),
    "C048": error(
        "{rule:set rule} is unknown; give min or one_se.",
        rule="rule",
    ),
    "C049": error(
        "A ranking lists every column by itself; a number of columns, a start and fixed columns are for a "
        "search: forward, backward or floating.",
    ),
    "C050": error(
        "{name} cannot learn from this table: {lower}{reason}",
        name="age",
        lower="lower",
        reason="reason",
    ),
    "C051": error(
        "{name} reads no column, so there is none to search for; take another model.",
        name="age",
    ),
    "C052": error(
        "Column {weights!r}, which holds the weights, is 0 in every row, so none counts; give the rows that "
        "are to count more.",
        weights="weights",
    ),
    "C053": error(
        "The model gives no probabilities, only margins; leave --proba out or fit another model, such as "
        "{calibrated_names}.",
        calibrated_names="calibrated names",
    ),
    "C054": error(
        "{method:set method} is not known; give pca or fisher.",
        method="method",
    ),
    "C055": error(
        "{to:set to} is not a number of directions; give a whole number of at least 1.",
        to="to",
    ),
    "C056": error(
        "Fisher's directions separate classes; name the column that holds them with {option.target}, or take method "
        "pca.",
    ),
    "C057": error(
        "No column varies; there is nothing to project.",
    ),
    "C058": error(
        "{what} no direction; there is nothing to project.",
        what="what",
    ),
    "C059": error(
        "{what} {there} {noun} only; ask for at most {there} with {option.to}.",
        what="what",
        there="there",
        noun="noun",
    ),
    "C060": error(
        "--plan {text} is not known; give a number of folds, 2 or more, or loo.",
        text="kfold:x",
    ),
    "C061": error(
        "Say to whom with --user, or ask for the errors of all ways with --evaluate.",
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
