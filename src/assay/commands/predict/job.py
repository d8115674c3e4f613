"""A fitted model on new rows, block by block: a source of any length in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.data import Table
from assay.data.read import Markers
from assay.data.unseen_categories import UnseenValues, counted_here
from assay.data.write.rows import Block
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.types import has_posteriors
from assay.workbench.posterior_columns import ACTION, PREDICTED, posterior_name
from assay.workbench.saved_model import loss_of

BLOCK = 16384  # rows; small enough that a broken pipe is noticed soon


class Predictions:
    """Blocks of predicted classes, and of posteriors if asked for; counts rows and classes on the way.

    Parameters
    ----------
    model : fitted TableClassifier
    source : anything `assay.read` takes
    proba : bool
        Whether a column P(class) follows for each class.
    most_probable : bool
        Whether rows get their most probable class where the model has a loss that would decide otherwise.
    """

    def __init__(
        self,
        model: TableClassifier,
        source: object,
        *,
        proba: bool = False,
        most_probable: bool = False,
        query: str | None = None,
        missing: Markers = None,
    ) -> None:
        from assay.catalog import calibrated_names
        from assay.data import scan

        if proba and not has_posteriors(model):
            raise ValueError(Note("C053", models=calibrated_names()))
        self.model, self.proba = model, proba
        self.loss = None if most_probable else loss_of(model)
        self._source = scan(source, schema=model.schema_, query=query, missing=missing)
        self._counts: Counter[str] = Counter()
        self._unseen = UnseenValues(model.schema_)

    @property
    def rows(self) -> int:
        """Rows predicted so far."""
        return self._counts.total()

    @property
    def counts(self) -> dict[str, int]:
        """How often each class was predicted, or each action taken, in their order."""
        names = self.model.classes_.tolist() if self.loss is None else self.loss.actions
        return {str(name): self._counts[str(name)] for name in names}

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether rows get actions, unreadable parts of the source, and values that are not in the training data."""
        skipped = self._source.stream.note
        decided = () if self.loss is None else (Note("C345"),)
        return (*decided, *([skipped] if skipped else []), *self._unseen.sentences)

    def __iter__(self) -> Iterator[Block]:
        for table in self._source.blocks(BLOCK):
            self._unseen.add(table)
            with counted_here():
                block = self._block(table)
            self._counts.update(map(str, block[PREDICTED if self.loss is None else ACTION]))
            yield block

    def _block(self, table: Table) -> dict[str, list[object]]:
        if self.loss is None:
            block: dict[str, list[object]] = {PREDICTED: self.model.predict(table).tolist()}
        else:
            codes = self.model.decide(table).action_codes.tolist() if table.n_rows else []
            block = {ACTION: [self.loss.actions[code] for code in codes]}
        if self.proba:
            posterior = self.model.predict_proba(table)
            names = [posterior_name(label) for label in self.model.classes_.tolist()]
            block |= dict(zip(names, posterior.T.tolist(), strict=True))
        return block

    def together(self) -> dict[str, list[object]]:
        """All blocks as one."""
        whole: dict[str, list[object]] = {}
        for block in self:
            for name, values in block.items():
                whole.setdefault(name, []).extend(values)
        return whole
