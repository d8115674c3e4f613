"""Texts of notes about evaluating, tuning and searching."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "S069": error(
        "{n_rows} rows are too few to hold parts of them out; use criterion='bic'.",
        n_rows=3,
    ),
    "S070": error(
        "levels={levels!r} is not allowed; give columns from 0 to {width}, each in one category at most.",
        levels="levels",
        width=3,
    ),
    "S071": error(
        "{n_clusters:set n_clusters} is not allowed; give whole numbers of at least 1.",
        n_clusters=3,
    ),
    "S072": error(
        "{criterion:set criterion} is unknown; give {map}.",
        criterion="criterion",
        map="map",
    ),
    "S073": error(
        "{shape:set shape} is unknown; give {map}.",
        shape="(150, 4)",
        map="map",
    ),
    "S074": error(
        "{folds:set folds} is not allowed; give a whole number of at least 2.",
        folds="folds",
    ),
    "S075": error(
        "A complexity curve has one parameter and {n_ranges} were given; name one, with values.",
        n_ranges=3,
    ),
    "S076": error(
        "{kind} takes single rows; use folds, such as KFold(10), or a hold-out.",
        kind="list",
    ),
    "S077": error(
        "{rule:set rule} is unknown; give 'min' or 'one_se'.",
        rule="rule",
    ),
    "S078": error(
        "{moved} moves this {kind} away from the maximum of its likelihood, which AIC and BIC need; give the "
        "rows, aic(model, X, y), to refit it without.",
        moved="moved",
        kind="list",
    ),
    "S079": error(
        "The likelihood of a pipeline is that of its last part, of the rows as the steps hand them on: give "
        "that part, model[-1], a {kind}.",
        kind="list",
    ),
    "S080": error(
        "{kind} has no likelihood, so no AIC or BIC; compare it by its error instead.",
        kind="list",
    ),
    "S081": error(
        "A {kind} has no picture; draw what tune, nested, learning_curve, complexity_curve, select_features or "
        "choose_clusters found.",
        kind="list",
    ),
    "S082": error(
        "Of dicts, only the curves that learning_curve returns for several models can be drawn.",
    ),
    "S083": error(
        "There is no model to evaluate; give at least one.",
    ),
    "S084": error(
        "y has {count}; an evaluation needs at least two.",
        count=3,
    ),
    "S085": error(
        "X has {rows} rows and y has {n_codes}: give one label for each row.",
        rows=3,
        n_codes=3,
    ),
    "S086": error(
        "{label!r} is not one of the classes {classes}; name a class.",
        label="yes",
        classes="classes",
    ),
    "S087": error(
        "There is no interval of {measure!r}; ask for error, loss, log_loss, brier or auc.",
        measure="measure",
    ),
    "S088": error(
        "{name} and {name_2} were tested on different splits; evaluate them in one call.",
        name="age",
        name_2="name 2",
    ),
    "S089": error(
        "The .632 estimates belong to the bootstrap; evaluate with plan=Bootstrap().",
    ),
    "S090": error(
        "The columns {names} are not those that were fitted: {feature_names_in}.",
        names="age, income",
        feature_names_in="feature names in",
    ),
    "S091": error(
        "{what:option} names {wanted!r}, and there is no such feature; choose among {features}.",
        what="start",
        wanted="width",
        features="'sepal_width', 'petal_width'",
    ),
    "S092": error(
        "The group {clash!r} has the name of a column outside it; name the group otherwise.",
        clash="clash",
    ),
    "S093": error(
        "{what}={wanted!r} is not a list of features; give names or positions, such as [0, 3].",
        what="what",
        wanted="wanted",
    ),
    "S094": error(
        "{what} holds {wanted!r}, which names no feature; give names or positions.",
        what="what",
        wanted="wanted",
    ),
    "S095": error(
        "groups has {n_label} names for {width} columns: give one for each column.",
        n_label=3,
        width=3,
    ),
    "S096": error(
        "Group {group!r} is {members!r}; give the list of its columns.",
        group="group",
        members="members",
    ),
    "S097": error(
        "Group {group!r} names the column {column!r}, and there is no such column.",
        group="group",
        column="age",
    ),
    "S098": error(
        "Column {column!r} is in the groups {taken!r} and {group!r}; a column moves with one.",
        column="age",
        taken="taken",
        group="group",
    ),
    "S099": error(
        "{by:set by} is unknown; give one of {ways}.",
        by="by",
        ways="ways",
    ),
    "S100": error(
        "Mutual information counts rows as they are; leave sample_weight out.",
    ),
    "S101": error(
        "The table has no numeric or categorical column to rank.",
    ),
    "S102": error(
        "The counts of {shape} words in {shape_2} texts would take more than ASSAY_MEMORY allows; rank them by "
        "mutual_information(TextCounts().fit_transform(X), y).",
        shape="(150, 4)",
        shape_2="shape 2",
    ),
    "S103": error(
        "y has {n_classes} class; a ranking needs at least two.",
        n_classes=3,
    ),
    "S104": error(
        "Two columns are called {twice!r}; name them apart.",
        twice="twice",
    ),
    "S105": error(
        "{search:set search} is unknown; give 'forward', 'backward' or 'floating'.",
        search="search",
    ),
    "S106": error(
        "{size:set n_features} is more than the {count} features there are; give at most {count}.",
        size=3,
        count=3,
    ),
    "S107": error(
        "{size:set n_features} is less than the {fixed} fixed features; fix fewer.",
        size=3,
        fixed="fixed",
    ),
    "S108": error(
        "{size:set n_features} is less than the {begun} features that the search starts from; use 'backward', or "
        "start from fewer.",
        size=3,
        begun="begun",
    ),
    "S109": error(
        "{size:set n_features} is more than the {begun} features that the search starts from; use 'forward', or "
        "start from more.",
        size=3,
        begun="begun",
    ),
    "S110": error(
        "{value:set {name}} is not a number of features; give a whole number of at least 1, or leave it out for "
        "the whole path.",
        name="age",
        value="-1",
    ),
    "S111": error(
        "No tested row counts: every one has weight zero, or none was tested; use other splits.",
    ),
    "S112": error(
        "{kind} takes single rows; draw a learning curve over folds, such as KFold(10).",
        kind="list",
    ),
    "S113": error(
        "These are not sizes: {sizes!r}; give a whole number, or shares above 0 and up to 1.",
        sizes=3,
    ),
    "S114": error(
        "A size of {shares:g} is more than all training rows; give shares up to 1.",
        shares=0.5,
    ),
    "S115": error(
        "sizes={sizes} gives no curve; ask for at least one size.",
        sizes=3,
    ),
    "S116": error(
        "{kind} has no get_params, so there is no parameter to tune.",
        kind="list",
    ),
    "S117": error(
        "There is nothing to tune; give a range, such as l2=path(20).",
    ),
    "S118": error(
        "{kind} has no parameter {name!r} to tune; {clause}",
        kind="list",
        name="age",
        clause="clause",
    ),
    "S119": error(
        "{name}={given!r} is not a range; give a list of values.",
        name="age",
        given="given",
    ),
    "S120": error(
        "The range of {name} is empty; give at least one value.",
        name="age",
    ),
    "S121": error(
        "path({n!r}) has no penalties; give a whole number of at least 1.",
        n=3,
    ),
    "S122": error(
        "path(most={most!r}, least={least!r}) is not a range; give 0 < least <= most.",
        most=3,
        least=3,
    ),
    "S123": error(
        "{what} needs posteriors, and {name} gives margins only; put it into Calibrated, or use a "
        "probabilistic model.",
        what="what",
        name="age",
    ),
    "S124": error(
        "No tested row counts inside a fold: every one has weight or prior zero; use other folds.",
    ),
    "S125": error(
        "{name} and {name_2} were tested on different rows; evaluate them in one call.",
        name="age",
        name_2="name 2",
    ),
    "S126": error(
        "All tested rows are of one group; whether models differ takes two groups or more.",
    ),
    "S127": error(
        "{result!r} is not an evaluation; give what evaluate returned of two models.",
        result="result",
    ),
    "P700": info(
        "Without {rows:count row} a direction or a class is empty, so {rows:this split was/these splits were} solved "
        "one by one.",
        rows=2,
    ),
    "P701": info(
        "{parameters:columns} {parameters:keeps/keep} it from the maximum of its likelihood",
        parameters=("l2=0.1",),
    ),
    "P703": info(
        "One row more or less changes the test error by {step:points}, with {train} rows for training, {validation} "
        "for validation and {test} for testing; folds (KFold) would test every row.",
        shell="One row more or less changes the test error by {step:points}, with {train} rows for training, "
        "{validation} for validation and {test} for testing; folds (--plan kfold:10) would test every row.",
        step=1 / 24,
        train=72,
        validation=24,
        test=24,
    ),
    "P704": warning(
        "The metrics are those of the other classes: class {subject} has a prior of {prior:.3g} and no tested row.",
        subject="rare",
        prior=0.05,
    ),
    "P702": info("its likelihood is not finite"),
}
