"""The catalog: an explicit list that agrees with the classes it names."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from assay import catalog
from assay.catalog import ModelCard
from assay.models.base.estimators import Model
from tests.raised import raises
from tests.realdata import ROOT


@pytest.mark.parametrize("entry", catalog.cards(), ids=lambda entry: entry.name)
def test_entry_agrees_with_its_class(entry: ModelCard) -> None:
    model = entry.model()
    if entry.calibrates:
        twin = catalog.entry(entry.calibrates)
        assert (entry.parameters, entry.fixed, entry.tuning) == (twin.parameters, twin.fixed, twin.tuning)
        assert hasattr(model, "predict_proba") and not hasattr(twin.model(), "predict_proba")
        model = model.estimator
    if isinstance(model, Model):
        assert entry.parameters == model.params
    known = inspect.signature(type(model)).parameters
    for param in entry.parameters:
        assert param.name in known
        if param.name != "random_state":
            assert param.default == known[param.name].default or param.name in entry.fixed
    assert ("posterior" in entry.capabilities) == hasattr(entry.model(), "predict_proba")


@pytest.mark.parametrize("entry", catalog.cards(), ids=lambda entry: entry.name)
def test_every_setting_is_allowed(entry: ModelCard) -> None:
    settings = entry.settings()
    assert len({repr(setting) for setting in settings}) == len(settings)
    for setting in settings:
        entry.model(setting)


def test_a_calibrated_model_is_known_by_its_entry_and_tried_where_posteriors_are_needed() -> None:
    calibrated, margins = catalog.entry("calibrated_svm"), catalog.entry("linear_svm")
    assert calibrated.describes(calibrated.model()) and not calibrated.describes(margins.model())
    assert margins.describes(margins.model({"l2": 0.5})) and not margins.describes(calibrated.model())
    assert calibrated in catalog.default_candidates(
        posteriors=True
    ) and calibrated not in catalog.default_candidates(posteriors=False)
    tried = {card.name for card in catalog.default_candidates(posteriors=False)}
    assert {*catalog.names()} - tried == {"calibrated_svm", "calibrated_kernel_svm", "calibrated_tfidf_svm"}


def test_names_are_distinct_and_found() -> None:
    assert len(set(catalog.names())) == len(catalog.cards())
    assert catalog.entry("gaussian_nb").title == "Gaussian naive Bayes"


def test_every_card_of_a_method_file_is_listed_where_it_stands() -> None:
    models = ROOT / "src" / "assay" / "models"
    files = [path for path in models.rglob("*.py") if "\nCARDS = (" in path.read_text(encoding="utf-8")]
    listed: dict[str, str] = {}
    for path in files:
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        listed |= {card.name: module for card in importlib.import_module(module).CARDS}
    assert listed == catalog.MODULES


def test_unknown_names_and_parameters_are_explained() -> None:
    with raises("C062"):
        catalog.entry("random-forrest")
    with raises("M002", parameter="covariance"):
        catalog.entry("gaussian_full").model({"covariance": "shared"})
    with raises("M023", expectation="a number of at least 0"):
        catalog.entry("least_squares").model({"l2": -1.0})


def test_catalog_loads_no_model() -> None:
    code = "import sys, assay.catalog as c; c.names(); sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_settings_of_earlier_versions_are_understood() -> None:
    model = catalog.entry("gaussian_mixture").model({"n_blobs": 3, "covariance": "diagonal"})
    assert (model.n_components, model.covariance) == (3, "diagonal")
    with raises("M002", parameter="n_bloobs"):
        catalog.entry("gaussian_mixture").check({"n_bloobs": 3})


OF_OTHERS = """
from assay.catalog import ModelCard, Range
from sklearn.tree import DecisionTreeClassifier

def card(name):
    return ModelCard(name=name, title=name.title(), estimator=DecisionTreeClassifier, family="trees", parameters=(),
                     encoding="levels", capabilities=frozenset({"posterior"}))

TWIG, BUSH, KNN = card("twig"), card("bush"), card("knn")
"""


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Registers "name = module:object" of a module of cards beside another that cannot be imported."""
    (tmp_path / "cards_of_others.py").write_text(OF_OTHERS)
    (tmp_path / "cannot_be_imported.py").write_text("import a_package_that_is_not_there\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    caches = (catalog.registered, catalog.registration_notes, catalog.cards, catalog._load)

    def register(*points: str) -> None:
        found = [EntryPoint(*point.split(" = "), group=catalog.GROUP) for point in points]
        monkeypatch.setattr(catalog, "entry_points", lambda group: found)
        for cached in caches:
            cached.cache_clear()

    yield register
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


def test_cards_of_other_packages_follow_ours(others: Callable[..., None]) -> None:
    ours = catalog.names()
    others("twig = cards_of_others:TWIG", "bush = cards_of_others:BUSH")
    assert catalog.names() == (*ours, "bush", "twig")
    assert [card.name for card in catalog.cards()[-2:]] == ["bush", "twig"]
    twig = catalog.entry("twig")
    assert (twig.reading, twig.interpretability) == ("unknown", "unknown")
    assert twig.complexity > max(card.complexity for card in catalog.cards()[:-2])
    assert catalog.registration_notes() == ()


def test_a_card_that_cannot_be_loaded_is_named_and_left_out(others: Callable[..., None]) -> None:
    ours = len(catalog.cards())
    others("twig = cannot_be_imported:TWIG", "bush = cards_of_others:NOTHING", "tree = cards_of_others:TWIG")
    assert len(catalog.cards()) == ours
    assert [(note.code, note.values["name"]) for note in catalog.registration_notes()] == [
        ("C415", "bush"), ("C417", "tree"), ("C415", "twig"),
    ]  # fmt: skip
    with raises("C415", name="twig", kind="ModuleNotFoundError"):
        catalog.entry("twig")


def test_a_card_replaces_none_of_ours_and_no_earlier_one(others: Callable[..., None]) -> None:
    knn = catalog.entry("knn")
    others("knn = cards_of_others:KNN", "twig = cards_of_others:TWIG", "twig = cannot_be_imported:TWIG")
    assert catalog.entry("knn") is knn
    assert [(note.code, note.values["name"]) for note in catalog.registration_notes()] == [
        ("C416", "knn"), ("C416", "twig"), ("C415", "twig"),
    ]  # fmt: skip
