"""`assay decide`: actions from posteriors and a loss."""
