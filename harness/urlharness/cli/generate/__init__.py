"""The commands that generate texts: `generate` and `fuzz`."""
