"""Sharing: one pass over the data serves every fold, every replicate and every model solved from moments."""

from assay.models.sharing.chain import Chain, chain_of
from assay.models.sharing.chosen import chosen_scores
from assay.models.sharing.counts import Labels
from assay.models.sharing.folds import FoldCells, fold_scores
from assay.models.sharing.grids import can_judge, fold_mistakes
from assay.models.sharing.leave_one_out import can_leave_one_out, leave_one_out_scores
from assay.models.sharing.pairs import can_pair, pair_scores
from assay.models.sharing.tested import Tested

__all__ = [
    "Chain",
    "FoldCells",
    "Labels",
    "Tested",
    "can_judge",
    "can_leave_one_out",
    "can_pair",
    "chain_of",
    "chosen_scores",
    "fold_mistakes",
    "fold_scores",
    "leave_one_out_scores",
    "pair_scores",
]
