"""Data: sources of every kind become one typed table. This layer reads and types; it learns nothing."""

from assay.data.read import Source, read, scan
from assay.data.schema import COLUMN_TYPES, Column, Schema
from assay.data.table import MISSING, UNSEEN, Table

__all__ = ["COLUMN_TYPES", "MISSING", "UNSEEN", "Column", "Schema", "Source", "Table", "read", "scan"]
