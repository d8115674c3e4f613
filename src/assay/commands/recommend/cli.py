"""`assay recommend`: items that a user should like, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.models.recommend.parameters import MEANS, PREDICTIONS, SIMILARITIES
from assay.notes import Note
from assay.notes.numbers import plain_number_range
from assay.terminal.console import heading, progress_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Drop, Ignore, Query, Quiet, Seed, Source, epilog
from assay.terminal.wording import for_shell

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.recommend.job import Recommended

EPILOG = epilog(
    "assay recommend ratings.csv --user 42",
    "assay recommend jester.csv --matrix --missing 99 --drop n_rated --user 7 --evaluate --prediction z_score",
)
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help="Whom to recommend to.")]
Count = Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many items.")]
Similarity = Annotated[
    str,
    typer.Option("--similarity", metavar="KIND", help=f"How alike two users are: {', '.join(SIMILARITIES)}."),
]
Means = Annotated[
    str,
    typer.Option(
        "--means", metavar="OVER", help=f"Means and deviations of pearson over the items: {', '.join(MEANS)}."
    ),
]
Prediction = Annotated[
    str,
    typer.Option("--prediction", metavar="WAY", help=f"From critics to a rating: {', '.join(PREDICTIONS)}."),
]
Neighbors = Annotated[
    int,
    typer.Option("--neighbors", metavar="K", min=0, help="Most similar critics heard on an item; 0: all."),
]
Overlap = Annotated[
    int, typer.Option("--min-overlap", metavar="N", min=1, help="Items two users must both have rated.")
]
Shrinkage = Annotated[
    float,
    typer.Option("--shrinkage", metavar="B", min=0.0, help="Similarity times n/(n+B), n items in common."),
]
Evaluate = Annotated[
    bool, typer.Option("--evaluate", help="Errors of all ways to predict, on ratings left out.")
]
Folds = Annotated[
    str, typer.Option("--plan", metavar="PLAN", help="How they are left out: a number of folds, or loo.")
]
Matrix = Annotated[
    bool, typer.Option("--matrix", help="A row for each user and a column for each item; else found out.")
]
UserColumn = Annotated[
    str | None, typer.Option("--user-column", metavar="COL", help="Column of users; else found by its name.")
]
ItemColumn = Annotated[
    str | None, typer.Option("--item-column", metavar="COL", help="Column of items; else found by its name.")
]
RatingColumn = Annotated[
    str | None,
    typer.Option("--rating-column", metavar="COL", help="Column of ratings; else found by its name."),
]
Missing = Annotated[
    list[float] | None,
    typer.Option("--missing", metavar="CODE", help="A number that stands for no rating; may be repeated."),
]
Duplicates = Annotated[
    str,
    typer.Option(
        "--duplicates",
        metavar="RULE",
        help="Two ratings of one item by one user: refuse, mean, first or last.",
    ),
]


def recommend(
    source: Source,
    user: User = None,
    n: Count = 10,
    similarity: Similarity = "pearson",
    means: Means = "co_rated",
    prediction: Prediction = "weighted",
    neighbors: Neighbors = 50,
    min_overlap: Overlap = 1,
    shrinkage: Shrinkage = 0.0,
    evaluate: Evaluate = False,
    plan: Folds = "5",
    matrix: Matrix = False,
    user_column: UserColumn = None,
    item_column: ItemColumn = None,
    rating_column: RatingColumn = None,
    missing: Missing = None,
    duplicates: Duplicates = "refuse",
    drop: Drop = None,
    query: Query = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Recommend items to a user from the ratings of users who agree, and say who they are.

    The source is a list of user, item, rating, or a matrix with a row for each user.
    """
    with progress_bar(time_left=True, show=not quiet) as progress:
        from assay.commands.recommend.job import recommended

        found = recommended(
            source,
            user,
            n,
            {"similarity": similarity, "means": means, "prediction": prediction}
            | {"n_neighbors": neighbors or None}
            | {"min_overlap": min_overlap, "shrinkage": shrinkage},
            plan=_plan(plan) if evaluate else None,
            random_state=seed,
            progress=progress,
            user_column=user_column,
            item=item_column,
            rating=rating_column,
            layout="matrix" if matrix else "auto",
            missing=missing or None,
            duplicates=duplicates,
            drop=tuple(drop or ()),
            query=query,
        )
    if as_json:
        print_json(_plain(found))
        return
    _show(stdout_console(), found, quiet)


def _show(console: Console, found: Recommended, quiet: bool) -> None:
    if found.found is not None:
        _show_items(console, found, quiet)
    if found.errors is not None:
        _show_errors(console, found)
    if not quiet and found.notes:
        heading(console, "Notes")
        for note in found.notes:
            prose(console, for_shell(note))


def _plan(text: str) -> int | str:
    if text.strip().lower() in ("loo", "leave_one_out", "leave-one-out"):
        return "leave_one_out"
    if not text.strip().isdecimal() or int(text) < 2:
        raise ValueError(Note("C060", text=text))
    return int(text)


def _show_items(console: Console, found: Recommended, quiet: bool) -> None:
    assert found.found is not None
    if not quiet:
        prose(
            console,
            f"{found.ratings} ratings of {found.items} items by {found.users} users in {found.source}.",
        )
        heading(console, f"For {found.found.user}")
    rows = [[each.item, f"{each.rating:.3f}", each.reason] for each in found.found]
    if rows:
        table(console, [("item", "left"), ("rating", "right"), ("because", "left")], rows)


def _show_errors(console: Console, found: Recommended) -> None:
    heading(console, f"Errors on ratings left out, {found.plan}")
    columns = [("prediction", "left"), ("similarity", "left"), ("RMSE", "right"), ("95 %\ninterval", "left")]
    columns += [("MAE", "right"), ("95 %\ninterval", "left"), ("no\ncritic", "right"), ("", "left")]
    table(
        console,
        columns,
        [
            [
                way.prediction,
                way.similarity or "-",
                f"{way.rmse:.4f}",
                plain_number_range(way.rmse_interval),
                f"{way.mae:.4f}",
                plain_number_range(way.mae_interval),
                str(way.unheard),
                "chosen" if way.chosen else "",
            ]
            for way in found.errors or ()
        ],
    )


def _plain(found: Recommended) -> dict[str, Any]:
    """As a JSON object."""
    plain: dict[str, Any] = {
        "source": found.source,
        "users": found.users,
        "items": found.items,
        "ratings": found.ratings,
        "settings": found.settings,
    }
    if found.found is not None:
        plain["user"] = found.found.user
        plain["recommendations"] = [{**vars(each), "reason": each.reason} for each in found.found]
    if found.errors is not None:
        plain |= {"plan": found.plan, "errors": [vars(way) for way in found.errors]}
    return plain | {"notes": found.notes}
