"""Plans as splitters of scikit-learn's: recognised as such by its tools, and given groups where metadata is routed.

The plans themselves do not know scikit-learn, so that commands which only list or read something need not load it.
"""

from __future__ import annotations

from sklearn.model_selection import BaseCrossValidator, GroupKFold

from assay.plans import (
    Bootstrap,
    HoldOut,
    KFold,
    LeaveOneOut,
    Plan,
    RandomSubsampling,
    TimeSeries,
    TrainValidationTest,
)

__all__ = [
    "Bootstrap",
    "HoldOut",
    "KFold",
    "LeaveOneOut",
    "RandomSubsampling",
    "TimeSeries",
    "TrainValidationTest",
]


def _asks_for_groups(plan: Plan) -> object:
    """What a splitter asks for where metadata is routed: the groups, as scikit-learn's own splitters of groups do."""
    return GroupKFold().get_metadata_routing()


BaseCrossValidator.register(Plan)
Plan.get_metadata_routing = _asks_for_groups  # type: ignore[attr-defined]
