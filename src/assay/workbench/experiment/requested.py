"""The candidates that a comparison was asked for: names of the catalog, and estimators of the user's own."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from assay import catalog
from assay.catalog import ModelCard
from assay.data import Table
from assay.models.base.own_card import OwnCard
from assay.notes import Note
from assay.types import RowClassifier
from assay.workbench.experiment.candidates import applicable_candidates
from assay.workbench.syntax.settings import parse_names

DEFAULT = "default"  # stands for the candidates that are tried unasked
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")  # it is a file of the run folder, too

Candidate: TypeAlias = RowClassifier | str  # an estimator, or the address of a function that makes one
Candidates: TypeAlias = str | Sequence[str] | Mapping[str, Candidate | None] | None


@dataclass(frozen=True)
class RequestedCandidates:
    """The cards of a comparison.

    Attributes
    ----------
    named : tuple of ModelCard
        Tried, or omitted with the reason.
    usual : tuple of ModelCard
        Tried where they can use the table.
    names : list of str or None
        As they were asked for; None where nothing was said.
    """

    named: tuple[ModelCard, ...]
    usual: tuple[ModelCard, ...]
    names: list[str] | None

    def over(self, ranges: Mapping[str, Mapping[str, Sequence[object]]]) -> RequestedCandidates:
        """The candidates with these ranges, each value checked against the bounds of its parameter."""
        known = {card.name for card in (*self.usual, *self.named)}
        for name in ranges:
            if name not in known:
                raise ValueError(Note("C023", name=name))
        return RequestedCandidates(_over(self.named, ranges), _over(self.usual, ranges), self.names)

    def for_table(self, table: Table) -> list[ModelCard]:
        """Those that are tried on a table."""
        return [card.for_table(table) for card in (*applicable_candidates(self.usual, table), *self.named)]


def requested_candidates(candidates: Candidates, posteriors: bool) -> RequestedCandidates:
    """The cards of the candidates asked for; `posteriors`: whether costs or priors need them."""
    if candidates is None:
        return RequestedCandidates((), catalog.default_candidates(posteriors), None)
    given = candidates if isinstance(candidates, Mapping) else dict.fromkeys(parse_names(candidates))
    if not given:
        raise ValueError(Note("C022"))
    named = tuple(
        _card(name, value, position)
        for position, (name, value) in enumerate(given.items())
        if name != DEFAULT or value is not None
    )
    chosen = {card.name for card in named}
    usual = catalog.default_candidates(posteriors) if DEFAULT in given else ()
    return RequestedCandidates(named, tuple(card for card in usual if card.name not in chosen), list(given))


def _over(
    cards: Iterable[ModelCard], ranges: Mapping[str, Mapping[str, Sequence[object]]]
) -> tuple[ModelCard, ...]:
    return tuple(card.over(ranges[card.name]) if ranges.get(card.name) else card for card in cards)


def _card(name: str, value: Candidate | None, position: int) -> ModelCard:
    """The catalog's card of a name; of a name with an estimator, a card of its own."""
    return catalog.entry(name) if value is None else own_card(name, value, position)


def own_card(name: str, value: Candidate | None, position: int) -> OwnCard:
    """The card of a user's own estimator; without it, of its scores in a run folder."""
    if value is None:
        return OwnCard.unknown(name, position=position)
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise ValueError(Note("C404", name=name))
    if name == DEFAULT or name in catalog.names():
        raise ValueError(Note("C405", name=name))
    if isinstance(value, str):
        return OwnCard.of(name, make_estimator(value), value, position)
    return OwnCard.of(name, value, position=position)


def make_estimator(address: str) -> Any:
    """The estimator that a function makes which is named as "module:function"; modules of this folder are found."""
    module, _, function = address.partition(":")
    if not module or not function:
        raise ValueError(Note("C406", address=address))
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        value = getattr(importlib.import_module(module), function)
        return value if hasattr(value, "fit") else value()
    except Exception as error:  # whatever a user's own module raises
        reason = " ".join(str(error).split())
        raise ValueError(Note("C407", address=address, kind=type(error).__name__, reason=reason)) from None


def with_own(candidates: str | None, own: Iterable[str]) -> Candidates:
    """Names, and estimators of the user's own as "name=module:function", as `compare` takes them.

    Examples
    --------
    >>> with_own("knn", []), with_own(None, ["models:forest"])
    ('knn', {'default': None, 'forest': 'models:forest'})
    """
    added: dict[str, Candidate | None] = dict.fromkeys(
        [DEFAULT] if candidates is None else parse_names(candidates)
    )
    for text in own:
        name, address = parse_candidate(text)
        if added.get(name) is not None:
            raise ValueError(Note("C409", name=name))
        added[name] = address
    return added if own else candidates


def parse_candidate(text: str) -> tuple[str, str]:
    """The name and the address of "name=module:function"; without a name it is the function's.

    Examples
    --------
    >>> parse_candidate("mypackage.models:make_model"), parse_candidate("mine=models:forest")
    (('make_model', 'mypackage.models:make_model'), ('mine', 'models:forest'))
    """
    name, equals, address = text.partition("=")
    return (name, address) if equals else (text.rpartition(":")[2], text)
