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
        "X has {shape} columns and Y has {shape_2}: rows must have the same columns.",
        shape="(150, 4)",
        shape_2="shape 2",
    ),
    "N004": error(
        "{name} has {ndim} axes; distances need rows and columns.",
        name="age",
        ndim="ndim",
    ),
    "N005": error(
        "{name} holds {table} in row {row}, column {column}; replace it or drop the row.",
        name="age",
        table="table",
        row=3,
        column="age",
    ),
    "N006": error(
        "The first has {n_one} {kind} and the second {n_two}: Hamming's distance needs equal lengths.",
        n_one=3,
        kind="list",
        n_two=3,
    ),
    "N007": error(
        "Vectors of shapes {shape} and {shape_2} have no correlation: give two alike.",
        shape="(150, 4)",
        shape_2="shape 2",
    ),
    "N008": error(
        "metric={metric!r} is unknown; give one of {map}.",
        metric="metric",
        map="map",
    ),
    "N009": error(
        "{name} is constant: its correlation with anything is undefined.",
        name="age",
    ),
    "N010": error(
        "One row has no covariance for metric='mahalanobis'; give more rows.",
    ),
    "N011": error(
        "covariance has shape {shape}; rows of {shape_2} columns need a square one.",
        shape="(150, 4)",
        shape_2="shape 2",
    ),
    "N012": error(
        "x holds {flat:g}; an outcome of a single trial is 0 or 1.",
        flat=0.5,
    ),
    "N013": error(
        "The probabilities sum to {flat:g}; those of all outcomes sum to 1.",
        flat=0.5,
    ),
    "N014": error(
        "{name} holds {flat:g}; counts are whole numbers of at least 0.",
        name="age",
        flat=0.5,
    ),
    "N015": error(
        "p holds {flat:g}; probabilities lie between 0 and 1.",
        flat=0.5,
    ),
    "N016": error(
        "{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1, None, a "
        "RandomState or a Generator.",
        shell="{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1.",
        random_state=-1,
    ),
    "N017": error(
        "{capitalize} pointer {place} of the sparse matrix X is {indptr} instead of {allowed}; {remedy}.",
        capitalize="capitalize",
        place=3,
        indptr="indptr",
        allowed="allowed",
        remedy="remedy",
    ),
    "N018": error(
        "{owner} has {kind} index {index}, but there are {size} {kind}s; {remedy}.",
        owner="owner",
        kind="list",
        index="index",
        size=3,
        remedy="remedy",
    ),
    "N019": error(
        "The sparse matrix X has {n_indptr} {kinds} pointers for {major} {kinds}s, not {major_2}; {remedy}.",
        n_indptr=3,
        kinds="kinds",
        major="major",
        major_2="major 2",
        remedy="remedy",
    ),
    "N020": error(
        "The sparse matrix X has lists for {n_rows} of {shape} rows; {remedy}.",
        n_rows=3,
        shape="(150, 4)",
        remedy="remedy",
    ),
    "N021": error(
        "The {what} of the sparse matrix X are not a list of whole numbers; {remedy}.",
        what="what",
        remedy="remedy",
    ),
    "N022": error(
        "The sparse matrix X has {n_indices} {kind} indices and {given} values; {remedy}.",
        n_indices=3,
        kind="list",
        given="given",
        remedy="remedy",
    ),
    "N023": error(
        "{owner} has {n_columns} column indices and {n_values} values; {remedy}.",
        owner="owner",
        n_columns=3,
        n_values=3,
        remedy="remedy",
    ),
    "N024": error(
        "The sparse matrix X has {n_offsets} diagonals and values for {n_data}; {remedy}.",
        n_offsets=3,
        n_data=3,
        remedy="remedy",
    ),
    "N025": error(
        "A map that mixes features needs full or pooled moments, not the diagonal form.",
    ),
    "N026": error(
        "Input X contains infinity at {where}; replace the value or drop the row.",
        where="where",
    ),
    "N027": error(
        "The sums of squares overflow; rescale the columns, or the weights.",
    ),
    "N028": error(
        "Input X contains NaN at {where}; impute it first (Impute) or use a model that leaves missing values "
        "out (GaussianNB).",
        where="where",
    ),
    "N029": error(
        "Codes of shape {shape} do not have {n_first} columns of levels.",
        shape="(150, 4)",
        n_first=3,
    ),
    "N030": error(
        "Counts of {n_levels} levels in cells of shape {shape} cannot be combined with {n_levels_2} levels in "
        "{shape_2}; build both from the same columns and classes.",
        n_levels=3,
        shape="(150, 4)",
        n_levels_2=3,
        shape_2="shape 2",
    ),
    "N031": error(
        "Level {level_name} of cell {cell} has a count of {counts:g}, from which {counts_2:g} cannot be taken: "
        "these rows were never counted.",
        level_name="level name",
        cell="cell",
        counts=0.5,
        counts_2=0.5,
    ),
    "N032": error(
        "{given} are not the arrays of saved counts: {wanted}.",
        given="given",
        wanted="wanted",
    ),
    "N033": error(
        "Saved counts of shapes {shape}, {shape_2} and {shape_3} do not belong together.",
        shape="(150, 4)",
        shape_2="shape 2",
        shape_3="shape 3",
    ),
    "N034": error(
        "Saved moments of form {form!r} with centers of shape {shape} do not exist.",
        form="form",
        shape="(150, 4)",
    ),
    "N035": error(
        "Moments of form {form} and shape {shape} cannot be merged with form {form_2} and shape {shape_2}; "
        "build both from the same columns.",
        form="form",
        shape="(150, 4)",
        form_2="form 2",
        shape_2="shape 2",
    ),
    "N036": error(
        "Pooled moments have no scatter per class; build the full or the diagonal form.",
    ),
    "N037": error(
        "Diagonal moments have no products of features; build the full or the pooled form.",
    ),
    "N038": error(
        "{given} are not the arrays of saved moments: {wanted}.",
        given="given",
        wanted="wanted",
    ),
    "N039": error(
        "Array {name} of saved moments has shape {shape}, not {shape_2}.",
        name="age",
        shape="(150, 4)",
        shape_2="shape 2",
    ),
    "N040": error(
        "The training loss is no longer finite after {epoch} epochs; give a smaller learning_rate than "
        "{rate:g}.",
        epoch="epoch",
        rate=0.5,
    ),
    "N041": error(
        "{method:set start} is unknown; give {map}, or centres.",
        method="method",
        map="map",
    ),
    "N042": error(
        "The second derivatives are not finite; rescale the columns.",
    ),
    "N043": error(
        "Stochastic gradient descent diverged in epoch {first}; standardise the columns, or give a smaller m.",
        first="first",
    ),
    "N044": error(
        "The objective is no longer finite after {epoch} epochs; give a smaller learning_rate than {eta:g}.",
        epoch="epoch",
        eta=0.5,
    ),
    "N045": error(
        "Values of the {kind} kernel overflow in {dtype}; bring the columns to one scale (Standardize), or "
        "lower gamma and degree.",
        kind="list",
        dtype="dtype",
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
