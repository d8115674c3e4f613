"""What `compare` does for one candidate, in this version of Assay and in older ones, which had other names for it.

`benchmarks.against` runs the workloads of this version on both sides; the parts that they take from inside Assay are
found here, so that a move of a module does not end the comparison with what stood before it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay import catalog
    from assay.catalog import ModelCard, default_candidates
    from assay.workbench.experiment.candidates import why_not_applicable
    from assay.workbench.experiment.evaluate_candidate import evaluate_candidate
    from assay.workbench.experiment.setup import ExperimentSetup
    from assay.workbench.problem import Problem, read_problem
else:

    def _first(*places: str) -> Any:
        """The first module, or name in a module, that this version has; the newest place comes first."""
        for place in places:
            module, _, name = place.partition(":")
            try:
                return getattr(import_module(module), name) if name else import_module(module)
            except (ImportError, AttributeError):
                continue
        raise ImportError(f"This version of Assay has none of {', '.join(places)}.")

    catalog = _first("assay.catalog", "assay.models.catalog")
    ModelCard = _first("assay.catalog:ModelCard", "assay.models.catalog:Entry")
    default_candidates = _first("assay.catalog:default_candidates", "assay.models.catalog:usual")
    why_not_applicable = _first(
        "assay.workbench.experiment.candidates:why_not_applicable", "assay.workbench.readers:no_columns"
    )
    evaluate_candidate = _first(
        "assay.workbench.experiment.evaluate_candidate:evaluate_candidate", "assay.workbench.candidate:assess"
    )
    ExperimentSetup = _first(
        "assay.workbench.experiment.setup:ExperimentSetup", "assay.workbench.bench:Bench"
    )
    Problem = _first("assay.workbench.problem:Problem")
    read_problem = _first("assay.workbench.problem:read_problem", "assay.workbench.problem:pose")


def all_cards() -> tuple[ModelCard, ...]:
    """Every candidate there is."""
    cards: Any = getattr(catalog, "cards", None)  # older versions have them in a table
    return tuple(catalog.ENTRIES if cards is None else cards())


def judged_by_cards(problem: Problem) -> Any:
    """What a card asks whether it suits: the table; in older versions, which had catalogs for cards, its schema."""
    return problem.features if hasattr(catalog, "cards") else problem.features.schema


__all__ = [
    "ExperimentSetup",
    "ModelCard",
    "Problem",
    "all_cards",
    "catalog",
    "default_candidates",
    "evaluate_candidate",
    "judged_by_cards",
    "read_problem",
    "why_not_applicable",
]
