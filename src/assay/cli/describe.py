"""`assay describe`: what the columns of a table are taken for."""

from __future__ import annotations

from assay.cli.options import AsJson, Drop, MaybeTarget, Query, Quiet, Source, Types, epilog

EPILOG = epilog(
    "assay describe adult.csv --target income",
    'assay describe postgresql://localhost/shop --query "SELECT * FROM orders" --type zip=categorical',
)


def describe(
    source: Source,
    target: MaybeTarget = None,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show the type of every column with the reason for it, the classes, and what looks suspicious."""
