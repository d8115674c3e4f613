"""Classifiers that a user writes: functions of parameters, fitted here."""
