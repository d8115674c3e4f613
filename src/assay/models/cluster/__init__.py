"""Groups of rows that nobody labelled: k-means, and hierarchies from the bottom up and from the top down."""
