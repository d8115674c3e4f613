"""What a subclass of somebody else's changes: shared computation is that of the class as it was written here.

Folds are solved from statistics, paths, counts, neighbours or Gram matrices, without a call of `fit` or `predict`. A
class below ours that overrides a method, or an object that carries one of its own, may do something else there, and is
refitted. New defaults in `__init__` and new names change nothing.
"""

from __future__ import annotations

from sklearn.pipeline import Pipeline

from assay.notes import Note
from assay.sharing.settings import parts_of
from assay.types import Estimator

PACKAGE = __name__.partition(".")[0]
# Names that every class body has, or that only change how an object is made and shown.
HARMLESS = frozenset(
    """__init__ __module__ __qualname__ __doc__ __dict__ __weakref__ __slots__ __annotations__ __annotate__
    __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__ __orig_bases__ __parameters__ __repr__
    __str__ __abstractmethods__ _abc_impl""".split()
)
# What is asked of any estimator, whether our class has it or not.
METHODS = frozenset(
    "fit transform fit_transform predict predict_proba predict_log_proba decision_function".split()
)
ASKED = METHODS | {"classes_", "class_prior_", "priors_", "__getattr__"}


def overrides(estimator: Estimator) -> Note | None:
    """A note about the first override in an estimator, a pipeline or one of its parts; None where there is none."""
    for part in (estimator, *(part for _, part in parts_of(estimator))):
        home = _home(type(part))
        if home is not None and (name := _of_class(type(part), home) or _of_object(part, home)) is not None:
            class_name = type(part).__name__
            named = class_name if class_name != home.__name__ else f"{type(part).__module__}.{class_name}"
            return Note("S001", named, {"name": name, "home": home.__name__})
    return None


def _home(cls: type) -> type | None:
    """The class as it was written here, or scikit-learn's pipeline; None: of another kind, which shares nothing."""
    ours = (base for base in cls.__mro__ if base.__module__.partition(".")[0] == PACKAGE)
    return next(ours, Pipeline if issubclass(cls, Pipeline) else None)


def _of_class(cls: type, home: type) -> str | None:
    """What a class changes of the one that it comes from, a public method if there is one."""
    if cls is home:
        return None
    place = cls.__mro__.index(home)
    below = [name for base in cls.__mro__[:place] for name in vars(base) if _changes(home, name)]
    beside = [name for base in cls.__mro__[place:] if _foreign(base) for name in vars(base)]
    added = [name for name in beside if name in ASKED and not hasattr(home, name)]
    return min(below + added, key=lambda name: (name not in METHODS, name.startswith("_")), default=None)


def _foreign(cls: type) -> bool:
    return cls is not object and cls.__module__.partition(".")[0] not in (PACKAGE, "sklearn")


def _of_object(estimator: Estimator, home: type) -> str | None:
    """An attribute of the object that hides one of its class."""
    return next((name for name in vars(estimator) if name in METHODS or hasattr(home, name)), None)


def _changes(home: type, name: str) -> bool:
    """Whether it matters that a subclass has this name; requests for metadata are made for every class."""
    if name in HARMLESS or (name.startswith("set_") and name.endswith("_request")):
        return False
    return name in ASKED or hasattr(home, name)
