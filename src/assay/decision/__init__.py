"""Deciding with a posterior, and measuring how decisions and posteriors did."""

from assay.decision.calibration import CalibrationBin, CalibrationTable, calibration_table
from assay.decision.equivalence import Practical, practical
from assay.decision.grouped import effective_units, independent_rows, several
from assay.decision.intervals import (
    Estimate,
    Interval,
    ResampledT,
    corrected_resampled_t,
    delong,
    effective_size,
    t_interval,
    wilson,
)
from assay.decision.loss import LossLike, LossMatrix
from assay.decision.mcnemar import McNemar, mcnemar
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
    "CalibrationBin",
    "CalibrationTable",
    "Decision",
    "ErrorRejectCurve",
    "Estimate",
    "Interval",
    "LogLoss",
    "LossLike",
    "LossMatrix",
    "McNemar",
    "Practical",
    "ResampledT",
    "auc",
    "brier",
    "calibration_table",
    "check_log_posterior",
    "check_posterior",
    "check_priors",
    "confusion",
    "corrected_resampled_t",
    "decide",
    "delong",
    "effective_size",
    "effective_units",
    "error_by_cell",
    "error_rate",
    "error_reject_curve",
    "expected_risk",
    "independent_rows",
    "log_loss",
    "log_odds",
    "mcnemar",
    "mean_loss",
    "practical",
    "reweight",
    "reweight_log",
    "row_briers",
    "row_log_losses",
    "row_losses",
    "several",
    "t_interval",
    "threshold",
    "wilson",
]
