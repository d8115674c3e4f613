"""Tune a model: every setting evaluated on the same folds, by whatever the settings can share.

Penalties of linear models are solved together with all folds; models solved from moments share one pass; others are
refitted. The figure of the chosen setting is a little too good, since it was chosen by it: `nested` and `compare` test
the choice on rows that had no say in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import features_and_labels
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import check_classifier, clone, fit_weighted, parts_of
from assay.models.base.keywords import current_names, explained, sklearn_advice
from assay.plans import KFold, as_plan
from assay.selection.criteria import check_rule, choose
from assay.selection.drawn import Drawn
from assay.selection.evaluation import Evaluation
from assay.selection.nested import nest
from assay.selection.penalty_path import Path
from assay.selection.studies import dataset_of, deciding, evaluations
from assay.selection.three_parts import choose_in_parts
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits
from assay.sharing.study import Study

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tuned(Drawn):
    """Every setting on the same folds, and the one to use.

    Attributes
    ----------
    settings : list of dict
    evaluations : list of Evaluation
    losses, errors, standard_errors : (S,)
        Mean loss and error of each setting, and the standard error of its loss.
    chosen : int
    model : estimator
        The chosen setting, fitted to all rows.
    rule : "min" or "one_se"
    test : Evaluation or None
        Under `TrainValidationTest`, the chosen setting on the test part.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, tune
    >>> found = tune(GaussianNB(), *load_iris(return_X_y=True), variance_floor=[0.1, 0.01])
    >>> found.setting, round(found.errors[found.chosen] * 150)
    ({'variance_floor': 0.1}, 8)
    """

    settings: list[dict[str, Any]]
    evaluations: list[Evaluation]
    losses: Array
    errors: Array
    standard_errors: Array
    chosen: int
    model: Any
    rule: str
    test: Evaluation | None = None

    @property
    def setting(self) -> dict[str, Any]:
        """The chosen setting."""
        return self.settings[self.chosen]

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.setting.items())
        test = "" if self.test is None else f", test error {self.test.error:.4f}"
        return (
            f"Tuned({told}; error {self.errors[self.chosen]:.4f}, {_count(self.settings)}, {self.rule}{test})"
        )


@explained
def tune(
    model: Any,
    X: Any,
    y: Any,
    *,
    plan: Any = None,
    loss: Any = None,
    priors: Any = None,
    rule: str = "min",
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: Any,
) -> Tuned:
    """Choose among settings by cross-validation.

    Parameters
    ----------
    model : estimator or pipeline
        Ranges of a pipeline name parameters of its last part, or of a part as ``part__name``.
    X, y, plan, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`. `TrainValidationTest` fits every setting to the training part, chooses on the validation part,
        and tests the chosen one, once, on the test part.
    rule : "min" or "one_se"
        The setting of least loss; or the first one listed, so list the simplest first, whose loss is within one
        standard error of it.
    **ranges
        Values of each parameter; ``l2=path(20)`` for penalties.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import KFold, LogisticRegression, path, tune
    >>> X, y = load_iris(return_X_y=True)
    >>> found = tune(LogisticRegression(), X, y, l2=path(8), plan=KFold(10), rule="one_se")
    >>> len(found.settings), found.evaluations[0].strategy
    (8, 'path')
    >>> from assay import TrainValidationTest
    >>> found = tune(LogisticRegression(), X, y, l2=path(8), plan=TrainValidationTest((0.5, 0.25, 0.25)))
    >>> round(found.test.error, 3), [round(end, 3) for end in found.test.error_interval]
    (0.0, [0.0, 0.092])
    """
    check_rule(rule)
    X, y = features_and_labels(X, y)
    settings = settings_of(model, X, y, ranges)
    models = [clone(model).set_params(**setting) for setting in settings]
    named = Settings.of(_named(settings, models))
    chosen_plan = KFold(10) if plan is None else as_plan(plan)
    data = dataset_of(X, y, sample_weight, groups, LocalEngine(n_jobs, progress))
    decision = deciding(loss, priors, data.classes)
    splits = Splits.of(
        chosen_plan, data.codes, data.groups, classes=data.classes, nested=chosen_plan.in_parts
    )
    study, test = Study(data, splits), None
    if splits.chosen_only:
        parts = choose_in_parts(study, named, chosen_plan, *decision, rule)
        found, test = parts.validation, replace(parts.test, name=type(model).__name__)
    else:
        found = evaluations(named, study, chosen_plan, *decision)
    losses, errors = np.array([each.loss_and_error for each in found]).T
    chosen = choose(losses, errors, rule)
    best = _fitted(models[chosen], X, y, sample_weight)
    wrong = np.array([each.error for each in found])
    return Tuned(settings, found, losses, wrong, errors, chosen, best, rule, test)


@dataclass(frozen=True, eq=False)
class NestedTuning(Drawn):
    """A choice among settings, and what it is worth on rows that had no say in it.

    Attributes
    ----------
    settings : list of dict
    evaluation : Evaluation
        Every row tested by a setting that was chosen without it.
    chosen : (splits,)
        Setting that each outer split chose.
    losses, errors, standard_errors : (S,)
        Each setting on the outer folds.
    final : int
        The setting to use, by the rule on these.
    model : estimator
        The final setting, fitted to all rows.
    optimism : float
        Loss of the evaluation less that of the final setting: how much the choice flatters itself.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from assay import GaussianClassifier, KFold, nested
    >>> X, y = load_wine(return_X_y=True)
    >>> found = nested(GaussianClassifier(), X, y, plan=KFold(5), blend=[0.0, 0.5, 1.0])
    >>> found.wins, found.error
    ([1, 4, 0], 0.0)
    """

    settings: list[dict[str, Any]]
    evaluation: Evaluation
    chosen: NDArray[np.intp]
    losses: Array
    errors: Array
    standard_errors: Array
    final: int
    model: Any
    optimism: float

    @property
    def setting(self) -> dict[str, Any]:
        """The final setting."""
        return self.settings[self.final]

    @property
    def wins(self) -> list[int]:
        """How many of the outer splits chose each setting."""
        return [int(count) for count in np.bincount(self.chosen, minlength=len(self.settings))]

    @property
    def error(self) -> float:
        """The honest error: that of the whole procedure."""
        return self.evaluation.error

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.setting.items())
        return f"NestedTuning({told}; honest error {self.error:.4f}, {_count(self.settings)})"


@explained
def nested(
    model: Any,
    X: Any,
    y: Any,
    *,
    plan: Any = None,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    rule: str = "min",
    inner: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: Any,
) -> NestedTuning:
    """Tune a model inside every fold, and test what was chosen on the fold.

    The inner folds follow from the plan and the data alone: the other outer folds where these are three to ten,
    five drawn ones under any other plan, expanding windows where training rows precede the tested ones.

    Parameters
    ----------
    model, X, y, loss, priors, sample_weight, groups, n_jobs, progress, **ranges
        As in `tune`.
    rule : "min" or "one_se"
        As in `tune`; it is followed inside every fold, too.
    plan : plan, default KFold(10)
        Any plan whose tests are folds, a hold-out, or `TrainValidationTest`, whose validation part takes the place of
        the folds.
    inner : int, optional
        Number of inner folds, drawn once for all outer ones, in place of those that follow from the plan.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import LogisticRegression, nested, path
    >>> found = nested(LogisticRegression(), *load_iris(return_X_y=True), l2=path(8))
    >>> round(found.error, 3), sum(found.wins)
    (0.04, 10)
    """
    check_rule(rule)
    X, y = features_and_labels(X, y)
    settings = settings_of(model, X, y, ranges)
    models = [clone(model).set_params(**setting) for setting in settings]
    options = {"loss": loss, "priors": priors, "sample_weight": sample_weight, "groups": groups, "rule": rule}
    chosen_plan = KFold(10) if plan is None else as_plan(plan)
    found = nest(
        type(model).__name__,
        models,
        X,
        y,
        chosen_plan,
        inner=inner,
        n_jobs=n_jobs,
        progress=progress,
        **options,
    )
    best = models[found.final]
    _fitted(best, X, y, sample_weight)
    return NestedTuning(
        settings, found.evaluation, found.chosen, found.losses, found.errors, found.standard_errors, found.final, best,
        found.optimism,
    )  # fmt: skip


def _named(settings: list[dict[str, Any]], models: list[Any]) -> dict[str, Any]:
    """Models by their settings in words; a setting that is listed twice is told apart by its place."""
    found: dict[str, Any] = {}
    for s, (setting, model) in enumerate(zip(settings, models, strict=True)):
        told = ", ".join(f"{name}={value!r}" for name, value in setting.items())
        found[told if told not in found else f"{told} #{s + 1}"] = model
    return found


def _count(settings: list[dict[str, Any]]) -> str:
    return f"{len(settings)} setting{'s' if len(settings) != 1 else ''}"


def settings_of(model: Any, X: Any, y: Any, ranges: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every combination of the ranges, by the names that `set_params` takes."""
    check_classifier(model)
    if not hasattr(model, "get_params"):
        raise TypeError(f"{type(model).__name__} has no get_params, so there is no parameter to tune.")
    if not ranges:
        raise ValueError("There is nothing to tune; give a range, such as l2=path(20).")
    parts = parts_of(model)
    known = model.get_params()
    last = parts[-1][1] if parts else model
    listed = {}
    for name, values in current_names(getattr(last, "params", ()), ranges, type(last).__name__).items():
        full = f"{parts[-1][0]}__{name}" if parts and "__" not in name else name
        if full not in known:
            raise ValueError(
                f"{type(model).__name__} has no parameter {name!r} to tune; "
                + (sklearn_advice(type(last), name) or _known(known, parts, name))
            )
        if isinstance(values, Path):
            values = values.before(_before(parts, full), X, y, name)
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise ValueError(f"{name}={values!r} is not a range; give a list of values.")
        listed[full] = [value.item() if isinstance(value, np.generic) else value for value in values]
        if not listed[full]:
            raise ValueError(f"The range of {name} is empty; give at least one value.")
    return [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]


def _before(parts: list[tuple[str, Any]], full: str) -> list[Any]:
    """The steps before the part that a parameter is of."""
    return [part for _, part in takewhile(lambda each: not full.startswith(f"{each[0]}__"), parts)]


def _known(known: Mapping[str, Any], parts: list[tuple[str, Any]], name: str) -> str:
    """The parameters there are: those that are spelled alike, else all of the model itself."""
    last = f"{parts[-1][0]}__" if parts and "__" not in name else ""
    names = sorted(each.removeprefix(last) for each in known if each.startswith(last))
    near = get_close_matches(name, names, n=2, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"it has {', '.join(repr(each) for each in names if '__' not in each) or 'none'}."


def _fitted(model: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    return fit_weighted(model, X, y, weight)
