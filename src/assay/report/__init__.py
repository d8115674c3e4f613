"""Report: an experiment as one page that opens anywhere, without a network."""
