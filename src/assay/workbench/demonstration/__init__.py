"""The demonstration in parts: its leaderboard and its decision with costs."""
