"""Reports: one results value, rendered for a terminal, for CI systems, or as a page."""
