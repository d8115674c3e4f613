"""Speed and memory of Assay as ratios to rivals, measured side by side in one run."""
