"""Recommendations by collaborative filtering: ratings of similar users predict those of a user."""
