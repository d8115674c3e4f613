"""`assay demo`: the main job on a bundled table."""
