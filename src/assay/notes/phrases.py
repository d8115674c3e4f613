"""Plurals, lists and shortened names in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.notes.numbers import THIN, count

NAME_WIDTH = 27


def class_names(n_classes: int, classes: Sequence[object] | None) -> list[str]:
    """How sentences call the classes: by their labels in quotes, or by number where there are no labels."""
    if classes is None:
        return [f"class {k}" for k in range(n_classes)]
    return [f"class {str(label)!r}" for label in classes]


def listed(parts: Sequence[object], most: int = 8) -> str:
    """The first few parts, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    rest = f" and {len(parts) - most} more" if len(parts) > most else ""
    return ", ".join(map(str, parts[:most])) + rest


def spell_columns(names: Sequence[str], most: int = 5, last: str = "and") -> str:
    """The names in a sentence, the last behind "and" or another word.

    >>> spell_columns(["boat", "body"]), spell_columns(["boat"]), spell_columns(list("abcdefg"))
    ('boat and body', 'boat', 'a, b, c, d, e and 2 more')
    """
    if len(names) > most or len(names) < 2:
        return listed(names, most)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def plural(number: int, noun: str, nouns: str | None = None, space: str = " ") -> str:
    """A count and its noun.

    >>> plural(1, "row"), plural(2500, "row"), plural(2, "class", "classes")
    ('1 row', '2 500 rows', '2 classes')
    """
    return f"{count(number, space)} {noun if number == 1 else nouns or noun + 's'}"


def page_plural(number: int, noun: str, nouns: str | None = None) -> str:
    """A count and its noun on a page, where a line never breaks inside a number."""
    return plural(number, noun, nouns, THIN)


def drawn_of(shown: int, rows: int) -> str:
    """Whether a drawing shows all rows or a random sample."""
    if shown == rows:
        return f"All {page_plural(rows, 'row')}."
    return f"A random sample of {page_plural(shown, 'row')} of {count(rows)}."


def name_of(label: object) -> str:
    """A label as one line of text; an empty label has a name, too."""
    text = " ".join(str(label).split())
    return text or "(empty)"


def shorten(text: str, width: int = NAME_WIDTH) -> str:
    """The beginning and the end of a long text: names of one table often differ in their last letters only."""
    if len(text) <= width:
        return text
    end = width // 3
    return text[: width - 1 - end].rstrip() + "…" + text[len(text) - end :].lstrip()


def short_names(labels: Iterable[object], width: int = NAME_WIDTH) -> list[str]:
    """Labels short enough for an axis, still different from each other."""
    names: list[str] = []
    taken: set[str] = set()
    for label in labels:
        name = base = shorten(name_of(label), width)
        turn = 2
        while name in taken:
            name = f"{shorten(base, width - len(str(turn)) - 3)} ({turn})"
            turn += 1
        taken.add(name)
        names.append(name)
    return names


def last_part(address: str) -> str:
    """The last part of a path or an address: a page shows neither folders nor passwords.

    >>> last_part("data/iris.csv")
    'iris.csv'
    """
    return str(address).rstrip("/").rpartition("/")[2] or str(address)


def chosen_on(in_parts: bool) -> str:
    """The rows that a choice rests on, in words.

    >>> chosen_on(False), chosen_on(True)
    ('the folds', 'the validation rows')
    """
    return "the validation rows" if in_parts else "the folds"
