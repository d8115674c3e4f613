"""`assay predict`: a saved model on new rows."""
