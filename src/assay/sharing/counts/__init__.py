"""Models solved from counts: categories and words."""
