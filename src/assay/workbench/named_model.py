"""A model as a command line names it: an entry of the catalog with settings, or a file whose settings are refitted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.catalog import entry, title_of
from assay.data.read import open_stream
from assay.decision import LossMatrix
from assay.models.base.card import ModelCard
from assay.models.base.estimators import clone
from assay.models.base.validation import Encoded
from assay.models.table.build import build
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.types import MatrixLike, RowClassifier
from assay.workbench.experiment.candidates import check_documents, why_not_applicable
from assay.workbench.problem import Problem
from assay.workbench.saved_model import load_table_model, loss_of
from assay.workbench.syntax.settings import assigned_names, parse_settings


@dataclass(frozen=True, eq=False)
class NamedModel:
    """A classifier of tables, not fitted.

    Attributes
    ----------
    name, title : str
        As given, and for people.
    setting : dict
        Hyperparameters that were set; of a file those of its model.
    classifier : TableClassifier
    card : ModelCard or None
        The entry of the catalog; None for a file.
    fitted : TableClassifier or None
        What the file holds.
    """

    name: str
    title: str
    setting: dict[str, object]
    classifier: TableClassifier
    card: ModelCard | None = None
    fitted: TableClassifier | None = None

    def reading(self, source: object, target: str | None, query: str | None) -> dict[str, Any]:
        """How a source is read for a model file: its columns, as it knows them, and the target."""
        if self.fitted is None:
            return {"target": target}
        target = target if target is not None else self.fitted.target_
        schema = self.fitted.schema_
        others = [name for name in open_stream(source, query).names if name not in (*schema.names, target)]
        types = {column.name: column.type for column in schema}
        return {"target": target, "types": types, "drop": others}

    @property
    def loss(self) -> LossMatrix | None:
        """The loss that a file keeps; None where there is none."""
        return None if self.fitted is None else loss_of(self.fitted)

    def on(self, problem: Problem) -> tuple[RowClassifier, MatrixLike, Encoded]:
        """Model, rows and labels as `evaluate` takes them: the table is encoded once, for all splits."""
        if self.card is not None and (reason := why_not_applicable(self.card, problem.features.schema)):
            raise ValueError(Note("C050", model=self.card.name, reason=reason))
        encoder = clone(self.classifier.encoder)
        design = encoder.fit_transform(problem.features)
        if encoder.reads_values:
            check_documents(design, problem)
        model = self.classifier.with_encoder(encoder).matrix_estimator()
        return model, design, Encoded(problem.codes, problem.classes)


def named_model(name: str, settings: Collection[str] = (), random_state: int = 0) -> NamedModel:
    """The model of a name.

    Parameters
    ----------
    name : str
        A name in the catalog, or the path of a model file.
    settings : collection of str
        Hyperparameters such as ``l2=0.1``, for a model of the catalog; those that an entry fixes may be set, too.

    Examples
    --------
    >>> named_model("kernel_svm", ["kernel=polynomial", "degree=2"]).setting
    {'kernel': 'polynomial', 'degree': 2}
    """
    if name.endswith(".assay") or Path(name).is_file():
        return _of_file(name, settings)
    listed = entry(name)
    card = listed.freed(assigned_names(settings))
    setting = {**card.defaults, **parse_settings(card.name, card.free_parameters(), settings)}
    classifier = build(card, setting, random_state)
    # An entry whose fixed parameters were set may be another one, or none.
    title = card.title if card is listed else title_of(classifier.estimator)
    return NamedModel(name, title, setting, classifier, card)


def _of_file(path: str, settings: Collection[str]) -> NamedModel:
    fitted = load_table_model(path)
    if settings:
        raise ValueError(Note("C757", path=path))
    return NamedModel(path, title_of(fitted.model_), {}, clone(fitted), fitted=fitted)
