"""From a catalog entry to a classifier of tables: encoder, steps and model put together."""

from __future__ import annotations

from collections.abc import Callable

from assay.models.base.card import ModelCard
from assay.models.base.estimators import clone
from assay.models.features.drop_reference import DropReference
from assay.models.features.fill_empty import FillEmpty
from assay.models.features.impute import Impute
from assay.models.features.no_columns import NoColumns
from assay.models.features.one_hot import OneHot
from assay.models.features.ordinal_codes import OrdinalCodes
from assay.models.features.scale import Standardize
from assay.models.features.select_words import ChooseWords
from assay.models.features.table_encoder import TableEncoder
from assay.models.features.text_columns import Words
from assay.models.features.typed_table import Typed
from assay.models.table.table_classifier import TableClassifier
from assay.types import Parameters, RowTransformer


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
    steps: list[RowTransformer] = []
    products = entry.encoding == "products-reference"
    if entry.encoding.endswith("-reference"):
        steps = [Impute(indicator=not products), DropReference()]  # with products, flags are there already
    elif entry.encoding == "onehot":
        steps = [Impute()]
    if entry.needs_values:
        steps.append(FillEmpty())
    if entry.scaled:
        steps.append(Standardize())
    if entry.encoding == "words":
        steps.append(ChooseWords().set_params(**entry.step_setting(setting)))
    return TableClassifier(encoder_for(entry), steps, entry.model(setting, random_state))


def parameter_path(entry: ModelCard, name: str) -> str:
    """The name by which the pipeline of an entry takes a parameter: a step's has the step before it.

    >>> from assay.catalog import entry
    >>> parameter_path(entry("multinomial_nb"), "max_words"), parameter_path(entry("logistic"), "l2")
    ('choosewords__max_words', 'l2')
    """
    return f"choosewords__{name}" if entry.step_setting({name: None}) else name


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
