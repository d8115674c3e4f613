"""Texts that are cut into words once for a nested choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.models.base import Pipeline, parts_of
from assay.models.features.choose_words import ChooseWords
from assay.models.features.text import TextCounts
from assay.sharing.counts.sharer import chain_of
from assay.sharing.settings import model_of


def counted_once(models: Sequence[Any], X: Any) -> tuple[list[Any], Any]:
    """Texts as a table of counts, and models that choose from it, where all models cut texts by one rule."""
    chains = [chain_of(0, model) for model in models if hasattr(model_of(model), "solve_counts")]
    steps = [chain.step for chain in chains if chain is not None and isinstance(chain.step, TextCounts)]
    if not steps or len(steps) < len(models) or len({step.token_rule() for step in steps}) > 1:
        return list(models), X
    counted, _ = steps[0].read_counts().read(X)
    return [_choosing(model, step) for model, step in zip(models, steps, strict=True)], counted


def _choosing(model: Any, step: TextCounts) -> Any:
    """The same pipeline over a table of counts."""
    (name, _), last = parts_of(model)
    kept = {param.name: getattr(step, param.name) for param in ChooseWords.params}
    return Pipeline([(name, ChooseWords(**kept)), last])
