"""Calls of the compiled kernels with arguments that fit, changed at random: no call may leave its arrays."""
