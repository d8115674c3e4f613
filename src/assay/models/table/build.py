"""From a catalog entry to a classifier of tables: encoder, steps and model put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from assay.models.base.card import ModelCard
from assay.models.base.estimators import clone
from assay.models.base.params import check_effects
from assay.models.base.table_steps import TABLE_STEPS
from assay.models.combine.one_vs_one import OneVsOne
from assay.models.combine.one_vs_rest import OneVsRest
from assay.models.features.basis import BasisExpansion
from assay.models.features.drop_reference import DropReference
from assay.models.features.fill_empty import FillEmpty
from assay.models.features.impute import Impute
from assay.models.features.no_columns import NoColumns
from assay.models.features.one_hot import OneHot
from assay.models.features.ordinal_codes import OrdinalCodes
from assay.models.features.scale import Standardize
from assay.models.features.select_by_information import DropRare
from assay.models.features.select_words import ChooseWords
from assay.models.features.table_encoder import TableEncoder
from assay.models.features.target_statistics import TargetStatistics
from assay.models.features.text_columns import Words
from assay.models.features.tf_idf import TfIdf
from assay.models.features.typed_table import Typed
from assay.models.table.table_classifier import TableClassifier
from assay.types import Parameters, RowClassifier, RowTransformer

# Names of parameters of the basis functions in a setting, and in their class.
BASIS_NAMES = {
    "basis": "kind",
    "basis_degree": "degree",
    "basis_centers": "n_centers",
    "basis_knots": "knots",
}
REDUCTIONS: dict[object, Callable[[RowClassifier], RowClassifier]] = {
    "one-vs-rest": OneVsRest,
    "one-vs-one": OneVsOne,
}


def build(entry: ModelCard, setting: Parameters | None = None, random_state: int = 0) -> TableClassifier:
    """The classifier that an entry stands for, not fitted.

    Examples
    --------
    >>> from assay.catalog import entry
    >>> [type(step).__name__ for step in build(entry("gaussian_shared")).steps]
    ['Impute', 'DropReference', 'Standardize']
    >>> build(entry("multinomial_nb"), {"max_words": 1000, "smoothing": 0.1}).steps
    [ChooseWords(max_words=1000)]
    """
    model = entry.model(setting, random_state)
    if entry.encoding == "own":
        assert isinstance(model, TableClassifier)
        return model
    chosen = entry.step_setting(setting)
    if entry.reads_words:
        words: list[RowTransformer] = [ChooseWords().set_params(**chosen)]
        words += [TfIdf()] if entry.encoding == "words-tfidf" else []
        return TableClassifier(encoder_for(entry), words, model)
    if chosen:
        check_effects(entry.name, TABLE_STEPS, {p.name: chosen.get(p.name, p.default) for p in TABLE_STEPS})
    if reduction := chosen.get("reduction"):
        model = REDUCTIONS[reduction](model)
    steps = [*_filling(entry), *_scaling(entry, chosen, random_state)]
    return TableClassifier(encoder_for(entry), steps, model)


def _filling(entry: ModelCard) -> Iterator[RowTransformer]:
    """Steps after which no value is missing."""
    products = entry.encoding == "products-reference"
    if entry.encoding.endswith("-reference"):
        yield Impute(indicator=not products)  # with products, flags are there already
        yield DropReference()
    elif entry.encoding == "onehot":
        yield Impute()
    elif entry.encoding == "levels-statistics":
        yield TargetStatistics()
    if entry.needs_values:
        yield FillEmpty()


def _scaling(entry: ModelCard, chosen: dict[str, Any], random_state: int) -> Iterator[RowTransformer]:
    """A filter of rare columns, scaling, and basis functions between two scalings."""
    if share := chosen.get("drop_rare"):
        yield DropRare(share, 1.0 - share)
    if entry.scaled:
        yield Standardize(chosen.get("scaling", "zscore"))
    if chosen.get("basis"):
        given = {BASIS_NAMES[name]: value for name, value in chosen.items() if name in BASIS_NAMES}
        yield BasisExpansion(random_state=random_state).set_params(**given)
        if entry.scaled:
            yield Standardize()


def parameter_path(entry: ModelCard, name: str, setting: Parameters | None = None) -> str:
    """The name by which the pipeline of an entry, in this setting, takes a parameter of the model or of a step.

    >>> from assay.catalog import entry
    >>> parameter_path(entry("multinomial_nb"), "max_words"), parameter_path(entry("logistic"), "l2")
    ('choosewords__max_words', 'l2')
    >>> parameter_path(entry("knn"), "scaling")
    'standardize__method'
    """
    if name in BASIS_NAMES:
        return f"basisexpansion__{BASIS_NAMES[name]}"
    if name == "scaling":
        return "standardize__method"
    if name == "drop_rare":
        return "droprare__min_share"
    if entry.step_setting({name: None}):
        return f"choosewords__{name}"
    return f"model__estimator__{name}" if (setting or {}).get("reduction") else name


def encoder_for(entry: ModelCard) -> TableEncoder:
    """How the table of an entry becomes numbers, not fitted."""
    if entry.encoding == "own":
        return clone(build(entry).encoder)
    others: dict[str, Callable[[], TableEncoder]] = {
        "levels": OrdinalCodes,
        "levels-statistics": lambda: OrdinalCodes(many_levels=True),
        "levels-flags": lambda: OrdinalCodes(flags=True),
        "table-flags": lambda: Typed(flags=True),
        "onehot-flags": lambda: OneHot(flags=True),
        "products-reference": lambda: OneHot(products=True),
        "words": Words,
        "words-tfidf": Words,
        "none": NoColumns,
    }
    return others.get(entry.encoding, OneHot)()
