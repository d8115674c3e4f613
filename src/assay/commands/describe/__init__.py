"""`assay describe`: the inferred type of each column."""
