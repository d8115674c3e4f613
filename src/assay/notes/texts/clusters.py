"""Texts of notes about clusters, recommendations and models of one's own."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "M097": error(
        "The distances of all pairs of {count} rows take {needed:.1f} GiB, more than ASSAY_MEMORY allows "
        "({memory_limit:.1f} GiB); use fewer rows, direction='top-down', or KMeans.",
        count=50000,
        needed=18.6,
        memory_limit=4.0,
    ),
    "M098": error(
        "A hierarchy needs at least 2 rows (n_samples = 1); give more.",
    ),
    "M099": error(
        "{what} needs metric='euclidean', not {metric!r}; use linkage='average' bottom-up.",
        what="linkage='ward'",
        metric="manhattan",
    ),
    "M100": error(
        "n_clusters={n_clusters} is not between 1 and the {leaves} leaves of the tree.",
        n_clusters=9,
        leaves=8,
    ),
    "M101": error(
        "start has shape {shape}, but {n_clusters} centres of {width} columns are needed.",
        shape=(2, 4),
        n_clusters=3,
        width=4,
    ),
    "M102": error(
        "start holds a centre that is not finite; give finite numbers.",
    ),
    "M103": error(
        "n_clusters={n_clusters} is more than the {n_rows} rows (n_samples = {n_rows}); give at most {n_rows}, or "
        "more rows.",
        n_clusters=4,
        n_rows=3,
    ),
    "M104": error(
        "Input X holds values too large for distances; replace them.",
    ),
    "M107": error(
        "Split {split} does not exist; the splits of this validation scheme are 0 to {last}.",
        split=12,
        last=9,
    ),
    "M108": error(
        "The model uses products of columns, so a prediction is not a sum over columns; the report of `assay "
        "compare` shows the weights of columns and products.",
    ),
    "M109": error(
        "A step of the model combines columns, so a prediction is not a sum over columns.",
    ),
    "M110": error(
        "With smoothing 0 a single word makes a class impossible, so a prediction is not a sum over words; fit with "
        "a smoothing above 0.",
    ),
    "M111": error(
        "Class {label} has a prior but no training row, so its density is unknown; give it prior 0.",
        label="bird",
    ),
    "M112": error(
        "{kind} has no class densities to draw rows from; give a GaussianClassifier, a "
        "GaussianMixtureClassifier or a naive Bayes model other than ComplementNB.",
        kind="LogisticRegression",
    ),
    "M113": error(
        "n_samples={n_samples!r} rows cannot be drawn; give a whole number of at least 2.",
        n_samples=1,
    ),
    "M114": error(
        "Only class {label!r} was seen in training; there is no other class to compare it with.",
        label="yes",
    ),
    "M115": error(
        "{kind} does not store the range of its columns; give the rows X.",
        kind="KMeans",
    ),
    "M116": error(
        "at={at!r} is not a row of {n_center} finite numbers; give one value per column.",
        at=[1.0],
        n_center=4,
    ),
    "M117": error(
        "{key!r} is not a column; give a position from 0 to {last}, or a name.",
        key=7,
        last=3,
    ),
    "M118": error(
        "features={features!r} is not allowed; give two columns, or two directions.",
        features=("age",),
    ),
    "M119": error(
        "features has shape {shape}; give two different directions of {width} numbers, or two columns.",
        shape="(2, 3)",
        width=4,
    ),
    "M120": error(
        "X has {shape} columns, but the model was fitted to {width}; give the same columns.",
        shape=3,
        width=4,
    ),
    "M121": error(
        "There is no column {key!r}; the columns are {columns:quoted}.",
        key="width",
        columns=["sepal_width", "petal_width"],
    ),
    "M122": error(
        "features={features!r} names the same column twice; give two columns.",
        features=("age", "age"),
    ),
    "M123": error(
        "resolution={resolution!r} is not allowed; give a whole number of at least 2.",
        resolution=1,
    ),
    "M167": error(
        "error returned an array of shape {shape}; return one number, or a number and the slope.",
        shape="(150, 4)",
    ),
    "M168": error(
        "error returned a slope of shape {shape}; return one of shape {wanted}, that of the outputs.",
        shape="(150,)",
        wanted="(150, 3)",
    ),
    "M169": error(
        "function returned an array of shape {shape} for {n_rows} rows and {n_classes} classes; return one of shape "
        "{wanted}.",
        shape="(150,)",
        n_rows=150,
        n_classes=3,
        wanted="(150, 3)",
    ),
    "M170": error(
        "function returned {output} for row {row} at theta={shown}; return finite numbers.",
        output="nan",
        row=3,
        shown="[0.5, 2.0]",
    ),
    "M171": error(
        "function returned {output:.6g} for row {row}; return probabilities, or set output='score'.",
        output=1.5,
        row=3,
    ),
    "M172": error(
        "The log loss needs probabilities; give error='squared_error' or a function for scores.",
    ),
    "M173": error(
        "start={given!r} is not a list of finite numbers; give one value per parameter.",
        given="zero",
    ),
    "M174": error(
        "The error is {value} at theta={shown}; start elsewhere.",
        value="nan",
        shown="[0.5, 2.0]",
    ),
    "M175": error(
        "gradient returned an array of shape {shape}; return one of shape {wanted}, one derivative per output and "
        "parameter.",
        shape="(150,)",
        wanted="(150, 3, 2)",
    ),
    "M176": error(
        "gradient returned NaN or infinity at theta={shown}; return finite numbers.",
        shown="[0.5, 2.0]",
    ),
    "M177": error(
        "Probabilities that function returned for row {row} sum to {sum:.6g}; return probabilities, or set "
        "output='score'.",
        row=3,
        sum=0.9,
    ),
    "M178": error(
        "An error function must return (value, slope) for gradient to be used; or leave gradient out.",
    ),
    "M184": error(
        "Prediction {prediction!r} with similarity {similarity!r} was not evaluated.",
        prediction="mean",
        similarity="pearson",
    ),
    "M185": error(
        "There is nothing to evaluate; give at least one similarity and one prediction.",
    ),
    "M186": error(
        "plan={plan!r} is not known; give a number of folds, 'leave_one_out' or a plan.",
        plan="ten",
    ),
    "M187": error(
        "There {ratings:is/are} {ratings:count rating}, too few for leave-one-out; give at least {least}.",
        least=2,
        ratings=1,
    ),
    "M189": error(
        "A fold has no rating for testing, or leaves none for training; give fewer folds.",
    ),
    "M190": error(
        "There are {n_users} users and {n_items} items; give as many items as users.",
        n_users=3,
        n_items=4,
    ),
    "M191": error(
        "n={n!r} is not a number of items; give 1 or more.",
        n=0,
    ),
    "M703": error(
        "n_clusters={n_clusters} is more than the {counted} rows of positive weight (n_samples = {n_rows}); give at "
        "most {counted}, or more rows.",
        n_clusters=4,
        counted=2,
        n_rows=3,
    ),
    "M704": error(
        "There is no column {key!r}, because X has no column names; give a position from 0 to {last}.",
        key="width",
        last=3,
    ),
    "M719": error(
        "There {ratings:is/are} {ratings:count rating}, too few for {least} folds; give at least {least}.",
        ratings=3,
        least=10,
    ),
    "C700": info(
        "{clusters} clusters were not considered, because {rows:count row} would leave fewer than {least} rows per "
        "cluster on average.",
        clusters=4,
        rows=18,
        least=5,
    ),
    "C701": info(
        "{clusters} clusters and more were not considered, because {rows:count row} would leave fewer than {least} "
        "rows per cluster on average.",
        clusters=4,
        rows=18,
        least=5,
    ),
}
