"""`assay recommend`: items that a user should like."""
