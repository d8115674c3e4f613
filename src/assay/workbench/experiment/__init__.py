"""A comparison: what is tried, in which order, and on which rows."""
