"""Texts of notes about numbers, statistics and engines."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "N001": error(
        "Row {row} of {name} is constant: it has no correlation with others; drop it or use another metric.",
        row=3,
        name="age",
    ),
    "N002": error(
        "Row {row} of {name} is zero everywhere: it has no direction for a cosine; drop it or use another "
        "metric.",
        row=3,
        name="age",
    ),
    "N003": error(
        "X has {n_columns} columns and Y has {other_columns}: rows must have the same columns.",
        n_columns=4,
        other_columns=5,
    ),
    "N004": error(
        "{name} has {ndim} axes; distances need rows and columns.",
        name="age",
        ndim=3,
    ),
    "N005": error(
        "{name} holds {value} in row {row}, column {column}; replace it or drop the row.",
        name="age",
        value="nan",
        row=3,
        column="age",
    ),
    "N006": error(
        "The first has {n_one} {kind} and the second {n_two}: Hamming's distance needs equal lengths.",
        n_one=3,
        kind="LogisticRegression",
        n_two=3,
    ),
    "N007": error(
        "Vectors of shapes {shape} and {other_shape} have no correlation; give two of the same shape.",
        shape="(150, 4)",
        other_shape="(150, 5)",
    ),
    "N008": error(
        "metric={metric!r} is unknown; give one of {metrics}.",
        metric="manhattan",
        metrics="'euclidean', 'manhattan'",
    ),
    "N009": error(
        "{name} is constant: its correlation with anything is undefined.",
        name="age",
    ),
    "N010": error(
        "One row has no covariance for metric='mahalanobis'; give more rows.",
    ),
    "N011": error(
        "covariance has shape {shape}; rows of {n_columns} columns need a square one.",
        shape="(150, 4)",
        n_columns=4,
    ),
    "N012": error(
        "x holds {value:g}; an outcome of a single trial is 0 or 1.",
        value=0.5,
    ),
    "N013": error(
        "The probabilities sum to {total:g}; those of all outcomes sum to 1.",
        total=0.5,
    ),
    "N014": error(
        "{name} holds {value:g}; counts are whole numbers of at least 0.",
        name="age",
        value=0.5,
    ),
    "N015": error(
        "p holds {value:g}; probabilities lie between 0 and 1.",
        value=0.5,
    ),
    "N016": error(
        "{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1, None, a "
        "RandomState or a Generator.",
        shell="{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1.",
        random_state=-1,
    ),
    "N017": error(
        "{kind} pointer {place} of the sparse matrix X is {value} instead of {allowed}; {remedy}.",
        kind="LogisticRegression",
        place=3,
        value="nan",
        allowed="at least 4",
        remedy="build it again",
    ),
    "N018": error(
        "{owner} has {kind} index {index}, but there are {size} {kind}s; {remedy}.",
        owner="LogisticRegression",
        kind="LogisticRegression",
        index=9,
        size=3,
        remedy="build it again",
    ),
    "N019": error(
        "The sparse matrix X has {n_indptr} {kind} pointers for {size} {kind}s, not {wanted}; {remedy}.",
        n_indptr=3,
        kind="kinds",
        size=4,
        wanted="(3, 5)",
        remedy="build it again",
    ),
    "N020": error(
        "The sparse matrix X has lists for {n_rows} of {size} rows; {remedy}.",
        n_rows=3,
        size=4,
        remedy="build it again",
    ),
    "N021": error(
        "The {what} of the sparse matrix X are not a list of whole numbers; {remedy}.",
        what="words of two letters or more",
        remedy="build it again",
    ),
    "N022": error(
        "The sparse matrix X has {n_indices} {kind} indices and {n_values} values; {remedy}.",
        n_indices=3,
        kind="LogisticRegression",
        n_values="given",
        remedy="build it again",
    ),
    "N023": error(
        "{owner} has {n_columns} column indices and {n_values} values; {remedy}.",
        owner="LogisticRegression",
        n_columns=3,
        n_values=3,
        remedy="build it again",
    ),
    "N024": error(
        "The sparse matrix X has {n_offsets} diagonals and values for {n_data}; {remedy}.",
        n_offsets=3,
        n_data=3,
        remedy="build it again",
    ),
    "N025": error(
        "A map that mixes features needs full or pooled moments, not the diagonal form.",
    ),
    "N026": error(
        "Input X contains infinity at {where}; replace the value or drop the row.",
        where="row 3, column 'age'",
    ),
    "N027": error(
        "The sums of squares overflow; rescale the columns, or the weights.",
    ),
    "N028": error(
        "Input X contains NaN at {where}; impute it first (Impute) or use a model that skips missing "
        "values (GaussianNB).",
        where="row 3, column 'age'",
    ),
    "N029": error(
        "Codes of shape {shape} do not have {n_first} columns of categories.",
        shape="(150, 4)",
        n_first=3,
    ),
    "N030": error(
        "Counts of {n_levels} categories in cells of shape {shape} cannot be combined with {other_levels} in "
        "{other_shape}; build both from the same columns and classes.",
        n_levels=3,
        shape="(150, 4)",
        other_levels=3,
        other_shape="(150, 5)",
    ),
    "N031": error(
        "Category {category} of cell {cell} has a count of {counted:g}, from which {wanted:g} cannot be taken: "
        "these rows were never counted.",
        category=1.5,
        cell=0,
        counted=0.5,
        wanted=0.5,
    ),
    "N032": error(
        "{given} are not the arrays of saved counts: {wanted}.",
        given="0.5",
        wanted="(3, 5)",
    ),
    "N033": error(
        "Saved counts of shapes {first}, {second} and {third} do not belong together.",
        first="(150, 4)",
        second="(3,)",
        third="(3, 5)",
    ),
    "N034": error(
        "Saved moments of form {form!r} with centers of shape {shape} do not exist.",
        form="full",
        shape="(150, 4)",
    ),
    "N035": error(
        "Moments of form {form} and shape {shape} cannot be merged with form {other_form} and shape {other_shape}; "
        "build both from the same columns.",
        form="full",
        shape="(150, 4)",
        other_form="diagonal",
        other_shape="(150, 5)",
    ),
    "N036": error(
        "Pooled moments have no scatter per class; build the full or the diagonal form.",
    ),
    "N037": error(
        "Diagonal moments have no products of features; build the full or the pooled form.",
    ),
    "N038": error(
        "{given} are not the arrays of saved moments: {wanted}.",
        given="0.5",
        wanted="(3, 5)",
    ),
    "N039": error(
        "Array {name} of saved moments has shape {shape}, not {wanted}.",
        name="age",
        shape="(150, 4)",
        wanted="(3, 5)",
    ),
    "N040": error(
        "The training loss is no longer finite after {epoch} epochs; give a smaller learning_rate than "
        "{rate:g}.",
        epoch=12,
        rate=0.5,
    ),
    "N041": error(
        "{method:set start} is unknown; give {methods}, or centres.",
        method="grid",
        methods="'k-means++', 'random'",
    ),
    "N042": error(
        "The second derivatives are not finite; rescale the columns.",
    ),
    "N043": error(
        "Stochastic gradient descent diverged in epoch {first}; standardise the columns, or give a smaller m.",
        first=0,
    ),
    "N044": error(
        "The objective is no longer finite after {epoch} epochs; give a smaller learning_rate than {eta:g}.",
        epoch=12,
        eta=0.5,
    ),
    "N045": error(
        "Values of the {kind} kernel overflow in {dtype}; bring the columns to one scale (Standardize), or "
        "lower gamma and degree.",
        kind="LogisticRegression",
        dtype="float64",
    ),
    "N046": error(
        "{name}={text!r} is not a number of threads; set it to 1 or more, or unset it.",
        name="age",
        text="kfold:x",
    ),
    "N047": error(
        "ASSAY_MEMORY={text!r} is not an amount of memory; give bytes, or a number with K, M or G.",
        text="kfold:x",
    ),
}
