"""Groups in words."""

from __future__ import annotations

from datetime import date, timedelta

from assay.commands.cluster.job import Clustered
from assay.commands.cluster.profiles import Portrait, Trait
from assay.notes.numbers import plain_number, plain_percent
from assay.notes.phrases import plural

STANDING_OUT = 3
LEAST_AWAY = 0.3  # deviations from the mean of all rows that are worth a word
LONGEST = 40  # letters of a column's name


def headline(found: Clustered) -> str:
    """How many groups, in a sentence."""
    rows, columns = plural(len(found.labels), "row"), plural(len(found.columns), "column")
    if len(found.trials) == 1:
        return f"{rows} of {columns} in {plural(found.chosen, 'group')}."
    span = f"{found.trials[0].k} to {found.trials[-1].k}"
    if found.chosen == 1:
        return f"Nothing speaks for groups among {rows} of {columns}: of {span} groups, one was chosen."
    by = "BIC" if found.criterion == "bic" else "the likelihood of rows held out"
    return f"{plural(found.chosen, 'group')} among {rows} of {columns}, chosen from {span} by {by}."


def value_of(kind: str, value: float) -> str:
    """A mean as it is read: a number, a date, or a share.

    >>> value_of("number", 5.8433), value_of("share", 0.25), value_of("date", 365.2)
    ('5.84', '25.0 %', '1971-01-01')
    """
    if kind == "share":
        return f"{plain_percent(value)} %"
    if kind == "date" and abs(value) < 700_000:  # between the years 53 and 3886
        return (date(1970, 1, 1) + timedelta(days=round(value))).isoformat()
    return plain_number(value)


def standing_out(group: Portrait, most: int = STANDING_OUT) -> list[Trait]:
    """What a group differs in most from all rows."""
    return [each for each in group.traits if abs(each.away) >= LEAST_AWAY][:most]


def in_words(trait: Trait) -> str:
    """A trait beside that of all rows."""
    name = " ".join(trait.column.split()) or "(empty)"
    name = name if len(name) <= LONGEST else name[: LONGEST - 3] + "..."
    return f"{name} {value_of(trait.kind, trait.mean)} (all: {value_of(trait.kind, trait.overall)})"
