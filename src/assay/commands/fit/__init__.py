"""`assay fit`: one model of the catalog, fitted and saved."""
