"""Texts of notes about numbers, statistics and engines."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "N001": error(
        "Row {row} of {name} is constant, so it has no correlation with others; drop it or use another metric.",
        row=3,
        name="X",
    ),
    "N002": error(
        "Row {row} of {name} is zero everywhere, so it has no cosine; drop it or use another metric.",
        row=3,
        name="X",
    ),
    "N003": error(
        "X has {n_columns} columns and Y has {other_columns}; give rows with the same columns.",
        n_columns=4,
        other_columns=5,
    ),
    "N004": error(
        "{name} has {ndim} axes; distances need rows and columns.",
        name="X",
        ndim=3,
    ),
    "N005": error(
        "{name} holds {value} in row {row}, column {column}; replace it or drop the row.",
        name="X",
        value="nan",
        row=3,
        column=2,
    ),
    "N006": error(
        "The first has {n_one} {kind} and the second {n_two}; Hamming's distance needs equal lengths.",
        n_one=4,
        kind="characters",
        n_two=5,
    ),
    "N007": error(
        "Vectors of shapes {shape} and {other_shape} cannot be compared; give two of the same length.",
        shape="(150, 4)",
        other_shape="(150, 5)",
    ),
    "N008": error(
        "metric={metric!r} is unknown; give one of {metrics}.",
        metric="canberra",
        metrics="'euclidean', 'manhattan'",
    ),
    "N009": error(
        "{name} is constant, so its correlation is undefined.",
        name="x",
    ),
    "N010": error(
        "One row has no covariance, which metric='mahalanobis' needs; give more rows.",
    ),
    "N011": error(
        "covariance has shape {shape}; rows of {n_columns} columns need a square one.",
        shape="(150, 4)",
        n_columns=4,
    ),
    "N012": error(
        "x holds {value:g}, but the outcome of a single trial is 0 or 1.",
        value=0.5,
    ),
    "N013": error(
        "The probabilities sum to {total:g}; those of all outcomes must sum to 1.",
        total=0.9,
    ),
    "N014": error(
        "{name} holds {value:g}, but counts are whole numbers of at least 0.",
        name="x",
        value=-1.0,
    ),
    "N015": error(
        "p holds {value:g}, but probabilities lie between 0 and 1.",
        value=1.5,
    ),
    "N016": error(
        "{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1, None, a "
        "RandomState or a Generator.",
        shell="{random_state:set random_state} is not allowed; give a whole number from 0 to 2**64 - 1.",
        random_state=-1,
    ),
    "N017": error(
        "{kind} pointer {place} of the sparse matrix X is {value} instead of {allowed}; build the matrix again from "
        "indices that fit its shape.",
        kind="Row",
        place=3,
        value=9,
        allowed="4 to 7",
    ),
    "N018": error(
        "{owner} has {kind} index {index}, but there are {size} {kind}s; build the matrix again from indices that "
        "fit its shape.",
        owner="Row 2 of the sparse matrix X",
        kind="column",
        index=9,
        size=3,
    ),
    "N019": error(
        "The sparse matrix X has {n_indptr} {kind} pointers for {size} {kind}s, not {wanted}; build the matrix again "
        "from indices that fit its shape.",
        n_indptr=4,
        kind="row",
        size=4,
        wanted=5,
    ),
    "N020": error(
        "The sparse matrix X has lists for {n_rows} of {size} rows; build the matrix again from indices that fit its "
        "shape.",
        n_rows=3,
        size=4,
    ),
    "N021": error(
        "The {what} of the sparse matrix X are not a list of whole numbers; build the matrix again from indices that "
        "fit its shape.",
        what="row pointers",
    ),
    "N022": error(
        "The sparse matrix X has {n_indices} {kind} indices and {n_values} values; build the matrix again from "
        "indices that fit its shape.",
        n_indices=3,
        kind="column",
        n_values=4,
    ),
    "N023": error(
        "{owner} has {n_columns:count column index/column indices} and {n_values:count value}; build the matrix again "
        "from indices that fit its shape.",
        owner="Row 2 of the sparse matrix X",
        n_columns=1,
        n_values=2,
    ),
    "N024": error(
        "The sparse matrix X has {n_offsets:count diagonal} and values for {n_data}; build the matrix again from "
        "indices that fit its shape.",
        n_offsets=1,
        n_data=2,
    ),
    "N025": error(
        "A map that combines features needs full or pooled moments, not the diagonal form.",
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
        shape=(150, 4),
        n_first=3,
    ),
    "N030": error(
        "Counts of {n_levels} categories in cells of shape {shape} cannot be combined with {other_levels} in "
        "{other_shape}; build both from the same columns and classes.",
        n_levels=12,
        shape="(150, 4)",
        other_levels=11,
        other_shape="(150, 5)",
    ),
    "N031": error(
        "Category {category} of cell {cell} has a count of {counted:g}, from which {wanted:g} cannot be subtracted; "
        "these rows were never counted.",
        category=1,
        cell=0,
        counted=2.0,
        wanted=3.0,
    ),
    "N032": error(
        "The arrays of saved counts must be {wanted}, not {given}.",
        given="['counts']",
        wanted="['counts', 'rows']",
    ),
    "N033": error(
        "Saved counts of shapes {first}, {second} and {third} do not belong together.",
        first="(150, 4)",
        second="(3,)",
        third="(3, 5)",
    ),
    "N034": error(
        "Saved moments cannot have form {form!r} and centers of shape {shape}; give the arrays that to_arrays "
        "returned.",
        form="full",
        shape=(4,),
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
        "The arrays of saved moments must be {wanted}, not {given}.",
        given="['center']",
        wanted="['center', 'scatter']",
    ),
    "N039": error(
        "Array {name} of saved moments has shape {shape}, not {wanted}.",
        name="offset",
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
        first=2,
    ),
    "N044": error(
        "The objective is no longer finite after {epoch} epochs; give a smaller learning_rate than {eta:g}.",
        epoch=12,
        eta=0.5,
    ),
    "N045": error(
        "Values of the {kind} kernel overflow in {dtype}; rescale the columns (Standardize), or lower gamma and "
        "degree.",
        kind="polynomial",
        dtype="float32",
    ),
    "N046": error(
        "{name}={text!r} is not a number of threads; set it to 1 or more, or unset it.",
        name="ASSAY_THREADS",
        text="many",
    ),
    "N047": error(
        "ASSAY_MEMORY={text!r} is not an amount of memory; give bytes, or a number with K, M or G.",
        text="lots",
    ),
    "N700": error(
        "Values in {column} reach {largest:.3g}, whose squares overflow; rescale the column.",
        column="column 'mass'",
        largest=1e200,
    ),
    "N701": error(
        "Values in {column} lie within {width:.3g} of each other, whose squares vanish; rescale the column.",
        column="column 'mass'",
        width=2e-300,
    ),
    "N702": error(
        "Row {row} of the posterior holds {value}; give probabilities that sum to 1 in every row.",
        row=3,
        value=-0.1,
    ),
    "N742": error(
        "{name} is zero everywhere, so it has no direction and no cosine; use another measure.",
        name="x",
    ),
    "N743": error(
        "{name} holds {value} at position {place}; replace it, or leave the position out of both vectors.",
        name="y",
        value="nan",
        place=2,
    ),
}
