"""The request of a comparison, as a run folder and the commands that reproduce it write it down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from assay import __version__
from assay.catalog import ModelCard
from assay.data.missing_values import read_markers
from assay.data.read import Markers
from assay.data.sources.database_address import is_address
from assay.decision import LossLike, LossMatrix
from assay.numerics.value_digest import value_digest
from assay.types import Json
from assay.workbench.experiment.requested import RequestedCandidates
from assay.workbench.experiment.run_folder import FORMAT, OWN, fingerprint
from assay.workbench.experiment.setup import ERROR_RATE, ExperimentSetup
from assay.workbench.row_roles import column_of
from assay.workbench.syntax.loss import ClassPriors
from assay.workbench.syntax.metric import MetricRequest

ARRAY = ["an array"]  # no column is called so: a list is no name


@dataclass(frozen=True)
class ExperimentRequest:
    """The arguments of `compare`, as far as they can be written down."""

    source: str
    target: ArrayLike | None
    loss: LossLike | PathLike[str]
    priors: ClassPriors
    candidates: RequestedCandidates
    plan: str
    random_state: int
    types: Mapping[str, str] | None
    drop: Collection[str]
    query: str | None
    in_memory: bool = False
    rule: str = "min"
    ranges: Mapping[str, Mapping[str, Sequence[object]]] | None = None
    noise: bool = False
    groups: ArrayLike | None = None
    weights: ArrayLike | None = None
    missing: Markers = None
    labels: bool = False  # whether they were given beside the rows
    split_repeats: bool = False
    fingerprint: bool = True
    keep_suspects: bool | None = False  # None: kept without a note
    suspects: Collection[str] = ()  # excluded, unless they are kept
    metrics: MetricRequest = ERROR_RATE
    time: str | None = None  # the column that brings the rows in order

    @property
    def by_name(self) -> bool:
        """Whether a command can repeat it: source, groups and weights are names, not objects."""
        roles = (self.groups, self.weights)
        named = all(role is None or column_of(role) is not None for role in roles)
        return not self.in_memory and not self.metrics.function and named

    def description(self, setup: ExperimentSetup, entries: list[ModelCard]) -> dict[str, Any]:
        """The description of the run: the request, and a hash of its data."""
        return {
            "format": FORMAT,
            "assay": __version__,
            "source": self.source,
            "query": self.query,
            **({} if self.missing is None else {"missing": list(read_markers(self.missing))}),
            "types": dict(self.types or {}),
            "drop": sorted(self.drop),
            "target": setup.problem.target,
            "classes": [str(label) for label in setup.problem.classes.tolist()],
            "loss": None if setup.loss is None else _loss_json(setup.loss),
            "priors": None if setup.priors is None else setup.priors.tolist(),
            "groups": role_name(self.groups),
            "weights": role_name(self.weights),
            "split_repeats": self.split_repeats,
            **({} if self.fingerprint else {"fingerprint": False}),
            "keep_suspects": self.keep_suspects,
            "suspects": list(self.suspects),
            "plan": self.plan,
            "inner_folds": setup.inner_rule,
            "random_state": self.random_state,
            "rule": self.rule,
            **_metrics(self.metrics, setup),
            **({} if self.time is None else {"time": self.time}),
            "candidates": {entry.name: entry.plain_settings() for entry in entries},
            **({OWN: own} if (own := own_estimators(entries)) else {}),
            "data": fingerprint(setup),
        }


def _metrics(metrics: MetricRequest, setup: ExperimentSetup) -> dict[str, Json]:
    """The metric that a run chooses by and its class, where they are not the usual ones."""
    about: dict[str, Json] = {}
    if setup.metrics.metric is not None:
        about["metric"] = {"function": metrics.text} if metrics.function else metrics.text
    if metrics.positive is not None:
        about["positive"] = str(metrics.positive)
    return about


def own_estimators(entries: Iterable[ModelCard]) -> dict[str, str]:
    """Digests of estimators that are not Assay's, which a run does not store."""
    return {entry.name: value_digest(entry.model()) for entry in entries if not entry.storable}


def role_name(given: object) -> Json:
    """The name of a column, None, or the mark of an array, of which a run stores only a hash."""
    name = column_of(given)
    return ARRAY if given is not None and name is None else name


def in_memory(source: object) -> bool:
    """Whether a source is not an address that could be written down."""
    return not is_address(source)


def labels_beside(source: object, target: ArrayLike | None = None) -> bool:
    """Whether labels are given beside the rows, as ``compare(X, y)`` or ``compare((X, y))``."""
    return isinstance(source, tuple) or not (target is None or isinstance(target, str))


def _loss_json(loss: LossMatrix) -> dict[str, dict[str, float]]:
    """The costs by the spelling of classes and actions, as `LossMatrix.of` reads them."""
    actions = [str(action) for action in loss.actions]
    return {
        str(label): dict(zip(actions, row, strict=True))
        for label, row in zip(loss.classes.tolist(), loss.values.tolist(), strict=True)
    }
