"""From a catalog entry to a classifier of tables: encoder, steps and model put together."""

from __future__ import annotations

from collections.abc import Callable

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
from assay.models.features.text_columns import Words
from assay.models.features.typed_table import Typed
from assay.models.table.table_classifier import TableClassifier
from assay.types import Estimator, Parameters

# Names of parameters of the basis functions in a setting, and in their class.
BASIS_NAMES = {
    "basis": "kind",
    "basis_degree": "degree",
    "basis_centers": "n_centers",
    "basis_knots": "knots",
}
REDUCTIONS: dict[str, type[OneVsOne] | type[OneVsRest]] = {"one-vs-rest": OneVsRest, "one-vs-one": OneVsOne}


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
    if entry.encoding == "own":
        model = entry.model(setting, random_state)
        assert isinstance(model, TableClassifier)
        return model
    steps: list[Estimator] = []
    products = entry.encoding == "products-reference"
    if entry.encoding.endswith("-reference"):
        steps = [Impute(indicator=not products), DropReference()]  # with products, flags are there already
    elif entry.encoding == "onehot":
        steps = [Impute()]
    if entry.needs_values:
        steps.append(FillEmpty())
    chosen = entry.step_setting(setting)
    if entry.encoding == "words":
        steps.append(ChooseWords().set_params(**chosen))
        chosen = {}
    elif chosen:
        check_effects(entry.name, TABLE_STEPS, {p.name: chosen.get(p.name, p.default) for p in TABLE_STEPS})
    if share := chosen.get("drop_rare"):
        steps.append(DropRare(share, 1.0 - share))
    if entry.scaled:
        steps.append(Standardize())
    if chosen.get("basis"):
        steps.append(_basis(chosen, random_state))
        steps += [Standardize()] if entry.scaled else []
    model = entry.model(setting, random_state)
    if chosen.get("reduction"):
        model = REDUCTIONS[chosen["reduction"]](model)
    return TableClassifier(encoder_for(entry), steps, model)


def _basis(chosen: Parameters, random_state: int) -> BasisExpansion:
    """The basis functions of a setting."""
    given = {BASIS_NAMES[name]: value for name, value in chosen.items() if name in BASIS_NAMES}
    return BasisExpansion(random_state=random_state).set_params(**given)


def parameter_path(entry: ModelCard, name: str, setting: Parameters | None = None) -> str:
    """The name by which the pipeline of an entry, in this setting, takes a parameter of the model or of a step.

    >>> from assay.catalog import entry
    >>> parameter_path(entry("multinomial_nb"), "max_words"), parameter_path(entry("logistic"), "l2")
    ('choosewords__max_words', 'l2')
    """
    if name in BASIS_NAMES:
        return f"basisexpansion__{BASIS_NAMES[name]}"
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
        "levels-flags": lambda: OrdinalCodes(flags=True),
        "table-flags": lambda: Typed(flags=True),
        "onehot-flags": lambda: OneHot(flags=True),
        "products-reference": lambda: OneHot(products=True),
        "words": Words,
        "none": NoColumns,
    }
    return others.get(entry.encoding, OneHot)()
