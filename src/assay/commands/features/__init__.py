"""`assay features`: columns ranked and selected."""
