"""Which features to use: ranked one by one, or searched for by cross-validation."""
