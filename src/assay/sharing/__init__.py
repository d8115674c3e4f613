"""Sharing: one mechanism by which folds, settings and models have their computation in common."""
