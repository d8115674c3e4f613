"""What commands share on a terminal: options, console, JSON."""
