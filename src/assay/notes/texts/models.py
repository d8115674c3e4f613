"""Texts of notes about fitting and its difficulties, family by family."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "M105": error(
        "n_samples={n_samples!r} rows cannot be drawn; give a whole number of at least 1.",
        n_samples=0,
    ),
    "M106": error(
        "The log density of some rows overflows, because they lie too far from the training data.",
    ),
    "M124": error(
        "Approximate leave-one-out is limited to {most_unknowns} weights, and the model has {unknowns}; use "
        "evaluate(model, X, y, KFold(10)).",
        unknowns=5000,
        most_unknowns=2000,
    ),
    "M125": error(
        "level={confidence!r} is not a confidence level; give a number between 0 and 1.",
        confidence=1.5,
    ),
    "M126": error(
        "l2_values={l2_values!r} is not a list of penalties; give finite numbers of at least 0.",
        l2_values=[-1],
    ),
    "M127": error(
        "The weights overflow; rescale the columns (Standardize), or set scale=True.",
    ),
    "M128": error(
        "y has one class ({label!r}); give rows of at least two classes.",
        label="yes",
    ),
    "M132": error(
        "{what} was counted {counted:g} times in class {label!r}, so {wanted:g} cannot be forgotten; these rows were "
        "never learned.",
        what="Category 'red' of column 'colour'",
        counted=2.0,
        label="yes",
        wanted=3.0,
    ),
    "M133": error(
        "it has counts of {n_levels} categories or words, but needs {wanted}",
        n_levels=3,
        wanted=4,
    ),
    "M134": error(
        "it has counts that no rows can have",
    ),
    "M137": error(
        "Category {strange!r} of {feature_name} was never learned, so its rows cannot be forgotten.",
        strange="blue",
        feature_name="column 'age'",
    ),
    "M138": error(
        "BernoulliNB(threshold={threshold!r}) would find every word in a sparse row; give a threshold of at "
        "least 0, or a dense table.",
        threshold=-1.0,
    ),
    "M139": error(
        "Category {value!r} at row {row}, {feature_name} was not in the training rows; correct it, or use "
        "unseen='other' or 'ignore'.",
        value="blue",
        row=3,
        feature_name="column 'age'",
    ),
    "M140": error(
        "flags={flags!r} does not fit the {n_columns} columns of X.",
        flags="[7]",
        n_columns=3,
    ),
    "M141": error(
        "MixedNB(kinds=...) has {kind!r} for column {name!r}; give one of {kinds}.",
        name="age",
        kind="ordinal",
        kinds="'numeric', 'categorical', 'text'",
    ),
    "M143": error(
        "Models of the columns {kinds} and {other_kinds} cannot be merged; give both the same kinds.",
        kinds="{'age': 'numeric'}",
        other_kinds="{'age': 'text'}",
    ),
    "M144": error(
        "MixedNB cannot use any column of the table ({n_columns:count column}). {first}",
        first="Column 'patient' is an identifier and is not used as a feature.",
        n_columns=3,
    ),
    "M145": error(
        "The category at row {row}, {where} was never learned; rows can be forgotten only as they were learned, and "
        "a column with two values cannot get a third.",
        row=3,
        where="column 'colour'",
    ),
    "M146": error(
        "The category at row {row}, {where} was not in the training rows; correct it, or use unseen='other' or "
        "'ignore'.",
        row=3,
        where="column 'colour'",
    ),
    "M148": error(
        "its columns and their kinds do not match",
    ),
    "M149": error(
        "its parts do not match its columns",
    ),
    "M150": error(
        "its column {name!r} cannot be {kind!r}",
        name="age",
        kind="ordinal",
    ),
    "M151": error(
        "its part {key!r} is not a model of such columns with its parameters",
        key="gaussian",
    ),
    "M152": error(
        "its part {key!r} has other columns",
        key="gaussian",
    ),
    "M153": error(
        "its part {key!r} has other classes, or other rows",
        key="gaussian",
    ),
    "M154": error(
        "The word {strange!r} was never learned, so its rows cannot be forgotten.",
        strange="invoice",
    ),
    "M155": error(
        "Blocks whose columns are {kinds} and {other_kinds} are not one table; give tables of one schema, or kinds.",
        kinds="{'age': 'numeric'}",
        other_kinds="{'age': 'text'}",
    ),
    "M156": error(
        "Negative values in data passed to {owner}: {value:g} at row {row}, {where}; counts are whole numbers of at "
        "least 0.",
        owner="PoissonNB",
        where="column 'visits'",
        value=-1.0,
        row=3,
    ),
    "M157": error(
        "n_neighbors={value!r} is not allowed; give a whole number of at least 1.",
        value=0,
    ),
    "M158": error(
        "algorithm='tree' finds Euclidean neighbours only; use 'brute' for metric={metric!r}.",
        metric="manhattan",
    ),
    "M159": error(
        "n_neighbors={n_neighbors} is more than the {total:g} training rows; give at most {most}, or more rows.",
        n_neighbors=50,
        total=30.0,
        most=30,
    ),
    "M160": error(
        "categorical_features={given!r} does not fit the {width} columns of X.",
        given="[7]",
        width=3,
    ),
    "M161": error(
        "n_neighbors={k} is not between 1 and the number of rows, {most}.",
        k=9,
        most=5,
    ),
    "M162": error(
        "Row {row}, {name} of X holds {value!r}, but the column was numeric in training; replace it.",
        row=3,
        name="column 'age'",
        value="old",
    ),
    "M163": error(
        "early_stopping needs validation rows, and only {n_rows:count row} {n_rows:has/have} positive weight; give "
        "more rows, or early_stopping=False.",
        n_rows=1,
    ),
    "M164": error(
        "{owner}(output={output!r}, surrogate='cross_entropy') is not allowed: cross-entropy needs outputs between 0 "
        "and 1; give output='sigmoid' or 'softmax', or surrogate='squared_error'.",
        owner="NeuralNetwork",
        output="linear",
    ),
    "M165": error(
        "{owner}(output={output!r}, targets='pm1') is not allowed: its outputs lie between 0 and 1 and never reach "
        "-1; give targets='01'.",
        owner="NeuralNetwork",
        output="sigmoid",
    ),
    "M166": error(
        "{owner}(output='step', l2={l2!r}) is not allowed: a step does not change with the size of the weights; give "
        "l2=0.",
        owner="SingleLayerNetwork",
        l2=0.1,
    ),
    "M179": error(
        "The coordinates of some rows overflow; rescale them.",
    ),
    "M180": error(
        "FisherDiscriminant(n_components={n_components}) asks for more directions than {n_classes} classes and "
        "{n_features} features have; give at most {most}.",
        n_components=3,
        n_classes=3,
        n_features=4,
        most=2,
    ),
    "M181": error(
        "PCA(n_components={n_components}) asks for more directions than the {width} columns have; give at most "
        "{width}.",
        n_components=5,
        width=4,
    ),
    "M182": error(
        "Coordinates of shape {shape} do not fit; give one column per component ({n_components}).",
        shape=(150, 4),
        n_components=2,
    ),
    "M183": error(
        "The sums of squares overflow; rescale the columns.",
    ),
    "M192": error(
        "Precomputed kernels need a square matrix of all pairs of training rows, and X has shape {shape}; with "
        "folds, give the whole matrix to evaluate or tune, which slice it.",
        shape="(150, 4)",
    ),
    "M193": error(
        "The Gram matrix is not symmetric: it holds {value:g} at ({row}, {column}) and {mirrored:g} at ({column}, "
        "{row}); a kernel gives the same for both orders.",
        value=0.5,
        row=3,
        column=5,
        mirrored=0.4,
    ),
    "M194": error(
        "The kernel function returned an array of shape {shape} for {n_left} and {n_right} rows; return one number "
        "per pair.",
        shape="(150,)",
        n_left=150,
        n_right=150,
    ),
    "M195": error(
        "The {what} contains {value} at ({row}, {column}); every value must be finite.",
        what="Gram matrix",
        value="NaN",
        row=3,
        column=5,
    ),
    "M196": error(
        "The kernel function failed on {n_left} and {n_right} rows: {message}.",
        n_left=3,
        n_right=3,
        message="division by zero",
    ),
    "M197": error(
        "LinearSVM(n=0, first_epoch=0) divides by 0 in the first epoch; raise one of them.",
    ),
    "M702": error(
        "Category {category!r} at row {row}, {column} was not in the training set of split {split}; use "
        "unseen='other' or 'ignore'.",
        category="once",
        row=0,
        column="column 'town'",
        split=2,
    ),
    "M714": error(
        "Fractions in data passed to {owner}: {value:g} at row {row}, {where}; counts are whole numbers of at least "
        "0.",
        owner="PoissonNB",
        value=0.5,
        row=3,
        where="column 'visits'",
    ),
    "M717": error(
        "n_neighbors={n_neighbors} is more than {total:g}, the sum of the sample weights; give at most {most}, or "
        "more rows.",
        n_neighbors=50,
        total=30.5,
        most=30,
    ),
    "M718": error(
        "n_neighbors={n_neighbors} is more than the {total:g} training rows of leave-one-out; give at most {most}, "
        "or more rows.",
        n_neighbors=30,
        total=29.0,
        most=29,
    ),
}
