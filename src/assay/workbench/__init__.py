"""Workbench: whole experiments, from data to decision; knows neither terminals nor arguments."""
