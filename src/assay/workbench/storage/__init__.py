"""The model file in parts: a safe archive of JSON and arrays, and what may be read from one."""
