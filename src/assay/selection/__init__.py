"""Selection: how wrong a model is on new rows, and which model to take."""
