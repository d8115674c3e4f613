"""Chains of steps and a model that moments carry."""
