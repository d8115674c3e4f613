"""Classes that lie in rings about a center."""
