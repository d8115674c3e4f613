"""Ratings of items by users."""
