"""Recommendations: critics who agree with a user, and what they say of what the user does not know yet."""
