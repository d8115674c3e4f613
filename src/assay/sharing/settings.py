"""What is fitted: unfitted estimators, compared by value; those that differ in named parameters alone go together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from assay.numerics.value_key import value_key, value_key_but
from assay.types import Estimator, Parameters, RowClassifier

Fit = TypeVar("Fit", bound=Estimator)


def parts_of(estimator: object) -> list[tuple[str, Any]]:
    """The named steps of a pipeline, the model last; nothing for any other estimator."""
    if not isinstance(estimator, Pipeline):
        return []
    return [(name, part) for name, part in estimator.steps if part not in (None, "passthrough")]


def steps_of(estimator: object) -> tuple[Any, ...]:
    """What stands before the model of a pipeline."""
    return tuple(part for _, part in parts_of(estimator)[:-1])


def model_of(estimator: object) -> Any:
    """The model at the end of a pipeline, or the estimator itself."""
    parts = parts_of(estimator)
    return parts[-1][1] if parts else estimator


def unfitted(estimator: Fit) -> Fit:
    """A copy without what was learned."""
    return clone(estimator)


def without_first(pipeline: object) -> RowClassifier:
    """What stands behind the first step of a pipeline."""
    rest = parts_of(pipeline)[1:]
    return rest[0][1] if len(rest) == 1 else Pipeline(rest)


def with_model(estimator: object, model: RowClassifier) -> RowClassifier:
    """The steps of an estimator before another model; if that is a pipeline, its steps follow them."""
    parts = [*steps_of(estimator), *steps_of(model), model_of(model)]
    return (
        model if not steps_of(estimator) else Pipeline([(f"step{n}", part) for n, part in enumerate(parts)])
    )


@dataclass(frozen=True, eq=False)
class Settings:
    """Unfitted estimators, one for each setting, and what they are called."""

    estimators: tuple[RowClassifier, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, estimators: Mapping[str, RowClassifier] | Sequence[RowClassifier]) -> Settings:
        """Estimators by name, or in a list by the names of their classes."""
        if isinstance(estimators, Mapping):
            return cls(tuple(estimators.values()), tuple(estimators))
        return cls(tuple(estimators), tuple(type(model_of(estimator)).__name__ for estimator in estimators))

    @classmethod
    def called(cls, name: str, estimators: Sequence[RowClassifier]) -> Settings:
        """Settings of one candidate, which has a name."""
        return cls(tuple(estimators), (name,) * len(estimators))

    @classmethod
    def grid(cls, pipeline: RowClassifier, values: Iterable[Parameters]) -> Settings:
        """One pipeline with each of these parameters."""
        return cls.of([clone(pipeline).set_params(**parameters) for parameters in values])

    def __len__(self) -> int:
        return len(self.estimators)

    def take(self, which: Iterable[int]) -> Settings:
        """Some of the settings."""
        chosen = list(which)
        return Settings(tuple(self.estimators[s] for s in chosen), tuple(self.names[s] for s in chosen))

    def families(self, apart: Callable[[Any], Iterable[str]]) -> list[list[int]]:
        """Settings that are equal by value in all but the parameters that their models name."""
        by_key: dict[Hashable, list[int]] = {}
        for s, estimator in enumerate(self.estimators):
            names = tuple(apart(model_of(estimator)))
            key = names, value_key(steps_of(estimator)), value_key_but(model_of(estimator), names)
            by_key.setdefault(key, []).append(s)
        return list(by_key.values())
