"""Texts of notes about clusters, recommendations and models of one's own."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "M097": error(
        "The distances of all pairs of {count} rows take {needed:.1f} GiB, more than ASSAY_MEMORY allows "
        "({memory_limit:.1f} GiB); use fewer rows, direction='top-down', or KMeans.",
        count=3,
        needed=0.5,
        memory_limit=0.5,
    ),
    "M098": error(
        "A hierarchy needs at least 2 rows (n_samples = 1); give more.",
    ),
    "M099": error(
        "{what} needs metric='euclidean', not {metric!r}; use linkage='average' bottom-up.",
        what="words of two letters or more",
        metric="manhattan",
    ),
    "M100": error(
        "n_clusters={n_clusters} is not between 1 and the {leaves} leaves of the tree.",
        n_clusters=3,
        leaves=8,
    ),
    "M101": error(
        "start has shape {shape}; {n_clusters} centres of {width} columns are needed.",
        shape="(150, 4)",
        n_clusters=3,
        width=3,
    ),
    "M102": error(
        "start holds a centre that is not finite; give finite numbers.",
    ),
    "M103": error(
        "n_clusters={n_clusters} is more than {what} (n_samples = {n_rows}); give at most {counted}, or more "
        "rows.",
        n_clusters=3,
        what="words of two letters or more",
        n_rows=3,
        counted=3,
    ),
    "M104": error(
        "Input X holds values too large for distances; replace them.",
    ),
    "M107": error(
        "There is no split {split}.",
        split="test",
    ),
    "M108": error(
        "The model adds up products of columns too, so that no column has a share of its own; the report of "
        "`assay compare` shows the weights of columns and products.",
    ),
    "M109": error(
        "A step of the model mixes columns, so that none has a share of its own.",
    ),
    "M110": error(
        "With smoothing 0 a single word rules a class out, which is no amount that could be added up; fit with "
        "a smoothing above 0.",
    ),
    "M111": error(
        "Class {label} has a prior but no training row, so its density is unknown; give it prior 0.",
        label="classes",
    ),
    "M112": error(
        "{kind} has no class densities to draw rows from; give a GaussianClassifier, a "
        "GaussianMixtureClassifier or a naive Bayes model other than ComplementNB.",
        kind="LogisticRegression",
    ),
    "M113": error(
        "n_samples={n_samples!r} rows cannot be drawn; give a whole number of at least 2.",
        n_samples=3,
    ),
    "M114": error(
        "No class but {labels!r} was seen in training; there is nothing to compare it with.",
        labels="0.5",
    ),
    "M115": error(
        "{kind} does not keep the range of its columns; give the rows X.",
        kind="LogisticRegression",
    ),
    "M116": error(
        "at={at!r} is not a row of {n_center} finite numbers; give one value per column.",
        at="[1.0]",
        n_center=3,
    ),
    "M117": error(
        "{key!r} is not a column; give a position from 0 to {width}, or a name.",
        key="gaussian",
        width=3,
    ),
    "M118": error(
        "features={features!r} is not allowed; give two columns, or two directions.",
        features="('age',)",
    ),
    "M119": error(
        "features has shape {shape}; give two different directions of {width} numbers, or two columns.",
        shape="(150, 4)",
        width=3,
    ),
    "M120": error(
        "X has {shape} columns and the model was fitted to {width}; give the same columns.",
        shape="(150, 4)",
        width=3,
    ),
    "M121": error(
        "There is no column {key!r}; the columns are {value}.",
        key="gaussian",
        value="-1",
    ),
    "M122": error(
        "features={features!r} names the same column twice; give two columns.",
        features="('age',)",
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
        "error returned a slope of shape {shape}; return {wanted}, as the outputs.",
        shape="(150, 4)",
        wanted="(3, 5)",
    ),
    "M169": error(
        "function returned an array of shape {shape} for {n_rows} rows and {n_classes} classes; return one of "
        "shape {wanted}.",
        shape="(150, 4)",
        n_rows=3,
        n_classes=3,
        wanted="(3, 5)",
    ),
    "M170": error(
        "function returned {output} for row {row} at theta={shown}; return finite numbers.",
        output="linear",
        row=3,
        shown="LinearSVC",
    ),
    "M171": error(
        "function returned {output:.6g} for row {row}; {advice}.",
        output=0.5,
        row=3,
        advice="return numbers between 0 and 1",
    ),
    "M172": error(
        "The log loss is one of probabilities; give error='squared_error' or a function for scores.",
    ),
    "M173": error(
        "start={given!r} is not a list of finite numbers; give one value per parameter.",
        given="0.5",
    ),
    "M174": error(
        "The error is {value} at theta={shown}; start elsewhere.",
        value="-1",
        shown="LinearSVC",
    ),
    "M175": error(
        "gradient returned an array of shape {shape}; return one of shape {wanted}, one derivative per "
        "output and parameter.",
        shape="(150, 4)",
        wanted="-1",
    ),
    "M176": error(
        "gradient returned NaN or infinity at theta={shown}; return finite numbers.",
        shown="LinearSVC",
    ),
    "M177": error(
        "Probabilities of row {row} that function returned sum to {sum:.6g}; {advice}.",
        row=3,
        sum=0.5,
        advice="return numbers between 0 and 1",
    ),
    "M178": error(
        "An error function must return (value, slope) for gradient to be used; or leave gradient out.",
    ),
    "M184": error(
        "{prediction!r} by {similarity!r} was not tried.",
        prediction="mean",
        similarity="pearson",
    ),
    "M185": error(
        "There is nothing to try: give at least one similarity and one prediction.",
    ),
    "M186": error(
        "plan={plan!r} is not known; give a number of folds, 'leave_one_out' or a plan.",
        plan="ten",
    ),
    "M187": error(
        "There {count}, too few for {what}; give at least {least}.",
        count=3,
        what="words of two letters or more",
        least=3,
    ),
    "M188": error(
        "The level is {confidence}; give a number between 0 and 1, such as 0.95.",
        confidence=1.5,
    ),
    "M189": error(
        "A fold has no rating to test, or leaves none to learn from; give fewer folds.",
    ),
    "M190": error(
        "There are {n_users} users and {n_items} items; give equally many.",
        n_users=3,
        n_items=3,
    ),
    "M191": error(
        "n={n!r} is not a number of items; give 1 or more.",
        n=3,
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
