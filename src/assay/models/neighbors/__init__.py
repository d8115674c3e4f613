"""Classifiers by likeness: the nearest training rows vote."""
