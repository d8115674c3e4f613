"""Training against validation error of one model along one hyperparameter, for `assay tune --curve`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.catalog import ModelCard, entry
from assay.data.sources.database_address import source_name
from assay.data.write.atomic import check_writable
from assay.engines.progress import Progress, silent
from assay.models.table.build import parameter_path
from assay.notes import Note
from assay.selection.complexity_curve import ComplexityCurve, complexity_curve
from assay.workbench.experiment.setup import with_repeats
from assay.workbench.named_model import named_model
from assay.workbench.problem import Problem, read_problem
from assay.workbench.syntax.plan import format_plan, parse_plan
from assay.workbench.syntax.ranges import parse_ranges, simple_first
from assay.workbench.syntax.settings import assigned_names

CURVE = "curve.html"


@dataclass(frozen=True, eq=False)
class CurveResult:
    """A curve, and what it is about.

    Attributes
    ----------
    curve : ComplexityCurve
    problem : Problem
    name, title, plan : str
        The model, and the validation scheme.
    page : str or None
        The file of the picture.
    """

    curve: ComplexityCurve
    problem: Problem
    source: str
    name: str
    title: str
    plan: str
    page: str | None = None

    def figures(self) -> dict[str, Any]:
        """Plain values."""
        curve = self.curve
        lines = zip(
            curve.values, curve.training, curve.validation, curve.standard_errors, curve.labels, strict=True
        )
        return {
            "source": self.source,
            "target": self.problem.target,
            "rows": self.problem.n_rows,
            "name": self.name,
            "title": self.title,
            "plan": self.plan,
            "parameter": curve.parameter.rpartition("__")[2],
            "curve": [
                {
                    "value": value,
                    "training": float(training),
                    "validation": float(validation),
                    "standard_error": float(error),
                    "label": label,
                }
                for value, training, validation, error, label in lines
            ],
            "best": curve.values[curve.best],
            "simplest": curve.values[curve.simplest],
            "notes": (*self.problem.notes, *curve.evaluations[curve.best].notes),
            "out": self.page,
        }


def curve_of_table(
    source: object,
    target: str | None,
    model: str,
    ranges: Collection[str],
    *,
    plan: str = "kfold:10",
    random_state: int = 0,
    n_jobs: int | None = None,
    groups: str | None = None,
    weights: str | None = None,
    split_repeats: bool = False,
    out: str | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> CurveResult:
    """Training and validation error of a model of the catalog.

    Parameters
    ----------
    source, target, groups, weights, **reading
        As for `compare`.
    ranges : texts such as ``degree=1..8``
        One hyperparameter and its values, numbers; without any, the only one that `compare` tunes. Others may have one
        value each, such as ``kernel=polynomial``.
    out : str, optional
        A folder for the picture.
    """
    card = entry(model).freed(assigned_names(ranges))
    name, values, settings = _range(card, ranges)
    scheme = parse_plan(plan, random_state)
    if out is not None:
        if Path(out).is_file():
            raise ValueError(Note("C764", path=out))
        Path(out).mkdir(parents=True, exist_ok=True)
        check_writable(Path(out) / CURVE)
    progress("reading", 0.0)
    problem = read_problem(source, target, groups=groups, weights=weights, **reading)
    problem = with_repeats(problem, scheme, split_repeats)
    named = named_model(model, [*settings, f"{name}={values[0]}"], random_state)
    classifier, rows, labels = named.on(problem)
    curve = complexity_curve(
        classifier,
        rows,
        labels,
        scheme,
        sample_weight=problem.weight,
        groups=problem.group_codes,
        n_jobs=n_jobs,
        progress=lambda _, done, total: progress("fitting", done / total),
        **{parameter_path(card, name, named.setting): values},
    )
    page = None if out is None else str(curve.chart().save(Path(out) / CURVE))
    return CurveResult(curve, problem, source_name(source), model, card.title, format_plan(scheme), page)


def _range(card: ModelCard, ranges: Collection[str]) -> tuple[str, list[object], list[str]]:
    """The hyperparameter and its values, the simplest model first; and the settings of others."""
    parsed = parse_ranges(card.name, card.free_parameters(), ranges)
    single = {name for name, values in parsed.items() if len(values) == 1 < len(parsed)}
    chosen: dict[str, list[object]] = {
        name: simple_first(card, name, values) for name, values in parsed.items() if name not in single
    }
    if not parsed:
        chosen = {tuned.name: list(tuned.values) for tuned in card.tuning}
    if len(chosen) != 1 or "drop_rare" in chosen:  # which would set two hyperparameters
        names = tuple(tuned.name for tuned in card.tuning) or ("no hyperparameter",)
        raise ValueError(Note("C761", model=card.name, names=names))
    ((name, values),) = chosen.items()
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(Note("C760", name=name, value=value))
    if len(values) < 2:
        raise ValueError(Note("C762", name=name))
    return name, values, [text for text in ranges if text.partition("=")[0].strip() in single]
