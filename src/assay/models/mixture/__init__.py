"""Classifiers whose class densities are sums of normal components."""
