"""What the catalog says about a candidate: what it is called, how it is tuned and what it can do."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

from assay.data import Table
from assay.models.base.keywords import current_names
from assay.models.base.params import Param, check_params
from assay.models.base.suitability import Unsuited
from assay.models.base.table_steps import SCALING, TABLE_STEPS, WITH_STEPS
from assay.notes import Note
from assay.types import Parameters, RowClassifier

Encoding = Literal[
    "onehot-flags",
    "onehot-reference",
    "products-reference",
    "onehot",
    "levels",
    "levels-flags",
    "levels-statistics",
    "words",
    "words-tfidf",
    "table-flags",
    "none",
    "own",
]
POSTERIOR = frozenset({"posterior"})
MOMENTS = POSTERIOR | {"statistics", "contributions"}
PATH = frozenset({"path", "contributions"})
COUNTED = POSTERIOR | {"counts", "contributions"}
UNKNOWN = "unknown"
MOST_COMPLEX = 4  # nobody has said how it is read
TABLE_TYPES = ("numeric", "date", "binary", "categorical")


@dataclass(frozen=True)
class Range:
    """Values that a parameter is tuned over, the simplest model first."""

    name: str
    values: tuple[object, ...]

    @property
    def falls(self) -> bool:
        """Whether the simplest model has the largest number."""
        numbers = [value for value in self.values if isinstance(value, int | float)]
        return len(numbers) > 1 and numbers[0] > numbers[-1]


CALIBRATED = "assay.models.combine.calibrated:Calibrated"


@dataclass(frozen=True)
class ModelCard:
    """One candidate.

    Attributes
    ----------
    name, title : str
        For the command line, and for people.
    estimator : class or str
        The class, or of another library "module:Class", which is loaded on use.
    family : str
    parameters : tuple of Param
    fixed : mapping
        Parameters that make this entry what it is.
    defaults : mapping
        What parameters are where nobody sets them, if the class would take something else.
    tuning : tuple of Range
    table_tuning : callable, optional
        What it is tuned over on a table of these features besides.
    encoding : Encoding
        How a table becomes numbers: all levels, with flags or with gaps filled; less the most frequent one, gaps
        filled; the same with squares and products of the numbers; level codes, columns of many
        levels as statistics of the classes; counts of words, as they are or as TF-IDF; the typed table
        itself; not at all; or as the estimator, a classifier of tables, encodes it. With flags, a 0/1 column tells
        where a column has no value.
    word_parameters : tuple of Param
        Those of the step that chooses the words; they are set and tuned like the model's own.
    scaled : bool
        Whether columns are brought to a common scale first (penalties and spheres need it).
    needs_values : bool
        Whether it knows gaps but fails on a column without any value in a training part.
    unsuited : callable, optional
        Why it is not tried on this table of features, in a sentence; None where it is.
    repeats : callable, optional
        Whether it would only repeat another entry on a table of these columns, or is not meant for them: then it is
        tried by name alone.
    column_types : tuple of str
        Columns that it reads; a table that has none of them is not for it.
    alone : bool
        Whether it is tried only where no other column of a table could be read (texts aside).
    capabilities : frozenset of str
        "statistics", "counts": one pass serves all folds. "path": all folds and penalties are solved together.
        "gram": all penalties of a fold share its Gram matrix.
        "neighbors": one search a split serves all settings. "stages": one fit a training set does.
        "posterior": probabilities. "contributions": a prediction is a sum over columns. "missing": gaps need no
        filling.
    reading : str
        What there is to read in a fitted model, in a word or two.
    interpretability : str
        The same in a sentence.
    calibrates : str
        The entry of margins that this one turns into posteriors, by folds inside the training rows. It is tried where
        costs or priors ask for posteriors, or by name: otherwise it would only repeat that entry.
    complexity : int
        0: looks at nothing. 1: a few numbers a column, read one by one. 2: read with effort (ellipses, a tree). 3: no
        more than importances. 4: nobody has said. One model is called simpler than another only where this is less.
    all_rounder : bool
        Whether it is among the best on many tables: `compare` tries it early, with more time than others.
    position : int
        The place among candidates that the catalog does not list.
    """

    name: str
    title: str
    estimator: type | str
    family: str
    parameters: tuple[Param, ...]
    encoding: Encoding
    capabilities: frozenset[str]
    reading: str = UNKNOWN
    interpretability: str = UNKNOWN
    complexity: int = 1
    fixed: Parameters = field(default_factory=dict)
    defaults: Parameters = field(default_factory=dict)
    tuning: tuple[Range, ...] = ()
    table_tuning: Callable[[Table], tuple[Range, ...]] | None = None
    scaled: bool = False
    needs_values: bool = False
    unsuited: Unsuited | None = None
    repeats: Callable[[Table], bool] | None = None
    calibrates: str = ""
    word_parameters: tuple[Param, ...] = ()
    alone: bool = False
    column_types: tuple[str, ...] = TABLE_TYPES
    all_rounder: bool = False
    position: int = 0

    @property
    def home(self) -> str:
        """Module and name of the class of its models, as "module:name"."""
        kind = self.estimator
        return kind if isinstance(kind, str) else f"{kind.__module__}:{kind.__name__}"

    @property
    def class_name(self) -> str:
        """Name of the class of its models."""
        return self.home.rpartition(":")[2]

    @property
    def module(self) -> str:
        """The module of the class of its models."""
        return self.home.partition(":")[0]

    @property
    def reads_words(self) -> bool:
        """Whether its columns are counts of words."""
        return self.encoding in ("words", "words-tfidf")

    @property
    def foreign(self) -> bool:
        """Whether the class is one of another library: what it raises says nothing about the other candidates."""
        return not self.module.startswith("assay.")

    @property
    def storable(self) -> bool:
        """Whether a model file can hold it: no file holds other people's code."""
        return self.module.startswith(("assay.", "sklearn."))

    def load(self) -> Callable[..., RowClassifier]:
        """The class of its models."""
        return _load(self.estimator) if isinstance(self.estimator, str) else self.estimator

    @property
    def step_parameters(self) -> tuple[Param, ...]:
        """Those of what stands before or around the model, set and tuned like its own."""
        if self.word_parameters or self.encoding not in WITH_STEPS:
            return self.word_parameters
        return (SCALING, *TABLE_STEPS) if self.scaled else TABLE_STEPS

    def settings(self) -> list[dict[str, object]]:
        """Every combination of the tuning ranges, the simplest model first."""
        names = [tuning_range.name for tuning_range in self.tuning]
        return [
            dict(zip(names, values, strict=True))
            for values in product(*(tuning_range.values for tuning_range in self.tuning))
        ]

    def plain_settings(self) -> list[dict[str, object]]:
        """The settings as JSON holds them."""
        return self.settings()

    def stored_settings(self, stored: Sequence[dict[str, object]]) -> tuple[dict[str, object], ...]:
        """The settings of which a run folder holds the plain ones."""
        return tuple(stored)

    def over(self, ranges: Mapping[str, Sequence[object]]) -> ModelCard:
        """The entry with these ranges to tune over in place of its own."""
        self = self.freed(ranges)
        for name, values in ranges.items():
            if isinstance(values, str) or not len(values):
                raise ValueError(Note("M001", name=name))
            for value in values:
                self.check({name: value})
        tuning = tuple(Range(name, tuple(values)) for name, values in ranges.items())
        return replace(self, tuning=tuning, table_tuning=None)

    def for_table(self, table: Table) -> ModelCard:
        """The entry with all that it is tuned over on a table of these features."""
        if self.table_tuning is None:
            return self
        return replace(self, tuning=(*self.tuning, *self.table_tuning(table)), table_tuning=None)

    def freed(self, names: Iterable[str]) -> ModelCard:
        """The entry with these of its fixed parameters free to be set; it fixes the others as before."""
        free = {name: value for name, value in self.fixed.items() if name in names}
        fixed = {name: value for name, value in self.fixed.items() if name not in free}
        return replace(self, fixed=fixed, defaults={**self.defaults, **free}) if free else self

    def free_parameters(self) -> tuple[Param, ...]:
        """Parameters that a user may set and that have an effect, each with what it is otherwise."""
        return tuple(
            replace(free, default=self.defaults.get(free.name, free.default))
            for param in (*self.parameters, *self.step_parameters)
            if param.name not in self.fixed and (free := param.where(self.fixed)) is not None
        )

    def check(self, setting: Parameters) -> None:
        """One sentence if the setting names an unknown parameter or a value out of bounds."""
        free = {param.name: param for param in self.free_parameters()}
        setting = self._current(setting)
        for name in setting:
            if name not in free:
                known = ", ".join(free) or "none"
                raise ValueError(Note("M002", name=self.name, parameter=name, known=known))
        check_params(self.name, tuple(free[name] for name in setting), dict(setting))

    def model(self, setting: Parameters | None = None, random_state: int = 0) -> RowClassifier:
        """The bare estimator, not fitted."""
        setting = self._current(setting or {})
        self.check(setting)
        model_setting = {name: value for name, value in setting.items() if name not in self._of_step()}
        values = {**self.fixed, **self.defaults, **model_setting}
        if any(param.name == "random_state" for param in self.parameters):
            values.setdefault("random_state", random_state)
        model = self.load()(**values)
        return _load(CALIBRATED)(model) if self.calibrates else model

    def step_setting(self, setting: Parameters | None = None) -> dict[str, Any]:
        """What of a setting belongs to the step before the model."""
        return {name: value for name, value in (setting or {}).items() if name in self._of_step()}

    def _current(self, setting: Parameters) -> dict[str, object]:
        """The setting by today's names: run folders of earlier versions hold others."""
        return current_names((*self.parameters, *self.step_parameters), setting)

    def _of_step(self) -> set[str]:
        return {param.name for param in self.step_parameters}

    def describes(self, model: object) -> bool:
        """Whether a model, fitted or not, is this entry in some setting."""
        calibrated = type(model).__name__ == CALIBRATED.partition(":")[2]
        inner = getattr(model, "estimator", model) if calibrated else model
        alike = all(getattr(inner, name, None) == value for name, value in self.fixed.items())
        return calibrated == bool(self.calibrates) and self.class_name == type(inner).__name__ and alike


def _load(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)
