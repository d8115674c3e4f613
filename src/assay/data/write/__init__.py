"""Files of results, written whole or not at all."""
