"""The commands that answer questions about URLs; may import the oracle, `explain` and what is below."""
