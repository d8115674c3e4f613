"""Diagnosis in parts: what is looked for in a table, and in which words it is told."""
