"""Networks: a single layer by gradient descent, and layers of any number by back-propagation."""
