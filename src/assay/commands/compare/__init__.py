"""`assay compare`, `tune` and `report`: which classifier, and how wrong it will be."""
