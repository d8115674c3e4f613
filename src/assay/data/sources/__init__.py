"""Where rows come from, each source as a stream of Arrow batches."""
