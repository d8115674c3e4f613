"""Candidates by address: a function that makes an estimator, and what is said where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from assay.workbench.experiment.requested import make_estimator, with_own
from tests.raised import raises

MODULE = """
from sklearn.naive_bayes import GaussianNB

def make_model():
    return GaussianNB(var_smoothing=0.5)

def broken():
    raise OSError("the disk is gone")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "candidates_by_address.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "candidates_by_address"


def test_a_function_of_a_module_makes_the_estimator(module: str) -> None:
    made = make_estimator(f"{module}:make_model")
    assert isinstance(made, GaussianNB) and made.var_smoothing == 0.5


@pytest.mark.parametrize(("function", "kind"), [("broken", "OSError"), ("not_there", "AttributeError")])
def test_a_function_that_fails_is_named_with_its_error(module: str, function: str, kind: str) -> None:
    with raises("C407", address=f"{module}:{function}", kind=kind):
        make_estimator(f"{module}:{function}")


def test_a_module_that_is_not_there_is_named() -> None:
    with raises("C407", kind="ModuleNotFoundError"):
        make_estimator("no_such_module_anywhere:make_model")


@pytest.mark.parametrize("address", ["make_model", "mypackage.models:", ":make_model"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with raises("C406", address=address):
        make_estimator(address)


def test_two_candidates_of_one_name_are_refused(module: str) -> None:
    with raises("C409", name="make_model"):
        with_own(None, [f"{module}:make_model", f"{module}:make_model"])
