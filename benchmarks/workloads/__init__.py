"""One file a workload; this list is the order of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from benchmarks.harness import Case, Settings
from benchmarks.listing import Listing
from benchmarks.rows import Row


@dataclass(frozen=True)
class Workload:
    """A name for the command line, and the module whose `rows(settings)` or `cases(settings)` measure it."""

    name: str
    module: str

    def cases(self, settings: Settings) -> list[Case]:
        """Contests that can be run by themselves."""
        module = import_module(f"benchmarks.workloads.{self.module}")
        if hasattr(module, "cases"):
            return list(module.cases(settings))
        return [partial(module.rows, settings)]

    def rows(self, settings: Settings) -> Iterator[Row | Listing]:
        for case in self.cases(settings):
            measured = case()
            yield from [measured] if isinstance(measured, Row) else measured


WORKLOADS = (
    Workload("naive", "naive_kfold"),
    Workload("categorical", "categorical_kfold"),
    Workload("shared", "shared_kfold"),
    Workload("full", "full_kfold"),
    Workload("family", "family_kfold"),
    Workload("leave_one_out", "leave_one_out"),
    Workload("bootstrap", "bootstrap"),
    Workload("single_fit", "single_fit"),
    Workload("floor_fit", "floor_fit"),
    Workload("small_call", "small_call"),
    Workload("memory", "memory"),
    Workload("logistic", "logistic"),
    Workload("logistic_single", "logistic_single"),
    Workload("linear_svm", "linear_svm"),
    Workload("linear_svm_single", "linear_svm_single"),
    Workload("kernel_svm", "kernel_svm"),
    Workload("kernel_svm_single", "kernel_svm_single"),
    Workload("sparse_logistic", "sparse_logistic"),
    Workload("network", "network"),
    Workload("neighbors", "neighbors"),
    Workload("neighbors_choice", "neighbors_choice"),
    Workload("neighbors_mnist", "neighbors_mnist"),
    Workload("kmeans", "kmeans"),
    Workload("recommender", "recommender"),
    Workload("information", "information"),
    Workload("text_counts", "text_counts"),
    Workload("text_kfold", "text_kfold"),
    Workload("nested", "nested_choice"),
    Workload("learning", "learning_curve"),
    Workload("features", "feature_search"),
    Workload("calibrated", "calibrated"),
    Workload("compare", "compare_adult"),
    Workload("compare_large", "compare_large"),
    Workload("compare_grid", "compare_grid"),
    Workload("compare_small", "compare_small"),
    Workload("streaming", "streaming"),
    Workload("start_up", "start_up"),
)
