"""`assay evaluate`: a saved model on labelled rows."""
