"""`assay cluster`: the rows of a table in clusters."""
