"""Classifiers of typed tables."""
