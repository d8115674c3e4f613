"""Model files: an archive of JSON and arrays, read with suspicion."""
