"""Classifiers of tables for the tests of several folders."""

from __future__ import annotations

from typing import Any

from assay import DropReference, Impute, OneHot, TableClassifier


def linear(model: Any, *more: Any) -> TableClassifier:
    return TableClassifier(OneHot(), [Impute(indicator=True), DropReference(), *more], model)
