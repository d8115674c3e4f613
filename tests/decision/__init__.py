"""Tests of decisions, measures and intervals."""
