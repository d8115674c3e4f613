"""Deciding with a posterior, and measuring how decisions and posteriors did."""

from assay.decision.loss import LossLike, LossMatrix
from assay.decision.measures import (
    LogLoss,
    auc,
    brier,
    confusion,
    error_by_cell,
    error_rate,
    log_loss,
    mean_loss,
    row_briers,
    row_log_losses,
    row_losses,
)
from assay.decision.priors import check_log_posterior, check_posterior, check_priors, reweight, reweight_log
from assay.decision.risk import (
    Decision,
    ErrorRejectCurve,
    decide,
    error_reject_curve,
    expected_risk,
    log_odds,
    threshold,
)

__all__ = [
    "Decision",
    "ErrorRejectCurve",
    "LogLoss",
    "LossLike",
    "LossMatrix",
    "auc",
    "brier",
    "check_log_posterior",
    "check_posterior",
    "check_priors",
    "confusion",
    "decide",
    "error_by_cell",
    "error_rate",
    "error_reject_curve",
    "expected_risk",
    "log_loss",
    "log_odds",
    "mean_loss",
    "reweight",
    "reweight_log",
    "row_briers",
    "row_log_losses",
    "row_losses",
    "threshold",
]
