"""Parameters as data: name, kind, bounds, default and meaning, written once and read by everyone."""

from __future__ import annotations

import inspect
import numbers
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from inspect import Parameter
from typing import TYPE_CHECKING

from assay.notes import Note
from assay.numerics.scalars import is_list, is_number, is_text, is_whole

if TYPE_CHECKING:
    from assay.types import Parameters


@dataclass(frozen=True)
class ParamKind:
    """A kind of object that is passed in: how it is recognised, and what it is called."""

    fits: Callable[[object], bool]
    wanted: str


def _is_estimator(value: object) -> bool:
    return not isinstance(value, type) and all(hasattr(value, name) for name in ("fit", "predict"))


def _is_plan(value: object) -> bool:
    if isinstance(value, numbers.Integral):
        return is_whole(value)
    return not isinstance(value, str | type) and any(hasattr(value, name) for name in ("split", "__iter__"))


def _is_functions(value: object) -> bool:
    return callable(value) or (is_list(value) and len(value) > 0 and all(map(callable, value)))


def _is_case(value: object) -> bool:
    return isinstance(value, bool) or value == "fold"


def _is_range(value: object) -> bool:
    return is_list(value) and len(value) == 2 and all(is_whole(end, 1) and int(end) < 2**31 for end in value)


def _are_words(value: object) -> bool:
    return (is_list(value) or isinstance(value, set | frozenset)) and all(map(is_text, value))


def _are_levels(value: object) -> bool:
    if is_text(value):
        return bool(value == "from_dtype")
    listed = value.tolist() if hasattr(value, "tolist") else value
    return is_list(listed) and all(isinstance(column, numbers.Integral) for column in listed)


def _is_amount(value: object) -> bool:
    return is_whole(value, 1) or (not is_whole(value) and is_number(value) and 0.0 <= float(value) <= 1.0)


def _are_kinds(value: object) -> bool:
    return isinstance(value, Mapping) and all(is_text(part) for pair in value.items() for part in pair)


def _is_gamma(value: object) -> bool:
    if is_text(value):
        return value in ("scale", "auto")
    return is_number(value) and 0.0 < float(value) < float("inf")


def _is_component_count(value: object) -> bool:
    return bool(value == "bic") if is_text(value) else is_whole(value, 1)


def _is_random_state(value: object) -> bool:
    from assay.numerics.random_state import is_random_state  # here: it loads NumPy

    return is_random_state(value)


KERNELS = ("rbf", "linear", "polynomial", "sigmoid", "precomputed")


def _is_kernel(value: object) -> bool:
    return value in KERNELS if is_text(value) else callable(value)


CENTER_STARTS = ("k-means++", "random")


def _are_centers(value: object) -> bool:
    return value in CENTER_STARTS if is_text(value) else _are_weights(value)


def _are_weights(value: object) -> bool:
    return is_list(value) or hasattr(value, "shape")


PARAM_KINDS = {
    "seed": ParamKind(_is_random_state, "a whole number of at least 0, None, a RandomState or a Generator"),
    "weights": ParamKind(_are_weights, "an array with a row of weights per boundary, the intercept last"),
    "centers": ParamKind(_are_centers, "'k-means++', 'random' or an array of centres"),
    "kinds": ParamKind(_are_kinds, "a dict from names of columns to what they are"),
    "gamma": ParamKind(_is_gamma, "'scale', 'auto' or a positive number"),
    "kernel": ParamKind(
        _is_kernel, f"one of {', '.join(map(repr, KERNELS))} or a function of two tables of rows"
    ),
    "components": ParamKind(_is_component_count, "a whole number of at least 1, or 'bic'"),
    "case": ParamKind(_is_case, "True, False or 'fold'"),
    "range": ParamKind(_is_range, "a pair (least, most) of whole numbers of at least 1"),
    "words": ParamKind(_are_words, "a list of words"),
    "amount": ParamKind(
        _is_amount, "a whole number of documents of at least 1, or a share between 0.0 and 1.0 of them"
    ),
    "levels": ParamKind(_are_levels, "a mask of the columns, a list of positions, or 'from_dtype'"),
    "estimator": ParamKind(_is_estimator, "a classifier with fit and predict"),
    "plan": ParamKind(_is_plan, "a plan such as KFold(5), a number of folds or a splitter"),
    "functions": ParamKind(_is_functions, "a function of the rows, or a list of such functions"),
}


@dataclass(frozen=True)
class Param:
    """One constructor parameter of a model.

    meaning : what it does; the first sentence stands for it in a list. The docstring of the class and help are made
        of it.
    only_if : other parameters, each with the values under which this one has an effect.
    kind : "float", "int", "choice", "bool", "priors", "class_weight", "columns", "groups", or one of `PARAM_KINDS`.
    The bounds `low` and `high` are inclusive.
    """

    name: str
    kind: str
    default: object
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False  # None is allowed
    was: str = ""  # its name in earlier versions, still accepted with a warning
    only_if: tuple[tuple[str, tuple[object, ...]], ...] = ()

    def check(self, owner: str, value: object) -> None:
        """Raise one sentence if the value is not allowed."""
        if value is None and self.optional:
            return
        if not self._fits(value):
            raise ValueError(
                Note("M023", owner=owner, name=self.name, value=value, expectation=self._advice(value))
            )

    def _advice(self, value: object) -> str:
        """What may be given, the name that is nearest to a misspelt one first."""
        names = KERNELS if self.kind == "kernel" else self.choices
        near = get_close_matches(value, names, n=1) if isinstance(value, str) else []
        return "".join(f"{name!r}, or " for name in near) + self.expectation()

    def _fits(self, value: object) -> bool:
        import numpy as np  # here: `assay models` only lists parameters and does not wait for NumPy

        if self.kind == "choice":
            return is_text(value) and value in self.choices
        if self.kind == "bool":
            return isinstance(value, bool | np.bool_)
        if self.kind in ("columns", "groups"):  # whether they exist is known with the data
            return np.iterable(value) and not is_text(value)
        if self.kind in PARAM_KINDS:
            return PARAM_KINDS[self.kind].fits(value)
        if self.kind == "class_weight":
            return bool(value == "balanced") if is_text(value) else isinstance(value, Mapping)
        if self.kind == "priors":
            return value in self.choices if is_text(value) else True  # arrays are checked with the classes
        allowed = is_whole(value) if self.kind == "int" else is_number(value)
        number_given = float(value) if is_number(value) else np.nan
        return (
            allowed
            and bool(np.isfinite(number_given))
            and (self.low is None or number_given >= self.low)
            and (self.high is None or number_given <= self.high)
        )

    def check_effect(self, owner: str, values: Parameters) -> None:
        """Raise one sentence if the value is not the default and other parameters leave it without an effect."""
        value = values[self.name]
        if value is self.default or (_is_plain(value) and value == self.default):
            return
        for name, effective in self.only_if:
            other = values[name]
            if not any(other is allowed or (_is_plain(other) and other == allowed) for allowed in effective):
                given, current = (
                    repr(setting) if _is_plain(setting) else "..." for setting in (value, other)
                )
                raise ValueError(
                    Note(
                        "M024",
                        owner=owner,
                        name=self.name,
                        given=given,
                        other=name,
                        current=current,
                        effective=" or ".join(map(repr, effective)),
                    )
                )

    def where(self, fixed: Parameters) -> Param | None:
        """The parameter where others are fixed; None if it has no effect there."""
        if any(name in fixed and fixed[name] not in effective for name, effective in self.only_if):
            return None
        return replace(
            self, only_if=tuple(condition for condition in self.only_if if condition[0] not in fixed)
        )

    @property
    def condition(self) -> str:
        """When the parameter has an effect, in words; empty: always."""
        return ", ".join(f"{name} {' or '.join(map(str, effective))}" for name, effective in self.only_if)

    @property
    def summary(self) -> str:
        """The first sentence of the meaning, for a list."""
        return self.meaning.partition(". ")[0].removesuffix(".")

    def described(self, meaning: str) -> Param:
        """The parameter as one method understands it."""
        return replace(self, meaning=meaning)

    def expectation(self) -> str:
        """What may be given, in words."""
        none = ", or None" if self.optional else ""
        if self.kind in ("choice", "priors"):
            listed = ", ".join(repr(choice) for choice in self.choices)
            return (
                f"one of {listed}" + (" or an array of probabilities" if self.kind == "priors" else "") + none
            )
        if self.kind == "bool":
            return "True or False" + none
        if self.kind in PARAM_KINDS:
            return PARAM_KINDS[self.kind].wanted + none
        if self.kind == "class_weight":
            return "'balanced' or a dict of weights by label" + none
        if self.kind == "columns":
            return "a list of column positions or names" + none
        if self.kind == "groups":
            return "a list of (first, last) positions of columns" + none
        bounds = "" if self.low is None else f" of at least {self.low:g}"
        bounds += "" if self.high is None else f"{' and' if bounds else ' of'} at most {self.high:g}"
        return ("a whole number" if self.kind == "int" else "a number") + bounds + none


def _is_plain(value: object) -> bool:
    """Whether == gives one answer, as it does not for arrays."""
    return isinstance(value, str | numbers.Number | tuple)


def with_parameters(docstring: str, params: Iterable[Param]) -> str:
    """A docstring of numpydoc's form with a section of these parameters, before those that it has.

    >>> print(with_parameters("Count.\\n\\nAttributes\\n----------\\nn_", [Param("n", "int", 1, "How many.", low=1)]))
    Count.
    <BLANKLINE>
    Parameters
    ----------
    n : a whole number of at least 1, default 1
        How many.
    <BLANKLINE>
    Attributes
    ----------
    n_
    """
    entries: list[str] = []
    for param in params:
        default = "" if param.default is REQUIRED else f", default {param.default!r}"
        entries.append(f"{param.name} : {param.expectation()}{default}")
        entries += textwrap.wrap(
            param.meaning, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    lines = inspect.cleandoc(docstring).split("\n")
    headers = [at - 1 for at, line in enumerate(lines) if at and line and not line.strip("-")]
    if "Parameters" in lines:  # of others that are not declared
        at = lines.index("Parameters") + 2
        return "\n".join([*lines[:at], *entries, *lines[at:]])
    at = headers[0] if headers else len(lines)
    section = ["Parameters", "----------", *entries, ""]
    return "\n".join([*lines[:at], *([] if headers else [""]), *section, *lines[at:]]).rstrip()


def check_effects(owner: str, params: tuple[Param, ...], values: Parameters) -> None:
    """Refuse parameters that were set and have no effect under the others."""
    for param in params:
        param.check_effect(owner, values)


def check_params(owner: str, params: tuple[Param, ...], values: dict[str, object]) -> None:
    """Check every parameter of a model against its declaration."""
    for param in params:
        param.check(owner, values[param.name])


REQUIRED = Parameter.empty  # a parameter without a default
PRIORS = Param(
    "priors",
    "priors",
    "ml",
    "Class probabilities: proportions of the data, equal, or given.",
    choices=("ml", "uniform"),
    optional=True,
)
START = Param(
    "start",
    "weights",
    None,
    (
        "Initial weights, in the units of the columns, the intercept last. When not given, zeros; of "
        "logistic regression the model without features."
    ),
    optional=True,
)
VARIANCE = Param(
    "variance",
    "choice",
    "ml",
    "Divisor of the variance: n (ml) or n - 1 (unbiased). Where classes share it: N or N - K.",
    choices=("ml", "unbiased"),
)
FLOOR = Param(
    "variance_floor",
    "float",
    1e-9,
    (
        "Least variance of any direction within a class, as a proportion of the features' total "
        "variance. Where columns are independent, of each column's own."
    ),
    low=0.0,
    high=1.0,
)
CLASS_WEIGHT = Param(
    "class_weight",
    "class_weight",
    None,
    "Weight of each class, balanced or given by label, times the sample weights.",
    optional=True,
)
SMOOTHING = Param("smoothing", "float", 0.0, "What is added to the count of every class.", low=0.0)
