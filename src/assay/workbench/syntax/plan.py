"""Validation schemes as command lines spell them.

``kfold:5x3``, ``loo``, ``bootstrap:200``, ``split:60/20/20``; ``time:5``, or ``time:5:10`` with a gap of ten rows;
``column:split`` or ``column:split=test``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.notes import Note

if TYPE_CHECKING:
    from assay.plans import Plan

# Those that candidates can be tuned inside.
PLANS = (
    "kfold:10",
    "kfold:5x3 (repeated)",
    "holdout:0.3",
    "split:60/20/20 (training/validation/test)",
    "time:5 (windows)",
    "column:NAME (of a train/test column)",
)
STRATIFIED = ":stratified"
PROPORTION = r"\d*\.\d+|\d(?:\.\d+)?e-\d+"
EVERY_PLAN = (*PLANS, "loo", "bootstrap:200", "subsample:10x0.1")


def parse_plan(text: str, seed: int = 0, plans: tuple[str, ...] = PLANS) -> Plan:
    """The scheme of ``kfold:5x3``, ``loo``, ``holdout:0.3``, ``subsample:10x0.1``, ``split:60/20/20``, ``bootstrap:9``.

    Folds are random but for classes of fewer rows than folds, which are spread evenly; ``kfold:10:stratified`` spreads
    every class.

    Parameters
    ----------
    text : str
    seed : int
    plans : tuple of str
        What to give instead, where there is no such scheme.

    Examples
    --------
    >>> parse_plan("kfold:5x3")
    KFold(n_splits=5, repeats=3, stratified='rare', random_state=0)
    """
    from assay.plans import (
        Bootstrap,
        ColumnSplit,
        HoldOut,
        KFold,
        LeaveOneOut,
        RandomSubsampling,
        TimeSeries,
    )

    kind, _, size = text.strip().lower().partition(":")
    if kind == "loo" and not size:
        return LeaveOneOut()
    if kind == "kfold" and (match := re.fullmatch(r"(\d+)(?:x(\d+))?(:stratified)?", size or "10")):
        folds, repeats = int(match[1]), int(match[2] or 1)
        if folds < 2 or repeats < 1:
            raise ValueError(Note("O031", text=text, plans=plans))
        return KFold(folds, repeats=repeats, stratified=bool(match[3]) or "rare", random_state=seed)
    if kind == "holdout" and re.fullmatch(PROPORTION, size or "0.3"):
        return HoldOut(_proportion(size or "0.3", text, plans), random_state=seed)
    if kind == "subsample" and (match := re.fullmatch(rf"(\d+)x({PROPORTION})", size or "10x0.1")):
        if not int(match[1]):
            raise ValueError(Note("O023", text=text, plans=plans))
        return RandomSubsampling(_proportion(match[2], text, plans), repeats=int(match[1]), random_state=seed)
    if kind == "time" and (match := re.fullmatch(r"([1-9]\d*)(?::(\d+))?", size or "5")):
        return TimeSeries(int(match[1]), gap=int(match[2] or 0))
    if kind == "column" and size:
        column, equals, test = text.strip()[len("column:") :].partition("=")
        return ColumnSplit(column, test if equals else None)
    if kind == "split":
        return _parse_parts(size or "60/20/20", seed)
    if kind == "bootstrap" and re.fullmatch(r"[1-9]\d*", size or "100"):
        return Bootstrap(int(size or "100"), random_state=seed)
    raise ValueError(Note("O023", text=text, plans=plans))


def stratified_text(text: str) -> str:
    """The text of the folds of `text` with every class spread evenly over them.

    >>> stratified_text("kfold:5x3")
    'kfold:5x3:stratified'
    """
    folds = text.strip().lower()
    if folds.partition(":")[0] != "kfold":
        raise ValueError(Note("O035", text=text))
    return folds if folds.endswith(STRATIFIED) else ("kfold:10" if folds == "kfold" else folds) + STRATIFIED


def _proportion(size: str, text: str, plans: tuple[str, ...]) -> float:
    """A proportion of the rows, between 0 and 1."""
    proportion = float(size)
    if not 0 < proportion < 1:
        raise ValueError(Note("O032", text=text, plans=plans))
    return proportion


def _parse_parts(text: str, seed: int) -> Plan:
    """Training, validation and test set in per cent."""
    from assay.plans import TrainValidationTest

    sizes = text.split("/")
    if len(sizes) != 3 or not all(re.fullmatch(r"\d{1,2}(\.\d+)?", size) for size in sizes):
        raise ValueError(Note("O024", text=text))
    percentages = [float(size) for size in sizes]
    if abs(sum(percentages) - 100) > 1e-9 or min(percentages) == 0:
        raise ValueError(Note("O025", text=text, total=sum(percentages)))
    return TrainValidationTest(
        (percentages[0] / 100, percentages[1] / 100, percentages[2] / 100), random_state=seed
    )


def format_plan(plan: Plan) -> str:
    """The text that `parse_plan` parses as this scheme; its repr if there is none.

    Examples
    --------
    >>> format_plan(parse_plan("kfold:5x3"))
    'kfold:5x3'
    """
    return plan_option(plan) or repr(plan)


def plan_option(plan: Plan) -> str | None:
    """The text that `parse_plan` parses as this scheme; None if there is none."""
    text = plan.option
    same = bool(text) and parse_plan(text, getattr(plan, "random_state", 0)) == plan
    return text if same else None
