"""Column types and formats from values."""
