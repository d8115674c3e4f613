"""`assay explain`: a prediction as a sum over columns."""
