"""Features: what is done to columns before a model sees them, fitted inside each fold."""
