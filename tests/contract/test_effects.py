"""Parameters that have no effect under the others are refused in one sentence, and never set by the catalog."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay import KernelSVM, LinearSVM, evaluate, load, save
from assay.catalog import cards
from assay.main import main
from assay.models.base.estimators import Model
from assay.models.base.params import Param
from tests.raised import raises

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(40, 3)), np.arange(40) % 2
CLASSES = [
    cls
    for cls in (getattr(assay, name) for name in assay.__all__)
    if inspect.isclass(cls) and issubclass(cls, Model)
]
CONDITIONAL = [(cls, param) for cls in CLASSES for param in cls.params if param.only_if]


def other_value(param: Param) -> Any:
    """An allowed value that is not the default."""
    given = {
        "weights": np.zeros((1, 4)), "gamma": 0.5, "functions": np.sin, "levels": [0], "bool": not param.default
    }  # fmt: skip
    if param.kind == "choice":
        return next(choice for choice in param.choices if choice != param.default)
    if param.kind in given:
        return given[param.kind]
    default = param.low if param.default is None else param.default
    return default + 1 if param.kind == "int" else (default or 0.0) / 2 + 0.3


def without_effect(param: Param, cls: Any, name: str, effective: tuple[Any, ...]) -> Any:
    """A value of the other parameter under which this one has no effect."""
    other = next(each for each in cls.params if each.name == name)
    if other.kind == "centers":
        return X[:8]
    if other.kind in ("float", "gamma"):
        return 0.5
    if other.kind == "components":
        return 2
    values = (False, True) if other.kind == "bool" else other.choices
    return next(value for value in values if value not in effective)


@pytest.mark.parametrize(("cls", "param"), CONDITIONAL, ids=lambda each: getattr(each, "name", None))
def test_a_parameter_without_an_effect_is_refused(cls: Any, param: Param) -> None:
    assert all(name in {each.name for each in cls.params} for name, _ in param.only_if)
    for name, effective in param.only_if:
        settings = {param.name: other_value(param), name: without_effect(param, cls, name, effective)}
        wanted = " or ".join(map(repr, effective))
        with raises("M024", owner=cls.__name__, name=param.name, other=name, effective=wanted):
            cls(**settings).fit(X, Y)


def test_the_pairs_that_are_known() -> None:
    """What is declared, by class: a parameter that joins another solver or kernel belongs here too."""
    names = {cls.__name__: {param.name for c, param in CONDITIONAL if c is cls} for cls, _ in CONDITIONAL}
    assert names == {
        "BasisExpansion": {"degree", "functions", "include_original", "knots", "n_centers", "width"},
        "GaussianClassifier": {"blend", "shrinkage"},
        "GaussianMixtureClassifier": {"max_components"},
        "Hierarchy": {"linkage"},
        "KMeans": {"n_starts"},
        "KNeighborsClassifier": {"categorical_features"},
        "KernelSVM": {"coef0", "degree", "gamma", "gamma_factor", "l2"},
        "LinearSVM": {"epochs", "first_epoch", "m", "n", "start", "steps_per_epoch"},
        "NeuralNetwork": {"momentum", "validation_share"},
        "SelectByInformation": {"bins"},
        "Standardize": {"variance"},
    }


@pytest.mark.parametrize("entry", cards(), ids=lambda entry: entry.name)
def test_the_catalog_sets_no_parameter_without_an_effect(entry: Any) -> None:
    declared = {param.name: param for param in entry.parameters}
    defaults = {name: param.default for name, param in declared.items()}
    for setting in entry.settings():
        values = {**defaults, **entry.fixed, **{k: v for k, v in setting.items() if k in defaults}}
        for param in declared.values():
            param.check_effect(entry.name, values)


def test_evaluations_refuse_it_too() -> None:
    for model in (KernelSVM(degree=2), LinearSVM(m=2.0)):
        with raises("M024"):
            evaluate(model, X, Y, 2)


def test_files_of_models_with_such_a_parameter_still_load(tmp_path: Path) -> None:
    model = KernelSVM().fit(X, Y)
    model.coef0 = 3.0  # as an earlier version would have fitted it
    save(model, tmp_path / "old.assay")
    assert load(tmp_path / "old.assay").coef0 == 3.0


def test_the_command_line_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "a,b,y\n" + "\n".join(f"{x:.3f},{z:.3f},{'pq'[y]}" for (x, z, _), y in zip(X, Y, strict=True))
    )
    fit = ["fit", str(table), "--target", "y", "--model", "linear_svm", "--out", str(tmp_path / "m.assay")]
    assert main([*fit, "--set", "m=99", "--set", "epochs=1"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "linear_svm has no parameter 'm'" in said and "Traceback" not in said
    fit[fit.index("linear_svm")] = "kernel_svm"
    assert main([*fit, "--set", "C=2", "--set", "l2=0.1"]) == 2
    assert (
        "KernelSVM(l2=0.1) has no effect with C=2.0; leave l2 out, or give C=None." in capsys.readouterr().err
    )
    assert main(["models", "kernel_svm"]) == 0
    listed = capsys.readouterr().out
    names = {words[0] for words in map(str.split, listed.splitlines()) if words}
    assert "(gamma scale)" in listed and "gamma_factor" in names and not {"degree", "coef0"} & names
