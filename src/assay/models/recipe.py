"""From a catalog entry to a classifier of tables: encoder, steps and model put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.models.catalog import Entry
from assay.models.features.empty import FillEmpty
from assay.models.features.impute import Impute
from assay.models.features.levels import Levels
from assay.models.features.onehot import OneHot
from assay.models.features.reference import DropReference
from assay.models.features.scale import Standardize
from assay.models.table import TableClassifier


def build(entry: Entry, setting: Mapping[str, Any] | None = None, random_state: int = 0) -> TableClassifier:
    """The classifier that an entry stands for, not fitted.

    Examples
    --------
    >>> from assay.models.catalog import entry
    >>> [type(step).__name__ for step in build(entry("gaussian_shared")).steps]
    ['Impute', 'DropReference', 'Standardize']
    """
    steps: list[Any] = []
    products = entry.encoding == "products-reference"
    if entry.encoding.endswith("-reference"):
        steps = [Impute(indicator=not products), DropReference()]  # with products, flags are there already
    if entry.needs_values:
        steps.append(FillEmpty())
    if entry.scaled:
        steps.append(Standardize())
    encoder = Levels() if entry.encoding == "levels" else OneHot(products=products)
    return TableClassifier(encoder, steps, entry.model(setting, random_state))
