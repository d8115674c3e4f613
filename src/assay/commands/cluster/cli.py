"""`assay cluster`: options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.engines.progress import progress_bar
from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import Seed, Source, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.cluster.result import ClusterResult

EPILOG = epilog(
    "assay cluster customers.csv --drop customer_id --out clusters/",
    "assay cluster iris.csv --target species --method hierarchy --k 2..6 --out clusters/",
)
Compared = Annotated[
    str | None,
    typer.Option(
        "--target", metavar="COLUMN", help="A column that is not used and is compared with the clusters."
    ),
]
Numbers = Annotated[
    str | None,
    typer.Option("--k", metavar="K", help="Numbers of clusters to try: 3, or 2..8; default 1..10."),
]
Method = Annotated[
    str, typer.Option("--method", metavar="METHOD", help="k-means, hierarchy (bottom-up) or top-down.")
]
Linkage = Annotated[
    str,
    typer.Option("--linkage", metavar="LINKAGE", help="For a hierarchy: ward, average, complete or single."),
]
Criterion = Annotated[
    str,
    typer.Option("--criterion", metavar="BY", help="Criterion for the number of clusters: bic or held-out."),
]
Starts = Annotated[
    int, typer.Option("--starts", metavar="N", min=1, help="Random starts of k-means; the best is kept.")
]
Folder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Write labels.csv and report.html to this folder."),
]


def cluster(
    source: Source,
    target: Compared = None,
    k: Numbers = None,
    method: Method = "k-means",
    linkage: Linkage = "ward",
    criterion: Criterion = "bic",
    starts: Starts = 10,
    out: Folder = None,
    seed: Seed = 0,
    *,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Cluster the rows of a table: the number of clusters, their sizes, and the columns that set each apart.

    All columns have the same weight, whatever their unit; texts and identifiers are not used.
    """
    with progress_bar(show=not output.quiet) as progress:
        from assay.commands.cluster.job import cluster as cluster_source
        from assay.commands.cluster.result import check_folder
        from assay.workbench.syntax.settings import parse_cluster_counts

        if out is not None:
            check_folder(out)
        result = cluster_source(
            source,
            target,
            k=parse_cluster_counts(k),
            method=method,
            linkage=linkage,
            criterion=criterion,
            n_starts=starts,
            random_state=seed,
            progress=progress,
            **source_options(**vars(reading)),
        )
        if out is not None:
            progress("writing", 1.0)
        files = None if out is None else _write(result, out)
    if output.as_json:
        print_json({**result.to_json(), "out": files})
    else:
        from assay.commands.cluster.text import print_clusters

        print_clusters(stdout_console(), result, files, output.quiet)


def _write(result: ClusterResult, out: str) -> dict[str, str]:
    """Labels and page; the page is made before either of them is written."""
    from assay.commands.cluster.page import page
    from assay.commands.cluster.result import LABELS, REPORT, open_folder, write_files
    from assay.notes.voices import SHELL_PAGE

    text = page(result, SHELL_PAGE)
    folder = open_folder(out)
    write_files(result, folder, text)
    return {"labels": str(folder / LABELS), "report": str(folder / REPORT)}
