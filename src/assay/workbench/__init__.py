"""What commands share: the problem, the experiment, diagnosis, and the syntax of options."""
