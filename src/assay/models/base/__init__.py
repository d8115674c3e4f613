"""What all families of models share."""
