"""Checks of a table before any model is fitted."""
