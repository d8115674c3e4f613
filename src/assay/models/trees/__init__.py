"""Trees and ensembles of scikit-learn in the catalog."""
