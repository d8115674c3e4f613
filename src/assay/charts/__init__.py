"""Drawings and pages as functions of plain numbers."""
