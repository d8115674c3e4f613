"""Texts of notes about candidates that were omitted, leakage suspects and shuffled labels."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    # -- time and interruption ---------------------------------------------------------------------------------
    "C150": info("The time budget of {budget:duration} ended before it was finished.", budget=600.0),
    "C151": info("The time budget of {budget:duration} was used up before it was started.", budget=600.0),
    "C152": info(
        "It would take about {needed:duration}, more than the {left:duration} left of the time budget of "
        "{budget:duration}.",
        needed=900.0,
        left=420.0,
        budget=600.0,
    ),
    "C153": info("The run was interrupted before it was finished."),
    "C154": info("It was not finished in this run."),
    "C198": info(
        "It was expected to take {forecast:duration}, and was stopped after {taken:duration}; a time budget "
        "({option.budget}) of more than {budget:duration} gives it more time.",
        forecast=30.0,
        taken=95.0,
        budget=600.0,
    ),
    "C199": info(
        "The run took {taken:duration}, longer than its budget of {budget:duration}: fits by other libraries cannot be "
        "interrupted.",
        taken=780.0,
        budget=600.0,
    ),
    "C192": info(
        "For want of time, these candidates are trained on a stratified sample of the rows of every training set, and "
        "tested on all {total:count row} like the others: {samples:listed}.",
        samples=("kernel_svm (sample of 9 000)", "knn (sample of 20 000)"),
        total=92962,
    ),
    "C155": error(
        "The time budget of {budget:duration} ended before any candidate was finished; set a larger {option.budget}, "
        "or name fewer {option.candidates}.",
        budget=10.0,
    ),
    "C156": error(
        "No candidate could be evaluated. {reasons:sentences}",
        reasons=("It uses text columns, and the table has only numeric columns.",),
    ),
    # -- what a candidate cannot do ----------------------------------------------------------------------------
    "C157": info(
        "It cannot be trained on this table. {reason}",
        reason="Values in column 'income' reach 1e+200, whose squares overflow; rescale the column.",
    ),
    "C158": info(
        "It has no posterior probabilities, which actions that are not classes need; {calibrated} has them.",
        calibrated="calibrated_svm or calibrated_kernel_svm",
    ),
    "C159": info(
        "It has no posterior probabilities, which other priors need; {calibrated} has them.",
        calibrated="calibrated_svm or calibrated_kernel_svm",
    ),
    "C160": info(
        "It uses {wanted:columns} columns, and the table has only {available:columns} columns.",
        wanted=("text",),
        available=("categorical", "numeric"),
    ),
    "C161": info(
        "It uses {wanted:columns} columns, and the table has no column that a model can use.",
        wanted=("numeric", "categorical"),
    ),
    "C162": info(
        "It is for tables of {wanted:columns} columns alone, and column {column!r} is {kind}; set another type with "
        "{option.types}, or leave the column out with {option.drop}.",
        wanted=("binary", "categorical"),
        column="age",
        kind="numeric",
    ),
    # -- who uses text columns ---------------------------------------------------------------------------------
    "C163": info(
        "{candidates:listed} cannot use texts. Text columns ignored by these candidates: {columns:listed}.",
        candidates=("logistic", "knn"),
        columns=("'comment'",),
    ),
    "C164": info(
        "{candidates:listed} cannot use texts, and {text_candidates:listed} cannot use anything else. Text columns: "
        "{columns:listed}.",
        candidates=("logistic", "knn"),
        text_candidates=("multinomial_nb", "bernoulli_nb"),
        columns=("'comment'",),
    ),
    "C165": info(
        "{users:listed} use the columns of more than 255 categories: {columns:listed}. {others:listed} leave them out.",
        columns=("'ticket'",),
        users=("decision_tree", "random_forest"),
        others=("logistic", "knn"),
    ),
    # -- leakage suspects --------------------------------------------------------------------------------------
    "C170": warning(
        "Excluded as possible leakage: {columns:columns}. Such columns are often filled in after the outcome is known. "
        "A second comparison on the same folds (with_suspects) includes them; {option.keep_suspects} runs only that "
        "one.",
        columns=("'boat'", "'body'"),
    ),
    "C171": warning(
        "Every usable column is a possible leak: {columns:listed}. They are kept, and the results hold only if these "
        "values are known before the outcome.",
        columns=("'boat'", "'body'"),
    ),
    "C172": info("No column is suspected of leakage, so {option.keep_suspects} changes nothing."),
    "C173": info(
        "There are no results with {columns:columns}. {reason}",
        columns=("boat",),
        reason="The time budget of 10 s ended before any candidate was finished.",
    ),
    # -- shuffled labels ---------------------------------------------------------------------------------------
    "C180": info(
        "Sanity check on shuffled labels passed: the error is at chance level. The nested error there is "
        "{error:percent} (95 % CI {interval:percent range}); the baseline has {chance:percent}. The CV error of the "
        "winner there is {winner:percent}, which selection makes optimistic.",
        error=0.502,
        interval=(0.46, 0.54),
        chance=0.5,
        winner=0.46,
    ),
    "C181": info(
        "Sanity check on shuffled labels passed: the loss is at chance level. The nested loss there is {cost:number} "
        "(95 % CI {interval:number range}); the cheapest action costs {chance:number}. The CV loss of the winner "
        "there is {winner:number}, which selection makes optimistic.",
        cost=0.702,
        interval=(0.66, 0.74),
        chance=0.7,
        winner=0.66,
    ),
    "C182": warning(
        "Sanity check on shuffled labels failed: the error is below chance level, so labels reach the model from "
        "outside the training folds. The nested error there is {error:percent} (95 % CI {interval:percent range}); the "
        "baseline has {chance:percent}. The CV error of the winner there is {winner:percent}.",
        error=0.3,
        interval=(0.25, 0.35),
        chance=0.5,
        winner=0.28,
    ),
    "C183": warning(
        "Sanity check on shuffled labels failed: the loss is below chance level, so labels reach the model from "
        "outside the training folds. The nested loss there is {cost:number} (95 % CI {interval:number range}); the "
        "cheapest action costs {chance:number}. The CV loss of the winner there is {winner:number}.",
        cost=0.3,
        interval=(0.25, 0.35),
        chance=0.7,
        winner=0.28,
    ),
    # -- the page ----------------------------------------------------------------------------------------------
    "C190": info("No warnings: no column is suspected of leakage, and no class is very small."),
    # -- runs that cannot be resumed, groups that are too few ---------------------------------------------------
    "C196": error("The run in {path!r} was made with other data; name another folder.", path="run"),
    "C197": error(
        "{n_folds} folds need at least {n_folds} groups, and {groups} has {n_groups}; use fewer folds, such as "
        "kfold:{n_groups}, or other groups.",
        n_folds=10,
        groups="'patient'",
        n_groups=4,
    ),
    # -- old names ---------------------------------------------------------------------------------------------
    "C195": warning(
        "Comparison.{old} is now called {new}; the old name will be removed.",
        old="honest_error",
        new="nested_error",
    ),
}
