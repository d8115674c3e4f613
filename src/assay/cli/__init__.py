"""The command line: reads arguments, calls the workbench, prints; computes nothing."""
