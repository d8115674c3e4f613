"""The card of a candidate that is a user's own estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from assay.models.base.card import MOST_COMPLEX, TABLE_TYPES, ModelCard, Range
from assay.models.base.estimators import check_classifier, clone
from assay.notes import Note, note_of
from assay.notes.hints import name_hint
from assay.numerics.value_digest import value_digest
from assay.types import Parameters, RowClassifier, infers


@dataclass(frozen=True, eq=False)
class OwnCard(ModelCard):
    """A candidate that is cloned from an unfitted estimator and set by the names of its own parameters.

    Attributes
    ----------
    template : estimator
        Of scikit-learn's contract; None in a run that is opened again without it.
    address : str
        "module:function" where a command can make it again; else empty.
    """

    template: RowClassifier | None = None
    address: str = ""

    @classmethod
    def of(cls, name: str, template: RowClassifier, address: str = "", position: int = 0) -> Self:
        """The card of a classifier, which is checked."""
        try:
            check_classifier(template)
        except TypeError as error:
            raise TypeError(Note("C400", name=name, reason=note_of(error))) from None
        try:
            clone(template)
        except Exception as error:  # whatever a constructor raises that is not scikit-learn's
            reason = " ".join(str(error).split())
            raise TypeError(Note("C401", name=name, kind=type(template).__name__, reason=reason)) from None
        table_model = hasattr(template, "with_encoder")  # a TableClassifier encodes by itself
        capabilities = frozenset({"posterior"}) if infers(template) else frozenset[str]()
        card = cls.unknown(name, address, position)
        return replace(
            card,
            template=template,
            estimator=type(template),
            encoding="own" if table_model else "onehot",
            column_types=(*TABLE_TYPES, "text") if table_model else TABLE_TYPES,
            capabilities=capabilities,
        )

    @classmethod
    def unknown(cls, name: str, address: str = "", position: int = 0) -> Self:
        """The card of an estimator that is not there: enough for the scores of a run folder."""
        return cls(
            name=name,
            title=name,
            estimator=cls,
            family="own",
            parameters=(),
            encoding="onehot",
            capabilities=frozenset(),
            complexity=MOST_COMPLEX,
            address=address,
            position=position,
        )

    @property
    def foreign(self) -> bool:
        return True

    @property
    def storable(self) -> bool:
        return False

    def plain_settings(self) -> list[dict[str, object]]:
        return [{name: _plain(value) for name, value in setting.items()} for setting in self.settings()]

    def stored_settings(self, stored: Sequence[dict[str, object]]) -> tuple[dict[str, object], ...]:
        settings = tuple(self.settings())  # the ranges may not be given again: plain values will do
        return settings if len(settings) == len(stored) else tuple(stored)

    def over(self, ranges: Mapping[str, Sequence[object]]) -> ModelCard:
        for name, values in ranges.items():
            if isinstance(values, str) or not len(values):
                raise ValueError(Note("M001", name=name))
            self.check({name: values[0]})
        return replace(self, tuning=tuple(Range(name, tuple(values)) for name, values in ranges.items()))

    def check(self, setting: Parameters) -> None:
        known = {} if self.template is None else self.template.get_params(deep=True)
        for name in setting:
            if name not in known:
                nested = sorted(full for full in known if full.endswith(f"__{name}"))
                hint = Note("O700", near=nested) if nested else name_hint(name, sorted(known))
                raise ValueError(Note("C402", name=self.name, parameter=name, hint=hint))

    def model(self, setting: Parameters | None = None, random_state: int = 0) -> RowClassifier:
        if self.template is None:
            raise ValueError(Note("C403", name=self.name))
        return clone(self.template).set_params(**(setting or {}))

    def step_setting(self, setting: Parameters | None = None) -> dict[str, object]:
        return {}

    def describes(self, model: object) -> bool:
        return False


def _plain(value: object) -> object:
    """A value as JSON holds it: numbers and texts; of others the type and a digest, by which runs are compared."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    return f"{type(value).__name__} {value_digest(value)[:16]}"
