"""Classifiers made of classifiers: many classes from two, and posteriors from margins."""
