"""What fitted models use, and how sure that is."""
