"""`assay separable`: whether planes separate the classes of a table."""
