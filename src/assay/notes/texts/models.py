"""Texts of notes about fitting and its difficulties, family by family."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "M105": error(
        "n_samples={n_samples!r} rows cannot be drawn; give a whole number of at least 1.",
        n_samples=3,
    ),
    "M106": error(
        "The log density of some rows overflows: they lie too far from the training data.",
    ),
    "M124": error(
        "Approximate leave-one-out of {unknowns} weights is not to be had, at most of {most_unknowns}; use "
        "evaluate(model, X, y, KFold(10)).",
        unknowns="unknowns",
        most_unknowns=3,
    ),
    "M125": error(
        "level={level_name!r} is not a share of certainty; give a number between 0 and 1.",
        level_name="level name",
    ),
    "M126": error(
        "l2_values={l2_values!r} is not a list of penalties; give finite numbers of at least 0.",
        l2_values="l2 values",
    ),
    "M127": error(
        "The weights overflow; rescale the columns (Standardize), or set scale=True.",
    ),
    "M128": error(
        "y has one class ({classes!r}); give rows of at least two classes.",
        classes="classes",
    ),
    "M129": error(
        "Forgetting these rows would leave fewer than two classes; fit a new model instead.",
    ),
    "M130": error(
        "{rows} rows of class {classes!r} cannot be forgotten: only {rows_2} were learned.",
        rows=3,
        classes="classes",
        rows_2=3,
    ),
    "M131": error(
        "The weights to forget exceed the weights learned; give the weights the rows had in fit.",
    ),
    "M132": error(
        "{what} was counted {counts:g} times in class {classes!r}, so {counts_2:g} cannot be forgotten: these "
        "rows were never learned.",
        what="what",
        counts=0.5,
        classes="classes",
        counts_2=0.5,
    ),
    "M133": error(
        "it has counts of {n_levels} levels or words, and needs {wanted}",
        n_levels=3,
        wanted="wanted",
    ),
    "M134": error(
        "it has counts that no rows have",
    ),
    "M135": error(
        "Label {strange!r} in y is not in classes={known}; add it to classes.",
        strange="strange",
        known="known",
    ),
    "M136": error(
        "Label {label!r} was never learned, so its rows cannot be forgotten.",
        label="yes",
    ),
    "M137": error(
        "Level {strange!r} of {feature_name} was never learned, so its rows cannot be forgotten.",
        strange="strange",
        feature_name="feature name",
    ),
    "M138": error(
        "BernoulliNB(threshold={threshold!r}) would find every word in a sparse row; give a threshold of at "
        "least 0, or a dense table.",
        threshold="threshold",
    ),
    "M139": error(
        "Level {value!r} at row {row}, {feature_name} was never seen in training; correct it, or use "
        "unseen='other' or 'ignore'.",
        value="-1",
        row=3,
        feature_name="feature name",
    ),
    "M140": error(
        "flags={flags!r} does not fit the {n_columns} columns of X.",
        flags="flags",
        n_columns=3,
    ),
    "M141": error(
        "MixedNB(kinds=...) calls column {name!r} {kind!r}; give one of {map}.",
        name="age",
        kind="list",
        map="map",
    ),
    "M142": error(
        "{level_name} at row {row}, {feature_name} was never seen in training; correct it, or use "
        "unseen='other' or 'ignore'.",
        level_name="level name",
        row=3,
        feature_name="feature name",
    ),
    "M143": error(
        "Models of the columns {kinds} and {kinds_2} cannot be merged; give both the same kinds.",
        kinds="kinds",
        kinds_2="kinds 2",
    ),
    "M144": error(
        "MixedNB can use none of the {n_kinds} columns; the first of them: {first}",
        n_kinds=3,
        first="first",
    ),
    "M145": error(
        "The level at row {found}, {found_2} was never learned; rows can be forgotten only as they were "
        "learned, and a column of two values takes no third one.",
        found="found",
        found_2="found 2",
    ),
    "M146": error(
        "The level at row {found}, {found_2} was never seen in training; correct it, or use unseen='other' or "
        "'ignore'.",
        found="found",
        found_2="found 2",
    ),
    "M147": error(
        "The scores of some rows overflow: they lie too far from the training data.",
    ),
    "M148": error(
        "its columns and their kinds differ",
    ),
    "M149": error(
        "its parts are not those of its columns",
    ),
    "M150": error(
        "its column {name!r} cannot be {kind!r}",
        name="age",
        kind="list",
    ),
    "M151": error(
        "its part {key!r} is not a model of such columns with its parameters",
        key="key",
    ),
    "M152": error(
        "its part {key!r} knows other columns",
        key="key",
    ),
    "M153": error(
        "its part {key!r} knows other classes, or other rows",
        key="key",
    ),
    "M154": error(
        "The word {strange!r} was never learned, so its rows cannot be forgotten.",
        strange="strange",
    ),
    "M155": error(
        "Blocks whose columns are {kinds} and {kinds_2} are not one table: give tables of one schema, or "
        "kinds.",
        kinds="kinds",
        kinds_2="kinds 2",
    ),
    "M156": error(
        "{kind} in data passed to {owner}: {given:g} at {where}; counts are whole numbers of at least 0.",
        kind="list",
        owner="owner",
        given=0.5,
        where="where",
    ),
    "M157": error(
        "n_neighbors={value!r} is not allowed; give a whole number of at least 1.",
        value="-1",
    ),
    "M158": error(
        "algorithm='tree' finds Euclidean neighbours only; use 'brute' for metric={metric!r}.",
        metric="metric",
    ),
    "M159": error(
        "n_neighbors={n_neighbors} is more than the {total:g} {what}; give at most {total_2}, or more rows.",
        n_neighbors=3,
        total=0.5,
        what="what",
        total_2="total 2",
    ),
    "M160": error(
        "categorical_features={given!r} does not fit the {width} columns of X.",
        given="given",
        width=3,
    ),
    "M161": error(
        "n_neighbors={k} is not between 1 and the {most} rows there are.",
        k=3,
        most=3,
    ),
    "M162": error(
        "Row {row}, {name} of X holds {value!r}, where training had numbers; replace it.",
        row=3,
        name="age",
        value="-1",
    ),
    "M163": error(
        "early_stopping sets rows aside, and there are only {n_codes} that count; give more rows, or "
        "early_stopping=False.",
        n_codes=3,
    ),
    "M164": error(
        "{owner}(output={output!r}, surrogate='cross_entropy') is not allowed: cross-entropy needs outputs "
        "between 0 and 1; give output='sigmoid' or 'softmax', or surrogate='squared_error'.",
        owner="owner",
        output="output",
    ),
    "M165": error(
        "{owner}(output={output!r}, targets='pm1') is not allowed: its outputs lie between 0 and 1 and never "
        "reach -1; give targets='01'.",
        owner="owner",
        output="output",
    ),
    "M166": error(
        "{owner}(output='step', l2={l2!r}) is not allowed: a step does not change with the size of the "
        "weights; give l2=0.",
        owner="owner",
        l2="l2",
    ),
    "M179": error(
        "The coordinates of some rows overflow; rescale them.",
    ),
    "M180": error(
        "FisherDiscriminant(n_components={n_components}) asks for more directions than {n_classes} classes and "
        "{n_features} features have; give at most {most}.",
        n_components=3,
        n_classes=3,
        n_features=3,
        most=3,
    ),
    "M181": error(
        "PCA(n_components={n_components}) asks for more directions than the {width} columns have; give at most "
        "{width}.",
        n_components=3,
        width=3,
    ),
    "M182": error(
        "Coordinates of shape {shape} do not fit; give one column for each of the {n_components} components.",
        shape="(150, 4)",
        n_components=3,
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
        "The Gram matrix is not symmetric: it holds {x:g} at ({row}, {column}) and {x_2:g} at ({column}, "
        "{row}); a kernel gives the same for both orders.",
        x=0.5,
        row=3,
        column="age",
        x_2=0.5,
    ),
    "M194": error(
        "The kernel function returned an array of shape {shape} for {n_left} and {n_right} rows; return one "
        "number for each pair.",
        shape="(150, 4)",
        n_left=3,
        n_right=3,
    ),
    "M195": error(
        "The {what} contains {value} at ({row}, {column}); every value must be finite.",
        what="what",
        value="-1",
        row=3,
        column="age",
    ),
    "M196": error(
        "The kernel function failed on {n_left} and {n_right} rows: {rstrip}.",
        n_left=3,
        n_right=3,
        rstrip="rstrip",
    ),
    "M197": error(
        "LinearSVM(n=0, first_epoch=0) divides by 0 in the first epoch; raise one of them.",
    ),
}
