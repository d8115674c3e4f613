"""Texts of notes about what every model is given."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "M001": error(
        "The range of {name} is empty; give at least one value.",
        name="l2",
    ),
    "M002": error(
        "{name} has no parameter {parameter!r} to set; it has {known}.",
        name="logistic",
        parameter="depth",
        known="l1, l2, tol",
    ),
    "M003": error(
        "Input X contains infinity at row {row}, {where}; replace the value or drop the row.",
        row=3,
        where="column 'age'",
    ),
    "M004": error(
        "Row {row}, {name} of X holds {value!r}, which cannot be a category; use text or numbers.",
        row=3,
        name="column 'age'",
        value="[1, 2]",
    ),
    "M005": error(
        "In {name} of X the categories are of types {kinds}, which cannot be sorted; use one type.",
        name="column 'age'",
        kinds="int, str",
    ),
    "M006": error(
        "In {name} of X the categories were {was} in training, but {value!r} is not; give {was}, not {now}.",
        name="column 'age'",
        was="numbers",
        value="old",
        now="text",
    ),
    "M007": error(
        "{kind} is not a classifier (its type is {category}); give a classifier, such as GaussianNB().",
        kind="PCA",
        category="transformer",
    ),
    "M008": error(
        "{kind} is a class; give an instance, {kind}().",
        kind="LogisticRegression",
    ),
    "M009": error(
        "{shown} is not an estimator; give a classifier, such as GaussianNB().",
        shown="'logistic'",
    ),
    "M010": error(
        "{other!r} cannot be merged into {model!r}; class and parameters must be the same.",
        other="GaussianNB()",
        model="BernoulliNB()",
    ),
    "M011": error(
        "A model of {other_columns} features cannot be merged into one of {n_columns}; train both on the same "
        "columns.",
        other_columns=3,
        n_columns=4,
    ),
    "M012": error(
        "The scores of some rows overflow, because they lie too far from the training data.",
    ),
    "M013": error(
        "Forgetting these rows would leave fewer than two classes; fit a new model instead.",
    ),
    "M014": error(
        "{rows:.0f} rows of class {label!r} cannot be forgotten, because only {learned:.0f} were learned.",
        rows=5.0,
        label="yes",
        learned=3.0,
    ),
    "M015": error(
        "The weights to forget exceed the weights learned; give the weights the rows had in fit.",
    ),
    "M016": error(
        "Forgetting these rows would leave column {column} with fewer than six correct digits; fit again without the "
        "rows.",
        column=2,
    ),
    "M017": error(
        "Label {strange!r} in y is not in classes={known}; add it to classes.",
        strange="maybe",
        known=["no", "yes"],
    ),
    "M018": error(
        "Label {label!r} was never learned, so its rows cannot be forgotten.",
        label="yes",
    ),
    "M020": error(
        "{name!r} has curved boundaries; distances need a covariance shared by the classes.",
        name="GaussianClassifier(covariance='full')",
    ),
    "M021": error(
        "There are more than two classes; name the two to compare with positive=... and negative=...",
    ),
    "M022": error(
        "{label!r} is not one of the classes {classes}; name a class.",
        label="yes",
        classes=["no", "maybe"],
    ),
    "M023": error(
        "{owner}({name}={value!r}) is not allowed; give {expectation}.",
        owner="LogisticRegression",
        name="l2",
        value=-1.0,
        expectation="a number of at least 0",
    ),
    "M024": error(
        "{owner}({name}={given}) has no effect with {other}={current}; leave {name} out, or give {other}={effective}.",
        owner="GaussianClassifier",
        name="blend",
        given="0.5",
        other="covariance",
        current="'shared'",
        effective="'full'",
    ),
    "M025": error(
        "{owner}(start=...) has shape {shape}; {n_classes} classes and {n_columns} columns need {wanted}: in each "
        "row the weights of the columns, then the intercept.",
        owner="LogisticRegression",
        shape=(3, 4),
        n_classes=3,
        n_columns=4,
        wanted=(3, 5),
    ),
    "M026": error(
        "{owner}(start=...) holds {start} in row {row}, column {column}; give finite numbers.",
        owner="LogisticRegression",
        start="nan",
        row=3,
        column=2,
    ),
    "M027": error(
        "{kind} needs a total weight above {least:g} and found {weight:g} (n_samples = {n_rows}); give more rows.",
        kind="LogisticRegression",
        least=1.0,
        weight=0.5,
        n_rows=1,
    ),
    "M028": error(
        "Forgetting {rows:.0f} rows of weight {weight:g} would leave nothing of the {learned:.0f} rows of weight "
        "{learned_weight:g} that were learned; forget fewer rows.",
        rows=5.0,
        weight=5.0,
        learned=5.0,
        learned_weight=5.0,
    ),
    "M029": error(
        "{kind} was fitted from fewer rows than features and did not store moments; start with partial_fit to add, "
        "merge or forget rows.",
        kind="GaussianClassifier",
    ),
    "M030": error(
        "Negative values in data passed to {owner}: {value:g} at row {row}, {feature_name}; counts are at least 0.",
        owner="MultinomialNB",
        value=-1.0,
        row=3,
        feature_name="column 'age'",
    ),
    "M031": error(
        "{kind} requires y to be passed, but the target y is None; give the class of each row.",
        kind="LogisticRegression",
    ),
    "M032": error(
        "X has {n_rows} rows and y has {n_labels}; give one label per row.",
        n_rows=150,
        n_labels=149,
    ),
    "M033": error(
        "y has one class ({label!r}); a classifier needs at least two classes.",
        label="yes",
    ),
    "M034": error(
        "y has one class ({label!r}) of positive weight; a classifier needs at least two classes.",
        label="yes",
    ),
    "M035": error(
        "Input X contains {kind} at {where}; replace the value or drop the row.",
        kind="NaN",
        where="row 3, column 'age'",
    ),
    "M036": error(
        "Sample weights must be 1D array or scalar; give one number per row.",
    ),
    "M037": error(
        "sample_weight.shape == {shape}, expected ({n_rows},); give one weight per row.",
        shape="(149,)",
        n_rows=150,
    ),
    "M038": error(
        "sample_weight of row {row} is {weight}; weights must be finite and not negative.",
        row=3,
        weight="-1.0",
    ),
    "M039": error(
        "All sample weights are zero; at least one must be positive.",
    ),
    "M040": error(
        "y should be a 1d array, got an array of shape {shape} instead; give one label per row.",
        shape="(150, 4)",
    ),
    "M041": error(
        "Input y contains NaN or infinity at row {row}; drop the row or give it a class.",
        row=3,
    ),
    "M042": error(
        "Unknown label type: continuous values such as {label} at row {row} of y are not classes; cut them into bins "
        "or pass them as strings.",
        label=0.5,
        row=3,
    ),
    "M043": error(
        "y mixes labels of types {kinds} that cannot be sorted; use one type.",
        kinds="int, str",
    ),
    "M044": error(
        "Input y contains NaN or None at row {row}; drop the row or give it a class.",
        row=3,
    ),
    "M045": error(
        "Row {row}, {where} of X holds the text {value!r}; encode text columns as numbers, or drop them.",
        row=3,
        where="column 'town'",
        value="Bern",
    ),
    "M046": error(
        "TableClassifier requires y to be passed, but the target y is None; give the class of each row, or the "
        "name of the target column as target.",
    ),
    "M047": error(
        "The blocks have one class ({label!r}); a classifier needs at least two classes.",
        label="yes",
    ),
    "M048": error(
        "encoder={encoder!r} cannot read tables; give OneHot(), OrdinalCodes() or Words().",
        encoder="PCA()",
    ),
    "M049": error(
        "This model did not store moments, so partial_fit cannot continue; start a new model with partial_fit.",
    ),
    "M050": error(
        "There is no block of rows to learn from; give at least one.",
    ),
    "M051": error(
        "{parts} cannot be learned block by block; fit all rows at once with fit.",
        parts="PCA, KernelSVM",
    ),
    "M052": error(
        "{kind} has no posteriors that other priors could reweight; leave priors out, or put the model into "
        "Calibrated.",
        kind="LinearSVM",
    ),
    "M053": error(
        "{shown} gives {n_scores} scores per row for {n_classes} classes; one score per class is needed "
        "(decision_function_shape='ovr').",
        shown="SVC()",
        n_scores=4,
        n_classes=3,
    ),
    "M054": error(
        "The score of row {row} is NaN, because it lies too far from the training data.",
        row=3,
    ),
    "M055": error(
        "{shown} has neither decision_function nor predict_proba, so there is nothing to calibrate.",
        shown="Ridge()",
    ),
    "M056": error(
        "{name} gives row {row} a score that is not finite, because it lies too far from the others.",
        name="LinearSVM",
        row=3,
    ),
    "M059": error(
        "OneVsOne(vote='coupling') needs posteriors and {shown} has none; use vote='majority', or Calibrated around "
        "it.",
        shown="LinearSVM()",
    ),
    "M705": error(
        "The blocks have no class; a classifier needs at least two classes.",
    ),
    "M707": error(
        "y has no class among the rows of positive weight; a classifier needs at least two classes.",
    ),
    "M730": error(
        "{owner} fills in the zeros of sparse rows: {rows} rows of {columns} columns would take {gibibytes:.1f} GiB, "
        "more than ASSAY_MEMORY allows; choose fewer columns, or LinearSVM or LogisticRegression, which do not fill "
        "them in.",
        owner="KNeighborsClassifier",
        rows=11314,
        columns=130107,
        gibibytes=11.0,
    ),
}
