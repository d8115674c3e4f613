"""`assay project`: the rows of a table along a few directions."""
