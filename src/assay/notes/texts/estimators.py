"""Texts of notes about what every model is given."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "M001": error(
        "The range of {name} is empty; give at least one value.",
        name="age",
    ),
    "M002": error(
        "{name} has no parameter {name_2!r} to set; it has: {known}.",
        name="age",
        name_2="name 2",
        known="known",
    ),
    "M003": error(
        "Input X contains infinity at row {infinite}, {name}; replace the value or drop the row.",
        infinite="infinite",
        name="age",
    ),
    "M004": error(
        "Row {row}, {name} of X holds {value!r}, which cannot be a level: use text or numbers.",
        row=3,
        name="age",
        value="-1",
    ),
    "M005": error(
        "In {name} of X the levels are of types {kinds}, which cannot be sorted; use one type.",
        name="age",
        kinds="kinds",
    ),
    "M006": error(
        "In {name} of X the levels were {was} in training, and {value!r} is not: give {was}, not {now}.",
        name="age",
        was="was",
        value="-1",
        now="now",
    ),
    "M007": error(
        "{kind} is {article} {replace}, not a classifier; give a classifier, such as GaussianNB().",
        kind="list",
        article="article",
        replace=3,
    ),
    "M008": error(
        "{kind} is a class; give an instance, {kind}().",
        kind="list",
    ),
    "M009": error(
        "{shown} is not an estimator; give a classifier, such as GaussianNB().",
        shown="shown",
    ),
    "M010": error(
        "{other!r} cannot be merged into {name!r}: class and parameters must be the same.",
        other="other",
        name="age",
    ),
    "M011": error(
        "A model of {n_features_in} features cannot be merged into one of {n_features_in_2}; train both on the "
        "same columns.",
        n_features_in=3,
        n_features_in_2=3,
    ),
    "M012": error(
        "The scores of some rows overflow: they lie too far from the training data.",
    ),
    "M013": error(
        "Forgetting these rows would leave fewer than two classes; fit a new model instead.",
    ),
    "M014": error(
        "{rows:.0f} rows of class {classes!r} cannot be forgotten: only {rows_2:.0f} were learned.",
        rows=0.5,
        classes="classes",
        rows_2=0.5,
    ),
    "M015": error(
        "The weights to forget exceed the weights learned; give the weights the rows had in fit.",
    ),
    "M016": error(
        "Forgetting these rows would leave column {argmax} with fewer than six digits; fit again without the "
        "rows.",
        argmax="argmax",
    ),
    "M017": error(
        "Label {strange!r} in y is not in classes={known}; add it to classes.",
        strange="strange",
        known="known",
    ),
    "M018": error(
        "Label {label!r} was never learned, so its rows cannot be forgotten.",
        label="yes",
    ),
    "M019": error(
        "{function} has no parameter {name!r}: {advice}",
        function="evaluate",
        name="cv",
        advice="write plan.",
    ),
    "M020": error(
        "{name!r} has curved boundaries; distances need a covariance shared by the classes.",
        name="age",
    ),
    "M021": error(
        "With more than two classes name the two to compare: positive=..., negative=...",
    ),
    "M022": error(
        "{label!r} is not one of the classes {classes}; name a class.",
        label="yes",
        classes="classes",
    ),
    "M023": error(
        "{owner}({name}={value!r}) is not allowed; give {expectation}.",
        owner="owner",
        name="age",
        value="-1",
        expectation="expectation",
    ),
    "M024": error(
        "{owner}({name}={given}) has no effect with {name_2}={there}; leave {name} out, or give "
        "{name_2}={map}.",
        owner="owner",
        name="age",
        given="given",
        name_2="name 2",
        there="there",
        map="map",
    ),
    "M025": error(
        "{owner}(start=...) has shape {shape}; {n_classes} classes and {wanted} columns need {wanted_2}: in "
        "each row the weights of the columns, then the intercept.",
        owner="owner",
        shape="(150, 4)",
        n_classes=3,
        wanted="wanted",
        wanted_2="wanted 2",
    ),
    "M026": error(
        "{owner}(start=...) holds {start} in row {row}, column {column}; give finite numbers.",
        owner="owner",
        start="start",
        row=3,
        column="age",
    ),
    "M027": error(
        "{kind} needs a total weight above {least:g} and found {weight:g} (n_samples = {n_rows}); give more "
        "rows.",
        kind="list",
        least=0.5,
        weight=0.5,
        n_rows=3,
    ),
    "M028": error(
        "{rows:.0f} rows of weight {weight:g} cannot be forgotten: {rows_2:.0f} of weight {weight_2:g} were "
        "learned and some must be left.",
        rows=0.5,
        weight=0.5,
        rows_2=0.5,
        weight_2=0.5,
    ),
    "M029": error(
        "{kind} was fitted from fewer rows than features and kept no moments; start with partial_fit to add, "
        "merge or forget rows.",
        kind="list",
    ),
    "M030": error(
        "Negative values in data passed to {owner}: {value:g} at row {row}, {feature_name}; counts are at "
        "least 0.",
        owner="owner",
        value=0.5,
        row=3,
        feature_name="feature name",
    ),
    "M031": error(
        "{kind} requires y to be passed, but the target y is None; give the class of each row.",
        kind="list",
    ),
    "M032": error(
        "X has {n_rows} rows and y has {n_codes}: give one label for each row.",
        n_rows=3,
        n_codes=3,
    ),
    "M033": error(
        "y has one class ({classes!r}); a classifier needs at least two classes.",
        classes="classes",
    ),
    "M034": error(
        "y has one class ({only!r}) that counts; a classifier needs at least two classes.",
        only="only",
    ),
    "M035": error(
        "Input X contains {kind} at {where}; replace the value or drop the row.",
        kind="list",
        where="where",
    ),
    "M036": error(
        "Sample weights must be 1D array or scalar; give one number for each row.",
    ),
    "M037": error(
        "sample_weight.shape == {shape}, expected ({n_rows},): give one weight for each row.",
        shape="(150, 4)",
        n_rows=3,
    ),
    "M038": error(
        "sample_weight of row {bad} is {weight}; weights must be finite and not negative.",
        bad="bad",
        weight="weight",
    ),
    "M039": error(
        "All sample weights are zero; at least one row must count.",
    ),
    "M040": error(
        "y should be a 1d array, got an array of shape {shape} instead: give one label a row.",
        shape="(150, 4)",
    ),
    "M041": error(
        "Input y contains NaN or infinity at row {bad}; drop the row or give it a class.",
        bad="bad",
    ),
    "M042": error(
        "Unknown label type: continuous values such as {labels} at row {row} of y are not classes; cut them "
        "into bins or pass them as strings.",
        labels="labels",
        row=3,
    ),
    "M043": error(
        "y mixes labels of types {kinds} that cannot be sorted; use one type.",
        kinds="kinds",
    ),
    "M044": error(
        "Input y contains NaN or None at row {row}; drop the row or give it a class.",
        row=3,
    ),
    "M045": error(
        "Row {row}, {where} of X holds the text {value!r}: encode text columns as numbers, or drop them.",
        row=3,
        where="where",
        value="-1",
    ),
    "M046": error(
        "TableClassifier requires y to be passed, but the target y is None; give the class of each row, or the "
        "name of the target column as target.",
    ),
    "M047": error(
        "The blocks have {told}; a classifier needs at least two classes.",
        told="told",
    ),
    "M048": error(
        "encoder={encoder!r} cannot read tables; give OneHot(), OrdinalCodes() or Words().",
        encoder="encoder",
    ),
    "M049": error(
        "partial_fit cannot go on here, because no moments were kept; start a new model with partial_fit.",
    ),
    "M050": error(
        "There is no block of rows to learn from; give at least one.",
    ),
    "M051": error(
        "{parts} cannot be learned block by block; fit all rows at once with fit.",
        parts="parts",
    ),
    "M052": error(
        "{kind} has no posteriors to put other priors into; leave priors out, or put the model into "
        "Calibrated.",
        kind="list",
    ),
    "M053": error(
        "{shown} gives {shape} scores a row for {n_place} classes; one score for each class is needed "
        "(decision_function_shape='ovr').",
        shown="shown",
        shape="(150, 4)",
        n_place=3,
    ),
    "M054": error(
        "The score of row {bad} is NaN: it lies too far from the training data.",
        bad="bad",
    ),
    "M055": error(
        "{shown} has neither decision_function nor predict_proba, so there is nothing to calibrate.",
        shown="shown",
    ),
    "M056": error(
        "{name} gives row {number} a score that is not finite: it lies too far from the others.",
        name="age",
        number=3,
    ),
    "M057": error(
        "X has {count} rows and y has {n_codes}: give one label for each row.",
        count=3,
        n_codes=3,
    ),
    "M058": error(
        "y has {only}{among}; a classifier needs at least two classes.",
        only="only",
        among="among",
    ),
    "M059": error(
        "OneVsOne(vote='coupling') needs posteriors and {shown} has none; use vote='majority', or Calibrated "
        "around it.",
        shown="shown",
    ),
}
