"""What is stored of a fitted model: its fields, which stand in the class that they are attributes of."""

from __future__ import annotations

from dataclasses import dataclass


class UnusableModelError(ValueError):
    """A model whose parts do not fit together."""


@dataclass(frozen=True)
class Field:
    """One fitted attribute.

    kind : how it is checked, see `assay.storage.field_checks`.
    shape : lengths of the axes, by name: D features in, K classes; other names are bound where they first occur.
    """

    name: str
    kind: str
    shape: tuple[str, ...] = ()
    optional: bool = False

    def wrong(self, expected: str) -> UnusableModelError:
        """A clause that says what the attribute should have been."""
        return UnusableModelError(f"its attribute {self.name!r} is not {expected}")


INPUT = (
    Field("n_features_in_", "count"),
    Field("feature_names_in_", "names", ("D",), optional=True),
    Field("_sklearn_output_config", "output", optional=True),
)
STATISTICS = Field("statistics_", "moments")
NOTES = Field("diagnostics_", "sentences")
SHARES = Field("class_prior_", "priors", ("K",))
FROM_CLASSES = (*INPUT, Field("classes_", "labels", ("K",)), STATISTICS)
FROM_COUNTS = (*INPUT, Field("classes_", "labels", ("K",)), Field("statistics_", "counts"))
FROM_ROWS = (*INPUT, STATISTICS)
ENCODER = (
    *INPUT,
    Field("schema_", "schema"),
    Field("groups_", "groups"),
    Field("notes_", "sentences"),
    NOTES,
)
LINEAR = (
    *INPUT,
    Field("classes_", "labels", ("K",)),
    Field("_center", "numbers", ("D",)),
    Field("_weights", "numbers", ("K", "D")),
    Field("_bias", "constants", ("K",)),
    NOTES,
)
COMBINED = (
    Field("n_features_in_", "count", optional=True),  # not every part counts its columns
    Field("feature_names_in_", "names", ("D",), optional=True),
    Field("classes_", "labels", ("K",)),
    SHARES,
    NOTES,
)
TRAINED = (
    *INPUT,
    Field("classes_", "labels", ("K",)),
    SHARES,
    Field("center_", "numbers", ("D",)),
    Field("history_", "history"),
    Field("n_iter_", "tally"),
    NOTES,
)
