"""The report: pictures and one self-contained page."""
