"""Options as people write them."""
