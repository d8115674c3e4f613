"""What fitted parts have to say, with their columns by name: inside a pipeline they see a matrix, which has none."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from assay.models.base.from_moments import StatisticsClassifier
from assay.models.features.fill_empty import FillEmpty
from assay.models.features.impute import Impute

# "Feature 3 is constant", "separated by columns 0, 2 and 5 more"
_NUMBERED = re.compile(r"\b((?:feature|column)s? )(\d+(?:, \d+)*)\b", re.IGNORECASE)


def sentences_of(part: Any, names: Any) -> tuple[str, ...]:
    """The diagnostics of a fitted part whose columns have these names."""
    told: tuple[str, ...] = tuple(getattr(part, "diagnostics_", ()))
    if not told:
        return ()
    if isinstance(part, FillEmpty) or (isinstance(part, Impute) and hasattr(part, "_empty")):
        return part.sentences(names)
    if isinstance(part, StatisticsClassifier):
        named = copy.copy(part)
        named.feature_names_in_ = names  # type: ignore[attr-defined]
        return named._learn(part.classes_, part.statistics_).diagnostics_
    if hasattr(part, "feature_names_in_"):
        return told
    return tuple(with_names(sentence, [str(name) for name in names]) for sentence in told)


def with_names(sentence: str, names: Sequence[str]) -> str:
    """Columns that a sentence calls by their positions, by their names.

    Examples
    --------
    >>> with_names("The classes are separated by columns 0, 2: set l2.", ["age", "job", "size"])
    'The classes are separated by columns age, size: set l2.'
    """

    def named(found: re.Match[str]) -> str:
        places = [int(place) for place in found[2].split(", ")]
        if max(places) >= len(names):
            return found[0]
        return found[1] + ", ".join(names[place] for place in places)

    return _NUMBERED.sub(named, sentence)
