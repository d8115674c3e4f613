"""Texts of notes about evaluation, prediction, explanation and other commands."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "C031": error(
        "A table of posteriors needs at least two classes, each with a column named after it or P(class); `assay "
        "predict MODEL TABLE --proba` writes one."
    ),
    "C032": error(
        "Row {row} has no number in column {column!r}; give a probability.",
        row=3,
        column="P(bad)",
    ),
    "C033": error(
        "New priors replace those of the training data; give these as well, with {option.trained_priors}.",
    ),
    "C034": error(
        "The race needs {fewest} to {most} rows, but {rows} were given.",
        rows=499,
        fewest=500,
        most=1000000,
    ),
    "C036": error(
        "The model file does not name the column that the model predicts; name the column of the true classes with "
        "{option.target}.",
    ),
    "C037": error(
        "Other priors need posteriors, but the model has margins only; omit {option.priors}, or fit another model, "
        "such as {models}.",
        models="calibrated_svm",
    ),
    "C038": error(
        "Column {target!r} has no class in any row; the model cannot be tested.",
        target="species",
    ),
    "C039": error(
        "Row {row} has a class in column {target!r} that was not in the training data; the classes of the model are "
        "{classes:quoted}.",
        row=12,
        target="species",
        classes=("setosa", "virginica"),
    ),
    "C040": error(
        "Column {column!r} is a feature of the model; name the column of {role}.",
        column="age",
        role="groups",
    ),
    "C041": error(
        "Column {column!r} of groups has a missing value in row {row}; give each row a group, or leave such rows out.",
        column="patient",
        row=17,
    ),
    "C042": error(
        "--top {top} would show no columns; give a number of at least 1.",
        top=0,
    ),
    "C043": error(
        "{title} combines its columns, so a prediction is not a sum over columns; models whose predictions can be "
        "explained are {models}.",
        title="Random forest",
        models="gaussian_nb, logistic",
    ),
    "C044": error(
        "There is no row {row}; {source} has {rows:count row}.",
        row=200,
        source="iris.csv",
        rows=150,
    ),
    "C045": error(
        "There is no row {row}; the first row is 1.",
        row=0,
    ),
    "C050": error(
        "{model} cannot be used with this table. {reason}",
        model="multinomial_nb",
        reason="It uses text columns, and the table has only numeric columns.",
    ),
    "C053": error(
        "The model has margins but no probabilities; omit {option.proba}, or fit another model, such as {models}.",
        models="calibrated_svm",
    ),
    "C060": error(
        "--plan {plan} is unknown; give a number of folds, 2 or more, or loo.",
        plan="kfold",
    ),
    "C061": error(
        "Name a user with --user, or ask for the errors of all prediction methods with --evaluate.",
    ),
    "C330": info(
        "The loss has costs for {classes:class/classes} {classes:quoted}, of which {source} has no rows; the mean "
        "loss is that of the other classes.",
        classes=("bad",),
        source="new.csv",
    ),
    "C331": warning(
        "The predicted probability of the true class is 0 in {rows:count row}; each adds a log loss of 708.",
        rows=2,
    ),
    "C332": info(
        "{rows:count row} {rows:has/have} no class in column {target!r} and {rows:is/are} left out.",
        target="species",
        rows=4,
    ),
    "C334": info(
        "Intervals are based on the {groups:count group} of {column}, because rows of one group may be similar.",
        groups=31,
        column="'patient'",
    ),
    "C335": warning(
        "The estimates are optimistically biased: about {percent} % of these rows were in the training data; "
        "evaluate on rows that were not.",
        percent=40,
    ),
    "C336": warning(
        "The estimates may be optimistically biased: less than 1 % of these rows were in the training data; evaluate "
        "on rows that were not.",
    ),
    "C337": error(
        "No row has a class in column {target!r} and a positive weight in column {column!r}; the model cannot be "
        "tested.",
        target="species",
        column="weight",
    ),
    "C345": info(
        "The model has costs, so the prediction is the action of least expected loss per row; {option.most_probable} "
        "gives the most probable class.",
    ),
    "C350": info(
        "{prediction:set prediction} has the smallest error on held-out ratings: RMSE {rmse:.3f} against "
        "{chosen:.3f}.",
        prediction="mean",
        rmse=0.912,
        chosen=0.954,
    ),
    "C351": info(
        "{prediction:set prediction} {similarity:set similarity} has the smallest error on held-out ratings: RMSE "
        "{rmse:.3f} against {chosen:.3f}.",
        prediction="z_score",
        similarity="cosine",
        rmse=0.912,
        chosen=0.954,
    ),
    "C352": info(
        "No similar user rated the item of {ratings} of {total} held-out ratings; these were predicted by the mean of "
        "the item.",
        ratings=14,
        total=20000,
    ),
    "C360": warning(
        "Log odds of {log_odds:.0f} exceed what the training rows can support; the class is almost certain, but the "
        "number is not exact.",
        log_odds=41.3,
    ),
    "C361": info(
        "Each amount is what a column adds to the {unit} of {predicted} against {runner_up} because its value is not "
        "the average.",
        unit="log odds",
        predicted="bad",
        runner_up="good",
    ),
    "C362": info(
        "Each amount is the log likelihood ratio of one column: the logarithm of how much more likely its value is "
        "under {predicted} than under {runner_up}. Missing values have amounts too; a missing value adds 0 if the "
        "training rows of the column had none.",
        predicted="bad",
        runner_up="good",
    ),
    "C363": info(
        "Each amount is what a word adds to the {unit} of {predicted} against {runner_up} by its count in the text; "
        "words that are not in the vocabulary add nothing.",
        unit="log odds",
        predicted="spam",
        runner_up="ham",
    ),
    "C370": info(
        "Medians and checks are based on a sample of {sample:count row} of {rows:count row}, chosen by a hash of the "
        "row number; all other numbers on all rows.",
        sample=50000,
        rows=1000000,
    ),
    "O100": error(
        "Internal error ({kind}: {message}); set ASSAY_DEBUG=1 for the traceback.",
        kind="KeyError",
        message="'mean'",
    ),
    "O101": error(
        "Not enough memory; use fewer rows.",
    ),
    "O102": error(
        "No such option: {given}. {command} names its models with {known}.",
        given="--models",
        command="compare",
        known="--candidates",
    ),
    "O103": error(
        "{given} was given {times} times but takes one value; give it once.",
        given="--target",
        times=2,
    ),
    "O104": error(
        'The name {name} is not a JSON string; write a backslash twice and a quote as \\".',
        name='"a\\q"',
    ),
    "O105": error(
        'The quote in {text!r} is not closed; write the name as a JSON string, such as "a:b".',
        text='"good:bad=5',
    ),
    "C711": error("Missing option {given!r}. `assay models` lists the models.", given="--model"),
    "C712": error(
        "No such command {given!r}. Did you mean {near:either}?", given="descripe", near=["describe"]
    ),
    "C713": error(
        "No such command {given!r}. The command is one of {commands:choice}.",
        given="xyzzy",
        commands=["describe", "compare"],
    ),
    "C064": error(
        "{source} has no columns P(class), and {place} has {value!r} in column {column!r}, which is not a probability; "
        "decide needs the posteriors of a model, as `assay predict MODEL TABLE --proba` writes them.",
        source="credit.csv",
        place="line 2",
        value="42",
        column="age",
    ),
    "C065": error(
        "Column {column!r} holds posterior probabilities, but {place} of {source} has {value!r}; correct it.",
        column="P(bad)",
        place="line 7",
        source="posteriors.csv",
        value="high",
    ),
    "C753": error(
        "--plan cross-validates a model on the table; name the model with --model, as `assay models` lists it, "
        "or give a model file.",
    ),
    "C754": error(
        "--plan cross-validates on one table, and {first!r} and {second!r} were given; give the table alone, and the "
        "model with --model.",
        first="model.assay",
        second="new.csv",
    ),
    "C755": error(
        "A saved model is tested on a table, and {given!r} was given alone; give MODEL and SOURCE, or --model and "
        "--plan to cross-validate a model on a table.",
        given="new.csv",
    ),
    "C756": error(
        "{given} belongs to --plan, which cross-validates a model; add a scheme such as --plan kfold:10, or omit "
        "{given}.",
        given="--model",
    ),
    "C757": error(
        "--set changes a model of the catalog, and {path!r} is a model file with settings of its own; omit --set, or "
        "name a model of the catalog.",
        path="model.assay",
    ),
    "C758": info(
        "The model file {path!r} gave its hyperparameters and its columns; the model was fitted again in every split.",
        path="model.assay",
    ),
    "C760": error(
        "A curve runs over numbers, and {name} has the value {value}; give numbers, the simplest model first, or tune "
        "without --curve.",
        name="kernel",
        value="rbf",
    ),
    "C761": error(
        "A curve runs over one hyperparameter; give --range NAME=VALUES for one, and a single value for others. "
        "compare tunes {model} over {names:listed}.",
        model="gaussian_full",
        names=("blend", "shrinkage"),
    ),
    "C762": error(
        "A curve needs at least two values of {name}; give more, such as {name}=1..8.",
        name="max_depth",
    ),
    "C763": error(
        "{given} has no effect with --curve, which selects nothing; omit one of them.",
        given="--rule",
    ),
    "C764": error(
        "{path!r} is a file, and the picture of the curve needs a folder; give another name to --out.",
        path="curve",
    ),
}
