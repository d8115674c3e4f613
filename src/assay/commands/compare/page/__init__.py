"""The report of a comparison, one module per section."""
