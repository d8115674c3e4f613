"""Splits of every scheme, as one type; nothing outside this room and that of the plans knows schemes."""

from assay.sharing.splits.fold_pairs import FoldPairs
from assay.sharing.splits.of_plan import splits_of
from assay.sharing.splits.schemes import (
    bootstrap,
    deeper_of,
    divided,
    drawn_inside,
    folds,
    given,
    joined,
    one_out,
    pieces,
    resubstitution,
    validated,
    whole,
    windows,
    with_training,
)
from assay.sharing.splits.splits import ROOT, Splits

__all__ = [
    "ROOT",
    "FoldPairs",
    "Splits",
    "bootstrap",
    "deeper_of",
    "divided",
    "drawn_inside",
    "folds",
    "given",
    "joined",
    "one_out",
    "pieces",
    "resubstitution",
    "splits_of",
    "validated",
    "whole",
    "windows",
    "with_training",
]
