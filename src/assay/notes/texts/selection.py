"""Texts of notes about evaluating, tuning and searching."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "S069": error(
        "{n_rows} rows are too few to hold some of them out; use criterion='bic'.",
        n_rows=3,
    ),
    "S070": error(
        "levels={levels!r} is not allowed; give columns from 0 to {last}, each in one category at most.",
        levels=((7,),),
        last=3,
    ),
    "S071": error(
        "{n_clusters:set n_clusters} is not allowed; give whole numbers of at least 1.",
        n_clusters=0,
    ),
    "S072": error(
        "{criterion:set criterion} is unknown; give {choices:either}.",
        criterion="aic",
        choices=["bic", "heldout"],
    ),
    "S073": error(
        "{shape:set shape} is unknown; give {choices:either}.",
        shape="cube",
        choices=["spherical", "diagonal"],
    ),
    "S074": error(
        "{folds:set folds} is not allowed; give a whole number of at least 2.",
        folds=1,
    ),
    "S075": error(
        "A complexity curve has one parameter and {n_ranges} were given; name one, with values.",
        n_ranges=2,
    ),
    "S076": error(
        "{kind} tests single rows; use folds, such as KFold(10), or a hold-out.",
        kind="LeaveOneOut",
    ),
    "S077": error(
        "{rule:set rule} is unknown; give 'min' or 'one_se'.",
        rule="max",
    ),
    "S078": error(
        "{moved} moves this {kind} away from the maximum of its likelihood, which AIC and BIC need; give the rows, "
        "aic(model, X, y), to refit it without.",
        moved="l2=0.1",
        kind="LogisticRegression",
    ),
    "S079": error(
        "The likelihood of a pipeline is that of its last step on transformed rows; give that step, model[-1], a "
        "{kind}.",
        kind="GaussianNB",
    ),
    "S080": error(
        "{kind} has no likelihood, so AIC and BIC are not available; compare it by its error instead.",
        kind="LinearSVM",
    ),
    "S081": error(
        "A {kind} cannot be drawn; draw what tune, nested, learning_curve, complexity_curve, select_features or "
        "choose_clusters returned.",
        kind="list",
    ),
    "S082": error(
        "Of dicts, only the curves that learning_curve returns for several models can be drawn.",
    ),
    "S083": error(
        "There is no model to evaluate; give at least one.",
    ),
    "S084": error(
        "y has {n_classes:count class/classes}; an evaluation needs at least two.",
        n_classes=1,
    ),
    "S087": error(
        "There is no interval of {measure!r}; give error, loss, log_loss, brier or auc.",
        measure="accuracy",
    ),
    "S150": error(
        "There is no interval by the method {method!r}; give {methods:quoted}.",
        method="exact",
        methods=["effective", "wilson"],
    ),
    "S088": error(
        "{name} and {other} were tested on different splits; evaluate them in one call.",
        name="logistic",
        other="knn",
    ),
    "S089": error(
        "The .632 estimates belong to the bootstrap; evaluate with plan=Bootstrap().",
    ),
    "S090": error(
        "The columns {names} are not those that were fitted: {feature_names_in}.",
        names=["age", "income"],
        feature_names_in=["age", "sex"],
    ),
    "S091": error(
        "{what:option} names {wanted!r}, which is not a feature; choose among {features:quoted}.",
        what="start",
        wanted="width",
        features=["sepal_width", "petal_width"],
    ),
    "S092": error(
        "The group {clash!r} has the name of a column outside it; give the group another name.",
        clash="age",
    ),
    "S093": error(
        "{what}={wanted!r} is not a list of features; give names or positions, such as [0, 3].",
        what="start",
        wanted="age",
    ),
    "S094": error(
        "{what} holds {wanted!r}, which does not name a feature; give names or positions.",
        what="start",
        wanted=True,
    ),
    "S095": error(
        "groups has {n_label} names for {width} columns; give one for each column.",
        n_label=3,
        width=4,
    ),
    "S096": error(
        "Group {group!r} is {members!r}; give the list of its columns.",
        group="size",
        members=3,
    ),
    "S097": error(
        "Group {group!r} names the column {column!r}, and there is no such column.",
        group="size",
        column="width",
    ),
    "S098": error(
        "Column {column!r} is in the groups {taken!r} and {group!r}; put it into one of them.",
        column="age",
        taken="size",
        group="shape",
    ),
    "S099": error(
        "{by:set by} is unknown; give one of {ways:listed}.",
        by="chance",
        ways=["correlation", "information"],
    ),
    "S100": error(
        "Mutual information does not use sample weights; leave sample_weight out.",
    ),
    "S101": error(
        "The table has no numeric or categorical column to rank.",
    ),
    "S102": error(
        "The counts of {n_words} words in {n_texts} texts would take more than ASSAY_MEMORY allows; rank them by "
        "mutual_information(TextCounts().fit_transform(X), y).",
        n_words=50000,
        n_texts=200000,
    ),
    "S103": error(
        "y has {n_classes:count class/classes}; a ranking needs at least two.",
        n_classes=1,
    ),
    "S104": error(
        "Two columns are called {twice!r}; give them different names.",
        twice="age",
    ),
    "S105": error(
        "{search:set search} is unknown; give 'forward', 'backward' or 'floating'.",
        search="sideways",
    ),
    "S106": error(
        "{size:set n_features} is more than the {count} features; give at most {count}.",
        size=9,
        count=4,
    ),
    "S107": error(
        "{size:set n_features} is less than the {fixed} fixed features; fix fewer.",
        size=1,
        fixed=2,
    ),
    "S108": error(
        "{size:set n_features} is less than the {begun} features that the search starts from; use 'backward', or "
        "start from fewer.",
        size=1,
        begun=2,
    ),
    "S109": error(
        "{size:set n_features} is more than the {begun} features that the search starts from; use 'forward', or "
        "start from more.",
        size=4,
        begun=2,
    ),
    "S110": error(
        "{value:set {name}} is not a number of features; give a whole number of at least 1, or leave it out for the "
        "whole path.",
        name="n_features",
        value=0,
    ),
    "S111": error(
        "No tested row counts, because every one has weight zero or none was tested; use other splits.",
    ),
    "S112": error(
        "{kind} tests single rows; draw a learning curve over folds, such as KFold(10).",
        kind="LeaveOneOut",
    ),
    "S113": error(
        "These are not sizes: {sizes!r}; give a whole number, or proportions above 0 and up to 1.",
        sizes=[0.0],
    ),
    "S114": error(
        "A size of {shares:g} is more than all training rows; give proportions up to 1.",
        shares=1.5,
    ),
    "S115": error(
        "sizes={sizes} gives no curve; give at least one size.",
        sizes=[],
    ),
    "S116": error(
        "{kind} has no get_params, so there is no parameter to tune.",
        kind="SVC",
    ),
    "S117": error(
        "There is nothing to tune; give a range, such as l2=path(20).",
    ),
    "S118": error(
        "{kind} has no parameter {name!r} to tune. {hint}",
        kind="GaussianNB",
        name="prior",
        hint="Did you mean 'priors'?",
    ),
    "S119": error(
        "{name}={given!r} is not a range; give a list of values.",
        name="l2",
        given=0.1,
    ),
    "S121": error(
        "path({n!r}) has no penalties; give a whole number of at least 1.",
        n=0,
    ),
    "S122": error(
        "path(most={most!r}, least={least!r}) is not a range; give 0 < least <= most.",
        most=0.1,
        least=1.0,
    ),
    "S123": error(
        "{what} needs posteriors, but {name} has margins only; put it into Calibrated, or use a probabilistic model.",
        what="Log loss",
        name="LinearSVM",
    ),
    "S124": error(
        "No tested row counts within a fold, because every one has weight or prior zero; use other folds.",
    ),
    "S125": error(
        "{name} and {other} were tested on different rows; evaluate them in one call.",
        name="logistic",
        other="knn",
    ),
    "S126": error(
        "All tested rows are of one group; a test of a difference needs at least two groups.",
    ),
    "S127": error(
        "{result!r} is not an evaluation; give what evaluate returned for two models.",
        result=0.5,
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
    "S255": error(
        "{kind} tests no row twice, and variance needs predictions by several models; use RandomSubsampling(0.3, "
        "repeats=50), KFold(5, repeats=10) or Bootstrap().",
        kind="LeaveOneOut",
    ),
}
