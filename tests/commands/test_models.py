"""`assay models`: the catalog, whole and entry by entry."""

from __future__ import annotations

import pytest

from assay.catalog import cards, names
from tests.commands.conftest import Run


def test_every_model_is_listed_in_order(run: Run) -> None:
    done = run("models")
    assert (done.code, done.err) == (0, "")
    listed = [line.split()[0] for line in done.out.splitlines()[1 : 1 + len(cards())]]
    assert tuple(listed) == names()
    assert done.out.isascii()


def test_quiet_prints_names_only(run: Run) -> None:
    assert run("models", "--quiet").out.split() == list(names())


@pytest.mark.parametrize("name", names())
def test_a_model_is_told_with_parameters_bounds_and_tuning(run: Run, name: str) -> None:
    shown, figures = run("models", name), run("models", name, "--json").json["models"][0]
    entry = next(each for each in cards() if each.name == name)
    assert (shown.code, shown.err) == (0, "")
    assert entry.interpretability in shown.text
    for param in entry.free_parameters():
        assert f"  {param.name} " in shown.out
    assert [param["name"] for param in figures["parameters"]] == [p.name for p in entry.free_parameters()]
    assert figures["settings"] == len(entry.settings())
    assert figures["folds_share"] in shown.text
    for each in entry.tuning:
        assert figures["tuning"][each.name] == list(each.values)


def test_json_lists_all(run: Run) -> None:
    parsed = run("models", "--json").json
    assert [each["name"] for each in parsed["models"]] == list(names())


def test_an_unknown_name_suggests_the_nearest(run: Run) -> None:
    done = run("models", "gausian_nb")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == "assay: Unknown model 'gausian_nb'. Did you mean 'gaussian_nb'"
        + (done.err.partition("'gaussian_nb'")[2])
    )
    assert done.err.count("\n") == 1
