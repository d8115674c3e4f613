"""Plans: which rows are trained on and which are tested, as data."""

from assay.plans.base import ALWAYS_TRAIN, UNUSED, Partition, Plan
from assay.plans.bootstrap import Bootstrap
from assay.plans.column_split import ColumnSplit
from assay.plans.copies import draw_partitions
from assay.plans.foreign import as_plan, choosing_plan
from assay.plans.given import GivenPartitions
from assay.plans.holdout import HoldOut
from assay.plans.kfold import KFold
from assay.plans.leave_one_out import LeaveOneOut
from assay.plans.subsampling import RandomSubsampling
from assay.plans.three_parts import TrainValidationTest
from assay.plans.time_series import TimeSeries

__all__ = [
    "ALWAYS_TRAIN",
    "UNUSED",
    "Bootstrap",
    "ColumnSplit",
    "GivenPartitions",
    "HoldOut",
    "KFold",
    "LeaveOneOut",
    "Partition",
    "Plan",
    "RandomSubsampling",
    "TimeSeries",
    "TrainValidationTest",
    "as_plan",
    "choosing_plan",
    "draw_partitions",
]
