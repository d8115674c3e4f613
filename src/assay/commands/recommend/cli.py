"""`assay recommend`: options and text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.engines.progress import progress_bar
from assay.models.recommend.choices import MEANS, PREDICTIONS, SIMILARITIES
from assay.notes import Note, render
from assay.notes.numbers import plain_number_range
from assay.notes.voices import SHELL
from assay.terminal.console import heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions
from assay.terminal.options import Drop, Query, Seed, Source, epilog

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.recommend.job import RecommendResult

EPILOG = epilog(
    "assay recommend ratings.csv --user 42",
    "assay recommend jester.csv --matrix --missing 99 --drop n_rated --user 7 --evaluate --prediction z_score",
)
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help="The user to recommend items to.")]
Count = Annotated[int, typer.Option("-n", metavar="N", min=1, help="Number of items.")]
Similarity = Annotated[
    str,
    typer.Option("--similarity", metavar="KIND", help=f"Similarity of two users: {', '.join(SIMILARITIES)}."),
]
Means = Annotated[
    str,
    typer.Option(
        "--means",
        metavar="OVER",
        help=f"Items for the means and standard deviations of pearson: {', '.join(MEANS)}.",
    ),
]
Prediction = Annotated[
    str,
    typer.Option("--prediction", metavar="METHOD", help=f"Prediction method: {', '.join(PREDICTIONS)}."),
]
Neighbors = Annotated[
    int,
    typer.Option("--neighbors", metavar="K", min=0, help="Number of nearest neighbours per item; 0: all."),
]
Overlap = Annotated[
    int,
    typer.Option(
        "--min-overlap", metavar="N", min=1, help="Least number of items that both users have rated."
    ),
]
Shrinkage = Annotated[
    float,
    typer.Option(
        "--shrinkage",
        metavar="B",
        min=0.0,
        help="Multiply similarities by n/(n+B), with n the number of items in common.",
    ),
]
Evaluate = Annotated[
    bool, typer.Option("--evaluate", help="Errors of all prediction methods on held-out ratings.")
]
Folds = Annotated[
    str, typer.Option("--plan", metavar="PLAN", help="Validation scheme: a number of folds, or loo.")
]
Matrix = Annotated[
    bool,
    typer.Option(
        "--matrix", help="The source has one row per user and one column per item; default: detected."
    ),
]
UserColumn = Annotated[
    str | None,
    typer.Option("--user-column", metavar="COL", help="Column of users; default: detected by name."),
]
ItemColumn = Annotated[
    str | None,
    typer.Option("--item-column", metavar="COL", help="Column of items; default: detected by name."),
]
RatingColumn = Annotated[
    str | None,
    typer.Option("--rating-column", metavar="COL", help="Column of ratings; default: detected by name."),
]
Missing = Annotated[
    list[float] | None,
    typer.Option("--missing", metavar="CODE", help="A number that means no rating; may be repeated."),
]
Duplicates = Annotated[
    str,
    typer.Option(
        "--duplicates",
        metavar="RULE",
        help="Several ratings of one item by one user: refuse, mean, first or last.",
    ),
]


@dataclass(frozen=True)
class RecommenderOptions:
    """Parameters of the recommender."""

    similarity: Similarity = "pearson"
    means: Means = "co_rated"
    prediction: Prediction = "weighted"
    neighbors: Neighbors = 50
    min_overlap: Overlap = 1
    shrinkage: Shrinkage = 0.0

    def parameters(self) -> dict[str, Any]:
        """The options as `Recommender` takes them."""
        return {
            "similarity": self.similarity,
            "means": self.means,
            "prediction": self.prediction,
            "n_neighbors": self.neighbors or None,
            "min_overlap": self.min_overlap,
            "shrinkage": self.shrinkage,
        }


@dataclass(frozen=True)
class RatingOptions:
    """How the ratings are read."""

    matrix: Matrix = False
    user_column: UserColumn = None
    item_column: ItemColumn = None
    rating_column: RatingColumn = None
    missing: Missing = None
    duplicates: Duplicates = "refuse"
    drop: Drop = None
    query: Query = None

    def arguments(self) -> dict[str, Any]:
        """The options as `recommend_items` takes them."""
        return {
            "layout": "matrix" if self.matrix else "auto",
            "user_column": self.user_column,
            "item": self.item_column,
            "rating": self.rating_column,
            "missing": self.missing or None,
            "duplicates": self.duplicates,
            "drop": tuple(self.drop or ()),
            "query": self.query,
        }


def recommend(
    source: Source,
    user: User = None,
    n: Count = 10,
    evaluate: Evaluate = False,
    plan: Folds = "5",
    seed: Seed = 0,
    *,
    recommender: RecommenderOptions,
    ratings: RatingOptions,
    output: OutputOptions,
) -> None:
    """Recommend items to a user from the ratings of similar users, and name these users.

    The source is a list of user, item, rating, or a matrix with one row per user.
    """
    with progress_bar(time_left=True, show=not output.quiet) as progress:
        from assay.commands.recommend.job import recommend_items

        result = recommend_items(
            source,
            user,
            n,
            recommender.parameters(),
            plan=_plan(plan) if evaluate else None,
            random_state=seed,
            progress=progress,
            **ratings.arguments(),
        )
    if output.as_json:
        print_json(_plain(result))
        return
    _show(stdout_console(), result, output.quiet)


def _show(console: Console, result: RecommendResult, quiet: bool) -> None:
    if result.recommendations is not None:
        _show_items(console, result, quiet)
    if result.errors is not None:
        _show_errors(console, result)
    if not quiet:
        print_notes(console, result.notes)


def _plan(text: str) -> int | str:
    if text.strip().lower() in ("loo", "leave_one_out", "leave-one-out"):
        return "leave_one_out"
    if not text.strip().isdecimal() or int(text) < 2:
        raise ValueError(Note("C060", plan=text))
    return int(text)


def _show_items(console: Console, result: RecommendResult, quiet: bool) -> None:
    assert result.recommendations is not None
    if not quiet:
        prose(
            console,
            f"{result.ratings} ratings of {result.items} items by {result.users} users in {result.source}.",
        )
        heading(console, f"For {result.recommendations.user}")
    rows = [[item.item, f"{item.rating:.3f}", render(item.reason, SHELL)] for item in result.recommendations]
    if rows:
        table(console, [("item", "left"), ("rating", "right"), ("reason", "left")], rows)


def _show_errors(console: Console, result: RecommendResult) -> None:
    heading(console, f"Errors on held-out ratings, {result.plan}")
    columns = [("prediction", "left"), ("similarity", "left"), ("RMSE", "right"), ("95 %\nCI", "left")]
    columns += [("MAE", "right"), ("95 %\nCI", "left"), ("no\nneighbour", "right"), ("", "left")]
    table(
        console,
        columns,
        [
            [
                row.prediction,
                row.similarity or "-",
                f"{row.rmse:.4f}",
                plain_number_range(row.rmse_interval),
                f"{row.mae:.4f}",
                plain_number_range(row.mae_interval),
                str(row.unheard),
                "chosen" if row.chosen else "",
            ]
            for row in result.errors or ()
        ],
    )


def _plain(result: RecommendResult) -> dict[str, object]:
    """As a JSON object."""
    plain: dict[str, object] = {
        "source": result.source,
        "users": result.users,
        "items": result.items,
        "ratings": result.ratings,
        "settings": result.settings,
    }
    if result.recommendations is not None:
        plain["user"] = result.recommendations.user
        plain["recommendations"] = [{**vars(item), "reason": item.reason} for item in result.recommendations]
    if result.errors is not None:
        plain |= {"plan": result.plan, "errors": [vars(row) for row in result.errors]}
    return plain | {"notes": result.notes}
