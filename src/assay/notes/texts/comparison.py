"""Texts of notes about the result of a comparison: verdict, differences, omitted candidates, shuffled labels."""

from __future__ import annotations

from assay.notes.texts.text import Texts, info, warning

CI = (0.007, 0.057)
COST_CI = (0.062, 0.257)

TEXTS: Texts = {
    "C194": info(
        "Assay {version}, which made this run, did not store how much losses differ between training sets: its "
        "intervals are those of {factor:.1f} times fewer rows. A run of this version measures it.",
        version="0.3.0",
        factor=1.6,
    ),
    "C100": info(
        "{notes:sentences}", notes=("Use Logistic regression.", "Every simpler candidate is worse.")
    ),
    # -- the verdict: which candidate to use -------------------------------------------------------------------
    "C101": info(
        "Use {title}. Error rate on new data: {error:percent} (95 % CI {interval:percent range}).",
        title="Fisher's discriminant",
        error=0.02,
        interval=CI,
    ),
    "C102": info(
        "Use {title}. Expected cost per new row: {cost:number} (95 % CI {interval:number range}).",
        title="Logistic regression",
        cost=0.137,
        interval=COST_CI,
    ),
    "C103": info(
        "Always predicting the most frequent class has an error rate of {error:percent}.", error=0.373
    ),
    "C104": info("Always taking the cheapest action costs {cost:number} per row.", cost=0.627),
    "C105": info(
        "The most probable class is wrong for {error:percent} of new rows (95 % CI {interval:percent range}).",
        error=0.021,
        interval=CI,
    ),
    "C106": info(
        "Use none of these candidates. Choosing among them has an error rate of {error:percent} on new data "
        "(95 % CI {interval:percent range}).",
        error=0.51,
        interval=(0.45, 0.57),
    ),
    "C107": info(
        "Use none of these candidates. Choosing among them costs {cost:number} per new row "
        "(95 % CI {interval:number range}).",
        cost=0.71,
        interval=(0.65, 0.77),
    ),
    "C108": info(
        "Use none of these candidates. None is better than always predicting the most frequent class, which has an "
        "error rate of {error:percent} (95 % CI {interval:percent range}).",
        error=0.5,
        interval=(0.44, 0.56),
    ),
    "C109": info(
        "Use none of these candidates. None is better than always taking the cheapest action, which costs "
        "{cost:number} per new row (95 % CI {interval:number range}).",
        cost=0.7,
        interval=(0.64, 0.76),
    ),
    "C110": info(
        "Only the baseline was evaluated. It always predicts the most frequent class and has an error rate of "
        "{error:percent} (95 % CI {interval:percent range}).",
        error=0.5,
        interval=(0.44, 0.56),
    ),
    "C111": info(
        "Only the baseline was evaluated. It always takes the cheapest action and costs {cost:number} per new row "
        "(95 % CI {interval:number range}).",
        cost=0.7,
        interval=(0.64, 0.76),
    ),
    "C112": info(
        "With {columns:columns} the error rate is {error:percent}, which holds only if these values are known before "
        "the outcome.",
        columns=("boat", "body"),
        error=0.023,
    ),
    "C113": info(
        "With {columns:columns} the cost per row is {cost:number}, which holds only if these values are known before "
        "the outcome.",
        columns=("boat", "body"),
        cost=0.05,
    ),
    "C116": info(
        "For want of time it is trained on a stratified sample of {rows:count row} out of {total:count}, and so is the "
        "model in the file; it was tested on all rows.",
        rows=9000,
        total=92962,
    ),
    "C114": warning(
        "{n_names} of {total:count candidate} were not evaluated for want of time: {names:listed}. To go on: {call}",
        shell="{n_names} of {total:count candidate} were not evaluated for want of time: {names:listed}. To go on: "
        "{command}",
        names=("gradient_boosting", "knn"),
        n_names=2,
        total=21,
        call="assay.compare('a.csv', target='y', out='run', resume=True, budget='30m')",
        command="assay compare a.csv --target y --out run --resume --budget 30m",
    ),
    "C115": warning(
        "The run was interrupted after {done} of {total:count candidate}; {names:listed} were not evaluated. To go on: "
        "{call}",
        shell="The run was interrupted after {done} of {total:count candidate}; {names:listed} were not evaluated. "
        "To go on: {command}",
        names=("gradient_boosting", "knn"),
        done=5,
        total=24,
        call="assay.compare('a.csv', target='y', out='run', resume=True)",
        command="assay compare a.csv --target y --out run --resume",
    ),
    # -- the verdict: what else would do -----------------------------------------------------------------------
    "C120": info("Try candidates that use the columns."),
    "C121": info(
        "Either the columns do not separate the classes, or more rows are needed to show it.",
    ),
    "C122": warning(
        "It is not significantly better than the baseline ({error:percent} against {baseline:percent}). Collect more "
        "rows or better columns before relying on it.",
        error=0.31,
        baseline=0.33,
    ),
    "C123": warning(
        "It is not significantly better than the baseline ({cost:number} against {baseline:number}). Collect more "
        "rows or better columns before relying on it.",
        cost=0.61,
        baseline=0.627,
    ),
    "C117": info("Prefer it if interpretability matters."),
    "C131": info("Every simpler candidate is significantly worse."),
    # -- the choice: CV loss of the winner, nested estimate, selection bias --------------------------------------
    "C133": info(
        "The final hyperparameters of {model} have a CV error of {error:percent} on the folds that selected them.",
        model="logistic (l2=0.01)",
        error=0.019,
    ),
    "C134": info(
        "The final hyperparameters of {model} have a CV loss of {cost:number} on the folds that selected them.",
        model="logistic (l2=0.01)",
        cost=0.131,
    ),
    "C135": info(
        "The final hyperparameters of {model} have an error of {error:percent} on the validation rows that selected "
        "them.",
        model="logistic (l2=0.01)",
        error=0.019,
    ),
    "C136": info(
        "The final hyperparameters of {model} have a loss of {cost:number} on the validation rows that selected them.",
        model="logistic (l2=0.01)",
        cost=0.131,
    ),
    "C137": info(
        "Nested cross-validation estimates an error rate of {error:percent} (95 % CI {interval:percent range}). "
        "Selection bias: {bias:signed points}.",
        error=0.021,
        interval=CI,
        bias=0.002,
    ),
    "C138": info(
        "Nested cross-validation estimates a loss of {cost:number} (95 % CI {interval:number range}). Selection bias: "
        "{bias:+.3g}.",
        cost=0.137,
        interval=COST_CI,
        bias=0.006,
    ),
    "C139": info(
        "The error rate on the test rows is {error:percent} (95 % CI {interval:percent range}). Selection bias: "
        "{bias:signed points}.",
        error=0.021,
        interval=(0.007, 0.057),
        bias=0.002,
    ),
    "C140": info(
        "The loss on the test rows is {cost:number} (95 % CI {interval:number range}). Selection bias: {bias:+.3g}.",
        cost=0.137,
        interval=(0.062, 0.257),
        bias=0.006,
    ),
    # -- differences between candidates ------------------------------------------------------------------------
    "C141": info(
        "{one} and {other} are practically equivalent. Their error rates differ by less than {margin:points} with "
        "probability {probability:probability}.",
        one="Gaussian naive Bayes",
        other="Logistic regression",
        margin=0.01,
        probability=0.97,
    ),
    "C142": info(
        "{one} and {other} are practically equivalent. Their mean losses differ by less than {margin:.3g} with "
        "probability {probability:probability}.",
        one="Gaussian naive Bayes",
        other="Logistic regression",
        margin=0.05,
        probability=0.97,
    ),
    "C143": info(
        "{better} is better than {worse}, by more than {margin:points} with probability {probability:probability}.",
        better="Logistic regression",
        worse="Most frequent class",
        margin=0.01,
        probability=0.999,
    ),
    "C144": info(
        "{better} is better than {worse}, by more than {margin:.3g} with probability {probability:probability}.",
        better="Logistic regression",
        worse="Most frequent class",
        margin=0.05,
        probability=0.999,
    ),
    "C145": info(
        "{better} is better than {worse} ({tests:p-values}), but the difference may be less than {margin:points}.",
        better="Logistic regression",
        worse="Gaussian naive Bayes",
        tests={"corrected t-test": 0.03, "McNemar": 0.02},
        margin=0.01,
    ),
    "C146": info(
        "{better} is better than {worse} ({tests:p-values}), but the difference may be less than {margin:.3g}.",
        better="Logistic regression",
        worse="Gaussian naive Bayes",
        tests={"corrected t-test": 0.03},
        margin=0.05,
    ),
    "C147": info(
        "No evidence that {better} is better than {worse} ({tests:p-values}).",
        better="Logistic regression",
        worse="Gaussian naive Bayes",
        tests={"corrected t-test": 0.15, "McNemar": 0.12},
    ),
    "C148": info(
        "No evidence that {better} and {worse} differ ({tests:p-values}).",
        better="Logistic regression",
        worse="Gaussian naive Bayes",
        tests={"corrected t-test": 1.0, "McNemar": 1.0},
    ),
    "C149": info("{title} is simpler.", title="Gaussian naive Bayes"),
}
