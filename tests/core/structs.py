"""Calls of kernels by the names of everything that they read: the structs that they take are made here."""

from __future__ import annotations

from typing import Any

from assay import _core

LAYERS = ("gemm", "widths", "activation")
TRAINING = ("codes", "weight", "order", "ends", "surrogate", "solver", "rate", "momentum", "l2")
KERNEL = ("gemm", "kernel", "gamma", "coef0", "degree")
PATTERNS = ("bits", "numbers", "kind", "step")
CANDIDATES = ("query", "place", "lists", "bounds", "allowed", "factor", "slack")


def taken(given: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """These of the arguments, which are no longer among the others."""
    return {name: given.pop(name) for name in names}


def network_epoch(**given: Any) -> float:
    """An epoch over rows of a table, or over `filled` ones."""
    layers = _core.network.Layers(**taken(given, LAYERS))
    training = _core.network.Training(**taken(given, TRAINING))
    run: Any = _core.network.filled_network_epoch if "filled" in given else _core.network.network_epoch
    lost: float = run(layers=layers, training=training, **given)
    return lost


def nearest_patterns(**given: Any) -> None:
    patterns = _core.neighbors.Patterns(**taken(given, PATTERNS))
    _core.neighbors.nearest_patterns(patterns=patterns, **given)
