"""Texts of notes about comparisons and other commands."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "C001": error(
        "No text of class {label!r} has a word of two letters or more ({rows} rows); add texts of this class, or leave "
        "the class out.",
        label="spam",
        rows=3,
    ),
    "C002": error(
        "Every tested class has prior zero, so no tested row counts; use other priors.",
    ),
    "C003": error(
        "The run in {path!r} was made by Assay {version}, which used other inner folds, so it cannot be resumed; name "
        "another folder. The report can still be written from it.",
        path="run",
        version="0.1.0",
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
    "C011": error(
        "{n_parts} {parts} need at least {n_parts} groups, and {groups} has {n_groups}; use fewer {parts}, or other "
        "groups.",
        n_parts=3,
        parts="parts",
        groups="'patient'",
        n_groups=2,
    ),
    "C012": error(
        "Candidates cannot be tuned inside {scheme}; compare with kfold:10 or holdout:0.3, and evaluate the winner "
        "with {scheme}.",
        scheme="LeaveOneOut",
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
        "There is a range for {name!r}, which is not among the candidates.",
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
        "The run used an array of {role}, and a run folder stores no rows; pass the array again with {role}=.",
        role="groups",
    ),
    "C027": error(
        "The run in {folder!r} was made from {source!r}, which does not exist here; start from the same folder as the "
        "comparison, or name the table with {option.source}.",
        folder="run",
        source="credit.csv",
    ),
    "C028": error(
        "The validation scheme of the run, {scheme!r}, cannot be read; compare again.",
        scheme="[KFold(5)]",
    ),
    "C029": error(
        "{reason}. A run folder stores no passwords; set PGPASSWORD, or give the address with {option.source}.",
        reason="The connection to postgresql://localhost/shop failed: no password supplied",
    ),
    "C030": error(
        "{title} could not be tuned on this table. {reason}",
        title="Multinomial naive Bayes",
        reason="It uses text columns, and the table has only numeric columns.",
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
        name="logisitc",
        hint="did you mean 'logistic'?",
    ),
    "C063": error(
        "{name!r} is not a name of the catalog, which `assay models` lists; use evaluate([...], X, y) to compare "
        "estimators, and tune or nested to tune them.",
        name="GaussianNB()",
    ),
}
