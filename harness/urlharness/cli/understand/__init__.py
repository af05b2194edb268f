"""The commands that answer questions about URLs; they may import the oracle, `explain` and lower packages."""
