"""Texts of notes about what a model file holds."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "F090": error(
        "its classifiers have no posteriors to couple",
    ),
    "F091": error(
        "it has rows of fewer than two classes",
    ),
    "F092": error(
        "it has {n_estimators} classifiers for {n_classes} classes, and needs {wanted}",
        n_estimators=3,
        n_classes=3,
        wanted="wanted",
    ),
    "F093": error(
        "its {kind} takes {expected} columns and gets {columns}",
        kind="LogisticRegression",
        expected=4,
        columns=3,
    ),
    "F094": error(
        "its {kind} knows its columns by other names",
        kind="list",
    ),
    "F095": error(
        "its {kind} knows other classes",
        kind="list",
    ),
    "F096": error(
        "its {kind} does not know all classes that had rows",
        kind="list",
    ),
    "F097": error(
        "its {kind} has no scores",
        kind="list",
    ),
    "F098": error(
        "its map is one of {n_curves} classes, and there are {n_classes}",
        n_curves=3,
        n_classes=3,
    ),
    "F099": error(
        "it is made of functions, which no model file holds",
    ),
    "F100": error(
        "its kind is {kind!r}, and {attribute!r} is missing or too much",
        kind="radial",
        attribute="centers_",
    ),
    "F101": error(
        "it has no centers",
    ),
    "F102": error(
        "its knots are not in order",
    ),
    "F103": error(
        "its degree {degree} makes too many columns of {width}",
        degree="degree",
        width=3,
    ),
    "F104": error(
        "it has {n_intercept} machines for {present} classes",
        n_intercept=3,
        present="present",
    ),
    "F105": error(
        "its attribute 'gram_dtype_' is not float32 or float64",
    ),
    "F106": error(
        "its support vectors are not those of the kernel {kernel!r}",
        kernel="kernel",
    ),
    "F107": error(
        "its support vectors lie beyond the training rows",
    ),
    "F108": error(
        "it has {units} units for {n_classes} classes, and {output} outputs need {wanted}",
        units="units",
        n_classes=3,
        output="output",
        wanted="wanted",
    ),
    "F109": error(
        "its layers do not lead from {ends} columns to {ends_2} classes",
        ends="ends",
        ends_2="ends 2",
    ),
    "F110": error(
        "it has {n_parameters} weights, and its layers need {wanted}",
        n_parameters=3,
        wanted="wanted",
    ),
    "F111": error(
        "its attribute 'scale_' is too small to divide by",
    ),
    "F112": error(
        "it has {n_vocabularies} vocabularies for {n_schema} columns",
        n_vocabularies=3,
        n_schema=3,
    ),
    "F113": error(
        "its rows are of classes that it does not have, or of fewer than two",
    ),
    "F114": error(
        "its class shares are not those of its rows",
    ),
    "F115": error(
        "its rows hold values that are missing",
    ),
    "F116": error(
        "its covariances are not those of {covariance} blobs",
        covariance="covariance",
    ),
    "F117": error(
        "its shares of blobs are not those of its classes",
    ),
    "F118": error(
        "its variances are not positive",
    ),
    "F119": error(
        "its tree is not that of a hierarchy",
    ),
    "F120": error(
        "its tree of {leaves} leaves is not that of {rows} rows",
        leaves="leaves",
        rows=3,
    ),
    "F121": error(
        "its tree merges groups that are not there",
    ),
    "F122": error(
        "its labels are not those of its tree",
    ),
    "F123": error(
        "its model takes {inside} columns and gets {n_columns}",
        inside="inside",
        n_columns=3,
    ),
    "F124": error(
        "its classes are not those of its model",
    ),
    "F125": error(
        "its {kind} does not tell the classes 0 and 1 apart",
        kind="list",
    ),
    "F126": error(
        "its column {name!r} is no text",
        name="age",
    ),
    "F127": error(
        "its covariances are not positive",
    ),
    "F128": error(
        "it makes no column",
    ),
    "F129": error(
        "it is not fitted: call fit first",
    ),
    "F130": error(
        "{kind} is not a model that Assay can store",
        kind="list",
    ),
    "F131": error(
        "the class {name!r} is unknown to this version of Assay",
        name="age",
    ),
    "F132": error(
        "it has no parameter {unknown!r}",
        unknown="unknown",
    ),
    "F133": error(
        "it is solved from {wanted} moments and has {form} ones",
        wanted="wanted",
        form="form",
    ),
    "F134": error(
        "it has counts of missing values, which it does not know",
    ),
    "F135": error(
        "its columns and their groups differ in number",
    ),
    "F136": error(
        "its model takes {n_features_in} columns and gets {n_features_out}",
        n_features_in=3,
        n_features_out=3,
    ),
    "F137": error(
        "it has {n_prior} priors for {n_classes} classes",
        n_prior=3,
        n_classes=3,
    ),
    "F138": error(
        "{error}: fit it again",
        error="error",
    ),
    "F139": error(
        "its {name} does not follow from its parameters, which were changed after fitting: fit it again",
        name="age",
    ),
    "F140": error(
        "the {name} in it cannot be used: {clause}",
        name="age",
        clause="clause",
    ),
    "F141": error(
        "the {name} in it cannot be used: its parts do not fit together",
        name="age",
    ),
    "F142": error(
        "it has moments of several classes and knows of none",
    ),
    "F143": error(
        "its moments give no finite {name}",
        name="age",
    ),
    "F144": error(
        "its group of column {name!r} is not where it should be",
        name="age",
    ),
    "F145": error(
        "its loss is one of other classes",
    ),
    "F146": error(
        "its moments are not those of its columns",
    ),
    "F147": error(
        "it has an attribute {unknown!r} that it should not have",
        unknown="unknown",
    ),
    "F148": error(
        "its attribute {name!r} has {n_shape} axes instead of {n_names}",
        name="age",
        n_shape=3,
        n_names=3,
    ),
    "F149": error(
        "its attribute {name!r} points beyond the {lengths} columns",
        name="age",
        lengths="lengths",
    ),
    "F150": error(
        "its moments have means whose squares overflow",
    ),
    "F151": error(
        "its moments have centers of shape {shape}",
        shape="(150, 4)",
    ),
    "F152": error(
        "its moments have negative weights, or none at all",
    ),
    "F153": error(
        "its moments have weights without rows, or rows without weights",
    ),
    "F154": error(
        "its moments have more values than rows",
    ),
    "F155": error(
        "its moments have a scatter that no rows have",
    ),
    "F156": error(
        "its attribute {name!r} has an axis of length {length} where others have {lengths}",
        name="age",
        length="length",
        lengths="lengths",
    ),
    "F157": error(
        "its {name} of the moments holds values that are not finite",
        name="age",
    ),
    "F158": error(
        "its attribute {name!r} is missing",
        name="age",
    ),
    "F159": error(
        "its counts are none, or not finite",
    ),
    "F160": error(
        "its counts are negative",
    ),
    "F161": error(
        "its counts have weights without rows, or rows without weights, or neither",
    ),
    "F162": error(
        "its steps are not named models",
    ),
    "F163": error(
        "its steps have the same names, or it keeps a cache, which cannot be stored",
    ),
    "F164": error(
        "its {kind} is not fitted: call fit first",
        kind="list",
    ),
    "F165": error(
        "its {kind} takes {n_features_in} columns and gets {width}",
        kind="list",
        n_features_in=3,
        width=3,
    ),
}
