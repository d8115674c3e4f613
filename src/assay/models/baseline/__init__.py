"""Baseline: what a classifier must beat."""
